/* compare/verdict.h - from the metrics of a pair to pass, fail or not judged, with one line of
 * reason. */
#ifndef DC_VERDICT_H
#define DC_VERDICT_H
#include "compare/metric.h"
#include "io/shape.h"

typedef enum dc_standard {
    DC_STANDARD_DEFAULT, /* verdict.c has its rules as one table */
    DC_STANDARD_OFFLINE  /* msprobe's plain thresholds, whatever the dtype or the size */
} dc_standard;

/* All-zero is the default profile. A limit of 0 stands for the standard's own; INFINITY (for
 * min_cosine -INFINITY) switches a limit off. */
typedef struct dc_profile {
    dc_standard standard;
    double min_cosine;             /* default and offline: 0.99 */
    double max_rel_euclid;         /* 0.05 */
    double max_kl;                 /* 0.005 */
    double max_rmse, max_mean_rel; /* default: not judged; offline: 1.0 */
    double max_abs, max_rel;       /* not judged unless given */
    /* If either is given, it is the rule: fail when an element is over atol + rtol*|golden|; of the
     * limits above only those that are given count then. */
    double atol, rtol;
    bool nan_not_equal; /* NaN or Inf fails even where both sides have the same */
} dc_profile;

typedef enum dc_verdict { DC_NOT_JUDGED, DC_PASS, DC_FAIL } dc_verdict;

typedef struct dc_judged {
    const dc_metrics *metrics; /* NULL: nothing could be computed (dtype without values) */
    uint32_t dtype[2];         /* left (NPU), right (golden) */
    const dc_shape *shape[2];  /* in the golden's layout */
} dc_judged;

#define DC_REASON 256 /* bytes, the NUL included */

/* Judge one pair. reason, DC_REASON bytes, gets one line ("cosine 0.97 < 0.99", "NPU has 3 NaN
 * where the golden has none, first at [0,2,5]"), "" for a plain pass. Not collective; cannot fail.
 */
dc_verdict dc_verdict_judge(char *reason, const dc_profile *profile, const dc_judged *in);
/* "pass", "fail", "not judged" */
const char *dc_verdict_name(dc_verdict v);
/* Relative rounding of the coarser of two dtypes: bfloat16 2^-7, float16 2^-10, 8-bit and smaller
 * floats by their mantissa, anything else 2^-20. */
double dc_verdict_rounding(const uint32_t dtype[2]);
/* Fill the tolerances of pair->atol, rtol: the profile's, else rtol = 4 roundings of the coarser
 * dtype (0 between integers), so that a census tells rounding from error. */
void dc_verdict_tolerance(dc_pair_data *pair, const dc_profile *profile);
#endif
