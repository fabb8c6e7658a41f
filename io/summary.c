/* io/summary.c - one tensor in nine numbers: extrema, mean, norm, and counts of NaN, Inf and zero.
 */
#include "io/summary.h"

#include "io/dtype.h"
#include "io/load.h"
#include "io/summary_kernel.h"
#include "io/widen.h"

#include <math.h>

#define EXTREME 460 /* binary exponent: 2^40 squares of such values still fit a double */

void dc_summary_ref(dc_summary_lanes *l, const double *v, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++) {
        size_t lane = i % DC_SUMMARY_LANES;
        double x = v[i];
        l->sum[lane] += x;
        l->sq[lane] += x * x;
        l->min[lane] = l->min[lane] < x ? l->min[lane] : x;
        l->max[lane] = l->max[lane] > x ? l->max[lane] : x;
        l->zero[lane] += x == 0;
    }
}

static void run(dc_summary_lanes *l, const double *v, size_t n, dc_isa isa)
{
    *l = (dc_summary_lanes){0};
    for (int i = 0; i < DC_SUMMARY_LANES; i++) {
        l->min[i] = INFINITY;
        l->max[i] = -INFINITY;
    }
#ifdef __x86_64__
    if (isa >= DC_ISA_AVX2)
        dc_summary_avx2(l, v, n);
    else
#endif
        if (isa >= DC_ISA_V128)
        dc_summary_v128(l, v, n);
    else
        dc_summary_ref(l, v, 0, n);
}

static double fold(const double *v)
{
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* Extrema and zeros; the sums are set apart since they may be of scaled values. */
static void set_extrema(dc_summary *s, const dc_summary_lanes *l, size_t n)
{
    s->finite = n;
    s->min = l->min[0];
    s->max = l->max[0];
    for (int i = 0; i < DC_SUMMARY_LANES; i++) {
        s->min = l->min[i] < s->min ? l->min[i] : s->min;
        s->max = l->max[i] > s->max ? l->max[i] : s->max;
        s->zero += (uint64_t)l->zero[i];
    }
}

/* Pack the finite elements of v to the front and count the others; returns how many are left. */
static size_t sift(dc_summary *s, double *v, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        double x = v[i];
        s->nan += isnan(x) ? 1 : 0;
        s->pos_inf += x == INFINITY;
        s->neg_inf += x == -INFINITY;
        v[kept] = x;
        kept += isfinite(x) ? 1 : 0;
    }
    return kept;
}

/* A block with NaN, Inf, or values whose squares leave the range of doubles. */
static void block_with_care(dc_summary *s, double *v, size_t n, dc_isa isa)
{
    dc_summary_lanes l;
    int e = 0;

    n = sift(s, v, n);
    if (n == 0)
        return;
    run(&l, v, n, isa);
    set_extrema(s, &l, n);
    (void)frexp(fmax(fabs(s->min), fabs(s->max)), &e);
    if (e > EXTREME || e < -EXTREME) {
        s->exp = e < -1000 ? -1000 : e;
        for (size_t i = 0; i < n; i++)
            v[i] = ldexp(v[i], -s->exp);
        run(&l, v, n, isa);
    }
    s->sum.hi = fold(l.sum);
    s->sum_sq.hi = fold(l.sq);
}

static void add_block(dc_summary *s, double *v, size_t n, dc_isa isa)
{
    dc_summary block = {0};
    dc_summary_lanes l;
    double sq;

    run(&l, v, n, isa);
    sq = fold(l.sq);
    if (sq < ldexp(1, 2 * EXTREME) && sq > ldexp(1, -2 * EXTREME)) {
        set_extrema(&block, &l, n);
        block.sum.hi = fold(l.sum);
        block.sum_sq.hi = sq;
    } else {
        block_with_care(&block, v, n, isa); /* also blocks of zeros */
    }
    dc_summary_merge(s, &block);
}

void dc_summary_add(dc_summary *s, const void *data, uint32_t dtype, uint64_t n)
{
    dc_isa isa = dc_isa_choose();
    size_t parts = dc_widen_parts(dtype);
    double v[2 * DC_SUMMARY_BLOCK];

    if (!dc_widen_supported(dtype))
        return;
    for (uint64_t i = 0; i < n; i += DC_SUMMARY_BLOCK) {
        size_t count = (size_t)(n - i < DC_SUMMARY_BLOCK ? n - i : DC_SUMMARY_BLOCK);
        dc_load(v, data, dtype, i, count, isa);
        add_block(s, v, count * parts, isa);
    }
}

static void rescale(dc_summary *s, int32_t exp)
{
    int32_t by = s->exp - exp;

    s->sum = (dc_sum){ldexp(s->sum.hi, by), ldexp(s->sum.lo, by)};
    s->sum_sq = (dc_sum){ldexp(s->sum_sq.hi, 2 * by), ldexp(s->sum_sq.lo, 2 * by)};
    s->exp = exp;
}

/* Add part's values to s's: both have some. The larger scale wins; zeros have none. */
static void merge_values(dc_summary *s, const dc_summary *part)
{
    dc_summary p = *part;

    if (s->exp != p.exp) {
        int32_t exp = s->exp > p.exp ? s->exp : p.exp;
        if (s->min == 0 && s->max == 0)
            exp = p.exp;
        if (p.min == 0 && p.max == 0)
            exp = s->exp;
        rescale(s, exp);
        rescale(&p, exp);
    }
    s->sum = dc_sum_merge(s->sum, p.sum);
    s->sum_sq = dc_sum_merge(s->sum_sq, p.sum_sq);
    s->min = p.min < s->min ? p.min : s->min;
    s->max = p.max > s->max ? p.max : s->max;
}

void dc_summary_merge(dc_summary *s, const dc_summary *part)
{
    if (s->finite && part->finite) {
        merge_values(s, part);
    } else if (part->finite) {
        s->sum = part->sum;
        s->sum_sq = part->sum_sq;
        s->min = part->min;
        s->max = part->max;
        s->exp = part->exp;
    }
    s->finite += part->finite;
    s->nan += part->nan;
    s->pos_inf += part->pos_inf;
    s->neg_inf += part->neg_inf;
    s->zero += part->zero;
}

void dc_summary_finish(dc_result *out, const dc_summary *s)
{
    out->min = s->finite ? s->min : NAN;
    out->max = s->finite ? s->max : NAN;
    out->mean = s->finite ? ldexp(dc_sum_value(s->sum) / (double)s->finite, s->exp) : NAN;
    out->l2 = ldexp(sqrt(dc_sum_value(s->sum_sq)), s->exp);
    out->nan = s->nan;
    out->pos_inf = s->pos_inf;
    out->neg_inf = s->neg_inf;
    out->zero = s->zero;
}
