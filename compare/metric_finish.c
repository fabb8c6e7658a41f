/* compare/metric_finish.c - merged sums to the ten metrics. */
#include "compare/metric_part.h"
#include "io/dtype.h"

#include <math.h>
#include <string.h>

static void set(dc_metrics *out, dc_metric_id id, double v)
{
    out->value[id] = v;
    out->valid[id] = true;
}

static double unscale(double v, int32_t e)
{
    return e ? ldexp(v, e) : v;
}

/* Sum of left*left, right*right (both > 0) and left*right to the cosine; equal sums give exactly 1.
 */
static double cosine(const double sq[2], double product)
{
    double c = product / (sqrt(sq[0]) * sqrt(sq[1]));

    if (product == sq[0] && product == sq[1])
        return 1;
    return c > 1 ? 1 : c < -1 ? -1 : c;
}

static void finish_sides(dc_metrics *out, double sq[2], const dc_metric *m)
{
    const double n = (double)m->finite;

    for (int s = 0; s < 2; s++) {
        double mean = dc_sum_value(m->mean[s]), m2 = dc_sum_value(m->m2[s]);
        out->mean[s] = unscale(mean, m->exp[s]);
        out->std[s] = unscale(sqrt(m2 / n), m->exp[s]);
        out->min[s] = m->min[s];
        out->max[s] = m->max[s];
        sq[s] = m2 + n * (mean * mean);
        out->norm[s] = unscale(sqrt(sq[s]), m->exp[s]);
    }
    set(out, DC_METRIC_STD, out->std[0]);
}

static bool all_zero(const dc_metric *m, int side)
{
    return m->min[side] == 0 && m->max[side] == 0;
}

static void finish_errors(dc_metrics *out, const double sq[2], const dc_metric *m)
{
    const double n = (double)m->finite, sum_sq = dc_sum_value(m->sum_sq);
    const double product =
        dc_sum_value(m->cxy) + n * (dc_sum_value(m->mean[0]) * dc_sum_value(m->mean[1]));
    const bool zero[2] = {all_zero(m, 0), all_zero(m, 1)};

    if (!zero[0] && !zero[1])
        set(out, DC_METRIC_COSINE, cosine(sq, product));
    set(out, DC_METRIC_MAX_ABS, m->max_abs);
    set(out, DC_METRIC_MEAN_ABS, unscale(dc_sum_value(m->sum_abs) / n, m->exp[2]));
    set(out, DC_METRIC_RMSE, unscale(sqrt(sum_sq / n), m->exp[2]));
    if (!zero[1])
        set(out, DC_METRIC_REL_EUCLID, unscale(sqrt(sum_sq) / sqrt(sq[1]), m->exp[2] - m->exp[1]));
    else if (zero[0])
        set(out, DC_METRIC_REL_EUCLID, 0);
    if (zero[1] && !zero[0])
        return;
    set(out, DC_METRIC_SUM_REL, dc_sum_value(m->sum_rel));
    set(out, DC_METRIC_MAX_REL, m->max_rel);
    set(out, DC_METRIC_MEAN_REL, dc_sum_value(m->sum_rel) / n);
}

static bool integral(uint32_t dtype)
{
    dc_kind kind = dc_dtype_get(dtype)->kind;
    return kind == DC_KIND_INT || kind == DC_KIND_UINT || kind == DC_KIND_BOOL;
}

/* Integers that went through double fit one exactly. */
static void set_exact(dc_element *e)
{
    for (int s = 0; s < 2 && e->at; s++)
        e->exact[s] = (uint64_t)(int64_t)e->value[s];
}

static void finish_counts(dc_metrics *out, const dc_metric *m, const dc_pair_data *pair)
{
    out->n = m->n;
    out->finite = m->finite;
    for (int s = 0; s < 2; s++) {
        out->nan[s] = m->nan[s];
        out->inf[s] = m->pos_inf[s] + m->neg_inf[s];
    }
    out->mismatch = m->mismatch;
    out->differ = m->differ;
    out->over = m->over;
    out->left_only = m->left_only;
    out->first = m->first;
    out->worst = m->worst;
    out->first_mismatch = m->first_mismatch;
    out->integral = integral(pair->dtype[0]) && integral(pair->dtype[1]);
    if (out->integral && !dc_part_is_int64(pair)) {
        set_exact(&out->first);
        set_exact(&out->worst);
    }
}

void dc_metric_finish(dc_metrics *out, const dc_metric *m, const dc_kl *k, const uint32_t dtype[2])
{
    const dc_pair_data pair = {.dtype = {dtype[0], dtype[1]}};
    double sq[2];

    memset(out, 0, sizeof *out);
    finish_counts(out, m, &pair);
    if (m->finite == 0)
        return;
    finish_sides(out, sq, m);
    finish_errors(out, sq, m);
    if (k && dc_sum_value(k->p) > 0)
        set(out, DC_METRIC_KL, dc_kl_value(k));
}

static const char *const names[] = {
#define X(id, name) name,
    DC_METRICS(X)
#undef X
};

const char *dc_metric_name(dc_metric_id id)
{
    return names[id];
}

int dc_metric_by_name(const char *name)
{
    for (int i = 0; i < DC_METRIC_COUNT; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    if (name[0] >= '0' && name[0] <= '9' && name[1] == '\0')
        return name[0] - '0';
    return -1;
}
