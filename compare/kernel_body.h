/* compare/kernel_body.h - the vector kernel, written over DC_W doubles per vector; each including
 * source defines DC_W and DC_KERNEL_NAME. kernel_ref.c says what is computed and why. */
#include "compare/kernel.h"
#include "io/lanes.h"

typedef uint64_t vu __attribute__((vector_size(DC_W * 8)));

/* Moments and extrema of lanes lane .. lane+DC_W-1. */
static inline void body_values(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                               size_t lane, const dc_pair_args *a)
{
    const vd anchor_x = vset(a->anchor[0]), anchor_y = vset(a->anchor[1]);
    vd sx = vload(l->sum[DC_SUM_X] + lane), sy = vload(l->sum[DC_SUM_Y] + lane);
    vd sxx = vload(l->sum[DC_SUM_XX] + lane), syy = vload(l->sum[DC_SUM_YY] + lane);
    vd sxy = vload(l->sum[DC_SUM_XY] + lane);
    vd min_x = vload(l->ext[DC_EXT_MIN_X] + lane), min_y = vload(l->ext[DC_EXT_MIN_Y] + lane);
    vd max_x = vload(l->ext[DC_EXT_MAX_X] + lane), max_y = vload(l->ext[DC_EXT_MAX_Y] + lane);

    for (size_t i = lane; i < n; i += DC_LANES) {
        vd vx = vload(x + i), vy = vload(y + i);
        min_x = vmin(min_x, vx);
        min_y = vmin(min_y, vy);
        max_x = vmax(max_x, vx);
        max_y = vmax(max_y, vy);
        vx -= anchor_x;
        vy -= anchor_y;
        sx += vx;
        sy += vy;
        sxx += vx * vx;
        syy += vy * vy;
        sxy += vx * vy;
    }
    vstore(l->sum[DC_SUM_X] + lane, sx);
    vstore(l->sum[DC_SUM_Y] + lane, sy);
    vstore(l->sum[DC_SUM_XX] + lane, sxx);
    vstore(l->sum[DC_SUM_YY] + lane, syy);
    vstore(l->sum[DC_SUM_XY] + lane, sxy);
    vstore(l->ext[DC_EXT_MIN_X] + lane, min_x);
    vstore(l->ext[DC_EXT_MIN_Y] + lane, min_y);
    vstore(l->ext[DC_EXT_MAX_X] + lane, max_x);
    vstore(l->ext[DC_EXT_MAX_Y] + lane, max_y);
}

/* Sums, maxima and counts of the differences. */
static inline void body_errors(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                               size_t lane, const dc_pair_args *a)
{
    const vd atol = vset(a->atol), rtol = vset(a->rtol), zero = {0};
    vd abs = vload(l->sum[DC_SUM_ABS] + lane), sq = vload(l->sum[DC_SUM_SQ] + lane);
    vd rel = vload(l->sum[DC_SUM_REL] + lane);
    vd max_abs = vload(l->ext[DC_EXT_MAX_ABS] + lane),
       max_rel = vload(l->ext[DC_EXT_MAX_REL] + lane);
    vi differ = vload_i(l->count[DC_CNT_DIFFER] + lane),
       over = vload_i(l->count[DC_CNT_OVER] + lane);
    vi left_only = vload_i(l->count[DC_CNT_LEFT_ONLY] + lane);

    for (size_t i = lane; i < n; i += DC_LANES) {
        vd vy = vload(y + i), d = vabs(vload(x + i) - vy);
        vy = vabs(vy);
        vi some = d != zero, none = vy == zero;
        vd r = vkeep(~none, d / vy);
        abs += d;
        sq += d * d;
        rel += r;
        max_abs = vmax(max_abs, d);
        max_rel = vmax(max_rel, r);
        differ -= some;
        over -= d > atol + rtol * vy;
        left_only -= some & none;
    }
    vstore(l->sum[DC_SUM_ABS] + lane, abs);
    vstore(l->sum[DC_SUM_SQ] + lane, sq);
    vstore(l->sum[DC_SUM_REL] + lane, rel);
    vstore(l->ext[DC_EXT_MAX_ABS] + lane, max_abs);
    vstore(l->ext[DC_EXT_MAX_REL] + lane, max_rel);
    vstore_i(l->count[DC_CNT_DIFFER] + lane, differ);
    vstore_i(l->count[DC_CNT_OVER] + lane, over);
    vstore_i(l->count[DC_CNT_LEFT_ONLY] + lane, left_only);
}

static void body_pair(dc_pair_lanes *l, const double *x, const double *y, size_t n,
                      const dc_pair_args *a)
{
    size_t whole = n / DC_LANES * DC_LANES;

    for (size_t lane = 0; lane < DC_LANES; lane += DC_W) {
        body_values(l, x, y, whole, lane, a);
        body_errors(l, x, y, whole, lane, a);
    }
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
                                 size_t lane, const dc_kl_range *r)
{
    const vd floor_x = vset(r->floor[0]), floor_y = vset(r->floor[1]);
    vd sp = vload(l->sum[DC_KL_P] + lane), sd = vload(l->sum[DC_KL_DIFF] + lane);
    vd st = vload(l->sum[DC_KL_TERM] + lane), check = vload(l->sum[DC_KL_CHECK] + lane);

    for (size_t i = lane; i < n; i += DC_LANES) {
        vd vx = vload(x + i), vy = vload(y + i);
        const vd v[2] = {vx * r->scale[0], vy * r->scale[1]};
        vd wx = v[0] - r->origin[0], wy = v[1] - r->origin[1];
        const vi low[2] = {~(wx > floor_x), ~(wy > floor_y)};
        const vd w[2] = {vmax(wx, floor_x), vmax(wy, floor_y)};
        vd p = w[0] * r->weight[0], q = w[1] * r->weight[1];
        vd diff = r->near ? body_kl_diff(v, w, low, r) : p - q;
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

static void body_kl(dc_kl_lanes *l, const double *x, const double *y, size_t n,
                    const dc_kl_range *r)
{
    size_t whole = n / DC_LANES * DC_LANES;

    for (size_t lane = 0; lane < DC_LANES; lane += DC_W)
        body_kl_lanes(l, x, y, whole, lane, r);
    dc_ref_kl(l, x, y, whole, n, r);
}

const dc_kernel DC_KERNEL_NAME = {body_pair, body_kl};
