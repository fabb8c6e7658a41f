/* compare/rnn_sizes.c - see rnn_sizes.h */
#include "compare/rnn_sizes.h"

#include "io/format.h"

typedef struct sizes {
    int64_t input, hidden; /* 0: not known; -1: several operators say different things */
} sizes;

static bool is_rnn(uint32_t format)
{
    return format == DC_FORMAT_FRACTAL_ZN_RNN || format == DC_FORMAT_ND_RNN_BIAS;
}

static void take(int64_t *to, int64_t size)
{
    if (size > 0)
        *to = *to == 0 || *to == size ? size : -1;
}

static void take_all(sizes *s, const dc_gop *op)
{
    take(&s->input, op->input_size);
    take(&s->hidden, op->hidden_size);
}

/* Operators at the other end of the tensor's edges. */
static void take_neighbours(sizes *s, const dc_graph *g, const dc_gop *op, const dc_tensor *t)
{
    const uint32_t self = (uint32_t)(op - g->op);
    if (t->direction == DC_INPUT) {
        uint32_t producer =
            t->slot < op->in.n ? g->edge[op->in.first + t->slot].producer : DC_NO_OP;
        if (producer != DC_NO_OP)
            take_all(s, &g->op[producer]);
        return;
    }
    for (uint32_t k = 0; k < g->nop; k++)
        for (uint32_t e = 0; e < g->op[k].in.n; e++) {
            const dc_gedge *edge = &g->edge[g->op[k].in.first + e];
            if (edge->producer == self && edge->output == t->slot)
                take_all(s, &g->op[k]);
        }
}

static dc_status find_sizes(sizes *out, const dc_tensor *t, const dc_pool *names,
                            const dc_align_graphs *graphs)
{
    const dc_graph *g = NULL;
    uint64_t id;
    sizes beside = {0};
    dc_status st =
        graphs->find(graphs->context, &g, &id, t->rank, dc_pool_text(names, t->model_dir));
    *out = (sizes){0};
    if (st != DC_OK || !g)
        return st;
    const char *name = dc_pool_text(names, t->op);
    dc_gfound found = dc_graph_by_name(g, name);
    if (found.n == 0)
        found = dc_graph_by_clean_name(g, name);
    for (size_t i = 0; i < found.n; i++) { /* several where sub-graphs repeat a name */
        take_all(out, &g->op[found.op[i]]);
        take_neighbours(&beside, g, &g->op[found.op[i]], t);
    }
    out->input = out->input ? out->input : beside.input;
    out->hidden = out->hidden ? out->hidden : beside.hidden;
    return DC_OK;
}

static dc_status keep(dc_pairs *pairs, dc_pair *p, const sizes *s)
{
    dc_pair_rare *rare;
    dc_status st = dc_pairs_own_rare(&rare, pairs, p);
    if (st != DC_OK)
        return st;
    rare->input_size = s->input > 0 ? (uint64_t)s->input : 0;
    rare->hidden_size = s->hidden > 0 ? (uint64_t)s->hidden : 0;
    return DC_OK;
}

dc_status dc_rnn_sizes_apply(dc_pairs *pairs, const dc_catalog *npu, const dc_align_graphs *graphs)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && graphs->find && i < pairs->n; i++) {
        dc_pair *p = &pairs->pair[i];
        const dc_tensor *t = &npu->row[i];
        const dc_golden *g = p->golden < pairs->goldens ? &pairs->golden[p->golden] : NULL;
        sizes s;
        if (p->pairing != DC_PAIRED ||
            !(is_rnn(t->format) || (g && g->device && is_rnn(g->device_format))))
            continue;
        st = find_sizes(&s, t, npu->names, graphs);
        if (st == DC_OK && (s.input > 0 || s.hidden > 0))
            st = keep(pairs, p, &s);
    }
    return st;
}
