/* io/lanes.h - vectors of DC_W doubles (2, 4 or 8) for the number kernels.
 *
 * Every kernel has eight lanes: element i of a block belongs to lane i mod 8, whatever the width of
 * the machine's vectors, so that the order of additions, and with it every bit of a result, is the
 * same on each. A kernel narrower than eight runs its loop 8/DC_W times over interleaved columns.
 * Nothing here may contract a multiplication and an addition (-ffp-contract=off).
 *
 * Included by kernel sources only, with DC_W defined. */
#ifndef DC_LANES_H
#define DC_LANES_H
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define DC_LANES 8

typedef double vd __attribute__((vector_size(DC_W * 8)));
typedef int64_t vi __attribute__((vector_size(DC_W * 8)));
typedef double vd_mem __attribute__((vector_size(DC_W * 8), aligned(8), may_alias));
typedef int64_t vi_mem __attribute__((vector_size(DC_W * 8), aligned(8), may_alias));

static inline vd vload(const double *p)
{
    return *(const vd_mem *)p;
}
static inline void vstore(double *p, vd v)
{
    *(vd_mem *)p = v;
}
static inline vi vload_i(const int64_t *p)
{
    return *(const vi_mem *)p;
}
static inline void vstore_i(int64_t *p, vi v)
{
    *(vi_mem *)p = v;
}
static inline vd vset(double x)
{
    return x - (vd){0};
}
static inline vi vset_i(int64_t x)
{
    return x - (vi){0};
}
static inline vd vabs(vd v)
{
    return (vd)((vi)v & INT64_MAX);
}
/* v where the mask is set, else +0 */
static inline vd vkeep(vi mask, vd v)
{
    return (vd)(mask & (vi)v);
}
static inline vd vselect(vi mask, vd yes, vd no)
{
    return (vd)((mask & (vi)yes) | (~mask & (vi)no));
}
/* a > b ? a : b, and a < b ? a : b: what MAXPD and MINPD do */
static inline vd vmax(vd a, vd b)
{
#if defined(__AVX512F__) && DC_W == 8
    return _mm512_max_pd(a, b);
#elif defined(__AVX__) && DC_W == 4
    return _mm256_max_pd(a, b);
#elif defined(__SSE2__) && DC_W == 2
    return _mm_max_pd(a, b);
#else
    return vselect(a > b, a, b);
#endif
}
static inline vd vmin(vd a, vd b)
{
#if defined(__AVX512F__) && DC_W == 8
    return _mm512_min_pd(a, b);
#elif defined(__AVX__) && DC_W == 4
    return _mm256_min_pd(a, b);
#elif defined(__SSE2__) && DC_W == 2
    return _mm_min_pd(a, b);
#else
    return vselect(a < b, a, b);
#endif
}
#endif
