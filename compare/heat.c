/* compare/heat.c - see heat.h
 *
 * Each process counts its rows of operators that fail anywhere; the counts meet everywhere, in the
 * order of processes, which is that of execution. */
#include "compare/heat.h"

#include "io/idset.h"

#include <stdlib.h>

typedef struct key {
    uint32_t model, op;
    int64_t step;
} key;

/* Cells, and the set that finds them by key. */
typedef struct counter {
    dc_idset *set;
    dc_heat_cell *cell;
    size_t n, cap;
} counter;

static dc_status counter_add(counter *c, const dc_heat_cell *what)
{
    const key k = {what->model, what->op, what->step};
    uint32_t id;
    bool added;
    dc_status st = dc_idset_add(&id, &added, c->set, &k);
    if (st == DC_OK && added)
        st = dc_grow((void **)&c->cell, &c->cap, c->n, 1, sizeof *c->cell);
    if (st != DC_OK)
        return st;
    if (added) {
        c->cell[c->n] = *what;
        c->cell[c->n].judged = c->cell[c->n].failed = 0;
        c->n++;
    }
    c->cell[id].judged += what->judged;
    c->cell[id].failed += what->failed;
    return DC_OK;
}

static void counter_fini(counter *c)
{
    dc_idset_free(c->set);
    free(c->cell);
    *c = (counter){0};
}

/* fails[id of an operator's name]: 1 if a tensor of it fails on any process. Collective. */
static dc_status mark_failing(uint64_t **fails, const dc_rows *rows, const dc_par *par)
{
    uint32_t names = dc_pool_count(rows->catalog);
    *fails = calloc((size_t)names + 1, sizeof **fails);
    dc_status st = dc_par_agree(*fails ? DC_OK : dc_fail_memory(), par);
    if (st != DC_OK || !*fails)
        return st;
    for (uint64_t i = 0; i < rows->n; i++)
        if (dc_row_failed(&rows->row[i]))
            (*fails)[rows->row[i].at.t.op] = 1;
    dc_par_max_u64(*fails, names, par);
    return DC_OK;
}

static dc_status count_mine(counter *c, const dc_rows *rows, const uint64_t *fails)
{
    dc_status st = dc_idset_new(&c->set, sizeof(key));
    for (uint64_t i = 0; st == DC_OK && i < rows->n; i++) {
        const dc_row *row = &rows->row[i];
        const dc_tensor *t = &row->at.t;
        const dc_heat_cell one = {.model = t->model,
                                  .op = t->op,
                                  .op_type = t->op_type,
                                  .step = t->step,
                                  .judged = dc_row_failed(row) || row->verdict == DC_PASS,
                                  .failed = dc_row_failed(row)};
        if (fails[t->op] && one.judged)
            st = counter_add(c, &one);
    }
    return st;
}

static int by_line(const void *a, const void *b)
{
    const dc_heat_cell *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

/* Lines are numbered as operators first appear. */
static dc_status number_lines(dc_heat *h)
{
    dc_idset *ops = NULL;
    bool added;
    dc_status st = dc_idset_new(&ops, sizeof(uint32_t[2]));
    for (size_t i = 0; st == DC_OK && i < h->n; i++) {
        const uint32_t op[2] = {h->cell[i].model, h->cell[i].op};
        st = dc_idset_add(&h->cell[i].line, &added, ops, op);
        if (st == DC_OK && added)
            h->lines++;
    }
    dc_idset_free(ops);
    if (st == DC_OK && h->n)
        qsort(h->cell, h->n, sizeof *h->cell, by_line);
    return st;
}

static dc_status merge(dc_heat *out, const dc_heat_cell *cell, size_t n)
{
    counter all = {0};
    dc_status st = dc_idset_new(&all.set, sizeof(key));
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = counter_add(&all, &cell[i]);
    if (st == DC_OK) {
        *out = (dc_heat){.cell = all.cell, .n = all.n};
        all.cell = NULL;
        st = number_lines(out);
    }
    counter_fini(&all);
    return st;
}

dc_status dc_heat_make(dc_heat *out, const dc_rows *rows, const dc_par *par)
{
    uint64_t *fails = NULL, bytes = 0;
    counter mine = {0};
    char *all = NULL;
    *out = (dc_heat){0};
    dc_status st = mark_failing(&fails, rows, par);
    if (st == DC_OK)
        st = dc_par_agree(count_mine(&mine, rows, fails), par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, (const char *)mine.cell,
                              mine.n * sizeof *mine.cell, par);
    if (st == DC_OK) {
        const dc_heat_cell *cell = (const dc_heat_cell *)(void *)all;
        st = dc_par_agree(merge(out, cell, bytes / sizeof *cell), par);
    }
    free(fails);
    free(all);
    counter_fini(&mine);
    if (st != DC_OK)
        dc_heat_fini(out);
    return st;
}

void dc_heat_fini(dc_heat *h)
{
    free(h->cell);
    *h = (dc_heat){0};
}
