/* tests/test_out_file.c - files and archives that appear whole or not at all. */
#include "io/out_file.h"
#include "io/path.h"
#include "io/zip_out.h"
#include "tests/harness.h"

#include <dirent.h>
#include <minizip/unzip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int entries(const char *dir)
{
    int n = -2; /* . and .. */
    DIR *d = opendir(dir);
    CU_ASSERT_PTR_NOT_NULL(d);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static void a_file_appears_when_it_is_whole(void)
{
    const char *dir = dc_test_dir();
    char *path = dc_path_join(dir, "a"), *text;
    size_t n;
    dc_out_file f;
    DC_ASSERT_OK(dc_out_begin(&f, path));
    DC_ASSERT_OK(dc_out_put(&f, "one ", 4));
    CU_ASSERT_FALSE(dc_path_is_file(path));
    DC_ASSERT_OK(dc_out_put(&f, "two", 3));
    DC_ASSERT_OK(dc_out_commit(&f));
    DC_ASSERT_OK(dc_read_file(&text, &n, path, 100));
    CU_ASSERT_STRING_EQUAL(text, "one two");
    CU_ASSERT_EQUAL(entries(dir), 1);
    free(text);
    free(path);
}

static void an_abandoned_file_leaves_nothing(void)
{
    const char *dir = dc_test_dir();
    char *path = dc_path_join(dir, "a");
    dc_out_file f;
    dc_zip_out z;
    DC_ASSERT_OK(dc_out_begin(&f, path));
    dc_out_abandon(&f);
    DC_ASSERT_OK(dc_zip_begin(&z, path));
    DC_ASSERT_OK(dc_zip_member(&z, "m"));
    dc_zip_abandon(&z);
    CU_ASSERT_EQUAL(entries(dir), 0);
    CU_ASSERT_EQUAL(dc_out_begin(&f, "/nowhere/at/all"), DC_ENOENT);
    free(path);
}

static void archives_hold_stored_members(void)
{
    char *path = dc_path_join(dc_test_dir(), "a.npz"), name[32], text[32];
    dc_zip_out z;
    unz_file_info info;
    DC_ASSERT_OK(dc_zip_begin(&z, path));
    DC_ASSERT_OK(dc_zip_member(&z, "input.0.npy"));
    DC_ASSERT_OK(dc_zip_put(&z, "abc", 3));
    DC_ASSERT_OK(dc_zip_put(&z, "def", 3));
    DC_ASSERT_OK(dc_zip_member(&z, "empty"));
    DC_ASSERT_OK(dc_zip_commit(&z));
    unzFile u = unzOpen(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    CU_ASSERT_EQUAL(unzGetCurrentFileInfo(u, &info, name, sizeof name, NULL, 0, NULL, 0), 0);
    CU_ASSERT_STRING_EQUAL(name, "input.0.npy");
    CU_ASSERT_EQUAL(info.compression_method, 0);
    CU_ASSERT_EQUAL(unzOpenCurrentFile(u), 0);
    CU_ASSERT_EQUAL(unzReadCurrentFile(u, text, sizeof text), 6);
    CU_ASSERT_EQUAL(memcmp(text, "abcdef", 6), 0);
    CU_ASSERT_EQUAL(unzCloseCurrentFile(u), 0); /* checks the CRC */
    CU_ASSERT_EQUAL(unzGoToNextFile(u), 0);
    CU_ASSERT_EQUAL(unzGoToNextFile(u), UNZ_END_OF_LIST_OF_FILE);
    unzClose(u);
    free(path);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(a_file_appears_when_it_is_whole),
                                    DC_TEST(an_abandoned_file_leaves_nothing),
                                    DC_TEST(archives_hold_stored_members)};
    return dc_test_main("out_file", tests, DC_COUNT(tests));
}
