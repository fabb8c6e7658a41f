/* tests/bench/bench_relayout.c - gathering speed of common layouts as a part of memcpy's. Not a
 * test. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/relayout.h"
#include "io/widen.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of some runs, in bytes written per nanosecond. */
static double gather_speed(const dc_relayout *m, const void *device, void *out)
{
    double best = 1e9;
    for (int i = 0; i < 7; i++) {
        double t = now();
        if (m)
            dc_relayout_gather(out, m, device, 0, (size_t)m->count);
        else
            memcpy(out, device, 1u << 26);
        t = now() - t;
        best = t < best ? t : best;
    }
    return (m ? (double)(m->count * m->item) : (double)(1u << 26)) / best * 1e-9;
}

int main(void)
{
    static const struct {
        uint32_t format, golden;
        const char *device, *logical;
    } cases[] = {{DC_FORMAT_NC1HWC0, DC_FORMAT_NHWC, "8x16x64x64x16", "8x64x64x256"},
                 {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, "8x16x64x64x16", "8x256x64x64"},
                 {DC_FORMAT_NC1HWC0, DC_FORMAT_NHWC, "32x4x56x56x16", "32x56x56x60"},
                 {DC_FORMAT_NC1HWC0, DC_FORMAT_NCHW, "32x4x56x56x16", "32x60x56x56"},
                 {DC_FORMAT_FRACTAL_NZ, DC_FORMAT_ND, "256x256x16x16", "4096x4096"},
                 {DC_FORMAT_FRACTAL_Z, DC_FORMAT_HWCN, "144x64x16x16", "3x3x256x1024"},
                 {DC_FORMAT_FRACTAL_Z, DC_FORMAT_NCHW, "144x64x16x16", "1024x256x3x3"},
                 {DC_FORMAT_NHWC, DC_FORMAT_NCHW, "32x56x56x64", "32x64x56x56"}};
    static unsigned char device[1u << 26], out[1u << 26];
    memset(device, 1, 1u << 26);
    memset(out, 2, 1u << 26);
    double copy = gather_speed(NULL, device, out);
    printf("memcpy %.2f GB/s\n", copy);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dc_relayout_ask ask = {.dtype = DC_FLOAT16, .format = cases[i].format};
        dc_relayout m;
        ask.golden_format = cases[i].golden;
        if (dc_shape_parse(&ask.device, cases[i].device) != DC_OK ||
            dc_shape_parse(&ask.logical, cases[i].logical) != DC_OK ||
            dc_relayout_init(&m, &ask) != DC_OK || m.device_count * 2 > 1u << 26) {
            fprintf(stderr, "%s\n", dc_last_error());
            return 1;
        }
        double speed = gather_speed(&m, device, out);
        printf("%-10s %-16s -> %s %-14s %6.2f GB/s  %.2f of memcpy\n",
               dc_format_name(cases[i].format), cases[i].device, dc_format_name(cases[i].golden),
               cases[i].logical, speed, speed / copy);
    }
    static const uint32_t dtypes[] = {DC_FLOAT16, DC_BFLOAT16, DC_FLOAT32, DC_HIFLOAT8, DC_INT4};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        double t = now();
        for (int r = 0; r < 1000; r++)
            dc_widen((double *)(void *)out, device, dtypes[i], 0, 8192);
        printf("widen %-10s %6.0f M elements/s\n", dc_dtype_get(dtypes[i])->name,
               8.192 / (now() - t));
    }
    return 0;
}
