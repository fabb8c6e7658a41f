/* tests/test_graph_find.c - the right graph file of a model is found among thousands. */
#include "io/graph_find.h"
#include "io/path.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A fresh directory holding the files given to `put`. */
static char *fresh(void)
{
    static int n;
    char name[32];
    snprintf(name, sizeof name, "case%d", n++);
    char *dir = dc_path_join(dc_test_dir(), name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    DC_ASSERT_OK(dc_mkdirs(dir));
    return dir;
}

/* Write dir/name, a graph called `graph` with `ops` operators op0, op1, ... and some text. */
static void put(const char *dir, const char *name, const char *graph, int ops, const char *extra)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    *strrchr(path, '/') = '\0';
    DC_ASSERT_OK(dc_mkdirs(path));
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "graph {\n  name: \"%s\"\n", graph);
    for (int i = 0; i < ops; i++)
        fprintf(f, "  op {\n    name: \"op%d\"\n    type: \"Add\"\n  }\n", i);
    fprintf(f, "%s}\n", extra);
    fclose(f);
}

#define ITERATOR "op { name: \"IteratorV2\" }"

/* Base name of the choice; "" if there is none. how and the sentence are checked. */
static void chosen(const char *dir, const dc_gwant *want, dc_gmatch how, const char *path,
                   const char *why)
{
    dc_gfiles files;
    dc_gchoice c;
    DC_ASSERT_OK(dc_graph_find_files(&files, dir));
    DC_ASSERT_OK(dc_graph_find_choose(&c, &files, want));
    CU_ASSERT_EQUAL(c.how, how);
    const char *got = files.file[c.file].path;
    if (!strstr(got, path) || !strstr(c.why, why))
        fprintf(stderr, "chose %s\nbecause %s\nnot %s ... %s\n", got, c.why, path, why);
    CU_ASSERT_PTR_NOT_NULL(strstr(got, path));
    CU_ASSERT_PTR_NOT_NULL(strstr(c.why, why));
    free(c.why);
    dc_graph_find_free(&files);
}

static void iterator_and_name_win(void)
{
    char *dir = fresh();
    dc_gwant want = {.model = "ge_default_20240613143502_1", .device = -1};
    put(dir, "ge_proto_00290_Build.txt", "ge_default_20240613143502_1", 9, "");
    put(dir, "ge_proto_00291_Build.txt", "ge_default_20240613143502_11", 9, ITERATOR);
    put(dir, "ge_proto_00292_Build.txt", "ge_default_20240613143502_1", 3, ITERATOR);
    put(dir, "ge_proto_00293_PreRunBegin.txt", "ge_default_20240613143502_1", 9, ITERATOR);
    put(dir, "ge_onnx_00294_graph_1_Build.pbtxt", "ge_default_20240613143502_1", 9, ITERATOR);
    chosen(dir, &want, DC_GMATCH_ITERATOR, "00292_Build", "holds Iterator");
    free(dir);
}

static void names_are_compared_sanitised(void)
{
    char *dir = fresh();
    dc_gwant want = {.model = "my_model_v1_2", .device = -1};
    put(dir, "ge_proto_1_Build.txt", "other", 9, ITERATOR);
    put(dir, "ge_proto_2_Build.txt", "my model.v1/2", 3, "");
    chosen(dir, &want, DC_GMATCH_NAME, "proto_2_", "no file with that name holds Iterator");
    free(dir);
}

static void the_time_in_a_name_may_differ(void)
{
    char *dir = fresh();
    dc_gwant want = {.model = "ge_default_20240613143509_1", .device = -1};
    put(dir, "ge_proto_1_Build.txt", "ge_default_20240613143502_1", 3, ITERATOR);
    put(dir, "ge_proto_2_Build.txt", "ge_default_20240613143502_11", 9, ITERATOR);
    put(dir, "ge_proto_3_Build.txt", "ge_default_2024061314350_1", 9, ITERATOR);
    put(dir, "ge_proto_4_Build.txt", "ge_default_20240613143501_1", 9, "");
    put(dir, "ge_proto_5_Build.txt", "ge_default_2024061314350x_1", 9, ITERATOR);
    chosen(dir, &want, DC_GMATCH_TIME, "proto_1_", "but for the time");
    free(dir);
}

static void dumped_operators_decide_then_size(void)
{
    char *dir = fresh();
    const char *ops[] = {"op4", "op5", "a_b"};
    dc_gwant want = {.model = "nobody", .device = -1, .ops = ops, .nops = 3};
    put(dir, "ge_proto_1_Build.txt", "x", 50, "");
    put(dir, "ge_proto_2_Build.txt", "y", 6, "op { name: \"a/b\" }");
    put(dir, "ge_proto_3_Build.txt", "z", 60, "op { name: broken");
    chosen(dir, &want, DC_GMATCH_DUMPED, "proto_2_", "3 of the 3 dumped operators");
    chosen(dir, &want, DC_GMATCH_DUMPED, "proto_2_", "1 file could not be read");
    dc_gfiles files;
    dc_gchoice c;
    want.names_only = true;
    DC_ASSERT_OK(dc_graph_find_files(&files, dir));
    CU_ASSERT_EQUAL(dc_graph_find_choose(&c, &files, &want), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "no graph is named nobody"));
    dc_graph_find_free(&files);
    want.names_only = false;
    want.nops = 0;
    chosen(dir, &want, DC_GMATCH_OPERATORS, "proto_1_", "a guess");
    ops[0] = ops[1] = ops[2] = "unheard of";
    want.nops = 3;
    chosen(dir, &want, DC_GMATCH_OPERATORS, "proto_1_", "none holds a dumped operator");
    free(dir);
}

static void a_ranks_own_graph_is_preferred(void)
{
    char *dir = fresh();
    dc_gwant want = {.model = "m", .device = 3};
    put(dir, "pid_100_deviceid_0/ge_proto_00000010_graph_1_Build.txt", "m", 3, ITERATOR);
    put(dir, "pid_103_deviceid_3/ge_proto_00000002_graph_1_Build.txt", "m", 3, ITERATOR);
    put(dir, "pid_103_deviceid_3/ge_proto_00000007_graph_1_Build.txt", "m", 3, "");
    chosen(dir, &want, DC_GMATCH_ITERATOR, "deviceid_3/ge_proto_00000002", "of its device");
    want.device = -1;
    chosen(dir, &want, DC_GMATCH_ITERATOR, "deviceid_0/ge_proto_00000010", "highest number");
    want.device = 5;
    chosen(dir, &want, DC_GMATCH_ITERATOR, "deviceid_0/", "it is of device 0, none of device 5");
    dc_gfiles files;
    DC_ASSERT_OK(dc_graph_find_files(&files, dir));
    CU_ASSERT_EQUAL_FATAL(files.n, 3);
    CU_ASSERT_EQUAL(files.file[0].pid, 100);
    CU_ASSERT_EQUAL(files.file[1].device, 3);
    CU_ASSERT_EQUAL(files.file[1].number, 2); /* 2 sorts before 7 and 10 by value */
    dc_graph_find_free(&files);
    free(dir);
}

static void one_file_given_is_taken(void)
{
    char *dir = fresh(), path[4096];
    dc_gwant want = {.model = "whatever", .device = 1};
    put(dir, "model.json", "x", 1, "");
    snprintf(path, sizeof path, "%s/model.json", dir);
    chosen(path, &want, DC_GMATCH_GIVEN, "model.json", "the file given");
    free(dir);
}

static void a_thousand_files_are_scanned_by_their_heads(void)
{
    char *dir = fresh(), name[64], graph[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "ge_proto_%05d_%s.txt", i, i % 2 ? "Build" : "PreRunBegin");
        snprintf(graph, sizeof graph, "ge_default_20240613143502_%d", i);
        put(dir, name, graph, 2, i % 3 ? "" : ITERATOR);
    }
    dc_gfiles files;
    dc_gchoice c;
    dc_gwant want = {.model = "ge_default_20240613143502_501", .device = -1};
    DC_ASSERT_OK(dc_graph_find_files(&files, dir));
    CU_ASSERT_EQUAL(files.n, 500);
    DC_ASSERT_OK(dc_graph_find_choose(&c, &files, &want));
    CU_ASSERT_EQUAL(files.file[c.file].number, 501);
    CU_ASSERT_EQUAL(c.how, DC_GMATCH_ITERATOR);
    for (size_t i = 0, looked = 0; i < files.n; i++) {
        looked += files.file[i].iterator >= 0;
        CU_ASSERT(looked <= 1); /* only the file in question is read whole */
    }
    free(c.why);
    dc_graph_find_free(&files);
    free(dir);
}

static void strange_directories_do_no_harm(void)
{
    char *dir = fresh(), path[4096], deep[512];
    dc_gfiles files;
    CU_ASSERT_EQUAL(dc_graph_find_files(&files, dir), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "no *_Build.txt"));
    CU_ASSERT_EQUAL(dc_graph_find_files(&files, "/no/such/dir"), DC_ENOENT);
    snprintf(path, sizeof path, "%s/loop", dir);
    CU_ASSERT_EQUAL(symlink(dir, path), 0);
    snprintf(path, sizeof path, "%s/dangling_Build.txt", dir);
    CU_ASSERT_EQUAL(symlink("/no/such/target", path), 0);
    snprintf(deep, sizeof deep, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/ge_proto_1_Build.txt");
    put(dir, deep, "too deep", 1, "");
    snprintf(path, sizeof path, "%s/directory_Build.txt", dir);
    DC_ASSERT_OK(dc_mkdirs(path));
    put(dir, "empty_name_Build.txt", "", 1, "");
    snprintf(path, sizeof path, "%s/binary_Build.txt", dir);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fwrite("\0\1\2{{{{\"", 1, 8, f);
    fclose(f);
    DC_ASSERT_OK(dc_graph_find_files(&files, dir));
    CU_ASSERT_EQUAL(files.n, 2);
    dc_graph_find_free(&files);
    free(dir);
}

static void text_is_found_across_blocks(void)
{
    char *dir = fresh(), path[4096];
    snprintf(path, sizeof path, "%s/t", dir);
    for (size_t at = (1u << 20) - 9; at <= (1u << 20) + 1; at++) {
        bool holds;
        FILE *f = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fprintf(f, "%*s", (int)at, "Iterator");
        fclose(f);
        DC_ASSERT_OK(dc_graph_find_text(&holds, path, "Iterator"));
        CU_ASSERT_TRUE(holds);
        DC_ASSERT_OK(dc_graph_find_text(&holds, path, "iterator"));
        CU_ASSERT_FALSE(holds);
    }
    free(dir);
}

static void samples_are_told_apart(void)
{
    char path[4096];
    dc_gwant want = {.model = "ge_default_20200909152235_1", .device = -1};
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/build_graphs", dc_test_samples());
    chosen(path, &want, DC_GMATCH_NAME, "ge_proto_00056_Build.txt",
           "name of the model's directory");
    want.model = "ge_default_20230713074199_1"; /* another rank, another second */
    chosen(path, &want, DC_GMATCH_TIME, "_Build.txt", "but for the time");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(iterator_and_name_win),
        DC_TEST(names_are_compared_sanitised),
        DC_TEST(the_time_in_a_name_may_differ),
        DC_TEST(dumped_operators_decide_then_size),
        DC_TEST(a_ranks_own_graph_is_preferred),
        DC_TEST(one_file_given_is_taken),
        DC_TEST(a_thousand_files_are_scanned_by_their_heads),
        DC_TEST(strange_directories_do_no_harm),
        DC_TEST(text_is_found_across_blocks),
        DC_TEST(samples_are_told_apart),
    };
    return dc_test_main("graph_find", tests, DC_COUNT(tests));
}
