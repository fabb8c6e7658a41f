/* mpi/share.c - see share.h */
#include "mpi/share.h"

#include "io/cmp.h"
#include "io/mem.h"

#include <stdlib.h>

typedef struct item {
    uint64_t cost;
    size_t index;
} item;

typedef struct load {
    uint64_t cost;
    int32_t process;
} load;

static int by_cost_falling(const void *a, const void *b)
{
    const item *x = a, *y = b;
    int c = DC_CMP(y->cost, x->cost); /* the dearest first */
    return c ? c : DC_CMP(x->index, y->index);
}

static int lighter(const load *a, const load *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->process < b->process;
}

/* The root of a binary heap (lightest on top) got heavier: let it sink. */
static void sink(load *heap, int n)
{
    for (int at = 0, child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!lighter(&heap[child], &heap[at]))
            return;
        load t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
    }
}

dc_status dc_share_deal(int32_t *owner, const uint64_t *cost, size_t n, int processes)
{
    item *order = calloc(n + 1, sizeof *order);
    load *heap = calloc((size_t)processes, sizeof *heap);
    dc_status st = order && heap ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < n; i++)
        order[i] = (item){cost[i], i};
    for (int p = 0; st == DC_OK && p < processes; p++)
        heap[p] = (load){0, p};
    if (st == DC_OK)
        qsort(order, n, sizeof *order, by_cost_falling);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        owner[order[i].index] = heap[0].process;
        if (!dc_add_u64(&heap[0].cost, heap[0].cost, order[i].cost))
            heap[0].cost = UINT64_MAX;
        sink(heap, processes);
    }
    free(order);
    free(heap);
    return st;
}

/* Is there room for the rest below that level? */
static bool holds(uint64_t level, const uint64_t *has, uint64_t rest, int processes)
{
    uint64_t room = 0;
    for (int p = 0; p < processes && room < rest; p++)
        room += has[p] < level ? level - has[p] : 0;
    return room >= rest;
}

void dc_share_fill(uint64_t *end, const uint64_t *has, uint64_t rest, int processes)
{
    uint64_t low = 0, level = UINT64_MAX >> 1, at = 0;
    while (low < level) {
        uint64_t middle = low + (level - low) / 2;
        if (holds(middle, has, rest, processes))
            level = middle;
        else
            low = middle + 1;
    }
    for (int p = 0; p < processes; p++) {
        uint64_t room = has[p] < level ? level - has[p] : 0;
        at += room < rest - at ? room : rest - at;
        end[p] = at;
    }
}
