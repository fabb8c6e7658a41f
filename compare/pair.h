/* compare/pair.h - what alignment hands to comparison: each NPU tensor with its golden partner, or
 * why it has none. */
#ifndef DC_PAIR_H
#define DC_PAIR_H
#include "io/shape.h"
#include "mpi/catalog.h"

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

/* Why a tensor of the NPU side is, or is not, compared. */
typedef enum dc_pairing {
    DC_PAIRED,
    DC_NO_GOLDEN,  /* a golden should exist and does not: not judged, counts */
    DC_INSERTED,   /* the operator was inserted by the graph engine: no golden, does not count */
    DC_FUSED_AWAY, /* an inner tensor of a fused operator: no golden, does not count */
    DC_NOT_COMPARABLE, /* string, handle, unreadable, unsupported...: not judged, counts */
    DC_AMBIGUOUS       /* several goldens or layouts fit: not judged, counts */
} dc_pairing;

/* The golden side's tensor, as files describe it. */
typedef struct dc_golden {
    uint32_t path;  /* string id in dc_pairs.names */
    uint32_t name;  /* string id: the name as the report prints it, "conv1/Relu:0" where known, else
                       as in the file */
    uint32_t dtype; /* dc_dtype */
    bool big_endian, fortran_order;
    uint32_t format; /* dc_format of its dims: NHWC, NCHW, ND... */
    uint32_t shape;  /* string id, dc_shape_print's form */
    uint64_t offset, bytes;
    /* a golden that is itself an NPU tensor (store or tree against store or tree): device layout */
    uint32_t device_format, sub_format; /* UINT32_MAX when the bytes are in logical order already */
} dc_golden;

typedef struct dc_pair {
    uint64_t row;    /* index into the catalog's whole order: catalog.first + i */
    uint64_t golden; /* index into dc_pairs.golden, UINT64_MAX without one */
    uint32_t reason; /* string id: why it is not paired or not judged; 0 = "" */
    uint32_t format; /* dc_format the comparison is done in (the golden's) */
    uint8_t pairing; /* dc_pairing */
    uint8_t match;   /* dc_match */
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
