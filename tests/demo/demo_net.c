/* tests/demo/demo_net.c - see demo_net.h: the forward operators and the update */
#include "tests/demo/demo_net.h"

#include "io/mem.h"
#include "tests/demo/demo_kernel.h"

#include <math.h>
#include <string.h>

#define RATE 0.001F /* of the mean gradient over all ranks: the two sides must not drift apart */

void dc_demo_none(const dc_demo_call *call)
{
    (void)call;
}

void dc_demo_rate(const dc_demo_call *call)
{
    dc_demo_out(call)[0] = RATE / (float)call->plan->options.ranks; /* gradients are summed */
}

void dc_demo_scale(const dc_demo_call *call)
{
    dc_demo_out(call)[0] = 1.0F / (float)call->plan->batch;
}

void dc_demo_one(const dc_demo_call *call)
{
    dc_demo_out(call)[0] = 1;
}

void dc_demo_copy(const dc_demo_call *call)
{
    memcpy(dc_demo_out(call), dc_demo_in(call, 0), dc_demo_count(call) * sizeof(float));
}

void dc_demo_conv(const dc_demo_call *call)
{
    const uint64_t *y = dc_demo_shape(call)->dim, *w = dc_demo_in_shape(call, 1)->dim;
    float *out = dc_demo_out(call);
    memset(out, 0, dc_demo_count(call) * sizeof *out);
    dc_demo_taps taps = {.n = y[0], .h = y[1], .w = y[2], .k = w[0]};
    while (dc_demo_next_tap(&taps)) {
        const float *from = dc_demo_in(call, 0) + taps.in * w[2];
        const float *weight = dc_demo_in(call, 1) + taps.tap * w[2] * w[3];
        float *to = out + taps.out * w[3];
        for (uint64_t c = 0; c < w[2]; c++)
            for (uint64_t f = 0; f < w[3]; f++)
                to[f] += from[c] * weight[c * w[3] + f];
    }
}

void dc_demo_bias(const dc_demo_call *call)
{
    uint64_t n = dc_demo_count(call), c = dc_demo_in_shape(call, 1)->dim[0];
    const float *x = dc_demo_in(call, 0), *b = dc_demo_in(call, 1);
    float *out = dc_demo_out(call);
    for (uint64_t i = 0; i < n; i++)
        out[i] = x[i] + b[i % c];
}

void dc_demo_relu(const dc_demo_call *call)
{
    const float *x = dc_demo_in(call, 0);
    float *out = dc_demo_out(call);
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        out[i] = x[i] < 0 ? 0 : x[i]; /* a NaN stays one */
}

/* 2x2, stride 2 */
void dc_demo_pool(const dc_demo_call *call)
{
    const uint64_t *y = dc_demo_shape(call)->dim;
    const float *x = dc_demo_in(call, 0);
    float *out = dc_demo_out(call);
    uint64_t c = y[3], row = 2 * y[2] * c;
    for (uint64_t i = 0; i < y[0] * y[1] * y[2]; i++) {
        const float *from = x + i / y[2] * 2 * row + i % y[2] * 2 * c;
        for (uint64_t f = 0; f < c; f++)
            out[i * c + f] = (from[f] + from[c + f] + from[row + f] + from[row + c + f]) / 4;
    }
}

void dc_demo_matmul(const dc_demo_call *call)
{
    const uint64_t *w = dc_demo_in_shape(call, 1)->dim;
    uint64_t n = dc_demo_shape(call)->dim[0];
    float *out = dc_demo_out(call);
    memset(out, 0, dc_demo_count(call) * sizeof *out);
    for (uint64_t i = 0; i < n * w[0]; i++) {
        float x = dc_demo_in(call, 0)[i];
        const float *weight = dc_demo_in(call, 1) + i % w[0] * w[1];
        for (uint64_t k = 0; k < w[1]; k++)
            out[i / w[0] * w[1] + k] += x * weight[k];
    }
}

/* One sample: its loss, and softmax minus one-hot in back[0..k). */
static float xent_one(float *back, const float *logit, uint64_t k, uint64_t label)
{
    float top = logit[0], sum = 0;
    for (uint64_t i = 1; i < k; i++)
        top = logit[i] > top ? logit[i] : top;
    for (uint64_t i = 0; i < k; i++) {
        back[i] = expf(logit[i] - top);
        sum += back[i];
    }
    for (uint64_t i = 0; i < k; i++)
        back[i] = back[i] / sum - (i == label ? 1.0F : 0.0F);
    return logf(sum) - (logit[label] - top);
}

/* Two outputs: the loss of each sample, and its gradient in the next tensor. */
void dc_demo_xent(const dc_demo_call *call)
{
    const uint64_t *x = dc_demo_in_shape(call, 0)->dim;
    float *loss = dc_demo_out(call), *back = call->v[call->row->id + 1];
    for (uint64_t i = 0; i < x[0]; i++)
        loss[i] = xent_one(back + i * x[1], dc_demo_in(call, 0) + i * x[1], x[1],
                           (uint64_t)dc_demo_in(call, 1)[i]);
}

void dc_demo_mean(const dc_demo_call *call)
{
    uint64_t n = dc_demo_in_shape(call, 0)->dim[0];
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += dc_demo_in(call, 0)[i];
    dc_demo_out(call)[0] = sum / (float)n;
}

void dc_demo_finite(const dc_demo_call *call)
{
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        dc_demo_out(call)[i] = isfinite(dc_demo_in(call, 0)[i]) ? 1 : 0;
}

void dc_demo_mul(const dc_demo_call *call)
{
    float scale = dc_demo_in(call, 1)[0];
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        dc_demo_out(call)[i] = dc_demo_in(call, 0)[i] * scale;
}

void dc_demo_apply(const dc_demo_call *call)
{
    float rate = dc_demo_in(call, 1)[0];
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        dc_demo_out(call)[i] = dc_demo_in(call, 0)[i] - rate * dc_demo_in(call, 2)[i];
}

void dc_demo_add(const dc_demo_call *call)
{
    for (uint64_t i = 0; i < dc_demo_count(call); i++)
        dc_demo_out(call)[i] = dc_demo_in(call, 0)[i] + dc_demo_in(call, 1)[i];
}

/* Uniform in [-1, 1), from 24 bits of a mixed counter. */
static float uniform(uint64_t seed, uint64_t i)
{
    return (float)(dc_mix64(dc_mix64(seed) + i) >> 40) / (float)(1 << 23) - 1;
}

/* Units are pushed clearly on (three of four) or off, by a bias several times what their inputs
 * vary by: rounding must not flip a ReLU, since a flipped one is an error of 100%, which no
 * rounding explains. Classes are spread out instead, so that losses differ by more than rounding
 * does. */
static float first_bias(uint64_t i, bool classes)
{
    if (classes)
        return 0.25F * (float)i;
    return i % 4 == 3 ? -2.0F : 2.0F;
}

void dc_demo_first_value(float *v, const dc_demo_tensor *variable, uint64_t seed)
{
    const dc_shape *s = &variable->shape;
    uint64_t inputs = s->rank ? variable->n / s->dim[s->rank - 1] : 1;
    float gain = (inputs > 9 ? 0.25F : 0.5F) * sqrtf(3.0F / (float)inputs); /* 9: of pixels <= 1 */
    bool classes = variable->row->shape[0] == 'K';
    seed = seed * DC_DEMO_MAX_TENSORS + (uint64_t)variable->row->id;
    for (uint64_t i = 0; i < variable->n; i++) {
        if (s->rank == 0)
            v[i] = 0;
        else if (s->rank == 1)
            v[i] = first_bias(i, classes) + (classes ? 0.05F : 0.5F) * uniform(seed, i);
        else
            v[i] = gain * uniform(seed, i);
    }
}
