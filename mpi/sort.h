/* mpi/sort.h - sort tensor rows over all processes. */
#ifndef DC_SORT_H
#define DC_SORT_H
#include "io/tensor.h"
#include "mpi/par.h"

#include <stddef.h>

/* Sort all processes' rows into key order (dc_tensor_compare), each process getting a contiguous
 * part of about the same size; rows of equal identity never straddle processes. *row (malloc'd) is
 * replaced, *n becomes the new count; a row has `size` bytes and begins with a dc_tensor. The order
 * does not depend on the number of processes nor on who held which row. Collective. Errors:
 * DC_ENOMEM, agreed. */
dc_status dc_sort_rows(void **row, size_t *n, size_t size, const dc_par *par) DC_MUST_CHECK;
#endif
