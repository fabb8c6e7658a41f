/* tests/demo/demo_device.c - see demo_device.h */
#include "tests/demo/demo_device.h"

#include "io/dtype.h"
#include "io/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(float v)
{
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static float float_of(uint32_t b)
{
    float v;
    memcpy(&v, &b, sizeof v);
    return v;
}

static uint16_t to_float16(float v)
{
    uint32_t b = bits_of(v), sign = b >> 16 & 0x8000, a = b & 0x7fffffff;
    if (a > 0x7f800000)
        return (uint16_t)(sign | 0x7e00);
    if (a >= 0x477ff000) /* 65520 rounds away from the largest, 65504 */
        return (uint16_t)(sign | 0x7c00);
    if (a < 0x38800000) /* subnormal: the last bit of a float in [0.5, 1) is 2^-24 */
        return (uint16_t)(sign | (bits_of(float_of(a) + 0.5F) - bits_of(0.5F)));
    a += 0xfff + (a >> 13 & 1);
    return (uint16_t)(sign | (a - 0x38000000) >> 13);
}

static float from_float16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, a = h & 0x7fffU;
    if (a >= 0x7c00)
        return float_of(sign | 0x7f800000 | (a & 0x3ff) << 13);
    if (a < 0x400)
        return copysignf((float)a / (float)(1 << 24), float_of(sign));
    return float_of(sign | ((a << 13) + 0x38000000));
}

static uint16_t to_bfloat16(float v)
{
    uint32_t b = bits_of(v);
    if ((b & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(b >> 16 | 0x40);
    return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

void dc_demo_round(float *v, uint64_t n, uint32_t dtype)
{
    for (uint64_t i = 0; i < n && dtype == DC_FLOAT16; i++)
        v[i] = from_float16(to_float16(v[i]));
    for (uint64_t i = 0; i < n && dtype == DC_BFLOAT16; i++)
        v[i] = float_of((uint32_t)to_bfloat16(v[i]) << 16);
}

static void store_16(void *out, uint64_t at, uint16_t v)
{
    memcpy((char *)out + at * sizeof v, &v, sizeof v);
}

/* Element `at` of packed elements; the machines this runs on are little-endian. */
static void store(void *out, uint64_t at, float v, uint32_t dtype)
{
    int32_t narrow = (int32_t)(dtype == DC_INT32 ? v : 0);
    int64_t wide = (int64_t)(dtype == DC_INT64 || dtype == DC_RESOURCE ? v : 0);
    switch (dtype) {
    case DC_FLOAT16:
        store_16(out, at, to_float16(v));
        break;
    case DC_BFLOAT16:
        store_16(out, at, to_bfloat16(v));
        break;
    case DC_INT32:
        memcpy((char *)out + at * sizeof narrow, &narrow, sizeof narrow);
        break;
    case DC_INT64:
    case DC_RESOURCE:
        memcpy((char *)out + at * sizeof wide, &wide, sizeof wide);
        break;
    case DC_BOOL:
        ((char *)out)[at] = v != 0;
        break;
    default:
        memcpy((char *)out + at * sizeof v, &v, sizeof v);
    }
}

static uint64_t device_count(const dc_demo_tensor *t)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < t->device.rank; i++)
        n *= t->device.dim[i];
    return n;
}

/* Where logical element i lies, in elements. a b c d: its indices, matrices having a = b = 0. */
static uint64_t place(const dc_demo_tensor *t, uint64_t i)
{
    const uint64_t *s = t->shape.dim, *dev = t->device.dim;
    uint32_t rank = t->shape.rank;
    if (t->format == t->origin_format)
        return i;
    uint64_t nd = s[rank - 1], nc = s[rank - 2], nb = rank == 4 ? s[1] : 1;
    uint64_t d = i % nd, c = i / nd % nc, b = i / nd / nc % nb, a = i / nd / nc / nb;
    switch (t->format) {
    case DC_FORMAT_NC1HWC0: /* n h w c */
        return (((a * dev[1] + d / dev[4]) * nb + b) * nc + c) * dev[4] + d % dev[4];
    case DC_FORMAT_FRACTAL_Z: /* h w c n */
        return ((((c / dev[3] * s[0] + a) * nb + b) * dev[1] + d / dev[2]) * dev[2] + d % dev[2]) *
                   dev[3] +
               c % dev[3];
    default: /* FRACTAL_NZ: rows, columns */
        return ((d / dev[3] * dev[1] + c / dev[2]) * dev[2] + c % dev[2]) * dev[3] + d % dev[3];
    }
}

size_t dc_demo_device_bytes(const dc_demo_tensor *t)
{
    return (size_t)(device_count(t) * dc_dtype_get(t->dtype)->bits / 8);
}

void *dc_demo_to_device(const float *v, const dc_demo_tensor *t)
{
    void *out = calloc(1, dc_demo_device_bytes(t));
    if (!out)
        (void)dc_fail_memory();
    for (uint64_t i = 0; out && i < t->n; i++)
        store(out, place(t, i), v[i], t->dtype);
    return out;
}

void *dc_demo_pack(const float *v, uint64_t n, uint32_t dtype)
{
    void *out = calloc(n, dc_dtype_get(dtype)->bits / 8);
    if (!out)
        (void)dc_fail_memory();
    for (uint64_t i = 0; out && i < n; i++)
        store(out, i, v[i], dtype);
    return out;
}
