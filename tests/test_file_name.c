/* tests/test_file_name.c - file names as a shared text and a number: every name comes back. */
#include "io/file_name.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

static void check(const char *name, const char *text, uint64_t number)
{
    char out[DC_FILE_NAME];
    uint32_t id;
    uint64_t have;
    dc_pool *names;
    DC_ASSERT_OK(dc_pool_new(&names));
    DC_ASSERT_OK(dc_file_name_add(&id, &have, names, name));
    CU_ASSERT_STRING_EQUAL(dc_pool_text(names, id), text);
    CU_ASSERT_EQUAL(have, number);
    CU_ASSERT_STRING_EQUAL(dc_file_name(out, names, id, have), name);
    dc_pool_free(names);
}

static void the_time_stamp_is_a_number(void)
{
    check("Add.add_1.3.7.1718260502123456", "Add.add_1.3.7./", 1718260502123456);
    check("Node.x.1.2.1706596912161941.csv", "Node.x.1.2./.csv", 1706596912161941);
    check("Add.a.1.2.1706596912161941.4.0.1.7", "Add.a.1.2./.4.0.1.7", 1706596912161941);
    check("exception_info.33.11.20230417184520123", "exception_info.33.11./", 20230417184520123);
}

static void the_last_long_run_of_digits_counts(void)
{
    check("Add.op12345678901.2.3.1718260502123456", "Add.op12345678901.2.3./", 1718260502123456);
    check("Add.op12345678901.csv", "Add.op/.csv", 12345678901);
    check("1234567890", "/", 1234567890);
    check("9999999999999999999", "/", 9999999999999999999u);
}

static void other_digits_stay_text(void)
{
    check("", "", 0);
    check("mapping.csv", "mapping.csv", 0);
    check("Add.a.3.7.123456789", "Add.a.3.7.123456789", 0);
    check("0123456789012", "0123456789012", 0);                             /* starts with 0 */
    check("12345678901234567890", "12345678901234567890", 0);               /* may not fit */
    check("7.12345678901234567890123", "7.12345678901234567890123", 0);     /* does not */
    check("1718260502.0718260502123456", "/.0718260502123456", 1718260502); /* the one before */
    check("a/1718260502123456", "a/1718260502123456", 0); /* no file's name: left alone */
}

static void names_of_one_operator_share_their_text(void)
{
    uint32_t a, b;
    uint64_t x, y;
    dc_pool *names;
    DC_ASSERT_OK(dc_pool_new(&names));
    DC_ASSERT_OK(dc_file_name_add(&a, &x, names, "Add.add_1.3.7.1718260502123456"));
    DC_ASSERT_OK(dc_file_name_add(&b, &y, names, "Add.add_1.3.7.1718260502999999"));
    CU_ASSERT_EQUAL(a, b);
    CU_ASSERT_NOT_EQUAL(x, y);
    CU_ASSERT_EQUAL(dc_pool_count(names), 2); /* and "" */
    dc_pool_free(names);
}

static void hostile_texts_end_in_the_buffer(void)
{
    char longer[2 * DC_FILE_NAME], out[DC_FILE_NAME];
    uint32_t id;
    uint64_t number;
    dc_pool *names;
    memset(longer, '7', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    longer[5] = 'x';
    DC_ASSERT_OK(dc_pool_new(&names));
    DC_ASSERT_OK(dc_file_name_add(&id, &number, names, longer));
    CU_ASSERT_EQUAL(number, 0);
    CU_ASSERT_EQUAL(strlen(dc_file_name(out, names, id, 0)), DC_FILE_NAME - 1);
    CU_ASSERT_EQUAL(strlen(dc_file_name(out, names, id, UINT64_MAX)), DC_FILE_NAME - 1);
    CU_ASSERT_STRING_EQUAL(dc_file_name(out, names, DC_NO_STR, 12345678901), "");
    dc_pool_free(names);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(the_time_stamp_is_a_number),      DC_TEST(the_last_long_run_of_digits_counts),
        DC_TEST(other_digits_stay_text),          DC_TEST(names_of_one_operator_share_their_text),
        DC_TEST(hostile_texts_end_in_the_buffer),
    };
    return dc_test_main("file_name", tests, DC_COUNT(tests));
}
