/* tests/test_pbwire.c - the protobuf cursor, in memory and through a file window. */
#include "io/pbwire.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

static dc_status next(dc_pbfield *f, const void *bytes, size_t n)
{
    dc_pbwire w;
    uint64_t pos = 0;
    dc_pbwire_memory(&w, bytes, n, "m");
    return dc_pbwire_next(f, &w, &pos, n);
}

static void every_wire_type_is_walked(void)
{
    dc_buf b = {0};
    dc_pbwire w;
    dc_pbfield f;
    uint64_t pos = 0;
    put_number(&b, 1, UINT64_MAX);
    put_varint(&b, 2u << 3 | 1);
    put_le(&b, 0x1122334455667788, 8);
    put_text(&b, 3, "bytes");
    put_varint(&b, ((1u << 29) - 1) << 3 | 5);
    put_le(&b, 0xfedcba98, 4);
    dc_pbwire_memory(&w, b.data, b.n, "m");
    DC_ASSERT_OK(dc_pbwire_next(&f, &w, &pos, b.n));
    CU_ASSERT(f.number == 1 && f.type == DC_PB_VARINT && f.value == UINT64_MAX && f.start == 0);
    DC_ASSERT_OK(dc_pbwire_next(&f, &w, &pos, b.n));
    CU_ASSERT(f.number == 2 && f.type == DC_PB_FIXED64 && f.value == 0x1122334455667788);
    DC_ASSERT_OK(dc_pbwire_next(&f, &w, &pos, b.n));
    CU_ASSERT(f.number == 3 && f.type == DC_PB_LENGTH && f.length == 5);
    CU_ASSERT_EQUAL(memcmp(b.data + f.offset, "bytes", 5), 0);
    DC_ASSERT_OK(dc_pbwire_next(&f, &w, &pos, b.n));
    CU_ASSERT(f.number == (1u << 29) - 1 && f.type == DC_PB_FIXED32 && f.value == 0xfedcba98);
    CU_ASSERT_EQUAL(pos, b.n);
    dc_buf_free(&b);
}

static void damage_is_refused(void)
{
    static const struct {
        const char *bytes;
        size_t n;
    } bad[] = {
        {"\x08", 1},                                              /* no value */
        {"\x08\x80", 2},                                          /* unfinished number */
        {"\x80", 1},                                              /* unfinished tag */
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, /* eleven bytes */
        {"\x00\x01", 2},                                          /* field 0 */
        {"\x0b\x0c", 2},                                          /* group */
        {"\x0e\x00", 2},                                          /* type 6 */
        {"\x0a\x05"
         "abcd",
         6},                                                  /* four bytes of five */
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, /* 2^64-1 bytes */
        {"\x09\x01\x02\x03\x04\x05\x06\x07", 8},              /* seven bytes of eight */
        {"\x0d\x01\x02\x03", 4},                              /* three of four */
        {"\x80\x80\x80\x80\x80\x01\x00", 7},                  /* field number 2^32 */
    };
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        dc_pbfield f;
        CU_ASSERT_EQUAL(next(&f, bad[i].bytes, bad[i].n), DC_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "m: not a protobuf message"));
    }
}

static void fields_do_not_pass_their_message(void)
{
    dc_pbwire w;
    dc_pbfield f;
    uint64_t pos = 0;
    dc_pbwire_memory(&w,
                     "\x0a\x04"
                     "abcd",
                     6, "m");
    CU_ASSERT_EQUAL(dc_pbwire_next(&f, &w, &pos, 5), DC_EFORMAT);
}

static void files_are_read_through_a_window(void)
{
    enum { FIELDS = 40, LARGE = 5000 };
    char path[4096], large[LARGE], got[LARGE];
    dc_buf b = {0};
    static dc_pbwire w;
    dc_pbfield f;
    uint64_t pos = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        memset(large, (int)('a' + i % 26), LARGE);
        put_field(&b, 7, large, LARGE - i);
    }
    snprintf(path, sizeof path, "%s/m", dc_test_dir());
    FILE *file = fopen(path, "w+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(b.data, 1, b.n, file), b.n);
    fflush(file);
    dc_pbwire_file(&w, fileno(file), b.n, path);
    for (size_t i = 0; i < FIELDS; i++) {
        DC_ASSERT_OK(dc_pbwire_next(&f, &w, &pos, b.n));
        CU_ASSERT_EQUAL_FATAL(f.length, LARGE - i);
        DC_ASSERT_OK(dc_pbwire_read(got, &w, f.offset, (size_t)f.length));
        CU_ASSERT_EQUAL(memcmp(got, b.data + f.offset, (size_t)f.length), 0);
    }
    CU_ASSERT_EQUAL(pos, b.n);
    CU_ASSERT_EQUAL(dc_pbwire_read(got, &w, b.n - 1, 2), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_pbwire_read(got, &w, UINT64_MAX, 2), DC_EFORMAT);
    dc_pbwire_file(&w, fileno(file), b.n + 100,
                   path); /* the file shrank since its size was asked */
    CU_ASSERT_EQUAL(dc_pbwire_read(got, &w, b.n, 4), DC_EFORMAT);
    fclose(file);
    dc_buf_free(&b);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_wire_type_is_walked),
        DC_TEST(damage_is_refused),
        DC_TEST(fields_do_not_pass_their_message),
        DC_TEST(files_are_read_through_a_window),
    };
    return dc_test_main("pbwire", tests, DC_COUNT(tests));
}
