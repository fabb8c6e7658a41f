/* tests/fuzz/fuzz_graph.c - any bytes as a graph file: refused, or a graph whose numbers hold. */
#include "io/graph.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int truth)
{
    if (!truth)
        abort();
}

static void check_range(dc_grange r, uint32_t n)
{
    must(r.first <= n && r.n <= n - r.first);
}

static void check_tensors(const dc_graph *g)
{
    for (uint32_t i = 0; i < g->ntensor; i++) {
        const dc_gtensor *t = &g->tensor[i];
        dc_shape s;
        check_range(t->shape, g->ndim);
        check_range(t->origin_shape, g->ndim);
        (void)dc_graph_shape(&s, g, t);
        (void)dc_graph_origin_shape(&s, g, t);
    }
}

static int holds(dc_gfound f, uint32_t op)
{
    for (size_t i = 0; i < f.n; i++)
        if (f.op[i] == op)
            return 1;
    return 0;
}

static void check_op(const dc_graph *g, uint32_t i)
{
    const dc_gop *o = &g->op[i];
    check_range(o->in, g->nedge);
    check_range(o->in_desc, g->ntensor);
    check_range(o->out, g->ntensor);
    check_range(o->originals, g->ntext);
    check_range(o->original_types, g->ntext);
    must(o->sub < g->nsub);
    for (uint32_t k = 0; k < o->in.n; k++) {
        uint32_t p = g->edge[o->in.first + k].producer;
        must(p == DC_NO_OP || (p < g->nop && g->op[p].sub == o->sub));
    }
    must(holds(dc_graph_by_name(g, dc_graph_text(g, o->name)), i));
    must(holds(dc_graph_by_clean_name(g, dc_graph_text(g, o->name)), i));
    for (uint32_t k = 0; k < o->originals.n; k++)
        must(holds(dc_graph_by_original(g, dc_graph_text(g, g->text[o->originals.first + k])), i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dc_graph *g;
    if (dc_graph_parse(&g, data, size, "fuzz") != DC_OK)
        return 0;
    check_tensors(g);
    for (uint32_t i = 0; i < g->nop; i++)
        check_op(g, i);
    dc_graph_free(g);
    return 0;
}
