/* compare/culprit.c - see culprit.h */
#include "compare/culprit.h"

#include "compare/column.h"

#include "compare/graphs.h"
#include "io/cmp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a rank says of the culprit's tensor. */
typedef struct vote {
    int32_t rank, verdict;
} vote;

static int by_rank(const void *a, const void *b)
{
    const vote *x = a, *y = b;
    int c = DC_CMP(x->rank, y->rank);
    return c ? c : y->verdict - x->verdict; /* a failure first: it stands for the rank */
}

static bool same_tensor(const dc_tensor *a, const dc_tensor *b)
{
    return a->run == b->run && a->model == b->model && a->step == b->step && a->op == b->op &&
           a->direction == b->direction && a->slot == b->slot;
}

/* "0-2,5" of the ranks with this verdict; votes are sorted, one for each rank. */
static dc_status print_set(dc_buf *out, const vote *v, size_t n, int32_t verdict)
{
    const char *comma = "";
    dc_status st = DC_OK;
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        end = i + 1;
        if (v[i].verdict != verdict)
            continue;
        while (end < n && v[end].verdict == verdict && v[end].rank == v[end - 1].rank + 1)
            end++;
        st = dc_buf_printf(out, "%s%" PRId32, comma, v[i].rank);
        if (st == DC_OK && end > i + 1)
            st = dc_buf_printf(out, "-%" PRId32, v[end - 1].rank);
        comma = ",";
    }
    return st;
}

static dc_status print_votes(dc_buf *out, vote *v, size_t n)
{
    size_t kept = 0, passing = 0, failing = 0;
    if (n)
        qsort(v, n, sizeof *v, by_rank);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || v[kept - 1].rank != v[i].rank)
            v[kept++] = v[i];
    for (size_t i = 0; i < kept; i++) {
        passing += v[i].verdict == DC_PASS;
        failing += v[i].verdict == DC_FAIL;
    }
    if (passing == 0)
        return DC_OK;
    dc_status st = dc_buf_puts(out, failing == 1 ? "it fails on rank " : "it fails on ranks ");
    if (st == DC_OK)
        st = print_set(out, v, kept, DC_FAIL);
    if (st == DC_OK)
        st = dc_buf_puts(out, passing == 1 ? " and passes on rank " : " and passes on ranks ");
    if (st == DC_OK)
        st = print_set(out, v, kept, DC_PASS);
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

static dc_status collect_votes(dc_buf *out, const dc_culprit_ask *ask)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < ask->rows->n; i++) {
        const dc_row *row = &ask->rows->row[i];
        vote v = {row->at.t.rank, row->verdict};
        if (same_tensor(&row->at.t, &ask->first->at.t))
            st = dc_buf_add(out, &v, sizeof v);
    }
    return st;
}

/* " (fused a+b)", " (originally a)" or nothing: the operator's names in the framework. */
static dc_status print_originals(dc_buf *out, const dc_culprit_ask *ask)
{
    const dc_pool *names = ask->rows->catalog;
    const dc_tensor *t = &ask->first->at.t;
    const char *op = dc_pool_text(names, t->op), *header = dc_pool_text(names, t->origin_op);
    const dc_graph *g = NULL;
    const dc_gop *node = NULL;
    uint64_t id;
    if (ask->graphs && ask->graphs->find &&
        ask->graphs->find(ask->graphs->context, &g, &id, t->rank,
                          dc_pool_text(names, t->model_dir)) == DC_OK &&
        g)
        node = dc_graphs_op(g, op);
    if (node && node->originals.n > 1) {
        dc_status st = dc_buf_puts(out, " (fused ");
        for (uint32_t i = 0; st == DC_OK && i < node->originals.n; i++)
            st = dc_buf_printf(out, "%s%s", i ? "+" : "",
                               dc_graph_text(g, g->text[node->originals.first + i]));
        return st == DC_OK ? dc_buf_puts(out, ")") : st;
    }
    const char *original =
        node && node->originals.n == 1 ? dc_graph_text(g, g->text[node->originals.first]) : header;
    bool news = *original && strcmp(original, op) != 0;
    return news ? dc_buf_printf(out, " (originally %s)", original) : DC_OK;
}

static dc_status print_culprit(dc_buf *out, const dc_culprit_ask *ask, const dc_row *row)
{
    const dc_tensor *t = &row->at.t;
    dc_status st = DC_OK;
    if (ask->first->inherited)
        st = dc_buf_puts(out, "every failing tensor has a failing input; the first of them:\n");
    if (st == DC_OK)
        st = dc_buf_printf(out, "first bad: %s", dc_pool_text(ask->rows->catalog, t->op));
    if (st == DC_OK)
        st = print_originals(out, ask);
    if (st == DC_OK)
        st = dc_buf_printf(out, " %s %" PRIu32 ", rank %" PRId32, dc_column_direction(t->direction),
                           t->slot, t->rank);
    if (st == DC_OK && t->step >= 0)
        st = dc_buf_printf(out, ", step %" PRId64, t->step);
    if (st == DC_OK && t->occurrence > 0)
        st = dc_buf_printf(out, ", occurrence %" PRIu32, t->occurrence);
    if (st == DC_OK)
        st = dc_buf_printf(out, ": %s", dc_pool_text(ask->rows->names, row->reason));
    return st;
}

/* The process that holds the culprit writes the line, all others nothing. */
static dc_status write_line(dc_buf *out, const dc_culprit_ask *ask)
{
    for (uint64_t i = 0; i < ask->rows->n; i++)
        if (ask->rows->row[i].at.row == ask->first->at.row)
            return print_culprit(out, ask, &ask->rows->row[i]);
    return DC_OK;
}

dc_status dc_culprit_describe(char **text, const dc_culprit_ask *ask, const dc_par *par)
{
    dc_buf votes = {0}, line = {0}, all = {0};
    char *in = NULL;
    uint64_t bytes = 0;
    *text = NULL;
    dc_status st = collect_votes(&votes, ask);
    if (st == DC_OK)
        st = write_line(&line, ask);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&in, &bytes, NULL, votes.data, votes.n, par);
    if (st == DC_OK) {
        dc_status mine = print_votes(&all, (vote *)(void *)in, bytes / sizeof(vote));
        free(in);
        in = NULL;
        st = dc_par_agree(mine, par);
    }
    if (st == DC_OK)
        st = dc_par_allgather(&in, &bytes, NULL, line.data, line.n, par);
    if (st == DC_OK) {
        dc_status mine = dc_buf_add(&all, in, bytes);
        if (mine == DC_OK)
            mine = dc_buf_add(&all, "", 1);
        st = dc_par_agree(mine, par);
    }
    free(in);
    dc_buf_free(&votes);
    dc_buf_free(&line);
    if (st == DC_OK)
        *text = all.data;
    else
        dc_buf_free(&all);
    return st;
}
