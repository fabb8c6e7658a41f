/* compare/kernel_body.h - the vector kernel, written over DC_W doubles per vector; each including
 * source defines DC_W and DC_KERNEL_NAME. kernel_ref.c says what is computed and why. */
#include "compare/kernel.h"
#include "io/lanes.h"

typedef uint64_t vu __attribute__((vector_size(DC_W * 8)));

/* Fetch what belongs to the eight elements from i on, in the first of 8/DC_W rounds only. */
__attribute__((always_inline)) static inline void body_fetch(const dc_ahead *ahead, size_t i,
                                                             size_t lane)
{
    if (lane != 0)
        return;
    for (int s = 0; s < 2; s++)
        if (ahead->step[s])
            __builtin_prefetch(ahead->at[s] + i / DC_LANES * ahead->step[s]);
}

/* All accumulators of lanes lane .. lane+DC_W-1; the loops over them unroll into registers. */
typedef struct body_acc {
    vd sum[DC_SUMS], ext[DC_EXTREMA];
    vi count[DC_COUNTS];
} body_acc;

static inline void body_begin(body_acc *a, const dc_pair_lanes *l, size_t lane)
{
    for (int i = 0; i < DC_SUMS; i++)
        a->sum[i] = vload(l->sum[i] + lane);
    for (int i = 0; i < DC_EXTREMA; i++)
        a->ext[i] = vload(l->ext[i] + lane);
    for (int i = 0; i < DC_COUNTS; i++)
        a->count[i] = vload_i(l->count[i] + lane);
}

static inline void body_end(const body_acc *a, dc_pair_lanes *l, size_t lane)
{
    for (int i = 0; i < DC_SUMS; i++)
        vstore(l->sum[i] + lane, a->sum[i]);
    for (int i = 0; i < DC_EXTREMA; i++)
        vstore(l->ext[i] + lane, a->ext[i]);
    for (int i = 0; i < DC_COUNTS; i++)
        vstore_i(l->count[i] + lane, a->count[i]);
}

/* Moments and extrema. */
static inline void body_values(body_acc *a, vd x, vd y, vd anchor_x, vd anchor_y)
{
    a->ext[DC_EXT_MIN_X] = vmin(a->ext[DC_EXT_MIN_X], x);
    a->ext[DC_EXT_MIN_Y] = vmin(a->ext[DC_EXT_MIN_Y], y);
    a->ext[DC_EXT_MAX_X] = vmax(a->ext[DC_EXT_MAX_X], x);
    a->ext[DC_EXT_MAX_Y] = vmax(a->ext[DC_EXT_MAX_Y], y);
    x -= anchor_x;
    y -= anchor_y;
    a->sum[DC_SUM_X] += x;
    a->sum[DC_SUM_Y] += y;
    a->sum[DC_SUM_XX] += x * x;
    a->sum[DC_SUM_YY] += y * y;
    a->sum[DC_SUM_XY] += x * y;
}

/* Sums, maxima and counts of the differences. */
static inline void body_errors(body_acc *a, vd x, vd y, vd atol, vd rtol)
{
    const vd zero = {0}, d = vabs(x - y), size = vabs(y);
    const vi some = d != zero, none = size == zero;
    const vd rel = vkeep(~none, d / size);

    a->sum[DC_SUM_ABS] += d;
    a->sum[DC_SUM_SQ] += d * d;
    a->sum[DC_SUM_REL] += rel;
    a->ext[DC_EXT_MAX_ABS] = vmax(a->ext[DC_EXT_MAX_ABS], d);
    a->ext[DC_EXT_MAX_REL] = vmax(a->ext[DC_EXT_MAX_REL], rel);
    a->count[DC_CNT_DIFFER] -= some;
    a->count[DC_CNT_OVER] -= d > atol + rtol * size;
    a->count[DC_CNT_LEFT_ONLY] -= some & none;
}

static inline void body_pair_lanes(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                                   size_t lane, const dc_pair_args *args)
{
    const vd anchor_x = vset(args->anchor[0]), anchor_y = vset(args->anchor[1]);
    const vd atol = vset(args->atol), rtol = vset(args->rtol);
    const dc_ahead ahead = args->ahead;
    body_acc a;

    body_begin(&a, l, lane);
    for (size_t i = lane; i < n; i += DC_LANES) {
        const vd vx = vload(x + i), vy = vload(y + i);
        body_fetch(&ahead, i, lane);
        body_values(&a, vx, vy, anchor_x, anchor_y);
        body_errors(&a, vx, vy, atol, rtol);
    }
    body_end(&a, l, lane);
}

static void body_pair(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                      const dc_pair_args *a)
{
    size_t whole = n / DC_LANES * DC_LANES;

    for (size_t lane = 0; lane < DC_LANES; lane += DC_W)
        body_pair_lanes(l, x, y, whole, lane, a);
    dc_ref_pair(l, x, y, whole, n, a);
}

#include "compare/kernel_kl_body.h"

const dc_kernel DC_KERNEL_NAME = {body_pair, body_kl};
