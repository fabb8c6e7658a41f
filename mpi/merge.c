/* mpi/merge.c - see merge.h */
#include "mpi/merge.h"

#include "io/row_texts.h"
#include "mpi/dictionary.h"
#include "mpi/overflows.h"
#include "mpi/sort.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A row on its way through the sort. */
typedef struct sourced {
    dc_tensor t;
    dc_merge_from from;
} sourced;

/* What this process read of the stores; string ids are those of names. */
typedef struct part {
    dc_pool *names;
    sourced *row;
    size_t n, cap;
    dc_skipped *skipped; /* process 0: all */
    size_t nskipped, capskipped;
    dc_overflow_row *overflow; /* likewise */
    size_t noverflow, capoverflow;
} part;

/* map[id in the store] = id in p->names. */
static dc_status take_names(uint32_t **map, part *p, const dc_store *s)
{
    const dc_pool *names = dc_store_names(s);
    uint32_t n = dc_pool_count(names);
    *map = malloc((n + (size_t)1) * sizeof **map);
    dc_status st = *map ? DC_OK : dc_fail_memory();
    for (uint32_t i = 0; st == DC_OK && i < n; i++)
        st = dc_pool_adds(&(*map)[i], p->names, dc_pool_text(names, i));
    return st;
}

/* From the store's ids to those of p's names; a damaged store's may lead outside its dictionary. */
static dc_status take_texts(dc_row_texts texts, const dc_store *s, const uint32_t *map)
{
    if (!dc_texts_below(texts, dc_pool_count(dc_store_names(s))))
        return dc_fail(DC_EFORMAT, "%s: its index points outside its dictionary", dc_store_path(s));
    dc_texts_map(texts, map);
    return DC_OK;
}

static dc_status take_row(sourced *out, const dc_store *s, const dc_tensor *t, const uint32_t *map)
{
    out->t = *t;
    out->from.at = dc_store_tensor_at(s, t);
    dc_status st = take_texts(dc_tensor_texts(&out->t), s, map);
    if (st == DC_OK && dc_tensor_stored(t) && out->from.at == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its index points outside its data", dc_store_path(s));
    return st;
}

/* This process's share of the rows of store number `number`. */
static dc_status take_rows(part *p, const dc_store *s, uint64_t number, const uint32_t *map,
                           const dc_par *par)
{
    uint64_t total = dc_store_rows(s), np = (uint64_t)par->processes, me = (uint64_t)par->process;
    uint64_t first = total * me / np, n = total * (me + 1) / np - first;
    dc_tensor *t = malloc((n + 1) * sizeof *t);
    dc_status st = t ? DC_OK : dc_fail_memory();
    if (st == DC_OK)
        st = dc_grow((void **)&p->row, &p->cap, p->n, n, sizeof *p->row);
    if (st == DC_OK)
        st = dc_store_get_rows(t, NULL, s, first, n);
    for (uint64_t i = 0; st == DC_OK && i < n; i++) {
        sourced *row = &p->row[p->n];
        *row = (sourced){.from = {.store = number, .row = first + i}};
        st = take_row(row, s, &t[i], map);
        p->n += st == DC_OK;
    }
    free(t);
    return st;
}

static dc_status take_skipped(part *p, const dc_store *s, const uint32_t *map)
{
    uint64_t n = dc_store_skipped(s);
    dc_status st =
        dc_grow((void **)&p->skipped, &p->capskipped, p->nskipped, n, sizeof *p->skipped);
    if (st == DC_OK)
        st = dc_store_get_skipped(p->skipped + p->nskipped, s, 0, n);
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        st = take_texts(dc_skipped_texts(&p->skipped[p->nskipped + i]), s, map);
    p->nskipped += n;
    return st;
}

static dc_status take_overflows(part *p, const dc_store *s, const uint32_t *map)
{
    uint64_t n = dc_store_overflows(s);
    dc_status st =
        dc_grow((void **)&p->overflow, &p->capoverflow, p->noverflow, n, sizeof *p->overflow);
    if (st == DC_OK)
        st = dc_store_get_overflows(p->overflow + p->noverflow, s, 0, n);
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        st = take_texts(dc_overflow_texts(&p->overflow[p->noverflow + i]), s, map);
    p->noverflow += n;
    return st;
}

static dc_status take(part *p, dc_merge *m, const char *path, const dc_par *par)
{
    uint32_t *map = NULL;
    dc_store **s = &m->store[m->n];
    dc_status st = dc_store_open(s, path, false);
    if (st != DC_OK)
        return st;
    m->fd[m->n++] = open(path, O_RDONLY | O_CLOEXEC);
    if (m->fd[m->n - 1] < 0)
        return dc_fail_errno("%s: cannot open", path);
    if (!dc_store_complete(*s))
        return dc_fail(DC_EARG, "%s: its capture was interrupted; finish it with --resume first",
                       path);
    st = take_names(&map, p, *s);
    if (st == DC_OK)
        st = take_rows(p, *s, m->n - 1, map, par);
    if (st == DC_OK && par->process == 0)
        st = take_skipped(p, *s, map);
    if (st == DC_OK && par->process == 0)
        st = take_overflows(p, *s, map);
    free(map);
    return st;
}

static dc_status take_all(part *p, dc_merge *m, const char *const *path, size_t n,
                          const dc_par *par)
{
    m->store = calloc(n + 1, sizeof *m->store);
    m->fd = calloc(n + 1, sizeof *m->fd);
    dc_status st = m->store && m->fd ? dc_pool_new(&p->names) : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = take(p, m, path[i], par);
    return st;
}

/* Equal identities stand together and on one process: they must be of one store. */
static dc_status check_disjoint(const dc_merge *m, const dc_catalog *c)
{
    for (uint64_t i = 1; i < c->n; i++) {
        const dc_tensor *a = &c->row[i - 1], *b = &c->row[i];
        if (dc_tensor_compare_identity(a, b) == 0 && m->from[i - 1].store != m->from[i].store)
            return dc_fail(
                DC_EEXIST, "%s and %s both hold rank %d, run %d, model %s, step %lld, %s:%s:%u",
                dc_store_path(m->store[m->from[i - 1].store]),
                dc_store_path(m->store[m->from[i].store]), a->rank, a->run,
                dc_pool_text(c->names, a->model), (long long)a->step, dc_pool_text(c->names, a->op),
                a->direction == DC_INPUT ? "input" : "output", a->slot);
    }
    return DC_OK;
}

/* Sums that every process knows. */
static void count(dc_catalog *c, const dc_par *par)
{
    uint64_t sums[3] = {c->n, c->nskipped, 0};
    for (uint64_t i = 0; i < c->nskipped; i++)
        sums[2] += c->skipped[i].fault != DC_SKIPPED_OTHER;
    dc_par_sum_u64(sums, 3, par);
    c->total = sums[0];
    c->skipped_total = sums[1];
    c->faults = sums[2];
    c->first = dc_par_before_u64(c->n, par);
    dc_catalog_count_runs(c, par);
}

/* The sorted rows, and apart from them where they come from. */
static dc_status split(dc_catalog *c, dc_merge *m, part *p)
{
    c->row = malloc((p->n + 1) * sizeof *c->row);
    m->from = calloc(p->n + 1, sizeof *m->from);
    if (!c->row || !m->from)
        return dc_fail_memory();
    for (size_t i = 0; i < p->n; i++) {
        c->row[i] = p->row[i].t;
        m->from[i] = p->row[i].from;
    }
    c->n = p->n;
    return DC_OK;
}

/* To the dictionary's ids. */
static void map_texts(part *p, const uint32_t *map)
{
    for (size_t i = 0; i < p->n; i++)
        dc_texts_map(dc_tensor_texts(&p->row[i].t), map);
    for (size_t i = 0; i < p->nskipped; i++)
        dc_texts_map(dc_skipped_texts(&p->skipped[i]), map);
    for (size_t i = 0; i < p->noverflow; i++)
        dc_texts_map(dc_overflow_texts(&p->overflow[i]), map);
}

/* The dictionary, then everything that needs comparable ids. Takes p's tables over. */
static dc_status assemble(dc_catalog *c, part *p, dc_merge *m, const dc_par *par)
{
    uint32_t *map = NULL;
    dc_status st = dc_dictionary_build(&c->names, &map, p->names, par);
    if (st != DC_OK)
        return st;
    map_texts(p, map);
    free(map);
    dc_overflows_sort(p->overflow, p->noverflow);
    dc_skipped_sort(p->skipped, p->nskipped);
    st = dc_sort_rows((void **)&p->row, &p->n, sizeof *p->row, par);
    if (st == DC_OK)
        st = dc_par_agree(split(c, m, p), par);
    if (st != DC_OK)
        return st;
    c->skipped = p->skipped;
    c->nskipped = p->nskipped;
    p->skipped = NULL;
    c->overflow = p->overflow;
    c->overflows = p->noverflow;
    dc_par_sum_u64(&c->overflows, 1, par);
    p->overflow = NULL;
    count(c, par);
    return dc_par_agree(check_disjoint(m, c), par);
}

dc_status dc_merge_open(dc_merge *m, dc_catalog *out, const char *const *path, size_t n,
                        const dc_par *par)
{
    part p = {0};
    dc_catalog c = {0};
    *m = (dc_merge){0};
    dc_status st = dc_par_agree(take_all(&p, m, path, n, par), par);
    if (st == DC_OK)
        st = assemble(&c, &p, m, par);
    dc_pool_free(p.names);
    free(p.row);
    free(p.skipped);
    free(p.overflow);
    if (st == DC_OK)
        *out = c;
    else
        dc_catalog_fini(&c);
    return st;
}

void dc_merge_close(dc_merge *m)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->fd[i] >= 0)
            close(m->fd[i]);
        if (dc_store_close(m->store[i]) != DC_OK)
            m->store[i] = NULL;
    }
    free(m->store);
    free(m->fd);
    free(m->from);
    *m = (dc_merge){0};
}
