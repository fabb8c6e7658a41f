/* tests/test_demo.c - the demo's output: the same for any number of processes, readable, complete.
 */
#include "io/acl_config.h"
#include "io/dtype.h"
#include "io/dump_name.h"
#include "io/dump_read.h"
#include "io/graph.h"
#include "io/graph_find.h"
#include "io/npy.h"
#include "io/path.h"
#include "tests/demo_tree.h"
#include "tests/harness.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH DC_DEMO_PATH

typedef struct trees { /* two, to be compared */
    const char *a, *b;
    size_t different;
} trees;

static void nothing(void *context, const char *path)
{
    (void)context;
    (void)path;
}

static void compare_one(void *context, const char *path)
{
    trees *t = context;
    char other[2 * PATH];
    snprintf(other, sizeof other, "%s%s", t->b, path + strlen(t->a));
    if (!dc_demo_same_file(path, other)) {
        t->different++;
        fprintf(stderr, "%s differs from %s\n", path, other);
    }
}

static void any_number_of_processes_gives_the_same_bytes(void)
{
    char one[PATH], many[PATH];
    snprintf(one, sizeof one, "%s", dc_test_dir());
    CU_ASSERT_EQUAL_FATAL(
        dc_demo_start(one, 1, "--out run --steps 2 --ranks 3 --fault conv2/Relu:inf"), 0);
    for (int np = 2; np <= 3; np++) {
        snprintf(many, sizeof many, "%s", dc_test_dir());
        CU_ASSERT_EQUAL_FATAL(
            dc_demo_start(many, np, "--out run --steps 2 --ranks 3 --fault conv2/Relu:inf"), 0);
        trees t = {.a = one, .b = many};
        size_t n = dc_demo_walk(one, "run", compare_one, &t);
        CU_ASSERT(n > 700);
        CU_ASSERT_EQUAL(t.different, 0);
        CU_ASSERT_EQUAL(dc_demo_walk(many, "run", nothing, NULL), n);
        CU_ASSERT(dc_demo_same_in(one, many, "log"));
    }
}

static void processes_without_a_rank_take_part(void)
{
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL(dc_demo_start(dir, 3, "--out run --steps 1 --ranks 2"), 0);
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
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(dir, 1, "--out run --steps 2 --ranks 2 --dtype bfloat16"),
                          0);
    dc_demo_walk(dir, "run/dump", tally_dump, &t);
    CU_ASSERT_EQUAL(t.hashed, 4);      /* one a rank and step */
    CU_ASSERT_EQUAL(t.mapped, 4);      /* and the file that says what it is called */
    CU_ASSERT_EQUAL(t.collective, 16); /* two, before and after */
    CU_ASSERT(t.dumps > 4 * 60);
    CU_ASSERT(t.half > 4 * 60);
    CU_ASSERT(t.original > 4 * 30);
    CU_ASSERT(t.outputs > t.original); /* inserted and collective ones do not say */
}

typedef struct graph_check {
    dc_graph *graph;
    size_t described;
} graph_check;

/* The graph has the dumped operator, as many inputs and outputs, and the origins its header has. */
static void check_described(void *context, const char *path)
{
    graph_check *c = context;
    dc_dump d;
    uint32_t count[2] = {0, 0}; /* inputs, outputs */
    if (!strstr(path, "/1/ge_default_") || !strcmp(dc_path_base(path), "mapping.csv"))
        return;
    DC_ASSERT_OK(dc_dump_open(&d, path));
    dc_gfound found = dc_graph_by_name(c->graph, d.op_name);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    const dc_gop *op = &c->graph->op[found.op[0]];
    for (size_t i = 0; i < d.n; i++) {
        const dc_dump_tensor *t = &d.tensor[i];
        CU_ASSERT_EQUAL(t->slot, count[t->direction == DC_OUTPUT]++);
        if (!*t->origin_name)
            continue;
        const dc_gtensor *out = &c->graph->tensor[op->out.first + t->slot];
        CU_ASSERT_STRING_EQUAL(dc_graph_text(c->graph, out->origin_name), t->origin_name);
        CU_ASSERT_EQUAL(out->origin_index, (int32_t)t->origin_slot);
        CU_ASSERT_EQUAL(out->dump_format, t->origin_format);
        CU_ASSERT_EQUAL(out->dump_dtype, t->origin_dtype);
        CU_ASSERT_EQUAL(out->dtype, (int)t->dtype);
    }
    CU_ASSERT(count[0] == op->in.n || !count[0]); /* a collective's two files have one each */
    CU_ASSERT(count[1] == op->out.n || !count[1]);
    c->described++;
    dc_dump_fini(&d);
}

static void the_training_graph_describes_every_dump(void)
{
    char graphs[PATH];
    const char *dir = dc_test_dir();
    dc_gwant want = {.model = "ge_default_20240613143545_1", .device = 1};
    dc_gfiles files;
    dc_gchoice choice;
    graph_check c = {0};
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(dir, 1, "--out run --ranks 2 --steps 1"), 0);
    snprintf(graphs, sizeof graphs, "%s/run/graphs", dir);
    DC_ASSERT_OK(dc_graph_find_files(&files, graphs));
    CU_ASSERT_EQUAL(files.n, 4); /* initialising and training, of two ranks */
    DC_ASSERT_OK(dc_graph_find_choose(&choice, &files, &want));
    CU_ASSERT_EQUAL(choice.how, DC_GMATCH_ITERATOR);
    DC_ASSERT_OK(dc_graph_load(&c.graph, files.file[choice.file].path));
    dc_demo_walk(dir, "run/dump", check_described, &c);
    CU_ASSERT(c.described > 60);
    free(choice.why);
    dc_graph_free(c.graph);
    dc_graph_find_free(&files);
}

static void acl_json_is_one_that_dumps_this(void)
{
    char path[PATH];
    const char *dir = dc_test_dir();
    dc_dump_config config;
    dc_acl_options strict = {.strict = true};
    CU_ASSERT_EQUAL_FATAL(dc_demo_start(dir, 1, "--out run --ranks 2 --steps 1"), 0);
    snprintf(path, sizeof path, "%s/run/acl.json", dir);
    DC_ASSERT_OK(dc_acl_config_read(&config, path, &strict));
    CU_ASSERT(config.model_dump);
    CU_ASSERT_EQUAL(config.mode, DC_DUMP_MODE_ALL);
    CU_ASSERT_EQUAL(config.nentry, 2);
    CU_ASSERT_STRING_EQUAL(config.path, "run/dump");
    CU_ASSERT_EQUAL(config.ge.n, 0);
    dc_acl_config_fini(&config);
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
        int code = dc_demo_start(dir, 1, bad[i]);
        if (code != 2)
            fprintf(stderr, "dumpcap-demo %s: exit %d\n", bad[i], code);
        CU_ASSERT_EQUAL(code, 2);
    }
    CU_ASSERT_EQUAL(dc_demo_start(dir, 1, "--out run --ranks 1 --steps 1"), 0);
    CU_ASSERT_EQUAL(dc_demo_start(dir, 1, "--out run --ranks 1 --steps 1"),
                    2); /* is there already */
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(any_number_of_processes_gives_the_same_bytes),
        DC_TEST(processes_without_a_rank_take_part),
        DC_TEST(every_dump_is_readable_and_has_its_goldens),
        DC_TEST(the_training_graph_describes_every_dump),
        DC_TEST(acl_json_is_one_that_dumps_this),
        DC_TEST(bad_options_are_refused),
    };
    return dc_test_main("demo", tests, DC_COUNT(tests));
}
