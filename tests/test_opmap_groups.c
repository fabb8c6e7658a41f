/* tests/test_opmap_groups.c - groups of operators: one for several, several for one or several, L1
 * fusions, quantised pairs; and names that do not tell. */
#include "compare/graph_marks.h"
#include "compare/opmap.h"
#include "io/dtype.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORIGINALS(list)                                                                            \
    "attr { key: \"_datadump_original_op_names\" value { list { " list " val_type: "               \
    "VT_LIST_STRING } } }\n"
#define ORIGIN(name)                                                                               \
    "attr { key: \"_datadump_origin_name\" value { s: \"" name "\" } }\n"                          \
    "attr { key: \"_datadump_origin_output_index\" value { i: 0 } }\n"
#define L1                 "attr { key: \"_L1_fusion_sub_graph_no\" value { s: \"7\" } }\n"
#define MULTI              "attr { key: \"_datadump_is_multiop\" value { b: true } }\n"
#define OUT(dtype, origin) "output_desc { dtype: " dtype " " origin " }\n"

/* clang-format off */
static const char graph_text[] =
    "graph { name: \"g\"\n"
    /* one framework operator became two: only the second gives its output */
    "op { name: \"in\" type: \"Add\" id: 1 output_desc { dtype: DT_FLOAT } }\n"
    "op { name: \"ln/first\" type: \"Mul\" id: 2 input: \"in:0\" " ORIGINALS("s: \"ln\"")
    OUT("DT_FLOAT", "") "}\n"
    "op { name: \"ln/second\" type: \"Add\" id: 3 input: \"ln/first:0\" " ORIGINALS("s: \"ln\"")
    OUT("DT_FLOAT", ORIGIN("ln")) "}\n"
    /* the same, and the graph does not say it; an inserted operator carries the name too */
    "op { name: \"rnd/a\" type: \"RandomStandardNormal\" id: 3 input: \"in:0\" "
    ORIGINALS("s: \"rnd\"") OUT("DT_FLOAT", "") "}\n"
    "op { name: \"rnd/t\" type: \"TransData\" id: 3 input: \"rnd/a:0\" " ORIGINALS("s: \"\"")
    OUT("DT_FLOAT", ORIGIN("rnd")) "}\n"
    "op { name: \"rnd/b\" type: \"Add\" id: 3 input: \"rnd/t:0\" " ORIGINALS("s: \"rnd\"")
    OUT("DT_FLOAT", "") "}\n"
    "op { name: \"c5/Conv\" type: \"Conv2D\" id: 3 input: \"in:0\" " ORIGINALS("s: \"c5\"")
    OUT("DT_FLOAT", "") "}\n"
    "op { name: \"trans_TransData_4\" type: \"TransData\" id: 3 input: \"c5/Conv:0\" "
    ORIGINALS("s: \"\"") OUT("DT_FLOAT", ORIGIN("c5")) "}\n"
    "op { name: \"fork/a\" type: \"Add\" id: 3 input: \"in:0\" " ORIGINALS("s: \"fork\"")
    OUT("DT_FLOAT", "") "}\n"
    "op { name: \"fork/b\" type: \"Add\" id: 3 input: \"in:0\" " ORIGINALS("s: \"fork\"")
    OUT("DT_FLOAT", "") "}\n"
    /* two became two: the first is an inner operator */
    "op { name: \"mm/a\" type: \"Mul\" id: 4 input: \"in:0\" " ORIGINALS("s: \"m1\" s: \"m2\"") MULTI
    OUT("DT_FLOAT", "") "}\n"
    "op { name: \"mm/b\" type: \"Mul\" id: 5 input: \"mm/a:0\" " ORIGINALS("s: \"m1\" s: \"m2\"") MULTI
    OUT("DT_FLOAT", ORIGIN("m2")) "}\n"
    /* an L1 fusion of three */
    "op { name: \"l1/a\" type: \"Conv2D\" id: 6 input: \"in:0\" " ORIGINALS("s: \"c1\"") L1
    OUT("DT_FLOAT16", ORIGIN("c1")) "}\n"
    "op { name: \"l1/b\" type: \"Conv2D\" id: 7 input: \"l1/a:0\" " ORIGINALS("s: \"c2\"") L1
    OUT("DT_FLOAT16", ORIGIN("c2")) "}\n"
    "op { name: \"l1/c\" type: \"Conv2D\" id: 8 input: \"l1/b:0\" " ORIGINALS("s: \"c3\"") L1
    OUT("DT_FLOAT16", ORIGIN("c3")) "}\n"
    /* a quantised pair */
    "op { name: \"q/AscendQuant\" type: \"AscendQuant\" id: 9 input: \"in:0\" "
    ORIGINALS("s: \"q\"") OUT("DT_INT8", ORIGIN("q")) "}\n"
    "op { name: \"conv\" type: \"Conv2D\" id: 10 input: \"q/AscendQuant:0\" "
    ORIGINALS("s: \"conv\"") OUT("DT_INT32", ORIGIN("conv")) "}\n"
    "op { name: \"conv/AscendDequant\" type: \"AscendDequant\" id: 11 input: \"conv:0\" "
    ORIGINALS("s: \"conv/relu\"") OUT("DT_FLOAT16", ORIGIN("conv/relu")) "}\n"
    "op { name: \"after\" type: \"Relu\" id: 12 input: \"conv/AscendDequant:0\" "
    ORIGINALS("s: \"after\"") OUT("DT_FLOAT16", ORIGIN("after")) "}\n"
    "op { name: \"loss.quantile\" type: \"Sort\" id: 13 input: \"in:0\" "
    ORIGINALS("s: \"loss.quantile\"") OUT("DT_FLOAT", ORIGIN("loss.quantile")) "} }\n";
/* clang-format on */

static dc_pool *names, *pool;
static dc_graph *graph;
static uint8_t *marks;

typedef struct tensor {
    const char *op, *type, *origin;
    uint8_t direction;
    uint32_t inputs;
} tensor;

static uint32_t id_of(const char *text)
{
    uint32_t id;
    DC_ASSERT_OK(dc_pool_adds(&id, names, text ? text : ""));
    return id;
}

static dc_opmap_want ask(const dc_graph *g, tensor x)
{
    const dc_tensor t = {.op = id_of(x.op),
                         .op_type = id_of(x.type),
                         .direction = x.direction,
                         .shape = id_of("4"),
                         .original_shape = id_of("4"),
                         .dtype = DC_FLOAT32,
                         .origin_op = id_of(x.origin),
                         .origin_slot = DC_UNSET,
                         .origin_format = 255,
                         .bytes = 16};
    const dc_opmap_ask a = {
        .tensor = &t, .names = names, .graph = g, .marks = g ? marks : NULL, .inputs = x.inputs};
    dc_opmap_want w;
    DC_ASSERT_OK(dc_opmap_answer(&w, &a, pool));
    return w;
}

static void expect(const dc_opmap_want *w, const char *label)
{
    CU_ASSERT_EQUAL(w->pairing, DC_PAIRED);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(pool, w->label), label);
}

static void expect_none(const dc_opmap_want *w, dc_pairing pairing, const char *part)
{
    CU_ASSERT_EQUAL(w->pairing, pairing);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_pool_text(pool, w->reason), part));
}

static dc_opmap_want output(const char *op, const char *type)
{
    return ask(graph, (tensor){op, type, NULL, DC_OUTPUT, 0});
}

static dc_opmap_want input(const char *op, const char *type)
{
    return ask(graph, (tensor){op, type, NULL, DC_INPUT, 0});
}

static void of_several_for_one_the_graph_says_which_gives_its_output(void)
{
    dc_opmap_want w = output("ln/second", "Add");
    expect(&w, "ln:0");
    w = output("ln/first", "Mul");
    expect_none(&w, DC_FUSED_AWAY, "became several operators");
    w = input("ln/second", "Add");
    expect_none(&w, DC_FUSED_AWAY, "became several operators");
}

static void of_several_for_one_the_last_gives_its_output(void)
{
    dc_opmap_want w = output("rnd/b", "Add");
    expect(&w, "rnd:0");
    w = output("rnd/a", "RandomStandardNormal");
    expect_none(&w, DC_FUSED_AWAY, "became several operators");
    w = output("c5/Conv", "Conv2D"); /* the only one, but for what was inserted behind it */
    expect(&w, "c5:0");
    w = output("fork/b", "Add"); /* no last one */
    expect_none(&w, DC_FUSED_AWAY, "became several operators");
}

static void inner_operators_of_several_for_several_have_no_golden(void)
{
    dc_opmap_want w = output("mm/b", "Mul");
    expect(&w, "m2:0");
    w = output("mm/a", "Mul");
    expect_none(&w, DC_FUSED_AWAY, "inner tensor");
    w = input("mm/b", "Mul");
    expect_none(&w, DC_FUSED_AWAY, "inner tensor");
}

static void of_an_l1_fusion_the_ends_are_compared(void)
{
    dc_opmap_want w = output("l1/c", "Conv2D");
    expect(&w, "c3:0");
    w = output("l1/a", "Conv2D"); /* its original names differ from the last's */
    expect(&w, "c1:0");
    w = output("l1/b", "Conv2D");
    expect_none(&w, DC_FUSED_AWAY, "within an L1 fusion");
    w = ask(graph, (tensor){"l1/b", "Conv2D", "c2", DC_OUTPUT, 0}); /* whatever the header says */
    expect_none(&w, DC_FUSED_AWAY, "within an L1 fusion");
    w = input("l1/c", "Conv2D");
    expect_none(&w, DC_FUSED_AWAY, "within an L1 fusion");
}

static void between_quantising_and_dequantising_nothing_has_a_golden(void)
{
    dc_opmap_want w = input("q/AscendQuant", "AscendQuant");
    expect(&w, "in:0");
    w = output("q/AscendQuant", "AscendQuant");
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = input("conv", "Conv2D");
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = ask(graph, (tensor){"conv", "Conv2D", "conv", DC_OUTPUT, 0});
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = input("conv/AscendDequant", "AscendDequant");
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = output("conv/AscendDequant", "AscendDequant");
    expect(&w, "conv/relu:0");
    w = input("after", "Relu");
    expect(&w, "conv/relu:0");
    w = output("after", "Relu");
    expect(&w, "after:0");
}

static void msaccucmp_13_a_quantile_is_not_quantised(void)
{
    dc_opmap_want w = output("loss.quantile", "Sort");
    expect(&w, "loss.quantile:0");
}

static void without_a_graph_the_type_tells_what_is_quantised(void)
{
    dc_opmap_want w = ask(NULL, (tensor){"q", "AscendQuant", NULL, DC_OUTPUT, 1});
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = ask(NULL, (tensor){"d", "AscendDequant", NULL, DC_INPUT, 0});
    expect_none(&w, DC_NOT_EXPECTED, "quantised");
    w = ask(NULL, (tensor){"d", "AscendDequant", NULL, DC_OUTPUT, 2});
    expect(&w, "d:0");
}

static void an_input_too_many_means_that_the_name_does_not_tell(void)
{
    dc_opmap_want w = ask(NULL, (tensor){"c/Conv2D", "Conv2D", NULL, DC_OUTPUT, 3});
    expect_none(&w, DC_AMBIGUOUS, "fused into it");
    w = ask(NULL, (tensor){"c/Conv2D", "Conv2D", NULL, DC_OUTPUT, 2});
    expect(&w, "c/Conv2D:0");
    w = ask(NULL, (tensor){"c/Conv2D", "Conv2D", "c/BiasAdd", DC_OUTPUT, 3});
    expect(&w, "c/BiasAdd:0");
    w = ask(NULL, (tensor){"s/Select", "Select", NULL, DC_OUTPUT, 3});
    expect(&w, "s/Select:0");
}

static void rules_that_are_left_out_pair_nothing(void)
{
    const dc_tensor t = {.op = id_of("a"),
                         .op_type = id_of("Add"),
                         .direction = DC_OUTPUT,
                         .dtype = DC_FLOAT32,
                         .origin_op = id_of("b"),
                         .origin_slot = DC_UNSET,
                         .origin_format = 255};
    dc_opmap_ask a = {.tensor = &t, .names = names};
    dc_opmap_want w;
    DC_ASSERT_OK(dc_opmap_answer(&w, &a, pool));
    expect(&w, "b:0");
    a.ignore = 1u << DC_MATCH_HEADER;
    DC_ASSERT_OK(dc_opmap_answer(&w, &a, pool));
    expect(&w, "a:0");
    a.ignore |= 1u << DC_MATCH_NAME;
    DC_ASSERT_OK(dc_opmap_answer(&w, &a, pool));
    expect_none(&w, DC_NOT_EXPECTED, "left out");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(of_several_for_one_the_graph_says_which_gives_its_output),
        DC_TEST(of_several_for_one_the_last_gives_its_output),
        DC_TEST(inner_operators_of_several_for_several_have_no_golden),
        DC_TEST(of_an_l1_fusion_the_ends_are_compared),
        DC_TEST(between_quantising_and_dequantising_nothing_has_a_golden),
        DC_TEST(msaccucmp_13_a_quantile_is_not_quantised),
        DC_TEST(without_a_graph_the_type_tells_what_is_quantised),
        DC_TEST(an_input_too_many_means_that_the_name_does_not_tell),
        DC_TEST(rules_that_are_left_out_pair_nothing),
    };
    if (dc_pool_new(&names) != DC_OK || dc_pool_new(&pool) != DC_OK ||
        dc_graph_parse(&graph, graph_text, sizeof graph_text - 1, "ge_proto_1_Build.txt") !=
            DC_OK ||
        dc_graph_marks(&marks, graph) != DC_OK) {
        fprintf(stderr, "%s\n", dc_last_error());
        return 1;
    }
    int failed = dc_test_main("opmap_groups", tests, DC_COUNT(tests));
    free(marks);
    dc_graph_free(graph);
    dc_pool_free(names);
    dc_pool_free(pool);
    return failed;
}
