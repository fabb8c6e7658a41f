/* tests/test_graph_kinds.c - JSON, ONNX text and the sample files become the same graph; faults. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/graph.h"
#include "tests/graph_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void json_gives_the_same_graph(void)
{
    dc_graph *g = gc_parse(
        "{\"name\": \"m\", \"graph\": [{\"op\": [{\"attr\": [{\"value\": {\"list\": {\"s\": "
        "[\"c\", "
        "\"r\"]}}, \"key\": \"_datadump_original_op_names\"}, {\"key\": \"x\", \"value\": null}], "
        "\"id\": 5, \"name\": \"conv\", \"input\": [\"in:0\", \"\", \"z:-1\"], \"type\": "
        "\"Conv2D\", "
        "\"output_desc\": [{\"attr\": [{\"key\": \"origin_shape\", \"value\": {\"list\": "
        "{\"val_type\": \"VT_LIST_INT\"}}}, {\"key\": \"_datadump_origin_output_index\", "
        "\"value\": {\"i\": \"3\"}}], \"dtype\": \"DT_FLOAT16\", \"layout\": \"ND\"}, {\"shape\": "
        "{\"dim\": [1, 2]}}]}], \"name\": \"ge_default_1\"}]}");
    const dc_gop *c = gc_op(g, "conv");
    CU_ASSERT_EQUAL(g->kind, DC_GRAPH_ATC);
    CU_ASSERT_STRING_EQUAL(gc_text(g, g->sub[0].name), "ge_default_1");
    CU_ASSERT_EQUAL(c->id, 5);
    CU_ASSERT_EQUAL(c->originals.n, 2); /* although the value came before its key */
    CU_ASSERT_EQUAL(c->in.n, 1);
    CU_ASSERT_TRUE(gc_shape_is(g, gc_out(g, "conv", 0), "[]")); /* a scalar has no "shape" here */
    CU_ASSERT_EQUAL(gc_out(g, "conv", 0)->origin_index, 3);
    CU_ASSERT_EQUAL(gc_out(g, "conv", 0)->dtype, DC_FLOAT16);
    CU_ASSERT_TRUE(gc_shape_is(g, gc_out(g, "conv", 1), "[1,2]"));
    dc_graph_free(g);
}

static void onnx_gives_the_same_graph(void)
{
    dc_graph *g = gc_parse(
        "ir_version: 6\ngraph {\n"
        "  node { input: \"in:0\" input: \"\" input: \"b:1\" input: \"z:-1\" output: \"conv:0\"\n"
        "    name: \"conv\" op_type: \"ge:Conv2D\"\n"
        "    attribute { name: \"_datadump_original_op_names\" strings: \"c\" strings: \"r\" type: "
        "STRINGS }\n"
        "    attribute { name: \"_no_task\" i: 1 type: INT }\n"
        "    attribute { name: \"id\" i: 9 type: INT } attribute { name: \"stream_id\" type: INT "
        "}\n"
        "    attribute { name: \"output_desc_attr__datadump_origin_name:1\" s: \"r\" type: STRING "
        "}\n"
        "    attribute { name: \"output_desc_attr__datadump_origin_output_index:1\" type: INT }\n"
        "    attribute { name: \"output_desc_dtype:0\" s: \"DT_FLOAT\" type: STRING }\n"
        "    attribute { name: \"output_desc_dtype:1\" s: \"DT_INT32\" type: STRING }\n"
        "    attribute { name: \"output_desc_layout:1\" s: \"NHWC\" type: STRING }\n"
        "    attribute { name: \"output_desc_origin_layout:1\" s: \"NCHW\" type: STRING }\n"
        "    attribute { name: \"output_desc_origin_shape:1\" ints: 3 ints: 4 type: INTS }\n"
        "    attribute { name: \"output_desc_shape:1\" ints: 7 type: INTS }\n"
        "    attribute { name: \"value_data\" s: \"{\\000\" type: STRING }\n"
        "  }\n  name: \"ge_default_1\"\n  input { name: \"in\" }\n}\n");
    const dc_gop *c = gc_op(g, "conv");
    const dc_gtensor *t = gc_out(g, "conv", 1);
    dc_shape s;
    CU_ASSERT_EQUAL(g->kind, DC_GRAPH_ONNX);
    CU_ASSERT_STRING_EQUAL(gc_text(g, g->sub[0].name), "ge_default_1");
    CU_ASSERT_STRING_EQUAL(gc_text(g, c->type), "Conv2D");
    CU_ASSERT_EQUAL(c->id, 9);
    CU_ASSERT_EQUAL(c->in.n, 2);
    CU_ASSERT_EQUAL(c->originals.n, 2);
    CU_ASSERT_EQUAL(c->flags, DC_GOP_NO_TASK);
    CU_ASSERT_EQUAL(dc_graph_by_original(g, "r").n, 1); /* listed and an output, yet once */
    CU_ASSERT_EQUAL(t->origin_index, 0);                /* ONNX leaves zeros out */
    CU_ASSERT_STRING_EQUAL(gc_text(g, t->origin_name), "r");
    CU_ASSERT_EQUAL(t->dtype, DC_INT32);
    CU_ASSERT_EQUAL(t->format, DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(t->origin_format, DC_FORMAT_NCHW);
    CU_ASSERT_TRUE(dc_graph_origin_shape(&s, g, t) && s.rank == 2 && s.dim[1] == 4);
    CU_ASSERT_TRUE(gc_shape_is(g, t, "[7]"));
    CU_ASSERT_EQUAL(gc_out(g, "conv", 0)->dtype, DC_FLOAT32);
    dc_graph_free(g);
}

/* From 20 descriptors on, GE packs each into JSON whose attributes are protobuf text. */
static void onnx_descriptors_in_json_are_read(void)
{
    dc_buf b = {0};
    DC_ASSERT_OK(dc_buf_puts(&b, "graph { node { name: \"x\" "));
    for (int i = 0; i < 20; i++)
        DC_ASSERT_OK(dc_buf_printf(
            &b,
            "attribute { name: \"output_desc_%d\" type: STRING s: \"{"
            "\\\"_datadump_origin_name\\\":\\\"s: \\\\\\\"o%d\\\\\\\"\\\\n\\\","
            "\\\"_datadump_origin_output_index\\\":\\\"i: %d\\\\n\\\",\\\"dtype\\\":"
            "\\\"DT_FLOAT16\\\",\\\"layout\\\":\\\"ND\\\",\\\"origin_layout\\\":\\\"NHWC\\\","
            "\\\"origin_shape\\\":[],\\\"shape\\\":[2,%d],\\\"size\\\":64}\" } ",
            i, i, i, i));
    DC_ASSERT_OK(dc_buf_add(&b, "} }", 4));
    dc_graph *g = gc_parse(b.data);
    const dc_gtensor *t = gc_out(g, "x", 19);
    dc_shape s;
    CU_ASSERT_EQUAL(gc_op(g, "x")->out.n, 20);
    CU_ASSERT_STRING_EQUAL(gc_text(g, t->origin_name), "o19");
    CU_ASSERT_EQUAL(t->origin_index, 19);
    CU_ASSERT_EQUAL(t->dtype, DC_FLOAT16);
    CU_ASSERT_EQUAL(t->format, DC_FORMAT_ND);
    CU_ASSERT_EQUAL(t->origin_format, DC_FORMAT_NHWC);
    CU_ASSERT_TRUE(gc_shape_is(g, t, "[2,19]"));
    CU_ASSERT_TRUE(dc_graph_origin_shape(&s, g, t) && s.rank == 0);
    dc_graph_free(g);
    dc_buf_free(&b);
}

static void fails_with(const char *bytes, const char *part)
{
    dc_graph *g;
    CU_ASSERT_EQUAL(dc_graph_parse(&g, bytes, strlen(bytes), "g.txt"), DC_EFORMAT);
    if (!strstr(dc_last_error(), part))
        fprintf(stderr, "%s\n said: %s\n", bytes, dc_last_error());
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), part));
}

static void faults_say_where_and_what(void)
{
    fails_with("", "g.txt: holds no graph");
    fails_with("hello: 1", "holds no graph");
    fails_with("graph { name: \"only\" }", "holds no graph");
    fails_with("graph {\n op {\n type: \"X\"\n }\n}", "g.txt:4: an operator has no name");
    fails_with("graph {\n op: 5\n}", "g.txt:2: '5' where a message is expected");
    fails_with("graph { op { name: \"x\"\n id: y } }", "g.txt:2: \"y\" where a whole number");
    fails_with("graph { op { name { } } }", "where a text or number is expected");
    fails_with("graph { op { name: \"x\" input: \"y:99999999999\" } }", "impossible output");
    fails_with(
        "graph { node { name: \"x\" attribute { name: \"output_desc_dtype:4000000000\" } } }",
        "descriptor 4000000000");
    fails_with("graph { node { name: \"x\" attribute { name: \"output_desc_dtype:9\" } } }",
               "not numbered one after another");
    fails_with("{\"graph\": [{\"op\": [{\"name\": [\"x\"]", "g.txt:1: the file ends");
    dc_graph *g;
    CU_ASSERT_EQUAL(dc_graph_load(&g, "/no/such/graph"), DC_ENOENT);
}

/* The operators of a sample against the list beside it: name, type, originals, outputs. */
static void check_row(const dc_graph *g, uint32_t i, char *row)
{
    const dc_gop *o = &g->op[i];
    char *field[4];
    for (int k = 0; k < 4; k++)
        field[k] = strsep(&row, "\t");
    CU_ASSERT_PTR_NOT_NULL_FATAL(field[3]);
    dc_buf names = {0};
    for (uint32_t k = 0; k < o->originals.n; k++)
        DC_ASSERT_OK(dc_buf_printf(&names, "%s%s", k ? ";" : "",
                                   gc_text(g, g->text[o->originals.first + k])));
    for (uint32_t k = 0; k < o->out.n; k++) {
        const dc_gtensor *t = &g->tensor[o->out.first + k];
        dc_shape s = {0};
        char print[DC_SHAPE_TEXT];
        (void)dc_graph_shape(&s, g, t);
        dc_shape_print_list(print, &s);
        CU_ASSERT(strstr(field[3], gc_text(g, t->layout)) != NULL);
        CU_ASSERT(strstr(field[3], print) != NULL);
    }
    DC_ASSERT_OK(dc_buf_add(&names, "", 1));
    CU_ASSERT_STRING_EQUAL(gc_text(g, o->name), field[0]);
    CU_ASSERT_STRING_EQUAL(gc_text(g, o->type), field[1]);
    CU_ASSERT_STRING_EQUAL(names.data, field[2]);
    dc_buf_free(&names);
}

static void check_list(const char *graph, const char *list)
{
    char path[4096];
    static char row[65536];
    dc_graph *g;
    snprintf(path, sizeof path, "%s/%s", dc_test_samples(), graph);
    DC_ASSERT_OK(dc_graph_load(&g, path));
    snprintf(path, sizeof path, "%s/%s", dc_test_samples(), list);
    FILE *f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(row, sizeof row, f));
    uint32_t n = 0;
    for (; fgets(row, sizeof row, f) && n < g->nop; n++) {
        row[strcspn(row, "\n")] = '\0';
        check_row(g, n, row);
    }
    CU_ASSERT_EQUAL(n, g->nop);
    CU_ASSERT_TRUE(feof(f));
    fclose(f);
    dc_graph_free(g);
}

static void samples_equal_their_lists(void)
{
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    check_list("ge_proto/ge_proto_00017_OptimizeOriginalGraph_FeGraphFusionAfter.txt",
               "ge_proto/resnet50_00017_ops.tsv");
    check_list("ge_proto/ge_proto_00046_afterUBMatch.txt", "ge_proto/resnet50_00046_ops.tsv");
}

static void all_sample_graphs_parse(void)
{
    static const struct {
        const char *file, *root;
        uint32_t nop, nedge;
        dc_gkind kind;
    } want[] = {
        {"build_graphs/ge_onnx_00000000_graph_1_Build.pbtxt", "ge_default_20230713074122_1", 6, 2,
         DC_GRAPH_ONNX},
        {"build_graphs/ge_proto_00000000_Build.txt", "ge_default_20230713074122_1", 6, 2,
         DC_GRAPH_GE},
        {"build_graphs/ge_proto_00056_Build.txt", "ge_default_20200909152235_1", 5, 3, DC_GRAPH_GE},
        {"fusion_json/msit_analyze_test.om.json", "tdnn_NPU_0", 132, 140, DC_GRAPH_ATC},
        {"golden/fusion_json/ge_build_min.json", "ge_default_1", 4, 3, DC_GRAPH_ATC},
    };
    char path[4096];
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    for (size_t i = 0; i < DC_COUNT(want); i++) {
        dc_graph *g;
        snprintf(path, sizeof path, "%s/%s", dc_test_samples(), want[i].file);
        DC_ASSERT_OK(dc_graph_load(&g, path));
        CU_ASSERT_STRING_EQUAL(gc_text(g, g->sub[0].name), want[i].root);
        CU_ASSERT_EQUAL(g->nop, want[i].nop);
        CU_ASSERT_EQUAL(g->nedge, want[i].nedge);
        CU_ASSERT_EQUAL(g->kind, want[i].kind);
        for (uint32_t e = 0; e < g->nedge; e++)
            CU_ASSERT_NOT_EQUAL(g->edge[e].producer, DC_NO_OP);
        dc_graph_free(g);
    }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(json_gives_the_same_graph),         DC_TEST(onnx_gives_the_same_graph),
        DC_TEST(onnx_descriptors_in_json_are_read), DC_TEST(faults_say_where_and_what),
        DC_TEST(samples_equal_their_lists),         DC_TEST(all_sample_graphs_parse),
    };
    return dc_test_main("graph_kinds", tests, DC_COUNT(tests));
}
