/* tests/demo/demo_fault.c - see demo_fault.h */
#include "tests/demo/demo_fault.h"

#include "io/dtype.h"
#include "io/format.h"
#include "tests/demo/demo_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RANK 3
#define SPACING      29 /* elements from one infinity or NaN to the next */

const char *dc_demo_fault_name(dc_demo_kind kind)
{
    static const char *const names[] = {"none",
#define X(id, name, ...) name,
                                        DC_DEMO_FAULTS(X)
#undef X
    };
    return names[kind];
}

bool dc_demo_fault_possible(const dc_demo_plan *plan, int node, dc_demo_kind kind)
{
    const dc_demo_node *n = &plan->node[node];
    const dc_demo_tensor *out = &plan->tensor[n->out[0]];
    bool reduces = n->flags & DC_DEMO_REDUCE && plan->options.ranks > 1;
    if (!n->origin || n->flags & DC_DEMO_NO_TASK || dc_dtype_get(out->dtype)->kind != DC_KIND_FLOAT)
        return false;
    switch (kind) {
    case DC_DEMO_SWAP:
        return out->format == DC_FORMAT_NC1HWC0;
    case DC_DEMO_STALE:
        return n->flags & DC_DEMO_WEIGHT;
    case DC_DEMO_CONTRIBUTION:
    case DC_DEMO_RESULT:
        return reduces;
    default:
        return kind != DC_DEMO_NO_FAULT;
    }
}

void dc_demo_fault_list(const dc_demo_plan *plan)
{
    for (int node = 0; node < plan->nodes; node++)
        for (int kind = 1; kind < DC_DEMO_KINDS; kind++)
            if (dc_demo_fault_possible(plan, node, (dc_demo_kind)kind))
                printf("%s:%s\n", plan->node[node].origin->name,
                       dc_demo_fault_name((dc_demo_kind)kind));
}

static int find_node(const dc_demo_plan *plan, const char *name)
{
    for (int i = 0; i < plan->nodes; i++) {
        const dc_demo_node *node = &plan->node[i];
        if (!strcmp(node->name, name))
            return i;
        for (const dc_demo_row *row = node->first; row <= node->last; row++)
            if (!strcmp(row->name, name))
                return i;
    }
    return -1;
}

static dc_demo_kind find_kind(const char *name)
{
    for (int kind = 1; kind < DC_DEMO_KINDS; kind++)
        if (!strcmp(dc_demo_fault_name((dc_demo_kind)kind), name))
            return (dc_demo_kind)kind;
    return DC_DEMO_NO_FAULT;
}

/* text is OP:KIND[@RANK] and is cut up. */
static dc_status parse(dc_demo_fault *fault, const dc_demo_plan *plan, char *text)
{
    const char *whole = plan->options.fault;
    char *at = strrchr(text, '@'), *end = NULL;
    int last = plan->options.ranks - 1;
    fault->rank = last < DEFAULT_RANK ? last : DEFAULT_RANK;
    fault->step = plan->options.steps > 1 ? 1 : 0;
    if (at) {
        *at++ = '\0';
        long rank = strtol(at, &end, 10);
        if (end == at || *end || rank < 0 || rank > last)
            return dc_fail(DC_EARG, "--fault %s: the rank must be 0 to %d", whole, last);
        fault->rank = (int)rank;
    }
    char *colon = strrchr(text, ':');
    if (!colon)
        return dc_fail(DC_EARG, "--fault %s: give OP:KIND[@RANK]", whole);
    *colon++ = '\0';
    fault->node = find_node(plan, text);
    fault->kind = find_kind(colon);
    if (fault->node < 0)
        return dc_fail(DC_EARG, "--fault %s: no operator is called '%s'; see --list-faults", whole,
                       text);
    if (!dc_demo_fault_possible(plan, fault->node, fault->kind))
        return dc_fail(DC_EARG, "--fault %s: '%s' cannot have the fault '%s'; see --list-faults",
                       whole, text, colon);
    return DC_OK;
}

dc_status dc_demo_fault_parse(dc_demo_fault *fault, const dc_demo_plan *plan)
{
    *fault = (dc_demo_fault){.kind = DC_DEMO_NO_FAULT};
    if (!plan->options.fault)
        return DC_OK;
    char *text = strdup(plan->options.fault);
    dc_status st = text ? parse(fault, plan, text) : dc_fail_memory();
    free(text);
    return st;
}

char *dc_demo_fault_text(const dc_demo_fault *fault, const dc_demo_plan *plan)
{
    if (fault->kind == DC_DEMO_NO_FAULT)
        return dc_demo_text("planted: nothing\n");
    const dc_demo_node *node = &plan->node[fault->node];
    return dc_demo_text("planted: operator %s (NPU %s %s), kind %s, step %d, rank %d\n",
                        node->origin->name, node->first->type, node->name,
                        dc_demo_fault_name(fault->kind), fault->step, fault->rank);
}

bool dc_demo_fault_at(const dc_demo_fault *fault, int node, int rank, int step)
{
    return fault->kind != DC_DEMO_NO_FAULT && fault->node == node && fault->rank == rank &&
           step >= fault->step;
}

/* Far from anything right: twice the largest. */
static void make_constant(float *v, uint64_t n)
{
    float top = 0;
    for (uint64_t i = 0; i < n; i++)
        top = fabsf(v[i]) > top ? fabsf(v[i]) : top;
    for (uint64_t i = 0; i < n; i++)
        v[i] = top > 0 ? 2 * top : 1;
}

static void swap_channels(float *v, const dc_demo_tensor *t)
{
    uint64_t c = t->shape.dim[t->shape.rank - 1];
    for (uint64_t i = 0; i < t->n; i += c) {
        float first = v[i];
        memmove(v + i, v + i + 1, (c - 1) * sizeof *v);
        v[i + c - 1] = first;
    }
}

void dc_demo_fault_spoil(const dc_demo_fault *fault, float *v, const dc_demo_tensor *t)
{
    if (dc_dtype_get(t->dtype)->kind != DC_KIND_FLOAT)
        return;
    if (fault->kind == DC_DEMO_CONSTANT)
        make_constant(v, t->n);
    else if (fault->kind == DC_DEMO_SWAP)
        swap_channels(v, t);
    for (uint64_t i = 0; i < t->n; i += SPACING) {
        if (fault->kind == DC_DEMO_INF)
            v[i] = INFINITY;
        else if (fault->kind == DC_DEMO_NAN)
            v[i] = NAN;
    }
}
