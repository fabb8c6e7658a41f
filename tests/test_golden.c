/* tests/test_golden.c - names of golden files, the directory of a rank and step, step maps. */
#include "io/golden.h"
#include "io/golden_path.h"
#include "io/path.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void touch(const char *dir, const char *name, const char *text)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
}

static const char *text(const dc_golden_dir *d, uint32_t id)
{
    return dc_pool_text(d->pool, id);
}

static void scan(dc_golden_dir *d, const char *path)
{
    dc_pool *names;
    DC_ASSERT_OK(dc_pool_new(&names));
    DC_ASSERT_OK(dc_golden_scan(d, path, names));
}

static void forget(dc_golden_dir *d)
{
    dc_pool_free(d->pool);
    dc_golden_fini(d);
}

static void expect_name(const dc_golden_dir *d, const dc_golden_file *f, const char *want)
{
    char name[DC_FILE_NAME];
    CU_ASSERT_STRING_EQUAL(dc_golden_file_name(name, d, f), want);
}

/* The one file of (clean, output), or NULL. */
static const dc_golden_file *only(const dc_golden_dir *d, const char *clean, uint32_t output)
{
    size_t first;
    return dc_golden_find(&first, d, clean, output) == 1 ? &d->file[first] : NULL;
}

static void names_are_read_from_the_right(void)
{
    static const struct {
        const char *file, *clean;
        uint32_t output;
        uint64_t time;
        const char *name;
    } want[] = {
        {"conv1_Relu.0.1733000000300000.npy", "conv1_Relu", 0, 1733000000300000, "conv1_Relu"},
        {"w.0.1.1733000000300000.npy", "w_0", 1, 1733000000300000, "w.0"},
        {"a.b_c.12.7.npy", "a_b_c", 12, 7, "a.b_c"},
        {"plain.3.npy", "plain", 3, 0, "plain"},
        {"bare.npy", "bare", 0, 0, "bare"},
        {"late.1733000000300000.npy", "late", 0, 1733000000300000, "late"},
        {"nine.123456789.npy", "nine", 123456789, 0, "nine"},
        {"ten.1234567890.npy", "ten", 0, 1234567890, "ten"},
        {"x y:z>.0.1.npy", "x_y_z_", 0, 1, "x y:z>"},
        {"0.1.npy", "0", 1, 0, "0"},
        {"colon:2.npy", "colon", 2, 0, "colon"},
        {"stamped:3.1733000000300000.npy", "stamped", 3, 1733000000300000, "stamped"},
        {"kept:1.0.7.npy", "kept_1", 0, 7, "kept:1"},
        {"huge.0.99999999999999999999999.npy", "huge", 0, UINT64_MAX, "huge"},
    };
    const char *dir = dc_test_dir();
    for (size_t i = 0; i < DC_COUNT(want); i++)
        touch(dir, want[i].file, "");
    dc_golden_dir d;
    scan(&d, dir);
    CU_ASSERT_EQUAL(d.n, DC_COUNT(want));
    CU_ASSERT_EQUAL(d.nignored, 0);
    for (size_t i = 0; i < DC_COUNT(want); i++) {
        const dc_golden_file *f = only(&d, want[i].clean, want[i].output);
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        expect_name(&d, f, want[i].file);
        CU_ASSERT_STRING_EQUAL(text(&d, f->name), want[i].name);
        CU_ASSERT_EQUAL(f->time, want[i].time);
    }
    forget(&d);
}

static void other_files_are_listed_with_the_reason(void)
{
    const char *dir = dc_test_dir();
    char sub[2048];
    snprintf(sub, sizeof sub, "%s/sub", dir);
    DC_ASSERT_OK(dc_mkdirs(sub));
    snprintf(sub, sizeof sub, "%s/zlink.0.1.npy", dir);
    CU_ASSERT_EQUAL(symlink("/nowhere/at/all", sub), 0);
    touch(dir, "a.0.1.pb", "");
    touch(dir, ".hidden.0.1.npy", "");
    touch(dir, "b.4294967295.1.npy", "");
    touch(dir, ".npy", "");
    dc_golden_dir d;
    scan(&d, dir);
    CU_ASSERT_EQUAL(d.n, 0);
    CU_ASSERT_EQUAL_FATAL(d.nignored, 6);
    const char *reasons[6] = {"a hidden file",   "a hidden file",
                              "not a .npy file", "its output index is too large",
                              "a directory",     "a link to nothing"};
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT_STRING_EQUAL(text(&d, d.ignored[i].reason), reasons[i]);
    forget(&d);
}

static void collisions_are_kept_apart_by_name_and_time(void)
{
    const char *dir = dc_test_dir();
    touch(dir, "a_b_c.0.20.npy", "");
    touch(dir, "a_b_c.0.3.npy", "");
    touch(dir, "a.b_c.0.9.npy", "");
    touch(dir, "a_b_c.1.1.npy", "");
    dc_golden_dir d;
    size_t first;
    scan(&d, dir);
    CU_ASSERT_EQUAL_FATAL(dc_golden_find(&first, &d, "a_b_c", 0), 3);
    expect_name(&d, &d.file[first], "a.b_c.0.9.npy");
    expect_name(&d, &d.file[first + 1], "a_b_c.0.3.npy");
    expect_name(&d, &d.file[first + 2], "a_b_c.0.20.npy");
    CU_ASSERT_EQUAL(dc_golden_find(&first, &d, "a_b", 0), 0);
    CU_ASSERT_EQUAL(dc_golden_find(&first, &d, "zzz", 0), 0);
    forget(&d);
}

/* A million time stamps are no million texts. */
static void files_that_differ_in_time_share_a_text(void)
{
    const char *dir = dc_test_dir();
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "a.0.%d.npy", 1733000000 + i);
        touch(dir, name, "");
    }
    dc_golden_dir d;
    scan(&d, dir);
    CU_ASSERT_EQUAL(d.n, 100);
    CU_ASSERT_EQUAL(dc_pool_count(d.pool), 3); /* "", "a" and "a.0./.npy" */
    forget(&d);
    touch(dir, "a.00.1733000000.npy", "");
    touch(dir, "a:0.1733000000.npy", "");
    scan(&d, dir);
    CU_ASSERT_EQUAL_FATAL(d.n, 102);
    expect_name(&d, &d.file[0], "a.0.1733000000.npy");
    expect_name(&d, &d.file[1], "a.00.1733000000.npy");
    expect_name(&d, &d.file[2], "a:0.1733000000.npy");
    expect_name(&d, &d.file[101], "a.0.1733000099.npy");
    forget(&d);
}

static void likeness_prefers_the_exact_name(void)
{
    CU_ASSERT_EQUAL(dc_golden_likeness("a_b", "a_b"), 0);
    CU_ASSERT_EQUAL(dc_golden_likeness("a_b.c", "a/b.c"), 1);
    CU_ASSERT_EQUAL(dc_golden_likeness("a_b_c", "a/b.c"), 2);
    CU_ASSERT_EQUAL(dc_golden_likeness("a.b", "a:b"), 1);
    CU_ASSERT_EQUAL(dc_golden_likeness("a_b", "a/bc"), 3);
    CU_ASSERT_EQUAL(dc_golden_likeness("a_b", "a/"), 3);
    CU_ASSERT_EQUAL(dc_golden_likeness("", ""), 0);
}

static void long_names_come_from_mapping_csv(void)
{
    const char *dir = dc_test_dir();
    touch(dir, "123", "");
    touch(dir, "124.npy", "");
    touch(dir, "125", "");
    touch(dir, "126", "");
    touch(dir, "mapping.csv",
          "123,long/name.0.5.npy\n123,long/name.0.5.npy\n124.npy,other.1.6.npy\n126,x.0.5.pb\n"
          "1234567890123456789,long/hash.0.1733000000.npy\n");
    touch(dir, "1234567890123456789", "");
    dc_golden_dir d;
    scan(&d, dir);
    CU_ASSERT_EQUAL(d.n, 3);
    const dc_golden_file *f = only(&d, "long_name", 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    expect_name(&d, f, "123");
    f = only(&d, "long_hash", 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    expect_name(&d, f, "1234567890123456789");
    CU_ASSERT_PTR_NOT_NULL(only(&d, "other", 1));
    CU_ASSERT_EQUAL_FATAL(d.nignored, 2);
    CU_ASSERT_STRING_EQUAL(text(&d, d.ignored[0].reason), "its real name is not in mapping.csv");
    CU_ASSERT_STRING_EQUAL(text(&d, d.ignored[1].reason), "not a .npy file");
    forget(&d);
}

static void sample_directories_are_read(void)
{
    char path[2048];
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/golden/converted_tf", dc_test_samples());
    dc_golden_dir d;
    size_t first;
    scan(&d, path);
    CU_ASSERT_EQUAL(d.n, 13);
    CU_ASSERT_EQUAL(dc_golden_find(&first, &d, "while_NextIteration", 0), 3);
    CU_ASSERT_EQUAL(dc_golden_find(&first, &d, "a_b_c", 0), 3);
    CU_ASSERT_EQUAL(d.nignored, 0);
    dc_npy npy;
    char name[DC_FILE_NAME];
    snprintf(path, sizeof path, "%s/%s", d.path, dc_golden_file_name(name, &d, &d.file[first]));
    DC_ASSERT_OK(dc_golden_describe(&npy, d.file[first].kind, path));
    forget(&d);
}

static void a_missing_directory_is_named(void)
{
    dc_golden_dir d;
    CU_ASSERT_EQUAL(dc_golden_scan(&d, "/no/such/place", NULL), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "/no/such/place"));
    CU_ASSERT_PTR_NULL(d.pool);
}

static void templates_are_filled_in(void)
{
    char *path;
    DC_ASSERT_OK(dc_golden_path(&path, "tf/rank_{rank}/s{step}.{device}", 12, 4, 30));
    CU_ASSERT_STRING_EQUAL(path, "tf/rank_12/s30.4");
    free(path);
    DC_ASSERT_OK(dc_golden_path(&path, "plain{{x", 0, 0, -1));
    CU_ASSERT_STRING_EQUAL(path, "plain{x");
    free(path);
    CU_ASSERT_EQUAL(dc_golden_path(&path, "a/{host}", 0, 0, 0), DC_EARG);
    CU_ASSERT_EQUAL(dc_golden_path(&path, "a/{step}", 0, 0, -1), DC_EARG);
    CU_ASSERT_EQUAL(dc_golden_path(&path, "a/{rank", 0, 0, 0), DC_EARG);
    CU_ASSERT_PTR_NULL(path);
    dc_golden_uses u = dc_golden_path_uses("{{rank}/{step}");
    CU_ASSERT_TRUE(u.step && !u.rank && !u.device);
}

static void step_maps_are_offsets_or_lists(void)
{
    dc_step_map m;
    int64_t step = 0;
    DC_ASSERT_OK(dc_step_map_parse(&m, "+1"));
    CU_ASSERT_TRUE(dc_step_map_get(&step, &m, 4) && step == 5);
    CU_ASSERT_TRUE(dc_step_map_get(&step, &m, -1) && step == -1);
    DC_ASSERT_OK(dc_step_map_parse(&m, "-1"));
    CU_ASSERT_FALSE(dc_step_map_get(&step, &m, 0));
    DC_ASSERT_OK(dc_step_map_parse(&m, "20=1,10=0"));
    CU_ASSERT_TRUE(dc_step_map_get(&step, &m, 20) && step == 1);
    CU_ASSERT_FALSE(dc_step_map_get(&step, &m, 11));
    dc_step_map_fini(&m);
    static const char *const bad[] = {
        "x",      "1=", "=1", "1=2,", "1=2,1=3", "1=2 3", "-1=3", "1= 2", "99999999999999999999",
        "1=2;3=4"};
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        CU_ASSERT_EQUAL(dc_step_map_parse(&m, bad[i]), DC_EARG);
        CU_ASSERT_PTR_NULL(m.pair);
    }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(names_are_read_from_the_right),
        DC_TEST(other_files_are_listed_with_the_reason),
        DC_TEST(collisions_are_kept_apart_by_name_and_time),
        DC_TEST(files_that_differ_in_time_share_a_text),
        DC_TEST(likeness_prefers_the_exact_name),
        DC_TEST(long_names_come_from_mapping_csv),
        DC_TEST(sample_directories_are_read),
        DC_TEST(a_missing_directory_is_named),
        DC_TEST(templates_are_filled_in),
        DC_TEST(step_maps_are_offsets_or_lists),
    };
    return dc_test_main("golden", tests, DC_COUNT(tests));
}
