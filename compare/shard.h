/* compare/shard.h - tensor-parallel shards of several ranks against one whole golden: each rank's
 * tensor is paired with its slice. */
#ifndef DC_SHARD_H
#define DC_SHARD_H
#include "compare/pair.h"

typedef struct dc_shard_ask {
    const dc_catalog *npu;
    const char *const *rule; /* [n] "PATTERN:AXIS"; AXIS of the golden, -1 the last */
    size_t n;
} dc_shard_ask;

/* Tensors whose golden (or, of outputs, whose operator) a PATTERN names are shards of it: those of
 * all ranks with the same identity, joined along the axis in the order of ranks. What they have
 * beyond the golden's end is padding. Pairs get the slice as their golden and the note "shard 1 of
 * 4 along axis 0"; where shards do not make up the golden they are ambiguous, one that is all
 * padding is not expected. Of several rules the first that matches counts. Collective; rules are
 * the same everywhere. Errors, agreed: DC_EARG (a bad rule), DC_ENOMEM. */
dc_status dc_shard_apply(dc_pairs *pairs, const dc_shard_ask *ask, const dc_par *par) DC_MUST_CHECK;
#endif
