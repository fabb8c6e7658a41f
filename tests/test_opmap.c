/* tests/test_opmap.c - which golden an NPU tensor has: by header, graph or name, or why none. */
#include "compare/opmap.h"
#include "compare/optype.h"
#include "io/dtype.h"
#include "io/format.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORIGINALS(list)                                                                            \
    "attr { key: \"_datadump_original_op_names\" value { list { " list " val_type: "               \
    "VT_LIST_STRING } } }\n"
#define ORIGIN(name, index, format)                                                                \
    "attr { key: \"_datadump_origin_name\" value { s: \"" name "\" } }\n"                          \
    "attr { key: \"_datadump_origin_output_index\" value { i: " index " } }\n"                     \
    "attr { key: \"_datadump_origin_format\" value { s: \"" format "\" } }\n"

/* clang-format off */
static const char graph_text[] =
    "graph { name: \"ge_default_1\"\n"
    "op { name: \"x\" type: \"Data\" output_desc { dtype: DT_FLOAT } }\n"
    "op { name: \"trans_TransData_0\" type: \"TransData\" input: \"x:0\" " ORIGINALS("")
    "  output_desc { " ORIGIN("conv1/Conv2D", "0", "NHWC") " } }\n"
    "op { name: \"conv1/Conv2Dconv1/Relu\" type: \"Conv2D\" input: \"trans_TransData_0:0\" "
    "  input: \"\" input: \"w:0\" input: \"ctl:-1\" "
    ORIGINALS("s: \"conv1/Conv2D\" s: \"conv1/Relu\"")
    "  output_desc { " ORIGIN("conv1/Relu", "0", "NHWC")
    "    attr { key: \"origin_shape\" value { list { i: 1 i: 8 i: 8 i: 3 } } } } }\n"
    "op { name: \"w\" type: \"Variable\" output_desc { dtype: DT_FLOAT } }\n"
    "op { name: \"trans_Cast_1\" type: \"Cast\" input: \"conv1/Conv2Dconv1/Relu:0\" "
    ORIGINALS("") "  output_desc { } }\n"
    "op { name: \"pool\" type: \"MaxPool\" input: \"trans_Cast_1:0\" input: \"gone:3\" "
    "  output_desc { attr { key: \"origin_format\" value { s: \"NCHW\" } } } output_desc { } }\n"
    "op { name: \"user/Cast\" type: \"Cast\" input: \"pool:1\" output_desc { } }\n"
    "op { name: \"topk\" type: \"TopKD\" input: \"user/Cast:0\" input: \"const_9:0\" "
    ORIGINALS("s: \"TopKV2\"") " output_desc { } "
    "  output_desc { " ORIGIN("TopKV2", "1", "ND") "} }\n"
    "op { name: \"const_9\" type: \"Const\" " ORIGINALS("")
    "  output_desc { " ORIGIN("BatchNorm", "1", "ND") "} }\n"
    "op { name: \"bn_conv1\" type: \"Scale\" input: \"pool:0\" "
    ORIGINALS("s: \"bn1\" s: \"scale1\"") " output_desc { } }\n"
    "op { name: \"split_a\" type: \"Mul\" input: \"pool:0\" " ORIGINALS("s: \"whole\"")
    " output_desc { } }\n"
    "op { name: \"split_b\" type: \"Add\" input: \"split_a:0\" " ORIGINALS("s: \"whole\"")
    " output_desc { " ORIGIN("whole", "0", "ND") " } }\n"
    "op { name: \"inner\" type: \"Mul\" input: \"pool:0\" " ORIGINALS("s: \"m1\" s: \"m2\"")
    " attr { key: \"_datadump_is_multiop\" value { b: true } } output_desc { } }\n"
    "op { name: \"same\" type: \"Add\" input: \"pool:0\" output_desc { } }\n"
    "op { name: \"hcom\" type: \"HcomAllReduce\" input: \"pool:0\" output_desc { } }\n"
    "op { name: \"loop_a\" type: \"TransData\" input: \"loop_b:0\" output_desc { } }\n"
    "op { name: \"loop_b\" type: \"TransData\" input: \"loop_a:0\" output_desc { } }\n"
    "op { name: \"looped\" type: \"Add\" input: \"loop_a:0\" output_desc { } }\n"
    "op { name: \"gaps\" type: \"Add\" input: \"pool:0\" input: \"pool:1\" "
    "  input: \"user/Cast:0\"\n"
    "  input_desc { dtype: DT_FLOAT shape { dim: 9 } }\n"
    "  input_desc { dtype: DT_FLOAT16 shape { dim: 4 } }\n"
    "  input_desc { dtype: DT_FLOAT shape { dim: 4 } }\n"
    "  output_desc { dtype: DT_FLOAT shape { dim: 9 } }\n"
    "  output_desc { dtype: DT_FLOAT shape { dim: 4 } }\n"
    "  output_desc { dtype: DT_FLOAT shape { dim: 4 } } }\n"
    "op { name: \"call\" type: \"PartitionedCall\" input: \"topk:0\" subgraph_name: \"sub\" }\n"
    "}\n"
    "graph { name: \"sub\"\n"
    "op { name: \"arg0\" type: \"Data\" "
    "  attr { key: \"_parent_node_index\" value { i: 0 } } output_desc { } }\n"
    "op { name: \"same\" type: \"Add\" input: \"arg0:0\" output_desc { } }\n"
    "op { name: \"inside\" type: \"Relu\" input: \"arg0:0\" output_desc { } } }\n";
/* clang-format on */

static dc_pool *names, *pool;
static dc_graph *graph;

typedef struct tensor {
    const char *op, *type;
    uint8_t direction;
    uint32_t slot;
    const char *origin;
    uint32_t origin_slot;
    int origin_format; /* -1 none */
    const char *shape; /* original */
} tensor;

static uint32_t id_of(const char *text)
{
    uint32_t id;
    DC_ASSERT_OK(dc_pool_adds(&id, names, text ? text : ""));
    return id;
}

/* entries: of the file; 0: not known */
static dc_opmap_want ask_counted(const dc_graph *g, tensor x, uint32_t entries)
{
    dc_tensor t = {.op = id_of(x.op),
                   .op_type = id_of(x.type),
                   .direction = x.direction,
                   .slot = x.slot,
                   .shape = id_of("4"),
                   .original_shape = id_of(x.shape),
                   .dtype = DC_FLOAT32,
                   .origin_op = id_of(x.origin),
                   .origin_slot = x.origin_slot,
                   .origin_format = x.origin_format < 0 ? 255 : (uint8_t)x.origin_format,
                   .bytes = 16};
    dc_opmap_ask a = {.tensor = &t, .names = names, .graph = g, .entries = entries};
    dc_opmap_want w;
    DC_ASSERT_OK(dc_opmap_answer(&w, &a, pool));
    return w;
}

static dc_opmap_want ask(const dc_graph *g, tensor x)
{
    return ask_counted(g, x, 0);
}

static dc_opmap_want ask_graph(const char *op, const char *type, uint8_t direction, uint32_t slot)
{
    return ask(graph, (tensor){op, type, direction, slot, NULL, DC_UNSET, -1, ""});
}

static void check(const dc_opmap_want *w, dc_match match, const char *label)
{
    CU_ASSERT_EQUAL(w->pairing, DC_PAIRED);
    CU_ASSERT_EQUAL(w->match, match);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(pool, w->label), label);
}

static void check_none(const dc_opmap_want *w, dc_pairing pairing, const char *part)
{
    CU_ASSERT_EQUAL(w->pairing, pairing);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w->reason), part));
}

static void the_header_wins_over_graph_and_name(void)
{
    dc_opmap_want w = ask(graph, (tensor){"pool", "MaxPool", DC_OUTPUT, 1, "pool1/MaxPool", 3,
                                          DC_FORMAT_NHWC, "1x2x2x3"});
    check(&w, DC_MATCH_HEADER, "pool1/MaxPool:3");
    CU_ASSERT_EQUAL(w.format, DC_FORMAT_NHWC);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(pool, w.shape), "1x2x2x3");
    CU_ASSERT_EQUAL(w.missing, DC_NO_GOLDEN);
    w = ask(NULL, (tensor){"pool", "MaxPool", DC_OUTPUT, 1, "p", DC_UNSET, -1, ""});
    check(&w, DC_MATCH_HEADER, "p:1");
    CU_ASSERT_EQUAL(w.format, DC_FORMAT_UNSAID);
    CU_ASSERT_EQUAL(w.shape, DC_NO_STR);
}

static void the_graph_names_the_fused_operators_output(void)
{
    dc_opmap_want w = ask_graph("conv1/Conv2Dconv1/Relu", "Conv2D", DC_OUTPUT, 0);
    check(&w, DC_MATCH_GRAPH, "conv1/Relu:0");
    CU_ASSERT_EQUAL(w.format, DC_FORMAT_NHWC);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(pool, w.shape), "1x8x8x3");
    w = ask_graph("conv1_Conv2Dconv1_Relu", "Conv2D", DC_OUTPUT, 0); /* as in the file name */
    check(&w, DC_MATCH_GRAPH, "conv1/Relu:0");
    w = ask_graph("topk", "TopKD", DC_OUTPUT, 0); /* one original name, nothing at the output */
    check(&w, DC_MATCH_GRAPH, "TopKV2:0");
    w = ask_graph("topk", "TopKD", DC_OUTPUT, 1);
    check(&w, DC_MATCH_GRAPH, "TopKV2:1");
}

static void without_original_names_an_operator_is_its_own(void)
{
    dc_opmap_want w = ask_graph("pool", "MaxPool", DC_OUTPUT, 0);
    check(&w, DC_MATCH_NAME, "pool:0");
    CU_ASSERT_EQUAL(w.format, DC_FORMAT_NCHW);
    w = ask(NULL, (tensor){"a/b", "Add", DC_OUTPUT, 2, NULL, DC_UNSET, -1, ""});
    check(&w, DC_MATCH_NAME, "a/b:2");
    w = ask_graph("stranger", "Add", DC_OUTPUT, 0);
    check(&w, DC_MATCH_NAME, "stranger:0");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w.note), "not in the graph"));
}

static void an_unsaid_fusion_takes_the_last_and_says_so(void)
{
    dc_opmap_want w = ask_graph("bn_conv1", "Scale", DC_OUTPUT, 0);
    check(&w, DC_MATCH_GRAPH, "scale1:0");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w.note), "assumed"));
    w = ask_graph("split_a", "Mul", DC_OUTPUT, 0);
    check_none(&w, DC_FUSED_AWAY, "whole");
    w = ask_graph("split_b", "Add", DC_OUTPUT, 0);
    check(&w, DC_MATCH_GRAPH, "whole:0");
    w = ask_graph("inner", "Mul", DC_OUTPUT, 0);
    check_none(&w, DC_FUSED_AWAY, "m1");
}

static void inserted_operators_have_no_golden_whatever_their_header_says(void)
{
    dc_opmap_want w = ask_graph("trans_TransData_0", "TransData", DC_OUTPUT, 0);
    check_none(&w, DC_INSERTED, "trans_TransData_0");
    w = ask(graph, (tensor){"const_9", "Const", DC_OUTPUT, 0, "BatchNorm", 1, -1, ""});
    check_none(&w, DC_INSERTED, "const_9");
    w = ask(NULL, (tensor){"trans_TransData_4", "TransData", DC_OUTPUT, 0, "Conv_52", 0, -1, ""});
    check_none(&w, DC_INSERTED, "trans_TransData_4");
    w = ask(NULL, (tensor){"trans_Cast_4", "Cast", DC_OUTPUT, 0, NULL, DC_UNSET, -1, ""});
    check_none(&w, DC_INSERTED, "trans_Cast_4");
    w = ask(NULL, (tensor){"loss/Cast", "Cast", DC_OUTPUT, 0, NULL, DC_UNSET, -1, ""});
    check(&w, DC_MATCH_NAME, "loss/Cast:0");
    w = ask(NULL, (tensor){"trans_Cast_10T", "Transpose", DC_OUTPUT, 0, "T", 0, -1, ""});
    check(&w, DC_MATCH_HEADER, "T:0");
}

static void inputs_are_their_producers_outputs(void)
{
    dc_opmap_want w = ask_graph("pool", "MaxPool", DC_INPUT, 0); /* through trans_Cast_1 */
    check(&w, DC_MATCH_GRAPH, "conv1/Relu:0");
    CU_ASSERT_EQUAL(w.format, DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(w.missing, DC_NO_GOLDEN);
    w = ask_graph("topk", "TopKD", DC_INPUT, 0); /* a Cast of the user's is compared itself */
    check(&w, DC_MATCH_NAME, "user/Cast:0");
    w = ask_graph("user/Cast", "Cast", DC_INPUT, 0);
    check(&w, DC_MATCH_NAME, "pool:1");
    w = ask_graph("conv1/Conv2Dconv1/Relu", "Conv2D", DC_INPUT, 0); /* the network's input */
    check(&w, DC_MATCH_NAME, "x:0");
    CU_ASSERT_EQUAL(w.missing, DC_NOT_EXPECTED);
    w = ask_graph("conv1/Conv2Dconv1/Relu", "Conv2D", DC_INPUT, 1); /* "" is no input */
    check(&w, DC_MATCH_NAME, "w:0");
    w = ask_graph("pool", "MaxPool", DC_INPUT, 1);
    check(&w, DC_MATCH_GRAPH, "gone:3");
    CU_ASSERT_EQUAL(w.missing, DC_NOT_EXPECTED);
    w = ask_graph("topk", "TopKD", DC_INPUT, 1);
    check_none(&w, DC_INSERTED, "const_9");
    w = ask_graph("inside", "Relu", DC_INPUT, 0); /* from the caller's input */
    check(&w, DC_MATCH_GRAPH, "TopKV2:0");
    w = ask_graph("looped", "Add", DC_INPUT, 0);
    check_none(&w, DC_NOT_COMPARABLE, "circle");
}

static void inputs_nothing_tells_about_are_not_expected(void)
{
    dc_opmap_want w = ask(NULL, (tensor){"Conv_0", "Conv", DC_INPUT, 1, NULL, DC_UNSET, -1, ""});
    check(&w, DC_MATCH_NAME, "input_Conv_0:1");
    CU_ASSERT_EQUAL(w.missing, DC_NOT_EXPECTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w.reason), "without a graph"));
    w = ask_graph("pool", "MaxPool", DC_INPUT, 2);
    CU_ASSERT_EQUAL(w.missing, DC_NOT_EXPECTED);
    w = ask_graph("pool", "MaxPool", DC_BUFFER, 0);
    CU_ASSERT_EQUAL(w.pairing, DC_NOT_EXPECTED);
}

static void namesakes_are_told_by_the_header_or_ambiguous(void)
{
    dc_opmap_want w = ask_graph("same", "Add", DC_OUTPUT, 0);
    check_none(&w, DC_AMBIGUOUS, "same");
    w = ask(graph, (tensor){"same", "Add", DC_OUTPUT, 0, "outer/same", 0, -1, ""});
    check(&w, DC_MATCH_HEADER, "outer/same:0");
}

static void left_out_entries_are_seen_by_type_and_shape(void)
{
    dc_opmap_want w = ask_graph("gaps", "Add", DC_INPUT, 0); /* a float32 of 4: the third */
    check(&w, DC_MATCH_NAME, "user/Cast:0");
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w.note), "input 0 in the file is input 2"));
    w = ask_graph("gaps", "Add", DC_INPUT, 2);
    check(&w, DC_MATCH_NAME, "user/Cast:0");
    CU_ASSERT_EQUAL(w.note, 0);
    w = ask_graph("gaps", "Add", DC_OUTPUT, 0);
    check_none(&w, DC_AMBIGUOUS, "output 0 in the file");
    w = ask_graph("gaps", "Add", DC_OUTPUT, 2);
    check(&w, DC_MATCH_NAME, "gaps:2");
}

/* Of three outputs, of 9, 4 and 4 elements, two were dumped. */
static void missing_entries_make_alike_ones_ambiguous(void)
{
    tensor x = {"gaps", "Add", DC_OUTPUT, 0, NULL, DC_UNSET, -1, ""};
    dc_opmap_want w = ask_counted(graph, x, 2); /* not the last: one has to follow */
    check(&w, DC_MATCH_NAME, "gaps:1");
    x.slot = 1;
    w = ask_counted(graph, x, 2);
    check_none(&w, DC_AMBIGUOUS, "output 1 in the file");
    w = ask_counted(graph, x, 3);
    check(&w, DC_MATCH_NAME, "gaps:1");
    x = (tensor){"gaps", "Add", DC_OUTPUT, 0, "orig", DC_UNSET, -1, ""};
    w = ask_counted(graph, x, 2);
    check(&w, DC_MATCH_HEADER, "orig:1");
    x.origin_slot = 7;
    w = ask_counted(graph, x, 2);
    check(&w, DC_MATCH_HEADER, "orig:7");
}

static void collectives_and_slices_are_special(void)
{
    dc_opmap_want w = ask_graph("hcom", "HcomAllReduce", DC_OUTPUT, 0);
    check(&w, DC_MATCH_NAME, "hcom:0");
    CU_ASSERT_EQUAL(w.missing, DC_NOT_EXPECTED);
    w = ask(NULL, (tensor){"conv_lxslice12", "Conv2D", DC_OUTPUT, 0, "conv", 0, -1, ""});
    CU_ASSERT_EQUAL(w.pairing, DC_NOT_COMPARABLE);
    w = ask(NULL, (tensor){"conv_lxslice", "Conv2D", DC_OUTPUT, 0, "conv", 0, -1, ""});
    CU_ASSERT_EQUAL(w.pairing, DC_PAIRED);
}

static void layout_names_are_corrected_by_shape(void)
{
    const dc_shape nhwc = {4, {2, 5, 6, 3}}, nchw = {4, {2, 3, 5, 6}}, other = {4, {2, 6, 5, 3}};
    CU_ASSERT_EQUAL(dc_opmap_correct_format(DC_FORMAT_NHWC, &nhwc, &nchw), DC_FORMAT_NCHW);
    CU_ASSERT_EQUAL(dc_opmap_correct_format(DC_FORMAT_NCHW, &nchw, &nhwc), DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(dc_opmap_correct_format(DC_FORMAT_NHWC, &nhwc, &nhwc), DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(dc_opmap_correct_format(DC_FORMAT_NHWC, &nhwc, &other), DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(dc_opmap_correct_format(DC_FORMAT_ND, &nhwc, &nchw), DC_FORMAT_ND);
}

static void operator_types_are_known(void)
{
    CU_ASSERT_TRUE(dc_optype_get("TransData")->inserted);
    CU_ASSERT_FALSE(dc_optype_get("Conv2D")->inserted);
    CU_ASSERT_TRUE(dc_optype_inserted("Cast", "trans_Cast_7"));
    CU_ASSERT_FALSE(dc_optype_inserted("Cast", "trans_layer/Cast"));
    CU_ASSERT_TRUE(dc_optype_collective("HcomAllGather"));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(the_header_wins_over_graph_and_name),
        DC_TEST(the_graph_names_the_fused_operators_output),
        DC_TEST(without_original_names_an_operator_is_its_own),
        DC_TEST(an_unsaid_fusion_takes_the_last_and_says_so),
        DC_TEST(inserted_operators_have_no_golden_whatever_their_header_says),
        DC_TEST(inputs_are_their_producers_outputs),
        DC_TEST(inputs_nothing_tells_about_are_not_expected),
        DC_TEST(namesakes_are_told_by_the_header_or_ambiguous),
        DC_TEST(left_out_entries_are_seen_by_type_and_shape),
        DC_TEST(missing_entries_make_alike_ones_ambiguous),
        DC_TEST(collectives_and_slices_are_special),
        DC_TEST(layout_names_are_corrected_by_shape),
        DC_TEST(operator_types_are_known),
    };
    if (dc_pool_new(&names) != DC_OK || dc_pool_new(&pool) != DC_OK ||
        dc_graph_parse(&graph, graph_text, sizeof graph_text - 1, "g.txt") != DC_OK) {
        fprintf(stderr, "%s\n", dc_last_error());
        return 2;
    }
    int code = dc_test_main("opmap", tests, DC_COUNT(tests));
    dc_graph_free(graph);
    dc_pool_free(names);
    dc_pool_free(pool);
    return code;
}
