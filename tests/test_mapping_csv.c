/* tests/test_mapping_csv.c - mapping.csv as CANN writes it, and as it may come. */
#include "io/mapping_csv.h"
#include "io/path.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_with(const char *text)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/mapping.csv", dc_test_dir());
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static dc_mapping *mapping_of(const char *text, size_t *skipped)
{
    dc_mapping *m = NULL;
    DC_ASSERT_OK(dc_mapping_open(&m, skipped, file_with(text)));
    return m;
}

static void check_name(const dc_mapping *m, const char *hash, const char *name)
{
    const char *have = dc_mapping_find(m, hash);
    CU_ASSERT_PTR_NOT_NULL(have);
    if (have)
        CU_ASSERT_STRING_EQUAL(have, name);
}

static void lines_repeat_for_every_chunk(void)
{
    size_t skipped;
    dc_mapping *m = mapping_of("11,Add.a.1.2.3\n12,Add.b.1.2.3\n11,Add.a.1.2.3\n", &skipped);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 2);
    CU_ASSERT_EQUAL(skipped, 0);
    check_name(m, "11", "Add.a.1.2.3");
    check_name(m, "12", "Add.b.1.2.3");
    CU_ASSERT_PTR_NULL(dc_mapping_find(m, "13"));
    CU_ASSERT_PTR_NULL(dc_mapping_find(m, ""));
    CU_ASSERT_PTR_NULL(dc_mapping_find(m, "Add.b.1.2.3")); /* a name, not a hash */
    dc_mapping_free(m);
}

static void names_keep_their_commas(void)
{
    dc_mapping *m = mapping_of("11,Add.a,b,c.1.2.3\n", NULL);
    check_name(m, "11", "Add.a,b,c.1.2.3");
    dc_mapping_free(m);
}

static void line_ends_may_be_windows_or_missing(void)
{
    dc_mapping *m = mapping_of("11,Add.a\r\n\r\n\n12,Add.b", NULL);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 2);
    check_name(m, "11", "Add.a");
    check_name(m, "12", "Add.b");
    dc_mapping_free(m);
}

static void lines_that_are_no_rows_are_counted(void)
{
    size_t skipped;
    dc_mapping *m = mapping_of("no comma\n,Add.a\n12,\n11,Add.a\n", &skipped);
    CU_ASSERT_EQUAL(skipped, 3);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 1);
    dc_mapping_free(m);
    m = mapping_of("", &skipped);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 0);
    CU_ASSERT_PTR_NULL(dc_mapping_find(m, "11"));
    dc_mapping_free(m);
}

static void the_last_of_different_lines_counts(void)
{
    dc_mapping *m = mapping_of("11,Add.a\n11,Add.b\n", NULL);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 1);
    check_name(m, "11", "Add.b");
    dc_mapping_free(m);
}

static void endless_lines_are_skipped_whole(void)
{
    enum { LENGTH = 200000 };
    static char text[LENGTH + 64];
    size_t skipped;
    int n = snprintf(text, sizeof text, "10,%0*d\n11,Add.a\n", LENGTH, 1);
    CU_ASSERT_EQUAL(n, 3 + LENGTH + 10);
    dc_mapping *m = mapping_of(text, &skipped);
    CU_ASSERT_EQUAL(skipped, 1);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 1);
    check_name(m, "11", "Add.a");
    dc_mapping_free(m);
}

static void many_rows_are_found(void)
{
    char path[4096], hash[32], name[64];
    snprintf(path, sizeof path, "%s/mapping.csv", dc_test_dir());
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (int i = 0; i < 5000; i++)
        fprintf(file, "%d,%d\n", i, i + 1); /* every name is a hash too */
    fclose(file);
    dc_mapping *m;
    DC_ASSERT_OK(dc_mapping_open(&m, NULL, path));
    CU_ASSERT_EQUAL(dc_mapping_count(m), 5000);
    for (int i = 0; i < 5000; i += 7) {
        snprintf(hash, sizeof hash, "%d", i);
        snprintf(name, sizeof name, "%d", i + 1);
        check_name(m, hash, name);
    }
    CU_ASSERT_PTR_NULL(dc_mapping_find(m, "5000"));
    dc_mapping_free(m);
}

static void a_missing_file_is_said_to_be_missing(void)
{
    char path[4096];
    dc_mapping *m = NULL;
    snprintf(path, sizeof path, "%s/mapping.csv", dc_test_dir());
    CU_ASSERT_EQUAL(dc_mapping_open(&m, NULL, path), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), path));
    dc_mapping_free(m);
}

static void rows_are_appended_once(void)
{
    char path[4096], *text;
    size_t n;
    const char *dir = dc_test_dir();
    DC_ASSERT_OK(dc_mapping_append(dir, "11", "Add.a"));
    DC_ASSERT_OK(dc_mapping_append(dir, "11", "Add.a"));
    DC_ASSERT_OK(dc_mapping_append(dir, "12", "Add.b"));
    snprintf(path, sizeof path, "%s/mapping.csv", dir);
    DC_ASSERT_OK(dc_read_file(&text, &n, path, 1000));
    CU_ASSERT_STRING_EQUAL(text, "11,Add.a\n12,Add.b\n");
    free(text);
    snprintf(path, sizeof path, "%s/none", dir);
    CU_ASSERT_EQUAL(dc_mapping_append(path, "11", "Add.a"), DC_ENOENT);
}

static void the_example_is_read(void)
{
    char path[4096];
    size_t skipped;
    dc_mapping *m;
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/mapping_csv/example_mapping.csv", dc_test_samples());
    DC_ASSERT_OK(dc_mapping_open(&m, &skipped, path));
    CU_ASSERT_EQUAL(skipped, 0);
    CU_ASSERT_EQUAL(dc_mapping_count(m), 2);
    CU_ASSERT_PTR_NOT_NULL(dc_mapping_find(m, "4409842342171946322"));
    dc_mapping_free(m);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(lines_repeat_for_every_chunk),
        DC_TEST(names_keep_their_commas),
        DC_TEST(line_ends_may_be_windows_or_missing),
        DC_TEST(lines_that_are_no_rows_are_counted),
        DC_TEST(the_last_of_different_lines_counts),
        DC_TEST(endless_lines_are_skipped_whole),
        DC_TEST(many_rows_are_found),
        DC_TEST(a_missing_file_is_said_to_be_missing),
        DC_TEST(rows_are_appended_once),
        DC_TEST(the_example_is_read),
    };
    return dc_test_main("mapping_csv", tests, DC_COUNT(tests));
}
