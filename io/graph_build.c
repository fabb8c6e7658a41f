/* io/graph_build.c - see graph_build.h */
#include "io/graph_build.h"

#include <stdlib.h>
#include <string.h>

/* Room for `more` items in one of the graph's arrays, whose counts have 32 bits. */
static dc_status room(dc_gbuild *b, void **items, size_t *cap, size_t size, uint64_t n)
{
    if (n >= UINT32_MAX)
        return dc_fail(DC_EUNSUP, "%s: more than 2^32 entries in one graph", b->g->path);
    return n > *cap ? dc_grow(items, cap, *cap, (size_t)n - *cap, size) : DC_OK;
}

dc_status dc_gbuild_dims(dc_gbuild *b, dc_grange *out, const int64_t *dim, size_t n)
{
    dc_graph *g = b->g;
    dc_status st = room(b, (void **)&g->dim, &b->cap_dim, sizeof *g->dim, (uint64_t)g->ndim + n);
    if (st != DC_OK)
        return st;
    *out = (dc_grange){g->ndim, (uint32_t)n};
    if (n)
        memcpy(g->dim + g->ndim, dim, n * sizeof *dim);
    g->ndim += (uint32_t)n;
    return DC_OK;
}

dc_status dc_gbuild_sub(dc_gbuild *b)
{
    dc_graph *g = b->g;
    dc_status st = room(b, (void **)&g->sub, &b->cap_sub, sizeof *g->sub, (uint64_t)g->nsub + 1);
    if (st == DC_OK)
        g->sub[g->nsub++] = (dc_gsub){.ops = {g->nop, 0}, .parent = DC_NO_OP};
    return st;
}

void dc_gbuild_op(dc_gbuild *b)
{
    b->op = (dc_gop){
        .l1_fusion = DC_NO_STR, .group = DC_NO_STR, .parent_index = -1, .sub = b->g->nsub - 1};
    b->op.in.first = b->g->nedge;
    b->slot = 0;
    b->in.n = b->out.n = 0;
}

dc_status dc_gbuild_input(dc_gbuild *b, const char *text)
{
    dc_graph *g = b->g;
    const char *colon = strrchr(text, ':');
    if (colon && strcmp(colon, ":-1") == 0)
        return DC_OK; /* a control edge */
    uint32_t slot = b->slot++;
    if (!*text)
        return DC_OK;
    unsigned long long output = 0;
    size_t n = strlen(text);
    if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        output = strtoull(colon + 1, NULL, 10);
        n = (size_t)(colon - text);
    }
    if (output >= UINT32_MAX)
        return dc_pbtext_fail(b->p, "input \"%.200s\" names an impossible output", text);
    dc_status st =
        room(b, (void **)&g->edge, &b->cap_edge, sizeof *g->edge, (uint64_t)g->nedge + 1);
    if (st != DC_OK)
        return st;
    dc_gedge *e = &g->edge[g->nedge];
    *e = (dc_gedge){.producer = DC_NO_OP, .output = (uint32_t)output, .slot = slot};
    st = dc_pool_add(&e->name, g->pool, text, n);
    if (st == DC_OK) {
        g->nedge++;
        b->op.in.n++;
    }
    return st;
}

dc_status dc_gbuild_call(dc_gbuild *b, const char *sub)
{
    dc_status st = dc_grow((void **)&b->call, &b->cap_call, b->ncall, 1, sizeof *b->call);
    if (st != DC_OK)
        return st;
    dc_gcall *c = &b->call[b->ncall];
    c->op = b->g->nop;
    st = dc_pool_adds(&c->name, b->g->pool, sub);
    b->ncall += st == DC_OK;
    return st;
}

dc_status dc_gbuild_desc(dc_gtensor **t, dc_gdescs *descs)
{
    dc_status st = dc_grow((void **)&descs->t, &descs->cap, descs->n, 1, sizeof *descs->t);
    if (st != DC_OK)
        return st;
    *t = &descs->t[descs->n++];
    **t = (dc_gtensor){.format = -1,
                       .origin_format = -1,
                       .origin_dtype = -1,
                       .dump_format = -1,
                       .dump_dtype = -1,
                       .origin_name = DC_NO_STR,
                       .origin_index = -1,
                       .fusion_name = DC_NO_STR,
                       .fusion_index = -1,
                       .ref = DC_NO_STR,
                       .layout = DC_NO_STR};
    return DC_OK;
}

void dc_graph_clean(char *name)
{
    for (char *c = name; *(c += strcspn(c, " ./\\"));)
        *c = '_';
}

static dc_status clean_name(uint32_t *id, dc_gbuild *b, uint32_t name)
{
    const char *text = dc_graph_text(b->g, name);
    b->clean.n = 0;
    dc_status st = dc_buf_add(&b->clean, text, strlen(text) + 1);
    if (st != DC_OK)
        return st;
    dc_graph_clean(b->clean.data);
    return dc_pool_adds(id, b->g->pool, b->clean.data);
}

static dc_status add_descs(dc_gbuild *b, dc_grange *out, const dc_gdescs *descs)
{
    dc_graph *g = b->g;
    *out = (dc_grange){g->ntensor, (uint32_t)descs->n};
    dc_status st = room(b, (void **)&g->tensor, &b->cap_tensor, sizeof *g->tensor,
                        (uint64_t)g->ntensor + descs->n);
    if (st != DC_OK)
        return st;
    for (size_t i = 0; i < descs->n; i++) {
        dc_gtensor *t = &g->tensor[g->ntensor++];
        *t = descs->t[i];
        if (!t->has_shape && t->has_origin_shape && t->origin_shape.n == 0)
            t->has_shape = true; /* the JSON of a scalar has no "shape" */
    }
    return DC_OK;
}

dc_status dc_gbuild_end_op(dc_gbuild *b)
{
    dc_graph *g = b->g;
    if (b->op.name == 0)
        return dc_pbtext_fail(b->p, "an operator has no name");
    dc_status st = clean_name(&b->op.clean, b, b->op.name);
    if (st == DC_OK)
        st = add_descs(b, &b->op.in_desc, &b->in);
    if (st == DC_OK)
        st = add_descs(b, &b->op.out, &b->out);
    if (st == DC_OK)
        st = room(b, (void **)&g->op, &b->cap_op, sizeof *g->op, (uint64_t)g->nop + 1);
    if (st != DC_OK)
        return st;
    g->op[g->nop++] = b->op;
    g->sub[g->nsub - 1].ops.n++;
    return DC_OK;
}

dc_status dc_gbuild_message(dc_gbuild *b, dc_gfield field, void *ctx)
{
    dc_pbfield f;
    dc_status st = dc_pbtext_enter(b->p);
    if (st == DC_OK)
        st = dc_pbtext_next(&f, b->p);
    while (st == DC_OK && f.kind != DC_PB_END) {
        st = field(b, &f, ctx);
        if (st == DC_OK)
            st = dc_pbtext_next(&f, b->p);
    }
    return st;
}

dc_status dc_gbuild_text(dc_gbuild *b, uint32_t *id)
{
    const char *text;
    size_t n;
    dc_status st = dc_pbtext_text(&text, &n, b->p);
    return st == DC_OK ? dc_pool_add(id, b->g->pool, text, n) : st;
}

dc_status dc_gbuild_text_into(dc_gbuild *b, dc_buf *out)
{
    const char *text;
    size_t n;
    dc_status st = dc_pbtext_text(&text, &n, b->p);
    return st == DC_OK ? dc_buf_add(out, text, n + 1) : st;
}

dc_status dc_gbuild_int_into(dc_gbuild *b)
{
    int64_t i;
    dc_gvalue *v = &b->value;
    dc_status st = dc_pbtext_int(&i, b->p);
    if (st == DC_OK)
        st = dc_grow((void **)&v->ints, &v->cap_ints, v->nints, 1, sizeof *v->ints);
    if (st == DC_OK)
        v->ints[v->nints++] = i;
    return st;
}

dc_status dc_gbuild_edge(dc_gbuild *b, dc_status (*add)(dc_gbuild *, const char *))
{
    const char *text;
    size_t n;
    dc_status st = dc_pbtext_text(&text, &n, b->p);
    return st == DC_OK ? add(b, text) : st;
}

void dc_gbuild_fini(dc_gbuild *b)
{
    free(b->in.t);
    free(b->out.t);
    dc_buf_free(&b->value.text);
    dc_buf_free(&b->value.texts);
    free(b->value.ints);
    dc_buf_free(&b->clean);
    free(b->call);
}
