/* compare/kl.c - Kullback-Leibler divergence of a pair, each side made a distribution over its own
 * range, as msaccucmp defines it: P = max((v-min)/(max-min), eps), p = P/sum(P), eps = 2^-23.
 *
 * The sum of P is not known before the pass. It does not have to be: with any estimates S and T of
 * both sums, p' = P/S, q' = Q/T, a = sum p', b = sum q' and t = b/a - 1, the divergence is
 *     (1/a) * sum[p' log(p'/q') - (p'-q')]  +  log1p(t) - t,
 * so the estimate from the mean (which knows nothing of the clamped values) serves, and the pass
 * needs repeating only where t is large enough for the two parts to cancel. Where both sides are
 * alike, p'-q' is formed from x-y, so that nearly equal tensors keep all digits. */
#include "compare/block.h"
#include "compare/metric_part.h"

#include <math.h>

#define EPS32   0x1p-23
#define T_MAX   0x1p-20
#define EXTREME 460 /* binary exponents beyond which values are scaled */

/* Side `s`: p = max(v*scale - origin, floor) * weight. A constant side is uniform: floor 1 above
 * everything. Returns false for it. */
static bool set_side(dc_kl_range *r, int s, double n, const double range[2], double mean)
{
    double size = fmax(fabs(range[0]), fabs(range[1])), width, sum;
    int e = 0;

    (void)frexp(size, &e);
    r->scale[s] = e > EXTREME || e < -EXTREME ? ldexp(1, e < -1000 ? 1000 : -e) : 1;
    r->origin[s] = range[0] * r->scale[s];
    width = range[1] * r->scale[s] - r->origin[s];
    if (!(width > 0)) {
        r->floor[s] = 1;
        r->weight[s] = 1 / n;
        return false;
    }
    r->floor[s] = width * EPS32;
    sum = n * (mean * r->scale[s] - r->origin[s]) / width;
    r->weight[s] = 1 / (width * (sum > 1 ? sum : 1)); /* the maximum alone gives 1 */
    return true;
}

static bool within_two(double a, double b)
{
    return a <= 2 * b && b <= 2 * a;
}

/* After the weights have changed. */
static void set_weights(dc_kl_range *r)
{
    r->near = r->alike && within_two(r->weight[0], r->weight[1]);
    r->weight_diff = r->weight[0] - r->weight[1];
}

void dc_kl_known(dc_kl_range *r, uint64_t count, const double min[2], const double max[2],
                 const double mean[2])
{
    bool varies = true;
    double d, z;

    for (int s = 0; s < 2; s++) {
        const double range[2] = {min[s], max[s]};
        varies = set_side(r, s, (double)count, range, mean[s]) && varies;
    }
    r->alike = varies && r->scale[0] == r->scale[1] && within_two(r->floor[0], r->floor[1]);
    d = r->origin[0] - r->origin[1];
    z = d - r->origin[0];
    r->origin_diff = d;
    r->origin_lost = (r->origin[0] - (d - z)) - (r->origin[1] + z);
    r->floor_diff = ((max[0] * r->scale[0] - max[1] * r->scale[1]) - d) * EPS32;
    set_weights(r);
}

bool dc_kl_begin(dc_kl_range *r, const dc_metric *m)
{
    double mean[2];

    if (m->finite == 0)
        return false;
    for (int s = 0; s < 2; s++)
        mean[s] = ldexp(dc_sum_value(m->mean[s]), m->exp[s]);
    dc_kl_known(r, m->finite, m->min, m->max, mean);
    return true;
}

static void add_block(dc_kl *k, const dc_kl_args *args, const dc_block *b, const dc_kernel *kernel)
{
    dc_kl_lanes lanes = {0};

    kernel->kl(&lanes, b->v[0], b->v[1], b->n, args);
    if (!isfinite(dc_fold8(lanes.sum[DC_KL_CHECK]))) {
        dc_finite f;
        dc_block_finite(&f, b);
        lanes = (dc_kl_lanes){0};
        kernel->kl(&lanes, f.v[0], f.v[1], f.n, args);
    }
    k->p = dc_sum_add(k->p, dc_fold8(lanes.sum[DC_KL_P]));
    k->diff = dc_sum_add(k->diff, dc_fold8(lanes.sum[DC_KL_DIFF]));
    k->kl = dc_sum_add(k->kl, dc_fold8(lanes.sum[DC_KL_TERM]));
}

void dc_kl_add(dc_kl *k, const dc_kl_range *r, const dc_pair_data *pair, uint64_t n)
{
    dc_isa isa = dc_isa_choose();
    const dc_kernel *kernel = dc_kernel_get(isa);
    uint64_t step = dc_block_elements(pair);

    for (uint64_t chunk = 0; chunk < n; chunk += DC_METRIC_CHUNK) {
        uint64_t end = n - chunk < DC_METRIC_CHUNK ? n : chunk + DC_METRIC_CHUNK;
        dc_kl part = {0};
        for (uint64_t i = chunk; i < end; i += step) {
            dc_kl_args args = {.range = r, .ahead = dc_block_ahead(pair, i + step, n)};
            dc_block b;
            dc_block_load(&b, pair, i, end - i < step ? end - i : step, isa);
            add_block(&part, &args, &b, kernel);
        }
        dc_kl_merge(k, &part);
    }
}

void dc_kl_merge(dc_kl *k, const dc_kl *part)
{
    k->p = dc_sum_merge(k->p, part->p);
    k->diff = dc_sum_merge(k->diff, part->diff);
    k->kl = dc_sum_merge(k->kl, part->kl);
}

bool dc_kl_again(dc_kl_range *r, const dc_kl *k)
{
    double a = dc_sum_value(k->p), diff = dc_sum_value(k->diff);

    if (!(fabs(diff) > T_MAX * a))
        return false;
    r->weight[0] /= a;
    r->weight[1] /= a - diff;
    set_weights(r);
    return true;
}

double dc_kl_value(const dc_kl *k)
{
    double a = dc_sum_value(k->p), t = -dc_sum_value(k->diff) / a;
    double tail = -t * t * (0.5 - t * (1.0 / 3 - t * (0.25 - t * 0.2))); /* log1p(t) - t */

    return fmax(0, dc_sum_value(k->kl) / a + tail);
}
