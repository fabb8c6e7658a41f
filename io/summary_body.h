/* io/summary_body.h - the vector kernel, written over DC_W doubles per vector; the including source
 * defines DC_W and DC_SUMMARY_NAME. */
#include "io/lanes.h"
#include "io/summary_kernel.h"

static inline void body_lanes(dc_summary_lanes *l, const double *v, size_t n, size_t lane)
{
    const vd zero = {0};
    vd sum = vload(l->sum + lane), sq = vload(l->sq + lane);
    vd min = vload(l->min + lane), max = vload(l->max + lane);
    vi zeros = vload_i(l->zero + lane);

    for (size_t i = lane; i < n; i += DC_LANES) {
        vd x = vload(v + i);
        sum += x;
        sq += x * x;
        min = vmin(min, x);
        max = vmax(max, x);
        zeros -= x == zero;
    }
    vstore(l->sum + lane, sum);
    vstore(l->sq + lane, sq);
    vstore(l->min + lane, min);
    vstore(l->max + lane, max);
    vstore_i(l->zero + lane, zeros);
}

void DC_SUMMARY_NAME(dc_summary_lanes *l, const double *v, size_t n)
{
    size_t whole = n / DC_LANES * DC_LANES;

    for (size_t lane = 0; lane < DC_LANES; lane += DC_W)
        body_lanes(l, v, whole, lane);
    dc_summary_ref(l, v, whole, n);
}
