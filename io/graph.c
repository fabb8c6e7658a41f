/* io/graph.c - see graph.h */
#include "io/graph.h"

#include "io/graph_build.h"

#include <stdlib.h>
#include <string.h>

/* ModelDef or ONNX's ModelProto: all its graphs. */
static dc_status read_model(dc_gbuild *b)
{
    dc_pbfield f;
    for (;;) {
        dc_status st = dc_pbtext_next(&f, b->p);
        if (st != DC_OK || f.kind == DC_PB_END)
            return st;
        if (strcmp(f.name, "graph") == 0 && f.kind == DC_PB_MESSAGE)
            st = dc_graph_read_ge_graph(b);
        if (st != DC_OK)
            return st;
    }
}

static dc_graph *new_graph(const char *path, dc_gkind kind)
{
    dc_graph *g = calloc(1, sizeof *g);
    if (!g || !(g->path = strdup(path)) || dc_pool_new(&g->pool) != DC_OK) {
        dc_graph_free(g);
        (void)dc_fail_memory();
        return NULL;
    }
    g->kind = kind;
    g->rank_groups = DC_NO_STR;
    return g;
}

static dc_status build(dc_graph **out, dc_pbtext *p, const char *path)
{
    dc_graph *g = new_graph(path, dc_pbtext_is_json(p) ? DC_GRAPH_ATC : DC_GRAPH_GE);
    if (!g)
        return DC_ENOMEM;
    dc_gbuild b = {.p = p, .g = g};
    dc_status st = read_model(&b);
    if (st == DC_OK && g->nop == 0)
        st = dc_fail(DC_EFORMAT, "%s: holds no graph of operators", path);
    if (st == DC_OK)
        st = dc_gbuild_finish(&b);
    dc_gbuild_fini(&b);
    if (st != DC_OK) {
        dc_graph_free(g);
        return st;
    }
    *out = g;
    return DC_OK;
}

dc_status dc_graph_load(dc_graph **out, const char *path)
{
    dc_pbtext *p;
    dc_status st = dc_pbtext_open(&p, path);
    if (st != DC_OK)
        return st;
    st = build(out, p, path);
    dc_pbtext_close(p);
    return st;
}

dc_status dc_graph_parse(dc_graph **out, const void *data, size_t n, const char *path)
{
    dc_pbtext *p;
    dc_status st = dc_pbtext_open_memory(&p, data, n, path);
    if (st != DC_OK)
        return st;
    st = build(out, p, path);
    dc_pbtext_close(p);
    return st;
}

static void free_index(dc_gindex *x)
{
    free(x->first);
    free(x->op);
}

void dc_graph_free(dc_graph *g)
{
    if (!g)
        return;
    free(g->path);
    dc_pool_free(g->pool);
    free(g->sub);
    free(g->op);
    free(g->edge);
    free(g->tensor);
    free(g->dim);
    free(g->text);
    free_index(&g->by_name);
    free_index(&g->by_clean);
    free_index(&g->by_original);
    free(g);
}

static bool shape_of(dc_shape *out, const dc_graph *g, dc_grange r)
{
    if (r.n > DC_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < r.n; i++)
        if (g->dim[r.first + i] < 0)
            return false;
    *out = (dc_shape){.rank = r.n};
    for (uint32_t i = 0; i < r.n; i++)
        out->dim[i] = (uint64_t)g->dim[r.first + i];
    return true;
}

bool dc_graph_shape(dc_shape *out, const dc_graph *g, const dc_gtensor *t)
{
    return t->has_shape && shape_of(out, g, t->shape);
}

bool dc_graph_origin_shape(dc_shape *out, const dc_graph *g, const dc_gtensor *t)
{
    return t->has_origin_shape && shape_of(out, g, t->origin_shape);
}
