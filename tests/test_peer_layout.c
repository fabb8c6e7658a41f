/* tests/test_peer_layout.c - the order in which two dumped tensors are compared. */
#include "compare/pair.h"
#include "compare/peer_layout.h"
#include "io/dtype.h"
#include "io/format.h"
#include "tests/harness.h"

#include <string.h>

static dc_peer_side side(uint32_t format, const char *device, const char *logical, uint32_t said)
{
    dc_peer_side s = {.said = said};
    s.layout.dtype = DC_FLOAT16;
    s.layout.format = format;
    DC_ASSERT_OK(dc_shape_parse(&s.layout.device, device));
    DC_ASSERT_OK(dc_shape_parse(&s.layout.logical, logical));
    return s;
}

static void expect(const dc_peer_side *npu, const dc_peer_side *golden, uint32_t format,
                   bool as_dumped)
{
    const dc_peer_order o = dc_peer_layout(npu, golden);
    CU_ASSERT_EQUAL(o.format, format);
    CU_ASSERT_EQUAL(o.as_dumped, as_dumped);
}

static void what_is_said_comes_first(void)
{
    const dc_peer_side five = side(DC_FORMAT_NC1HWC0, "1x1x16x16x16", "1x16x16x16", DC_FORMAT_NHWC);
    dc_peer_side plain = side(DC_FORMAT_NCHW, "1x16x16x16", "1x16x16x16", DC_FORMAT_NCHW);
    expect(&five, &plain, DC_FORMAT_NCHW, false);
    plain.said = DC_FORMAT_UNSAID; /* its own device format before the other's word */
    expect(&five, &plain, DC_FORMAT_NCHW, false);
    expect(&plain, &five, DC_FORMAT_NHWC, false);
}

static void the_other_sides_word_counts_for_equal_dims(void)
{
    const dc_peer_side golden =
        side(DC_FORMAT_NC1HWC0, "1x1x16x16x16", "1x16x16x16", DC_FORMAT_UNSAID);
    dc_peer_side npu = golden;
    npu.said = DC_FORMAT_NHWC;
    expect(&npu, &golden, DC_FORMAT_NHWC, false);
    npu = side(DC_FORMAT_NHWC, "1x16x16x16", "1x16x16x16", DC_FORMAT_UNSAID);
    expect(&npu, &golden, DC_FORMAT_NHWC, false);
}

static void the_only_order_that_fits_is_meant(void)
{
    const dc_peer_side plain = side(DC_FORMAT_NCHW, "2x20x4x4", "2x20x4x4", DC_FORMAT_UNSAID);
    const dc_peer_side five = side(DC_FORMAT_NC1HWC0, "2x2x4x4x16", "2x4x4x20", DC_FORMAT_UNSAID);
    expect(&plain, &five, DC_FORMAT_NHWC, false);
    const dc_peer_side two =
        side(DC_FORMAT_NC1HWC0, "1x1x16x16x16", "1x16x16x16", DC_FORMAT_UNSAID);
    const dc_peer_side other = side(DC_FORMAT_NCHW, "1x16x4x64", "1x16x4x64", DC_FORMAT_UNSAID);
    expect(&other, &two, DC_FORMAT_UNSAID, false); /* two orders would */
}

static void what_lies_alike_needs_no_order(void)
{
    dc_peer_side a = side(DC_FORMAT_NC1HWC0, "1x2x20x20x16", "1x20x20x20", DC_FORMAT_UNSAID);
    const dc_peer_side b = a;
    const dc_peer_order o = dc_peer_layout(&a, &b);
    CU_ASSERT_TRUE(o.as_dumped);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.why ? o.why : "", "layout ambiguous"));
    a.layout.sub_format = 2;
    expect(&a, &b, DC_FORMAT_UNSAID, false);
    a = side(DC_FORMAT_NC1HWC0, "1x3x20x20x16", "1x20x20x20", DC_FORMAT_UNSAID);
    expect(&a, &b, DC_FORMAT_UNSAID, false);
    a = side(DC_FORMAT_FRACTAL_Z_WINO, "16x16", "16x16", DC_FORMAT_UNSAID);
    expect(&a, &a, DC_FORMAT_UNSAID, true);
    a = side(DC_FORMAT_NC1HWC0, "2x2x4x4x16", "2x4x4x20", DC_FORMAT_UNSAID);
    expect(&a, &a, DC_FORMAT_UNSAID, false); /* a logical order can be had, without the padding */
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(what_is_said_comes_first),
        DC_TEST(the_other_sides_word_counts_for_equal_dims),
        DC_TEST(the_only_order_that_fits_is_meant),
        DC_TEST(what_lies_alike_needs_no_order),
    };
    return dc_test_main("peer_layout", tests, DC_COUNT(tests));
}
