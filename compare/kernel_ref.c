/* compare/kernel_ref.c - the scalar kernel: what every vector kernel must reproduce bit by bit. */
#include "compare/kernel.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

void dc_ref_value(dc_pair_lanes *l, size_t lane, const double value[2], const dc_pair_args *a)
{
    double x = value[0] - a->anchor[0], y = value[1] - a->anchor[1];

    l->sum[DC_SUM_X][lane] += x;
    l->sum[DC_SUM_Y][lane] += y;
    l->sum[DC_SUM_XX][lane] += x * x;
    l->sum[DC_SUM_YY][lane] += y * y;
    l->sum[DC_SUM_XY][lane] += x * y;
    l->ext[DC_EXT_MIN_X][lane] = smaller(l->ext[DC_EXT_MIN_X][lane], value[0]);
    l->ext[DC_EXT_MIN_Y][lane] = smaller(l->ext[DC_EXT_MIN_Y][lane], value[1]);
    l->ext[DC_EXT_MAX_X][lane] = larger(l->ext[DC_EXT_MAX_X][lane], value[0]);
    l->ext[DC_EXT_MAX_Y][lane] = larger(l->ext[DC_EXT_MAX_Y][lane], value[1]);
}

void dc_ref_error(dc_pair_lanes *l, size_t lane, const double value[2], double diff,
                  const dc_pair_args *a)
{
    double d = fabs(diff), y = fabs(value[1]);
    double rel = y != 0 ? d / y : 0;

    l->sum[DC_SUM_ABS][lane] += d;
    l->sum[DC_SUM_SQ][lane] += d * d;
    l->sum[DC_SUM_REL][lane] += rel;
    l->ext[DC_EXT_MAX_ABS][lane] = larger(l->ext[DC_EXT_MAX_ABS][lane], d);
    l->ext[DC_EXT_MAX_REL][lane] = larger(l->ext[DC_EXT_MAX_REL][lane], rel);
    l->count[DC_CNT_DIFFER][lane] += d != 0;
    l->count[DC_CNT_OVER][lane] += d > a->atol + a->rtol * y;
    l->count[DC_CNT_LEFT_ONLY][lane] += d != 0 && y == 0;
}

void dc_ref_pair(dc_pair_lanes *l, const double *x, const double *y, size_t from, size_t n,
                 const dc_pair_args *a)
{
    for (size_t i = from; i < n; i++) {
        const double value[2] = {x[i], y[i]};
        dc_ref_value(l, i % DC_LANE_COUNT, value, a);
        dc_ref_error(l, i % DC_LANE_COUNT, value, x[i] - y[i], a);
    }
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* p*log(p/q) - (p-q) for positive p, q whose difference is diff, without cancellation: with k the
 * exponent nearest to that of p/q, c = q*2^k, u = p-c and s = u/(p+c) it is
 *     u*s*(1 + s*(1+s)*sum s^(2j)/(2j+3))  +  k*ln2*p  +  (q-c),
 * from log1p((p-c)/c) = 2*atanh(s). For k = 0 every term is a product. */
static double kl_term(double p, double q, double diff)
{
    uint64_t step = (bits_of(p) - bits_of(q) + DC_KL_HALF_STEP) & DC_KL_EXPONENT;
    double c = from_bits(bits_of(q) + step);
    double k = from_bits(((step + (DC_KL_BIAS << 52)) >> 52) | DC_KL_MAGIC) - DC_KL_UNMAGIC;
    double u = step == 0 ? diff : p - c;
    double s = u / (p + c), ss = s * s, series = dc_kl_series[DC_KL_TERMS - 1];

    for (int j = DC_KL_TERMS - 2; j >= 0; j--)
        series = series * ss + dc_kl_series[j];
    return u * s * (1 + s * (1 + s) * series) + (k * DC_LN2 * p + (q - c));
}

/* What a*b lost in rounding (Dekker's product with Veltkamp's split): p = a*b rounded. */
static double product_error(double a, double b, double p)
{
    double ca = DC_KL_SPLIT * a, cb = DC_KL_SPLIT * b;
    double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;

    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* p - q: through x-y where both sides are alike (kl.c says when), else with exact products. */
static double kl_diff(const double v[2], const double w[2], const bool low[2], const dc_kl_range *r)
{
    double d = v[0] - v[1], z = d - v[0];
    double lost = (v[0] - (d - z)) - (v[1] + z); /* x-y = d + lost exactly */
    double diff = (d - r->origin_diff) + (lost - r->origin_lost);

    if (!r->near) {
        double p = w[0] * r->weight[0], q = w[1] * r->weight[1];
        return (p - q) +
               (product_error(w[0], r->weight[0], p) - product_error(w[1], r->weight[1], q));
    }
    if (low[0] || low[1])
        diff = low[0] && low[1] ? r->floor_diff : w[0] - w[1];
    return diff * r->weight[0] + w[1] * r->weight_diff;
}

void dc_ref_kl(dc_kl_lanes *l, const double *x, const double *y, size_t from, size_t n,
               const dc_kl_range *r)
{
    for (size_t i = from; i < n; i++) {
        const double v[2] = {x[i] * r->scale[0], y[i] * r->scale[1]};
        double w[2] = {v[0] - r->origin[0], v[1] - r->origin[1]};
        const bool low[2] = {!(w[0] > r->floor[0]), !(w[1] > r->floor[1])};
        double p, q, diff;
        size_t lane = i % DC_LANE_COUNT;

        w[0] = larger(w[0], r->floor[0]);
        w[1] = larger(w[1], r->floor[1]);
        p = w[0] * r->weight[0];
        q = w[1] * r->weight[1];
        diff = kl_diff(v, w, low, r);
        l->sum[DC_KL_P][lane] += p;
        l->sum[DC_KL_DIFF][lane] += diff;
        l->sum[DC_KL_TERM][lane] += kl_term(p, q, diff);
        l->sum[DC_KL_CHECK][lane] += (x[i] - x[i]) + (y[i] - y[i]);
    }
}
