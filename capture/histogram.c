/* capture/histogram.c - see histogram.h */
#include "capture/histogram.h"

#include "io/load.h"
#include "io/widen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 1024
#define BAR   40 /* characters of the longest bar */

void dc_histogram_begin(dc_histogram *h, double lo, double hi, bool integers)
{
    *h = (dc_histogram){.lo = lo, .hi = hi, .bins = DC_HISTOGRAM_BINS};
    h->whole = integers && hi - lo < DC_HISTOGRAM_BINS;
    if (h->whole)
        h->bins = (int)(hi - lo) + 1;
    else if (lo == hi)
        h->bins = 1;
}

/* The lower end of bin i; halves, so that the largest doubles stay in range. */
static double edge(const dc_histogram *h, int i)
{
    double part = (double)i / h->bins;
    return h->whole       ? h->lo + i
           : i == h->bins ? h->hi
                          : 2 * (h->lo / 2 + (h->hi / 2 - h->lo / 2) * part);
}

static int bin_of(const dc_histogram *h, double v)
{
    double span = h->hi / 2 - h->lo / 2;
    int i = 0;
    if (h->whole)
        i = (int)(v - h->lo);
    else if (span > 0)
        i = (int)((v / 2 - h->lo / 2) / span * h->bins);
    return i < 0 ? 0 : i < h->bins ? i : h->bins - 1;
}

void dc_histogram_add(dc_histogram *h, const void *data, uint32_t dtype, uint64_t n)
{
    double v[2 * BLOCK];
    size_t parts = dc_widen_parts(dtype);
    for (uint64_t i = 0; i < n; i += BLOCK) {
        size_t count = (size_t)(n - i < BLOCK ? n - i : BLOCK);
        dc_load(v, data, dtype, i, count, dc_isa_choose());
        for (size_t k = 0; k < count * parts; k++)
            if (isfinite(v[k]) && v[k] >= h->lo && v[k] <= h->hi)
                h->bin[bin_of(h, v[k])]++;
    }
}

static void print_range(char *text, size_t size, const dc_histogram *h, int i)
{
    if (h->whole || h->bins == 1)
        snprintf(text, size, "%.6g", edge(h, i));
    else
        snprintf(text, size, "[%.4g, %.4g%s", edge(h, i), edge(h, i + 1),
                 i + 1 == h->bins ? "]" : ")");
}

dc_status dc_histogram_print(dc_buf *out, const dc_histogram *h)
{
    static const char bar[BAR + 1] = "########################################";
    uint64_t most = 1;
    int wide = 0;
    char range[64];
    for (int i = 0; i < h->bins; i++) {
        most = h->bin[i] > most ? h->bin[i] : most;
        print_range(range, sizeof range, h, i);
        wide = (int)strlen(range) > wide ? (int)strlen(range) : wide;
    }
    dc_status st = DC_OK;
    for (int i = 0; st == DC_OK && i < h->bins; i++) {
        int length = (int)((double)h->bin[i] / (double)most * BAR);
        print_range(range, sizeof range, h, i);
        length = length == 0 && h->bin[i] ? 1 : length;
        st = dc_buf_printf(out, "  %-*s %12" PRIu64 "%s%.*s\n", wide, range, h->bin[i],
                           length ? " " : "", length, bar);
    }
    return st;
}
