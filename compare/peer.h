/* compare/peer.h - an NPU tensor in the part of a golden: how the process that has it describes it
 * to the one that compares. */
#ifndef DC_PEER_H
#define DC_PEER_H
#include "compare/pair.h"

/* What was said, and the catalog whose row it is for. */
typedef struct dc_peer_heard {
    const dc_catalog *npu;
    const char *data;
    uint64_t n;
} dc_peer_heard;

/* "op:output:0" and a NUL. Errors of all: DC_ENOMEM. Nothing here is collective. */
dc_status dc_peer_label(dc_buf *out, const dc_catalog *c, const dc_tensor *t) DC_MUST_CHECK;
/* Append all that is to be known of c's row i (of this process). */
dc_status dc_peer_describe(dc_buf *out, const dc_catalog *c, uint64_t i) DC_MUST_CHECK;
/* Pair row i of heard->npu with what was described: pairs->pair[i] and a new golden.
 * DC_NOT_COMPARABLE if that has no data. */
dc_status dc_peer_take(dc_pairs *pairs, uint64_t i, const dc_peer_heard *heard) DC_MUST_CHECK;
/* Once the sizes of RNN weights are known (rnn_sizes.h): choose in which order the elements of two
 * NPU tensors are compared, for every such pair. */
dc_status dc_peer_settle(dc_pairs *pairs, const dc_catalog *npu) DC_MUST_CHECK;
#endif
