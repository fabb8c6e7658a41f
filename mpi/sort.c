/* mpi/sort.c - a sample sort: sort locally, agree on splitters, exchange, sort again. See sort.h.
 */
#include "mpi/sort.h"

#include "mpi/route.h"

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

/* Every process's regular samples, sorted; splitter p = sample p * n / processes. */
typedef struct samples {
    dc_tensor *row;
    size_t n;
} samples;

static dc_status gather_samples(samples *out, const char *row, size_t n, size_t size,
                                const dc_par *par)
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
        st = dc_par_allgather((char **)&out->row, &bytes, NULL, local, mine * sizeof *local, par);
    free(local);
    if (st != DC_OK)
        return st;
    out->n = bytes / sizeof *out->row;
    if (out->n)
        qsort(out->row, out->n, sizeof *out->row, compare_identity);
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

/* The sorted rows, in the mail: cut off the end, so that they are not in memory twice. */
static dc_status post_rows(dc_route *mail, void **row, size_t n, size_t size, const samples *s,
                           const dc_par *par)
{
    size_t np = (size_t)par->processes;
    dc_status st = dc_route_begin(mail, par);
    for (size_t p = np; st == DC_OK && p-- > 0;) {
        size_t from = p && s->n ? lower_bound(*row, n, size, &s->row[p * s->n / np]) : 0;
        st = dc_route_add(mail, (int)p, (char *)*row + from * size, (n - from) * size);
        void *rest = realloc(*row, from * size + 1);
        *row = rest ? rest : *row;
        n = from;
    }
    return st;
}

dc_status dc_sort_rows(void **row, size_t *n, size_t size, const dc_par *par)
{
    if (*n)
        qsort(*row, *n, size, compare);
    if (par->processes == 1)
        return DC_OK;
    samples s = {0};
    dc_route mail = {0};
    dc_arrived in = {0};
    dc_status st = gather_samples(&s, *row, *n, size, par);
    if (st != DC_OK)
        return st;
    st = post_rows(&mail, row, *n, size, &s, par);
    free(s.row);
    *n = 0;
    st = dc_route_send(&in, &mail, st, par);
    if (st != DC_OK)
        return st;
    free(*row);
    *row = in.data;
    *n = in.total / size;
    in.data = NULL;
    dc_arrived_free(&in);
    if (*n)
        qsort(*row, *n, size, compare);
    return DC_OK;
}
