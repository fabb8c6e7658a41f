/* compare/metric.c - first pass over a pair: blocks to sums, sums to parts, parts merged. */
#include "compare/metric.h"

#include "compare/block.h"
#include "compare/metric_part.h"
#include "io/dtype.h"

#include <math.h>

static bool equal_values(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void set_element(dc_element *e, uint64_t index, double x, double y)
{
    *e = (dc_element){.at = index + 1,
                      .value = {isnan(x) ? NAN : x, isnan(y) ? NAN : y}}; /* no payloads */
}

static bool is_mismatch(double x, double y)
{
    return !(isfinite(x) && isfinite(y)) && !equal_values(x, y);
}

/* Count what is not finite, and find the first position where it does not match. No branches on
 * the data: a mask of -Inf is not to slow this down. */
static void count_non_finite(dc_metric *m, const dc_block *b, uint64_t base)
{
    uint64_t mismatch = 0;

    for (int s = 0; s < 2; s++) {
        uint64_t nan = 0, pos = 0, neg = 0;
        for (size_t i = 0; i < b->n; i++) {
            const double v = b->v[s][i];
            nan += (uint64_t)(v != v);
            pos += (uint64_t)(v == INFINITY);
            neg += (uint64_t)(v == -INFINITY);
        }
        m->nan[s] = nan;
        m->pos_inf[s] = pos;
        m->neg_inf[s] = neg;
    }
    for (size_t i = 0; i < b->n; i++) {
        const double x = b->v[0][i], y = b->v[1][i];
        const int bad = !(x - x == 0) | !(y - y == 0);
        const int equal = (x == y) | ((x != x) & (y != y));
        mismatch += (uint64_t)(bad & !equal);
    }
    m->mismatch = mismatch;
    for (size_t i = 0; i < b->n && m->mismatch && m->first_mismatch.at == 0; i++)
        if (is_mismatch(b->v[0][i], b->v[1][i]))
            set_element(&m->first_mismatch, base + i, b->v[0][i], b->v[1][i]);
    m->differ += m->mismatch;
    m->over += m->mismatch;
}

/* First differing and worst element; only looked for when this block can change them. */
static void find_elements(dc_metric *m, const dc_metric *so_far, const dc_block *b, uint64_t base)
{
    bool first = m->differ > 0 && so_far->first.at == 0;
    bool worst = m->max_abs > so_far->max_abs;

    for (size_t i = 0; i < b->n && (first || worst); i++) {
        const double x = b->v[0][i], y = b->v[1][i];
        if (first && !equal_values(x, y)) {
            set_element(&m->first, base + i, x, y);
            first = false;
        }
        if (worst && isfinite(x) && isfinite(y) && fabs(x - y) == m->max_abs) {
            set_element(&m->worst, base + i, x, y);
            worst = false;
        }
    }
}

/* Binary exponent to take out of values up to `size` before they are squared and added up; 0 where
 * doubles have room enough for 2^40 squares. */
static int32_t exponent(double size)
{
    int e = 0;

    if (size == 0)
        return 0;
    if (isinf(size))
        return 1024;
    (void)frexp(size, &e);
    return e > 460 ? e : e < -1000 ? -1000 : e < -460 ? e : 0;
}

static void set_exponents(dc_metric *m)
{
    for (int s = 0; s < 2; s++)
        m->exp[s] = exponent(fmax(fabs(m->min[s]), fabs(m->max[s])));
    m->exp[2] = exponent(m->max_abs);
}

/* Redo the sums of a block whose values are too large or too small to be squared. sums already has
 * the extrema and counts of the values as they are. */
static void sums_scaled(dc_pair_sums *sums, dc_pair_args *args, const dc_finite *f,
                        const int32_t exp[3])
{
    const double scale[3] = {ldexp(1, -exp[0]), ldexp(1, -exp[1]), ldexp(1, -exp[2])};
    dc_pair_lanes l;

    dc_pair_clear(&l);
    for (int s = 0; s < 2; s++)
        args->anchor[s] *= scale[s];
    for (size_t i = 0; i < f->n; i++) {
        const double x = f->v[0][i], y = f->v[1][i];
        const double moved[2] = {x * scale[0], y * scale[1]};
        double half = fabs(x) > 0x1p1000 || fabs(y) > 0x1p1000 ? 0.5 : 1; /* x-y may overflow */
        double d = fabs(x * half - y * half), rel = y != 0 ? d / (fabs(y) * half) : 0;
        size_t lane = i % DC_LANE_COUNT;
        dc_ref_value(&l, lane, moved, args);
        d *= scale[2] / half;
        l.sum[DC_SUM_ABS][lane] += d;
        l.sum[DC_SUM_SQ][lane] += d * d;
        l.sum[DC_SUM_REL][lane] += rel;
        l.ext[DC_EXT_MAX_REL][lane] = fmax(l.ext[DC_EXT_MAX_REL][lane], rel);
    }
    for (int i = 0; i < DC_SUMS; i++)
        sums->sum[i] = dc_fold8(l.sum[i]);
    for (int i = 0; i < DC_LANE_COUNT; i++)
        sums->ext[DC_EXT_MAX_REL] =
            fmax(i ? sums->ext[DC_EXT_MAX_REL] : 0, l.ext[DC_EXT_MAX_REL][i]);
}

double dc_part_anchor(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;

    return c < low ? low : c > high ? high : c;
}

void dc_part_moments(dc_metric *m, const dc_pair_sums *sums, const dc_pair_args *args)
{
    const double n = (double)m->finite;
    const double *sum = sums->sum;

    for (int s = 0; s < 2; s++) {
        double shift = sum[DC_SUM_X + s], m2 = sum[DC_SUM_XX + s] - shift * shift / n;
        m->mean[s] = dc_sum_add((dc_sum){args->anchor[s], 0}, shift / n);
        m->m2[s].hi = m2 > 0 ? m2 : 0;
    }
    m->cxy.hi = sum[DC_SUM_XY] - sum[DC_SUM_X] * sum[DC_SUM_Y] / n;
    m->sum_abs.hi = sum[DC_SUM_ABS];
    m->sum_sq.hi = sum[DC_SUM_SQ];
    m->sum_rel.hi = sum[DC_SUM_REL];
}

void dc_part_extrema(dc_metric *m, const dc_pair_sums *sums)
{
    for (int s = 0; s < 2; s++) {
        m->min[s] = sums->ext[DC_EXT_MIN_X + s];
        m->max[s] = sums->ext[DC_EXT_MAX_X + s];
    }
    m->max_abs = sums->ext[DC_EXT_MAX_ABS];
    m->max_rel = sums->ext[DC_EXT_MAX_REL];
    m->differ += sums->count[DC_CNT_DIFFER];
    m->over += sums->count[DC_CNT_OVER];
    m->left_only += sums->count[DC_CNT_LEFT_ONLY];
}

static void run(dc_pair_sums *sums, dc_pair_args *args, const double *x, const double *y, size_t n,
                const dc_kernel *kernel)
{
    dc_pair_lanes l;

    args->anchor[0] = dc_part_anchor(x[0], x[n / 2], x[n - 1]);
    args->anchor[1] = dc_part_anchor(y[0], y[n / 2], y[n - 1]);
    dc_pair_clear(&l);
    kernel->pair(&l, x, y, n, args);
    dc_pair_fold(sums, &l);
}

/* A block with NaN, Inf or extreme values. */
static void block_with_care(dc_metric *m, dc_pair_args *args, const dc_block *b, uint64_t base,
                            const dc_kernel *kernel)
{
    dc_pair_sums sums;
    dc_finite f;

    count_non_finite(m, b, base);
    dc_block_finite(&f, b);
    m->finite = f.n;
    if (f.n == 0)
        return;
    run(&sums, args, f.v[0], f.v[1], f.n, kernel);
    dc_part_extrema(m, &sums);
    set_exponents(m);
    if (m->exp[0] | m->exp[1] | m->exp[2]) {
        sums_scaled(&sums, args, &f, m->exp);
        m->max_rel = sums.ext[DC_EXT_MAX_REL];
    }
    dc_part_moments(m, &sums, args);
}

static void add_block(dc_metric *part, const dc_block *b, dc_pair_args *args, uint64_t base,
                      const dc_kernel *kernel)
{
    dc_metric m = {.n = b->n, .finite = b->n};
    dc_pair_sums sums;

    run(&sums, args, b->v[0], b->v[1], b->n, kernel);
    dc_part_extrema(&m, &sums);
    set_exponents(&m);
    if (isfinite(sums.sum[DC_SUM_XX] + sums.sum[DC_SUM_YY]) && !(m.exp[0] | m.exp[1] | m.exp[2])) {
        dc_part_moments(&m, &sums, args);
    } else {
        m = (dc_metric){.n = b->n};
        block_with_care(&m, args, b, base, kernel);
    }
    find_elements(&m, part, b, base);
    dc_metric_merge(part, &m);
}

void dc_metric_add(dc_metric *m, const dc_pair_data *pair, uint64_t first, uint64_t n)
{
    dc_isa isa = dc_isa_choose();
    const dc_kernel *kernel = dc_kernel_get(isa);
    uint64_t step = dc_block_elements(pair), parts = dc_block_parts(pair);
    bool exact = dc_part_is_int64(pair);

    for (uint64_t chunk = 0; chunk < n; chunk += DC_METRIC_CHUNK) {
        uint64_t end = n - chunk < DC_METRIC_CHUNK ? n : chunk + DC_METRIC_CHUNK;
        dc_metric part = {0};
        for (uint64_t i = chunk; i < end; i += step) {
            size_t count = (size_t)(end - i < step ? end - i : step);
            dc_pair_args args = {
                .atol = pair->atol, .rtol = pair->rtol, .ahead = dc_block_ahead(pair, i + step, n)};
            dc_block b;
            if (exact) {
                dc_part_add_int64(&part, pair, i, count, first + i);
                continue;
            }
            dc_block_load(&b, pair, i, count, isa);
            add_block(&part, &b, &args, (first + i) * parts, kernel);
        }
        dc_metric_merge(m, &part);
    }
}

void dc_metric_pair(dc_metrics *out, const dc_pair_data *pair, uint64_t n, bool with_kl)
{
    dc_metric m = {0};
    dc_kl_range r;
    dc_kl k = {0};

    dc_metric_add(&m, pair, 0, n);
    for (bool more = with_kl && dc_kl_begin(&r, &m); more; more = dc_kl_again(&r, &k)) {
        k = (dc_kl){0};
        dc_kl_add(&k, &r, pair, n);
    }
    dc_metric_finish(out, &m, with_kl ? &k : NULL, pair->dtype);
}
