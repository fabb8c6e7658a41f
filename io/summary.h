/* io/summary.h - one tensor in nine numbers: extrema, mean, norm, and counts of NaN, Inf and zero,
 * taken in the pass that stores it.
 *
 * min, max, mean and norm are over finite elements. Complex elements are two reals, each counted.
 * The bits of the result depend on the data alone: feed a tensor front to back in pieces of a
 * multiple of DC_SUMMARY_BLOCK elements (the last may be shorter); parts made apart from each other
 * must be cut at fixed places and merged in order. None of these functions is collective, none can
 * fail. */
#ifndef DC_SUMMARY_H
#define DC_SUMMARY_H
#include "io/sum.h"
#include "io/tensor.h"

#include <stddef.h>
#include <stdint.h>

#define DC_SUMMARY_BLOCK 1024

/* All-zero is the identity. */
typedef struct dc_summary {
    uint64_t finite, nan, pos_inf, neg_inf, zero;
    double min, max; /* valid if finite > 0 */
    dc_sum sum;      /* of v * 2^-exp */
    dc_sum sum_sq;   /* of squares of v * 2^-exp */
    int32_t exp; /* 0 unless float64 values are so large or small that squares leave the range */
    int32_t unused;
} dc_summary;

/* Add n packed elements of a dtype (io/widen.h). Dtypes of kind OTHER add nothing. */
void dc_summary_add(dc_summary *s, const void *data, uint32_t dtype, uint64_t n);
/* s = s followed by part. */
void dc_summary_merge(dc_summary *s, const dc_summary *part);
/* Sets min, max, mean, l2 (NaN, NaN, NaN, 0 without a finite element) and the four counts. */
void dc_summary_finish(dc_result *out, const dc_summary *s);
#endif
