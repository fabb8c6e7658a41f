/* tests/demo/demo_run.c - see demo_run.h */
#include "tests/demo/demo_run.h"

#include "io/dtype.h"
#include "tests/demo/demo_device.h"
#include "tests/demo/demo_net.h"
#include "tests/demo/demo_write.h"

#include <stdlib.h>
#include <string.h>

#define SEED       20240613 /* of the weights all ranks start from */
#define STALE_SEED 7

typedef float *tensors[DC_DEMO_MAX_TENSORS]; /* by id; 0: the block of memory they lie in */

/* One side of the comparison: the tensors of this process's ranks. */
typedef struct side {
    bool device;
    tensors *rank; /* [ranks of this process] */
} side;

typedef struct run {
    const dc_demo_plan *plan;
    const dc_demo_fault *fault;
    const dc_par *par;
    int first, ranks; /* this process's */
    int step;
    side side[2];
} run;

int dc_demo_first_rank(const dc_demo_plan *plan, int process, int processes)
{
    return (int)((int64_t)plan->options.ranks * process / processes);
}

static uint64_t all_elements(const dc_demo_plan *plan)
{
    uint64_t n = 0;
    for (int id = 1; id < plan->tensors; id++)
        n += plan->tensor[id].n;
    return n;
}

/* A rank's tensors lie one after the other in one block. */
static dc_status side_init(side *s, const run *r, bool device)
{
    const dc_demo_plan *plan = r->plan;
    s->device = device;
    s->rank = calloc((size_t)r->ranks + 1, sizeof *s->rank);
    if (!s->rank)
        return dc_fail_memory();
    for (int i = 0; i < r->ranks; i++) {
        float *at = s->rank[i][0] = calloc(all_elements(plan) + 1, sizeof *at);
        if (!at)
            return dc_fail_memory();
        for (int id = 1; id < plan->tensors; id++) {
            s->rank[i][id] = at;
            at += plan->tensor[id].n;
            if (plan->tensor[id].row->flags & DC_DEMO_VARIABLE)
                dc_demo_first_value(s->rank[i][id], &plan->tensor[id], SEED);
        }
    }
    return DC_OK;
}

static void side_free(side *s, const run *r)
{
    for (int i = 0; s->rank && i < r->ranks; i++)
        free(s->rank[i][0]);
    free(s->rank);
}

static bool faulty(const run *r, const side *s, int node, int rank, dc_demo_kind kind)
{
    return s->device && r->fault->kind == kind && dc_demo_fault_at(r->fault, node, rank, r->step);
}

/* Call a kernel with the weights this rank had before the common start in place of the right ones.
 */
static dc_status call_stale(const dc_demo_call *call, tensors v)
{
    int id = call->row->in[1], variable = id;
    while (call->plan->tensor[variable].row->in[0])
        variable = call->plan->tensor[variable].row->in[0];
    const dc_demo_tensor *t = &call->plan->tensor[id];
    float *right = v[id], *stale = malloc(t->n * sizeof *stale);
    if (!stale)
        return dc_fail_memory();
    dc_demo_first_value(stale, &call->plan->tensor[variable], STALE_SEED);
    dc_demo_round(stale, t->n, t->dtype);
    v[id] = stale;
    call->row->kernel(call);
    v[id] = right;
    free(stale);
    return DC_OK;
}

static dc_status compute(const run *r, const side *s, int node, int i)
{
    const dc_demo_node *n = &r->plan->node[node];
    bool stale = faulty(r, s, node, r->first + i, DC_DEMO_STALE);
    dc_status st = DC_OK;
    for (const dc_demo_row *row = n->first; st == DC_OK && row <= n->last; row++) {
        dc_demo_call call = {r->plan, row, s->rank[i], (uint64_t)(r->first + i), (uint64_t)r->step};
        if (stale && row->flags & DC_DEMO_WEIGHT)
            st = call_stale(&call, s->rank[i]);
        else
            row->kernel(&call);
    }
    return st;
}

/* What follows a computation: the device rounds, goes wrong if it is to, and is dumped; the
 * reference is saved. */
static dc_status settle(const run *r, const side *s, int node, int i)
{
    const dc_demo_plan *plan = r->plan;
    const dc_demo_node *n = &plan->node[node];
    const int rank_step[2] = {r->first + i, r->step};
    dc_status st = DC_OK;
    for (int k = 0; s->device && k < n->nout; k++) {
        const dc_demo_tensor *t = &plan->tensor[n->out[k]];
        if (dc_demo_fault_at(r->fault, node, rank_step[0], r->step))
            dc_demo_fault_spoil(r->fault, s->rank[i][n->out[k]], t);
        dc_demo_round(s->rank[i][n->out[k]], t->n, t->dtype);
    }
    if (s->device && !(n->flags & DC_DEMO_NO_TASK)) {
        int what = DC_DEMO_OUTPUTS | (n->flags & DC_DEMO_REDUCE ? 0 : DC_DEMO_INPUTS);
        return dc_demo_write_dump(plan, n, s->rank[i], rank_step, what);
    }
    for (const dc_demo_row *row = n->first; !s->device && st == DC_OK && row <= n->last; row++)
        st = dc_demo_write_golden(plan, &plan->tensor[row->id], s->rank[i][row->id], rank_step);
    for (int k = 1; !s->device && st == DC_OK && k < n->nout; k++)
        st = dc_demo_write_golden(plan, &plan->tensor[n->out[k]], s->rank[i][n->out[k]], rank_step);
    return st;
}

/* This process's parts of an all-reduce, rank after rank. */
static float *parts_of(const run *r, const side *s, const dc_demo_node *n, int k)
{
    uint64_t count = r->plan->tensor[n->in[k]].n;
    float *parts = malloc(count * (size_t)r->ranks * sizeof *parts + 1);
    for (int i = 0; parts && i < r->ranks; i++) {
        float *part = parts + (uint64_t)i * count;
        memcpy(part, s->rank[i][n->in[k]], count * sizeof *part);
    }
    if (!parts)
        (void)dc_fail_memory();
    return parts;
}

/* Output k of an all-reduce: the sum of every rank's input k, in rank order. Collective. */
static dc_status reduce(const run *r, const side *s, int node, int k)
{
    const dc_demo_node *n = &r->plan->node[node];
    uint64_t count = r->plan->tensor[n->in[k]].n, total;
    float *mine = parts_of(r, s, n, k);
    char *all = NULL;
    dc_status st = dc_par_agree(mine ? DC_OK : DC_ENOMEM, r->par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &total, NULL, mine, count * (size_t)r->ranks * sizeof *mine,
                              r->par);
    free(mine);
    const float *part = (const float *)(const void *)all;
    for (int i = 0; st == DC_OK && i < r->ranks; i++) {
        float *sum = s->rank[i][n->out[k]];
        memset(sum, 0, count * sizeof *sum);
        for (uint64_t e = 0; e < count * (uint64_t)r->plan->options.ranks; e++)
            sum[e % count] += part[e];
        if (faulty(r, s, node, r->first + i, DC_DEMO_RESULT))
            memcpy(sum, s->rank[i][n->in[k]], count * sizeof *sum);
    }
    free(all);
    return st;
}

/* What a rank hands over is not what its gradients are: they were right when their operators dumped
 * them. */
static void spoil_contribution(const run *r, const side *s, const dc_demo_node *n, int i)
{
    for (int k = 0; k < n->nin; k++) {
        const dc_demo_tensor *t = &r->plan->tensor[n->in[k]];
        float *part = s->rank[i][n->in[k]];
        for (uint64_t e = 0; e < t->n; e++)
            part[e] *= -(float)r->plan->options.ranks;
        dc_demo_round(part, t->n, t->dtype);
    }
}

static dc_status all_reduce(const run *r, const side *s, int node)
{
    const dc_demo_node *n = &r->plan->node[node];
    dc_status st = DC_OK;
    for (int i = 0; s->device && st == DC_OK && i < r->ranks; i++) {
        const int rank_step[2] = {r->first + i, r->step};
        if (faulty(r, s, node, rank_step[0], DC_DEMO_CONTRIBUTION))
            spoil_contribution(r, s, n, i);
        st = dc_demo_write_dump(r->plan, n, s->rank[i], rank_step, DC_DEMO_INPUTS);
    }
    st = dc_par_agree(st, r->par);
    for (int k = 0; st == DC_OK && k < n->nout; k++)
        st = reduce(r, s, node, k);
    return st;
}

/* The step's last act: what the updates made is what the variables are. */
static void keep_variables(const run *r, const side *s)
{
    for (int i = 0; i < r->ranks; i++) {
        for (int id = 1; id < r->plan->tensors; id++) {
            const dc_demo_tensor *t = &r->plan->tensor[id];
            int variable = t->row->in[0];
            if (t->row->kernel == dc_demo_apply || t->row->kernel == dc_demo_add)
                memcpy(s->rank[i][variable], s->rank[i][id], t->n * sizeof(float));
        }
    }
}

/* One step of one side. Every process passes every all-reduce, unless all leave together. */
static dc_status run_step(const run *r, const side *s)
{
    dc_status st = DC_OK;
    for (int node = 0; node < r->plan->nodes; node++) {
        if (r->plan->node[node].flags & DC_DEMO_REDUCE) {
            st = dc_par_agree(st, r->par);
            if (st != DC_OK)
                return st;
            st = all_reduce(r, s, node);
            if (st != DC_OK)
                return st;
        }
        for (int i = 0; st == DC_OK && i < r->ranks; i++) {
            st = compute(r, s, node, i);
            if (st == DC_OK)
                st = settle(r, s, node, i);
        }
    }
    keep_variables(r, s);
    return dc_par_agree(st, r->par);
}

static dc_status make_dirs(const run *r)
{
    dc_status st = DC_OK;
    for (int i = 0; st == DC_OK && i < r->ranks; i++) {
        const int rank_step[2] = {r->first + i, r->step};
        st = dc_demo_make_dirs(r->plan, rank_step);
    }
    return dc_par_agree(st, r->par);
}

dc_status dc_demo_run(const dc_demo_plan *plan, const dc_demo_fault *fault, const dc_par *par)
{
    run r = {.plan = plan, .fault = fault, .par = par};
    r.first = dc_demo_first_rank(plan, par->process, par->processes);
    r.ranks = dc_demo_first_rank(plan, par->process + 1, par->processes) - r.first;
    dc_status st = side_init(&r.side[0], &r, false);
    if (st == DC_OK)
        st = side_init(&r.side[1], &r, true);
    st = dc_par_agree(st, par);
    for (; st == DC_OK && r.step < plan->options.steps; r.step++) {
        st = make_dirs(&r);
        for (int i = 0; st == DC_OK && i < 2; i++)
            st = run_step(&r, &r.side[i]);
    }
    side_free(&r.side[0], &r);
    side_free(&r.side[1], &r);
    return st;
}
