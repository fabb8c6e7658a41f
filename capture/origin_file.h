/* capture/origin_file.h - a single file as an origin. */
#ifndef DC_ORIGIN_FILE_H
#define DC_ORIGIN_FILE_H
#include "capture/origin.h"

/* Read the tensors of the dump file o->path, and the parts of them that lie in files beside it
 * (mpi/slices.h): rows, own_rows, names. Beside it one that cannot be read is warned of. Not
 * collective. Errors: as dc_dump_open. */
dc_status dc_origin_file(dc_origin *o) DC_MUST_CHECK;
/* Read the rows of the statistics file o->path, operators in the order of their first; damaged rows
 * are warned of. Not collective. Errors: as dc_stats_open. */
dc_status dc_origin_csv(dc_origin *o) DC_MUST_CHECK;
/* Is the tensor in parts that can be put together? */
bool dc_origin_in_parts(const dc_tensor *t);
#endif
