/* tests/test_widen.c - every code of every small type, the wide types, packing, swapping, rounding.
 */
#include "io/dtype.h"
#include "io/widen.h"
#include "tests/half.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double one(uint32_t dtype, const void *data)
{
    double v = 12345;
    dc_widen(&v, data, dtype, 0, 1);
    return v;
}

/* The textbook formula of a float with `ebits` and `mbits`, without special values. */
static double textbook(unsigned code, int ebits, int mbits, int bias)
{
    double sign = code >> (ebits + mbits) & 1 ? -1 : 1;
    int e = (int)(code >> mbits & ((1u << ebits) - 1));
    double m = (double)(code & ((1u << mbits) - 1)) / pow(2, mbits);
    return sign * (e ? (1 + m) * pow(2, e - bias) : m * pow(2, 1 - bias));
}

static double ieee(unsigned code, int ebits, int mbits)
{
    unsigned body = code & ((1u << (ebits + mbits)) - 1), inf = ((1u << ebits) - 1) << mbits;
    double sign = code >> (ebits + mbits) & 1 ? -1 : 1;
    if (body >= inf)
        return body == inf ? sign * INFINITY : NAN;
    return textbook(code, ebits, mbits, (1 << (ebits - 1)) - 1);
}

static void all_halves_follow_the_formula(void)
{
    static uint16_t half[65536 + 1];
    static double wide[65536 + 1];
    for (unsigned c = 0; c < 65536; c++)
        half[c] = (uint16_t)c;
    dc_widen(wide, half, DC_FLOAT16, 0, 65536);
    for (unsigned c = 0; c < 65536; c++) {
        double alone = one(DC_FLOAT16, &half[c]); /* too short for the vector loop */
        if (!same(wide[c], ieee(c, 5, 10)) || bits_of(alone) != bits_of(wide[c]))
            CU_FAIL_FATAL("float16");
    }
    dc_widen(wide, half, DC_BFLOAT16, 0, 65536);
    for (unsigned c = 0; c < 65536; c++)
        if (!same(wide[c], ieee(c, 8, 7)))
            CU_FAIL_FATAL("bfloat16");
    char shifted[2 * 11 + 1]; /* unaligned, and from the middle */
    memcpy(shifted + 1, &half[0x3c00], 22);
    dc_widen(wide, shifted + 1, DC_FLOAT16, 2, 9);
    for (unsigned i = 0; i < 9; i++)
        CU_ASSERT(same(wide[i], ieee(0x3c02 + i, 5, 10)));
}

/* HiFloat8 written as strings of bits: the white paper's table read literally. */
static double hifloat8(unsigned code)
{
    char bit[9];
    for (int i = 0; i < 8; i++)
        bit[i] = (char)('0' + (code >> (7 - i) & 1));
    bit[8] = '\0';
    static const struct {
        const char *prefix;
        int d;
    } forms[] = {{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}};
    double sign = bit[0] == '1' ? -1 : 1;
    if (code == 0x80)
        return NAN;
    if ((code & 0x7f) == 0x6f)
        return sign * INFINITY;
    for (size_t f = 0; f < DC_COUNT(forms); f++) {
        size_t n = strlen(forms[f].prefix);
        if (strncmp(bit + 1, forms[f].prefix, n) != 0)
            continue;
        const char *at = bit + 1 + n;
        int e = 0;
        if (forms[f].d > 0) {
            e = 1;
            for (int i = 1; i < forms[f].d; i++)
                e = 2 * e + (at[i] - '0');
            if (at[0] == '1')
                e = -e;
        }
        at += forms[f].d;
        double m = (double)strtol(at, NULL, 2) / pow(2, (double)strlen(at));
        return sign * (1 + m) * pow(2, e);
    }
    return code ? sign * pow(2, (double)(code & 7) - 23) : 0;
}

static void all_codes_of_8_bits_follow_their_formula(void)
{
    for (unsigned c = 0; c < 256; c++) {
        unsigned char b = (unsigned char)c;
        bool nan = (c & 0x7f) == 0x7f;
        CU_ASSERT(same(one(DC_FLOAT8_E5M2, &b), ieee(c, 5, 2)));
        CU_ASSERT(same(one(DC_FLOAT8_E4M3FN, &b), nan ? NAN : textbook(c, 4, 3, 7)));
        CU_ASSERT(same(one(DC_FLOAT8_E8M0, &b), c == 255 ? NAN : pow(2, (int)c - 127)));
        CU_ASSERT(same(one(DC_HIFLOAT8, &b), hifloat8(c)));
        CU_ASSERT_EQUAL(one(DC_INT8, &b), (double)(signed char)c);
        CU_ASSERT_EQUAL(one(DC_QUINT8, &b), (double)c);
        CU_ASSERT_EQUAL(one(DC_BOOL, &b), (double)(c != 0));
    }
    static const unsigned char hif8[] = {0x08, 0x10, 0x18, 0x6e, 0x01, 0x07, 0x6f, 0xef};
    static const double value[] = {1, 2, 0.5, 32768, 0x1p-22, 0x1p-16, INFINITY, -INFINITY};
    for (size_t i = 0; i < DC_COUNT(hif8); i++)
        CU_ASSERT_EQUAL(one(DC_HIFLOAT8, &hif8[i]), value[i]);
}

/* What a packed code stands for. */
static double packed_value(uint32_t dtype, unsigned code)
{
    switch (dtype) {
    case DC_FLOAT6_E3M2:
        return textbook(code, 3, 2, 3);
    case DC_FLOAT6_E2M3:
        return textbook(code, 2, 3, 1);
    case DC_FLOAT4_E2M1:
        return textbook(code, 2, 1, 1);
    case DC_FLOAT4_E1M2:
        return textbook(code, 1, 2, 1);
    case DC_INT4:
        return (int)(code ^ 8) - 8;
    case DC_INT2:
        return (int)(code ^ 2) - 2;
    default:
        return code;
    }
}

static void packed_elements_come_lowest_bits_first(void)
{
    static const uint32_t dtypes[] = {DC_INT4,        DC_UINT1,       DC_INT2,
                                      DC_UINT2,       DC_FLOAT6_E3M2, DC_FLOAT6_E2M3,
                                      DC_FLOAT4_E2M1, DC_FLOAT4_E1M2};
    unsigned char data[96];
    double wide[96 * 8];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 89 + 57);
    for (size_t d = 0; d < DC_COUNT(dtypes); d++)
        for (unsigned first = 0; first < 9; first++) {
            unsigned bits = dc_dtype_get(dtypes[d])->bits, n = (unsigned)sizeof data * 8 / bits;
            dc_widen(wide, data, dtypes[d], first, n - first);
            for (unsigned i = first; i < n; i++) {
                unsigned code = 0;
                for (unsigned b = 0; b < bits; b++)
                    code |= ((unsigned)data[(i * bits + b) / 8] >> (i * bits + b) % 8 & 1u) << b;
                CU_ASSERT(same(wide[i - first], packed_value(dtypes[d], code)));
            }
        }
    CU_ASSERT_EQUAL(one(DC_INT4, "\x8f"), -1); /* low nibble first */
    CU_ASSERT_EQUAL(one(DC_FLOAT6_E3M2, "\x1f"), 28);
    CU_ASSERT_EQUAL(one(DC_FLOAT6_E2M3, "\x1f"), 7.5);
    CU_ASSERT_EQUAL(one(DC_FLOAT4_E2M1, "\x07"), 6);
    CU_ASSERT_EQUAL(one(DC_FLOAT4_E1M2, "\x07"), 1.75);
}

static void last_elements_touch_no_byte_beyond(void)
{
    double v[4];
    unsigned char *exact = malloc(3); /* 4 x 6 bits; a sanitizer sees a read of a fourth byte */
    memset(exact, 0, 3);
    exact[2] = 0x7c;
    dc_widen(v, exact, DC_FLOAT6_E3M2, 3, 1);
    CU_ASSERT_EQUAL(v[0], 28);
    free(exact);
}

static void wide_types_keep_their_values(void)
{
    int64_t i64 = INT64_MIN;
    uint64_t u64 = UINT64_MAX;
    int16_t i16 = -32768;
    uint32_t u32 = UINT32_MAX;
    float f = -0.1f;
    double d = 0.1, pair[4];
    CU_ASSERT_EQUAL(one(DC_INT64, &i64), -0x1p63);
    CU_ASSERT_EQUAL(one(DC_UINT64, &u64), 0x1p64);
    CU_ASSERT_EQUAL(one(DC_QINT16, &i16), -32768);
    CU_ASSERT_EQUAL(one(DC_UINT32, &u32), 4294967295.0);
    CU_ASSERT_EQUAL(one(DC_FLOAT32, &f), (double)-0.1f);
    CU_ASSERT_EQUAL(one(DC_FLOAT64, &d), 0.1);
    static const float c64[] = {1, 2, 3, 4};
    dc_widen(pair, c64, DC_COMPLEX64, 1, 1);
    CU_ASSERT(pair[0] == 3 && pair[1] == 4);
    static const uint16_t c32[] = {0x3c00, 0x4000, 0x4200, 0x4400};
    dc_widen(pair, c32, DC_COMPLEX32, 0, 2);
    CU_ASSERT(pair[0] == 1 && pair[1] == 2 && pair[2] == 3 && pair[3] == 4);
    static const double c128[] = {1, 2, 3, 4};
    dc_widen(pair, c128, DC_COMPLEX128, 1, 1);
    CU_ASSERT(pair[0] == 3 && pair[1] == 4);
}

static void types_say_what_can_be_done_with_them(void)
{
    for (uint32_t d = 0; d < DC_DTYPE_COUNT; d++) {
        CU_ASSERT_EQUAL(dc_widen_supported(d), dc_dtype_get(d)->kind != DC_KIND_OTHER);
    }
    CU_ASSERT_FALSE(dc_widen_supported(99));
    CU_ASSERT(isnan(one(DC_STRING, "x")) && isnan(one(99, "x")));
    CU_ASSERT(dc_dtype_packing_assumed(DC_INT2) && dc_dtype_packing_assumed(DC_FLOAT6_E2M3));
    CU_ASSERT_FALSE(dc_dtype_packing_assumed(DC_INT4));
    CU_ASSERT_EQUAL(dc_widen_parts(DC_COMPLEX32), 2);
    CU_ASSERT_EQUAL(dc_widen_parts(DC_INT4), 1);
}

static void swapping_reverses_each_item(void)
{
    for (size_t width = 1; width <= 16; width++) {
        unsigned char data[16 * 5 + 1];
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (unsigned char)i;
        dc_swap_bytes(data, 5, width);
        for (size_t i = 0; i < 5 * width; i++)
            CU_ASSERT_EQUAL(data[i], i / width * width + width - 1 - i % width);
        CU_ASSERT_EQUAL(data[5 * width], 5 * width);
    }
    unsigned char complex[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    dc_swap_elements(complex, 1, DC_COMPLEX64);
    CU_ASSERT_EQUAL(memcmp(complex, "\3\2\1\0\7\6\5\4", 8), 0);
    dc_swap_elements(complex, 16, DC_INT4);
    CU_ASSERT_EQUAL(memcmp(complex, "\3\2\1\0\7\6\5\4", 8), 0);
}

/* Each code survives; halfway between two neighbours the even one wins; a hair beside it decides.
 */
static void check_rounding(uint16_t (*narrow)(double), int ebits, int mbits)
{
    unsigned inf = ((1u << ebits) - 1) << mbits;
    for (unsigned c = 0; c < inf; c++) {
        double v = ieee(c, ebits, mbits);
        double next = textbook(c + 1, ebits, mbits, (1 << (ebits - 1)) - 1);
        double middle = v + (next - v) / 2;
        if (narrow(v) != c || narrow(-v) != (c | 0x8000) || narrow(middle) != c + (c & 1) ||
            narrow(nextafter(middle, 0)) != c || narrow(nextafter(middle, INFINITY)) != c + 1) {
            fprintf(stderr, "code %#x\n", c);
            CU_FAIL_FATAL("rounding");
        }
    }
    CU_ASSERT_EQUAL(narrow(INFINITY), inf);
    CU_ASSERT_EQUAL(narrow(-1e300), inf | 0x8000);
    CU_ASSERT_EQUAL(narrow(-5e-324), 0x8000);
    CU_ASSERT(isnan(ieee(narrow(NAN), ebits, mbits)));
}

static void narrowing_rounds_to_nearest_even(void)
{
    check_rounding(to_float16, 5, 10);
    check_rounding(to_bfloat16, 8, 7);
    CU_ASSERT_EQUAL(to_float16(65519.99), 0x7bff);
    CU_ASSERT_EQUAL(to_float16(65520), 0x7c00);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(all_halves_follow_the_formula),
        DC_TEST(all_codes_of_8_bits_follow_their_formula),
        DC_TEST(packed_elements_come_lowest_bits_first),
        DC_TEST(last_elements_touch_no_byte_beyond),
        DC_TEST(wide_types_keep_their_values),
        DC_TEST(types_say_what_can_be_done_with_them),
        DC_TEST(swapping_reverses_each_item),
        DC_TEST(narrowing_rounds_to_nearest_even),
    };
    return dc_test_main("widen", tests, DC_COUNT(tests));
}
