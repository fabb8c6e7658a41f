/* tests/test_verdict.c - what passes, what fails, what is not judged, and what is said. */
#include "compare/verdict.h"
#include "io/dtype.h"
#include "tests/half.h"
#include "tests/harness.h"
#include "tests/number_ref.h"

#include <math.h>
#include <string.h>

#define N 30

static float x[N], y[N];
static char reason[DC_REASON];

static dc_shape shape_of(uint32_t rank, const uint64_t *dim)
{
    dc_shape s = {.rank = rank};

    for (uint32_t d = 0; d < rank; d++)
        s.dim[d] = dim[d];
    return s;
}

/* Judge n elements as a 1-D tensor (a scalar for n = 1). */
static dc_verdict judge_as(const dc_profile *profile, const void *left, const void *right, size_t n,
                           const uint32_t dtype[2])
{
    dc_shape shape = shape_of(n == 1 ? 0 : 1, (const uint64_t[]){n});
    dc_pair_data pair = {.data = {left, right}, .dtype = {dtype[0], dtype[1]}};
    dc_metrics m;
    dc_judged in = {&m, {dtype[0], dtype[1]}, {&shape, &shape}};

    dc_verdict_tolerance(&pair, profile);
    dc_metric_pair(&m, &pair, n, true);
    return dc_verdict_judge(reason, profile, &in);
}

static dc_verdict judge(size_t n)
{
    static const dc_profile normal;
    return judge_as(&normal, x, y, n, (const uint32_t[]){DC_FLOAT32, DC_FLOAT32});
}

static void expect(dc_verdict got, dc_verdict wanted, const char *text)
{
    if (got != wanted || !strstr(reason, text))
        fprintf(stderr, "%s \"%s\", wanted %s \"%s\"\n", dc_verdict_name(got), reason,
                dc_verdict_name(wanted), text);
    CU_ASSERT_EQUAL(got, wanted);
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, text));
}

static void fill(double noise)
{
    for (size_t i = 0; i < N; i++) {
        y[i] = (float)dc_ref_random(i);
        x[i] = y[i] * (float)(1 + noise * dc_ref_random(i + 1000));
    }
}

static void equal_and_nearly_equal_tensors_pass(void)
{
    fill(0);
    expect(judge(N), DC_PASS, "");
    CU_ASSERT_STRING_EQUAL(reason, "");
    fill(0.01);
    expect(judge(N), DC_PASS, "");
}

static void b7_a_scaled_tensor_fails_though_its_cosine_is_1(void)
{
    fill(0);
    for (size_t i = 0; i < N; i++)
        x[i] = 3 * y[i];
    expect(judge(N), DC_FAIL, "RelativeEuclideanDistance 2 > 0.05");
    for (size_t i = 0; i < N; i++)
        x[i] = 1000 + y[i];
    expect(judge(N), DC_FAIL, "cosine");
}

static void cosine_below_its_limit_fails(void)
{
    fill(0);
    x[0] += 1;
    expect(judge(N), DC_FAIL, "< 0.99");
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "; RelativeEuclideanDistance"));
}

static void b1_nan_on_one_side_fails_and_says_where(void)
{
    dc_shape shape = shape_of(3, (const uint64_t[]){1, 5, 6});
    dc_pair_data pair = {.data = {x, y}, .dtype = {DC_FLOAT32, DC_FLOAT32}};
    dc_metrics m;
    dc_judged in = {&m, {DC_FLOAT32, DC_FLOAT32}, {&shape, &shape}};

    fill(0);
    x[17] = x[18] = x[20] = NAN;
    dc_metric_pair(&m, &pair, N, true);
    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_FAIL,
           "NPU has 3 NaN where the golden has none, first at [0,2,5]: nan instead of ");
    fill(0);
    y[3] = INFINITY;
    expect(judge(N), DC_FAIL, "NPU has no Inf where the golden has 1, first at [3]");
    x[3] = -INFINITY;
    expect(judge(N), DC_FAIL, "NaN or Inf differ at 1 position, first at [3]: -inf instead of inf");
}

static void b2_b18_nan_at_the_same_places_passes_unless_told(void)
{
    const dc_profile strict = {.nan_not_equal = true};

    fill(0);
    x[4] = y[4] = NAN;
    expect(judge(N), DC_PASS, "1 NaN or Inf, the same on both sides");
    expect(judge_as(&strict, x, y, N, (const uint32_t[]){DC_FLOAT32, DC_FLOAT32}), DC_FAIL,
           "1 NaN");
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] = -INFINITY;
    expect(judge(N), DC_PASS, "no finite element");
}

static void b5_garbage_against_a_zero_golden_fails(void)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = 7;
        y[i] = 0;
    }
    expect(judge(N), DC_FAIL, "golden is all zero, NPU reaches 7");
    for (size_t i = 0; i < N; i++)
        x[i] = 0x1p-31F;
    expect(judge(N), DC_PASS, "golden is all zero");
    x[3] = 0x1p-29F;
    expect(judge(N), DC_FAIL, "golden is all zero");
    uint16_t half[N] = {[2] = to_float16(0x1p-17)};
    const uint32_t mixed[2] = {DC_FLOAT16, DC_FLOAT32};
    expect(judge_as(&(dc_profile){0}, half, y, N, mixed), DC_PASS, "golden is all zero");
    half[2] = to_float16(0x1p-15);
    expect(judge_as(&(dc_profile){0}, half, y, N, mixed), DC_FAIL, "golden is all zero");
    fill(0);
    memset(x, 0, sizeof x);
    expect(judge(N), DC_FAIL, "RelativeEuclideanDistance 1 > 0.05");
    memset(y, 0, sizeof y);
    expect(judge(N), DC_PASS, "both all zero");
}

static void b6_one_element_is_judged_by_its_relative_error(void)
{
    x[0] = 9.9F;
    y[0] = 2.31F;
    expect(judge(1), DC_FAIL, "RelativeEuclideanDistance");
    CU_ASSERT_PTR_NULL(strstr(reason, "cosine"));
    x[0] = 1.5F;
    y[0] = -9;
    expect(judge(1), DC_FAIL, "RelativeEuclideanDistance");
    x[0] = -9.1F;
    expect(judge(1), DC_PASS, "");
    x[0] = NAN;
    expect(judge(1), DC_FAIL, "NPU has 1 NaN where the golden has none, first at []");
}

static void b10_b11_b12_shapes_decide_first(void)
{
    dc_shape a = shape_of(2, (const uint64_t[]){2, 3}), b = shape_of(2, (const uint64_t[]){3, 2});
    dc_shape scalar = {0}, empty = shape_of(2, (const uint64_t[]){4, 0});
    dc_metrics m = {0};
    dc_judged in = {&m, {DC_FLOAT32, DC_FLOAT32}, {&a, &b}};

    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_FAIL, "shape [2,3], golden [3,2]");
    in.shape[0] = &scalar;
    in.metrics = NULL;
    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_FAIL, "shape [], golden [3,2]");
    in.shape[0] = in.shape[1] = &empty;
    in.metrics = &m;
    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_PASS, "empty");
    in.shape[0] = &a;
    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_FAIL, "golden [4,0]");
}

static void what_has_no_values_is_not_judged(void)
{
    dc_shape a = shape_of(1, (const uint64_t[]){3});
    dc_judged in = {NULL, {DC_FLOAT32, DC_STRING}, {&a, &a}};

    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_NOT_JUDGED,
           "golden dtype string cannot be compared");
    in.dtype[1] = DC_FLOAT32;
    expect(dc_verdict_judge(reason, &(dc_profile){0}, &in), DC_NOT_JUDGED, "no metric");
    uint8_t packed[6] = {0};
    expect(judge_as(&(dc_profile){0}, packed, packed, 4,
                    (const uint32_t[]){DC_FLOAT6_E3M2, DC_FLOAT6_E3M2}),
           DC_NOT_JUDGED, "packed");
}

static void a_constant_tensor_one_ulp_off_passes(void)
{
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] = 3.25F;
    expect(judge(N), DC_PASS, "");
    x[3] = nextafterf(3.25F, 4); /* divergence is 3.x here, and means nothing */
    expect(judge(N), DC_PASS, "");
    x[3] = 3.26F; /* beyond rounding, but the golden is constant */
    expect(judge(N), DC_PASS, "");
}

static void divergence_counts_beyond_the_rounding_of_the_coarser_dtype(void)
{
    static const uint32_t f32[2] = {DC_FLOAT32, DC_FLOAT32}, bf16[2] = {DC_BFLOAT16, DC_FLOAT32};
    uint16_t left[N];

    for (size_t i = 0; i < N; i++) { /* 1000 and little else: a small error, another distribution */
        y[i] = 1000 + (float)i / 1000;
        x[i] = 1000 + (float)(N - i) / 10;
        left[i] = to_bfloat16((double)x[i]);
    }
    expect(judge_as(&(dc_profile){0}, x, y, N, f32), DC_FAIL, "KullbackLeiblerDivergence");
    left[0] = to_bfloat16(1004);
    expect(judge_as(&(dc_profile){0}, left, y, N, bf16), DC_PASS, "");
    CU_ASSERT_EQUAL(dc_verdict_rounding(bf16), 0x1p-7);
    CU_ASSERT_EQUAL(dc_verdict_rounding(f32), 0x1p-20);
}

static void large_rmse_is_reported_not_judged_but_offline(void)
{
    const dc_profile offline = {.standard = DC_STANDARD_OFFLINE};
    static const uint32_t f32[2] = {DC_FLOAT32, DC_FLOAT32};

    fill(1e-3);
    for (size_t i = 0; i < N; i++) {
        x[i] *= 1e6F;
        y[i] *= 1e6F;
    }
    expect(judge(N), DC_PASS, "");
    expect(judge_as(&offline, x, y, N, f32), DC_FAIL, "RootMeanSquareError");
    CU_ASSERT_PTR_NULL(strstr(reason, "cosine"));
    fill(1e-3);
    expect(judge_as(&offline, x, y, N, f32), DC_PASS, "");
    for (size_t i = 0; i < N; i++) { /* neither distance nor cosine exists, the rest is small */
        x[i] = 0.1F;
        y[i] = 0;
    }
    expect(judge_as(&offline, x, y, N, f32), DC_NOT_JUDGED, "no metric is defined");
}

static void q10_g7_integers_and_bools_are_judged_by_equality(void)
{
    int32_t a[3] = {1, -2, 3}, b[3] = {1, 3, -2};
    uint8_t t[2] = {1, 0}, u[2] = {255, 0};

    expect(judge_as(&(dc_profile){0}, a, a, 3, (const uint32_t[]){DC_INT32, DC_INT32}), DC_PASS,
           "");
    expect(judge_as(&(dc_profile){0}, a, b, 3, (const uint32_t[]){DC_INT32, DC_INT32}), DC_FAIL,
           "2 of 3 elements differ, first at [1]: -2 instead of 3");
    expect(judge_as(&(dc_profile){0}, t, u, 2, (const uint32_t[]){DC_BOOL, DC_BOOL}), DC_PASS, "");
    expect(judge_as(&(dc_profile){0}, t, u, 2, (const uint32_t[]){DC_BOOL, DC_UINT8}), DC_FAIL,
           "1 of 2 elements differs, first at [0]: 1 instead of 255");
    uint64_t big[1] = {UINT64_MAX}, one[1] = {UINT64_MAX - 1};
    expect(judge_as(&(dc_profile){0}, big, one, 1, (const uint32_t[]){DC_UINT64, DC_UINT64}),
           DC_FAIL, "18446744073709551615 instead of 18446744073709551614");
}

static void b13_a_tolerance_is_the_rule(void)
{
    dc_profile p = {.atol = 1e-6, .rtol = 1e-3};
    static const uint32_t f32[2] = {DC_FLOAT32, DC_FLOAT32}, i32[2] = {DC_INT32, DC_INT32};

    x[0] = 9e-7F, y[0] = 1e-9F;
    x[1] = 1000.9F, y[1] = 1e3F;
    expect(judge_as(&p, x, y, 2, f32), DC_PASS, "");
    x[1] = 1002;
    expect(judge_as(&p, x, y, 2, f32), DC_FAIL,
           "1 of 2 elements over 1e-06 + 0.001*|golden|, worst at [1]");
    int32_t a[1] = {1000}, b[1] = {1001};
    expect(judge_as(&p, a, b, 1, i32), DC_PASS, "");
}

static void given_limits_win_over_the_standard(void)
{
    static const uint32_t f32[2] = {DC_FLOAT32, DC_FLOAT32};

    fill(0.01);
    expect(judge_as(&(dc_profile){.max_rel_euclid = 1e-4}, x, y, N, f32), DC_FAIL, "> 0.0001");
    expect(judge_as(&(dc_profile){.max_abs = 1e-6}, x, y, N, f32), DC_FAIL, "MaxAbsoluteError");
    x[0] = 50;
    expect(
        judge_as(
            &(dc_profile){.min_cosine = -INFINITY, .max_rel_euclid = INFINITY, .max_kl = INFINITY},
            x, y, N, f32),
        DC_PASS, "");
}

static void complex_positions_name_the_part(void)
{
    fill(0);
    x[7] = NAN;
    expect(judge_as(&(dc_profile){0}, x, y, N / 2, (const uint32_t[]){DC_COMPLEX64, DC_COMPLEX64}),
           DC_FAIL, "first at [3] (imaginary part): nan instead of");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(equal_and_nearly_equal_tensors_pass),
        DC_TEST(b7_a_scaled_tensor_fails_though_its_cosine_is_1),
        DC_TEST(cosine_below_its_limit_fails),
        DC_TEST(b1_nan_on_one_side_fails_and_says_where),
        DC_TEST(b2_b18_nan_at_the_same_places_passes_unless_told),
        DC_TEST(b5_garbage_against_a_zero_golden_fails),
        DC_TEST(b6_one_element_is_judged_by_its_relative_error),
        DC_TEST(b10_b11_b12_shapes_decide_first),
        DC_TEST(what_has_no_values_is_not_judged),
        DC_TEST(a_constant_tensor_one_ulp_off_passes),
        DC_TEST(divergence_counts_beyond_the_rounding_of_the_coarser_dtype),
        DC_TEST(large_rmse_is_reported_not_judged_but_offline),
        DC_TEST(q10_g7_integers_and_bools_are_judged_by_equality),
        DC_TEST(b13_a_tolerance_is_the_rule),
        DC_TEST(given_limits_win_over_the_standard),
        DC_TEST(complex_positions_name_the_part)};

    return dc_test_main("verdict", tests, DC_COUNT(tests));
}
