/* tests/demo/demo_grad.c - see demo_net.h: the backward operators */
#include "tests/demo/demo_kernel.h"
#include "tests/demo/demo_net.h"

#include <string.h>

void dc_demo_bias_grad(const dc_demo_call *call)
{
    uint64_t c = dc_demo_count(call), n = call->plan->tensor[call->row->in[0]].n;
    float *out = dc_demo_out(call);
    memset(out, 0, c * sizeof *out);
    for (uint64_t i = 0; i < n; i++)
        out[i % c] += dc_demo_in(call, 0)[i];
}

/* inputs: gradient [n,k], weight [m,k]; output [n,m] */
void dc_demo_matmul_grad_x(const dc_demo_call *call)
{
    const uint64_t *w = dc_demo_in_shape(call, 1)->dim;
    for (uint64_t i = 0; i < dc_demo_count(call); i++) {
        const float *g = dc_demo_in(call, 0) + i / w[0] * w[1];
        const float *weight = dc_demo_in(call, 1) + i % w[0] * w[1];
        float sum = 0;
        for (uint64_t k = 0; k < w[1]; k++)
            sum += g[k] * weight[k];
        dc_demo_out(call)[i] = sum;
    }
}

/* inputs: x [n,m], gradient [n,k]; output [m,k] */
void dc_demo_matmul_grad_w(const dc_demo_call *call)
{
    const uint64_t *x = dc_demo_in_shape(call, 0)->dim;
    uint64_t units = dc_demo_shape(call)->dim[1];
    float *out = dc_demo_out(call);
    memset(out, 0, dc_demo_count(call) * sizeof *out);
    for (uint64_t i = 0; i < x[0] * x[1]; i++) {
        const float *g = dc_demo_in(call, 1) + i / x[1] * units;
        float a = dc_demo_in(call, 0)[i], *to = out + i % x[1] * units;
        for (uint64_t k = 0; k < units; k++)
            to[k] += a * g[k];
    }
}

/* inputs: gradient, the ReLU's output */
void dc_demo_relu_grad(const dc_demo_call *call)
{
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        dc_demo_out(call)[i] = dc_demo_in(call, 1)[i] > 0 ? dc_demo_in(call, 0)[i] : 0;
}

void dc_demo_pool_grad(const dc_demo_call *call)
{
    const uint64_t *x = dc_demo_shape(call)->dim;
    const float *g = dc_demo_in(call, 0);
    uint64_t c = x[3], half = x[2] / 2;
    for (uint64_t i = 0; i < x[0] * x[1] * x[2]; i++) {
        uint64_t from = (i / x[2] / 2 * half + i % x[2] / 2) * c;
        for (uint64_t f = 0; f < c; f++)
            dc_demo_out(call)[i * c + f] = g[from + f] / 4;
    }
}

/* inputs: gradient [n,h,w,f], weight [k,k,c,f]; output [n,h,w,c] */
void dc_demo_conv_grad_x(const dc_demo_call *call)
{
    const uint64_t *y = dc_demo_in_shape(call, 0)->dim, *w = dc_demo_in_shape(call, 1)->dim;
    float *out = dc_demo_out(call);
    memset(out, 0, dc_demo_count(call) * sizeof *out);
    dc_demo_taps taps = {.n = y[0], .h = y[1], .w = y[2], .k = w[0]};
    while (dc_demo_next_tap(&taps)) {
        const float *g = dc_demo_in(call, 0) + taps.out * w[3];
        const float *weight = dc_demo_in(call, 1) + taps.tap * w[2] * w[3];
        for (uint64_t c = 0; c < w[2]; c++) {
            float sum = 0;
            for (uint64_t f = 0; f < w[3]; f++)
                sum += g[f] * weight[c * w[3] + f];
            out[taps.in * w[2] + c] += sum;
        }
    }
}

/* inputs: x [n,h,w,c], gradient [n,h,w,f]; output [k,k,c,f] */
void dc_demo_conv_grad_w(const dc_demo_call *call)
{
    const uint64_t *y = dc_demo_in_shape(call, 1)->dim, *w = dc_demo_shape(call)->dim;
    float *out = dc_demo_out(call);
    memset(out, 0, dc_demo_count(call) * sizeof *out);
    dc_demo_taps taps = {.n = y[0], .h = y[1], .w = y[2], .k = w[0]};
    while (dc_demo_next_tap(&taps)) {
        const float *x = dc_demo_in(call, 0) + taps.in * w[2];
        const float *g = dc_demo_in(call, 1) + taps.out * w[3];
        float *to = out + taps.tap * w[2] * w[3];
        for (uint64_t c = 0; c < w[2]; c++)
            for (uint64_t f = 0; f < w[3]; f++)
                to[c * w[3] + f] += x[c] * g[f];
    }
}
