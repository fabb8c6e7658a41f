/* tests/number_ref.h - the ten metrics of a pair of double arrays once more, computed another way:
 * long double sums, MPFR with 60 digits for the divergence. */
#ifndef DC_NUMBER_REF_H
#define DC_NUMBER_REF_H
#include "compare/metric.h"

/* x, y: what the elements are as doubles; pairs with a NaN or Inf are left out. Long double has the
 * range that float64's squares need. Undefined values are NaN. value[KL] is not set. */
void dc_ref_metrics(double value[DC_METRIC_COUNT], double mean[2], double std[2], const double *x,
                    const double *y, size_t n);
/* Sum of p log(p/q) by its definition (compare/kl.c) over the finite pairs. */
double dc_ref_divergence(const double *x, const double *y, size_t n);
/* |a-b| <= rel*|b| + abs, equal infinities and NaNs included */
int dc_ref_close(double a, double b, double rel, double abs);
/* Whether two structs without padding have the same bytes. */
int dc_ref_same(const void *a, const void *b, size_t n);
/* Uniform in (-1, 1) from a counter. */
double dc_ref_random(uint64_t i);
#endif
