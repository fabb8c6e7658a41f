/* mpi/clash.h - two servers' dumps that cannot be told apart: found, and refused rather than
 * guessed at.
 *
 * Dump paths hold no name of a server, so devices of the same number on two servers collide when
 * they share a dump path, or when two trees are given without saying whose they are. Signs, where
 * two directories of one rank hold a common key (runs.h): they come from two roots or devices
 * within the run window, or their dump times overlap. In one directory: every operator is there
 * several times, and the second executions begin before the first ones have ended (a loop, or a run
 * into the same directory, executes again after that). */
#ifndef DC_CLASH_H
#define DC_CLASH_H
#include "mpi/runs.h"

/* Whether two processes wrote the dump files of one directory, by their names. Not collective.
 * Errors: DC_EARG naming the directory, DC_ENOMEM. */
dc_status dc_clash_in_dir(const char *path, const dc_scan_file *file, size_t n) DC_MUST_CHECK;
/* The refusal of two directories of one rank: DC_EARG. Not collective. */
dc_status dc_clash_of_dirs(const dc_runs_ask *ask, size_t a, size_t b);
#endif
