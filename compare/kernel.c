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

static void ref_kl(dc_kl_lanes *l, const double *x, const double *y, size_t n, const dc_kl_range *r)
{
    dc_ref_kl(l, x, y, 0, n, r);
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

void dc_pair_fold(dc_pair_sums *out, const dc_pair_lanes *l)
{
    memset(out, 0, sizeof *out);
    for (int s = 0; s < DC_SUMS; s++)
        out->sum[s] = dc_fold8(l->sum[s]);
    for (int e = 0; e < DC_EXTREMA; e++) {
        bool least = e == DC_EXT_MIN_X || e == DC_EXT_MIN_Y;
        out->ext[e] = l->ext[e][0];
        for (int i = 1; i < DC_LANE_COUNT; i++)
            if (least ? l->ext[e][i] < out->ext[e] : l->ext[e][i] > out->ext[e])
                out->ext[e] = l->ext[e][i];
    }
    for (int c = 0; c < DC_COUNTS; c++)
        for (int i = 0; i < DC_LANE_COUNT; i++)
            out->count[c] += (uint64_t)l->count[c][i];
}
