/* io/sum.h - a running sum kept as hi + lo, so that millions of partial sums add without loss. */
#ifndef DC_SUM_H
#define DC_SUM_H

/* The value is hi + lo, |lo| at most half an ulp of hi. All-zero is 0. */
typedef struct dc_sum {
    double hi, lo;
} dc_sum;

/* s + v (Knuth's two-sum; the second step brings hi and lo back into order). A sum that overflows
 * is infinite and stays so. */
static inline dc_sum dc_sum_add(dc_sum s, double v)
{
    double t = s.hi + v, z = t - s.hi;
    double lo = s.lo + ((s.hi - (t - z)) + (v - z));
    double hi = t + lo;
    if (t - t != 0)
        return (dc_sum){t, 0};
    return (dc_sum){hi, lo - (hi - t)};
}
static inline dc_sum dc_sum_merge(dc_sum a, dc_sum b)
{
    return dc_sum_add(dc_sum_add(a, b.hi), b.lo);
}
static inline double dc_sum_value(dc_sum s)
{
    return s.hi + s.lo;
}
#endif
