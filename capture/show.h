/* capture/show.h - `dumpcap show`: one tensor looked at closely. */
#ifndef DC_SHOW_H
#define DC_SHOW_H
#include "io/status.h"

/* Print the tensor of a store, dump file or statistics file whose path is `tensor`, or the only one
 * that matches it: who it is, statistics, rows at its corners, histogram. Several matches, or no
 * tensor given, are listed as by `ls`. The tensor is read in pieces. Errors: DC_ENOENT (nothing
 * matches), as dc_origin_open. Not collective. */
dc_status dc_show(const char *path, const char *tensor) DC_MUST_CHECK;
#endif
