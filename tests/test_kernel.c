/* tests/test_kernel.c - every instruction set gives the reference's bits; parts merge to the whole;
 * 64-bit integers are exact. */
#include "compare/kernel.h"
#include "io/dtype.h"
#include "io/widen.h"
#include "tests/harness.h"
#include "tests/number_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)DC_METRIC_CHUNK)
#define N     (2 * CHUNK + 12345)

static char *bytes[2]; /* random bytes, made once: all NaNs, Infs and subnormals of every dtype */

static void make_bytes(void)
{
    for (int s = 0; s < 2 && !bytes[s]; s++) {
        bytes[s] = malloc(16 * N);
        CU_ASSERT_PTR_NOT_NULL_FATAL(bytes[s]);
        for (size_t i = 0; i < 2 * N; i++) {
            double r = dc_ref_random(i + (i % 3 ? 0 : (uint64_t)s << 40)); /* a third differs */
            memcpy(bytes[s] + 8 * i, &r, 8);
            if (i % 2)
                memset(bytes[s] + 8 * i + 5, (int)(i / 2 % 256), 3);
        }
    }
}

/* Both passes under one instruction set. */
static void run(dc_metric *m, dc_kl *k, const dc_pair_data *pair, size_t n, dc_isa isa)
{
    dc_kl_range r;

    CU_ASSERT_EQUAL_FATAL(setenv("DC_ISA", dc_isa_name(isa), 1), 0);
    CU_ASSERT_EQUAL(dc_isa_choose(), isa);
    memset(m, 0, sizeof *m);
    memset(k, 0, sizeof *k);
    dc_metric_add(m, pair, 0, n);
    if (dc_kl_begin(&r, m))
        dc_kl_add(k, &r, pair, n);
    CU_ASSERT_EQUAL(unsetenv("DC_ISA"), 0);
}

static void same_bits(const dc_pair_data *pair, size_t n)
{
    dc_metric ref, other;
    dc_kl ref_kl, other_kl;

    run(&ref, &ref_kl, pair, n, DC_ISA_REF);
    for (int isa = DC_ISA_REF + 1; isa < DC_ISA_COUNT; isa++) {
        if (!dc_isa_has((dc_isa)isa))
            continue;
        run(&other, &other_kl, pair, n, (dc_isa)isa);
        CU_ASSERT_TRUE(dc_ref_same(&ref, &other, sizeof ref));
        CU_ASSERT_TRUE(dc_ref_same(&ref_kl, &other_kl, sizeof ref_kl));
    }
}

static void every_pair_of_dtypes_gives_the_reference_bits(void)
{
    make_bytes();
    for (uint32_t left = 0; left < DC_DTYPE_COUNT; left++)
        for (uint32_t right = 0; right < DC_DTYPE_COUNT; right++) {
            if (!dc_widen_supported(left) || !dc_widen_supported(right))
                continue;
            dc_pair_data pair = {
                .data = {bytes[0], bytes[1]}, .dtype = {left, right}, .atol = 0.1, .rtol = 0.01};
            same_bits(&pair, 1500);
        }
}

static void every_length_gives_the_reference_bits(void)
{
    static const uint32_t types[] = {DC_FLOAT32, DC_FLOAT16, DC_BFLOAT16, DC_FLOAT64};

    make_bytes();
    for (size_t t = 0; t < DC_COUNT(types); t++)
        for (size_t n = 0; n < 40; n++) { /* 3 bytes off: no alignment is assumed */
            dc_pair_data pair = {.data = {bytes[0] + 3, bytes[1] + 5},
                                 .dtype = {types[t], types[t]}};
            same_bits(&pair, n);
            same_bits(&pair, 1000 + n);
        }
}

static void finite_data_gives_the_reference_bits(void)
{
    static double v[2][3000];
    dc_pair_data pair = {.data = {v[0], v[1]}, .dtype = {DC_FLOAT64, DC_FLOAT64}};

    for (int scale = -1000; scale <= 1000; scale += 250) {
        for (size_t i = 0; i < 3000; i++) {
            v[1][i] = ldexp(dc_ref_random(i), scale);
            v[0][i] = v[1][i] * (1 + 1e-6 * dc_ref_random(i + 5000));
        }
        same_bits(&pair, 3000);
        for (size_t i = 0; i < 3000; i++) /* not alike: the other form of p-q */
            v[0][i] = 5 * v[1][i];
        same_bits(&pair, 3000);
    }
}

static void lanes_of_every_kernel_equal_the_reference(void)
{
    double x[100], y[100];
    const dc_pair_args args = {.anchor = {0.5, 0.25}, .rtol = 0.5};
    dc_pair_lanes ref, other;

    for (size_t i = 0; i < 100; i++) {
        x[i] = dc_ref_random(i);
        y[i] = i % 9 ? dc_ref_random(i + 100) : 0;
    }
    for (size_t n = 0; n <= 100; n++) {
        dc_pair_clear(&ref);
        dc_kernel_get(DC_ISA_REF)->pair(&ref, x, y, n, &args);
        for (int isa = 0; isa < DC_ISA_COUNT; isa++) {
            if (!dc_isa_has((dc_isa)isa))
                continue;
            dc_pair_clear(&other);
            dc_kernel_get((dc_isa)isa)->pair(&other, x, y, n, &args);
            CU_ASSERT_TRUE(dc_ref_same(&ref, &other, sizeof ref));
        }
    }
}

/* Chunk parts made apart and merged in order against one call, and calls of several chunks. */
static void parts_merge_to_the_bits_of_the_whole(void)
{
    static const uint32_t types[][2] = {{DC_FLOAT32, DC_FLOAT32},
                                        {DC_COMPLEX64, DC_FLOAT32},
                                        {DC_INT64, DC_UINT64},
                                        {DC_INT4, DC_INT8}};

    make_bytes();
    for (size_t t = 0; t < DC_COUNT(types); t++) {
        dc_pair_data pair = {.data = {bytes[0], bytes[1]}, .dtype = {types[t][0], types[t][1]}};
        dc_metric whole = {0}, merged = {0};
        dc_kl kl = {0}, kl_merged = {0};
        dc_kl_range r;
        dc_metric_add(&whole, &pair, 0, N);
        CU_ASSERT_TRUE_FATAL(dc_kl_begin(&r, &whole));
        dc_kl_add(&kl, &r, &pair, N);
        for (size_t i = 0; i < N; i += CHUNK) {
            dc_pair_data part = pair;
            dc_metric m = {0}, nothing = {0};
            dc_kl k = {0};
            for (int s = 0; s < 2; s++)
                part.data[s] = bytes[s] + i * dc_dtype_get(types[t][s])->bits / 8;
            dc_metric_add(&m, &part, i, N - i < CHUNK ? N - i : CHUNK);
            dc_kl_add(&k, &r, &part, N - i < CHUNK ? N - i : CHUNK);
            dc_metric_merge(&merged, &nothing);
            dc_metric_merge(&merged, &m);
            dc_kl_merge(&kl_merged, &k);
        }
        CU_ASSERT_TRUE(dc_ref_same(&whole, &merged, sizeof whole));
        CU_ASSERT_TRUE(dc_ref_same(&kl, &kl_merged, sizeof kl));
    }
}

static dc_metrics of_int64(const void *x, const void *y, uint32_t left, uint32_t right, size_t n)
{
    dc_pair_data pair = {.data = {x, y}, .dtype = {left, right}};
    dc_metrics m;

    dc_metric_pair(&m, &pair, n, true);
    return m;
}

static void msaccucmp_7_neighbours_beyond_2_to_53_differ(void)
{
    int64_t x[3] = {16777217, (1LL << 53) + 1, INT64_MAX},
            y[3] = {16777217, 1LL << 53, INT64_MAX - 1};
    dc_metrics m = of_int64(x, y, DC_INT64, DC_INT64, 3);

    CU_ASSERT_EQUAL(m.differ, 2);
    CU_ASSERT_EQUAL(m.first.at, 2);
    CU_ASSERT_EQUAL((int64_t)m.first.exact[0], (1LL << 53) + 1);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], 1);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MEAN_ABS], 2.0 / 3);
}

static void extremes_of_64_bit_integers_do_not_wrap(void)
{
    int64_t x[2] = {INT64_MIN, 5};
    uint64_t y[2] = {UINT64_MAX, 5};
    dc_pair_data pair = {.data = {x, y}, .dtype = {DC_INT64, DC_UINT64}};
    dc_metric part = {0};
    dc_metrics m = of_int64(x, y, DC_INT64, DC_UINT64, 2);

    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], 27670116110564327424.0); /* 2^63 + 2^64 */
    dc_metric_add(&part, &pair, 0, 2);
    CU_ASSERT_EQUAL(part.max_int[1], 1);
    CU_ASSERT_EQUAL(part.max_int[0], (1ULL << 63) - 1);
    int8_t narrow[2] = {-1, 5}; /* -1 is not 2^64-1 */
    m = of_int64(narrow, y, DC_INT8, DC_UINT64, 2);
    CU_ASSERT_EQUAL(m.differ, 1);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], 18446744073709551616.0);
}

static void the_worst_of_two_differences_that_doubles_cannot_tell(void)
{
    uint64_t x[2] = {UINT64_MAX - 1, UINT64_MAX}, y[2] = {0, 0};
    dc_metrics m = of_int64(x, y, DC_UINT64, DC_UINT64, 2);

    CU_ASSERT_EQUAL(m.worst.at, 2);
    CU_ASSERT_EQUAL(m.worst.exact[0], UINT64_MAX);
}

static void g7_bool_is_0_or_1(void)
{
    uint8_t x[4] = {0, 1, 255, 1}, y[4] = {0, 1, 1, 0};

    CU_ASSERT_EQUAL(of_int64(x, y, DC_BOOL, DC_BOOL, 4).differ, 1);
    CU_ASSERT_EQUAL(of_int64(x, y, DC_UINT8, DC_BOOL, 4).differ, 2);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(every_pair_of_dtypes_gives_the_reference_bits),
                                    DC_TEST(every_length_gives_the_reference_bits),
                                    DC_TEST(finite_data_gives_the_reference_bits),
                                    DC_TEST(lanes_of_every_kernel_equal_the_reference),
                                    DC_TEST(parts_merge_to_the_bits_of_the_whole),
                                    DC_TEST(msaccucmp_7_neighbours_beyond_2_to_53_differ),
                                    DC_TEST(extremes_of_64_bit_integers_do_not_wrap),
                                    DC_TEST(the_worst_of_two_differences_that_doubles_cannot_tell),
                                    DC_TEST(g7_bool_is_0_or_1)};
    int code = dc_test_main("kernel", tests, DC_COUNT(tests));

    free(bytes[0]);
    free(bytes[1]);
    return code;
}
