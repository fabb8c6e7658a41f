/* compare/wants.c - see wants.h */
#include "compare/wants.h"

#include "compare/graph_marks.h"

#include <stdlib.h>

/* What an answer depends on; without padding. */
typedef struct question {
    uint64_t graph;
    uint32_t op, op_type, slot, shape, original_shape, origin_op, origin_slot, inputs, entries;
    uint32_t part, spare;                          /* spare: 0 */
    uint8_t direction, origin_format, kind, dtype; /* kind: has bytes, guessed shape */
} question;

dc_status dc_wants_begin(dc_wants *out, dc_pool *pool, const dc_align_graphs *graphs)
{
    *out = (dc_wants){.pool = pool, .graphs = *graphs};
    dc_status st = dc_idset_new(&out->question, sizeof(question));
    if (st == DC_OK)
        st = dc_idset_new(&out->answer, sizeof(dc_opmap_want));
    if (st != DC_OK)
        dc_wants_fini(out);
    return st;
}

void dc_wants_fini(dc_wants *w)
{
    dc_idset_free(w->question);
    dc_idset_free(w->answer);
    free(w->answer_of);
    free(w->last.marks);
    *w = (dc_wants){0};
}

static dc_status find_graph(dc_wants *w, const dc_tensor *t, const dc_pool *names)
{
    if (!w->graphs.find)
        return DC_OK;
    if (w->last.known && w->last.rank == t->rank && w->last.model_dir == t->model_dir)
        return DC_OK;
    uint64_t before = w->last.id;
    const dc_graph *was = w->last.graph;
    dc_status st = w->graphs.find(w->graphs.context, &w->last.graph, &w->last.id, t->rank,
                                  dc_pool_text(names, t->model_dir));
    if (w->last.id != before) /* with a graph for every rank the questions would pile up */
        dc_idset_clear(w->question);
    if (st == DC_OK && w->last.graph != was) {
        free(w->last.marks);
        w->last.marks = NULL;
        if (w->last.graph)
            st = dc_graph_marks(&w->last.marks, w->last.graph);
    }
    w->last.known = st == DC_OK;
    w->last.rank = t->rank;
    w->last.model_dir = t->model_dir;
    return st;
}

/* How many tensors of t's direction its operator was dumped with. */
static uint32_t entries(const dc_wants_tensor *x)
{
    return x->t->direction == DC_INPUT ? x->op.inputs : x->op.outputs;
}

static dc_status ask(uint32_t *want, dc_wants *w, const dc_wants_tensor *x)
{
    const dc_tensor *t = x->t;
    dc_opmap_ask a = {.tensor = t,
                      .names = x->names,
                      .graph = w->last.graph,
                      .marks = w->last.marks,
                      .inputs = t->direction == DC_OUTPUT ? x->op.inputs : 0,
                      .entries = entries(x),
                      .ignore = w->ignore};
    dc_opmap_want answer;
    dc_status st = dc_opmap_answer(&answer, &a, w->pool);
    return st == DC_OK ? dc_idset_add(want, NULL, w->answer, &answer) : st;
}

dc_status dc_wants_of(uint32_t *want, dc_wants *w, const dc_wants_tensor *x)
{
    const dc_tensor *t = x->t;
    uint32_t id;
    bool added;
    dc_status st = find_graph(w, t, x->names);
    question q = {.graph = w->last.id,
                  .op = t->op,
                  .op_type = t->op_type,
                  .slot = t->slot,
                  .shape = t->shape,
                  .original_shape = t->original_shape,
                  .origin_op = t->origin_op,
                  .origin_slot = t->origin_slot,
                  .inputs = t->direction == DC_OUTPUT ? x->op.inputs : 0,
                  .entries = entries(x),
                  .part = *dc_pool_text(x->names, t->cut) != '\0',
                  .direction = t->direction,
                  .origin_format = t->origin_format,
                  .kind = (uint8_t)((t->bytes > 0) | (t->flags & DC_DUMP_SHAPE_GUESSED)),
                  .dtype = t->dtype};
    if (st == DC_OK)
        st = dc_idset_add(&id, &added, w->question, &q);
    if (st == DC_OK && added) {
        st = dc_grow((void **)&w->answer_of, &w->cap, id, 1, sizeof *w->answer_of);
        if (st == DC_OK)
            st = ask(&w->answer_of[id], w, x);
    }
    if (st == DC_OK)
        *want = w->answer_of[id];
    return st;
}

const dc_opmap_want *dc_wants_get(const dc_wants *w, uint32_t want)
{
    return dc_idset_key(w->answer, want);
}
