/* io/graph_index.c - finishing a graph: look-ups by text, producers of inputs, callers of
 * sub-graphs. */
#include "io/graph_build.h"

#include <stdlib.h>
#include <string.h>

/* Says to `put` every text under which operator `op` is found; twice the same is harmless. */
typedef void (*each_key)(const dc_graph *g, uint32_t op, void (*put)(void *, uint32_t), void *ctx);

static void key_name(const dc_graph *g, uint32_t op, void (*put)(void *, uint32_t), void *ctx)
{
    put(ctx, g->op[op].name);
}

static void key_clean(const dc_graph *g, uint32_t op, void (*put)(void *, uint32_t), void *ctx)
{
    put(ctx, g->op[op].clean);
}

static void key_original(const dc_graph *g, uint32_t op, void (*put)(void *, uint32_t), void *ctx)
{
    const dc_gop *o = &g->op[op];
    if (o->original_state == DC_ORIGINALS_ABSENT)
        put(ctx, o->name);
    for (uint32_t i = 0; i < o->originals.n; i++)
        put(ctx, g->text[o->originals.first + i]);
    for (uint32_t i = 0; i < o->out.n; i++) {
        uint32_t name = g->tensor[o->out.first + i].origin_name;
        if (name != DC_NO_STR && name != 0)
            put(ctx, name);
    }
}

struct filling {
    uint32_t *first; /* counting: entries of id at first[id+1]; filling: where the next one goes */
    uint32_t *op;    /* NULL while counting */
    uint32_t *last;  /* per id: the operator put last, plus 1 */
    uint32_t current;
    uint64_t total;
};

static void put(void *ctx, uint32_t id)
{
    struct filling *f = ctx;
    if (f->last[id] == f->current + 1)
        return;
    f->last[id] = f->current + 1;
    if (f->op)
        f->op[f->first[id]++] = f->current;
    else
        f->first[id + 1]++;
    f->total++;
}

static void visit(const dc_graph *g, each_key keys, struct filling *f)
{
    memset(f->last, 0, sizeof *f->last * dc_pool_count(g->pool));
    for (f->current = 0; f->current < g->nop; f->current++)
        keys(g, f->current, put, f);
}

/* A counting sort of (text, operator) pairs by text. */
static dc_status build_index(dc_gindex *x, const dc_graph *g, each_key keys)
{
    uint32_t ids = dc_pool_count(g->pool);
    struct filling f = {.first = calloc((size_t)ids + 1, sizeof *f.first),
                        .last = malloc(sizeof *f.last * ids)};
    x->first = f.first;
    if (!f.first || !f.last) {
        free(f.last);
        return dc_fail_memory();
    }
    visit(g, keys, &f);
    dc_status st = DC_OK;
    if (f.total >= UINT32_MAX)
        st = dc_fail(DC_EUNSUP, "%s: more than 2^32 names in one graph", g->path);
    else if (!(x->op = f.op = malloc(sizeof *f.op * (f.total + 1))))
        st = dc_fail_memory();
    if (st == DC_OK) {
        for (uint32_t i = 0; i < ids; i++)
            f.first[i + 1] += f.first[i];
        visit(g, keys, &f); /* leaves first[id] where first[id+1] was */
        memmove(f.first + 1, f.first, sizeof *f.first * ids);
        f.first[0] = 0;
        x->ids = ids;
    }
    free(f.last);
    return st;
}

static dc_gfound found(const dc_gindex *x, uint32_t id)
{
    if (id >= x->ids)
        return (dc_gfound){NULL, 0};
    return (dc_gfound){x->op + x->first[id], x->first[id + 1] - x->first[id]};
}

/* The operator of that name in a sub-graph: the matches are sorted, so those of one sub-graph are
 * neighbours. */
static uint32_t find_in_sub(const dc_graph *g, uint32_t name, const dc_gsub *sub)
{
    dc_gfound all = found(&g->by_name, name);
    size_t low = 0, high = all.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (all.op[mid] < sub->ops.first)
            low = mid + 1;
        else
            high = mid;
    }
    bool hit = low < all.n && all.op[low] - sub->ops.first < sub->ops.n;
    return hit ? all.op[low] : DC_NO_OP;
}

static void resolve_producers(dc_graph *g)
{
    for (uint32_t i = 0; i < g->nop; i++) {
        const dc_gop *o = &g->op[i];
        for (uint32_t k = 0; k < o->in.n; k++) {
            dc_gedge *e = &g->edge[o->in.first + k];
            e->producer = find_in_sub(g, e->name, &g->sub[o->sub]);
        }
    }
}

static dc_status resolve_calls(dc_gbuild *b)
{
    dc_graph *g = b->g;
    uint32_t ids = dc_pool_count(g->pool);
    uint32_t *sub_of = malloc(sizeof *sub_of * ids);
    if (!sub_of)
        return dc_fail_memory();
    memset(sub_of, 0xff, sizeof *sub_of * ids);
    for (uint32_t s = g->nsub; s-- > 0;)
        sub_of[g->sub[s].name] = s;
    for (size_t i = 0; i < b->ncall; i++) {
        uint32_t s = sub_of[b->call[i].name];
        if (s < g->nsub && b->call[i].op < g->nop)
            g->sub[s].parent = b->call[i].op;
    }
    free(sub_of);
    return DC_OK;
}

/* Give spare memory back; that failing is no failure. */
static void trim(void **items, size_t n, size_t size)
{
    void *exact = n ? realloc(*items, n * size) : NULL;
    if (exact)
        *items = exact;
}

dc_status dc_gbuild_finish(dc_gbuild *b)
{
    dc_graph *g = b->g;
    trim((void **)&g->op, g->nop, sizeof *g->op);
    trim((void **)&g->edge, g->nedge, sizeof *g->edge);
    trim((void **)&g->tensor, g->ntensor, sizeof *g->tensor);
    trim((void **)&g->dim, g->ndim, sizeof *g->dim);
    trim((void **)&g->text, g->ntext, sizeof *g->text);
    dc_status st = build_index(&g->by_name, g, key_name);
    if (st == DC_OK)
        st = build_index(&g->by_clean, g, key_clean);
    if (st == DC_OK)
        st = build_index(&g->by_original, g, key_original);
    if (st != DC_OK)
        return st;
    resolve_producers(g);
    return resolve_calls(b);
}

dc_gfound dc_graph_by_name(const dc_graph *g, const char *name)
{
    return found(&g->by_name, dc_pool_find(g->pool, name));
}

dc_gfound dc_graph_by_original(const dc_graph *g, const char *original)
{
    return found(&g->by_original, dc_pool_find(g->pool, original));
}

dc_gfound dc_graph_by_clean_name(const dc_graph *g, const char *name)
{
    char *clean = strdup(name);
    if (!clean)
        return (dc_gfound){NULL, 0};
    dc_graph_clean(clean);
    dc_gfound all = found(&g->by_clean, dc_pool_find(g->pool, clean));
    free(clean);
    return all;
}
