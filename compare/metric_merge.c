/* compare/metric_merge.c - two parts of a pair become one. */
#include "compare/metric.h"

#include <math.h>

static dc_sum scaled(dc_sum s, int32_t e)
{
    return e ? (dc_sum){ldexp(s.hi, e), ldexp(s.lo, e)} : s;
}

/* Bring m's sums to other binary scales. */
static void rescale(dc_metric *m, const int32_t exp[3])
{
    const int32_t by[3] = {m->exp[0] - exp[0], m->exp[1] - exp[1], m->exp[2] - exp[2]};

    for (int s = 0; s < 2; s++) {
        m->mean[s] = scaled(m->mean[s], by[s]);
        m->m2[s] = scaled(m->m2[s], 2 * by[s]);
    }
    m->cxy = scaled(m->cxy, by[0] + by[1]);
    m->sum_abs = scaled(m->sum_abs, by[2]);
    m->sum_sq = scaled(m->sum_sq, 2 * by[2]);
    for (int i = 0; i < 3; i++)
        m->exp[i] = exp[i];
}

/* Largest magnitude behind exp[i]. */
static double size_of(const dc_metric *m, int i)
{
    return i == 2 ? m->max_abs : fmax(fabs(m->min[i]), fabs(m->max[i]));
}

/* The larger scale of the two wins; sums of zeros have none. */
static void common_scale(dc_metric *a, dc_metric *b)
{
    int32_t exp[3];

    for (int i = 0; i < 3; i++)
        exp[i] = size_of(a, i) == 0      ? b->exp[i]
                 : size_of(b, i) == 0    ? a->exp[i]
                 : a->exp[i] > b->exp[i] ? a->exp[i]
                                         : b->exp[i];
    rescale(a, exp);
    rescale(b, exp);
}

/* Chan, Golub, LeVeque: Updating Formulae and a Pairwise Algorithm for Computing Sample Variances
 */
static void merge_moments(dc_metric *m, const dc_metric *part)
{
    const double na = (double)m->finite, nb = (double)part->finite, n = na + nb;
    double delta[2];

    for (int s = 0; s < 2; s++) {
        delta[s] = (part->mean[s].hi - m->mean[s].hi) + (part->mean[s].lo - m->mean[s].lo);
        m->mean[s] = dc_sum_add(m->mean[s], delta[s] * (nb / n));
        m->m2[s] =
            dc_sum_add(dc_sum_merge(m->m2[s], part->m2[s]), delta[s] * delta[s] * (na * (nb / n)));
    }
    m->cxy = dc_sum_add(dc_sum_merge(m->cxy, part->cxy), delta[0] * delta[1] * (na * (nb / n)));
    m->sum_abs = dc_sum_merge(m->sum_abs, part->sum_abs);
    m->sum_sq = dc_sum_merge(m->sum_sq, part->sum_sq);
    m->sum_rel = dc_sum_merge(m->sum_rel, part->sum_rel);
}

static void merge_counts(dc_metric *m, const dc_metric *part)
{
    m->n += part->n;
    m->finite += part->finite;
    for (int s = 0; s < 2; s++) {
        m->nan[s] += part->nan[s];
        m->pos_inf[s] += part->pos_inf[s];
        m->neg_inf[s] += part->neg_inf[s];
    }
    m->mismatch += part->mismatch;
    m->differ += part->differ;
    m->over += part->over;
    m->left_only += part->left_only;
}

static bool larger_int(const uint64_t a[2], const uint64_t b[2])
{
    return a[1] != b[1] ? a[1] > b[1] : a[0] > b[0];
}

static void merge_elements(dc_metric *m, const dc_metric *part)
{
    if (m->first.at == 0)
        m->first = part->first;
    if (m->first_mismatch.at == 0)
        m->first_mismatch = part->first_mismatch;
    if (part->max_abs > m->max_abs || larger_int(part->max_int, m->max_int))
        m->worst = part->worst;
    if (larger_int(part->max_int, m->max_int)) {
        m->max_int[0] = part->max_int[0];
        m->max_int[1] = part->max_int[1];
    }
}

static void merge_extrema(dc_metric *m, const dc_metric *part)
{
    for (int s = 0; s < 2; s++) {
        m->min[s] = part->min[s] < m->min[s] ? part->min[s] : m->min[s];
        m->max[s] = part->max[s] > m->max[s] ? part->max[s] : m->max[s];
    }
    m->max_abs = part->max_abs > m->max_abs ? part->max_abs : m->max_abs;
    m->max_rel = part->max_rel > m->max_rel ? part->max_rel : m->max_rel;
}

/* Sums, moments and extrema of a part as they are, where m has none yet. */
static void take_values(dc_metric *m, const dc_metric *part)
{
    for (int s = 0; s < 2; s++) {
        m->min[s] = part->min[s];
        m->max[s] = part->max[s];
        m->mean[s] = part->mean[s];
        m->m2[s] = part->m2[s];
    }
    m->max_abs = part->max_abs;
    m->max_rel = part->max_rel;
    m->cxy = part->cxy;
    m->sum_abs = part->sum_abs;
    m->sum_sq = part->sum_sq;
    m->sum_rel = part->sum_rel;
    for (int i = 0; i < 3; i++)
        m->exp[i] = part->exp[i];
}

void dc_metric_merge(dc_metric *m, const dc_metric *part)
{
    merge_elements(m, part);
    if (part->finite && m->finite) {
        dc_metric p = *part;
        if (m->exp[0] != p.exp[0] || m->exp[1] != p.exp[1] || m->exp[2] != p.exp[2])
            common_scale(m, &p);
        merge_moments(m, &p);
        merge_extrema(m, &p);
    } else if (part->finite) {
        take_values(m, part);
    }
    merge_counts(m, part);
}
