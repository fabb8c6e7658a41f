/* mpi/order.c - see order.h */
#include "mpi/order.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 64 /* per process: shares differ by about 1/64 of the mean */

/* Every stride-th item of the whole, so that processes with more items weigh more. */
static dc_status sample(char **all, uint64_t *count, const char *item, uint64_t n, size_t size,
                        const dc_par *par)
{
    uint64_t total = n, bytes = 0;
    dc_par_sum_u64(&total, 1, par);
    uint64_t stride = total / (SAMPLES * (uint64_t)par->processes);
    stride += stride == 0;
    uint64_t mine = (n + stride - 1) / stride;
    char *some = malloc(mine * size + 1);
    dc_status st = dc_par_agree(some ? DC_OK : dc_fail_memory(), par);
    for (uint64_t i = 0; st == DC_OK && some && i < mine; i++)
        memcpy(some + i * size, item + i * stride * size, size);
    if (st == DC_OK)
        st = dc_par_allgather(all, &bytes, NULL, some, mine * size, par);
    free(some);
    *count = bytes / size;
    return st;
}

dc_status dc_order_owners(int32_t *owner, const void *item, uint64_t n, size_t size,
                          dc_order_compare compare, const dc_par *par)
{
    const char *items = item;
    char *all = NULL;
    uint64_t count = 0, np = (uint64_t)par->processes;
    dc_status st = sample(&all, &count, items, n, size, par);
    if (st != DC_OK)
        return st;
    qsort(all, count, size, compare);
    int32_t p = 0;
    for (uint64_t i = 0; i < n; i++) { /* process p+1 begins at sample (p+1)*count/np */
        while (p + 1 < par->processes &&
               compare(all + (uint64_t)(p + 1) * count / np * size, items + i * size) <= 0)
            p++;
        owner[i] = p;
    }
    free(all);
    return DC_OK;
}
