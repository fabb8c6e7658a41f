/* compare/metric_part.h - what the sources of metric.h share among themselves. */
#ifndef DC_METRIC_PART_H
#define DC_METRIC_PART_H
#include "compare/kernel.h"

/* Where a block's moments are taken about: the middle one of its first, middle and last value. The
 * first alone would not do: if it is the block's only outlier, the others' distances from it drown
 * their deviation. */
double dc_part_anchor(double a, double b, double c);
/* Set the moments and sums of a part of m->finite pairs from a block's sums about its anchors. */
void dc_part_moments(dc_metric *m, const dc_pair_sums *sums, const dc_pair_args *args);
/* Set its extrema and add its counts. */
void dc_part_extrema(dc_metric *m, const dc_pair_sums *sums);

/* Whether a pair must go the exact way: both sides integers or bool, one of 64 bits. */
bool dc_part_is_int64(const dc_pair_data *pair);
/* Add n <= DC_BLOCK elements from `first` of the call's arrays, the first of which is element
 * `index` of the tensor, to part: differences, largest difference and equality in 128 bits. */
void dc_part_add_int64(dc_metric *part, const dc_pair_data *pair, uint64_t first, size_t n,
                       uint64_t index);

double dc_kl_value(const dc_kl *k);
#endif
