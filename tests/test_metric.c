/* tests/test_metric.c - every metric against long double sums; what is counted; what merging keeps.
 */
#include "compare/figures.h"
#include "io/dtype.h"
#include "io/widen.h"
#include "tests/half.h"
#include "tests/harness.h"
#include "tests/number_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 5003 /* several blocks and a tail */

static double wide[2][N];
static char raw[2][16 * N];

/* Store wide[side] as dtype in raw[side] and read back what that dtype keeps. */
static void store_as(int side, uint32_t dtype, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double v = wide[side][i];
        float f = (float)v;
        uint16_t h = dtype == DC_FLOAT16 ? to_float16(v) : to_bfloat16(v);
        int32_t k = (int32_t)v;
        const void *from = dtype == DC_FLOAT64   ? (void *)&v
                           : dtype == DC_FLOAT32 ? (void *)&f
                           : dtype == DC_INT32   ? (void *)&k
                                                 : (void *)&h;
        size_t size = dc_dtype_get(dtype)->bits / 8;
        memcpy(raw[side] + i * size, from, size);
    }
    dc_widen(wide[side], raw[side], dtype, 0, n);
}

static dc_pair_data pair_of(uint32_t left, uint32_t right)
{
    return (dc_pair_data){.data = {raw[0], raw[1]}, .dtype = {left, right}};
}

/* All ten but KL of wide[][0..n), stored as the two dtypes, against long double. */
static dc_metrics check(uint32_t left, uint32_t right, size_t n)
{
    double value[DC_METRIC_COUNT], mean[2], std[2];
    dc_metrics m;

    store_as(0, left, n);
    store_as(1, right, n);
    dc_pair_data pair = pair_of(left, right);
    dc_metric_pair(&m, &pair, n, false);
    dc_ref_metrics(value, mean, std, wide[0], wide[1], n);
    for (int i = 0; i < DC_METRIC_COUNT; i++) {
        if (i == DC_METRIC_KL)
            continue;
        double got = m.valid[i] ? m.value[i] : NAN;
        if (!dc_ref_close(got, value[i], 1e-12, i == DC_METRIC_COSINE ? 1e-12 : 0))
            fprintf(stderr, "%s: %.17g, long double has %.17g\n", dc_metric_name((dc_metric_id)i),
                    got, value[i]);
        CU_ASSERT(dc_ref_close(got, value[i], 1e-12, i == DC_METRIC_COSINE ? 1e-12 : 0));
    }
    for (int s = 0; s < 2 && m.finite; s++) {
        CU_ASSERT(dc_ref_close(m.mean[s], mean[s], 1e-12, 1e-13 * fabs(m.max[s] - m.min[s])));
        CU_ASSERT(dc_ref_close(m.std[s], std[s], 1e-12, 0));
    }
    return m;
}

static void fill(double scale, double offset, double noise)
{
    for (size_t i = 0; i < N; i++) {
        wide[1][i] = offset + scale * dc_ref_random(i);
        wide[0][i] = wide[1][i] + scale * noise * dc_ref_random(i + 77777);
    }
}

static void noise_in_every_float_type(void)
{
    static const uint32_t types[] = {DC_FLOAT32, DC_FLOAT16, DC_BFLOAT16, DC_FLOAT64};

    for (size_t i = 0; i < DC_COUNT(types); i++)
        for (size_t k = 0; k < DC_COUNT(types); k++) {
            fill(3, 0.1, 1e-3);
            check(types[i], types[k], N);
        }
}

static void small_integers(void)
{
    fill(100000, 0, 1e-4);
    dc_metrics m = check(DC_INT32, DC_INT32, N);
    CU_ASSERT_TRUE(m.integral);
    CU_ASSERT_EQUAL((int64_t)m.worst.exact[0], (int64_t)m.worst.value[0]);
    fill(1000, 0, 1e-4);
    check(DC_INT32, DC_FLOAT32, N);
}

static void lengths_around_the_lanes_and_blocks(void)
{
    static const size_t sizes[] = {1, 2, 7, 8, 9, 1023, 1024, 1025, 2049};

    for (size_t i = 0; i < DC_COUNT(sizes); i++) {
        fill(1, 5, 1e-5);
        check(DC_FLOAT32, DC_FLOAT32, sizes[i]);
    }
}

static void values_of_1e25(void)
{
    fill(1e25, 0, 1e-3);
    check(DC_FLOAT32, DC_FLOAT32, N);
}

static void msaccucmp_3_masks_of_minus_3e38_have_cosine_1(void)
{
    for (size_t i = 0; i < N; i++)
        wide[0][i] = wide[1][i] = i % 3 ? -3.4e38 : 0;
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, N);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_COSINE], 1);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_RMSE], 0);
}

static void values_whose_squares_leave_the_range(void)
{
    for (int e = -300; e <= 300; e += 100) {
        fill(pow(10, e), 0, 1e-3);
        check(DC_FLOAT64, DC_FLOAT64, N);
    }
    fill(1, 0, 1e-3); /* one block huge, one tiny, the rest ordinary; sides apart */
    for (size_t i = 0; i < 1024; i++) {
        wide[0][i] *= 1e250;
        wide[1][2048 + i] *= 1e-250;
    }
    check(DC_FLOAT64, DC_FLOAT64, N);
    fill(1, 0, 1e-3); /* equal giants do not hide a small difference elsewhere */
    wide[0][5] = wide[1][5] = 1e200;
    check(DC_FLOAT64, DC_FLOAT64, N);
    fill(1, 0, 1e-3);
    wide[0][5] = 1.7e308; /* their difference overflows, their relative error does not */
    wide[1][5] = -1.7e308;
    store_as(0, DC_FLOAT64, N);
    store_as(1, DC_FLOAT64, N);
    dc_pair_data pair = pair_of(DC_FLOAT64, DC_FLOAT64);
    dc_metrics m;
    dc_metric_pair(&m, &pair, N, false);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], INFINITY);
    CU_ASSERT(fabs(m.value[DC_METRIC_COSINE] + 1) < 1e-12);
    CU_ASSERT(isfinite(m.value[DC_METRIC_MAX_REL]));
    CU_ASSERT(isfinite(m.value[DC_METRIC_RMSE]));
    CU_ASSERT_EQUAL(m.worst.at, 6);
}

static void an_infinite_relative_error_is_infinite(void)
{
    fill(1, 0, 1e-3);
    for (size_t i = 0; i < N; i += 1000) {
        wide[0][i] = 1e300;
        wide[1][i] = -1e-300;
    }
    dc_metrics m = check(DC_FLOAT64, DC_FLOAT64, 1000); /* one of them: 1e600 is no double */
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MEAN_REL], INFINITY);
    m = check(DC_FLOAT64, DC_FLOAT64, N);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_SUM_REL], INFINITY);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_REL], INFINITY);
}

static void a_large_offset_keeps_a_small_deviation(void)
{
    fill(1e-3, 1e8, 0.5);
    check(DC_FLOAT64, DC_FLOAT64, N);
    fill(100, 1e7, 0.5);
    check(DC_FLOAT32, DC_FLOAT32, N);
    fill(1, 0, 1e-3); /* the anchor is an outlier */
    wide[0][0] = wide[1][0] = 1e10;
    check(DC_FLOAT64, DC_FLOAT64, N);
}

static void b1_nan_and_inf_are_counted_and_left_out(void)
{
    fill(1, 0, 1e-3);
    wide[0][10] = NAN;
    wide[1][2000] = NAN;
    wide[0][2001] = wide[1][2001] = NAN;
    wide[0][2002] = INFINITY;
    wide[1][2002] = -INFINITY;
    wide[0][2003] = wide[1][2003] = -INFINITY;
    wide[0][4000] = INFINITY;
    wide[1][4000] = 65504;
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, N);
    CU_ASSERT_EQUAL(m.n, N);
    CU_ASSERT_EQUAL(m.finite, N - 6);
    CU_ASSERT_EQUAL(m.nan[0], 2);
    CU_ASSERT_EQUAL(m.nan[1], 2);
    CU_ASSERT_EQUAL(m.inf[0], 3);
    CU_ASSERT_EQUAL(m.inf[1], 2);
    CU_ASSERT_EQUAL(m.mismatch, 4);
    CU_ASSERT_EQUAL(m.first_mismatch.at, 11);
    CU_ASSERT_TRUE(isnan(m.first_mismatch.value[0]));
}

static void b2_equal_nan_masks_leave_no_difference(void)
{
    fill(1, 0, 0);
    for (size_t i = 0; i < N; i += 3)
        wide[0][i] = wide[1][i] = NAN;
    dc_metrics m = check(DC_FLOAT16, DC_FLOAT16, N);
    CU_ASSERT_EQUAL(m.differ, 0);
    CU_ASSERT_EQUAL(m.mismatch, 0);
    CU_ASSERT_EQUAL(m.first.at, 0);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_COSINE], 1);
}

static void b9_a_tensor_of_inf_has_no_metric(void)
{
    fill(1, 0, 0);
    for (size_t i = 0; i < N; i++)
        wide[0][i] = INFINITY;
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, N);
    for (int i = 0; i < DC_METRIC_COUNT; i++)
        CU_ASSERT_FALSE(m.valid[i]);
    CU_ASSERT_EQUAL(m.mismatch, N);
}

static void b19_float16_specials_keep_their_meaning(void)
{
    static const uint16_t left[] = {0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x0001, 0x8000};
    dc_metrics m;

    memcpy(raw[0], left, sizeof left);
    memset(raw[1], 0, sizeof left);
    dc_pair_data pair = pair_of(DC_FLOAT16, DC_FLOAT16);
    dc_metric_pair(&m, &pair, 6, true);
    CU_ASSERT_EQUAL(m.inf[0], 2);
    CU_ASSERT_EQUAL(m.nan[0], 2);
    CU_ASSERT_EQUAL(m.finite, 2);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], 0x1p-24);
    CU_ASSERT_EQUAL(m.differ, 5); /* -0 equals 0 */
}

static void b3_one_float16_value_among_zeros_divides_nothing_by_zero(void)
{
    memset(wide, 0, sizeof wide);
    wide[1][9] = 1;
    for (size_t i = 0; i < N; i++)
        wide[0][i] = 5.96e-8;
    dc_metrics m = check(DC_FLOAT16, DC_FLOAT16, N);
    CU_ASSERT_EQUAL(m.left_only, N - 1);
}

static void b5_garbage_against_a_zero_golden_is_undefined_not_perfect(void)
{
    for (size_t i = 0; i < N; i++) {
        wide[0][i] = 7;
        wide[1][i] = 0;
    }
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, N);
    CU_ASSERT_FALSE(m.valid[DC_METRIC_COSINE]);
    CU_ASSERT_FALSE(m.valid[DC_METRIC_REL_EUCLID]);
    CU_ASSERT_FALSE(m.valid[DC_METRIC_MAX_REL]);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_MAX_ABS], 7);
    fill(1e-18, 0, 1); /* a golden below msaccucmp's threshold of 2.2e-16 */
    m = check(DC_FLOAT32, DC_FLOAT32, N);
    CU_ASSERT(m.value[DC_METRIC_MAX_REL] > 1);
}

static void b6_a_scalar_is_an_element_like_any_other(void)
{
    wide[0][0] = 9.9;
    wide[1][0] = 2.31;
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, 1);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_COSINE], 1);
    CU_ASSERT(m.value[DC_METRIC_REL_EUCLID] > 3);
}

static void b10_nothing_is_undefined(void)
{
    dc_metrics m = check(DC_FLOAT32, DC_FLOAT32, 0);
    for (int i = 0; i < DC_METRIC_COUNT; i++)
        CU_ASSERT_FALSE(m.valid[i]);
}

static void b16_q8_first_and_worst_name_element_and_values(void)
{
    fill(1, 10, 0);
    wide[0][100] = wide[1][100] + 1e-5;
    wide[0][3000] = wide[1][3000] / 2;
    wide[0][4000] = wide[1][4000];
    store_as(0, DC_FLOAT32, N);
    store_as(1, DC_FLOAT32, N);
    dc_pair_data pair = pair_of(DC_FLOAT32, DC_FLOAT32);
    pair.rtol = 0x1p-18;
    dc_metrics m;
    dc_metric_pair(&m, &pair, N, false);
    CU_ASSERT_EQUAL(m.differ, 2);
    CU_ASSERT_EQUAL(m.over, 1);
    CU_ASSERT_EQUAL(m.first.at, 101);
    CU_ASSERT_EQUAL(m.worst.at, 3001);
    CU_ASSERT_EQUAL(m.worst.value[0], wide[0][3000]);
    CU_ASSERT_EQUAL(m.worst.value[1], wide[1][3000]);
}

static void b13_tolerances_add_up(void)
{
    wide[1][0] = 1e-9, wide[0][0] = 9e-7;
    wide[1][1] = 1e3, wide[0][1] = 1e3 + 0.9;
    store_as(0, DC_FLOAT64, 2);
    store_as(1, DC_FLOAT64, 2);
    dc_pair_data pair = pair_of(DC_FLOAT64, DC_FLOAT64);
    pair.atol = 1e-6;
    pair.rtol = 1e-3;
    dc_metrics m;
    dc_metric_pair(&m, &pair, 2, false);
    CU_ASSERT_EQUAL(m.over, 0);
    pair.atol = 0;
    dc_metric_pair(&m, &pair, 2, false);
    CU_ASSERT_EQUAL(m.over, 1);
}

static void q13_equal_constants_are_equal(void)
{
    for (size_t i = 0; i < N; i++)
        wide[0][i] = wide[1][i] = 3.0;
    dc_metrics m = check(DC_FLOAT64, DC_FLOAT64, N);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_COSINE], 1);
    CU_ASSERT_EQUAL(m.std[0], 0);
    CU_ASSERT_EQUAL(m.value[DC_METRIC_REL_EUCLID], 0);
}

static void complex_elements_are_two_reals(void)
{
    fill(1, 0, 1e-2);
    store_as(0, DC_FLOAT32, 4000);
    store_as(1, DC_FLOAT32, 4000);
    dc_metrics m, reals;
    dc_pair_data pair = pair_of(DC_COMPLEX64, DC_COMPLEX64), flat = pair_of(DC_FLOAT32, DC_FLOAT32);
    dc_metric_pair(&m, &pair, 2000, true);
    dc_metric_pair(&reals, &flat, 4000, true);
    CU_ASSERT_EQUAL(m.n, 4000);
    CU_ASSERT_TRUE(dc_ref_same(&m, &reals, sizeof m));
    for (size_t i = 1; i < 4000; i += 2) { /* no imaginary part on the left: same as a real side */
        memset(raw[0] + 4 * i, 0, 4);
    }
    dc_metric_pair(&reals, &pair, 2000, true);
    for (size_t i = 0; i < 2000; i++)
        memcpy(raw[0] + 4 * i, raw[0] + 8 * i, 4);
    pair.dtype[0] = DC_FLOAT32;
    dc_metric_pair(&m, &pair, 2000, true);
    CU_ASSERT_TRUE(dc_ref_same(&m, &reals, sizeof m));
}

static void cells_never_hide_a_value(void)
{
    char text[DC_FIGURES_TEXT];
    dc_figures m = {.value = {-0.0, 1e25, 3e-9, 0.25},
                    .valid = {true, true, true, true, false, true}};

    dc_figures_print(text, &m, DC_METRIC_COSINE);
    CU_ASSERT_STRING_EQUAL(text, "0.000000");
    dc_figures_print(text, &m, DC_METRIC_MAX_ABS);
    CU_ASSERT_STRING_EQUAL(text, "1.000000e+25");
    dc_figures_print(text, &m, DC_METRIC_SUM_REL);
    CU_ASSERT_STRING_EQUAL(text, "3.000000e-09");
    dc_figures_print(text, &m, DC_METRIC_REL_EUCLID);
    CU_ASSERT_STRING_EQUAL(text, "0.250000");
    dc_figures_print(text, &m, DC_METRIC_KL);
    CU_ASSERT_STRING_EQUAL(text, "");
    dc_figures_print(text, &m, DC_METRIC_STD);
    CU_ASSERT_STRING_EQUAL(text, "(0.000;0.000),(0.000;0.000)");
    CU_ASSERT_EQUAL(dc_metric_by_name("4"), DC_METRIC_KL);
    CU_ASSERT_EQUAL(dc_metric_by_name("RootMeanSquareError"), DC_METRIC_RMSE);
    CU_ASSERT_EQUAL(dc_metric_by_name("nonsense"), -1);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(noise_in_every_float_type),
        DC_TEST(small_integers),
        DC_TEST(lengths_around_the_lanes_and_blocks),
        DC_TEST(values_of_1e25),
        DC_TEST(msaccucmp_3_masks_of_minus_3e38_have_cosine_1),
        DC_TEST(values_whose_squares_leave_the_range),
        DC_TEST(an_infinite_relative_error_is_infinite),
        DC_TEST(a_large_offset_keeps_a_small_deviation),
        DC_TEST(b1_nan_and_inf_are_counted_and_left_out),
        DC_TEST(b2_equal_nan_masks_leave_no_difference),
        DC_TEST(b9_a_tensor_of_inf_has_no_metric),
        DC_TEST(b19_float16_specials_keep_their_meaning),
        DC_TEST(b3_one_float16_value_among_zeros_divides_nothing_by_zero),
        DC_TEST(b5_garbage_against_a_zero_golden_is_undefined_not_perfect),
        DC_TEST(b6_a_scalar_is_an_element_like_any_other),
        DC_TEST(b10_nothing_is_undefined),
        DC_TEST(b16_q8_first_and_worst_name_element_and_values),
        DC_TEST(b13_tolerances_add_up),
        DC_TEST(q13_equal_constants_are_equal),
        DC_TEST(complex_elements_are_two_reals),
        DC_TEST(cells_never_hide_a_value)};

    return dc_test_main("metric", tests, DC_COUNT(tests));
}
