/* tests/test_kl.c - the divergence against 60 digits, to 1e-12 relative and 1e-24 absolute. */
#include "io/dtype.h"
#include "tests/harness.h"
#include "tests/number_ref.h"

#include <math.h>
#include <string.h>

#define N 3001

static double wide[2][N];
static float narrow[2][N];

static double divergence(uint32_t dtype, const void *x, const void *y, size_t n)
{
    dc_pair_data pair = {.data = {x, y}, .dtype = {dtype, dtype}};
    dc_metrics m;

    dc_metric_pair(&m, &pair, n, true);
    CU_ASSERT_TRUE(m.valid[DC_METRIC_KL]);
    return m.value[DC_METRIC_KL];
}

static void compare(double got, size_t n)
{
    double expected = dc_ref_divergence(wide[0], wide[1], n);

    if (!dc_ref_close(got, expected, 1e-12, 1e-24))
        fprintf(stderr, "n %zu: %.17g, 60 digits have %.17g: off by %g, relative %g\n", n, got,
                expected, got - expected, (got - expected) / expected);
    CU_ASSERT(dc_ref_close(got, expected, 1e-12, 1e-24));
}

static void check64(size_t n)
{
    compare(divergence(DC_FLOAT64, wide[0], wide[1], n), n);
}

/* Round to float32 first, then compare as such. */
static void check32(size_t n)
{
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < n; i++) {
            narrow[s][i] = (float)wide[s][i];
            wide[s][i] = (double)narrow[s][i];
        }
    compare(divergence(DC_FLOAT32, narrow[0], narrow[1], n), n);
}

static void fill(double scale, double offset, double noise)
{
    for (size_t i = 0; i < N; i++) {
        wide[1][i] = offset + scale * dc_ref_random(i);
        wide[0][i] = wide[1][i] * (1 + noise * dc_ref_random(i + 99999));
    }
}

static void nearly_equal_tensors_keep_all_digits(void)
{
    static const double noise[] = {0.5, 1e-2, 1e-4, 1e-6, 1e-7, 1e-9, 1e-12, 3e-16};
    static const size_t sizes[] = {3, 10, 1000, N};

    for (size_t i = 0; i < DC_COUNT(noise); i++)
        for (size_t k = 0; k < DC_COUNT(sizes); k++) {
            fill(1, 0, noise[i]);
            check64(sizes[k]);
            fill(3, 1, noise[i]);
            check32(sizes[k]);
        }
}

static void equal_tensors_give_exactly_0(void)
{
    fill(1, 0, 0);
    CU_ASSERT_EQUAL(divergence(DC_FLOAT64, wide[0], wide[1], N), 0);
}

static void unlike_tensors(void)
{
    for (size_t n = 3; n <= N; n = n * 7) {
        for (size_t i = 0; i < N; i++) {
            wide[0][i] = dc_ref_random(i);
            wide[1][i] = exp(5 * dc_ref_random(i + 1234567));
        }
        check64(n);
    }
    fill(1, 0, 1e-3); /* left = 3 * golden + 2 */
    for (size_t i = 0; i < N; i++)
        wide[0][i] = 3 * wide[0][i] + 2;
    check64(N);
    for (size_t i = 0; i < N; i++)
        wide[0][i] = -wide[1][i];
    check64(N);
}

static void scaled_and_shifted_copies(void)
{
    static const double factor[] = {2, 3, 0.1, 1e3, 1e-8};

    for (size_t k = 0; k < DC_COUNT(factor); k++)
        for (size_t n = 5; n <= N; n = n * 5) {
            fill(1, 0, 1e-7);
            for (size_t i = 0; i < N; i++)
                wide[0][i] *= factor[k];
            check32(n);
            fill(1, 0, 1e-7);
            for (size_t i = 0; i < N; i++)
                wide[0][i] += 1000 * factor[k];
            check64(n);
        }
}

static void many_values_at_the_minimum(void)
{
    fill(1, 0, 1e-6); /* after a ReLU */
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < N; i++)
            wide[s][i] = wide[s][i] > 0 ? wide[s][i] : 0;
    check64(N);
    check32(N);
    memset(wide, 0, sizeof wide); /* one-hot */
    wide[0][7] = 1;
    wide[1][7] = 1 + 1e-7;
    check64(N);
    wide[1][7] = 0;
    wide[1][8] = 1;
    check64(N);
}

static void clamped_on_one_side_only(void)
{
    memset(wide, 0, sizeof wide);
    for (size_t i = 0; i < N; i++) {
        wide[0][i] = 0x1p-24 * (1 + dc_ref_random(i));
        wide[1][i] = wide[0][i] * 1.5;
    }
    wide[0][3] = wide[1][3] = 1;
    check64(N);
}

static void constant_sides(void)
{
    for (size_t i = 0; i < N; i++)
        wide[0][i] = wide[1][i] = 3.25;
    CU_ASSERT_EQUAL(divergence(DC_FLOAT64, wide[0], wide[1], N), 0);
    wide[0][17] = nextafter(3.25, 4); /* one ulp is as far as the divergence goes */
    check64(N);
    CU_ASSERT(dc_ref_divergence(wide[0], wide[1], N) > 6);
    wide[0][17] = 3.25;
    wide[1][17] = 4;
    check64(N);
    for (size_t i = 0; i < N; i++)
        wide[0][i] = -2 * (wide[1][i] = 1e-30 * dc_ref_random(i));
    check64(N);
    for (size_t i = 0; i < N; i++)
        wide[0][i] = -1e30;
    check64(N);
    check64(1);
}

static void the_ends_of_the_range_of_doubles(void)
{
    static const double scale[] = {1e308, 1e200, 1e25, 1e-25, 1e-200, 1e-300};

    for (size_t i = 0; i < DC_COUNT(scale); i++) {
        fill(scale[i], 0, 1e-5);
        check64(N);
    }
    fill(1, 0, 1e-5);
    for (size_t i = 0; i < N; i++)
        wide[0][i] *= 1e300;
    check64(N);
}

static void nan_and_inf_are_left_out(void)
{
    fill(1, 0, 1e-3);
    wide[0][5] = NAN;
    wide[1][6] = INFINITY;
    wide[0][2000] = wide[1][2000] = -INFINITY;
    check64(N);
    check32(N);
}

static void statistics_known_beforehand_give_the_same(void)
{
    dc_pair_data pair = {.data = {wide[0], wide[1]}, .dtype = {DC_FLOAT64, DC_FLOAT64}};
    dc_metric m = {0};
    dc_kl_range r;
    dc_kl k = {0};
    dc_metrics out;

    fill(1, 0, 1e-5);
    dc_metric_add(&m, &pair, 0, N);
    const double mean[2] = {m.mean[0].hi, m.mean[1].hi * 1.01}; /* a poor mean costs a pass */
    dc_kl_known(&r, N, m.min, m.max, mean);
    dc_kl_add(&k, &r, &pair, N);
    CU_ASSERT_TRUE(dc_kl_again(&r, &k));
    k = (dc_kl){0};
    dc_kl_add(&k, &r, &pair, N);
    CU_ASSERT_FALSE(dc_kl_again(&r, &k));
    dc_metric_finish(&out, &m, &k, pair.dtype);
    compare(out.value[DC_METRIC_KL], N);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(nearly_equal_tensors_keep_all_digits),
                                    DC_TEST(equal_tensors_give_exactly_0),
                                    DC_TEST(unlike_tensors),
                                    DC_TEST(scaled_and_shifted_copies),
                                    DC_TEST(many_values_at_the_minimum),
                                    DC_TEST(clamped_on_one_side_only),
                                    DC_TEST(constant_sides),
                                    DC_TEST(the_ends_of_the_range_of_doubles),
                                    DC_TEST(nan_and_inf_are_left_out),
                                    DC_TEST(statistics_known_beforehand_give_the_same)};

    return dc_test_main("kl", tests, DC_COUNT(tests));
}
