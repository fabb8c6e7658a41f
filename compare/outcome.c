/* compare/outcome.c - see outcome.h */
#include "compare/outcome.h"

#include "compare/column.h"

#include "compare/culprit.h"
#include "io/cmp.h"
#include "io/word.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dc_outcome_fini(dc_outcome *o)
{
    free(o->ranks);
    free(o->worst);
    free(o->first_bad);
    free(o->first_missed);
    *o = (dc_outcome){0};
}

static void count_rows(dc_outcome *o, const dc_rows *r, const dc_par *par)
{
    uint64_t v[5] = {r->n, 0, 0, 0, 0};
    for (uint64_t i = 0; i < r->n; i++) {
        const dc_row *row = &r->row[i];
        v[1] += row->verdict == DC_PASS;
        v[2] += dc_row_failed(row);
        v[3] += dc_row_missed(row);
    }
    dc_par_sum_u64(v, 5, par);
    o->rows = v[0];
    o->passed = v[1];
    o->failed = v[2];
    o->missed = v[3];
    o->not_counted = v[0] - v[1] - v[2] - v[3];
}

int dc_outcome_code(const dc_outcome *o, bool exit_zero)
{
    if (o->passed + o->failed + o->alike + o->deviating == 0)
        return 2;
    if (o->failed || o->deviating)
        return exit_zero ? 0 : 1;
    return o->missed || o->unreadable || o->undecided ? 2 : 0;
}

/* Everybody's text, one after another in process order, NUL-terminated. local: status of making it;
 * frees mine. Collective. */
static dc_status gather_text(char **out, uint64_t *n, dc_buf *mine, dc_status local,
                             const dc_par *par)
{
    uint64_t bytes = 0;
    dc_status st = dc_par_agree(local, par);
    if (st == DC_OK)
        st = dc_par_allgather(out, &bytes, NULL, mine->data, mine->n, par);
    if (st == DC_OK)
        (*out)[bytes] = '\0'; /* allgather leaves room for it */
    *n = bytes;
    dc_buf_free(mine);
    return st;
}

/* -- counts by rank -- */

typedef struct rank_count {
    int64_t rank;
    uint64_t passed, failed, missed;
} rank_count;

static int by_rank(const void *a, const void *b)
{
    const rank_count *x = a, *y = b;
    return DC_CMP(x->rank, y->rank);
}

static void add_counts(rank_count *to, const rank_count *c)
{
    to->passed += c->passed;
    to->failed += c->failed;
    to->missed += c->missed;
}

static dc_status add_rank(dc_buf *list, const dc_row *row)
{
    rank_count c = {row->at.t.rank, row->verdict == DC_PASS, dc_row_failed(row),
                    dc_row_missed(row)};
    rank_count *have = (rank_count *)(void *)list->data;
    for (size_t i = list->n / sizeof c; i > 0; i--)
        if (have[i - 1].rank == c.rank) {
            add_counts(&have[i - 1], &c);
            return DC_OK;
        }
    return dc_buf_add(list, &c, sizeof c);
}

static size_t merge_ranks(rank_count *c, size_t n)
{
    size_t kept = 0;
    qsort(c, n, sizeof *c, by_rank);
    for (size_t i = 0; i < n; i++)
        if (kept && c[kept - 1].rank == c[i].rank)
            add_counts(&c[kept - 1], &c[i]);
        else
            c[kept++] = c[i];
    return kept;
}

static dc_status print_ranks(dc_buf *out, const rank_count *c, size_t n)
{
    bool differ = false;
    for (size_t i = 1; i < n; i++)
        differ = differ || c[i].passed != c[0].passed || c[i].failed != c[0].failed ||
                 c[i].missed != c[0].missed;
    dc_status st = DC_OK;
    for (size_t i = 0; differ && st == DC_OK && i < n; i++)
        st = dc_buf_printf(out,
                           "  rank %" PRId64 ": %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
                           " not judged\n",
                           c[i].rank, c[i].passed, c[i].failed, c[i].missed);
    return st == DC_OK ? dc_buf_add(out, "", 1) : st;
}

static dc_status make_ranks(dc_outcome *o, const dc_rows *r, const dc_par *par)
{
    dc_buf mine = {0}, text = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < r->n; i++)
        st = add_rank(&mine, &r->row[i]);
    st = gather_text(&all, &bytes, &mine, st, par);
    if (st != DC_OK)
        return st;
    rank_count *c = (rank_count *)(void *)all;
    st = print_ranks(&text, c, merge_ranks(c, bytes / sizeof *c));
    free(all);
    o->ranks = text.data;
    return dc_par_agree(st, par);
}

/* -- the worst rows -- */

typedef struct bad_row {
    double distance; /* relative Euclidean, or infinite where it is undefined */
    dc_spot at;
    char text[512];
} bad_row;

static int by_distance(const void *a, const void *b)
{
    const bad_row *x = a, *y = b;
    int c = DC_CMP(y->distance, x->distance);
    return c ? c : dc_spot_compare(&x->at, &y->at);
}

static bad_row describe_bad(const dc_rows *r, const dc_row *row)
{
    bad_row b = {.distance = INFINITY, .at = row->at};
    const dc_tensor *t = &row->at.t;
    if (row->computed && row->m.valid[DC_METRIC_REL_EUCLID])
        b.distance = row->m.value[DC_METRIC_REL_EUCLID];
    snprintf(b.text, sizeof b.text, "  %s %s %" PRIu32 ", rank %" PRId32 ", step %" PRId64 ": %s\n",
             dc_pool_text(r->catalog, t->op), dc_column_direction(t->direction), t->slot, t->rank,
             t->step, dc_pool_text(r->names, row->reason));
    return b;
}

/* Keep list[0..*n) the worst so far. */
static void keep_worst(bad_row *list, size_t *n, const bad_row *b)
{
    list[*n] = *b;
    qsort(list, *n + 1, sizeof *list, by_distance);
    *n += *n < DC_OUTCOME_WORST;
}

static dc_status make_worst(dc_outcome *o, const dc_rows *r, const dc_par *par)
{
    bad_row list[DC_OUTCOME_WORST + 1];
    size_t n = 0;
    dc_buf mine = {0}, text = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < r->n; i++)
        if (dc_row_failed(&r->row[i])) {
            bad_row b = describe_bad(r, &r->row[i]);
            keep_worst(list, &n, &b);
        }
    dc_status st = dc_buf_add(&mine, list, n * sizeof *list);
    st = gather_text(&all, &bytes, &mine, st, par);
    if (st != DC_OK)
        return st;
    bad_row *b = (bad_row *)(void *)all;
    n = bytes / sizeof *b;
    qsort(b, n, sizeof *b, by_distance);
    for (size_t i = 0; st == DC_OK && i < n && i < DC_OUTCOME_WORST; i++)
        st = dc_buf_puts(&text, b[i].text);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    free(all);
    o->worst = text.data;
    return dc_par_agree(st, par);
}

static char *copy_text(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        dc_fail_memory();
    return copy;
}

/* The first row, in execution order, that could not be judged. */
static dc_status make_first_missed(dc_outcome *o, const dc_rows *r, const dc_par *par)
{
    const dc_row *first = NULL;
    dc_buf mine = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    dc_status st = DC_OK;
    for (uint64_t i = 0; i < r->n; i++)
        if (dc_row_missed(&r->row[i]) && (!first || dc_spot_compare(&r->row[i].at, &first->at) < 0))
            first = &r->row[i];
    if (first) {
        bad_row b = describe_bad(r, first);
        st = dc_buf_add(&mine, &b, sizeof b);
    }
    st = gather_text(&all, &bytes, &mine, st, par);
    if (st != DC_OK)
        return st;
    const bad_row *b = (const bad_row *)(void *)all, *least = b;
    size_t n = bytes / sizeof *b;
    for (size_t i = 1; i < n; i++)
        if (dc_spot_compare(&b[i].at, &least->at) < 0)
            least = &b[i];
    o->first_missed = copy_text(n ? least->text : "");
    free(all);
    return dc_par_agree(o->first_missed ? DC_OK : DC_ENOMEM, par);
}

dc_status dc_outcome_make(dc_outcome *out, const dc_outcome_ask *ask, const dc_par *par)
{
    *out = (dc_outcome){.found = ask->first->found};
    count_rows(out, ask->rows, par);
    dc_status st = make_ranks(out, ask->rows, par);
    if (st == DC_OK)
        st = make_worst(out, ask->rows, par);
    if (st == DC_OK)
        st = make_first_missed(out, ask->rows, par);
    if (st == DC_OK && out->found) {
        const dc_culprit_ask culprit = {ask->first, ask->rows, ask->graphs};
        st = dc_culprit_describe(&out->first_bad, &culprit, par);
    } else if (st == DC_OK) {
        out->first_bad = copy_text("no operator failed");
        st = dc_par_agree(out->first_bad ? DC_OK : DC_ENOMEM, par);
    }
    if (st != DC_OK)
        dc_outcome_fini(out);
    return st;
}

#define MOST_NAMES 5

/* "without a golden: a, b, c and 12 more" for the lines of alignment that pass `want`. */
static dc_status print_names(dc_buf *out, const dc_alignment *a, const char *title, bool unused)
{
    static const bool counts[] = {
#define X(id, name, count) count,
        DC_PAIRINGS(X)
#undef X
    };
    uint64_t n = 0;
    uint32_t last = 0;
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < a->lines; i++) {
        const dc_align_line *l = &a->line[i];
        const uint32_t name = unused ? l->golden : l->op;
        if (l->unused != unused || (!unused && !counts[l->pairing]) || (n && name == last))
            continue;
        if (n < MOST_NAMES)
            st = dc_buf_printf(out, "%s%s", n ? ", " : title, dc_pool_text(a->text, name));
        last = name;
        n++;
    }
    if (st == DC_OK && n > MOST_NAMES)
        st = dc_buf_printf(out, " and %" PRIu64 " more (alignment.csv)", n - MOST_NAMES);
    return st == DC_OK && n ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_outcome_answer(dc_buf *out, const dc_outcome *o)
{
    if (o->found || o->failed)
        return dc_buf_printf(out, "%s\n", o->first_bad);
    if (o->passed == 0)
        return dc_buf_puts(
            out, "nothing could be compared: see Reason in result.csv and alignment.csv\n");
    dc_status st = dc_buf_puts(out, o->first_bad);
    if (st == DC_OK && o->missed)
        st =
            dc_buf_printf(out, ", but %" PRIu64 " %s could not be judged: see Reason in result.csv",
                          o->missed, dc_word(o->missed, "tensor", "tensors"));
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_outcome_unreadable(dc_buf *out, const dc_outcome *o)
{
    return o->unreadable ? dc_buf_printf(out,
                                         "dump files that could not be read, or operators that are "
                                         "not complete: %" PRIu64 "\n",
                                         o->unreadable)
                         : DC_OK;
}

dc_status dc_outcome_print(dc_buf *out, const dc_outcome *o, const dc_alignment *a)
{
    dc_status st = dc_buf_printf(
        out,
        "compared %" PRIu64 " %s: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " not judged\n"
        "no golden expected (inserted, fused...): %" PRIu64,
        o->passed + o->failed, dc_word(o->passed + o->failed, "tensor", "tensors"), o->passed,
        o->failed, o->missed, o->not_counted);
    if (st == DC_OK && !a->unused_unknown)
        st = dc_buf_printf(out, "; goldens not used: %" PRIu64, a->goldens_unused);
    if (st == DC_OK)
        st = dc_buf_puts(out, "\n");
    if (st == DC_OK)
        st = dc_outcome_unreadable(out, o);
    if (st == DC_OK)
        st = print_names(out, a, "not judged: ", false);
    if (st == DC_OK && *o->first_missed)
        st = dc_buf_printf(out, "the first not judged:\n%s", o->first_missed);
    if (st == DC_OK)
        st = print_names(out, a, "goldens not used: ", true);
    if (st == DC_OK && *o->ranks)
        st = dc_buf_printf(out, "ranks differ:\n%s", o->ranks);
    if (st == DC_OK && *o->worst)
        st = dc_buf_printf(out, "worst:\n%s", o->worst);
    if (st == DC_OK && o->across)
        st = dc_buf_puts(out, o->across);
    return st == DC_OK ? dc_outcome_answer(out, o) : st;
}
