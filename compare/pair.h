/* compare/pair.h - what alignment hands to comparison: each NPU tensor with its golden partner, or
 * why it has none. */
#ifndef DC_PAIR_H
#define DC_PAIR_H
#include "compare/golden_dirs.h"
#include "io/shape.h"
#include "mpi/catalog.h"

#define DC_FORMAT_UNSAID 255 /* a dc_format that nothing tells; no layout has this number */

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
    uint64_t offset, bytes;
    uint64_t slice_at; /* of a slice: index along slice_axis */
    uint32_t path;     /* string id in dc_pairs.names; where `listed`, number of a file in
                          dc_pairs.dirs: dc_pairs_path */
    uint32_t name;     /* string id: the name as the report prints it, "conv1/Relu:0" where known,
                          else as in the file */
    uint32_t shape;    /* string id, dc_shape_print's form; logical, not the device's */
    uint32_t device_shape; /* string id; of a slice: the whole golden's shape */
    uint16_t sub_format;
    uint8_t dtype;         /* dc_dtype */
    uint8_t device_format; /* dc_format, where `device` */
    uint8_t slice_axis;
    bool big_endian, fortran_order;
    bool listed;
    /* it is itself an NPU tensor (store or tree against store or tree): device layout */
    bool device;
    /* the part of a golden file that a rank's shard is compared with: `shape` is the part's, offset
       and bytes the whole's */
    bool sliced;
} dc_golden;
_Static_assert(sizeof(dc_golden) == 56,
               "one for every golden file, which may be one for every row");

typedef struct dc_pair {
    uint32_t golden; /* index into dc_pairs.golden, DC_UNPAIRED without one */
    uint32_t reason; /* string id: why it is not paired or not judged; 0 = "" */
    uint32_t note;   /* string id: what pairing assumed ("golden 1 of 3 by time"); 0 = "" */
    uint32_t rare;   /* index into dc_pairs.rare */
    uint8_t format;  /* dc_format the comparison is done in (the golden's); DC_FORMAT_UNSAID:
                        nothing says which, the golden's shape has to tell */
    uint8_t pairing; /* dc_pairing */
    uint8_t match;   /* dc_match */
} dc_pair;
_Static_assert(sizeof(dc_pair) == 20, "one for every row");
#define DC_UNPAIRED UINT32_MAX

/* What few pairs have. */
typedef struct dc_pair_rare {
    uint64_t parts_bytes;             /* of all parts */
    uint64_t input_size, hidden_size; /* for weights of RNNs: compare/rnn_sizes.h; 0 = not known */
    uint32_t parts; /* string id: the NPU tensor's FFTS+ parts, a list of io/parts.h; 0 = whole */
} dc_pair_rare;

/* This process's pairs: one per catalog row it holds, in the same order. golden[] holds what these
 * pairs need. All owned. */
typedef struct dc_pairs {
    dc_pair *pair;
    uint64_t n;
    dc_golden *golden;
    dc_pair_rare *rare; /* entry 0 is all-zero: that of most pairs */
    size_t goldens, rares, golden_cap, rare_cap;
    dc_pool *names;
    dc_golden_dirs dirs; /* of the files among golden[] */
} dc_pairs;

/* Nothing here is collective. */
/* n pairs without a golden, of pairing 0. Errors: DC_ENOMEM; dc_pairs_fini in any case. */
dc_status dc_pairs_begin(dc_pairs *out, uint64_t n) DC_MUST_CHECK;
void dc_pairs_fini(dc_pairs *p);
/* *number = the index of a new entry of golden[]. Errors: DC_ENOMEM, DC_EUNSUP (2^32 of them). */
dc_status dc_pairs_add_golden(uint32_t *number, dc_pairs *p, const dc_golden *g) DC_MUST_CHECK;
/* Append the path of a golden's file. Errors: DC_ENOMEM. */
dc_status dc_pairs_path(dc_buf *out, const dc_pairs *p, const dc_golden *g) DC_MUST_CHECK;
/* *key: a number for its bytes' place, the same on every process. Errors: DC_ENOMEM. */
dc_status dc_pairs_key(uint64_t *key, const dc_pairs *p, const dc_golden *g) DC_MUST_CHECK;
/* The rare fields of a pair: to read, and to write (*rare valid until the next call). */
dc_pair_rare dc_pairs_rare(const dc_pairs *p, const dc_pair *pair);
dc_status dc_pairs_own_rare(dc_pair_rare **rare, dc_pairs *p, dc_pair *pair) DC_MUST_CHECK;
#endif
