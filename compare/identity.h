/* compare/identity.h - who a tensor is to another dump: its own name and place, and, of an output,
 * the original operator whose output it is.
 *
 * Two compilations of a network fuse and number differently: conv2/Conv2D may be the convolution on
 * one side and have swallowed its BiasAdd on the other. Original operators stay what they are; an
 * operator of which no header and no graph says more is its own. */
#ifndef DC_IDENTITY_H
#define DC_IDENTITY_H
#include "compare/join.h"
#include "compare/wants.h"

/* In which order partners are looked for; each round sees what those before have left.
 *   SAME      own name, and the original is the same
 *   ORIGINAL  outputs: the original, whatever the operator is called
 *   CLEAN     the original with characters replaced; inputs by their own name
 *   UNSAID    outputs: own name, where only one side says whose output it is
 *   OTHER     outputs: own name, but the originals differ: not to be paired, but worth saying
 * X(id, the rule's name in MatchedBy as dc_match, what the report notes of such a pair) */
#define DC_JOIN_ROUNDS(X)                                                                          \
    X(SAME, STORE, NULL)                                                                           \
    X(ORIGINAL, HEADER, NULL)                                                                      \
    X(CLEAN, STORE, NULL)                                                                          \
    X(UNSAID, STORE, "only one side says whose output this is; the name is the same")              \
    X(OTHER, STORE, NULL)

typedef enum dc_join_round {
#define X(id, match, note) DC_JOIN_##id,
    DC_JOIN_ROUNDS(X)
#undef X
        DC_JOIN_ROUND_COUNT
} dc_join_round;

/* One side of a join. All borrowed. */
typedef struct dc_identities {
    const dc_catalog *catalog;
    const uint32_t *want; /* [catalog->n]: what the graph says, numbers in wants; NULL: no graph */
    const dc_wants *wants;
    const dc_step_map *steps; /* to the other side's; NULL: they are the other side's */
    bool one_model;           /* each side has a single model: its name does not matter */
    bool no_header;           /* what headers say is not to be used */
    bool right;
} dc_identities;

/* Who row i is in a round; false: it takes no part in it. Not collective. */
bool dc_identity_key(dc_join_key *out, const dc_identities *s, dc_join_round round, uint64_t i);
/* Does a header or the graph say of which operator's output row i is? Where the graph has to,
 * *by_graph. Not collective. */
bool dc_identity_said(bool *by_graph, const dc_identities *s, uint64_t i);
/* Do the two sides have operators of the same names? If not they were compiled differently, and the
 * numbers in names that the graph engine made up (trans_TransData_4) mean nothing. Collective.
 * Errors: DC_ENOMEM, agreed. */
dc_status dc_identity_same_build(bool *same, const dc_catalog *a, const dc_catalog *b,
                                 dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
