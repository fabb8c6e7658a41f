/* mpi/order.h - who holds what after a sort over all processes: splitters from samples. */
#ifndef DC_ORDER_H
#define DC_ORDER_H
#include "mpi/par.h"

typedef int (*dc_order_compare)(const void *a, const void *b);

/* Given item[0..n) of `size` bytes, sorted by compare on each process (n may differ, may be 0):
 * owner[i] = the process that item i belongs to, so that everything on process p comes before
 * everything on p+1 and all hold about as many. Items that compare equal go to one process.
 * Collective; size and compare must be the same. Errors: DC_ENOMEM, agreed. */
dc_status dc_order_owners(int32_t *owner, const void *item, uint64_t n, size_t size,
                          dc_order_compare compare, const dc_par *par) DC_MUST_CHECK;
#endif
