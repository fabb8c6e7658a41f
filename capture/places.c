/* capture/places.c - see places.h */
#include "capture/places.h"

#include "io/cmp.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_RUNS 8 /* lines about runs, and about odd steps */
#define MOST_ODD  4

static bool same_place(const dc_place *a, const dc_place *b)
{
    return a->rank == b->rank && a->run == b->run && a->model == b->model && a->step == b->step;
}

/* Add to the last place if it is the same one. */
static dc_status count(dc_buf *places, const dc_place *more)
{
    dc_place *last = places->n ? (dc_place *)(void *)(places->data + places->n) - 1 : NULL;
    if (!last || !same_place(last, more))
        return dc_buf_add(places, more, sizeof *more);
    last->tensors += more->tensors;
    last->bytes += more->bytes;
    return DC_OK;
}

dc_status dc_places_gather(dc_places *out, const dc_tensor *row, uint64_t n, const dc_par *par)
{
    dc_buf mine = {0}, joined = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    dc_status st = DC_OK;
    *out = (dc_places){0};
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        st = count(&mine, &(dc_place){row[i].rank, row[i].run, row[i].model, row[i].step, 1,
                                      row[i].bytes});
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, mine.data, mine.n, par);
    const dc_place *part = (const dc_place *)(const void *)all;
    for (uint64_t i = 0; st == DC_OK && par->process == 0 && i < bytes / sizeof *part; i++)
        st = count(&joined, &part[i]);
    free(all);
    dc_buf_free(&mine);
    st = dc_par_agree(st, par);
    if (st != DC_OK) {
        dc_buf_free(&joined);
        return st;
    }
    *out = (dc_places){(dc_place *)(void *)joined.data, joined.n / sizeof *out->item};
    return DC_OK;
}

void dc_places_fini(dc_places *p)
{
    free(p->item);
    *p = (dc_places){0};
}

static const char *model_text(const dc_place *p, const dc_pool *names)
{
    const char *model = dc_pool_text(names, p->model);
    return *model ? model : "-";
}

void dc_places_print(const dc_places *p, const dc_pool *names)
{
    for (size_t i = 0; i < p->n; i++)
        printf("rank %d run %d model %s step %lld: %" PRIu64 " %s, %.3f MB\n", p->item[i].rank,
               p->item[i].run, model_text(&p->item[i], names), (long long)p->item[i].step,
               p->item[i].tensors, dc_word(p->item[i].tensors, "tensor", "tensors"),
               (double)p->item[i].bytes / 1e6);
}

/* By run, model, tensors: equal runs and models together, their median in the middle. */
static int by_model(const void *a, const void *b)
{
    const dc_place *x = *(const dc_place *const *)a, *y = *(const dc_place *const *)b;
    return DC_CMP_BY(x, y, run, model, tensors, rank, step);
}

typedef struct run_facts {
    uint64_t places, incomplete; /* with fewer tensors than the model's median */
    uint64_t ranks, models;
    bool two_jobs;
} run_facts;

static dc_status put_odd(dc_buf *out, const dc_place *p, uint64_t usual, const dc_pool *names)
{
    return dc_buf_printf(out,
                         "odd: rank %d run %d model %s step %lld has %" PRIu64 " %s where %" PRIu64
                         " %s usual (%s)\n",
                         p->rank, p->run, model_text(p, names), (long long)p->step, p->tensors,
                         dc_word(p->tensors, "tensor", "tensors"), usual,
                         dc_word(usual, "is", "are"),
                         p->tensors > usual ? "dumped twice, warm-up?" : "cut off?");
}

/* Steps that are far from their model's median, and what each run lacks. */
static dc_status find_odd(dc_buf *out, run_facts *run, const dc_place **order, size_t n,
                          const dc_pool *names)
{
    dc_status st = DC_OK;
    uint64_t odd = 0;
    for (size_t i = 0, same; st == DC_OK && i < n; i += same) {
        for (same = 1; i + same < n && order[i + same]->run == order[i]->run &&
                       order[i + same]->model == order[i]->model;)
            same++;
        uint64_t usual = order[i + same / 2]->tensors;
        for (size_t k = i; st == DC_OK && k < i + same; k++) {
            uint64_t v = order[k]->tensors;
            if (!*dc_pool_text(names, order[k]->model))
                continue; /* single operators know no steps */
            run[order[k]->run].places++;
            run[order[k]->run].incomplete += v < usual;
            if ((v * 5 <= usual * 3 || v * 4 >= usual * 7) && odd++ < MOST_ODD)
                st = put_odd(out, order[k], usual, names);
        }
        run[order[i]->run].models++;
    }
    if (st == DC_OK && odd > MOST_ODD)
        st = dc_buf_printf(out, "odd: %" PRIu64 " more such steps\n", odd - MOST_ODD);
    return st;
}

/* Whether every model of rank a (places [from, to)) is missing at rank b. */
static bool disjoint(const dc_place *a, size_t na, const dc_place *b, size_t nb)
{
    for (size_t i = 0; i < na; i++)
        for (size_t k = 0; k < nb; k++)
            if (a[i].model == b[k].model)
                return false;
    return true;
}

/* Places are in the order rank, run, ...: one rank's places of one run follow each other. Compare
 * each with the run's first rank. */
static dc_status count_ranks(run_facts *run, const dc_places *p, int32_t runs)
{
    dc_places *first = calloc((size_t)runs + 1, sizeof *first); /* of each run: its first rank's */
    if (!first)
        return dc_fail_memory();
    for (size_t i = 0, same; i < p->n; i += same) {
        dc_place *at = &p->item[i];
        for (same = 1; i + same < p->n && at[same].rank == at->rank && at[same].run == at->run;)
            same++;
        run_facts *r = &run[at->run];
        if (r->ranks++ == 0)
            first[at->run] = (dc_places){at, same};
        else if (!r->two_jobs)
            r->two_jobs = disjoint(first[at->run].item, first[at->run].n, at, same);
    }
    free(first);
    return DC_OK;
}

static dc_status put_run(dc_buf *out, int32_t i, const run_facts *r)
{
    dc_status st = dc_buf_printf(out, "run %d: %" PRIu64 " %s, ", i, r->ranks,
                                 dc_word(r->ranks, "rank", "ranks"));
    if (st == DC_OK && r->incomplete)
        st = dc_buf_printf(out,
                           "incomplete: %" PRIu64 " of %" PRIu64 " %s %s fewer tensors than usual",
                           r->incomplete, r->places, dc_word(r->places, "step", "steps"),
                           dc_word(r->incomplete, "has", "have"));
    else if (st == DC_OK)
        st = dc_buf_puts(out, "complete");
    if (st == DC_OK && r->two_jobs)
        st = dc_buf_puts(out, "; its ranks have no model in common: two jobs?");
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_places_report(dc_buf *out, const dc_places *p, const dc_pool *names)
{
    int32_t runs = 0, told = 0;
    bool all_well = true;
    for (size_t i = 0; i < p->n; i++)
        runs = p->item[i].run >= runs ? p->item[i].run + 1 : runs;
    run_facts *run = calloc((size_t)runs + 1, sizeof *run);
    const dc_place **order = malloc((p->n + 1) * sizeof(dc_place *));
    if (!run || !order) {
        free(run);
        free((void *)order);
        return dc_fail_memory();
    }
    for (size_t i = 0; i < p->n; i++)
        order[i] = &p->item[i];
    if (p->n)
        qsort((void *)order, p->n, sizeof(dc_place *), by_model);
    dc_status st = find_odd(out, run, order, p->n, names);
    if (st == DC_OK)
        st = count_ranks(run, p, runs);
    for (int32_t i = 0; st == DC_OK && i < runs; i++)
        all_well = all_well && !run[i].incomplete && !run[i].two_jobs;
    for (int32_t i = 0; st == DC_OK && i < runs && (runs > 1 || !all_well); i++)
        if (run[i].ranks && told++ < MOST_RUNS)
            st = put_run(out, i, &run[i]);
    if (st == DC_OK && told > MOST_RUNS)
        st = dc_buf_printf(out, "%d more %s\n", told - MOST_RUNS,
                           dc_word((uint64_t)(told - MOST_RUNS), "run", "runs"));
    free(run);
    free((void *)order);
    return st;
}
