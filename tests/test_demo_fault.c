/* tests/test_demo_fault.c - the demo's faults: named, and visible first where they were planted. */
#include "io/dump_read.h"
#include "io/path.h"
#include "tests/demo_tree.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH DC_DEMO_PATH

typedef struct twin { /* two trees, and what a walk of the first found */
    const char *a, *b;
    size_t different;
    uint64_t first; /* dump time of the first difference */
    char path[2 * PATH], other[2 * PATH];
} twin;

/* Keep the first of the files that differ, in order of step and task. */
static void first_difference(void *context, const char *path)
{
    twin *t = context;
    char other[2 * PATH];
    dc_dump d;
    snprintf(other, sizeof other, "%s%s", t->b, path + strlen(t->a));
    if (!strcmp(dc_path_base(path), "mapping.csv") || dc_demo_same_file(path, other))
        return;
    DC_ASSERT_OK(dc_dump_open(&d, path));
    if (!t->different++ || d.dump_time < t->first) {
        t->first = d.dump_time;
        memcpy(t->path, path, strlen(path) + 1);
        memcpy(t->other, other, strlen(other) + 1);
    }
    dc_dump_fini(&d);
}

/* The tensors of one direction hold the same bytes in both files. */
static bool same_tensors(const twin *t, const dc_dump *d, dc_direction direction)
{
    char *x, *y;
    size_t n, m;
    bool same = true;
    dc_demo_read(&x, &n, t->path);
    dc_demo_read(&y, &m, t->other);
    for (size_t i = 0; i < d->n; i++) {
        uint64_t at = d->tensor[i].offset;
        if (d->tensor[i].direction == direction)
            same = same && !memcmp(x + at, y + at, d->tensor[i].bytes);
    }
    free(x);
    free(y);
    return same;
}

/* Of a run like the one in clean, but with a fault: the first difference is in the results of op,
 * in a path that holds `where`. */
static void expect_first(const char *clean, const char *fault, const char *op, const char *where)
{
    char options[PATH], dir[PATH];
    dc_dump d;
    snprintf(dir, sizeof dir, "%s", dc_test_dir());
    snprintf(options, sizeof options, "--out run --ranks 4 --steps 1 --fault %s", fault);
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(dir, 1, options), 0);
    twin t = {.a = clean, .b = dir};
    dc_demo_walk(clean, "run/dump", first_difference, &t);
    CU_ASSERT_FATAL(t.different > 0);
    DC_ASSERT_OK(dc_dump_open(&d, t.path));
    CU_ASSERT_STRING_EQUAL(d.op_name, op);
    bool contribution = strstr(fault, "allreduce-contribution"); /* the input file alone holds it */
    CU_ASSERT_EQUAL(same_tensors(&t, &d, DC_INPUT), !contribution);
    CU_ASSERT_EQUAL(same_tensors(&t, &d, DC_OUTPUT), contribution);
    if (!strstr(t.path, where) || strcmp(d.op_name, op) != 0)
        fprintf(stderr, "%s: first difference is in %s\n", fault, t.path);
    CU_ASSERT_PTR_NOT_NULL(strstr(t.path, where));
    dc_dump_fini(&d);
}

static void faults_show_first_where_they_are_planted(void)
{
    char clean[PATH];
    snprintf(clean, sizeof clean, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(clean, 1, "--out run --ranks 4 --steps 1"), 0);
    expect_first(clean, "conv1/Relu:stale-weights@0", "conv1/Conv2Dconv1/BiasAddconv1/Relu",
                 "/0/ge_default_20240613143544_1/1/0/");
    expect_first(clean, "pool1/AvgPool:swap-channels@1", "pool1/AvgPool", "/1/ge_default_");
    expect_first(clean, "loss/Mean:constant", "loss/Mean", "/3/ge_default_");
    expect_first(clean, "conv2/BiasAdd:inf", "conv2/Conv2D", "/3/ge_default_");
    expect_first(clean, "gradients/dense1/Relu_grad/ReluGrad:nan",
                 "gradients/dense1/Relu_grad/ReluGrad", "/3/ge_default_");
    expect_first(clean, "DistributedOptimizer/HcomAllReduce_dense:allreduce-contribution",
                 "DistributedOptimizer/HcomAllReduce_dense", "/3/ge_default_");
    expect_first(clean, "DistributedOptimizer/HcomAllReduce_conv:allreduce-result@2",
                 "DistributedOptimizer/HcomAllReduce_conv", "/2/ge_default_");
}

static void faults_start_in_the_second_step(void)
{
    char clean[PATH], dir[PATH];
    snprintf(clean, sizeof clean, "%s", dc_test_dir());
    snprintf(dir, sizeof dir, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(clean, 1, "--out run --ranks 1 --steps 3"), 0);
    CU_ASSERT_EQUAL_FATAL(
        dc_demo_start(dir, 1, "--out run --ranks 1 --steps 3 --fault loss/Mean:nan"), 0);
    twin t = {.a = clean, .b = dir};
    dc_demo_walk(clean, "run/dump", first_difference, &t);
    CU_ASSERT_PTR_NOT_NULL(strstr(t.path, "/1/1/ReduceMeanD.loss_Mean."));
    CU_ASSERT_EQUAL(t.different, 2); /* the loss, in steps 1 and 2: nothing comes of it */
}

static bool has_text(const char *path, const char *text)
{
    char *data;
    size_t n;
    dc_demo_read(&data, &n, path);
    bool has = strstr(data, text);
    free(data);
    return has;
}

static void planted_faults_are_named(void)
{
    char path[PATH];
    const char *dir = dc_test_dir();
    const char *line = "planted: operator conv2/BiasAdd (NPU Conv2D conv2/Conv2D), kind constant, "
                       "step 0, rank 1\n";
    CU_ASSERT_EQUAL_FATAL(
        dc_demo_start(dir, 1, "--out run --ranks 2 --steps 1 --fault conv2/Conv2D:constant"), 0);
    snprintf(path, sizeof path, "%s/log", dir);
    CU_ASSERT(has_text(path, line));
    snprintf(path, sizeof path, "%s/run/planted.txt", dir);
    CU_ASSERT(has_text(path, line));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(faults_show_first_where_they_are_planted),
        DC_TEST(faults_start_in_the_second_step),
        DC_TEST(planted_faults_are_named),
    };
    return dc_test_main("demo_fault", tests, DC_COUNT(tests));
}
