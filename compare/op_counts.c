/* compare/op_counts.c - see op_counts.h */
#include "compare/op_counts.h"

#include <stdlib.h>

/* A process's first and last operator. */
typedef struct edge {
    uint64_t rows;
    uint64_t single; /* they are the same */
    dc_tensor first, last;
    dc_op_counts head, tail;
} edge;

static bool same_op(const dc_tensor *a, const dc_tensor *b)
{
    return a->rank == b->rank && a->run == b->run && a->model == b->model && a->step == b->step &&
           a->op == b->op;
}

static void grow(uint32_t *n, uint32_t to)
{
    *n = *n < to ? to : *n;
}

/* A count that has number i; a damaged store may say anything. */
static uint32_t behind(uint32_t i)
{
    return i < UINT32_MAX ? i + 1 : i;
}

static void merge(dc_op_counts *into, const dc_op_counts *more)
{
    grow(&into->inputs, more->inputs);
    grow(&into->outputs, more->outputs);
    grow(&into->runs, more->runs);
}

/* The operator that begins at row `from`; returns the first row behind it. */
static uint64_t count(dc_op_counts *out, const dc_catalog *c, uint64_t from)
{
    uint64_t i = from;
    *out = (dc_op_counts){0};
    for (; i < c->n && same_op(&c->row[i], &c->row[from]); i++) {
        const dc_tensor *t = &c->row[i];
        if (t->direction == DC_INPUT)
            grow(&out->inputs, behind(t->slot));
        else if (t->direction == DC_OUTPUT)
            grow(&out->outputs, behind(t->slot));
        grow(&out->runs, behind(t->occurrence));
    }
    return i;
}

static edge edge_of(const dc_catalog *c)
{
    edge e = {.rows = c->n};
    uint64_t last = c->n;
    if (c->n == 0)
        return e;
    while (last > 0 && same_op(&c->row[last - 1], &c->row[c->n - 1]))
        last--;
    e.single = last == 0;
    e.first = c->row[0];
    e.last = c->row[c->n - 1];
    count(&e.head, c, 0);
    count(&e.tail, c, last);
    return e;
}

/* What processes before this one have of its first operator, and those after it of its last. */
static void look_around(dc_op_walk *w, const edge *all, const dc_par *par)
{
    const edge *mine = &all[par->process];
    bool on = true;
    for (int p = par->process - 1; on && p >= 0; p--) {
        if (!all[p].rows)
            continue;
        on = same_op(&all[p].last, &mine->first);
        if (on)
            merge(&w->before, &all[p].tail);
        on = on && all[p].single;
    }
    on = true;
    for (int p = par->process + 1; on && p < par->processes; p++) {
        if (!all[p].rows)
            continue;
        on = same_op(&all[p].first, &mine->last);
        if (on)
            merge(&w->after, &all[p].head);
        on = on && all[p].single;
    }
}

dc_status dc_op_walk_begin(dc_op_walk *out, const dc_catalog *c, dc_status local, const dc_par *par)
{
    char *all = NULL;
    uint64_t total;
    *out = (dc_op_walk){.catalog = c};
    dc_status st = dc_par_agree(local, par);
    if (st != DC_OK)
        return st;
    const edge mine = edge_of(c);
    st = dc_par_allgather(&all, &total, NULL, &mine, sizeof mine, par);
    if (st == DC_OK && c->n)
        look_around(out, (const edge *)(const void *)all, par);
    free(all);
    return st;
}

const dc_op_counts *dc_op_walk_at(dc_op_walk *w, uint64_t i)
{
    const dc_tensor *row = w->catalog->row;
    if (w->from <= i && i < w->end)
        return &w->now;
    w->from = i;
    while (w->from > 0 && same_op(&row[w->from - 1], &row[i]))
        w->from--;
    w->end = count(&w->now, w->catalog, w->from);
    if (w->from == 0)
        merge(&w->now, &w->before);
    if (w->end == w->catalog->n)
        merge(&w->now, &w->after);
    return &w->now;
}
