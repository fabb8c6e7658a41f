/* compare/join.h - find the rows of two catalogs that are of the same tensor, wherever they are. */
#ifndef DC_JOIN_H
#define DC_JOIN_H
#include "io/mem.h"
#include "mpi/par.h"

/* Who a tensor is; model, op and original are hashes of texts. Without padding. */
typedef struct dc_join_key {
    int64_t step;
    uint64_t model, op, original;
    int32_t rank;
    uint32_t direction, slot, slice, occurrence, extra;
} dc_join_key;

/* One side's rows on this process. */
typedef struct dc_join_side {
    uint64_t n; /* less than 2^32 */
    /* The key of row i; false: the row takes no part. Pure within one join. */
    bool (*key)(void *context, dc_join_key *key, uint64_t i);
} dc_join_side;

/* What becomes of it. Rows without a partner are not mentioned. */
typedef struct dc_join_ask {
    void *context;
    dc_join_side left, right;
    uint64_t
        total; /* rows of both sides on all processes: work is cut so that memory stays small */
    /* Right row i has a partner: append what the left side is to know of it. */
    dc_status (*describe)(void *context, dc_buf *out, uint64_t i);
    /* Left row i has a partner, described by data[0..n). */
    dc_status (*pair)(void *context, uint64_t i, const char *data, uint64_t n);
    /* Left row i has several, or shares its own with other left rows. */
    dc_status (*ambiguous)(void *context, uint64_t i);
} dc_join_ask;

/* Collective; n may differ and may be 0. `local` is this process's status so far. Errors:
 * DC_ENOMEM and the callbacks', agreed. */
dc_status dc_join(const dc_join_ask *ask, dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
