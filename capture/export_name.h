/* capture/export_name.h - what exported files are called.
 *
 * As msaccucmp's convert calls them: {dump file}.{input|output}.{slot}.npy, where {dump file} is
 * type.op.task.stream.time, {dump file}.{l1buffer|space}.{slot}.bin; in a directory for each rank,
 * model and step of a store. A tensor of FFTS+ parts has the time of the lowest and nothing of the
 * parts' names. A name of over 255 bytes becomes the decimal hash (io/std_hash.h) with
 * the suffix, and mapping.csv beside it has "hash.npy,name.npy". */
#ifndef DC_EXPORT_NAME_H
#define DC_EXPORT_NAME_H
#include "capture/origin.h"

/* Append the name of the dump file that a tensor comes from: the file's own, or, where that is a
 * hash, a file of many operators' statistics or several files with parts, what it would have been.
 * Errors: DC_ENOMEM. Nothing here is collective. */
dc_status dc_export_dump_name(dc_buf *out, const dc_item *item, const dc_pool *names) DC_MUST_CHECK;
/* Append ".output.0". */
dc_status dc_export_slot(dc_buf *out, const dc_tensor *t) DC_MUST_CHECK;
/* *dir, malloc'd for the caller: {below}/[run{r}/]rank{n}/{model}/step{s} for a store's tensor,
 * below itself for a dump file's. */
dc_status dc_export_dir(char **dir, const dc_origin *o, const dc_tensor *t,
                        const char *below) DC_MUST_CHECK;
/* *path, malloc'd for the caller: dir/name, or the hashed form; *listed, also malloc'd, is then the
 * name's hash with its suffix, else NULL. */
dc_status dc_export_path(char **path, char **listed, const char *dir,
                         const char *name) DC_MUST_CHECK;
#endif
