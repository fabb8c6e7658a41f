/* tests/test_look.c - what show prints of elements and of their spread. */
#include "capture/histogram.h"
#include "io/dtype.h"
#include "io/element.h"
#include "tests/harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const char *element(const void *data, uint32_t dtype, uint64_t i)
{
    static char text[DC_ELEMENT_TEXT];
    dc_element_print(text, data, dtype, i, 6);
    return text;
}

static void elements_are_printed_as_their_type_has_them(void)
{
    const float real[] = {0.5f, -1e20f, NAN, INFINITY, 1, -2};
    const int64_t wide[] = {INT64_MIN, INT64_MAX};
    const uint8_t byte[] = {0xf1, 7};
    CU_ASSERT_STRING_EQUAL(element(real, DC_FLOAT32, 0), "0.5");
    CU_ASSERT_STRING_EQUAL(element(real, DC_FLOAT32, 1), "-1e+20");
    CU_ASSERT_STRING_EQUAL(element(real, DC_FLOAT32, 2), "nan");
    CU_ASSERT_STRING_EQUAL(element(real, DC_FLOAT32, 3), "inf");
    CU_ASSERT_STRING_EQUAL(element(real, DC_COMPLEX64, 2), "1-2j");
    CU_ASSERT_STRING_EQUAL(element(real, DC_COMPLEX64, 1), "nan+infj");
    CU_ASSERT_STRING_EQUAL(element(wide, DC_INT64, 0), "-9223372036854775808");
    CU_ASSERT_STRING_EQUAL(element(wide, DC_INT64, 1), "9223372036854775807");
    CU_ASSERT_STRING_EQUAL(element(wide, DC_UINT64, 0), "9223372036854775808");
    CU_ASSERT_STRING_EQUAL(element(byte, DC_BOOL, 1), "True");
    CU_ASSERT_STRING_EQUAL(element(byte, DC_INT4, 0), "1");
    CU_ASSERT_STRING_EQUAL(element(byte, DC_INT4, 1), "-1");
    CU_ASSERT_STRING_EQUAL(element(byte, DC_STRING, 0), "0xf1");
}

static void the_largest_doubles_have_bins(void)
{
    const double v[] = {-DBL_MAX, DBL_MAX, 0, NAN, INFINITY};
    dc_histogram h;
    dc_histogram_begin(&h, -DBL_MAX, DBL_MAX, false);
    dc_histogram_add(&h, v, DC_FLOAT64, 5);
    CU_ASSERT_EQUAL(h.bin[0], 1);
    CU_ASSERT_EQUAL(h.bin[8], 1);
    CU_ASSERT_EQUAL(h.bin[15], 1);
}

static void few_integers_have_a_bin_each(void)
{
    const int8_t v[] = {-1, 2, 2, 0};
    dc_histogram h;
    dc_buf text = {0};
    dc_histogram_begin(&h, -1, 2, true);
    dc_histogram_add(&h, v, DC_INT8, 4);
    CU_ASSERT_EQUAL(h.bins, 4);
    DC_ASSERT_OK(dc_histogram_print(&text, &h));
    DC_ASSERT_OK(dc_buf_add(&text, "", 1));
    CU_ASSERT_STRING_EQUAL(text.data,
                           "  -1            1 ####################\n"
                           "  0             1 ####################\n"
                           "  1             0\n"
                           "  2             2 ########################################\n");
    dc_buf_free(&text);
}

static void a_constant_has_one_bin(void)
{
    const float v[] = {0.25f, 0.25f};
    dc_histogram h;
    dc_histogram_begin(&h, 0.25, 0.25, false);
    dc_histogram_add(&h, v, DC_FLOAT32, 2);
    CU_ASSERT_EQUAL(h.bins, 1);
    CU_ASSERT_EQUAL(h.bin[0], 2);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(elements_are_printed_as_their_type_has_them),
                                    DC_TEST(the_largest_doubles_have_bins),
                                    DC_TEST(few_integers_have_a_bin_each),
                                    DC_TEST(a_constant_has_one_bin)};
    return dc_test_main("look", tests, DC_COUNT(tests));
}
