/* capture/list.h - `dumpcap ls`: what a store holds, a line per tensor. */
#ifndef DC_LIST_H
#define DC_LIST_H
#include "capture/options.h"
#include "io/mem.h"
#include "io/tensor.h"

/* Print the tensors of `store` whose view path matches the glob (NULL = all) and that the options'
 * rank, step and op select; or the skipped files. Not collective. Errors: as dc_store_open,
 * DC_ENOENT where something was asked for and nothing is there (unmatched.h). */
dc_status dc_list_store(const char *store, const char *glob,
                        const dc_capture_options *o) DC_MUST_CHECK;
/* The line of one tensor. Not collective. */
void dc_list_line(const dc_tensor *t, const dc_pool *names, const char *path);
/* Append "min 0 max 5 mean 2.5 l2 7.4 nan 0 +inf 0 -inf 0 zero 1", "-" for what is not told, or
 * is of no finite element. */
dc_status dc_list_statistics(dc_buf *out, const dc_result *r) DC_MUST_CHECK;
#endif
