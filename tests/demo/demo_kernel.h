/* tests/demo/demo_kernel.h - what the kernels of demo_net.c and demo_grad.c share: their call's
 * tensors, and the walk over a convolution. */
#ifndef DC_DEMO_KERNEL_H
#define DC_DEMO_KERNEL_H
#include "tests/demo/demo_plan.h"

static inline const float *dc_demo_in(const dc_demo_call *call, int i)
{
    return call->v[call->row->in[i]];
}
static inline float *dc_demo_out(const dc_demo_call *call)
{
    return call->v[call->row->id];
}
static inline const dc_shape *dc_demo_shape(const dc_demo_call *call)
{
    return &call->plan->tensor[call->row->id].shape;
}
static inline const dc_shape *dc_demo_in_shape(const dc_demo_call *call, int i)
{
    return &call->plan->tensor[call->row->in[i]].shape;
}
static inline uint64_t dc_demo_count(const dc_demo_call *call)
{
    return call->plan->tensor[call->row->id].n;
}

/* All pairs (input pixel, output pixel) of a k x k convolution of stride 1 that keeps the side
 * (padding SAME), with the tap that joins them. Set n, h, w, k, the rest zero, then call
 * dc_demo_next_tap until it says false; pixels count in (n, h, w) order. */
typedef struct dc_demo_taps {
    uint64_t n, h, w, k; /* batch, height, width, side of the kernel */
    uint64_t at;         /* how far the walk is */
    uint64_t in, out, tap;
} dc_demo_taps;

static inline bool dc_demo_next_tap(dc_demo_taps *t)
{
    uint64_t taps = t->k * t->k, end = t->n * t->h * t->w * taps, half = t->k / 2;
    while (t->at < end) {
        uint64_t tap = t->at % taps, out = t->at / taps;
        uint64_t y = out / t->w % t->h + tap / t->k, x = out % t->w + tap % t->k;
        t->at++;
        if (y < half || y - half >= t->h || x < half || x - half >= t->w)
            continue;
        t->tap = tap;
        t->out = out;
        t->in = (out / (t->w * t->h) * t->h + (y - half)) * t->w + (x - half);
        return true;
    }
    return false;
}
#endif
