/* compare/graph_ways.c - see graph_ways.h */
#include "compare/graph_ways.h"

#include "compare/optype.h"

#define LARGEST 64 /* group that is looked into */

bool dc_graph_inserted(const dc_graph *g, const dc_gop *op)
{
    if (op->original_state == DC_ORIGINALS_EMPTY)
        return true;
    return op->original_state == DC_ORIGINALS_ABSENT &&
           dc_optype_inserted(dc_graph_text(g, op->type), dc_graph_text(g, op->name));
}

const dc_gedge *dc_graph_upstream(const dc_graph *g, const dc_gedge *e)
{
    const dc_gop *op = &g->op[e->producer];
    if (op->in.n && dc_graph_inserted(g, op) &&
        dc_optype_get(dc_graph_text(g, op->type))->passes_on)
        return &g->edge[op->in.first];
    uint32_t parent = g->sub[op->sub].parent;
    if (op->parent_index < 0 || parent == DC_NO_OP)
        return NULL;
    const dc_gop *caller = &g->op[parent];
    return (uint32_t)op->parent_index < caller->in.n
               ? &g->edge[caller->in.first + (uint32_t)op->parent_index]
               : NULL;
}

/* Does `to` take an output of `from`, be it through inserted operators? */
static bool feeds(const dc_graph *g, const dc_gop *from, const dc_gop *to)
{
    for (uint32_t i = 0; i < to->in.n; i++) {
        const dc_gedge *e = &g->edge[to->in.first + i];
        for (int steps = 0; e && e->producer != DC_NO_OP && steps < LARGEST; steps++) {
            if (&g->op[e->producer] == from)
                return true;
            e = dc_graph_upstream(g, e);
        }
    }
    return false;
}

static bool is_told(const dc_graph *g, const dc_gop *op)
{
    for (uint32_t i = 0; i < op->out.n; i++) {
        uint32_t name = g->tensor[op->out.first + i].origin_name;
        if (name != DC_NO_STR && *dc_graph_text(g, name))
            return true;
    }
    return false;
}

static bool feeds_any(const dc_graph *g, const dc_gop *from, const dc_gfound *group)
{
    for (size_t i = 0; i < group->n; i++) {
        const dc_gop *to = &g->op[group->op[i]];
        if (to != from && !dc_graph_inserted(g, to) && feeds(g, from, to))
            return true;
    }
    return false;
}

bool dc_graph_gives(const dc_graph *g, const dc_gop *op, const char *original)
{
    const dc_gfound group = dc_graph_by_original(g, original);
    size_t others = 0;
    if (group.n > LARGEST)
        return false;
    for (size_t i = 0; i < group.n; i++) {
        const dc_gop *other = &g->op[group.op[i]];
        if (other == op || dc_graph_inserted(g, other))
            continue;
        others++;
        if (is_told(g, other) || !feeds_any(g, other, &group))
            return false;
    }
    return !others || (op->out.n == 1 && !feeds_any(g, op, &group));
}
