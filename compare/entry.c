/* compare/entry.c - see entry.h */
#include "compare/entry.h"

/* The graph's description of input or output `slot`, NULL without one. */
static const dc_gtensor *describe(const dc_graph *g, const dc_gop *op, uint32_t direction,
                                  uint32_t slot)
{
    if (direction == DC_OUTPUT)
        return slot < op->out.n ? &g->tensor[op->out.first + slot] : NULL;
    if (slot >= op->in.n)
        return NULL;
    uint32_t at = g->edge[op->in.first + slot].slot;
    return at < op->in_desc.n ? &g->tensor[op->in_desc.first + at] : NULL;
}

/* What the graph does not say fits everything. */
static bool fits(const dc_graph *g, const dc_gtensor *d, const dc_tensor *t, const dc_shape *shape)
{
    dc_shape said;
    if (!d)
        return true;
    if (d->dtype > 0 && d->dtype != t->dtype)
        return false;
    return !dc_graph_shape(&said, g, d) || dc_shape_equal(&said, shape);
}

dc_entry_fit dc_entry_slot(uint32_t *slot, const dc_graph *g, const dc_gop *op, const dc_entry *e)
{
    dc_shape shape;
    const dc_tensor *t = e->tensor;
    uint32_t n = t->direction == DC_OUTPUT ? op->out.n : op->in.n, end = n, found = 0;
    *slot = t->slot;
    if ((t->flags & DC_DUMP_SHAPE_GUESSED) ||
        dc_shape_parse(&shape, dc_pool_text(e->names, t->shape)) != DC_OK)
        return DC_ENTRY_IN_PLACE;
    bool in_place = fits(g, describe(g, op, t->direction, t->slot), t, &shape);
    if (in_place && (!e->entries || e->entries >= n))
        return DC_ENTRY_IN_PLACE;
    if (e->entries && e->entries < n) /* those behind it need their places too */
        end = t->slot + (n - e->entries) + 1;
    for (uint32_t i = t->slot; i < end; i++)
        if (fits(g, describe(g, op, t->direction, i), t, &shape) && !found++)
            *slot = i;
    if (found > 1)
        *slot = t->slot;
    return found > 1 ? DC_ENTRY_UNCLEAR : *slot != t->slot ? DC_ENTRY_MOVED : DC_ENTRY_IN_PLACE;
}
