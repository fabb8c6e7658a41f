/* tests/test_base.c - the small modules everything stands on: status, mem, path, shape, dtype,
 * format. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/mem.h"
#include "io/numbers.h"
#include "io/path.h"
#include "io/shape.h"
#include "io/word.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void messages_keep_the_reason(void)
{
    CU_ASSERT_EQUAL(dc_fail(DC_EARG, "bad %d", 7), DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "bad 7");
    CU_ASSERT_EQUAL(dc_fail(DC_EIO, "outer: %s", dc_last_error()), DC_EIO);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "outer: bad 7");
}

static void sizes_that_overflow_are_refused(void)
{
    uint64_t v = 5;
    CU_ASSERT_FALSE(dc_mul_u64(&v, UINT64_MAX, 2));
    CU_ASSERT_FALSE(dc_add_u64(&v, UINT64_MAX, 1));
    CU_ASSERT_EQUAL(v, 5);
    void *items = NULL;
    size_t cap = 0;
    CU_ASSERT_EQUAL(dc_grow(&items, &cap, 1, SIZE_MAX / 4, 16), DC_ENOMEM);
    CU_ASSERT_PTR_NULL(items);
}

static int compare_with_five(const void *context, size_t i)
{
    const int *sorted = context;
    return sorted[i] - 5;
}

static void equal_items_are_found_as_a_range(void)
{
    static const int some[] = {1, 5, 5, 5, 9}, none[] = {1, 9}, all_after[] = {6, 7};
    size_t first = 99;
    CU_ASSERT_EQUAL(dc_equal_range(&first, 5, compare_with_five, some), 3);
    CU_ASSERT_EQUAL(first, 1);
    CU_ASSERT_EQUAL(dc_equal_range(&first, 2, compare_with_five, none), 0);
    CU_ASSERT_EQUAL(first, 1);
    CU_ASSERT_EQUAL(dc_equal_range(&first, 2, compare_with_five, all_after), 0);
    CU_ASSERT_EQUAL(first, 0);
    CU_ASSERT_EQUAL(dc_equal_range(&first, 0, compare_with_five, some), 0);
}

static void pool_gives_each_text_one_id(void)
{
    dc_pool *p;
    uint32_t id, first;
    DC_ASSERT_OK(dc_pool_new(&p));
    CU_ASSERT_EQUAL(dc_pool_find(p, ""), 0);
    DC_ASSERT_OK(dc_pool_adds(&first, p, "conv1/Conv2D"));
    char text[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "op%d", i);
        DC_ASSERT_OK(dc_pool_adds(&id, p, text));
        CU_ASSERT_EQUAL(id, (uint32_t)i + 2);
    }
    CU_ASSERT_EQUAL(dc_pool_find(p, "conv1/Conv2D"), first);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(p, first), "conv1/Conv2D");
    CU_ASSERT_EQUAL(dc_pool_find(p, "conv1/Conv2"), DC_NO_STR);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(p, DC_NO_STR), "");
    dc_pool_free(p);
}

static void paths_are_joined_and_normalised(void)
{
    char *p = dc_path_join("/a//b/", "/c/");
    CU_ASSERT_STRING_EQUAL(p, "/a/b/c");
    free(p);
    p = dc_path_normal("//");
    CU_ASSERT_STRING_EQUAL(p, "/");
    free(p);
    CU_ASSERT_STRING_EQUAL(dc_path_base("/x/y.z"), "y.z");
}

static void numbers_in_names_sort_by_value(void)
{
    CU_ASSERT(dc_path_compare("rank_2", "rank_10") < 0);
    CU_ASSERT(dc_path_compare("9", "10") < 0);
    CU_ASSERT(dc_path_compare("a01", "a1") != 0);
    CU_ASSERT(dc_path_compare("a", "a1") < 0);
    CU_ASSERT_EQUAL(dc_path_compare("x7y", "x7y"), 0);
}

static void shapes_count_and_print(void)
{
    dc_shape s = {2, {UINT64_MAX, 2}}, t;
    uint64_t n;
    char text[DC_SHAPE_TEXT];
    CU_ASSERT_FALSE(dc_shape_count(&n, &s));
    s = (dc_shape){3, {UINT64_MAX, UINT64_MAX, 0}};
    CU_ASSERT_TRUE(dc_shape_count(&n, &s));
    CU_ASSERT_EQUAL(n, 0);
    s = (dc_shape){3, {4, 0, 7}};
    dc_shape_print(text, &s);
    CU_ASSERT_STRING_EQUAL(text, "4x0x7");
    DC_ASSERT_OK(dc_shape_parse(&t, text));
    CU_ASSERT_TRUE(dc_shape_equal(&s, &t));
    dc_shape_print_list(text, &s);
    CU_ASSERT_STRING_EQUAL(text, "[4,0,7]");
    DC_ASSERT_OK(dc_shape_parse_list(&t, text));
    CU_ASSERT_TRUE(dc_shape_equal(&s, &t));
    DC_ASSERT_OK(dc_shape_parse_list(&t, "[]"));
    CU_ASSERT_EQUAL(t.rank, 0);
    static const char *const bad[] = {"", "[", "[4", "[4,", "[4,]", "4]", "[4x4]", "[4]x", "[,4]"};
    for (size_t i = 0; i < DC_COUNT(bad); i++)
        CU_ASSERT_EQUAL(dc_shape_parse_list(&t, bad[i]), DC_EFORMAT);
    DC_ASSERT_OK(dc_shape_parse(&t, ""));
    CU_ASSERT_EQUAL(t.rank, 0);
    CU_ASSERT_EQUAL(dc_shape_parse(&t, "4x"), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_shape_parse(&t, "x4"), DC_EFORMAT);
}

static void dtypes_translate_between_numberings(void)
{
    uint64_t bytes;
    CU_ASSERT_EQUAL(dc_dtype_by_ge(0), DC_FLOAT32);
    CU_ASSERT_EQUAL(dc_dtype_by_ge(1), DC_FLOAT16);
    CU_ASSERT_EQUAL(dc_dtype_by_name("DT_BF16"), DC_BFLOAT16);
    CU_ASSERT_EQUAL(dc_dtype_by_name("DT_FLOAT"), DC_FLOAT32);
    CU_ASSERT_EQUAL(dc_dtype_by_name("int4"), DC_INT4);
    CU_ASSERT_EQUAL(dc_dtype_by_name("nonsense"), -1);
    CU_ASSERT_TRUE(dc_dtype_bytes(&bytes, DC_INT4, 3) && bytes == 2);
    CU_ASSERT_TRUE(dc_dtype_bytes(&bytes, DC_UINT1, 9) && bytes == 2);
    CU_ASSERT_FALSE(dc_dtype_bytes(&bytes, DC_COMPLEX128, UINT64_MAX));
    CU_ASSERT_STRING_EQUAL(dc_dtype_get(99)->name, "unknown");
    CU_ASSERT_EQUAL(dc_format_by_name("FORMAT_NC1HWC0"), DC_FORMAT_NC1HWC0);
    CU_ASSERT_STRING_EQUAL(dc_format_name(29), "FRACTAL_NZ");
}

static void a_set_has_each_number_once_in_order(void)
{
    static const int64_t in[] = {7, 3, 3, -1, INT64_MAX, 0, 7};
    static const uint64_t want[] = {0, 3, 7, INT64_MAX};
    dc_numbers set = {0};
    for (size_t i = 0; i < DC_COUNT(in); i++)
        DC_ASSERT_OK(dc_numbers_add(&set, in[i]));
    CU_ASSERT_EQUAL_FATAL(set.n, DC_COUNT(want));
    CU_ASSERT_EQUAL(memcmp(set.item, want, sizeof want), 0);
    dc_numbers_fini(&set);
}

static void faults_strike_where_armed(void)
{
    dc_fault_arm("here:2");
    CU_ASSERT_FALSE(dc_fault("there"));
    CU_ASSERT_FALSE(dc_fault("here"));
    CU_ASSERT_TRUE(dc_fault("here"));
    CU_ASSERT_FALSE(dc_fault("here"));
    dc_fault_arm("here@5");
    CU_ASSERT_FALSE(dc_fault("here"));
    dc_fault_arm(NULL);
}

static void only_one_is_singular(void)
{
    static const uint64_t many[] = {0, 2, 3, 11, 21, UINT64_MAX, (uint64_t)1 << 32 | 1};
    CU_ASSERT_STRING_EQUAL(dc_word(1, "file", "files"), "file");
    for (size_t i = 0; i < DC_COUNT(many); i++)
        CU_ASSERT_STRING_EQUAL(dc_word(many[i], "file", "files"), "files");
}

static void a_copied_pool_has_the_same_ids(void)
{
    dc_pool *p = NULL, *copy = NULL;
    uint32_t id, a, b;
    DC_ASSERT_OK(dc_pool_new(&p));
    DC_ASSERT_OK(dc_pool_adds(&a, p, "one"));
    DC_ASSERT_OK(dc_pool_adds(&b, p, "two"));
    DC_ASSERT_OK(dc_pool_copy(&copy, p));
    CU_ASSERT_EQUAL(dc_pool_count(copy), 3);
    CU_ASSERT_EQUAL(dc_pool_find(copy, "one"), a);
    CU_ASSERT_EQUAL(dc_pool_find(copy, "two"), b);
    DC_ASSERT_OK(dc_pool_adds(&id, copy, "three"));
    CU_ASSERT_EQUAL(dc_pool_count(p), 3);
    dc_pool_free(copy);
    dc_pool_free(p);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(messages_keep_the_reason),
        DC_TEST(sizes_that_overflow_are_refused),
        DC_TEST(equal_items_are_found_as_a_range),
        DC_TEST(pool_gives_each_text_one_id),
        DC_TEST(paths_are_joined_and_normalised),
        DC_TEST(numbers_in_names_sort_by_value),
        DC_TEST(shapes_count_and_print),
        DC_TEST(dtypes_translate_between_numberings),
        DC_TEST(a_set_has_each_number_once_in_order),
        DC_TEST(faults_strike_where_armed),
        DC_TEST(only_one_is_singular),
        DC_TEST(a_copied_pool_has_the_same_ids),
    };
    return dc_test_main("base", tests, DC_COUNT(tests));
}
