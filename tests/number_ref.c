/* tests/number_ref.c - metrics in long double, the divergence with MPFR. */
#include "tests/number_ref.h"

#include "io/mem.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#define BITS 200 /* 60 digits */

typedef struct sums {
    long double n, x[2], sq[2], var[2], xy, abs, dd, rel, max_abs, max_rel;
} sums;

static bool finite_pair(double x, double y)
{
    return isfinite(x) && isfinite(y);
}

static void add(sums *s, const double v[2])
{
    long double d = fabsl((long double)v[0] - v[1]), y = fabsl((long double)v[1]);
    long double rel = v[1] != 0 ? d / y : 0;

    s->n += 1;
    for (int i = 0; i < 2; i++) {
        s->x[i] += v[i];
        s->sq[i] += (long double)v[i] * v[i];
    }
    s->xy += (long double)v[0] * v[1];
    s->abs += d;
    s->dd += d * d;
    s->rel += rel;
    s->max_abs = d > s->max_abs ? d : s->max_abs;
    s->max_rel = rel > s->max_rel ? rel : s->max_rel;
}

void dc_ref_metrics(double value[DC_METRIC_COUNT], double mean[2], double std[2], const double *x,
                    const double *y, size_t n)
{
    sums s = {0};

    for (size_t i = 0; i < n; i++)
        if (finite_pair(x[i], y[i]))
            add(&s, (const double[]){x[i], y[i]});
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2 && finite_pair(x[i], y[i]); side++) {
            long double d = (side ? y[i] : x[i]) - s.x[side] / s.n;
            s.var[side] += d * d;
        }
    for (int i = 0; i < 2; i++) {
        mean[i] = (double)(s.x[i] / s.n);
        std[i] = (double)sqrtl(s.var[i] / s.n);
    }
    for (int i = 0; i < DC_METRIC_COUNT; i++)
        value[i] = NAN;
    if (s.n == 0)
        return;
    if (s.sq[0] > 0 && s.sq[1] > 0)
        value[DC_METRIC_COSINE] = (double)(s.xy / (sqrtl(s.sq[0]) * sqrtl(s.sq[1])));
    value[DC_METRIC_MAX_ABS] = (double)s.max_abs;
    value[DC_METRIC_MEAN_ABS] = (double)(s.abs / s.n);
    value[DC_METRIC_RMSE] = (double)sqrtl(s.dd / s.n);
    value[DC_METRIC_STD] = std[0];
    if (s.sq[1] == 0 && s.sq[0] > 0)
        return;
    value[DC_METRIC_REL_EUCLID] = s.dd == 0 ? 0 : (double)sqrtl(s.dd / s.sq[1]);
    value[DC_METRIC_SUM_REL] = (double)s.rel;
    value[DC_METRIC_MAX_REL] = (double)s.max_rel;
    value[DC_METRIC_MEAN_REL] = (double)(s.rel / s.n);
}

typedef struct side { /* of the divergence */
    double min, max;
    mpfr_t width, sum;
} side;

/* max((v-min)/(max-min), 2^-23), or max(v, 2^-23) if the side is constant */
static void weight(mpfr_t out, const side *s, double v)
{
    mpfr_set_d(out, v, MPFR_RNDN);
    if (s->max > s->min) {
        mpfr_sub_d(out, out, s->min, MPFR_RNDN);
        mpfr_div(out, out, s->width, MPFR_RNDN);
    }
    if (mpfr_cmp_d(out, 0x1p-23) < 0)
        mpfr_set_d(out, 0x1p-23, MPFR_RNDN);
}

static void measure(side *s, const double *v, const double *other, size_t n)
{
    mpfr_t w;

    s->min = INFINITY;
    s->max = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (finite_pair(v[i], other[i])) {
            s->min = fmin(s->min, v[i]);
            s->max = fmax(s->max, v[i]);
        }
    mpfr_inits2(BITS, w, s->width, s->sum, (mpfr_ptr)NULL);
    mpfr_set_d(s->width, s->max, MPFR_RNDN);
    mpfr_sub_d(s->width, s->width, s->min, MPFR_RNDN);
    mpfr_set_zero(s->sum, 1);
    for (size_t i = 0; i < n; i++)
        if (finite_pair(v[i], other[i])) {
            weight(w, s, v[i]);
            mpfr_add(s->sum, s->sum, w, MPFR_RNDN);
        }
    mpfr_clear(w);
}

double dc_ref_divergence(const double *x, const double *y, size_t n)
{
    side s[2];
    mpfr_t p, q, total;
    double kl;

    measure(&s[0], x, y, n);
    measure(&s[1], y, x, n);
    mpfr_inits2(BITS, p, q, total, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    for (size_t i = 0; i < n; i++) {
        if (!finite_pair(x[i], y[i]))
            continue;
        weight(p, &s[0], x[i]);
        weight(q, &s[1], y[i]);
        mpfr_div(p, p, s[0].sum, MPFR_RNDN);
        mpfr_div(q, q, s[1].sum, MPFR_RNDN);
        mpfr_div(q, p, q, MPFR_RNDN);
        mpfr_log(q, q, MPFR_RNDN);
        mpfr_mul(q, q, p, MPFR_RNDN);
        mpfr_add(total, total, q, MPFR_RNDN);
    }
    kl = mpfr_get_d(total, MPFR_RNDN);
    mpfr_clears(p, q, total, s[0].width, s[0].sum, s[1].width, s[1].sum, (mpfr_ptr)NULL);
    return kl;
}

int dc_ref_close(double a, double b, double rel, double abs)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= rel * fabs(b) + abs;
}

double dc_ref_random(uint64_t i)
{
    return (double)(dc_mix64((i + 1) * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-52 - 1;
}

int dc_ref_same(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}
