/* tests/test_msaccucmp.c - what msaccucmp gets wrong about matching, layouts and dtypes, numbered
 * as in its specification's list of opportunities: dump tree and goldens through all of dumpcmp. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/std_hash.h"
#include "tests/case.h"
#include "tests/fixture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float *count_up(uint64_t n)
{
    float *v = malloc(n * sizeof *v);
    for (uint64_t i = 0; v && i < n; i++)
        v[i] = (float)(i % 8191) + 1;
    return v;
}

/* x(n, c, h, w) of 2x20x4x4 as NC1HWC0 with C0 = 16; the logical array is NHWC or NCHW. */
static float *five_d(const float *x, bool nhwc)
{
    float *out = calloc(2 * 2 * 16 * 16, sizeof *out);
    for (int i = 0; out && i < 2 * 20 * 16; i++) {
        int n = i / 320, c = nhwc ? i % 20 : i / 16 % 20, hw = nhwc ? i / 20 % 16 : i % 16;
        out[((n * 2 + c / 16) * 16 + hw) * 16 + c % 16] = x[i];
    }
    return out;
}

static void msaccucmp_1_all_channels_of_two_npu_tensors_are_compared(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(640), *a = five_d(x, true);
    dc_case s = dc_case_plain("net/conv", NULL, "2x2x4x4x16", a, NULL);
    s.original = "2x4x4x20";
    s.format = DC_FORMAT_NC1HWC0;
    s.origin_format = 1 + DC_FORMAT_NHWC;
    if (dc_test_par()->process == 0)
        dc_case_dump(root, "other", &s);
    a[15] += 100000; /* channel 15 */
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "other");
    dc_case_expect(text, "net/conv:output:0", "fail", "[2,4,4,20]");
    dc_case_expect(text, "net/conv:output:0", "fail", ",100000,");
    free(text);
    free(a);
    free(x);
}

static void msaccucmp_2_device_layouts_are_undone_for_a_golden_called_nd(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(640), *a = five_d(x, false);
    dc_case s = dc_case_plain("net/conv", "net_conv.0.1718289424000000.npy", "2x20x4x4", a, x);
    s.shape = "2x2x4x4x16";
    s.bytes = 4096;
    s.format = DC_FORMAT_NC1HWC0;
    s.origin_format = 1 + DC_FORMAT_ND;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/conv:output:0", "pass", ",640,0,0,0,0,1,0,0,0,0,");
    free(text);
    free(a);
    free(x);
}

static void msaccucmp_7_8_types_keep_their_values(void)
{
    const char *root = dc_test_shared_dir();
    const int32_t i32[] = {16777217, 5}, j32[] = {16777216, 5};
    const int64_t i64[] = {(INT64_C(1) << 53) + 1, 5}, j64[] = {INT64_C(1) << 53, 5};
    const float complex_a[] = {1, 2, 3, 4}, complex_b[] = {1, 2, 3, 400};
    const uint8_t hif8[] = {0x08, 0x10, 0x18, 0x80}, e4m3[] = {0x7f, 0x38, 0xff, 0xb8};
    const uint8_t e5m2[] = {0xfc, 0x7c, 0x3c, 0xbc};
    const float hif8_is[] = {1, 2, 0.5f, NAN}, e4m3_is[] = {NAN, 1, NAN, -1};
    const float e5m2_is[] = {-INFINITY, INFINITY, 1, -1};
    const dc_case_flat all[] = {
        {"i32", "2", DC_INT32, i32, sizeof i32, DC_INT32, j32},
        {"i64", "2", DC_INT64, i64, sizeof i64, DC_INT64, j64},
        {"cplx", "2", DC_COMPLEX64, complex_a, sizeof complex_a, DC_COMPLEX64, complex_b},
        {"hif8", "4", DC_HIFLOAT8, hif8, sizeof hif8, DC_FLOAT32, hif8_is},
        {"e4m3", "4", DC_FLOAT8_E4M3FN, e4m3, sizeof e4m3, DC_FLOAT32, e4m3_is},
        {"e5m2", "4", DC_FLOAT8_E5M2, e5m2, sizeof e5m2, DC_FLOAT32, e5m2_is},
    };
    dc_case_add_flat(root, all, DC_COUNT(all));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "i32:output:0", "fail", "int32,int32");
    dc_case_expect(text, "i64:output:0", "fail", "int64,int64");
    dc_case_expect(text, "cplx:output:0", "fail", "complex64,complex64");
    dc_case_expect(text, "hif8:output:0", "pass", "hifloat8,float32,name,4,1,1,0,0,1,0,");
    dc_case_expect(text, "e4m3:output:0", "pass", ",name,4,2,2,0,0,1,0,");
    dc_case_expect(text, "e5m2:output:0", "pass", ",name,4,0,0,2,2,1,0,");
    free(text);
}

static void msaccucmp_9_one_slice_is_not_taken_for_a_tensor(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(8);
    dc_case s = dc_case_plain("net/mul_lxslice11", "net_mul.0.1.npy", "8", x, x);
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/mul_lxslice11:output:0", "not judged", "slice of an FFTS+ operator");
    free(text);
    free(x);
}

/* Weights of 64 outputs in 16 groups of 4 channels, 1x1: E = 4, C1 = 1. */
static void msaccucmp_10_weights_of_groups_keep_every_value(void)
{
    enum { N = 64, C = 4, G = 16, NG = 4, E = 4 };
    const char *root = dc_test_shared_dir();
    float *x = count_up(N * C); /* HWCN: [c][n] */
    float *z = calloc(G / E * 16 * 16, sizeof *z);
    for (int n = 0; z && n < N; n++)
        for (int c = 0; c < C; c++) {
            int g = n / NG, dc = g % E * C + c, no = g % E * NG + n % NG;
            z[(g / E * 16 + no) * 16 + dc] = x[c * N + n];
        }
    dc_case s = dc_case_plain("net/w", "net_w.0.1.npy", "1x1x4x64", z, x);
    s.shape = "4x1x16x16";
    s.bytes = 4096;
    s.format = DC_FORMAT_FRACTAL_Z;
    s.sub_format = G;
    s.origin_format = 1 + DC_FORMAT_HWCN;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/w:output:0", "pass", ",256,0,0,0,0,1,0,0,0,0,");
    free(text);
    free(x);
    free(z);
}

static void msaccucmp_11_every_execution_is_compared(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(8), *y = count_up(8);
    y[3] = 500;
    dc_case s = dc_case_plain("net/loop", "net_loop.0.1718289424000001.npy", "8", y, x);
    dc_case_add(root, &s);
    s = dc_case_plain("net/loop", "net_loop.0.1718289424000002.npy", "8", x, x);
    s.later = 5;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/loop:output:0,0", "fail", "golden 1 of 2 by time");
    dc_case_expect(text, "net/loop:output:0,1", "pass", "golden 2 of 2 by time");
    free(text);
    free(x);
    free(y);
}

static void msaccucmp_12_shapes_and_scalars_are_not_waved_through(void)
{
    const char *root = dc_test_shared_dir();
    const float one = 1.5f, other = -9;
    float *x = count_up(32);
    dc_case s = dc_case_plain("net/t", "net_t.0.1.npy", "8x4", x, x);
    s.golden_shape = "4x8";
    dc_case_add(root, &s);
    s = dc_case_plain("net/scalar", "net_scalar.0.1.npy", "", &one, &other);
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/t:output:0", "fail", "[4,8]");
    dc_case_expect(text, "net/scalar:output:0", "fail", "[]");
    free(text);
    free(x);
}

static void msaccucmp_13_no_file_ends_the_run(void)
{
    const char *root = dc_test_shared_dir();
    const uint16_t bf16[] = {0x3f80, 0x4000};
    float *x = count_up(16), nz[256] = {0};
    dc_case_add_flat(
        root, &(dc_case_flat){"bf16", "2", DC_BFLOAT16, bf16, sizeof bf16, DC_FLOAT32, x}, 1);
    dc_case s = dc_case_plain("-z", "-z.0.1.npy", "16", x, x);
    dc_case_add(root, &s);
    s = dc_case_plain("loss_quantile", "loss_quantile.0.1.npy", "16", x, x);
    dc_case_add(root, &s);
    memcpy(nz, x, 64);
    s = dc_case_plain("nz", "nz.0.1.npy", "16", nz, x); /* 1-D: as (1, n) */
    s.shape = "1x1x16x16";
    s.format = DC_FORMAT_FRACTAL_NZ;
    s.bytes = sizeof nz;
    dc_case_add(root, &s);
    if (dc_test_par()->process == 0)
        DC_ASSERT_OK(dc_fixture_bytes(root,
                                      "dump/" DC_CASE_STEP "/Any.stats.1.2.1718289424000000.csv",
                                      "Input/Output,Index\n", 19));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "bf16:output:0", "pass", "bfloat16");
    dc_case_expect(text, "-z:output:0", "pass", "");
    dc_case_expect(text, "loss_quantile:output:0", "pass", "");
    dc_case_expect(text, "nz:output:0", "pass", "");
    free(text);
    free(x);
}

static void msaccucmp_14_one_bad_tensor_does_not_lose_the_others(void)
{
    const char *root = dc_test_shared_dir();
    static const float more[4] = {1, 2, 3, 4};
    dc_case s = dc_case_plain("net/null", "net_null.1.1.npy", "4", more, more);
    s.null_address = true;
    dc_case_add(root, &s);
    s = dc_case_plain("net/text", "net_text.1.1.npy", "4", more, more);
    s.dtype = DC_STRING;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/null:output:0", "not judged", "no address");
    dc_case_expect(text, "net/null:output:1", "pass", "");
    dc_case_expect(text, "net/text:output:0", "not judged", "type");
    dc_case_expect(text, "net/text:output:1", "pass", "");
    free(text);
}

static void msaccucmp_15_dots_blanks_and_long_names_are_matched(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(4);
    char op[300], file[340], hash[64], line[512];
    dc_case s = dc_case_plain("a b/c.d", "a b_c.d.0.1718289424000000.npy", "4", x, x);
    dc_case_add(root, &s);
    memset(op, 'n', sizeof op - 1);
    op[sizeof op - 1] = '\0';
    snprintf(file, sizeof file, "%s.0.1718289424000000.npy", op);
    snprintf(hash, sizeof hash, "%" PRIu64, dc_std_hash(file, strlen(file)));
    snprintf(line, sizeof line, "%s,%s\n", hash, file);
    s = dc_case_plain(op, hash, "4", x, x);
    dc_case_add(root, &s);
    if (dc_test_par()->process == 0)
        DC_ASSERT_OK(dc_fixture_bytes(root, "gold/mapping.csv", line, strlen(line)));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "a b/c.d:output:0", "pass", "");
    snprintf(line, sizeof line, "%s:output:0", op);
    dc_case_expect(text, line, "pass", "");
    free(text);
    free(x);
}

/* (b, n, c) as FRACTAL_NZ: b, C1, N1, n0, c0. */
static void *fractal_nz(const void *x, const int bnc[3], int c0, size_t item)
{
    int c1 = (bnc[2] + c0 - 1) / c0, n1 = (bnc[1] + 15) / 16;
    char *out = calloc((size_t)bnc[0] * (size_t)c1 * (size_t)n1 * 16u * (size_t)c0, item);
    for (int i = 0; out && i < bnc[0] * bnc[1] * bnc[2]; i++) {
        int c = i % bnc[2], n = i / bnc[2] % bnc[1], b = i / bnc[2] / bnc[1];
        int to = (((b * c1 + c / c0) * n1 + n / 16) * 16 + n % 16) * c0 + c % c0;
        memcpy(out + (size_t)to * item, (const char *)x + (size_t)i * item, item);
    }
    return out;
}

static void msaccucmp_16_attention_int8_and_logits_are_converted(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(6 * 20 * 20), logits[16] = {0};
    int8_t bytes[20 * 40];
    for (int i = 0; i < 20 * 40; i++)
        bytes[i] = (int8_t)i;
    void *attention = fractal_nz(x, (const int[]){6, 20, 20}, 16, 4);
    void *int8 = fractal_nz(bytes, (const int[]){1, 20, 40}, 32, 1);
    dc_case s = dc_case_plain("attention", "attention.0.1.npy", "2x3x20x20", attention, x);
    s.shape = "2x3x2x2x16x16";
    s.format = DC_FORMAT_FRACTAL_NZ;
    s.bytes = 6 * 4 * 256 * 4;
    dc_case_add(root, &s);
    s = (dc_case){.op = "int8",
                  .dtype = DC_INT8,
                  .format = DC_FORMAT_FRACTAL_NZ,
                  .shape = "2x2x16x32",
                  .original = "20x40",
                  .data = int8,
                  .bytes = 2048,
                  .golden = "int8.0.1.npy",
                  .golden_shape = "20x40",
                  .golden_dtype = DC_INT8,
                  .values = bytes};
    dc_case_add(root, &s);
    memcpy(logits, x, 40);
    s = dc_case_plain("logits", "logits.0.1.npy", "1x10", logits, x);
    s.shape = "1x1x1x1x16";
    s.format = DC_FORMAT_NC1HWC0;
    s.bytes = sizeof logits;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "attention:output:0", "pass", ",2400,0,0,0,0,1,0,");
    dc_case_expect(text, "int8:output:0", "pass", ",800,0,0,0,0,1,0,");
    dc_case_expect(text, "logits:output:0", "pass", ",10,0,0,0,0,1,0,");
    free(text);
    free(int8);
    free(attention);
    free(x);
}

static void msaccucmp_16_depth_weights_and_packed_types_are_converted(void)
{
    const char *root = dc_test_shared_dir();
    float *x = count_up(2 * 3 * 4 * 4 * 20), *y = count_up(20 * 16);
    float *six = calloc(2 * 3 * 2 * 16 * 16, sizeof *six), *z = calloc(2 * 16 * 16, sizeof *z);
    for (int i = 0; six && i < 2 * 3 * 16 * 20; i++) { /* NDHWC */
        int c = i % 20, hw = i / 20 % 16, d = i / 320 % 3, n = i / 960;
        six[(((n * 3 + d) * 2 + c / 16) * 16 + hw) * 16 + c % 16] = x[i];
    }
    for (int i = 0; z && i < 16 * 20; i++) { /* NHWC weights [n][1][1][c] */
        int c = i % 20, n = i / 20;
        z[(c / 16 * 16 + n) * 16 + c % 16] = y[i];
    }
    dc_case s = dc_case_plain("depth", "depth.0.1.npy", "2x3x4x4x20", six, x);
    s.shape = "2x3x2x4x4x16";
    s.format = DC_FORMAT_NDC1HWC0;
    s.bytes = 2 * 3 * 2 * 256 * 4;
    s.origin_format = 1 + DC_FORMAT_NDHWC;
    dc_case_add(root, &s);
    s = dc_case_plain("weights", "weights.0.1.npy", "16x1x1x20", z, y);
    s.shape = "2x1x16x16";
    s.format = DC_FORMAT_FRACTAL_Z;
    s.bytes = 2048;
    s.origin_format = 1 + DC_FORMAT_NHWC;
    dc_case_add(root, &s);
    const uint8_t int4[] = {0x21, 0xf8}, fp4[] = {0x21, 0xf2};
    const int8_t int4_is[] = {1, 2, -8, -1};
    const float fp4_is[] = {0.5f, 1, 1, -6};
    const dc_case_flat packed[] = {
        {"int4", "4", DC_INT4, int4, sizeof int4, DC_INT8, int4_is},
        {"fp4", "4", DC_FLOAT4_E2M1, fp4, sizeof fp4, DC_FLOAT32, fp4_is},
    };
    dc_case_add_flat(root, packed, DC_COUNT(packed));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "depth:output:0", "pass", ",1920,0,0,0,0,1,0,");
    dc_case_expect(text, "weights:output:0", "pass", ",320,0,0,0,0,1,0,");
    dc_case_expect(text, "int4:output:0", "pass", "");
    dc_case_expect(text, "fp4:output:0", "pass", "");
    free(text);
    free(x);
    free(y);
    free(six);
    free(z);
}

/* A source that packs from the lowest bit on is the default; msaccucmp unpacks from the highest. */
static void bits_begin_at_the_lowest_or_as_msaccucmp_has_them(void)
{
    const char *root = dc_test_shared_dir();
    const uint8_t bits[] = {0x0b, 0xa0}; /* 10 elements */
    const uint8_t lowest[] = {1, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    const uint8_t highest[] = {0, 0, 0, 0, 1, 0, 1, 1, 1, 0};
    const dc_case_flat both[] = {
        {"low", "10", DC_UINT1, bits, sizeof bits, DC_UINT8, lowest},
        {"high", "10", DC_UINT1, bits, sizeof bits, DC_UINT8, highest},
    };
    dc_case_add_flat(root, both, DC_COUNT(both));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "low:output:0", "pass", "uint1,uint8,name,10,");
    dc_case_expect(text, "high:output:0", "fail", "7 of 10 elements differ");
    free(text);
    text = dc_case_run_with(root, "gold", (const char *[]){"--uint1-msb", NULL});
    dc_case_expect(text, "low:output:0", "fail", "7 of 10 elements differ");
    dc_case_expect(text, "high:output:0", "pass", "uint1,uint8,name,10,");
    free(text);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(msaccucmp_1_all_channels_of_two_npu_tensors_are_compared),
        DC_TEST(msaccucmp_2_device_layouts_are_undone_for_a_golden_called_nd),
        DC_TEST(msaccucmp_7_8_types_keep_their_values),
        DC_TEST(msaccucmp_9_one_slice_is_not_taken_for_a_tensor),
        DC_TEST(msaccucmp_10_weights_of_groups_keep_every_value),
        DC_TEST(msaccucmp_11_every_execution_is_compared),
        DC_TEST(msaccucmp_12_shapes_and_scalars_are_not_waved_through),
        DC_TEST(msaccucmp_13_no_file_ends_the_run),
        DC_TEST(msaccucmp_14_one_bad_tensor_does_not_lose_the_others),
        DC_TEST(msaccucmp_15_dots_blanks_and_long_names_are_matched),
        DC_TEST(msaccucmp_16_attention_int8_and_logits_are_converted),
        DC_TEST(msaccucmp_16_depth_weights_and_packed_types_are_converted),
        DC_TEST(bits_begin_at_the_lowest_or_as_msaccucmp_has_them),
    };
    return dc_test_main_mpi("msaccucmp", tests, DC_COUNT(tests));
}
