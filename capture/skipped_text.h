/* capture/skipped_text.h - what is said of files that gave no tensors, or not all of them. */
#ifndef DC_SKIPPED_TEXT_H
#define DC_SKIPPED_TEXT_H
#include "io/mem.h"
#include "io/store.h"

/* Append "3 of 14 files gave no tensors", then likewise directories that could not be read and
 * operators that are not complete, each with its reasons and the first files. files: seen in all; 0
 * = not known, then only the numbers. row[0..n): any order. Not collective. Errors: DC_ENOMEM. */
dc_status dc_skipped_text(dc_buf *out, const dc_skipped *row, uint64_t n, const dc_pool *names,
                          uint64_t files) DC_MUST_CHECK;
/* All of a store's skipped rows, malloc'd for the caller; dc_store_skipped tells how many. Errors:
 * as dc_store_get_skipped. */
dc_status dc_skipped_load(dc_skipped **row, const dc_store *s) DC_MUST_CHECK;
/* How many of them should have given more: they decide the exit code. */
uint64_t dc_skipped_faults(const dc_skipped *row, uint64_t n);
#endif
