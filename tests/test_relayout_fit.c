/* tests/test_relayout_fit.c - which shapes fit which layouts, what is ambiguous, what is refused;
 * small arrays written out; reading in pieces. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/relayout.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* device and logical as "1x4x7x7x16" */
static dc_relayout_ask ask_of(uint32_t format, const char *device, uint32_t golden,
                              const char *logical)
{
    dc_relayout_ask ask = {.dtype = DC_FLOAT16, .format = format, .golden_format = golden};
    DC_ASSERT_OK(dc_shape_parse(&ask.device, device));
    DC_ASSERT_OK(dc_shape_parse(&ask.logical, logical));
    return ask;
}

static dc_relayout_outcome outcome(uint32_t format, const char *device, uint32_t golden,
                                   const char *logical)
{
    dc_relayout_ask ask = ask_of(format, device, golden, logical);
    dc_relayout m;
    dc_status st = dc_relayout_init(&m, &ask);
    dc_status expected = m.outcome == DC_RELAYOUT_FITS     ? DC_OK
                         : m.outcome == DC_RELAYOUT_MISFIT ? DC_EFORMAT
                                                           : DC_EUNSUP;
    CU_ASSERT_EQUAL(st, expected);
    return m.outcome;
}
#define FITS(...)        CU_ASSERT_EQUAL(outcome(__VA_ARGS__), DC_RELAYOUT_FITS)
#define MISFIT(...)      CU_ASSERT_EQUAL(outcome(__VA_ARGS__), DC_RELAYOUT_MISFIT)
#define AMBIGUOUS(...)   CU_ASSERT_EQUAL(outcome(__VA_ARGS__), DC_RELAYOUT_AMBIGUOUS)
#define UNSUPPORTED(...) CU_ASSERT_EQUAL(outcome(__VA_ARGS__), DC_RELAYOUT_UNSUPPORTED)

static void padding_is_less_than_a_block(void)
{
    FITS(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NHWC, "1x7x7x64");
    FITS(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NHWC, "1x7x7x49");
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NHWC, "1x7x7x48");
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NHWC, "1x7x7x65");
    CU_ASSERT_STRING_EQUAL(dc_last_error(),
                           "dumped NC1HWC0 [1,4,7,7,16], wanted NHWC [1,7,7,65]: the shapes "
                           "do not fit each other");
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NCHW, "1x7x7x64");
    FITS(DC_FORMAT_NC1HWC0, "1x2x7x7x32", DC_FORMAT_NCHW, "1x64x7x7"); /* int8 */
    FITS(DC_FORMAT_FRACTAL_NZ, "2x3x16x32", DC_FORMAT_ND, "48x64");
    MISFIT(DC_FORMAT_FRACTAL_NZ, "2x3x16x32", DC_FORMAT_ND, "32x64");
    MISFIT(DC_FORMAT_FRACTAL_NZ, "2x3x16x32", DC_FORMAT_ND, "49x64");
    FITS(DC_FORMAT_FRACTAL_Z_C04, "13x4x16x16", DC_FORMAT_HWCN, "7x7x3x64");
    MISFIT(DC_FORMAT_FRACTAL_Z_C04, "13x4x16x16", DC_FORMAT_HWCN, "7x7x5x64");
    FITS(DC_FORMAT_C1HWNCoC0, "2x3x3x1x16x16", DC_FORMAT_HWCN, "3x3x32x1");
    MISFIT(DC_FORMAT_C1HWNCoC0, "2x3x3x2x16x16", DC_FORMAT_HWCN, "3x3x32x17");
}

static void nothing_is_broadcast_or_reshaped(void)
{
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NHWC, "2x7x7x64");
    MISFIT(DC_FORMAT_ND, "2x3", DC_FORMAT_ND, "3x2");
    MISFIT(DC_FORMAT_ND, "2x3", DC_FORMAT_ND, "6");
    MISFIT(DC_FORMAT_ND, "2x3", DC_FORMAT_ND, "1x2x3");
    MISFIT(DC_FORMAT_ND, "1", DC_FORMAT_ND, "");
    FITS(DC_FORMAT_ND, "", DC_FORMAT_ND, "");
    FITS(DC_FORMAT_ND, "2x3", DC_FORMAT_NHWC, "2x3");
    FITS(DC_FORMAT_NCHW, "2x3", DC_FORMAT_ND, "2x3"); /* named for its network, not its dims */
    MISFIT(DC_FORMAT_NHWC, "1x2x3x4", DC_FORMAT_NCHW, "1x2x3x4");
    FITS(DC_FORMAT_NHWC, "1x2x3x4", DC_FORMAT_NCHW, "1x4x2x3");
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_NCDHW, "1x64x1x7x7");
    MISFIT(DC_FORMAT_FRACTAL_NZ, "6x1x1x16x16", DC_FORMAT_ND, "2x3x16x16");
    MISFIT(DC_FORMAT_NC1HWC0, "1x4x7x7", DC_FORMAT_NHWC, "1x7x7x64");
}

static void short_goldens_fit_where_the_format_says_so(void)
{
    FITS(DC_FORMAT_NC1HWC0, "8x63x1x1x16", DC_FORMAT_ND, "8x1000");
    FITS(DC_FORMAT_NC1HWC0, "8x63x1x1x16", DC_FORMAT_NHWC, "8x1000");
    MISFIT(DC_FORMAT_NC1HWC0, "8x63x1x2x16", DC_FORMAT_ND, "8x1000");
    FITS(DC_FORMAT_NC1HWC0, "1x4x1x1x16", DC_FORMAT_ND, "64");
    FITS(DC_FORMAT_FRACTAL_Z, "63x8x16x16", DC_FORMAT_ND, "1000x128"); /* (k,n) */
    MISFIT(DC_FORMAT_FRACTAL_Z, "63x8x16x16", DC_FORMAT_ND, "128x1000");
    FITS(DC_FORMAT_FRACTAL_NZ, "2x12x4x8x16x16", DC_FORMAT_ND, "2x12x128x64");
    FITS(DC_FORMAT_FRACTAL_NZ, "4x1x16x16", DC_FORMAT_ND, "64");
}

static void several_readings_are_ambiguous(void)
{
    AMBIGUOUS(DC_FORMAT_NC1HWC0, "1x1x16x16x16", DC_FORMAT_ND, "1x16x16x16");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "layout ambiguous"));
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "[1,1,16,16,16]"));
    FITS(DC_FORMAT_NC1HWC0, "1x1x16x16x16", DC_FORMAT_NHWC, "1x16x16x16");
    FITS(DC_FORMAT_NC1HWC0, "1x4x7x7x16", DC_FORMAT_ND, "1x7x7x64");
    FITS(DC_FORMAT_NC1HWC0, "1x1x1x1x16", DC_FORMAT_ND, "1x1x1x1");   /* both say the same */
    AMBIGUOUS(DC_FORMAT_FRACTAL_NZ, "1x4x16x16", DC_FORMAT_ND, "64"); /* FE's form alone */
    MISFIT(DC_FORMAT_FRACTAL_NZ, "3x4x16x16", DC_FORMAT_ND, "64");
}

static void unverified_orders_are_refused_with_the_reason(void)
{
    UNSUPPORTED(DC_FORMAT_C1HWC0, "1x7x7x16", DC_FORMAT_ND, "1x7x7x16");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "not verified"));
    UNSUPPORTED(DC_FORMAT_FRACTAL_ZN_LSTM, "2x4x16x16", DC_FORMAT_ND, "32x64");
    UNSUPPORTED(200, "2", DC_FORMAT_ND, "2");
    UNSUPPORTED(DC_FORMAT_FRACTAL_ZN_RNN, "2x4x16x16", DC_FORMAT_ND, "32x64");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "input_size and hidden_size"));
    UNSUPPORTED(DC_FORMAT_ND_RNN_BIAS, "64", DC_FORMAT_ND, "64");
    dc_relayout_ask ask =
        ask_of(DC_FORMAT_FRACTAL_Z_3D, "1x2x16x16", DC_FORMAT_NCDHW, "32x4x1x1x1");
    dc_relayout m;
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    ask.sub_format = 2;
    CU_ASSERT_EQUAL(dc_relayout_init(&m, &ask), DC_EUNSUP);
    CU_ASSERT_EQUAL(m.outcome, DC_RELAYOUT_UNSUPPORTED);
}

static void packed_types_pass_only_in_order(void)
{
    dc_relayout_ask ask = ask_of(DC_FORMAT_FRACTAL_NZ, "2x1x16x64", DC_FORMAT_ND, "16x128");
    dc_relayout m;
    ask.dtype = DC_INT4;
    CU_ASSERT_EQUAL(dc_relayout_init(&m, &ask), DC_EUNSUP);
    CU_ASSERT_EQUAL(m.outcome, DC_RELAYOUT_UNSUPPORTED);
    ask.device.dim[0] = 1;
    ask.logical.dim[1] = 64; /* one block wide: rows follow one another */
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    CU_ASSERT(dc_relayout_is_identity(&m) && m.item == 0 && m.count == 1024);
}

static void hostile_shapes_are_refused(void)
{
    static const uint64_t dims[] = {0, 1, 2, 16, 1ull << 32, 1ull << 63, UINT64_MAX};
    static const uint32_t formats[] = {DC_FORMAT_NC1HWC0,
                                       DC_FORMAT_FRACTAL_Z,
                                       DC_FORMAT_FRACTAL_Z_C04,
                                       DC_FORMAT_FRACTAL_NZ,
                                       DC_FORMAT_FRACTAL_ZN_RNN,
                                       DC_FORMAT_ND_RNN_BIAS,
                                       DC_FORMAT_C1HWNCoC0,
                                       DC_FORMAT_ND,
                                       DC_FORMAT_NHWC};
    uint64_t seed = 7;
    for (int t = 0; t < 200000; t++) {
        dc_relayout_ask ask = {.dtype = (uint32_t)(t % 44), .format = formats[t % 9]};
        ask.golden_format = t & 1 ? DC_FORMAT_NHWC : DC_FORMAT_ND;
        ask.sub_format = t & 2 ? (uint32_t)(t % 7) * 0x3fffffffu : 0;
        ask.device.rank = 1 + (uint32_t)(t / 9 % 6);
        ask.logical.rank = 1 + (uint32_t)(t / 54 % 5);
        for (int i = 0; i < 16; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t dim = dims[(seed >> 33) % DC_COUNT(dims)];
            if (i < 6)
                ask.device.dim[i] = dim;
            else if (i < 11)
                ask.logical.dim[i - 6] = dim;
            else if (i == 11)
                ask.input_size = dim;
            else if (i == 12)
                ask.hidden_size = dim;
        }
        dc_relayout m;
        if (dc_relayout_init(&m, &ask) == DC_OK && m.count)
            CU_ASSERT(m.count <= m.device_count &&
                      dc_relayout_offset(&m, m.count - 1) < m.device_count);
    }
}

static void empty_tensors_have_nothing_to_move(void)
{
    dc_relayout_ask ask = ask_of(DC_FORMAT_NC1HWC0, "0x4x7x7x16", DC_FORMAT_NHWC, "0x7x7x64");
    dc_relayout m;
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    CU_ASSERT(m.count == 0 && m.device_count == 0 && dc_relayout_is_identity(&m));
    dc_relayout_gather(NULL, &m, NULL, 0, 0);
    dc_relayout_scatter(NULL, &m, NULL);
}

static void small_arrays_come_out_as_drawn(void)
{
    dc_relayout m;
    float out[12];
    dc_relayout_ask ask = ask_of(DC_FORMAT_FRACTAL_NZ, "2x1x2x2", DC_FORMAT_ND, "2x3");
    ask.dtype = DC_FLOAT32;
    static const float nz[] = {1, 2, 4, 5, 3, 0, 6, 0};
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    dc_relayout_gather(out, &m, nz, 0, 6);
    for (int i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(out[i], (float)(i + 1));
    ask = ask_of(DC_FORMAT_NC1HWC0, "1x2x1x2x2", DC_FORMAT_NHWC, "1x1x2x3");
    ask.dtype = DC_FLOAT32;
    static const float five[] = {1, 2, 4, 5, 3, 0, 6, 0}; /* pixels (1 2 3) and (4 5 6) */
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    dc_relayout_gather(out, &m, five, 0, 6);
    for (int i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(out[i], (float)(i + 1));
    static const float columns[] = {1, 4, 2, 5, 3, 6};
    const dc_shape shape = {2, {2, 3}};
    DC_ASSERT_OK(dc_relayout_fortran(&m, DC_FLOAT32, &shape));
    dc_relayout_gather(out, &m, columns, 1, 5);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(out[i], (float)(i + 2));
    const dc_shape one = {3, {1, 7, 1}};
    DC_ASSERT_OK(dc_relayout_fortran(&m, DC_INT4, &one));
    CU_ASSERT_TRUE(dc_relayout_is_identity(&m));
    CU_ASSERT_EQUAL(dc_relayout_fortran(&m, DC_INT4, &shape), DC_EUNSUP);
}

typedef struct reader {
    const unsigned char *data;
    uint64_t bytes, calls;
    uint64_t fail_at; /* call that fails, 0 = none */
} reader;

static dc_status read_piece(void *context, void *to, uint64_t offset, size_t bytes)
{
    reader *r = context;
    if (++r->calls == r->fail_at)
        return dc_fail(DC_EIO, "the disk is gone");
    memcpy(to, r->data + offset, bytes);
    r->bytes += bytes;
    return DC_OK;
}

/* Fetch all in chunks; how many times the device array was read over. */
static double read_over(uint32_t format, const char *device, uint32_t golden, const char *logical,
                        uint64_t most)
{
    dc_relayout_ask ask = ask_of(format, device, golden, logical);
    dc_relayout m;
    DC_ASSERT_OK(dc_relayout_init(&m, &ask));
    uint16_t *array = malloc(m.device_count * 2), *whole = malloc(m.count * 2);
    uint16_t *part = malloc(m.count * 2);
    for (uint64_t i = 0; i < m.device_count; i++)
        array[i] = (uint16_t)(i * 2654435761u >> 7);
    dc_relayout_gather(whole, &m, array, 0, m.count);
    reader r = {.data = (const unsigned char *)array};
    size_t scratch_bytes = 1 << 20;
    dc_relayout_source source = {read_piece, &r, malloc(scratch_bytes), scratch_bytes};
    uint64_t chunk = dc_relayout_chunk(&m, most);
    CU_ASSERT(chunk <= most && chunk >= 1);
    for (uint64_t first = 0; first < m.count; first += chunk) {
        size_t n = (size_t)(m.count - first < chunk ? m.count - first : chunk);
        DC_ASSERT_OK(dc_relayout_fetch(part + first, &m, &source, first, n));
    }
    CU_ASSERT_EQUAL(memcmp(part, whole, m.count * 2), 0);
    CU_ASSERT(r.calls < 6000);
    double over = (double)r.bytes / (double)(m.device_count * 2);
    r.fail_at = r.calls + 1;
    CU_ASSERT_EQUAL(dc_relayout_fetch(part, &m, &source, 0, 1), DC_EIO);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "the disk is gone");
    free(array);
    free(whole);
    free(part);
    free(source.scratch);
    return over;
}

static void pieces_read_little_twice(void)
{
    CU_ASSERT(read_over(DC_FORMAT_NC1HWC0, "2x4x56x56x16", DC_FORMAT_NCHW, "2x64x56x56", 100000) <=
              1);
    CU_ASSERT(read_over(DC_FORMAT_NC1HWC0, "2x4x56x56x16", DC_FORMAT_NHWC, "2x56x56x64", 100000) <
              1.1);
    CU_ASSERT(read_over(DC_FORMAT_NC1HWC0, "2x4x56x56x16", DC_FORMAT_NHWC, "2x56x56x50", 100000) <
              1.1);
    CU_ASSERT(read_over(DC_FORMAT_FRACTAL_NZ, "64x64x16x16", DC_FORMAT_ND, "1024x1024", 300000) <
              1.1);
    CU_ASSERT(read_over(DC_FORMAT_ND, "1000x1000", DC_FORMAT_ND, "1000x1000", 300000) <= 1);
    CU_ASSERT(read_over(DC_FORMAT_FRACTAL_Z, "36x16x16x16", DC_FORMAT_HWCN, "3x3x64x256", 200000) <
              1.1);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(padding_is_less_than_a_block),
        DC_TEST(nothing_is_broadcast_or_reshaped),
        DC_TEST(short_goldens_fit_where_the_format_says_so),
        DC_TEST(several_readings_are_ambiguous),
        DC_TEST(unverified_orders_are_refused_with_the_reason),
        DC_TEST(packed_types_pass_only_in_order),
        DC_TEST(hostile_shapes_are_refused),
        DC_TEST(empty_tensors_have_nothing_to_move),
        DC_TEST(small_arrays_come_out_as_drawn),
        DC_TEST(pieces_read_little_twice),
    };
    return dc_test_main("relayout_fit", tests, DC_COUNT(tests));
}
