/* tests/test_demo.c - the demo's output: the same for any number of processes, readable, complete,
 * and wrong first where a fault was planted. */
#include "io/dtype.h"
#include "io/dump_name.h"
#include "io/dump_read.h"
#include "io/mem.h"
#include "io/npy.h"
#include "io/path.h"
#include "tests/harness.h"

#include <fts.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH 4096

/* Run the demo in directory dir, so that it can always be told the same relative --out. Its exit
 * code; what it says goes to dir/log. */
static int demo(const char *dir, int np, const char *options)
{
    char command[3 * PATH], launch[PATH] = "";
    if (np > 1)
        snprintf(launch, sizeof launch, "'%s' -q --oversubscribe -np %d ", TEST_MPIEXEC, np);
    snprintf(command, sizeof command, "cd '%s' && %s'%s' %s >log 2>&1", dir, launch, TEST_DEMO,
             options);
    int code = system(command); /* NOLINT: our own program, in our own directory */
    return code < 0 ? code : code >> 8;
}

static void read_all(char **data, size_t *n, const char *path)
{
    DC_ASSERT_OK(dc_read_file(data, n, path, 64 << 20));
}

static bool same_file(const char *a, const char *b)
{
    char *x, *y;
    size_t n, m;
    if (!dc_path_is_file(a) || !dc_path_is_file(b))
        return false;
    read_all(&x, &n, a);
    read_all(&y, &m, b);
    bool same = n == m && !memcmp(x, y, n);
    free(x);
    free(y);
    return same;
}

static bool same_in(const char *a, const char *b, const char *name)
{
    char x[2 * PATH], y[2 * PATH];
    snprintf(x, sizeof x, "%s/%s", a, name);
    snprintf(y, sizeof y, "%s/%s", b, name);
    return same_file(x, y);
}

/* Call visit(context, path) for every file below dir/sub; returns how many there are. */
typedef void (*visitor)(void *context, const char *path);
static size_t walk(const char *dir, const char *sub, visitor visit, void *context)
{
    char top[PATH], *roots[] = {top, NULL};
    size_t files = 0;
    snprintf(top, sizeof top, "%s/%s", dir, sub);
    FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fts);
    for (FTSENT *e; (e = fts_read(fts));) {
        if (e->fts_info != FTS_F)
            continue;
        visit(context, e->fts_path);
        files++;
    }
    fts_close(fts);
    return files;
}

typedef struct twin { /* two trees, and what a walk of the first found */
    const char *a, *b;
    size_t different;
    uint64_t first; /* dump time of the first difference */
    char path[2 * PATH], other[2 * PATH];
} twin;

static void nothing(void *context, const char *path)
{
    (void)context;
    (void)path;
}

static void compare_one(void *context, const char *path)
{
    twin *t = context;
    char other[2 * PATH];
    snprintf(other, sizeof other, "%s%s", t->b, path + strlen(t->a));
    if (!same_file(path, other)) {
        t->different++;
        fprintf(stderr, "%s differs from %s\n", path, other);
    }
}

static void any_number_of_processes_gives_the_same_bytes(void)
{
    char one[PATH], many[PATH];
    snprintf(one, sizeof one, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(demo(one, 1, "--out run --steps 2 --ranks 3 --fault conv2/Relu:inf"), 0);
    for (int np = 2; np <= 3; np++) {
        snprintf(many, sizeof many, "%s", dc_test_dir());
        CU_ASSERT_EQUAL_FATAL(
            demo(many, np, "--out run --steps 2 --ranks 3 --fault conv2/Relu:inf"), 0);
        twin t = {.a = one, .b = many};
        size_t n = walk(one, "run", compare_one, &t);
        CU_ASSERT(n > 700);
        CU_ASSERT_EQUAL(t.different, 0);
        CU_ASSERT_EQUAL(walk(many, "run", nothing, NULL), n);
        CU_ASSERT(same_in(one, many, "log"));
    }
}

static void processes_without_a_rank_take_part(void)
{
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL(demo(dir, 3, "--out run --steps 1 --ranks 2"), 0);
}

/* Is there exactly one golden for this output of a framework operator? */
static bool has_golden(const char *dump_path, const dc_dump_tensor *t)
{
    char pattern[3 * PATH], name[1024], root[PATH];
    snprintf(root, sizeof root, "%s", dump_path);
    char *step = strrchr(root, '/'), *at = strstr(root, "/dump/");
    *step = '\0';
    step = strrchr(root, '/') + 1;
    *at = '\0';
    int rank = atoi(strchr(at + strlen("/dump/"), '/') + 1); /* NOLINT: checked by the glob */
    snprintf(name, sizeof name, "%s", t->origin_name);
    dc_name_sanitise(name);
    snprintf(pattern, sizeof pattern, "%s/golden/rank_%d/step_%s/%s.%u.????????????????.npy", root,
             rank, step, name, t->origin_slot);
    glob_t found;
    bool one = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1;
    dc_npy npy;
    one = one && dc_npy_open(&npy, found.gl_pathv[0]) == DC_OK &&
          dc_shape_equal(&npy.shape, &t->original_shape);
    if (!one)
        fprintf(stderr, "no golden of its shape: %s\n", pattern);
    globfree(&found);
    return one;
}

typedef struct tally {
    size_t dumps, outputs, original, half, collective, hashed, mapped;
} tally;

static void tally_header(tally *t, const dc_dump *d, const char *path)
{
    for (size_t i = 0; i < d->n; i++) {
        const dc_dump_tensor *tensor = &d->tensor[i];
        uint64_t elements, bytes;
        CU_ASSERT(dc_shape_count(&elements, &tensor->shape));
        CU_ASSERT(dc_dtype_bytes(&bytes, tensor->dtype, elements));
        CU_ASSERT_EQUAL(bytes, tensor->bytes);
        t->half += tensor->dtype == DC_BFLOAT16;
        t->outputs += tensor->direction == DC_OUTPUT;
        if (!*tensor->origin_name)
            continue;
        t->original++;
        CU_ASSERT_EQUAL(tensor->direction, DC_OUTPUT);
        CU_ASSERT(has_golden(path, tensor));
    }
}

static void tally_dump(void *context, const char *path)
{
    tally *t = context;
    dc_dump d;
    dc_dump_name name;
    if (!strcmp(dc_path_base(path), "mapping.csv")) {
        t->mapped++;
        return;
    }
    DC_ASSERT_OK(dc_dump_open(&d, path));
    dc_dump_name_parse(&name, dc_path_base(path));
    t->dumps++;
    t->hashed += name.kind == DC_NAME_HASHED;
    if (name.kind != DC_NAME_HASHED) {
        CU_ASSERT_EQUAL(name.kind, DC_NAME_DUMP);
        CU_ASSERT_EQUAL(name.time, d.dump_time);
    }
    CU_ASSERT(*d.op_name != '\0');
    if (strstr(d.op_name, "HcomAllReduce")) {
        t->collective++;
        CU_ASSERT_EQUAL(d.tensor[0].direction, d.tensor[d.n - 1].direction);
    }
    tally_header(t, &d, path);
    dc_dump_fini(&d);
}

static void every_dump_is_readable_and_has_its_goldens(void)
{
    tally t = {0};
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL_FATAL(demo(dir, 1, "--out run --steps 2 --ranks 2 --dtype bfloat16"), 0);
    walk(dir, "run/dump", tally_dump, &t);
    CU_ASSERT_EQUAL(t.hashed, 4);      /* one a rank and step */
    CU_ASSERT_EQUAL(t.mapped, 4);      /* and the file that says what it is called */
    CU_ASSERT_EQUAL(t.collective, 16); /* two, before and after */
    CU_ASSERT(t.dumps > 4 * 60);
    CU_ASSERT(t.half > 4 * 60);
    CU_ASSERT(t.original > 4 * 30);
    CU_ASSERT(t.outputs > t.original); /* inserted and collective ones do not say */
}

/* Keep the first of the files that differ, in order of step and task. */
static void first_difference(void *context, const char *path)
{
    twin *t = context;
    char other[2 * PATH];
    dc_dump d;
    snprintf(other, sizeof other, "%s%s", t->b, path + strlen(t->a));
    if (!strcmp(dc_path_base(path), "mapping.csv") || same_file(path, other))
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
    read_all(&x, &n, t->path);
    read_all(&y, &m, t->other);
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
    CU_ASSERT_EQUAL_FATAL(demo(dir, 1, options), 0);
    twin t = {.a = clean, .b = dir};
    walk(clean, "run/dump", first_difference, &t);
    CU_ASSERT_FATAL(t.different > 0);
    DC_ASSERT_OK(dc_dump_open(&d, t.path));
    CU_ASSERT_STRING_EQUAL(d.op_name, op);
    CU_ASSERT(same_tensors(&t, &d, DC_INPUT));
    CU_ASSERT_FALSE(same_tensors(&t, &d, DC_OUTPUT));
    if (!strstr(t.path, where) || strcmp(d.op_name, op) != 0)
        fprintf(stderr, "%s: first difference is in %s\n", fault, t.path);
    CU_ASSERT_PTR_NOT_NULL(strstr(t.path, where));
    dc_dump_fini(&d);
}

static void faults_show_first_where_they_are_planted(void)
{
    char clean[PATH];
    snprintf(clean, sizeof clean, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(demo(clean, 1, "--out run --ranks 4 --steps 1"), 0);
    expect_first(clean, "conv1/Relu:stale-weights@0", "conv1/Conv2Dconv1/BiasAddconv1/Relu",
                 "/0/ge_default_20240613143544_1/1/0/");
    expect_first(clean, "pool1/AvgPool:swap-channels@1", "pool1/AvgPool", "/1/ge_default_");
    expect_first(clean, "loss/Mean:constant", "loss/Mean", "/3/ge_default_");
    expect_first(clean, "conv2/BiasAdd:inf", "conv2/Conv2D", "/3/ge_default_");
    expect_first(clean, "gradients/dense1/Relu_grad/ReluGrad:nan",
                 "gradients/dense1/Relu_grad/ReluGrad", "/3/ge_default_");
    expect_first(clean, "DistributedOptimizer/HcomAllReduce_dense:allreduce-contribution",
                 "DistributedOptimizer/HcomAllReduce_dense", "/0/ge_default_");
    expect_first(clean, "DistributedOptimizer/HcomAllReduce_conv:allreduce-result@2",
                 "DistributedOptimizer/HcomAllReduce_conv", "/2/ge_default_");
}

static void faults_start_in_the_second_step(void)
{
    char clean[PATH], dir[PATH];
    snprintf(clean, sizeof clean, "%s", dc_test_dir());
    snprintf(dir, sizeof dir, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(demo(clean, 1, "--out run --ranks 1 --steps 3"), 0);
    CU_ASSERT_EQUAL_FATAL(demo(dir, 1, "--out run --ranks 1 --steps 3 --fault loss/Mean:nan"), 0);
    twin t = {.a = clean, .b = dir};
    walk(clean, "run/dump", first_difference, &t);
    CU_ASSERT_PTR_NOT_NULL(strstr(t.path, "/1/1/ReduceMeanD.loss_Mean."));
    CU_ASSERT_EQUAL(t.different, 2); /* the loss, in steps 1 and 2: nothing comes of it */
}

static bool has_text(const char *path, const char *text)
{
    char *data;
    size_t n;
    read_all(&data, &n, path);
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
        demo(dir, 1, "--out run --ranks 2 --steps 1 --fault conv2/Conv2D:constant"), 0);
    snprintf(path, sizeof path, "%s/log", dir);
    CU_ASSERT(has_text(path, line));
    snprintf(path, sizeof path, "%s/run/planted.txt", dir);
    CU_ASSERT(has_text(path, line));
}

static void one_graph_of_each_rank_is_the_training_graph(void)
{
    char pattern[PATH];
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL_FATAL(demo(dir, 1, "--out run --ranks 2 --steps 1"), 0);
    snprintf(pattern, sizeof pattern, "%s/run/graphs/pid_*_deviceid_1/*_Build.txt", dir);
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    size_t training = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!has_text(found.gl_pathv[i], "Iterator"))
            continue;
        training++;
        CU_ASSERT(has_text(found.gl_pathv[i], "graph {\n  name: \"ge_default_20240613143545_1\""));
    }
    CU_ASSERT_EQUAL(training, 1);
    CU_ASSERT(found.gl_pathc > 1);
    globfree(&found);
}

static void bad_options_are_refused(void)
{
    static const char *const bad[] = {"",
                                      "--out run --ranks 0",
                                      "--out run --ranks 65",
                                      "--out run --steps x",
                                      "--out run --dtype float8",
                                      "--out run --size huge",
                                      "--out run --time 2024",
                                      "--out run --fault conv1/Relu",
                                      "--out run --fault nowhere:nan",
                                      "--out run --fault conv1/Relu:nonsense",
                                      "--out run --fault loss/Mean:stale-weights",
                                      "--out run --fault conv1/Relu:nan@8",
                                      "--out run --no-such-option",
                                      "run"};
    const char *dir = dc_test_dir();
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        int code = demo(dir, 1, bad[i]);
        if (code != 2)
            fprintf(stderr, "dumpcap-demo %s: exit %d\n", bad[i], code);
        CU_ASSERT_EQUAL(code, 2);
    }
    CU_ASSERT_EQUAL(demo(dir, 1, "--out run --ranks 1 --steps 1"), 0);
    CU_ASSERT_EQUAL(demo(dir, 1, "--out run --ranks 1 --steps 1"), 2); /* is there already */
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(any_number_of_processes_gives_the_same_bytes),
        DC_TEST(processes_without_a_rank_take_part),
        DC_TEST(every_dump_is_readable_and_has_its_goldens),
        DC_TEST(faults_show_first_where_they_are_planted),
        DC_TEST(faults_start_in_the_second_step),
        DC_TEST(planted_faults_are_named),
        DC_TEST(one_graph_of_each_rank_is_the_training_graph),
        DC_TEST(bad_options_are_refused),
    };
    return dc_test_main("demo", tests, DC_COUNT(tests));
}
