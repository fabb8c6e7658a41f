/* tests/test_align_catalogs.c - pairing two catalogs of NPU tensors, by any number of processes. */
#include "compare/align.h"
#include "io/dtype.h"
#include "tests/align_fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct two_sides {
    const dc_fix_row *npu, *golden;
    uint64_t n, m;
    const char *steps;
    const uint8_t *golden_chosen; /* [m] */
    const dc_graph *graph;        /* of the NPU side */
} two_sides;

static dc_status give_graph(void *context, const dc_graph **out, uint64_t *id, int32_t rank,
                            const char *model_dir)
{
    (void)rank;
    (void)model_dir;
    *out = context;
    *id = 1;
    return DC_OK;
}

static dc_status align_two(char **text, const two_sides *q, const dc_par *par)
{
    dc_catalog c, g;
    dc_alignment a;
    dc_step_map steps;
    dc_fix_catalog(&c, q->npu, q->n, par);
    dc_fix_catalog(&g, q->golden, q->m, par);
    DC_ASSERT_OK(dc_step_map_parse(&steps, q->steps ? q->steps : ""));
    const dc_align_ask ask = {
        .npu = &c,
        .steps = &steps,
        .graphs = {(void *)q->graph, q->graph ? give_graph : NULL}, /* NOLINT: only handed back */
    };
    const uint8_t *chosen = q->golden_chosen ? q->golden_chosen + g.first : NULL;
    dc_status st = dc_align_catalogs(&a, &ask, &g, chosen, par);
    *text = st == DC_OK ? dc_fix_print(&a, &c, par) : NULL;
    dc_alignment_fini(&a);
    dc_step_map_fini(&steps);
    dc_fix_catalog_fini(&c);
    dc_fix_catalog_fini(&g);
    return st;
}

static char *answer_two(const two_sides *q)
{
    char *together = NULL, *alone = NULL;
    dc_par single;
    dc_par_single(&single);
    DC_ASSERT_OK(align_two(&together, q, dc_test_par()));
    DC_ASSERT_OK(align_two(&alone, q, &single));
    return dc_fix_agreed(together, alone);
}

static void two_dumps_are_paired_by_identity(void)
{
    static const dc_fix_row npu[] = {
        {.op = "a/b", .step = 2},
        {.op = "a/b", .step = 2, .occurrence = 1},
        {.op = "a/b", .step = 2, .direction = 1, .slot = 3},
        {.op = "c", .step = 2, .direction = 2},
        {.op = "trans_Cast_7", .type = "Cast", .step = 2},
        {.op = "u/v_w", .step = 2},
        {.op = "u_v/w", .step = 2},
        {.op = "only", .step = 2},
        {.rank = 1, .op = "a/b", .step = 2},
        {.rank = 1, .op = "x.y", .step = 2},
    };
    static const dc_fix_row golden[] = {
        {.op = "a/b", .step = 1, .model = "other"},
        {.op = "a/b", .step = 1, .direction = 1, .slot = 3, .model = "other"},
        {.op = "u_v_w", .step = 1, .model = "other"},
        {.op = "orphan", .step = 1, .model = "other"},
        {.op = "hidden", .step = 1, .model = "other"},
        {.rank = 1, .op = "a/b", .step = 1, .dtype = DC_FLOAT16, .model = "other"},
        {.rank = 1, .op = "x_y", .step = 1, .model = "other"},
    };
    static const uint8_t chosen[] = {1, 1, 1, 1, 0, 1, 1};
    two_sides q = {npu, golden, DC_COUNT(npu), DC_COUNT(golden), "-1", chosen, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s2 a/b.0#0 paired ->  (a/b:output:0) 2x3 1 by 'store'");
    dc_fix_expect(text, "1 r0 s2 a/b.0#1 no golden");
    dc_fix_expect(text, "2 r0 s2 a/b.3#0 paired ->  (a/b:input:3) 2x3 1");
    dc_fix_expect(text, "3 r0 s2 c.0#0 not expected");
    dc_fix_expect(text, "4 r0 s2 trans_Cast_7.0#0 inserted");
    dc_fix_expect(text, "5 r0 s2 u/v_w.0#0 ambiguous");
    dc_fix_expect(text, "6 r0 s2 u_v/w.0#0 ambiguous");
    dc_fix_expect(text, "8 r1 s2 a/b.0#0 paired ->  (a/b:output:0) 2x3 2");
    dc_fix_expect(text, "9 r1 s2 x.y.0#0 paired ->  (x_y:output:0)");
    dc_fix_expect(text, "line unused /() 0.0 -> orphan:output:0 x1 by '' first r0 s1");
    CU_ASSERT_PTR_NULL(strstr(text, "hidden"));
    free(text);
}

static void steps_without_a_partner_have_no_golden(void)
{
    static const dc_fix_row npu[] = {{.op = "a", .step = 2}, {.rank = 3, .op = "a", .step = 2}};
    static const dc_fix_row golden[] = {{.op = "a", .step = 1}, {.rank = 2, .op = "a", .step = 2}};
    two_sides q = {npu, golden, 2, 2, NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "\npaired 0\nno golden 2\n");
    dc_fix_expect(text, "line unused /() 0.0 -> a:output:0 x2 by '' first r0 s1");
    free(text);
}

static void models_count_where_there_are_several(void)
{
    static const dc_fix_row npu[] = {{.op = "a"}, {.op = "a", .model = "second"}};
    static const dc_fix_row golden[] = {{.op = "a", .model = "second", .dtype = DC_FLOAT16}};
    two_sides q = {npu, golden, 2, 1, NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s0 a.0#0 no golden");
    dc_fix_expect(text, "1 r0 s0 a.0#0 paired ->  (a:output:0) 2x3 2");
    free(text);
}

/* With BiasAdd fused into the convolution on one side, its name is that of another operator's. */
static void outputs_go_by_their_original_operator(void)
{
    static const dc_fix_row fused[] = {
        {.op = "c1/Conv2Dc1/Relu", .type = "Conv2D", .direction = 1},
        {.op = "c1/Conv2Dc1/Relu", .type = "Conv2D", .origin = "c1/Relu"},
        {.op = "c2/Conv2D", .type = "Conv2D", .direction = 1},
        {.op = "c2/Conv2D", .type = "Conv2D", .origin = "c2/BiasAdd"},
        {.op = "c3.x", .origin = "c3/y.z"},
        {.op = "h/Hcom", .type = "HcomAllReduce"},
        {.op = "known/MatMul", .origin = "known/BiasAdd"},
        {.op = "trans_TransData_4", .type = "TransData", .origin = "c2/BiasAdd"},
    };
    static const dc_fix_row plain[] = {
        {.op = "c1/Conv2D", .type = "Conv2D", .origin = "c1/Conv2D"},
        {.op = "c1/Relu", .origin = "c1/Relu", .dtype = DC_FLOAT16},
        {.op = "c2/BiasAdd", .dtype = DC_FLOAT16},
        {.op = "c2/Conv2D", .type = "Conv2D", .direction = 1},
        {.op = "c2/Conv2D", .type = "Conv2D", .origin = "c2/Conv2D"},
        {.op = "c3", .origin = "c3_y_z"},
        {.op = "h/Hcom", .type = "HcomAllReduce"},
        {.op = "known/MatMul"},
        {.op = "trans_TransData_4", .type = "TransData", .origin = "c1/Conv2D"},
    };
    two_sides q = {fused, plain, DC_COUNT(fused), DC_COUNT(plain), NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s0 c1/Conv2Dc1/Relu.0#0 not expected");
    dc_fix_expect(text, "1 r0 s0 c1/Conv2Dc1/Relu.0#0 paired ->  (c1/Relu:output:0) 2x3 2 by "
                        "'header'");
    dc_fix_expect(text, "2 r0 s0 c2/Conv2D.0#0 paired ->  (c2/Conv2D:input:0) 2x3 1 by 'store'");
    dc_fix_expect(text, "3 r0 s0 c2/Conv2D.0#0 paired ->  (c2/BiasAdd:output:0) 2x3 2 by 'header'");
    dc_fix_expect(text, "4 r0 s0 c3.x.0#0 paired ->  (c3:output:0)");
    dc_fix_expect(text, "5 r0 s0 h/Hcom.0#0 paired ->  (h/Hcom:output:0) 2x3 1 by 'store'");
    dc_fix_expect(text, "6 r0 s0 known/MatMul.0#0 paired ->  (known/MatMul:output:0) 2x3 1 by "
                        "'store' format -1 [] {only one side says");
    dc_fix_expect(text, "7 r0 s0 trans_TransData_4.0#0 inserted");
    CU_ASSERT_PTR_NULL(strstr(text, "line unused /() 0.0 -> trans_"));
    free(text);
    two_sides back = {plain, fused, DC_COUNT(plain), DC_COUNT(fused), NULL, NULL, NULL};
    text = answer_two(&back);
    dc_fix_expect(text, "2 r0 s0 c2/BiasAdd.0#0 paired ->  (c2/Conv2D:output:0) 2x3 1 by 'header'");
    dc_fix_expect(text,
                  "0 r0 s0 c1/Conv2D.0#0 no golden by '' format -1 [the golden side, compiled "
                  "differently, has no output of this operator");
    dc_fix_expect(text, "4 r0 s0 c2/Conv2D.0#0 fused by '' format -1 [the golden side's operator "
                        "of this name gives another");
    free(text);
}

static void the_graph_tells_where_headers_do_not(void)
{
    static const char graph_text[] =
        "graph { name: \"net\"\n"
        "op { name: \"c/Conv2D\" type: \"Conv2D\" attr { key: "
        "\"_datadump_original_op_names\" value { list { s: \"c/Conv2D\" s: \"c/BiasAdd\" } } }\n"
        "  output_desc { attr { key: \"_datadump_origin_name\" value { s: \"c/BiasAdd\" } } } } "
        "}\n";
    static const dc_fix_row fused[] = {{.op = "c/Conv2D", .type = "Conv2D"}};
    static const dc_fix_row plain[] = {
        {.op = "c/BiasAdd", .dtype = DC_FLOAT16},
        {.op = "c/Conv2D", .type = "Conv2D"},
    };
    dc_graph *graph;
    DC_ASSERT_OK(dc_graph_parse(&graph, graph_text, sizeof graph_text - 1, "g.txt"));
    two_sides q = {fused, plain, 1, 2, NULL, NULL, graph};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s0 c/Conv2D.0#0 paired ->  (c/BiasAdd:output:0) 2x3 2 by 'graph'");
    dc_fix_expect(text, "-> c/Conv2D:output:0 x1 by '' first r0 s0 [fused into c/Conv2D]");
    free(text);
    dc_graph_free(graph);
}

static void one_build_pairs_what_was_inserted(void)
{
    static const dc_fix_row rows[] = {
        {.op = "a", .origin = "x"},
        {.op = "b", .origin = "x"},
        {.op = "trans_TransData_4", .type = "TransData", .origin = "x"},
    };
    two_sides q = {rows, rows, DC_COUNT(rows), DC_COUNT(rows), NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "\npaired 3\nno golden 0\n");
    dc_fix_expect(text, "1 r0 s0 b.0#0 paired ->  (b:output:0)");
    free(text);
}

/* A blacklist on one side: its first input may be the second. */
static void places_count_where_as_many_were_dumped(void)
{
    static const dc_fix_row npu[] = {
        {.op = "a", .direction = 1}, {.op = "a", .origin = "b"}, {.op = "c", .direction = 1}};
    static const dc_fix_row golden[] = {{.op = "a", .direction = 1},
                                        {.op = "a", .direction = 1, .slot = 1},
                                        {.op = "a", .origin = "b"},
                                        {.op = "a", .origin = "b", .slot = 1},
                                        {.op = "c", .direction = 1}};
    two_sides q = {npu, golden, DC_COUNT(npu), DC_COUNT(golden), NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s0 a.0#0 ambiguous by '' format -1 [one side has dumped fewer");
    dc_fix_expect(text, "1 r0 s0 a.0#0 paired ->  (a:output:0)");
    dc_fix_expect(text, "2 r0 s0 c.0#0 paired ->  (c:input:0)");
    free(text);
}

static void handles_and_strings_are_not_compared(void)
{
    static const dc_fix_row npu[] = {{.op = "i", .dtype = DC_RESOURCE}, {.op = "s"}};
    static const dc_fix_row golden[] = {{.op = "i", .dtype = DC_RESOURCE},
                                        {.op = "s", .dtype = DC_STRING}};
    two_sides q = {npu, golden, 2, 2, NULL, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "i.0#0 not expected");
    dc_fix_expect(text, "s.0#0 not comparable by 'store' format -1 [the other side has no data: "
                        "tensors of this type");
    dc_fix_expect(text, "unused 0 ");
    free(text);
}

static void one_failing_process_fails_all(void)
{
    static const dc_fix_row rows[] = {{.op = "a"}, {.op = "b"}, {.rank = 1, .op = "a"}};
    two_sides q = {rows, rows, 3, 3, NULL, NULL, NULL};
    char *text;
    DC_ASSERT_FAULT(DC_ENOMEM, "route.send", 8, align_two(&text, &q, dc_test_par()));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(two_dumps_are_paired_by_identity),
        DC_TEST(steps_without_a_partner_have_no_golden),
        DC_TEST(models_count_where_there_are_several),
        DC_TEST(outputs_go_by_their_original_operator),
        DC_TEST(the_graph_tells_where_headers_do_not),
        DC_TEST(one_build_pairs_what_was_inserted),
        DC_TEST(places_count_where_as_many_were_dumped),
        DC_TEST(handles_and_strings_are_not_compared),
        DC_TEST(one_failing_process_fails_all),
    };
    return dc_test_main_mpi("align_catalogs", tests, DC_COUNT(tests));
}
