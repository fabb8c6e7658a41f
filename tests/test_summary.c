/* tests/test_summary.c - nine numbers of one tensor against long double; the same bits however fed.
 */
#include "io/dtype.h"
#include "io/isa.h"
#include "io/mem.h"
#include "io/summary.h"
#include "io/widen.h"
#include "tests/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 5003

static double wide[2 * N];
static char bytes[16 * N];

static double noise(uint64_t i)
{
    return (double)(dc_mix64((i + 1) * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-52 - 1;
}

static int close_to(double a, long double b)
{
    return a == (double)b || fabsl((long double)a - b) <= 1e-12L * fabsl(b);
}

/* Compared as bytes: the struct has no padding. */
static int same(const dc_summary *a, const dc_summary *b)
{
    return memcmp((const char *)a, (const char *)b, sizeof *a) == 0;
}

/* Against a plain loop over the widened elements. */
static dc_result check(const void *data, uint32_t dtype, size_t n)
{
    long double sum = 0, size = 0, sq = 0;
    uint64_t finite = 0, nan = 0, pos = 0, neg = 0, zero = 0;
    double min = INFINITY, max = -INFINITY;
    dc_summary s = {0};
    dc_result r = {0};

    dc_summary_add(&s, data, dtype, n);
    dc_summary_finish(&r, &s);
    dc_widen(wide, data, dtype, 0, n);
    for (size_t i = 0; i < n * dc_widen_parts(dtype); i++) {
        double v = wide[i];
        nan += isnan(v) ? 1 : 0;
        pos += v == INFINITY;
        neg += v == -INFINITY;
        zero += v == 0;
        if (!isfinite(v))
            continue;
        finite++;
        sum += v;
        size += fabsl((long double)v);
        sq += (long double)v * v;
        min = fmin(min, v);
        max = fmax(max, v);
    }
    CU_ASSERT_EQUAL(s.finite, finite);
    CU_ASSERT_EQUAL(r.nan, nan);
    CU_ASSERT_EQUAL(r.pos_inf, pos);
    CU_ASSERT_EQUAL(r.neg_inf, neg);
    CU_ASSERT_EQUAL(r.zero, zero);
    CU_ASSERT(close_to(r.l2, sqrtl(sq)));
    if (finite) {
        CU_ASSERT_EQUAL(r.min, min);
        CU_ASSERT_EQUAL(r.max, max);
        CU_ASSERT(fabsl((long double)r.mean * (long double)finite - sum) <=
                  1e-14L * size + 5e-324L * (long double)finite);
    } else {
        CU_ASSERT_TRUE(isnan(r.min) && isnan(r.max) && isnan(r.mean));
    }
    return r;
}

static void random_bytes_of_every_dtype(void)
{
    for (size_t i = 0; i < sizeof bytes / 8; i++) {
        uint64_t v = dc_mix64(i + 1);
        memcpy(bytes + 8 * i, &v, 8);
    }
    for (uint32_t dtype = 0; dtype < DC_DTYPE_COUNT; dtype++)
        if (dc_widen_supported(dtype))
            check(bytes + 1, dtype, N - 1);
}

static void g9_bool_statistics(void)
{
    const uint8_t v[5] = {0, 1, 1, 0, 255};
    dc_result r = check(v, DC_BOOL, 5);

    CU_ASSERT_EQUAL(r.zero, 2);
    CU_ASSERT_EQUAL(r.max, 1);
}

static void extreme_values_do_not_overflow(void)
{
    static double v[N];
    static const double scale[] = {1e308, 1e200, 1, 1e-200, 1e-300, 4e-324};

    for (size_t k = 0; k < DC_COUNT(scale); k++) {
        for (size_t i = 0; i < N; i++)
            v[i] = scale[k] * noise(i);
        check(v, DC_FLOAT64, N);
    }
    for (size_t i = 0; i < N; i++) /* blocks of all sizes, and one of zeros */
        v[i] = i / 1024 == 3 ? 0 : scale[i / 1024] * noise(i);
    check(v, DC_FLOAT64, N);
}

static void nothing_finite_gives_nan(void)
{
    const float v[3] = {NAN, INFINITY, -INFINITY};
    dc_result r = check(v, DC_FLOAT32, 3);

    CU_ASSERT_EQUAL(r.l2, 0);
    check(v, DC_FLOAT32, 0);
}

static void strings_add_nothing(void)
{
    dc_summary s = {0}, zero = {0};

    dc_summary_add(&s, "abc", DC_STRING, 3);
    CU_ASSERT_TRUE(same(&s, &zero));
}

static void every_instruction_set_and_piece_gives_the_same_bits(void)
{
    static float v[N];
    dc_summary ref = {0};

    for (size_t i = 0; i < N; i++)
        v[i] = i % 100 == 7 ? NAN : (float)noise(i);
    CU_ASSERT_EQUAL_FATAL(setenv("DC_ISA", "ref", 1), 0);
    dc_summary_add(&ref, v, DC_FLOAT32, N);
    for (int isa = 0; isa < DC_ISA_COUNT; isa++)
        for (size_t piece = DC_SUMMARY_BLOCK; piece < N; piece += DC_SUMMARY_BLOCK) {
            dc_summary s = {0};
            if (!dc_isa_has((dc_isa)isa))
                continue;
            CU_ASSERT_EQUAL_FATAL(setenv("DC_ISA", dc_isa_name((dc_isa)isa), 1), 0);
            for (size_t i = 0; i < N; i += piece)
                dc_summary_add(&s, v + i, DC_FLOAT32, N - i < piece ? N - i : piece);
            CU_ASSERT_TRUE(same(&s, &ref));
        }
    CU_ASSERT_EQUAL(unsetenv("DC_ISA"), 0);
}

static void merging_nothing_changes_nothing(void)
{
    const float v[4] = {1, 2, NAN, 4};
    dc_summary s = {0}, nothing = {0}, merged = {0};

    dc_summary_add(&s, v, DC_FLOAT32, 4);
    dc_summary_merge(&merged, &s);
    dc_summary_merge(&merged, &nothing);
    CU_ASSERT_TRUE(same(&s, &merged));
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(random_bytes_of_every_dtype),
                                    DC_TEST(g9_bool_statistics),
                                    DC_TEST(extreme_values_do_not_overflow),
                                    DC_TEST(nothing_finite_gives_nan),
                                    DC_TEST(strings_add_nothing),
                                    DC_TEST(every_instruction_set_and_piece_gives_the_same_bits),
                                    DC_TEST(merging_nothing_changes_nothing)};

    return dc_test_main("summary", tests, DC_COUNT(tests));
}
