/* compare/kernel_kl_body.h - the part of the vector kernel that adds up the divergence; included by
 * kernel_body.h only. */
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
