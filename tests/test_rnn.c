/* tests/test_rnn.c - weights of RNNs through all of dumpcmp: their layouts depend on sizes that
 * only a graph tells. */
#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/npy.h"
#include "io/path.h"
#include "io/relayout.h"
#include "tests/case.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Neither size is a multiple of 16, so both parts and every gate are padded. */
enum { INPUT = 20, HIDDEN = 24, K = INPUT + HIDDEN, N = 4 * HIDDEN, BROKEN = 30 * N + 50 };

#define SIZES                                                                                      \
    "attr { key: \"input_size\" value { i: 20 } } attr { key: \"hidden_size\" value { i: 24 } } "
#define GRAPH(attributes)                                                                          \
    "graph { name: \"net_1\"\n"                                                                    \
    "op { name: \"w\" type: \"Variable\" output_desc { dtype: DT_FLOAT } }\n"                      \
    "op { name: \"b\" type: \"Variable\" output_desc { dtype: DT_FLOAT } }\n"                      \
    "op { name: \"net/rnn\" type: \"Any\" input: \"w:0\" input: \"b:0\" " attributes               \
    "output_desc { dtype: DT_FLOAT } } }\n"

static dc_relayout_ask weights(void)
{
    return (dc_relayout_ask){.dtype = DC_FLOAT32,
                             .format = DC_FORMAT_FRACTAL_ZN_RNN,
                             .device = {4, {4, 8, 16, 16}},
                             .golden_format = DC_FORMAT_ND,
                             .logical = {2, {K, N}},
                             .input_size = INPUT,
                             .hidden_size = HIDDEN};
}

static dc_relayout_ask bias(void)
{
    dc_relayout_ask a = weights();
    a.format = DC_FORMAT_ND_RNN_BIAS;
    a.device = (dc_shape){1, {4 * 32}};
    a.logical = (dc_shape){1, {N}};
    return a;
}

static float *count_up(void)
{
    float *v = malloc((size_t)K * N * sizeof *v);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    for (int i = 0; v && i < K * N; i++)
        v[i] = (float)(i + 1);
    return v;
}

/* The tensor as the device has it, element `broken` of the logical order spoiled; -1: none. */
static float *device_of(dc_dump_tensor *t, const dc_relayout_ask *ask, int64_t broken)
{
    dc_relayout map;
    DC_ASSERT_OK(dc_relayout_init(&map, ask));
    float *logical = count_up(), *device = calloc(map.device_count, sizeof *device);
    CU_ASSERT_PTR_NOT_NULL_FATAL(device);
    dc_relayout_scatter(device, &map, logical);
    if (device && broken >= 0)
        device[dc_relayout_offset(&map, (uint64_t)broken)] = 100000;
    free(logical);
    *t = (dc_dump_tensor){.direction = DC_INPUT,
                          .dtype = ask->dtype,
                          .format = ask->format,
                          .shape = ask->device,
                          .original_shape = ask->logical,
                          .origin_name = "",
                          .origin_slot = DC_UNSET,
                          .origin_dtype = -1,
                          .origin_format = -1,
                          .arg_index = DC_UNSET,
                          .size = map.device_count * sizeof *device,
                          .bytes = map.device_count * sizeof *device};
    return device;
}

/* root/tree: inputs 0 and 1 of net/rnn of a rank, its weights and its bias. */
static void add_dump(const char *root, const char *tree, int rank, int64_t broken)
{
    const dc_relayout_ask ask[] = {weights(), bias()};
    char step[] = DC_CASE_STEP, *path = NULL;
    *strstr(step, "/0/net") = '\0';
    char *top = dc_path_join(root, tree), *dir = malloc(strlen(top) + sizeof step + 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    sprintf(dir, "%s/%s/%d/net_1/1/0", top, step, rank); /* NOLINT: there is room */
    const uint64_t time = 1718289424000000, ids[] = {1, 2, time};
    dc_dump_tensor t[2];
    float *data[] = {device_of(&t[0], &ask[0], broken), device_of(&t[1], &ask[1], -1)};
    const dc_dump d = {
        .op_name = "net/rnn", .dump_time = time, .n = 2, .tensor = t, .dfx_message = ""};
    const dc_dump_out out = {.dump = &d, .data = (const void *const *)data, .addresses = 1};
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_dump_make_path(&path, dir, "Any", d.op_name, ids));
    DC_ASSERT_OK(dc_dump_write(path, &out));
    free(data[0]);
    free(data[1]);
    free(path);
    free(dir);
    free(top);
}

static void add_golden(const char *root, const char *name, const dc_shape *shape)
{
    char *dir = dc_path_join(root, "gold"), *path = dc_path_join(dir, name);
    float *values = count_up();
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_npy_write(path, DC_FLOAT32, shape, values));
    free(values);
    free(path);
    free(dir);
}

/* Dump, goldens called w and b, and graph if any; the text of result.csv. */
static char *compare(const char *const golden[2], const char *graph, int64_t broken)
{
    const char *root = dc_test_shared_dir();
    char *path = dc_path_join(root, "graph.txt");
    const dc_shape w = {2, {K, N}}, b = {1, {N}};
    if (dc_test_par()->process == 0) {
        add_dump(root, "dump", 0, broken);
        add_golden(root, golden[0], &w);
        add_golden(root, golden[1], &b);
        if (graph)
            DC_ASSERT_OK(dc_fixture_bytes(root, "graph.txt", graph, strlen(graph)));
    }
    char *text =
        dc_case_run_with(root, "gold", graph ? (const char *[]){"--graph", path, NULL} : NULL);
    free(path);
    return text;
}

static const char *const producers[] = {"w.0.1.npy", "b.0.1.npy"};
static const char *const inputs[] = {"input_net_rnn.0.1.npy", "input_net_rnn.1.1.npy"};

static void weights_are_compared_when_the_graph_has_the_sizes(void)
{
    char *text = compare(producers, GRAPH(SIZES), -1);
    dc_case_expect(text, "net/rnn:input:0", "pass", ",4224,0,0,0,0,1,0,");
    dc_case_expect(text, "net/rnn:input:1", "pass", ",96,0,0,0,0,1,0,");
    free(text);
}

static void one_wrong_weight_is_found_where_it_is(void)
{
    char *text = compare(producers, GRAPH(SIZES), BROKEN);
    dc_case_expect(text, "net/rnn:input:0", "fail", ",97069,"); /* 100000 - (BROKEN + 1) */
    dc_case_expect(text, "net/rnn:input:1", "pass", "");
    free(text);
}

static void weights_are_not_judged_without_a_graph(void)
{
    char *text = compare(inputs, NULL, -1);
    dc_case_expect(text, "net/rnn:input:0", "not judged",
                   "needs the graph's input_size and hidden_size");
    dc_case_expect(text, "net/rnn:input:1", "not judged", "needs the graph's hidden_size");
    free(text);
}

static void weights_are_not_judged_by_a_graph_without_the_sizes(void)
{
    char *text = compare(producers, GRAPH(""), -1);
    dc_case_expect(text, "net/rnn:input:0", "not judged",
                   "needs the graph's input_size and hidden_size");
    dc_case_expect(text, "net/rnn:input:1", "not judged", "needs the graph's hidden_size");
    free(text);
}

static void sizes_of_no_use_or_of_another_shape_are_told(void)
{
    char *text = compare(producers,
                         GRAPH("attr { key: \"input_size\" value { i: 20 } } "
                               "attr { key: \"hidden_size\" value { i: -24 } } "),
                         -1);
    dc_case_expect(text, "net/rnn:input:0", "not judged",
                   "needs the graph's input_size and hidden_size");
    free(text);
    text = compare(producers,
                   GRAPH("attr { key: \"input_size\" value { i: 7 } } "
                         "attr { key: \"hidden_size\" value { i: 9 } } "),
                   -1);
    dc_case_expect(text, "net/rnn:input:0", "fail", "do not fit");
    free(text);
}

/* Against another dump, whose weights are as they should be. */
static char *compare_dumps(const char *graph)
{
    const char *root = dc_test_shared_dir();
    char *path = dc_path_join(root, "graph.txt");
    if (dc_test_par()->process == 0) {
        add_dump(root, "dump", 0, BROKEN);
        add_dump(root, "other", 0, -1);
        if (graph)
            DC_ASSERT_OK(dc_fixture_bytes(root, "graph.txt", graph, strlen(graph)));
    }
    char *text =
        dc_case_run_with(root, "other", graph ? (const char *[]){"--graph", path, NULL} : NULL);
    free(path);
    return text;
}

static void two_dumps_are_compared_when_a_graph_has_the_sizes(void)
{
    char *text = compare_dumps(GRAPH(SIZES));
    dc_case_expect(text, "net/rnn:input:0", "fail", ",4224,0,0,0,0,"); /* no padding among them */
    dc_case_expect(text, "net/rnn:input:0", "fail", ",97069,");
    dc_case_expect(text, "net/rnn:input:1", "pass", ",96,0,0,0,0,1,0,");
    free(text);
    text = compare_dumps(NULL); /* as they lie, padding and all */
    dc_case_expect(text, "net/rnn:input:0", "fail", ",8192,0,0,0,0,");
    dc_case_expect(
        text, "net/rnn:input:0", "fail",
        "padding included: dumped FRACTAL_ZN_RNN [4,8,16,16], wanted ND [44,96]: needs the "
        "graph's input_size and hidden_size");
    dc_case_expect(text, "net/rnn:input:1", "pass", "needs the graph's hidden_size");
    free(text);
}

/* A graph whose operators w and net/rnn have attributes of their own. */
#define BESIDE(w, rnn)                                                                             \
    "graph { name: \"net_1\"\n"                                                                    \
    "op { name: \"w\" type: \"TransData\" " w "output_desc { dtype: DT_FLOAT } }\n"                \
    "op { name: \"b\" type: \"Variable\" output_desc { dtype: DT_FLOAT } }\n"                      \
    "op { name: \"net/rnn\" type: \"Any\" input: \"w:0\" input: \"b:0\" " rnn                      \
    "output_desc { dtype: DT_FLOAT } } }\n"

static void the_other_end_of_the_edge_has_sizes_too(void)
{
    char *text = compare_dumps(BESIDE(SIZES, ""));
    dc_case_expect(text, "net/rnn:input:0", "fail", ",97069,");
    dc_case_expect(text, "net/rnn:input:1", "pass", "needs the graph's hidden_size");
    free(text);
    text = compare_dumps(BESIDE("attr { key: \"input_size\" value { i: 7 } } ", SIZES));
    dc_case_expect(text, "net/rnn:input:0", "fail", ",97069,"); /* one's own come first */
    free(text);
}

/* Three ranks, of which 1 has a wrong weight: ranks.csv holds `part`. */
static void expect_ranks(const char *graph, const char *part)
{
    const char *root = dc_test_shared_dir();
    char *path = dc_path_join(root, "graph.txt"), *csv = dc_path_join(root, "report/ranks.csv");
    char *text = NULL;
    size_t n = 0;
    if (dc_test_par()->process == 0) {
        for (int rank = 0; rank < 3; rank++)
            add_dump(root, "dump", rank, rank == 1 ? BROKEN : -1);
        add_dump(root, "other", 0, -1);
        DC_ASSERT_OK(dc_fixture_bytes(root, "graph.txt", graph, strlen(graph)));
    }
    free(
        dc_case_run_with(root, "other", (const char *[]){"--graph", path, "--across-ranks", NULL}));
    FILE *f = fopen(csv, "r");
    CU_ASSERT(f && getdelim(&text, &n, '\0', f) > 0);
    CU_ASSERT(text && strstr(text, part));
    if (f)
        fclose(f);
    dc_par_barrier(dc_test_par());
    free(text);
    free(csv);
    free(path);
}

static void ranks_are_compared_when_a_graph_has_the_sizes(void)
{
    expect_ranks(GRAPH(SIZES),
                 "rank 1 deviates from 0,2: 1 of 4224 elements differs, at most by 97069");
    expect_ranks(GRAPH(""),
                 "rank 1 deviates from 0,2: 1 of 8192 elements differs, at most by 97069");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(weights_are_compared_when_the_graph_has_the_sizes),
        DC_TEST(one_wrong_weight_is_found_where_it_is),
        DC_TEST(weights_are_not_judged_without_a_graph),
        DC_TEST(weights_are_not_judged_by_a_graph_without_the_sizes),
        DC_TEST(sizes_of_no_use_or_of_another_shape_are_told),
        DC_TEST(two_dumps_are_compared_when_a_graph_has_the_sizes),
        DC_TEST(the_other_end_of_the_edge_has_sizes_too),
        DC_TEST(ranks_are_compared_when_a_graph_has_the_sizes),
    };
    return dc_test_main_mpi("rnn", tests, DC_COUNT(tests));
}
