/* capture/slots.c - see slots.h */
#include "capture/slots.h"

#include <stdlib.h>

#define MOST_CELLS ((size_t)1 << 20) /* of the table of ways */

/* One direction of one operator: `have` tensors of the file from `first` on, `want` in the graph.
 */
typedef struct sides {
    const dc_dump_tensor *tensor; /* [have] */
    uint32_t *slot;               /* [have] */
    const dc_graph *g;
    const dc_gop *op;
    dc_direction direction;
    size_t have, want;
} sides;

/* The graph's descriptor of a slot, or NULL. */
static const dc_gtensor *descriptor(const sides *s, size_t slot)
{
    const dc_gop *op = s->op;
    if (s->direction == DC_OUTPUT)
        return &s->g->tensor[op->out.first + slot];
    uint32_t at = s->g->edge[op->in.first + slot].slot;
    return at < op->in_desc.n ? &s->g->tensor[op->in_desc.first + at] : NULL;
}

static bool compatible(const sides *s, size_t i, size_t slot)
{
    const dc_gtensor *d = descriptor(s, slot);
    const dc_dump_tensor *t = &s->tensor[i];
    dc_shape shape;
    if (!d)
        return true;
    if (d->dtype > 0 && (uint32_t)d->dtype != t->dtype)
        return false;
    return !dc_graph_shape(&shape, s->g, d) || dc_shape_equal(&shape, &t->shape);
}

/* Whether exactly as many slots are left as the file has when the blacklists' are out. */
static bool by_blacklist(sides *s, const dc_select *select, const dc_select_op *op)
{
    size_t n = 0;
    for (size_t k = 0; k < s->want; k++) {
        if (dc_select_banned(select, op, s->direction, (uint32_t)k))
            continue;
        if (n < s->have)
            s->slot[n] = (uint32_t)k;
        n++;
    }
    return n == s->have;
}

/* ways[i][k]: in how many ways (0, 1, 2 = several) tensors i.. fit slots k.. in order. */
static void count_ways(uint8_t *ways, const sides *s)
{
    size_t row = s->want + 1;
    for (size_t k = 0; k <= s->want; k++)
        ways[s->have * row + k] = 1;
    for (size_t i = s->have; i-- > 0;) {
        ways[i * row + s->want] = 0;
        for (size_t k = s->want; k-- > 0;) {
            int sum = ways[i * row + k + 1];
            if (compatible(s, i, k))
                sum += ways[(i + 1) * row + k + 1];
            ways[i * row + k] = (uint8_t)(sum > 2 ? 2 : sum);
        }
    }
}

static dc_status by_shapes(bool *clear, sides *s)
{
    size_t row = s->want + 1;
    *clear = false;
    if ((s->have + 1) > MOST_CELLS / row)
        return DC_OK;
    uint8_t *ways = calloc(s->have + 1, row);
    if (!ways)
        return dc_fail_memory();
    count_ways(ways, s);
    *clear = ways[0] == 1;
    for (size_t i = 0, k = 0; *clear && i < s->have; k++)
        if (compatible(s, i, k) && ways[(i + 1) * row + k + 1])
            s->slot[i++] = (uint32_t)k;
    free(ways);
    return DC_OK;
}

static dc_status one_direction(dc_slot_rule *rule, sides *s, const dc_select *select,
                               const dc_select_op *op)
{
    bool clear = true;
    dc_status st = DC_OK;
    *rule = DC_SLOTS_WHOLE;
    if (!s->have || s->have >= s->want)
        return DC_OK;
    if (!by_blacklist(s, select, op))
        st = by_shapes(&clear, s);
    *rule = clear ? DC_SLOTS_RENUMBERED : DC_SLOTS_UNCLEAR;
    for (size_t i = 0; !clear && i < s->have; i++)
        s->slot[i] = s->tensor[i].slot;
    return st;
}

dc_status dc_slots_find(dc_slots *s, const dc_dump *dump, const dc_model *model,
                        const dc_select *select, const dc_select_op *op)
{
    const dc_gfound found = dc_model_ops(model, op->name, op->sanitised);
    size_t first[3] = {0, 0, 0};
    dc_status st = dc_grow((void **)&s->slot, &s->cap, 0, dump->n + 1, sizeof *s->slot);
    s->rule[0] = s->rule[1] = DC_SLOTS_WHOLE;
    for (size_t i = 0; st == DC_OK && i < dump->n; i++) {
        s->slot[i] = dump->tensor[i].slot;
        first[1] += dump->tensor[i].direction == DC_INPUT;
        first[2] += dump->tensor[i].direction <= DC_OUTPUT;
    }
    if (st != DC_OK || found.n != 1 || dc_select_is_data(op->type))
        return st; /* a name that is there twice tells nothing */
    const dc_gop *gop = &model->graph->op[found.op[0]];
    for (int d = 0; st == DC_OK && d < 2; d++) {
        sides side = {.tensor = dump->tensor + first[d],
                      .slot = s->slot + first[d],
                      .g = model->graph,
                      .op = gop,
                      .direction = (dc_direction)d,
                      .have = first[d + 1] - first[d],
                      .want = d == DC_INPUT ? gop->in.n : gop->out.n};
        st = one_direction(&s->rule[d], &side, select, op);
    }
    return st;
}

void dc_slots_fini(dc_slots *s)
{
    free(s->slot);
    *s = (dc_slots){0};
}
