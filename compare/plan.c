/* compare/plan.c - see plan.h */
#include "compare/plan.h"

#include "io/mem.h"
#include "mpi/share.h"

#include <stdlib.h>

/* A group: wants first .. first+n-1 of one golden, all whole or all in blocks. Units are what is
 * dealt: one for a whole group, one for each block of another. */
typedef struct group {
    size_t first, n;
    size_t unit; /* its first */
    uint64_t units;
    bool whole;
} group;

typedef struct plan {
    dc_want *want;
    group *group;
    size_t groups, units;
    uint64_t *cost;
    int32_t *owner;
    uint64_t block, limit;
} plan;

static uint64_t block_of(const plan *p, const dc_want *w)
{
    return w->block ? w->block : p->block;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return dc_add_u64(&a, a, b) ? a : UINT64_MAX;
}

static bool is_whole(const plan *p, const dc_want *w)
{
    return add(w->bytes[0], w->bytes[1]) <= p->limit;
}

static int by_golden(const void *a, const void *b)
{
    const dc_want *x = a, *y = b;
    if (x->golden != y->golden)
        return x->golden < y->golden ? -1 : 1;
    if (x->elements != y->elements)
        return x->elements < y->elements ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_row(const void *a, const void *b)
{
    const dc_leg *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Wants of one golden differ in the NPU's bytes: first the whole ones, then the others. */
static void part_by_size(plan *p, size_t first, size_t n, dc_want *spare)
{
    size_t small = 0, large = 0;
    for (size_t i = 0; i < n; i++)
        if (is_whole(p, &p->want[first + i]))
            p->want[first + small++] = p->want[first + i];
        else
            spare[large++] = p->want[first + i];
    for (size_t i = 0; i < large; i++)
        p->want[first + small + i] = spare[i];
    const size_t count[2] = {small, large};
    for (int k = 0; k < 2; k++) {
        if (count[k] == 0)
            continue;
        group *g = &p->group[p->groups++];
        *g = (group){.first = first + (k ? small : 0), .n = count[k], .whole = k == 0};
        g->unit = p->units;
        g->units =
            k == 0 ? 1
                   : dc_share_chunks(p->want[g->first].elements, block_of(p, &p->want[g->first]));
        p->units += g->units;
    }
}

static dc_status make_groups(plan *p, size_t n)
{
    p->group = malloc((n + 1) * sizeof *p->group); /* one want is in one group */
    dc_want *spare = malloc((n + 1) * sizeof *spare);
    dc_status st = p->group && spare ? DC_OK : dc_fail_memory();
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        for (end = i + 1; end < n && p->want[end].golden == p->want[i].golden &&
                          p->want[end].elements == p->want[i].elements &&
                          p->want[end].block == p->want[i].block;)
            end++;
        part_by_size(p, i, end - i, spare);
    }
    free(spare);
    return st;
}

static dc_status deal(plan *p, int processes)
{
    p->cost = calloc(p->units + 1, sizeof *p->cost);
    p->owner = calloc(p->units + 1, sizeof *p->owner);
    if (!p->cost || !p->owner)
        return dc_fail_memory();
    for (size_t i = 0; i < p->groups; i++) {
        const group *g = &p->group[i];
        uint64_t bytes = p->want[g->first].bytes[1];
        for (size_t k = 0; k < g->n; k++)
            bytes = add(bytes, add(p->want[g->first + k].bytes[0], DC_PLAN_ITEM));
        for (uint64_t u = 0; u < g->units; u++)
            p->cost[g->unit + u] = bytes / g->units + 1;
    }
    return dc_share_deal(p->owner, p->cost, p->units, processes);
}

static dc_status give_legs(dc_leg **leg, size_t *n, const plan *p, const dc_plan_ask *ask)
{
    size_t cap = 0;
    for (size_t i = 0; i < p->groups; i++) {
        const group *g = &p->group[i];
        for (size_t k = 0; k < g->n * g->units; k++) {
            const dc_want *w = &p->want[g->first + k / g->units];
            uint64_t unit = k % g->units, block = block_of(p, w), first = unit * block;
            if (w->row < ask->first_row || w->row >= ask->end_row)
                continue;
            dc_status st = dc_grow((void **)leg, &cap, *n, 1, sizeof **leg);
            if (st != DC_OK)
                return st;
            dc_leg *l = &(*leg)[(*n)++];
            *l = (dc_leg){.row = w->row, .first = first, .whole = g->whole};
            l->streamed = w->streamed && !g->whole;
            l->owner = p->owner[g->unit + unit];
            l->n = g->whole || w->elements - first < block ? w->elements - first : block;
        }
    }
    if (*n)
        qsort(*leg, *n, sizeof **leg, by_row);
    return DC_OK;
}

dc_status dc_plan_make(dc_leg **leg, size_t *n, const dc_plan_ask *ask)
{
    plan p = {.block = ask->block ? ask->block : DC_PLAN_BLOCK,
              .want = ask->want,
              .limit = ask->whole ? ask->whole : DC_PLAN_WHOLE};
    *leg = NULL;
    *n = 0;
    if (ask->n)
        qsort(ask->want, ask->n, sizeof *ask->want, by_golden);
    dc_status st = make_groups(&p, ask->n);
    if (st == DC_OK)
        st = deal(&p, ask->processes);
    if (st == DC_OK)
        st = give_legs(leg, n, &p, ask);
    if (st != DC_OK) {
        free(*leg);
        *leg = NULL;
        *n = 0;
    }
    free(p.group);
    free(p.cost);
    free(p.owner);
    return st;
}
