/* tests/test_overflow.c - both layouts of overflow records. */
#include "io/overflow.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

#define HAS(r, f)   (((r)->have >> DC_OVERFLOW_##f & 1) != 0)
#define VALUE(r, f) ((r)->value[DC_OVERFLOW_##f])

static void old_layout_has_three_detectors(void)
{
    dc_overflow r[DC_OVERFLOW_MAX];
    uint64_t word[256];
    size_t n;
    memset(word, 0, sizeof word);
    for (uint64_t i = 0; i < 6; i++) {
        word[128 / 8 + i] = 10 + i;
        word[256 / 8 + i] = 20 + i;
    }
    word[512 / 8] = 0;
    word[768 / 8] = 5;
    word[1024 / 8] = 0xabc;
    word[1032 / 8] = 7;
    word[1040 / 8] = 2;
    DC_ASSERT_OK(dc_overflow_decode(r, &n, word, sizeof word, "x"));
    CU_ASSERT_EQUAL_FATAL(n, 3);
    CU_ASSERT_FALSE(r[0].detected);
    CU_ASSERT_TRUE(r[1].detected && r[2].detected);
    CU_ASSERT_EQUAL(VALUE(&r[1], MODEL_ID), 10);
    CU_ASSERT_EQUAL(VALUE(&r[1], STREAM_ID), 11);
    CU_ASSERT_EQUAL(VALUE(&r[1], TASK_ID), 12);
    CU_ASSERT_EQUAL(VALUE(&r[1], PARA_BASE), 15);
    CU_ASSERT_EQUAL(VALUE(&r[1], STATUS), 5);
    CU_ASSERT_STRING_EQUAL(r[2].detector, "AI core");
    CU_ASSERT_EQUAL(VALUE(&r[2], PC_START), 24);
    CU_ASSERT_EQUAL(VALUE(&r[2], KERNEL_CODE), 0xabc);
    CU_ASSERT_EQUAL(VALUE(&r[2], BLOCK_ID), 7);
    CU_ASSERT_EQUAL(VALUE(&r[2], STATUS), 2);
    CU_ASSERT_FALSE(HAS(&r[2], CONTEXT_ID));
    CU_ASSERT_TRUE(dc_overflow_field_is_hex(DC_OVERFLOW_PC_START));
    CU_ASSERT_STRING_EQUAL(dc_overflow_field_name(DC_OVERFLOW_BLOCK_ID), "block_id");
}

/* A record of the new layout with fields 100, 101, ... */
static void put_record(dc_buf *b, uint64_t version, uint64_t acc_type, size_t fields)
{
    put_le(b, 0x5a5a5a5a, 4);
    put_le(b, version, 4);
    put_le(b, 1, 4);
    put_le(b, acc_type, 4);
    put_le(b, 0, 4);
    put_le(b, 8 * fields, 4);
    for (size_t i = 0; i < fields; i++)
        put_le(b, 100 + i, 8);
}

static void new_layout_follows_its_kind(void)
{
    static const struct {
        uint64_t version, acc_type;
        size_t fields;
        const char *detector;
        dc_overflow_field last;
    } kinds[] = {{0, 0, 11, "AIC", DC_OVERFLOW_STATUS},
                 {2, 1, 11, "AIV", DC_OVERFLOW_STATUS},
                 {1, 0, 14, "AIC", DC_OVERFLOW_STATUS_3},
                 {1, 2, 8, "AICPU", DC_OVERFLOW_STATUS},
                 {1, 3, 10, "SDMA", DC_OVERFLOW_STATUS}};
    for (size_t i = 0; i < DC_COUNT(kinds); i++) {
        dc_overflow r[DC_OVERFLOW_MAX];
        dc_buf b = {0};
        size_t n;
        put_record(&b, kinds[i].version, kinds[i].acc_type, kinds[i].fields);
        DC_ASSERT_OK(dc_overflow_decode(r, &n, b.data, b.n, "x"));
        CU_ASSERT_EQUAL(n, 1);
        CU_ASSERT_STRING_EQUAL(r[0].detector, kinds[i].detector);
        CU_ASSERT_TRUE(r[0].detected);
        CU_ASSERT_EQUAL(VALUE(&r[0], TASK_ID), 102);
        CU_ASSERT_EQUAL(r[0].value[kinds[i].last], 100 + kinds[i].fields - 1);
        CU_ASSERT_EQUAL((size_t)__builtin_popcount(r[0].have), kinds[i].fields);
        for (size_t cut = 0; cut < b.n; cut++)
            CU_ASSERT_EQUAL(dc_overflow_decode(r, &n, b.data, cut, "x"), DC_EFORMAT);
        dc_buf_free(&b);
    }
}

static void aicpu_and_sdma_have_their_own_fields(void)
{
    dc_overflow r[DC_OVERFLOW_MAX];
    dc_buf b = {0};
    size_t n;
    put_record(&b, 1, 2, 8);
    DC_ASSERT_OK(dc_overflow_decode(r, &n, b.data, b.n, "x"));
    CU_ASSERT_EQUAL(VALUE(&r[0], CPU_ID), 105);
    CU_ASSERT_EQUAL(VALUE(&r[0], THREAD_ID), 106);
    b.n = 0;
    put_record(&b, 1, 3, 10);
    DC_ASSERT_OK(dc_overflow_decode(r, &n, b.data, b.n, "x"));
    CU_ASSERT_EQUAL(VALUE(&r[0], DST_ADDR), 107);
    CU_ASSERT_EQUAL(VALUE(&r[0], CHANNEL_ID), 108);
    dc_buf_free(&b);
}

static void unknown_kinds_and_sizes_are_refused(void)
{
    dc_overflow r[DC_OVERFLOW_MAX];
    dc_buf b = {0};
    size_t n;
    static const char old[2049];
    put_record(&b, 1, 4, 20);
    CU_ASSERT_EQUAL(dc_overflow_decode(r, &n, b.data, b.n, "x"), DC_EUNSUP);
    dc_buf_free(&b);
    CU_ASSERT_EQUAL(dc_overflow_decode(r, &n, old, 2047, "x"), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_overflow_decode(r, &n, old, 2049, "x"), DC_EFORMAT);
    DC_ASSERT_OK(dc_overflow_decode(r, &n, old, 2048, "x"));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(old_layout_has_three_detectors),
        DC_TEST(new_layout_follows_its_kind),
        DC_TEST(aicpu_and_sdma_have_their_own_fields),
        DC_TEST(unknown_kinds_and_sizes_are_refused),
    };
    return dc_test_main("overflow", tests, DC_COUNT(tests));
}
