/* compare/metric.h - error of one tensor pair: sums over fixed chunks, merged in order, turned into
 * ten metrics.
 *
 * Left (0) is the NPU tensor, right (1) the golden one. Sums, extrema and metrics are over *finite
 * pairs* (positions where both sides are finite); everything else is counted. Complex elements are
 * two reals. A pair is cut into chunks of DC_METRIC_CHUNK elements (the last one shorter); each
 * chunk makes a part and parts merge in chunk order, so the result's bits depend on the data alone,
 * not on who computed which chunk, nor on the kernel. In one process:
 *
 *     dc_metric m = {0};  dc_kl_range r;  dc_kl k = {0};
 *     dc_metric_add(&m, &pair, 0, n);
 *     for (bool more = dc_kl_begin(&r, &m); more; more = dc_kl_again(&r, &k)) {
 *         k = (dc_kl){0};
 *         dc_kl_add(&k, &r, &pair, n);
 *     }
 *     dc_metric_finish(&out, &m, &k, pair.dtype);
 *
 * which is what dc_metric_pair does. Over processes: each makes its chunks' parts in fresh,
 * all-zero dc_metric (dc_kl) and one merges them in chunk order. None of these functions is
 * collective, none can fail, none keeps a pointer. dc_metric and dc_kl hold no pointers and may be
 * sent as bytes. */
#ifndef DC_METRIC_H
#define DC_METRIC_H
#include "io/sum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DC_METRIC_CHUNK ((uint64_t)1 << 18) /* elements */

/* X(id, column name): msaccucmp's names in its order */
#define DC_METRICS(X)                                                                              \
    X(COSINE, "CosineSimilarity")                                                                  \
    X(MAX_ABS, "MaxAbsoluteError")                                                                 \
    X(SUM_REL, "AccumulatedRelativeError")                                                         \
    X(REL_EUCLID, "RelativeEuclideanDistance")                                                     \
    X(KL, "KullbackLeiblerDivergence")                                                             \
    X(STD, "StandardDeviation")                                                                    \
    X(MEAN_ABS, "MeanAbsoluteError")                                                               \
    X(RMSE, "RootMeanSquareError")                                                                 \
    X(MAX_REL, "MaxRelativeError")                                                                 \
    X(MEAN_REL, "MeanRelativeError")

typedef enum dc_metric_id {
#define X(id, name) DC_METRIC_##id,
    DC_METRICS(X)
#undef X
        DC_METRIC_COUNT
} dc_metric_id;

/* Elements of a pair. data[side] points at element `first` of the call, packed, little-endian, as
 * io/widen.h reads it; 1-, 2-, 4- and 6-bit types start at a byte boundary since chunks are
 * multiples of 8. An element is over tolerance when |x-y| > atol + rtol*|y|. */
typedef struct dc_pair_data {
    const void *data[2];
    uint32_t dtype[2];
    double atol, rtol;
} dc_pair_data;

typedef struct dc_element {
    uint64_t at;       /* 1 + index (of reals for complex dtypes); 0 = there is none */
    double value[2];   /* left, right */
    uint64_t exact[2]; /* the integer itself (two's complement) when both sides are integers */
} dc_element;

/* One part. All-zero is the identity: merging it changes nothing. */
typedef struct dc_metric {
    uint64_t n;                              /* reals seen: elements, twice that for complex */
    uint64_t finite;                         /* pairs with both sides finite */
    uint64_t nan[2], pos_inf[2], neg_inf[2]; /* per side */
    uint64_t mismatch;  /* positions where one side is NaN or Inf and the other not the same */
    uint64_t differ;    /* positions with x != y, mismatches included; equal NaNs are equal */
    uint64_t over;      /* positions over tolerance, mismatches included */
    uint64_t left_only; /* golden is 0 and the NPU is not: relative errors leave these out */
    dc_element first, worst, first_mismatch; /* first differing; first of the largest |x-y| */
    double min[2], max[2];                   /* over finite pairs; valid if finite > 0 */
    double max_abs, max_rel;
    uint64_t max_int[2]; /* integers: exact largest |x-y|, low and high 64 bits */
    /* Chan moments; unit of mean: 2^exp[side], of m2 its square, of cxy their product */
    dc_sum mean[2], m2[2], cxy;
    dc_sum sum_abs, sum_sq, sum_rel; /* |d| in 2^exp[2], d*d in its square; |d|/|y| where y != 0 */
    int32_t exp[3];                  /* of left, right, d; 0 but for extreme float64 values */
    int32_t unused;
} dc_metric;

/* Add elements first .. first+n-1; first and, but for the tensor's last elements, n must be
 * multiples of DC_METRIC_CHUNK. Dtypes of kind OTHER must not be given. */
void dc_metric_add(dc_metric *m, const dc_pair_data *pair, uint64_t first, uint64_t n);
/* m = m followed by part. */
void dc_metric_merge(dc_metric *m, const dc_metric *part);

/* Second pass: Kullback-Leibler divergence, which needs the range of both sides. */
typedef struct dc_kl_range {
    double scale[2], origin[2], floor[2], weight[2]; /* p = max(v*scale - origin, floor) * weight */
    double origin_diff, origin_lost;                 /* left - right, as a sum */
    double floor_diff, weight_diff;                  /* left - right */
    bool alike; /* neither side constant, ranges within a factor of 2 */
    bool near;  /* and weights too: p-q is formed through x-y */
} dc_kl_range;
typedef struct dc_kl {  /* one part; all-zero is the identity */
    dc_sum p, diff, kl; /* sums of p, of p-q, of p*log(p/q)-(p-q) */
} dc_kl;
/* Set up the pass from the merged first pass. False: undefined (no finite pair), no pass needed. */
bool dc_kl_begin(dc_kl_range *r, const dc_metric *m);
/* The same from statistics known beforehand (the store's index), so that both passes can be one:
 * count > 0 elements, min, max, mean of left and right; only valid if neither side has NaN or Inf.
 */
void dc_kl_known(dc_kl_range *r, uint64_t count, const double min[2], const double max[2],
                 const double mean[2]);
/* As dc_metric_add (chunk rule included; the position does not matter). */
void dc_kl_add(dc_kl *k, const dc_kl_range *r, const dc_pair_data *pair, uint64_t n);
void dc_kl_merge(dc_kl *k, const dc_kl *part);
/* After all parts are merged: true if the estimate of a sum was too coarse (nearly all values at
 * the minimum) and the pass must be repeated with the corrected *r; at most once. */
bool dc_kl_again(dc_kl_range *r, const dc_kl *k);

/* The ten metrics and what a verdict needs. */
typedef struct dc_metrics {
    double value[DC_METRIC_COUNT]; /* STD: the left side's; all four numbers are in mean and std */
    bool valid[DC_METRIC_COUNT];   /* false: undefined, the cell stays empty */
    double mean[2], std[2], min[2], max[2];
    double norm[2];          /* sqrt of the sum of squares */
    uint64_t n, finite;      /* elements (complex: reals) and finite pairs */
    uint64_t nan[2], inf[2]; /* per side, Inf of both signs */
    uint64_t mismatch, differ, over, left_only;
    dc_element first, worst, first_mismatch;
    bool integral; /* both sides integer or bool: exact[] of elements is set */
} dc_metrics;

/* k may be NULL: no KL. dtype[2] as in dc_pair_data. Undefined (valid false): everything without a
 * finite pair; COSINE where a side is all zero; REL_EUCLID where the golden is all zero and the NPU
 * is not (0 where both are); SUM_REL, MAX_REL, MEAN_REL where every golden value is 0 and some NPU
 * value is not. Relative errors are over y != 0 - no threshold hides a small golden value - and
 * left_only counts what they leave out; MEAN_REL divides by all finite pairs as msaccucmp does. */
void dc_metric_finish(dc_metrics *out, const dc_metric *m, const dc_kl *k, const uint32_t dtype[2]);
/* A whole pair of n elements held in memory; with_kl = false leaves the KL pass out. */
void dc_metric_pair(dc_metrics *out, const dc_pair_data *pair, uint64_t n, bool with_kl);

const char *dc_metric_name(dc_metric_id id);
int dc_metric_by_name(
    const char *name); /* column name, or msaccucmp's number as text; -1 if none */
#endif
