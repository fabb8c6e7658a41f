/* compare/wants.h - which golden each tensor wants: compare/opmap's answers, each question asked
 * once. Ranks of one network ask the same questions. */
#ifndef DC_WANTS_H
#define DC_WANTS_H
#include "compare/align.h"
#include "compare/op_counts.h"
#include "compare/opmap.h"
#include "io/idset.h"

/* All owned but pool and graphs. */
typedef struct dc_wants {
    dc_pool *pool; /* of the answers' texts */
    dc_align_graphs graphs;
    uint32_t ignore; /* as in dc_opmap_ask; set after begin */
    dc_idset *question, *answer;
    uint32_t *answer_of; /* by question */
    size_t cap;
    struct { /* the graph of the row before */
        bool known;
        int32_t rank;
        uint32_t model_dir;
        uint64_t id;
        const dc_graph *graph;
        uint8_t *marks; /* of graph; owned */
    } last;
} dc_wants;

/* Nothing here is collective. */
dc_status dc_wants_begin(dc_wants *out, dc_pool *pool, const dc_align_graphs *graphs) DC_MUST_CHECK;
void dc_wants_fini(dc_wants *w);
/* A tensor, the pool of its texts, and what its operator was dumped with. */
typedef struct dc_wants_tensor {
    const dc_tensor *t;
    const dc_pool *names;
    dc_op_counts op;
} dc_wants_tensor;
/* *want: number of the answer for this tensor. Errors: those of graphs.find, DC_ENOMEM. */
dc_status dc_wants_of(uint32_t *want, dc_wants *w, const dc_wants_tensor *x) DC_MUST_CHECK;
/* Valid until the next dc_wants_of. */
const dc_opmap_want *dc_wants_get(const dc_wants *w, uint32_t want);
#endif
