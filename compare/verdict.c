/* compare/verdict.c - from the metrics of a pair to pass, fail or not judged, with one line of
 * reason.
 *
 * judge() asks the rules in order; the first that knows the answer gives it. The limits on metrics
 * are one table. */
#include "compare/verdict.h"

#include "compare/element.h"

#include "io/dtype.h"
#include "io/widen.h"
#include "io/word.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* X(metric, name in reasons, sense, profile field, default limit, offline limit) */
#define LIMITS(X)                                                                                  \
    X(COSINE, "cosine", '<', min_cosine, 0.99, 0.99)                                               \
    X(REL_EUCLID, "RelativeEuclideanDistance", '>', max_rel_euclid, 0.05, 0.05)                    \
    X(KL, "KullbackLeiblerDivergence", '>', max_kl, 0.005, 0.005)                                  \
    X(RMSE, "RootMeanSquareError", '>', max_rmse, INFINITY, 1.0)                                   \
    X(MEAN_REL, "MeanRelativeError", '>', max_mean_rel, INFINITY, 1.0)                             \
    X(MAX_ABS, "MaxAbsoluteError", '>', max_abs, INFINITY, INFINITY)                               \
    X(MAX_REL, "MaxRelativeError", '>', max_rel, INFINITY, INFINITY)

static const struct limit {
    const char *name;
    size_t field; /* of dc_profile */
    double standard[2];
    dc_metric_id metric;
    int sense; /* '<' or '>': what fails */
} limits[] = {
#define X(id, name, sense, field, normal, offline)                                                 \
    {name, offsetof(dc_profile, field), {normal, offline}, DC_METRIC_##id, sense},
    LIMITS(X)
#undef X
};

typedef struct judging {
    char *reason;
    const dc_profile *profile;
    const dc_judged *in;
    const dc_metrics *m;
    bool done;
    dc_verdict verdict;
} judging;

__attribute__((format(printf, 3, 4))) static void decide(judging *j, dc_verdict v,
                                                         const char *format, ...)
{
    va_list args;

    j->done = true;
    j->verdict = v;
    va_start(args, format);
    (void)vsnprintf(j->reason, DC_REASON, format, args);
    va_end(args);
}

/* Append to the reason; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void append(judging *j, const char *format, ...)
{
    size_t n = strlen(j->reason);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(j->reason + n, DC_REASON - n, format, args);
    va_end(args);
}

static bool is_complex(const judging *j)
{
    return dc_widen_parts(j->in->dtype[0]) == 2 || dc_widen_parts(j->in->dtype[1]) == 2;
}

static uint64_t elements(const judging *j)
{
    return j->m->n / (is_complex(j) ? 2 : 1);
}

static bool tolerance_given(const dc_profile *p)
{
    return p->atol > 0 || p->rtol > 0;
}

/* ", first at [0,2,5]: 3 instead of 4" */
static void append_element(judging *j, const char *which, const dc_element *e)
{
    char position[DC_SHAPE_TEXT], value[2][DC_ELEMENT_VALUE];

    if (e->at == 0)
        return;
    dc_element_position(position, e, j->in->shape[1], is_complex(j) ? 2 : 1);
    for (int s = 0; s < 2; s++)
        dc_element_value(value[s], e, s, j->in->dtype[s], j->m->integral);
    append(j, ", %s at %s", which, position);
    if (is_complex(j))
        append(j, " (%s part)", e->at % 2 ? "real" : "imaginary");
    append(j, ": %s instead of %s", value[0], value[1]);
}

static void rule_shape(judging *j)
{
    char text[2][DC_SHAPE_TEXT];

    if (dc_shape_equal(j->in->shape[0], j->in->shape[1]))
        return;
    for (int s = 0; s < 2; s++)
        dc_shape_print_list(text[s], j->in->shape[s]);
    decide(j, DC_FAIL, "shape %.100s, golden %.100s", text[0], text[1]);
}

static void rule_dtype(judging *j)
{
    for (int s = 0; s < 2 && !j->done; s++) {
        const char *side = s ? "golden" : "NPU", *name = dc_dtype_get(j->in->dtype[s])->name;
        if (!dc_widen_supported(j->in->dtype[s]))
            decide(j, DC_NOT_JUDGED, "%s dtype %s cannot be compared", side, name);
        else if (dc_dtype_packing_assumed(j->in->dtype[s]) && j->m && j->m->n)
            decide(j, DC_NOT_JUDGED, "how %s is packed is not documented", name);
    }
    if (!j->done && !j->m)
        decide(j, DC_NOT_JUDGED, "no metric was computed");
}

static void rule_empty(judging *j)
{
    if (j->m->n == 0)
        decide(j, DC_PASS, "empty");
}

/* "NPU has 3 NaN where the golden has none" for whichever side and kind it is that simple. */
static bool one_sided(judging *j, const char *kind, const uint64_t count[2])
{
    if ((count[0] == 0) == (count[1] == 0))
        return false;
    if (count[0])
        decide(j, DC_FAIL, "NPU has %" PRIu64 " %s where the golden has none", count[0], kind);
    else
        decide(j, DC_FAIL, "NPU has no %s where the golden has %" PRIu64, kind, count[1]);
    return true;
}

static void rule_non_finite(judging *j)
{
    const dc_metrics *m = j->m;

    if (m->mismatch) {
        if (!one_sided(j, "NaN", m->nan) && !one_sided(j, "Inf", m->inf))
            decide(j, DC_FAIL, "NaN or Inf differ at %" PRIu64 " %s", m->mismatch,
                   dc_word(m->mismatch, "position", "positions"));
        append_element(j, "first", &m->first_mismatch);
    } else if (j->profile->nan_not_equal && m->finite < m->n) {
        decide(j, DC_FAIL, "%" PRIu64 " NaN or Inf on both sides", m->n - m->finite);
    } else if (m->finite == 0) {
        decide(j, DC_PASS, "no finite element, NaN and Inf alike on both sides");
    }
}

static void rule_tolerance(judging *j)
{
    const dc_metrics *m = j->m;

    if (!tolerance_given(j->profile) || m->over == 0)
        return;
    decide(j, DC_FAIL, "%" PRIu64 " of %" PRIu64 " %s over %g + %g*|golden|", m->over, elements(j),
           dc_word(elements(j), "element", "elements"), j->profile->atol, j->profile->rtol);
    append_element(j, "worst", &m->worst);
}

static void rule_integers(judging *j)
{
    const dc_metrics *m = j->m;

    if (!m->integral || tolerance_given(j->profile))
        return;
    if (m->differ == 0) {
        decide(j, DC_PASS, "%s", "");
        return;
    }
    decide(j, DC_FAIL, "%" PRIu64 " of %" PRIu64 " %s %s", m->differ, elements(j),
           dc_word(elements(j), "element", "elements"), dc_word(m->differ, "differs", "differ"));
    append_element(j, "first", &m->first);
}

/* All finite golden values are 0: no relative measure exists. */
static void rule_zero_golden(judging *j)
{
    const dc_metrics *m = j->m;
    double size = fmax(fabs(m->min[0]), fabs(m->max[0]));
    double limit = dc_dtype_get(j->in->dtype[0])->bits <= 16 ? 0x1p-16 : 0x1p-30;

    if (tolerance_given(j->profile) || m->min[1] != 0 || m->max[1] != 0)
        return;
    if (size > limit) {
        decide(j, DC_FAIL, "golden is all zero, NPU reaches %g > %g", size, limit);
        append_element(j, "worst", &m->worst);
    } else if (size > 0) {
        decide(j, DC_PASS, "golden is all zero, NPU within %g", limit);
    } else {
        decide(j, DC_PASS, "both all zero");
    }
}

static double limit_of(const dc_profile *p, const struct limit *l)
{
    double own;

    memcpy(&own, (const char *)p + l->field, sizeof own);
    if (own != 0)
        return own;
    if (tolerance_given(p))
        return l->sense == '<' ? -INFINITY : INFINITY;
    return l->standard[p->standard];
}

static bool constant(const dc_metrics *m, int side)
{
    return m->min[side] == m->max[side];
}

/* Whether the default standard takes a metric for this pair at all. */
static bool applies(const judging *j, dc_metric_id id)
{
    const dc_metrics *m = j->m;

    if (j->profile->standard != DC_STANDARD_DEFAULT)
        return true;
    if (id == DC_METRIC_COSINE) /* of one element it is 1 or -1: says nothing */
        return elements(j) != 1;
    if (id == DC_METRIC_KL) /* one ulp in a constant tensor is as far as KL goes */
        return m->value[DC_METRIC_REL_EUCLID] > dc_verdict_rounding(j->in->dtype) &&
               !constant(m, 0) && !constant(m, 1) && elements(j) != 1;
    return true;
}

static void rule_limits(judging *j)
{
    bool defined = tolerance_given(j->profile);

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct limit *l = &limits[i];
        double v = j->m->value[l->metric], limit = limit_of(j->profile, l);
        if (!j->m->valid[l->metric] || !applies(j, l->metric))
            continue;
        defined = defined || l->metric == DC_METRIC_COSINE || l->metric == DC_METRIC_REL_EUCLID;
        if (l->sense == '<' ? v >= limit : v <= limit)
            continue;
        if (!j->done)
            decide(j, DC_FAIL, "%s", "");
        else
            append(j, "; ");
        append(j, "%s %.6g %c %g", l->name, v, l->sense, limit);
    }
    if (!j->done && !defined)
        decide(j, DC_NOT_JUDGED, "no metric is defined");
}

static void rule_pass(judging *j)
{
    uint64_t n = j->m->n - j->m->finite;

    decide(j, DC_PASS, "%s", "");
    if (n)
        append(j, "%" PRIu64 " NaN or Inf, the same on both sides", n);
}

dc_verdict dc_verdict_judge(char *reason, const dc_profile *profile, const dc_judged *in)
{
    static void (*const rules[])(judging *) = {rule_shape,       rule_dtype,     rule_empty,
                                               rule_non_finite,  rule_tolerance, rule_integers,
                                               rule_zero_golden, rule_limits,    rule_pass};
    judging j = {.reason = reason, .profile = profile, .in = in, .m = in->metrics};

    reason[0] = '\0';
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !j.done; i++)
        if (rules[i] != rule_zero_golden || profile->standard == DC_STANDARD_DEFAULT)
            rules[i](&j);
    return j.verdict;
}

const char *dc_verdict_name(dc_verdict v)
{
    static const char *const names[] = {"not judged", "pass", "fail"};
    return names[v];
}

double dc_verdict_rounding(const uint32_t dtype[2])
{
    static const struct {
        uint32_t dtype;
        double rounding;
    } coarse[] = {{DC_BFLOAT16, 0x1p-7},    {DC_FLOAT16, 0x1p-10},    {DC_COMPLEX32, 0x1p-10},
                  {DC_HIFLOAT8, 0x1p-1},    {DC_FLOAT8_E5M2, 0x1p-2}, {DC_FLOAT8_E4M3FN, 0x1p-3},
                  {DC_FLOAT8_E8M0, 1},      {DC_FLOAT6_E3M2, 0x1p-2}, {DC_FLOAT6_E2M3, 0x1p-3},
                  {DC_FLOAT4_E2M1, 0x1p-1}, {DC_FLOAT4_E1M2, 0x1p-2}};
    double rounding = 0x1p-20;

    for (size_t i = 0; i < sizeof coarse / sizeof *coarse; i++)
        for (int s = 0; s < 2; s++)
            if (coarse[i].dtype == dtype[s] && coarse[i].rounding > rounding)
                rounding = coarse[i].rounding;
    return rounding;
}

void dc_verdict_tolerance(dc_pair_data *pair, const dc_profile *profile)
{
    bool integral = true;

    for (int s = 0; s < 2; s++) {
        dc_kind kind = dc_dtype_get(pair->dtype[s])->kind;
        integral =
            integral && (kind == DC_KIND_INT || kind == DC_KIND_UINT || kind == DC_KIND_BOOL);
    }
    pair->atol = profile->atol;
    pair->rtol = profile->rtol;
    if (!tolerance_given(profile))
        pair->rtol = integral ? 0 : 4 * dc_verdict_rounding(pair->dtype);
}
