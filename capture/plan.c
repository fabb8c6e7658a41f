/* capture/plan.c - see plan.h */
#include "capture/plan.h"

#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

#define TENSOR_COST                                                                                \
    ((uint64_t)32                                                                                  \
     << 10) /* bytes that could be moved in the time a tensor costs apart from its bytes */

/* The state that runs through all rows in order, process after process. */
typedef struct cursor {
    uint64_t slab[256];        /* bytes used of each slab */
    uint64_t touched[256];     /* group + 1 that last put a tensor there */
    uint64_t group;            /* index of the open group; groups before it are closed */
    uint64_t tensors, bytes;   /* in the open group */
    uint64_t cost, group_cost; /* before the next row; before the open group */
} cursor;

static uint64_t cost_of(const dc_tensor *t)
{
    return t->bytes + TENSOR_COST;
}

static void place_bytes(cursor *c, dc_tensor *t, uint64_t align)
{
    uint64_t *slab = &c->slab[t->dtype];
    if (c->touched[t->dtype] != c->group + 1)
        *slab = dc_round_up(*slab, align);
    c->touched[t->dtype] = c->group + 1;
    *slab = dc_round_up(*slab, DC_STORE_ALIGN_TENSOR);
    t->slab_offset = *slab / dc_store_element(t->dtype);
    *slab += t->bytes;
}

/* Put one tensor; returns its group. */
static uint64_t place(cursor *c, dc_tensor *t, uint64_t align)
{
    bool full =
        c->tensors == DC_GROUP_TENSORS || (c->tensors && c->bytes + t->bytes > DC_GROUP_BYTES);
    if (full) {
        c->group++;
        c->tensors = c->bytes = 0;
    }
    if (c->tensors == 0)
        c->group_cost = c->cost;
    if (t->flags & DC_TENSOR_STATISTICS)
        t->slab_offset = 0;
    else
        place_bytes(c, t, align);
    c->tensors++;
    c->bytes += t->bytes;
    c->cost += cost_of(t);
    return c->group;
}

/* The process that writes a group which starts after `before` of `total` cost. */
static int owner(uint64_t before, uint64_t total, int processes)
{
    __extension__ typedef unsigned __int128 wide;
    return (int)((wide)before * (wide)processes / (total ? total : 1));
}

typedef struct placed {
    dc_tensor tensor;
    dc_merge_from from;
    uint64_t group;
} placed;

typedef struct place_ask {
    dc_catalog *catalog;
    const dc_merge_from *from; /* [catalog->n] or NULL */
    uint64_t total, align;     /* cost of all rows; bytes */
} place_ask;

/* Place this process's rows, which are freed, and send each to its group's owner. */
static dc_status place_rows(dc_arrived *mine, cursor *c, const place_ask *ask, const dc_par *par)
{
    dc_catalog *cat = ask->catalog;
    dc_route mail = {0};
    dc_status st = dc_route_begin(&mail, par);
    dc_par_chain_receive(c, sizeof *c, par);
    for (uint64_t i = 0; st == DC_OK && i < cat->n; i++) {
        placed one = {.tensor = cat->row[i]};
        if (ask->from)
            one.from = ask->from[i];
        one.group = place(c, &one.tensor, ask->align);
        int to = owner(c->group_cost, ask->total, par->processes);
        st = dc_route_add(&mail, to, &one, sizeof one);
    }
    dc_par_chain_pass(c, sizeof *c, par);
    free(cat->row);
    cat->row = NULL;
    return dc_route_send(mine, &mail, st, par);
}

/* Split placed rows into rows and groups. */
static dc_status unpack(dc_plan *p, const dc_arrived *in, bool merging)
{
    const placed *mine = (const placed *)(const void *)in->data;
    uint64_t n = in->total / sizeof *mine;
    p->row = malloc((n + 1) * sizeof *p->row);
    p->from = merging ? malloc((n + 1) * sizeof *p->from) : NULL;
    p->group_row = malloc((n + 1) * sizeof *p->group_row);
    p->group_bytes = calloc(n + 1, sizeof *p->group_bytes);
    if (!p->row || !p->group_row || !p->group_bytes || (merging && !p->from))
        return dc_fail_memory();
    for (uint64_t i = 0; i < n; i++) {
        p->row[i] = mine[i].tensor;
        if (merging)
            p->from[i] = mine[i].from;
        if (i == 0 || mine[i].group != mine[i - 1].group)
            p->group_row[p->groups++] = i;
        p->group_bytes[p->groups - 1] += mine[i].tensor.bytes;
        p->bytes += mine[i].tensor.bytes;
    }
    p->n = n;
    return DC_OK;
}

/* The sizes that all must know: the last process that placed rows has the final cursor. */
static void share_sizes(dc_plan *p, cursor *end, const dc_catalog *cat, const dc_par *par)
{
    dc_store_plan *s = &p->store;
    dc_par_bcast(end, sizeof *end, par->processes - 1, par);
    s->rows = cat->total;
    s->groups = cat->total ? end->group + 1 : 0;
    s->skipped = cat->skipped_total;
    s->overflows = cat->overflows;
    for (int d = 0; d < 256; d++) {
        uint64_t element = dc_store_element((uint32_t)d);
        s->slab[d] = (end->slab[d] + element - 1) / element;
    }
    s->strings = dc_pool_count(cat->names);
    for (uint32_t i = 0; i < s->strings; i++)
        s->string_bytes += strlen(dc_pool_text(cat->names, i));
}

static void number(dc_plan *p, const dc_par *par)
{
    p->first_row = dc_par_before_u64(p->n, par);
    p->first_group = dc_par_before_u64(p->groups, par);
    for (uint64_t g = 0; g < p->groups; g++)
        p->group_row[g] += p->first_row;
    p->all_bytes = p->bytes;
    dc_par_sum_u64(&p->all_bytes, 1, par);
}

dc_status dc_plan_make(dc_plan *out, dc_catalog *c, const dc_merge_from *from, uint64_t align,
                       const dc_par *par)
{
    dc_plan p = {.store = {.align = align ? align : DC_PLAN_ALIGN,
                           .group_tensors = DC_GROUP_TENSORS,
                           .group_bytes = DC_GROUP_BYTES}};
    cursor *end = calloc(1, sizeof *end);
    dc_arrived mine = {0};
    uint64_t total = 0;
    for (uint64_t i = 0; i < c->n; i++)
        total += cost_of(&c->row[i]);
    dc_par_sum_u64(&total, 1, par);
    dc_status st = dc_par_agree(end ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK)
        st = place_rows(&mine, end, &(const place_ask){c, from, total, p.store.align}, par);
    if (st == DC_OK)
        st = dc_par_agree(unpack(&p, &mine, from != NULL), par);
    if (st == DC_OK) {
        share_sizes(&p, end, c, par);
        number(&p, par);
        *out = p;
    } else {
        dc_plan_fini(&p);
    }
    dc_arrived_free(&mine);
    free(end);
    return st;
}

/* The groups of share share_of[0] of share_of[1]: by cost, in order. p->store.groups is set. */
static void own_groups(dc_plan *p, const uint64_t *first_row, const uint64_t *bytes,
                       const int share_of[2])
{
    uint64_t groups = p->store.groups;
    uint64_t total = 0, before = 0;
    for (uint64_t g = 0; g < groups; g++)
        total += bytes[g] + (first_row[g + 1] - first_row[g]) * TENSOR_COST;
    p->first_group = UINT64_MAX;
    for (uint64_t g = 0; g < groups; g++) {
        if (owner(before, total, share_of[1]) == share_of[0]) {
            if (p->first_group == UINT64_MAX) {
                p->first_group = g;
                p->first_row = first_row[g];
            }
            p->group_row[p->groups] = first_row[g];
            p->group_bytes[p->groups++] = bytes[g];
            p->bytes += bytes[g];
            p->n = first_row[g + 1] - p->first_row;
        }
        p->all_bytes += bytes[g];
        before += bytes[g] + (first_row[g + 1] - first_row[g]) * TENSOR_COST;
    }
}

static dc_status load(dc_plan *p, const dc_store *s, const int share_of[2])
{
    uint64_t groups = dc_store_groups(s), *first_row = malloc((groups + 1) * sizeof *first_row);
    uint64_t *bytes = malloc((groups + 1) * sizeof *bytes);
    p->group_row = malloc((groups + 1) * sizeof *p->group_row);
    p->group_bytes = malloc((groups + 1) * sizeof *p->group_bytes);
    p->store.rows = dc_store_rows(s);
    p->store.groups = groups;
    p->store.skipped = dc_store_skipped(s);
    p->store.overflows = dc_store_overflows(s);
    dc_status st = first_row && bytes && p->group_row && p->group_bytes ? DC_OK : dc_fail_memory();
    if (st == DC_OK)
        st = dc_store_get_groups(first_row, bytes, s);
    if (st == DC_OK && (first_row[0] != 0 || first_row[groups] != dc_store_rows(s)))
        st = dc_fail(DC_EFORMAT, "%s: its groups do not cover its rows", dc_store_path(s));
    for (uint64_t g = 0; st == DC_OK && g < groups; g++)
        if (first_row[g] >= first_row[g + 1])
            st = dc_fail(DC_EFORMAT, "%s: its groups are out of order", dc_store_path(s));
    if (st == DC_OK) {
        own_groups(p, first_row, bytes, share_of);
        p->row = malloc((p->n + 1) * sizeof *p->row);
        st = p->row ? dc_store_get_rows(p->row, NULL, s, p->first_row, p->n) : dc_fail_memory();
    }
    free(bytes);
    free(first_row);
    return st;
}

dc_status dc_plan_load(dc_plan *out, const dc_store *s, int share, const dc_par *par)
{
    dc_plan p = {0};
    dc_status st = dc_par_agree(load(&p, s, (const int[2]){share, par->processes}), par);
    if (st != DC_OK)
        dc_plan_fini(&p);
    else
        *out = p;
    return st;
}

static bool same_row(const dc_tensor *a, const dc_tensor *b)
{
#define X(type, name, doc)                                                                         \
    if (a->name != b->name)                                                                        \
        return false;
    DC_TENSOR_PLAN(X)
#undef X
    return true;
}

static bool same_strings(const dc_pool *a, const dc_pool *b)
{
    bool same = dc_pool_count(a) == dc_pool_count(b);
    for (uint32_t i = 0; same && i < dc_pool_count(a); i++)
        same = strcmp(dc_pool_text(a, i), dc_pool_text(b, i)) == 0;
    return same;
}

/* This process's groups, and its rows in batches. */
static dc_status same_tables(bool *same, const dc_plan *p, const dc_store *s)
{
    uint64_t groups = dc_store_groups(s);
    uint64_t *first_row = malloc((groups + 1) * sizeof *first_row);
    uint64_t *bytes = malloc((groups + 1) * sizeof *bytes);
    dc_tensor *row = malloc(DC_GROUP_TENSORS * sizeof *row);
    dc_status st =
        first_row && bytes && row ? dc_store_get_groups(first_row, bytes, s) : dc_fail_memory();
    for (uint64_t g = 0; st == DC_OK && *same && g < p->groups; g++) {
        uint64_t first, n = dc_plan_group(&first, p, g), at = p->first_group + g;
        *same = first_row[at] == first && bytes[at] == p->group_bytes[g];
        st = dc_store_get_rows(row, NULL, s, first, n);
        for (uint64_t i = 0; st == DC_OK && *same && i < n; i++)
            *same = same_row(&row[i], &p->row[first - p->first_row + i]);
    }
    free(row);
    free(bytes);
    free(first_row);
    return st;
}

dc_status dc_plan_check(const dc_plan *p, const dc_pool *names, const dc_store *s,
                        const dc_par *par)
{
    bool same = p->store.rows == dc_store_rows(s) && p->store.groups == dc_store_groups(s) &&
                p->store.skipped == dc_store_skipped(s) && same_strings(names, dc_store_names(s));
    dc_status st = same ? same_tables(&same, p, s) : DC_OK;
    if (st == DC_OK && !same)
        st = dc_fail(DC_EARG, "%s: was begun from other stores, or with another --align",
                     dc_store_path(s));
    return dc_par_agree(st, par);
}

uint64_t dc_plan_group(uint64_t *first, const dc_plan *p, uint64_t g)
{
    *first = p->group_row[g];
    return (g + 1 < p->groups ? p->group_row[g + 1] : p->first_row + p->n) - *first;
}

void dc_plan_fini(dc_plan *p)
{
    free(p->row);
    free(p->from);
    free(p->group_row);
    free(p->group_bytes);
    *p = (dc_plan){0};
}
