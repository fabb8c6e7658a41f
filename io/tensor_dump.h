/* io/tensor_dump.h - from a dump file's name and header to rows of the index; the elements that a
 * row's bytes hold. */
#ifndef DC_TENSOR_DUMP_H
#define DC_TENSOR_DUMP_H
#include "io/dump_name.h"
#include "io/mem.h"
#include "io/tensor.h"

/* When the operator ran, in microseconds since the epoch: as the header says, else as the name
 * does; 0 if neither does. Not collective; cannot fail. */
uint64_t dc_dump_time(const dc_dump *d, const dc_dump_name *name);
/* Set the columns that all tensors of a file share: stream, task, context, slice, dump_time, op and
 * op_type, DC_TENSOR_EXCEPTION. The operator's name is the header's, else the file's, else its
 * type. The others stay. Errors: DC_ENOMEM. Not collective. */
dc_status dc_tensor_from_file(dc_tensor *t, dc_pool *names, const dc_dump *d,
                              const dc_dump_name *name) DC_MUST_CHECK;
/* Set the columns of t that the header's entry d tells: direction, slot, dtype, formats, shapes,
 * origin, offset, bytes, flags; strings go into names. The others stay, and so does
 * DC_TENSOR_EXCEPTION. Errors: DC_ENOMEM. Not collective. */
dc_status dc_tensor_from_dump(dc_tensor *t, dc_pool *names, const dc_dump_tensor *d) DC_MUST_CHECK;

/* How many elements a tensor's bytes hold; *shape, if not NULL, is the device shape, or one dim of
 * all elements where shape and bytes do not agree. Not collective. */
uint64_t dc_tensor_elements(dc_shape *shape, const dc_tensor *t, const dc_pool *names);
#endif
