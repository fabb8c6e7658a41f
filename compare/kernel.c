/* compare/kernel.c - choice of a kernel, empty lanes, and adding lanes up. */
#include "compare/kernel.h"

#include <math.h>
#include <string.h>

const double dc_kl_series[DC_KL_TERMS] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,
                                          1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17,
                                          1.0 / 19, 1.0 / 21, 1.0 / 23};

static void ref_pair(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                     const dc_pair_args *a)
{
    dc_ref_pair(l, x, y, 0, n, a);
}

static void ref_kl(dc_kl_lanes *l, const double *x, const double *y, size_t n, const dc_kl_args *a)
{
    dc_ref_kl(l, x, y, 0, n, a->range);
}

static const dc_kernel kernel_ref = {ref_pair, ref_kl};

const dc_kernel *dc_kernel_get(dc_isa isa)
{
    switch (isa) {
    case DC_ISA_V128:
        return &dc_kernel_v128;
#ifdef __x86_64__
    case DC_ISA_AVX2:
        return &dc_kernel_avx2;
    case DC_ISA_AVX512:
        return &dc_kernel_avx512;
#endif
    default:
        return &kernel_ref;
    }
}

void dc_pair_clear(dc_pair_lanes *l)
{
    memset(l, 0, sizeof *l);
    for (int i = 0; i < DC_LANE_COUNT; i++) {
        l->ext[DC_EXT_MIN_X][i] = l->ext[DC_EXT_MIN_Y][i] = INFINITY;
        l->ext[DC_EXT_MAX_X][i] = l->ext[DC_EXT_MAX_Y][i] = -INFINITY;
    }
}

double dc_fold8(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* Smallest (largest) of eight; halves are compared so that vectors can do it. */
static double least(const double *lane)
{
    double v[DC_LANE_COUNT / 2];

    for (int i = 0; i < 4; i++)
        v[i] = lane[i + 4] < lane[i] ? lane[i + 4] : lane[i];
    for (int i = 0; i < 2; i++)
        v[i] = v[i + 2] < v[i] ? v[i + 2] : v[i];
    return v[1] < v[0] ? v[1] : v[0];
}

static double greatest(const double *lane)
{
    double v[DC_LANE_COUNT / 2];

    for (int i = 0; i < 4; i++)
        v[i] = lane[i + 4] > lane[i] ? lane[i + 4] : lane[i];
    for (int i = 0; i < 2; i++)
        v[i] = v[i + 2] > v[i] ? v[i + 2] : v[i];
    return v[1] > v[0] ? v[1] : v[0];
}

void dc_pair_fold(dc_pair_sums *out, const dc_pair_lanes *l)
{
    for (int s = 0; s < DC_SUMS; s++)
        out->sum[s] = dc_fold8(l->sum[s]);
    for (int e = 0; e <= DC_EXT_MIN_Y; e++)
        out->ext[e] = least(l->ext[e]);
    for (int e = DC_EXT_MAX_X; e < DC_EXTREMA; e++)
        out->ext[e] = greatest(l->ext[e]);
    for (int c = 0; c < DC_COUNTS; c++) {
        const int64_t *n = l->count[c];
        out->count[c] = (uint64_t)(n[0] + n[1] + n[2] + n[3] + n[4] + n[5] + n[6] + n[7]);
    }
}
