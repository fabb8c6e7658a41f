/* compare/run.c - see run.h
 *
 * Rows live where the catalog has them ("home"). The plan tells each home who compares its pairs;
 * homes mail tasks to these and get answers back. Parts of large pairs merge at home in chunk
 * order; their KL pass is a second round with the range that came out of the first. Of very many
 * pairs some goldens' are done at a time. */
#include "compare/run.h"

#include "compare/run_plan.h"

#include <stdio.h>
#include <stdlib.h>

/* What home keeps of a pair that comes in parts. */
typedef struct large {
    dc_metric m;
    dc_kl k;
    dc_kl_range range;
    bool open;   /* its KL pass is to be made (again) */
    bool failed; /* a part could not be computed */
    bool has_kl;
} large;

typedef struct run {
    const dc_run_ask *ask;
    const dc_par *par;
    dc_rows *rows;
    dc_run_batch batch;
    dc_run_legs plan; /* of the batch */
    large **large;    /* [rows->n], NULL but for pairs of the batch that come in parts */
} run;

/* "[1,2,3]" of a shape as tables hold it ("1x2x3"). */
static dc_status list_shape(uint32_t *id, dc_pool *names, const char *text)
{
    dc_shape s;
    char list[DC_SHAPE_TEXT];
    dc_status st = dc_shape_parse(&s, text);
    if (st == DC_OK)
        dc_shape_print_list(list, &s);
    return dc_pool_adds(id, names, st == DC_OK ? list : text);
}

static dc_status make_row(dc_row *row, const run *u, uint64_t i)
{
    const dc_pairs *p = u->ask->pairs;
    const dc_pair *pair = &p->pair[i];
    dc_pool *names = u->rows->names;
    *row = (dc_row){.at = {.t = u->ask->npu->row[i], .row = u->ask->npu->first + i},
                    .golden_dtype = 255};
    row->pairing = pair->pairing;
    row->match = pair->match;
    const dc_tensor *t = &row->at.t;
    const dc_golden *g = dc_run_golden(u->ask, row);
    const char *shape = dc_pool_text(u->rows->catalog, t->original_shape);
    if (!*shape)
        shape = dc_pool_text(u->rows->catalog, t->shape);
    dc_status st = DC_OK;
    if (g) {
        shape = dc_pool_text(p->names, g->shape);
        row->golden_dtype = (uint8_t)dc_work_golden_dtype(g->dtype, u->ask->golden_dtype);
        st = dc_pool_adds(&row->golden, names, dc_pool_text(p->names, g->name));
    }
    if (st == DC_OK)
        st = list_shape(&row->shape, names, shape);
    const char *reason = dc_pool_text(p->names, pair->reason);
    return st == DC_OK ? dc_pool_adds(&row->reason, names, reason) : st;
}

static dc_status make_rows(run *u)
{
    dc_rows *r = u->rows;
    const dc_pairs *p = u->ask->pairs;
    dc_status st = dc_fault("run.rows") ? dc_fail_memory() : dc_pool_new(&r->names);
    if (st != DC_OK)
        return st;
    r->catalog = u->ask->npu->names;
    r->row = calloc(p->n + 1, sizeof *r->row);
    u->large = calloc(p->n + 1, sizeof(large *));
    if (!r->row || !u->large)
        return dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < p->n; i++)
        if (p->pair[i].pairing != DC_NOT_CHOSEN)
            st = make_row(&r->row[r->n++], u, i);
    return st;
}

static int row_compare(const void *key, const void *item)
{
    uint64_t want = *(const uint64_t *)key, have = ((const dc_row *)item)->at.row;
    return want < have ? -1 : want > have;
}

static dc_row *find_row(const run *u, uint64_t row)
{
    return bsearch(&row, u->rows->row, u->rows->n, sizeof *u->rows->row, row_compare);
}

static large **large_of(const run *u, const dc_row *row)
{
    return &u->large[row - u->rows->row];
}

/* Mail the tasks of the first round, or those of open KL passes. */
static dc_status post_tasks(dc_route *mail, const run *u, bool kl)
{
    dc_status st = dc_route_begin(mail, u->par);
    for (size_t i = 0; st == DC_OK && i < u->plan.n; i++) {
        const dc_leg *leg = &u->plan.leg[i];
        const dc_row *row = find_row(u, leg->row);
        large **l = large_of(u, row);
        if (!leg->whole && !*l && !(*l = calloc(1, sizeof **l)))
            return dc_fail_memory();
        if (kl && (leg->whole || !(*l)->open))
            continue;
        dc_task t = dc_run_task(u->ask, row, u->par->process);
        t.first = leg->first;
        t.n = leg->n;
        t.whole = leg->whole;
        t.streamed = leg->streamed;
        t.kl = leg->whole ? !u->ask->no_kl : kl;
        if (kl)
            t.range = (*l)->range;
        st = dc_task_post(mail, leg->owner, &t, u->ask->pairs);
    }
    return st;
}

#define WHAT 48 /* bytes */

/* what[WHAT] is to live as long as p. */
static void start_progress(dc_progress *p, char *what, const dc_task *task, size_t n, const run *u)
{
    uint64_t mine_all[2] = {0, u->plan.bytes};
    if (u->batch.of == 1)
        snprintf(what, WHAT, "compared");
    else
        snprintf(what, WHAT, "compared, part %u of %u", u->batch.at + 1, u->batch.of);
    for (size_t i = 0; i < n; i++)
        mine_all[0] += dc_work_cost(&task[i]);
    dc_progress_begin(p, what, mine_all, u->ask->progress, u->par);
}

/* The tasks that came to us, done; answers in the mail. `in` is freed. */
static dc_status do_tasks(dc_route *mail, dc_arrived *in, const run *u)
{
    dc_pool *names = NULL;
    dc_task *task = NULL;
    size_t n = 0;
    dc_status st = dc_route_begin(mail, u->par);
    if (st == DC_OK)
        st = dc_pool_new(&names);
    if (st == DC_OK)
        st = dc_task_read(&task, &n, in, names);
    dc_arrived_free(in);
    dc_progress progress;
    char what[WHAT];
    start_progress(&progress, what, task, n, u);
    const dc_work_ask work = {u->ask->npu,       names,    &u->ask->profile, u->ask->golden_dtype,
                              u->ask->uint1_msb, &progress};
    if (st == DC_OK)
        st = dc_work_all(mail, task, n, &work);
    dc_progress_end(&progress);
    free(task);
    dc_pool_free(names);
    return st;
}

/* reason, then what pairing assumed */
static dc_status set_reason(dc_row *row, const run *u, const char *reason)
{
    const char *note = dc_pool_text(u->ask->pairs->names, dc_run_pair(u->ask, row)->note);
    char text[2 * DC_REASON + 512];
    snprintf(text, sizeof text, "%s%s%s", reason, *reason && *note ? "; " : "", note);
    return dc_pool_adds(&row->reason, u->rows->names, text);
}

static dc_status judge(dc_row *row, const run *u, const dc_metrics *m)
{
    char reason[DC_REASON] = "";
    dc_shape shape;
    const uint32_t dtype[2] = {row->at.t.dtype, row->golden_dtype};
    const dc_golden *g = dc_run_golden(u->ask, row);
    dc_status st = dc_shape_parse(&shape, dc_pool_text(u->ask->pairs->names, g->shape));
    if (st != DC_OK)
        return st;
    const dc_judged in = {.metrics = m, .dtype = {dtype[0], dtype[1]}, .shape = {&shape, &shape}};
    row->verdict = (uint8_t)dc_verdict_judge(reason, &u->ask->profile, &in);
    row->m = dc_figures_of(m, dtype);
    row->computed = true;
    return set_reason(row, u, reason);
}

static dc_status take_answer(const run *u, const dc_answer *a)
{
    dc_row *row = find_row(u, a->row);
    large *l = *large_of(u, row);
    if (a->kind == DC_ANSWER_METRICS) {
        return judge(row, u, &a->of.metrics);
    } else if (a->kind == DC_ANSWER_PART) {
        dc_metric_merge(&l->m, &a->of.part);
    } else if (a->kind == DC_ANSWER_KL) {
        dc_kl_merge(&l->k, &a->of.kl);
    } else if (!l || !l->failed) { /* the first chunk's failure stands for all */
        row->verdict = a->kind == DC_ANSWER_MISFIT ? DC_FAIL : DC_NOT_JUDGED;
        row->reason = a->text;
        if (l)
            l->failed = true;
    }
    return DC_OK;
}

static dc_status take_answers(const run *u, const dc_arrived *in)
{
    dc_answer *answer = NULL;
    size_t n = 0;
    dc_status st = dc_answer_read(&answer, &n, in, u->rows->names);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = take_answer(u, &answer[i]);
    free(answer);
    return st;
}

static dc_status make_round(const run *u, bool kl)
{
    dc_route mail = {0};
    dc_arrived tasks, answers;
    dc_status st = post_tasks(&mail, u, kl);
    st = dc_route_send(&tasks, &mail, st, u->par);
    if (st != DC_OK)
        return st;
    st = do_tasks(&mail, &tasks, u);
    st = dc_route_send(&answers, &mail, st, u->par);
    if (st != DC_OK)
        return st;
    st = take_answers(u, &answers);
    dc_arrived_free(&answers);
    return dc_par_agree(st, u->par);
}

/* Open the KL passes that the first round calls for, or that must be repeated; how many over all
 * processes. */
static uint64_t open_passes(const run *u, bool first)
{
    uint64_t open = 0;
    for (uint64_t i = 0; i < u->rows->n; i++) {
        large *l = u->large[i];
        if (!l || l->failed || (!first && !l->open))
            continue;
        l->open = first ? dc_kl_begin(&l->range, &l->m) : dc_kl_again(&l->range, &l->k);
        l->has_kl = l->has_kl || l->open;
        if (l->open)
            l->k = (dc_kl){0};
        open += l->open;
    }
    dc_par_sum_u64(&open, 1, u->par);
    return open;
}

static dc_status end_large(dc_row *row, const large *l, const run *u)
{
    const uint32_t dtype[2] = {row->at.t.dtype, row->golden_dtype};
    dc_metrics m;
    if (l->failed)
        return DC_OK;
    dc_metric_finish(&m, &l->m, l->has_kl ? &l->k : NULL, dtype);
    return judge(row, u, &m);
}

static dc_status make_batch(run *u)
{
    dc_status st = dc_run_plan(&u->plan, u->rows, &u->batch, u->ask, u->par);
    if (st == DC_OK)
        st = make_round(u, false);
    for (bool first = true; st == DC_OK && !u->ask->no_kl && open_passes(u, first); first = false)
        st = make_round(u, true);
    for (uint64_t i = 0; i < u->rows->n; i++) {
        if (st == DC_OK && u->large[i])
            st = end_large(&u->rows->row[i], u->large[i], u);
        free(u->large[i]);
        u->large[i] = NULL;
    }
    free(u->plan.leg);
    return dc_par_agree(st, u->par);
}

/* What was not computed: why, and what pairing assumed. */
static dc_status end_rows(const run *u)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < u->rows->n; i++) {
        dc_row *row = &u->rows->row[i];
        char reason[DC_REASON];
        snprintf(reason, sizeof reason, "%s", dc_pool_text(u->rows->names, row->reason));
        if (!row->computed)
            st = set_reason(row, u, reason);
    }
    return st;
}

dc_status dc_run_compare(dc_rows *out, const dc_run_ask *ask, const dc_par *par)
{
    *out = (dc_rows){0};
    run u = {.ask = ask, .par = par, .rows = out};
    dc_status st = dc_par_agree(make_rows(&u), par);
    if (st == DC_OK)
        st = dc_run_first_batch(&u.batch, ask, par);
    for (; st == DC_OK && u.batch.at < u.batch.of; u.batch.at++)
        st = make_batch(&u);
    if (st == DC_OK)
        st = dc_par_agree(end_rows(&u), par);
    free(u.large);
    free(u.batch.key);
    if (st != DC_OK)
        dc_rows_fini(out);
    return st;
}
