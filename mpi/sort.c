/* mpi/sort.c - a sample sort: sort locally, agree on splitters, exchange, sort again. See sort.h.
 */
#include "mpi/sort.h"

#include <stdlib.h>
#include <string.h>

#define OVERSAMPLE 16 /* samples a process offers per process: evens out the parts */

static int compare(const void *a, const void *b)
{
    return dc_tensor_compare(a, b);
}

static int compare_identity(const void *a, const void *b)
{
    return dc_tensor_compare_identity(a, b);
}

/* Every process's regular samples, sorted; splitter p = sample p * count / processes. */
static dc_status gather_samples(dc_tensor **sample, size_t *count, const char *row, size_t n,
                                size_t size, const dc_par *par)
{
    size_t mine = (size_t)OVERSAMPLE * (size_t)par->processes;
    if (mine > n)
        mine = n;
    dc_tensor *local = malloc((mine + 1) * sizeof *local);
    uint64_t bytes;
    dc_status st = dc_par_agree(local ? DC_OK : dc_fail_memory(), par);
    for (size_t i = 0; st == DC_OK && i < mine; i++)
        memcpy(&local[i], row + i * n / mine * size, sizeof *local);
    if (st == DC_OK)
        st = dc_par_allgather((char **)sample, &bytes, NULL, local, mine * sizeof *local, par);
    free(local);
    if (st != DC_OK)
        return st;
    *count = bytes / sizeof **sample;
    qsort(*sample, *count, sizeof **sample, compare_identity);
    return DC_OK;
}

/* First row that is not before the splitter. */
static size_t lower_bound(const char *row, size_t n, size_t size, const dc_tensor *splitter)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_identity(row + mid * size, splitter) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

dc_status dc_sort_rows(void **row, size_t *n, size_t size, const dc_par *par)
{
    if (*n)
        qsort(*row, *n, size, compare);
    if (par->processes == 1)
        return DC_OK;
    dc_tensor *sample = NULL;
    char *in = NULL;
    size_t samples = 0, np = (size_t)par->processes;
    uint64_t bytes = 0, *count = calloc(np, sizeof *count);
    dc_status st = dc_par_agree(count ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK)
        st = gather_samples(&sample, &samples, *row, *n, size, par);
    if (st == DC_OK) {
        size_t from = 0;
        for (size_t p = 0; p < np; p++) {
            size_t to = p + 1 < np && samples
                            ? lower_bound(*row, *n, size, &sample[(p + 1) * samples / np])
                            : *n;
            to = to < from ? from : to;
            count[p] = (to - from) * size;
            from = to;
        }
        st = dc_par_exchange(&in, &bytes, NULL, *row, count, par);
    }
    if (st == DC_OK) {
        free(*row);
        *row = in;
        *n = bytes / size;
        if (*n)
            qsort(*row, *n, size, compare);
    }
    free(sample);
    free(count);
    return st;
}
