/* tests/test_hashed_name.c - hashed names and the paths they were made of. */
#include "io/hashed_name.h"
#include "io/std_hash.h"
#include "tests/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIR "/now/tree/20240613143502/0/ge_1/1/0"

/* Does the hash of `dumped` fit `name` in DIR, dumped below `path`? */
static bool fits(const char *dumped, const char *path, const char *name)
{
    bool yes = false;
    char hash[24];
    snprintf(hash, sizeof hash, "%" PRIu64, dc_std_hash(dumped, strlen(dumped)));
    DC_ASSERT_OK(dc_hashed_fits(&yes, hash, path, DIR, name));
    return yes;
}

static void path_below_the_original_one_fits(void)
{
    CU_ASSERT(fits("/old/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/old", "Add.x.1.1.9"));
    CU_ASSERT(fits("/old/Add.x.1.1.9", "/old/", "Add.x.1.1.9"));
    CU_ASSERT(fits("/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/", "Add.x.1.1.9"));
}

static void doubled_slashes_fit(void)
{
    CU_ASSERT(fits("/old/20240613143502/0//ge_1/1/0/Add.x.1.1.9", "/old", "Add.x.1.1.9"));
    CU_ASSERT(fits("/old//20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/old", "Add.x.1.1.9"));
    CU_ASSERT(fits("/old//20240613143502/0//ge_1/1/0/Add.x.1.1.9", "/old/", "Add.x.1.1.9"));
    CU_ASSERT(fits("/a//old/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/a//old", "Add.x.1.1.9"));
    CU_ASSERT_FALSE(fits("/a//old/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/a/old", "Add.x.1.1.9"));
}

static void other_path_device_or_name_does_not_fit(void)
{
    CU_ASSERT_FALSE(fits("/old/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/new", "Add.x.1.1.9"));
    CU_ASSERT_FALSE(fits("/old/20240613143502/1/ge_1/1/0/Add.x.1.1.9", "/old", "Add.x.1.1.9"));
    CU_ASSERT_FALSE(fits("/old/20240613143502/0/ge_1/1/0/Add.x.1.1.9", "/old", "Add.y.1.1.9"));
}

static void only_an_exception_is_hashed_by_name_alone(void)
{
    const char *exception = "Add.x.1.20240613143502123";
    CU_ASSERT(fits(exception, "/old", exception));
    CU_ASSERT_FALSE(fits("Add.x.1.1.9", "/old", "Add.x.1.1.9"));
}

static void random_digits_are_no_hash(void)
{
    CU_ASSERT(dc_hashed_is("18446744073709551615"));
    CU_ASSERT_FALSE(dc_hashed_is("12345678901234567890123456789012"));
    CU_ASSERT_FALSE(dc_hashed_is("123.csv"));
    CU_ASSERT_FALSE(dc_hashed_is(""));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(path_below_the_original_one_fits),
        DC_TEST(doubled_slashes_fit),
        DC_TEST(other_path_device_or_name_does_not_fit),
        DC_TEST(only_an_exception_is_hashed_by_name_alone),
        DC_TEST(random_digits_are_no_hash),
    };
    return dc_test_main("hashed_name", tests, DC_COUNT(tests));
}
