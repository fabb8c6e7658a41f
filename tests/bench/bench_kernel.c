/* tests/bench/bench_kernel.c - speed of the metric passes against reading the same two arrays once;
 * interleaved runs, minima, ratios. Not run by ctest.
 *
 *     bench_kernel [MIB_PER_SIDE [REPEATS]]      DC_ISA=ref|v128|avx2|avx512 chooses the kernel
 *     bench_kernel --raw FILE_X FILE_Y           the ten metrics of two raw float32 files, and the
 * time
 */
#include "compare/figures.h"
#include "io/dtype.h"
#include "io/isa.h"
#include "io/mem.h"
#include "io/path.h"
#include "io/summary.h"
#include "tests/half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The read limit: a sum of an array's bytes as floats, in as many vector accumulators as it
 * takes. */
typedef float vf __attribute__((vector_size(32)));
typedef float vf_mem __attribute__((vector_size(32), aligned(4), may_alias));

#ifdef __x86_64__
__attribute__((target("avx")))
#endif
static float
read_sum(const char *data, size_t bytes)
{
    vf s[8] = {{0}};
    float total = 0;

    for (size_t i = 0; i + 256 <= bytes; i += 256)
        for (size_t j = 0; j < 8; j++)
            s[j] += *(const vf_mem *)(data + i + 32 * j);
    for (int j = 0; j < 8; j++)
        for (int k = 0; k < 8; k++)
            total += s[j][k];
    return total;
}

/* Roughly normal noise in x; y = x with relative errors of 1e-3. Both as `dtype`. */
static void fill(void *x, void *y, const uint32_t dtype[2], size_t n)
{
    uint64_t state = 1;

    for (size_t i = 0; i < n; i++) {
        uint64_t r = dc_mix64(state += 0x9e3779b97f4a7c15u);
        double g =
            (double)(int64_t)((r & 0xffff) + (r >> 16 & 0xffff) + (r >> 32 & 0xffff)) / 37837 - 2.6;
        const double value[2] = {g, g * (1 + 1e-3 * ((double)(r >> 48) / 65536 - 0.5))};
        for (int s = 0; s < 2; s++) {
            char *out = s ? y : x;
            float f = (float)value[s];
            uint16_t h = dtype[s] == DC_FLOAT16 ? to_float16(value[s]) : to_bfloat16(value[s]);
            if (dtype[s] == DC_FLOAT64)
                memcpy(out + 8 * i, &value[s], 8);
            else if (dtype[s] == DC_FLOAT32)
                memcpy(out + 4 * i, &f, 4);
            else
                memcpy(out + 2 * i, &h, 2);
        }
    }
}

enum { READ, PASS1, KL, ALL, SUMMARY, STEPS };

static float time_steps(double best[STEPS], const dc_pair_data *pair, const size_t bytes[2],
                        size_t n)
{
    float sum;
    dc_metric m = {0};
    dc_kl_range r;
    dc_kl k = {0};
    dc_metrics all;
    dc_summary s = {0};
    double t[STEPS + 1];

    t[0] = now();
    sum = read_sum(pair->data[0], bytes[0]) + read_sum(pair->data[1], bytes[1]);
    t[1] = now();
    dc_metric_add(&m, pair, 0, n);
    t[2] = now();
    (void)dc_kl_begin(&r, &m);
    dc_kl_add(&k, &r, pair, n);
    t[3] = now();
    dc_metric_pair(&all, pair, n, true);
    t[4] = now();
    dc_summary_add(&s, pair->data[0], pair->dtype[0], n);
    t[5] = now();
    for (int i = 0; i < STEPS; i++)
        best[i] = fmin(best[i], t[i + 1] - t[i]);
    return sum;
}

static void bench(const uint32_t dtype[2], size_t mib, int repeats)
{
    size_t n = (mib << 20) / 4, bytes[2];
    double best[STEPS] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}, gb;
    dc_pair_data pair = {.dtype = {dtype[0], dtype[1]}};
    float sum = 0;
    char *data[2];

    for (int s = 0; s < 2; s++) {
        bytes[s] = n * dc_dtype_get(dtype[s])->bits / 8;
        data[s] = malloc(bytes[s]);
        pair.data[s] = data[s];
    }
    if (data[0] && data[1]) {
        fill(data[0], data[1], dtype, n);
        for (int i = 0; i < repeats; i++)
            sum += time_steps(best, &pair, bytes, n);
        gb = (double)(bytes[0] + bytes[1]) * 1e-9;
        printf(
            "%-8s %-8s read %5.1f GB/s, ratio: pass 1 %.2f  KL %.2f  all ten %.2f  summary of left "
            "%.2f (%.1f GB/s)  [all ten %.3f s, %g]\n",
            dc_dtype_get(dtype[0])->name, dc_dtype_get(dtype[1])->name, gb / best[READ],
            best[READ] / best[PASS1], best[READ] / best[KL], best[READ] / best[ALL],
            best[READ] / best[SUMMARY] * (double)bytes[0] * 1e-9 / gb,
            (double)bytes[0] * 1e-9 / best[SUMMARY], best[ALL], (double)sum);
        (void)fflush(stdout);
    }
    free(data[0]);
    free(data[1]);
}

static int metrics_of_files(const char *const path[2])
{
    dc_pair_data pair = {.dtype = {DC_FLOAT32, DC_FLOAT32}};
    char *data[2] = {NULL, NULL}, text[DC_FIGURES_TEXT];
    size_t bytes[2];
    dc_metrics m;
    double best = INFINITY;
    int code = 1;

    for (int s = 0; s < 2; s++) {
        if (dc_read_file(&data[s], &bytes[s], path[s], (size_t)1 << 34) != DC_OK)
            goto done;
        pair.data[s] = data[s];
    }
    if (bytes[0] != bytes[1])
        goto done;
    for (int i = 0; i < 5; i++) {
        double t = now();
        dc_metric_pair(&m, &pair, bytes[0] / 4, true);
        best = fmin(best, now() - t);
    }
    const dc_figures f = dc_figures_of(&m, pair.dtype);
    for (int i = 0; i < DC_METRIC_COUNT; i++) {
        dc_figures_print(text, &f, (dc_metric_id)i);
        printf("%s %s\n", dc_metric_name((dc_metric_id)i), text);
    }
    printf("seconds %.6f\n", best);
    code = 0;
done:
    free(data[0]);
    free(data[1]);
    return code;
}

int main(int argc, char **argv)
{
    static const uint32_t pairs[][2] = {{DC_FLOAT32, DC_FLOAT32},   {DC_FLOAT16, DC_FLOAT32},
                                        {DC_BFLOAT16, DC_FLOAT32},  {DC_FLOAT16, DC_FLOAT16},
                                        {DC_BFLOAT16, DC_BFLOAT16}, {DC_FLOAT64, DC_FLOAT64}};
    size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 512;
    int repeats = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5;

    if (argc == 4 && strcmp(argv[1], "--raw") == 0)
        return metrics_of_files((const char *const *)argv + 2);
    printf("%s, elements of %zu MiB of float32 per side\n", dc_isa_name(dc_isa_choose()), mib);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        bench(pairs[i], mib, repeats);
    return 0;
}
