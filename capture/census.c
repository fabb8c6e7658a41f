/* capture/census.c - see census.h */
#include "capture/census.h"

#include "io/cmp.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return DC_CMP(*x, *y);
}

static uint64_t sort_unique(int64_t *v, uint64_t n)
{
    uint64_t kept = 0;
    if (n)
        qsort(v, n, sizeof *v, compare);
    for (uint64_t i = 0; i < n; i++)
        if (kept == 0 || v[kept - 1] != v[i])
            v[kept++] = v[i];
    return kept;
}

/* How many different values all processes' v[0..n) have; v is reordered. */
static dc_status distinct(uint64_t *out, int64_t *v, uint64_t n, const dc_par *par)
{
    char *all;
    uint64_t bytes, mine = sort_unique(v, n);
    dc_status st = dc_par_allgather(&all, &bytes, NULL, v, mine * sizeof *v, par);
    if (st != DC_OK)
        return st;
    *out = sort_unique((int64_t *)(void *)all, bytes / sizeof *v);
    free(all);
    return DC_OK;
}

dc_status dc_census_take(dc_census *out, const dc_tensor *row, uint64_t n, const dc_par *par)
{
    dc_census c = {0};
    int64_t *v = malloc((n + 1) * sizeof *v);
    dc_status st = dc_par_agree(v ? DC_OK : dc_fail_memory(), par);
#define X(field, name, column)                                                                     \
    for (uint64_t i = 0; st == DC_OK && i < n; i++)                                                \
        v[i] = (int64_t)row[i].column;                                                             \
    if (st == DC_OK)                                                                               \
        st = distinct(&c.field, v, n, par);
    DC_CENSUS(X)
#undef X
    c.tensors = n;
    for (uint64_t i = 0; i < n; i++) {
        c.bytes += dc_tensor_stored(&row[i]);
        c.cut += (row[i].flags & DC_DUMP_SHORT) != 0;
        c.absent += (row[i].flags & DC_DUMP_NULL_ADDRESS) != 0;
    }
    uint64_t *const total[] = {&c.tensors, &c.bytes, &c.cut, &c.absent};
    for (size_t i = 0; st == DC_OK && i < sizeof total / sizeof *total; i++)
        dc_par_sum_u64(total[i], 1, par);
    free(v);
    *out = c;
    return st;
}

void dc_census_print(char *text, size_t size, const dc_census *c)
{
    size_t used = 0;
#define X(field, name, column)                                                                     \
    used += (size_t)snprintf(text + used, size - used, "%" PRIu64 " %s, ", c->field,               \
                             dc_word(c->field, name, name "s"));
    DC_CENSUS(X)
#undef X
    snprintf(text + used, size - used, "%" PRIu64 " %s, %.3f MB", c->tensors,
             dc_word(c->tensors, "tensor", "tensors"), (double)c->bytes / 1e6);
}
