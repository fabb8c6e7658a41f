/* tests/test_metric_big.c - more than 2^31 elements, from a few chunks shown again and again. */
#include "io/dtype.h"
#include "tests/harness.h"
#include "tests/number_ref.h"

#include <math.h>
#include <stdlib.h>

#define CHUNK  ((size_t)DC_METRIC_CHUNK)
#define CHUNKS 4
#define ROUNDS ((uint64_t)2049) /* 2049 * 4 * 2^18 = 2^31 + 2^20 */

static void sums_of_2_to_31_elements_keep_12_digits(void)
{
    size_t n = CHUNKS * CHUNK;
    float *x = malloc(4 * n), *y = malloc(4 * n);
    double *wide = malloc(16 * n), value[DC_METRIC_COUNT], mean[2], std[2], last[2] = {0};
    dc_metric all = {0};
    dc_metrics m;

    CU_ASSERT_FATAL(x && y && wide);
    for (size_t i = 0; i < n; i++) {
        y[i] = (float)(100 + dc_ref_random(i));
        x[i] = y[i] + (float)(1e-3 * dc_ref_random(i + n));
        wide[i] = (double)x[i];
        wide[n + i] = (double)y[i];
    }
    dc_ref_metrics(value, mean, std, wide, wide + n, n);
    for (uint64_t c = 0; c < ROUNDS * CHUNKS; c++) {
        size_t at = c % CHUNKS * CHUNK;
        dc_pair_data pair = {.data = {x + at, y + at}, .dtype = {DC_FLOAT32, DC_FLOAT32}};
        dc_metric part = {0};
        if (c == ROUNDS * CHUNKS - 1) { /* the worst element is the last of all */
            last[0] = (double)(x[at + CHUNK - 1] = y[at + CHUNK - 1] - 0.5F);
            last[1] = (double)y[at + CHUNK - 1];
        }
        dc_metric_add(&part, &pair, c * CHUNK, CHUNK);
        dc_metric_merge(&all, &part);
    }
    dc_metric_finish(&m, &all, NULL, (const uint32_t[]){DC_FLOAT32, DC_FLOAT32});
    CU_ASSERT_EQUAL(m.n, ROUNDS * n);
    CU_ASSERT_EQUAL(m.worst.at, ROUNDS * n);
    CU_ASSERT_EQUAL(m.worst.value[0], last[0]);
    CU_ASSERT_EQUAL(m.worst.value[1], last[1]);
    /* the reference knows nothing of the last element's change: take it out again */
    double total = (double)(ROUNDS * n), before = fabs(wide[n - 1] - wide[2 * n - 1]);
    CU_ASSERT(dc_ref_close(m.value[DC_METRIC_MEAN_ABS] - (0.5 - before) / total,
                           value[DC_METRIC_MEAN_ABS], 1e-12, 0));
    double change = (0.25 - before * before) / total;
    CU_ASSERT(dc_ref_close(pow(m.value[DC_METRIC_RMSE], 2) - change, pow(value[DC_METRIC_RMSE], 2),
                           1e-12, 0));
    CU_ASSERT(dc_ref_close(m.mean[1], mean[1], 1e-14, 0));
    CU_ASSERT(dc_ref_close(m.std[1], std[1], 1e-12, 0));
    free(x);
    free(y);
    free(wide);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(sums_of_2_to_31_elements_keep_12_digits)};

    return dc_test_main("metric_big", tests, DC_COUNT(tests));
}
