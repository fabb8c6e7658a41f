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

static inline vd body_kl_term(vd p, vd q, vd diff)
{
    vu step = ((vu)p - (vu)q + DC_KL_HALF_STEP) & DC_KL_EXPONENT;
    vd c = (vd)((vu)q + step);
    vd k = (vd)(((step + (DC_KL_BIAS << 52)) >> 52) | DC_KL_MAGIC) - DC_KL_UNMAGIC;
    vd u = vselect((vi)(step == (vu){0}), diff, p - c);
    vd s = u / (p + c), ss = s * s, series = vset(dc_kl_series[DC_KL_TERMS - 1]);

    for (int j = DC_KL_TERMS - 2; j >= 0; j--)
        series = series * ss + dc_kl_series[j];
    return u * s * (1.0 + s * (1.0 + s) * series) + (k * DC_LN2 * p + (q - c));
}

static inline vd body_product_error(vd a, vd b, vd p)
{
    vd ca = DC_KL_SPLIT * a, cb = DC_KL_SPLIT * b;
    vd ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;

    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* Where the sides are not alike. */
static inline vd body_kl_far(const vd w[2], vd p, vd q, const dc_kl_range *r)
{
    return (p - q) + (body_product_error(w[0], vset(r->weight[0]), p) -
                      body_product_error(w[1], vset(r->weight[1]), q));
}

/* v: scaled values; w: shifted and floored; low: which of w were at the floor. */
static inline vd body_kl_diff(const vd v[2], const vd w[2], const vi low[2], const dc_kl_range *r)
{
    vd d = v[0] - v[1], z = d - v[0];
    vd lost = (v[0] - (d - z)) - (v[1] + z);
    vd diff = (d - r->origin_diff) + (lost - r->origin_lost);

    diff = vselect(low[0] | low[1], w[0] - w[1], diff);
    diff = vselect(low[0] & low[1], vset(r->floor_diff), diff);
    return diff * r->weight[0] + w[1] * r->weight_diff;
}

static inline void body_kl_lanes(dc_kl_lanes *l, const double *x, const double *y, size_t n,
                                 size_t lane, const dc_kl_args *a)
{
    const dc_kl_range *r = a->range;
    const vd floor_x = vset(r->floor[0]), floor_y = vset(r->floor[1]);
    vd sp = vload(l->sum[DC_KL_P] + lane), sd = vload(l->sum[DC_KL_DIFF] + lane);
    vd st = vload(l->sum[DC_KL_TERM] + lane), check = vload(l->sum[DC_KL_CHECK] + lane);

    for (size_t i = lane; i < n; i += DC_LANES) {
        vd vx = vload(x + i), vy = vload(y + i);
        body_fetch(&a->ahead, i, lane);
        const vd v[2] = {vx * r->scale[0], vy * r->scale[1]};
        vd wx = v[0] - r->origin[0], wy = v[1] - r->origin[1];
        const vi low[2] = {~(wx > floor_x), ~(wy > floor_y)};
        const vd w[2] = {vmax(wx, floor_x), vmax(wy, floor_y)};
        vd p = w[0] * r->weight[0], q = w[1] * r->weight[1];
        vd diff = r->near ? body_kl_diff(v, w, low, r) : body_kl_far(w, p, q, r);
        sp += p;
        sd += diff;
        st += body_kl_term(p, q, diff);
        check += (vx - vx) + (vy - vy);
    }
    vstore(l->sum[DC_KL_P] + lane, sp);
    vstore(l->sum[DC_KL_DIFF] + lane, sd);
    vstore(l->sum[DC_KL_TERM] + lane, st);
    vstore(l->sum[DC_KL_CHECK] + lane, check);
}

static void body_kl(dc_kl_lanes *l, const double *x, const double *y, size_t n, const dc_kl_args *a)
{
    size_t whole = n / DC_LANES * DC_LANES;

    for (size_t lane = 0; lane < DC_LANES; lane += DC_W)
        body_kl_lanes(l, x, y, whole, lane, a);
    dc_ref_kl(l, x, y, whole, n, a->range);
}

const dc_kernel DC_KERNEL_NAME = {body_pair, body_kl};
