/* compare/pair.h - what alignment hands to comparison: each NPU tensor with its golden partner, or
 * why it has none. */
#ifndef DC_PAIR_H
#define DC_PAIR_H
#include "io/shape.h"
#include "mpi/catalog.h"

#define DC_FORMAT_UNSAID UINT32_MAX /* for dc_golden.format and dc_pair.format */

/* X(id, name in the report's MatchedBy column) */
#define DC_MATCHES(X)                                                                              \
    X(NONE, "")                                                                                    \
    X(HEADER, "header")                                                                            \
    X(GRAPH, "graph")                                                                              \
    X(NAME, "name")                                                                                \
    X(STORE, "store")

typedef enum dc_match {
#define X(id, name) DC_MATCH_##id,
    DC_MATCHES(X)
#undef X
} dc_match;

/* Whether a tensor of the NPU side is compared, and if not, why. X(id, name in reports, counts: a
 * comparison that should be made and cannot be, exit code 2) */
#define DC_PAIRINGS(X)                                                                             \
    X(PAIRED, "paired", false)                                                                     \
    X(NO_GOLDEN, "no golden", true)           /* a golden should exist and does not */             \
    X(INSERTED, "inserted", false)            /* the graph engine put the operator in */           \
    X(FUSED_AWAY, "fused", false)             /* an inner tensor of a fused operator */            \
    X(NOT_COMPARABLE, "not comparable", true) /* string, handle, golden unreadable... */           \
    X(AMBIGUOUS, "ambiguous", true)           /* several goldens or layouts fit */                 \
    X(NOT_EXPECTED, "not expected", false)    /* nothing says which golden: an input without a     \
                                                 graph, a buffer, a collective of another job */   \
    X(NOT_CHOSEN, "not chosen", false)        /* the caller left it out; not for the report */

typedef enum dc_pairing {
#define X(id, name, counts) DC_##id,
    DC_PAIRINGS(X)
#undef X
        DC_PAIRING_COUNT
} dc_pairing;

/* The golden side's tensor, as files describe it. */
typedef struct dc_golden {
    uint32_t path;  /* string id in dc_pairs.names */
    uint32_t name;  /* string id: the name as the report prints it, "conv1/Relu:0" where known, else
                       as in the file */
    uint32_t dtype; /* dc_dtype */
    bool big_endian, fortran_order;
    uint32_t format; /* dc_format of its dims: NHWC, NCHW, ND...; DC_FORMAT_UNSAID */
    uint32_t shape;  /* string id, dc_shape_print's form; logical, not the device's */
    uint64_t offset, bytes;
    /* a golden that is itself an NPU tensor (store or tree against store or tree): device layout.
       device_format is UINT32_MAX when the bytes are in logical order already. */
    uint32_t device_format, sub_format;
    uint32_t device_shape; /* string id; of a slice: the whole golden's shape */
    /* the part of a golden file that a rank's shard is compared with: `shape` is the part's, offset
       and bytes the whole's */
    bool sliced;
    uint32_t slice_axis;
    uint64_t slice_at; /* index along that axis */
} dc_golden;

typedef struct dc_pair {
    uint64_t row;    /* index into the catalog's whole order: catalog.first + i */
    uint64_t golden; /* index into dc_pairs.golden, UINT64_MAX without one */
    uint32_t reason; /* string id: why it is not paired or not judged; 0 = "" */
    uint32_t note;   /* string id: what pairing assumed ("golden 1 of 3 by time"); 0 = "" */
    uint32_t format; /* dc_format the comparison is done in (the golden's); DC_FORMAT_UNSAID:
                        nothing says which, the golden's shape has to tell */
    uint8_t pairing; /* dc_pairing */
    uint8_t match;   /* dc_match */
    uint32_t parts;  /* string id: the NPU tensor's FFTS+ parts, a list of io/parts.h; 0 = whole */
    uint64_t parts_bytes;             /* of all of them */
    uint64_t input_size, hidden_size; /* for weights of RNNs: compare/rnn_sizes.h; 0 = not known */
} dc_pair;

/* This process's pairs: one per catalog row it holds, in the same order. golden[] holds what these
 * pairs need. */
typedef struct dc_pairs {
    dc_pair *pair;
    uint64_t n;
    dc_golden *golden;
    uint64_t goldens;
    dc_pool *names;
} dc_pairs;
#endif
