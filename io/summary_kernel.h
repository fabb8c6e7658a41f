/* io/summary_kernel.h - the loop over one array of doubles behind io/summary.c: scalar reference
 * and vector kernels, same bits. */
#ifndef DC_SUMMARY_KERNEL_H
#define DC_SUMMARY_KERNEL_H
#include <stddef.h>
#include <stdint.h>

#define DC_SUMMARY_LANES 8

/* Element i goes to lane i % 8. If an element is not finite, some lane of sq is NaN or Inf and the
 * rest is undefined. */
typedef struct dc_summary_lanes {
    double sum[DC_SUMMARY_LANES], sq[DC_SUMMARY_LANES];
    double min[DC_SUMMARY_LANES], max[DC_SUMMARY_LANES];
    int64_t zero[DC_SUMMARY_LANES];
} dc_summary_lanes;

/* Add v[0..n) to lanes; _ref starts at element `from`. */
void dc_summary_ref(dc_summary_lanes *l, const double *v, size_t from, size_t n);
void dc_summary_v128(dc_summary_lanes *l, const double *v, size_t n);
void dc_summary_avx2(dc_summary_lanes *l, const double *v, size_t n);
#endif
