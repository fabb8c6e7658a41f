/* compare/newest.c - see newest.h */
#include "compare/newest.h"

#include "io/cmp.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_TOLD 3

/* Tensors of one rank's step of a model. */
typedef struct part {
    int32_t run, rank;
    uint32_t model;
    int64_t step;
    uint64_t tensors;
} part;

static int compare_part(const part *x, const part *y)
{
    return DC_CMP_BY(x, y, run, model, step, rank);
}

static int by_identity(const void *a, const void *b)
{
    return compare_part(a, b);
}

static int by_count(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return DC_CMP(*x, *y);
}

/* Rows are in key order: a part's rows stand together. */
static dc_status count_parts(dc_buf *out, const dc_catalog *c)
{
    dc_status st = DC_OK;
    part p = {0};
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++) {
        const dc_tensor *t = &c->row[i];
        part next = {t->run, t->rank, t->model, t->step, 1};
        if (p.tensors && compare_part(&p, &next) == 0) {
            p.tensors++;
            continue;
        }
        if (p.tensors)
            st = dc_buf_add(out, &p, sizeof p);
        p = next;
    }
    return st == DC_OK && p.tensors ? dc_buf_add(out, &p, sizeof p) : st;
}

/* A part may lie on two processes. */
static size_t merge_parts(part *p, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(p, n, sizeof *p, by_identity);
    for (size_t i = 0; i < n; i++)
        if (kept && compare_part(&p[kept - 1], &p[i]) == 0)
            p[kept - 1].tensors += p[i].tensors;
        else
            p[kept++] = p[i];
    return kept;
}

static bool same_model(const part *a, const part *b)
{
    return a->run == b->run && a->model == b->model;
}

static dc_status tell_odd(dc_buf *out, const part *p, uint64_t usual, uint64_t told)
{
    if (told >= MOST_TOLD)
        return DC_OK;
    return dc_buf_printf(
        out, "%sstep %" PRId64 " of rank %" PRId32 " has %" PRIu64 " %s, others have %" PRIu64,
        told ? "; " : "", p->step, p->rank, p->tensors, dc_word(p->tensors, "tensor", "tensors"),
        usual);
}

/* Parts first..end-1 are one model of one run. */
static dc_status look_at_model(dc_run_choice *r, dc_buf *text, const part *p, size_t n)
{
    uint64_t *count = malloc(n * sizeof *count);
    dc_status st = count ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < n; i++)
        count[i] = p[i].tensors;
    if (st == DC_OK)
        qsort(count, n, sizeof *count, by_count);
    uint64_t usual = st == DC_OK ? count[n / 2] : 0;
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        r->complete = r->complete && p[i].tensors == usual;
        if (p[i].tensors * 2 <= usual || p[i].tensors >= usual * 2)
            st = tell_odd(text, &p[i], usual, r->odd++);
    }
    free(count);
    return st;
}

/* Parts of one run. */
static dc_status look_at_run(dc_run_choice *r, const part *p, size_t n)
{
    dc_buf text = {0};
    dc_status st = DC_OK;
    *r = (dc_run_choice){.run = p->run, .complete = true};
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        for (end = i + 1; end < n && same_model(&p[i], &p[end]);)
            end++;
        st = look_at_model(r, &text, &p[i], end - i);
    }
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    r->odd_text = text.data;
    return st;
}

/* Go through the runs from the newest. */
static dc_status choose(dc_run_choice *out, int32_t run, const part *p, size_t n)
{
    dc_run_choice newest = {.run = -1};
    dc_status st = DC_OK;
    for (size_t end = n, first; st == DC_OK && end > 0; end = first) {
        for (first = end - 1; first > 0 && p[first - 1].run == p[first].run;)
            first--;
        if (run >= 0 && p[first].run != run)
            continue;
        dc_run_choice r;
        st = look_at_run(&r, &p[first], end - first);
        bool take = st == DC_OK && (run >= 0 || r.complete);
        if (take || newest.run < 0) {
            dc_run_choice_fini(&newest);
            newest = r;
        } else {
            dc_run_choice_fini(&r);
        }
        if (take)
            break;
    }
    *out = newest;
    return st;
}

dc_status dc_newest_run(dc_run_choice *out, int32_t run, const dc_catalog *c, const dc_par *par)
{
    dc_buf mine = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    *out = (dc_run_choice){.run = -1};
    dc_status st = dc_par_agree(count_parts(&mine, c), par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, mine.data, mine.n, par);
    dc_buf_free(&mine);
    if (st != DC_OK)
        return st;
    part *p = (part *)(void *)all;
    size_t n = merge_parts(p, bytes / sizeof *p);
    if (n == 0)
        st = dc_fail(DC_ENOENT, "there are no tensors to compare");
    else if (run >= 0 && run >= c->runs)
        st = dc_fail(DC_EARG, "--run %" PRId32 ": there are runs 0 to %" PRId32, run, c->runs - 1);
    if (st == DC_OK)
        st = choose(out, run, p, n);
    if (st == DC_OK && out->run < 0)
        st = dc_fail(DC_ENOENT, "run %" PRId32 " has no tensors", run);
    free(all);
    st = dc_par_agree(st, par);
    if (st != DC_OK)
        dc_run_choice_fini(out);
    return st;
}

void dc_run_choice_fini(dc_run_choice *r)
{
    free(r->odd_text);
    *r = (dc_run_choice){.run = -1};
}
