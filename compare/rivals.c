/* compare/rivals.c - see rivals.h */
#include "compare/rivals.h"

#include "io/cmp.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

#define NO_SHAPE "?"

/* A claim travels as output, then clean, name and shape with their NULs. */
static dc_status write_claim(dc_buf *out, const dc_rival *c, const dc_pool *pool)
{
    const char *shape = c->shape == DC_NO_STR ? NO_SHAPE : dc_pool_text(pool, c->shape);
    const char *text[3] = {dc_pool_text(pool, c->clean), dc_pool_text(pool, c->name), shape};
    dc_status st = dc_buf_add(out, &c->output, sizeof c->output);
    for (int i = 0; st == DC_OK && i < 3; i++)
        st = dc_buf_add(out, text[i], strlen(text[i]) + 1);
    return st;
}

static dc_status read_claims(dc_rivals *r, const char *data, uint64_t end)
{
    size_t cap = r->n;
    dc_status st = DC_OK;
    for (uint64_t at = 0; st == DC_OK && at < end; r->n += st == DC_OK) {
        if ((st = dc_grow((void **)&r->rival, &cap, r->n, 1, sizeof *r->rival)) != DC_OK)
            break;
        dc_rival *c = &r->rival[r->n];
        dc_take(&c->output, sizeof c->output, data, &at, end);
        uint32_t *id[2] = {&c->clean, &c->name};
        for (int i = 0; st == DC_OK && i < 2; i++)
            st = dc_pool_adds(id[i], r->pool, dc_take_text(data, &at, end));
        const char *shape = dc_take_text(data, &at, end);
        c->shape = DC_NO_STR;
        if (st == DC_OK && strcmp(shape, NO_SHAPE) != 0)
            st = dc_pool_adds(&c->shape, r->pool, shape);
    }
    return st;
}

static int compare_texts(const dc_pool *pool, uint32_t a, uint32_t b)
{
    return a == b ? 0 : strcmp(dc_pool_text(pool, a), dc_pool_text(pool, b));
}

static int compare_claims(const void *left, const void *right, void *context)
{
    const dc_rival *a = left, *b = right;
    int order = compare_texts(context, a->clean, b->clean);
    if (!order)
        order = DC_CMP(a->output, b->output);
    if (!order)
        order = compare_texts(context, a->name, b->name);
    if (!order && (a->shape == DC_NO_STR || b->shape == DC_NO_STR))
        order = (b->shape == DC_NO_STR) - (a->shape == DC_NO_STR);
    return order ? order : compare_texts(context, a->shape, b->shape);
}

/* Keep each claim once, and only those to something that another name wants too. Sorted. */
static void keep_fights(dc_rivals *r)
{
    size_t kept = 0;
    for (size_t from = 0, to; from < r->n; from = to) {
        const dc_rival first = r->rival[from];
        bool fight = false;
        for (to = from;
             to < r->n && r->rival[to].clean == first.clean && r->rival[to].output == first.output;
             to++)
            fight = fight || r->rival[to].name != first.name;
        for (size_t i = from; fight && i < to; i++)
            if (i == from || memcmp(&r->rival[i], &r->rival[i - 1], sizeof *r->rival) != 0)
                r->rival[kept++] = r->rival[i];
    }
    r->n = kept;
}

static dc_status begin(dc_rivals *r)
{
    *r = (dc_rivals){0};
    return dc_pool_new(&r->pool);
}

static dc_status add_claims(dc_route *route, const dc_rival *claim, size_t n, const dc_pool *pool,
                            const dc_par *par)
{
    dc_status st = DC_OK;
    dc_buf b = {0};
    for (size_t i = 0; st == DC_OK && i < n; i++, b.n = 0) {
        const char *clean = dc_pool_text(pool, claim[i].clean);
        st = write_claim(&b, &claim[i], pool);
        if (st == DC_OK)
            st = dc_route_add(route, dc_route_owner(clean, strlen(clean), par), b.data, b.n);
    }
    dc_buf_free(&b);
    return st;
}

/* The fights this process owns, written for everybody. */
static dc_status find_fights(dc_buf *out, const dc_arrived *in)
{
    dc_rivals mine;
    dc_status st = begin(&mine);
    if (st == DC_OK)
        st = read_claims(&mine, in->data, in->total);
    if (st == DC_OK && mine.n) {
        qsort_r(mine.rival, mine.n, sizeof *mine.rival, compare_claims, mine.pool);
        keep_fights(&mine);
    }
    for (size_t i = 0; st == DC_OK && i < mine.n; i++)
        st = write_claim(out, &mine.rival[i], mine.pool);
    dc_rivals_fini(&mine);
    return st;
}

dc_status dc_rivals_find(dc_rivals *out, const dc_rival *claim, size_t n, const dc_pool *pool,
                         dc_status local, const dc_par *par)
{
    dc_route route = {0};
    dc_arrived in = {0};
    dc_buf fights = {0};
    char *all = NULL;
    uint64_t total = 0;
    dc_status st = local == DC_OK ? begin(out) : local;
    if (st == DC_OK)
        st = dc_route_begin(&route, par);
    if (st == DC_OK)
        st = add_claims(&route, claim, n, pool, par);
    if ((st = dc_route_send(&in, &route, st, par)) == DC_OK) {
        st = dc_par_agree(find_fights(&fights, &in), par);
        if (st == DC_OK)
            st = dc_par_allgather(&all, &total, NULL, fights.data, fights.n, par);
        if (st == DC_OK)
            st = read_claims(out, all, total);
        st = dc_par_agree(st, par);
    }
    if (st == DC_OK && out->n)
        qsort_r(out->rival, out->n, sizeof *out->rival, compare_claims, out->pool);
    free(all);
    dc_buf_free(&fights);
    dc_arrived_free(&in);
    if (st != DC_OK && local == DC_OK)
        dc_rivals_fini(out);
    return st;
}

void dc_rivals_fini(dc_rivals *r)
{
    dc_pool_free(r->pool);
    free(r->rival);
    *r = (dc_rivals){0};
}

typedef struct key {
    const dc_rivals *r;
    const char *clean;
    uint32_t output;
} key;

static int compare_key(const void *context, size_t i)
{
    const key *k = context;
    const dc_rival *c = &k->r->rival[i];
    int order = strcmp(dc_pool_text(k->r->pool, c->clean), k->clean);
    if (order)
        return order;
    return DC_CMP(c->output, k->output);
}

size_t dc_rivals_of(size_t *first, const dc_rivals *r, const char *clean, uint32_t output)
{
    const key k = {r, clean, output};
    return dc_equal_range(first, r->n, compare_key, &k);
}
