/* compare/kernel.h - the loops over pairs of doubles: one scalar reference, and vector kernels that
 * give the same bits.
 *
 * A kernel fills eight lanes (io/lanes.h); dc_pair_fold adds the lanes up in one fixed order. All
 * elements given to a kernel should be finite: if one is not, the sums XX or YY (CHECK for KL)
 * become NaN or Inf, the rest is undefined, and the caller must leave the bad pairs out and call
 * again. */
#ifndef DC_KERNEL_H
#define DC_KERNEL_H
#include "compare/metric.h"
#include "io/isa.h"

#define DC_BLOCK      1024 /* doubles per side in one call: 16 KiB of first-level cache for both */
#define DC_LANE_COUNT 8

/* Sums over one block: about the anchors, of x, y, squares, products; of |d|, d*d, |d|/|y|. */
enum {
    DC_SUM_X,
    DC_SUM_Y,
    DC_SUM_XX,
    DC_SUM_YY,
    DC_SUM_XY,
    DC_SUM_ABS,
    DC_SUM_SQ,
    DC_SUM_REL,
    DC_SUMS
};
enum {
    DC_EXT_MIN_X,
    DC_EXT_MIN_Y,
    DC_EXT_MAX_X,
    DC_EXT_MAX_Y,
    DC_EXT_MAX_ABS,
    DC_EXT_MAX_REL,
    DC_EXTREMA
};
enum { DC_CNT_DIFFER, DC_CNT_OVER, DC_CNT_LEFT_ONLY, DC_COUNTS };
enum { DC_KL_P, DC_KL_DIFF, DC_KL_TERM, DC_KL_CHECK, DC_KL_SUMS };

typedef struct dc_pair_lanes {
    double sum[DC_SUMS][DC_LANE_COUNT];
    double ext[DC_EXTREMA][DC_LANE_COUNT];
    int64_t count[DC_COUNTS][DC_LANE_COUNT];
} dc_pair_lanes;

/* Memory that the next block will be loaded from, to be fetched meanwhile: step[s] bytes of side s
 * for every eight elements of this block. All-zero: nothing. */
typedef struct dc_ahead {
    const char *at[2];
    size_t step[2];
} dc_ahead;

typedef struct dc_pair_args {
    double anchor[2]; /* finite values among the block's */
    double atol, rtol;
    dc_ahead ahead;
} dc_pair_args;

typedef struct dc_kl_args {
    const dc_kl_range *range;
    dc_ahead ahead;
} dc_kl_args;

typedef struct dc_pair_sums { /* folded */
    double sum[DC_SUMS], ext[DC_EXTREMA];
    uint64_t count[DC_COUNTS];
} dc_pair_sums;

typedef struct dc_kl_lanes {
    double sum[DC_KL_SUMS][DC_LANE_COUNT];
} dc_kl_lanes;

/* Add x[0..n), y[0..n) to lanes that dc_pair_clear (all-zero for KL) made; element i to lane i % 8.
 */
typedef struct dc_kernel {
    void (*pair)(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                 const dc_pair_args *a);
    void (*kl)(dc_kl_lanes *l, const double *x, const double *y, size_t n, const dc_kl_args *a);
} dc_kernel;

/* The kernel of an instruction set that dc_isa_has. */
const dc_kernel *dc_kernel_get(dc_isa isa);
void dc_pair_clear(dc_pair_lanes *l);
void dc_pair_fold(dc_pair_sums *out, const dc_pair_lanes *l);
/* ((0+1)+(2+3))+((4+5)+(6+7)) */
double dc_fold8(const double *lane);

/* The scalar reference from element `from` on: also the tail of every vector kernel. */
void dc_ref_pair(dc_pair_lanes *l, const double *x, const double *y, size_t from, size_t n,
                 const dc_pair_args *a);
void dc_ref_kl(dc_kl_lanes *l, const double *x, const double *y, size_t from, size_t n,
               const dc_kl_range *r);
/* One element of the error sums with its difference given: for integers, whose difference must not
 * go through doubles. */
void dc_ref_error(dc_pair_lanes *l, size_t lane, const double value[2], double diff,
                  const dc_pair_args *a);
/* One element of the moments and extrema. */
void dc_ref_value(dc_pair_lanes *l, size_t lane, const double value[2], const dc_pair_args *a);

extern const dc_kernel dc_kernel_v128, dc_kernel_avx2, dc_kernel_avx512;

/* 1/(2j+3), j = 0..10: log1p(2s/(1-s)) = 2s + 2s^3 * sum of s^(2j)/(2j+3). With |s| <= 0.2 the
 * first term left out is below 2^-53 of the result. */
#define DC_KL_TERMS 11
extern const double dc_kl_series[DC_KL_TERMS];
#define DC_KL_HALF_STEP ((uint64_t)1 << 51)           /* rounds the exponent of p/q to nearest */
#define DC_KL_EXPONENT  ((uint64_t)0xfff << 52)       /* sign and exponent bits of a double */
#define DC_KL_BIAS      ((uint64_t)1024)              /* keeps k + bias positive */
#define DC_KL_MAGIC     ((uint64_t)0x433 << 52)       /* bits of 2^52 */
#define DC_KL_UNMAGIC   (4503599627370496.0 + 1024.0) /* 2^52 + bias */
#define DC_KL_SPLIT     134217729.0                   /* 2^27 + 1 */
#define DC_LN2          0.693147180559945309417232121458
#endif
