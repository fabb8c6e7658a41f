/* tests/test_align.c - pairing a catalog with golden files, by any number of processes. */
#include "io/dtype.h"
#include "tests/align_fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void names_headers_and_leftovers(void)
{
    static const char *const files[] = {"conv1_Relu.0.1733000000300000.npy", "fc_MatMul.0.5.npy",
                                        "fc_BiasAdx.0.5.npy", "input_Conv_0.1.9.npy"};
    static const dc_fix_row rows[] = {
        {.op = "conv1/Conv2Dconv1/Relu", .origin = "conv1/Relu"},
        {.op = "fc/MatMul"},
        {.op = "fc/BiasAdd"},
        {.op = "Conv_0", .direction = 1, .slot = 1},
        {.op = "Conv_0", .direction = 1, .slot = 2},
        {.op = "trans_TransData_4", .type = "TransData"},
        {.op = "reduce", .type = "HcomAllReduce"},
        {.op = "text", .dtype = DC_STRING},
        {.op = "iterator", .direction = 1, .dtype = DC_RESOURCE},
        {.op = "fc/MatMul", .direction = 2},
    };
    dc_fix_question q = {rows, DC_COUNT(rows), dc_fix_goldens(files, DC_COUNT(files)),
                         NULL, NULL,           NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "conv1/Conv2Dconv1/Relu.0#0 paired -> conv1_Relu.0.1733000000300000.npy "
                        "(conv1/Relu:0) 2x3 1 by 'header'");
    dc_fix_expect(text, "fc/MatMul.0#0 paired -> fc_MatMul.0.5.npy (fc/MatMul:0) 2x3 1 by 'name'");
    dc_fix_expect(text,
                  "fc/BiasAdd.0#0 no golden by 'name' format -1 [no golden file is called like "
                  "fc/BiasAdd:0]");
    dc_fix_expect(text, "Conv_0.1#0 paired -> input_Conv_0.1.9.npy");
    dc_fix_expect(text, "Conv_0.2#0 not expected by 'name' format -1 [without a graph nothing");
    dc_fix_expect(text, "line not expected net/Conv_0(Add) 0.2 ->  x1"); /* no name is known */
    dc_fix_expect(text, "trans_TransData_4.0#0 inserted");
    dc_fix_expect(text, "reduce.0#0 not expected");
    dc_fix_expect(text, "text.0#0 not comparable");
    dc_fix_expect(text, "iterator.0#0 not expected");
    dc_fix_expect(text, "-> fc/BiasAdd:0 x1 by 'name' first r0 s0 [no golden file is called like "
                        "fc/BiasAdd:0] {} near fc_BiasAdx:0");
    dc_fix_expect(text, "line unused /() 0.0 -> fc_BiasAdx:0 x1");
    dc_fix_expect(text, "unused 1 ignored 0 missing 0");
    dc_fix_expect(
        text, "\npaired 3\nno golden 1\ninserted 1\nfused 0\nnot comparable 1\nambiguous 0\nnot "
              "expected 4\n");
    free(text);
}

static void names_that_look_the_same_are_told_apart_or_ambiguous(void)
{
    const char *dir = dc_test_shared_dir();
    if (dc_test_par()->process == 0) {
        dc_fix_golden(dir, "a_b_c.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "a_b_c.0.2.npy", "5x7", 0);
        dc_fix_golden(dir, "d_e_f.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "g_h.i.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "g.h_i.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "k_l.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "m.n_o.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "r_s.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "r0s.0.1.npy", "2x3", 0);
        dc_fix_golden(dir, "m_n.o.0.1.npy", "9x9", 0);
    }
    dc_par_barrier(dc_test_par());
    static const dc_fix_row rows[] = {
        {.op = "a/b_c", .shape = "2x3"},
        {.op = "a_b/c", .shape = "7x5"},
        {.op = "d/e_f"},
        {.op = "d_e/f"},
        {.op = "g_h/i"}, /* neither file is as TensorFlow would call it */
        {.op = "k_l"},
        {.op = "k/l"}, /* exact name and look-alike */
        {.op = "r/s"},
        {.op = "r0s"}, /* stands between the two in order of letters */
        {.op = "r_s"},
        {.op = "m_n_o"}, /* as a file name has it: shape tells */
        {.op = "g/h.i"}, /* TensorFlow's way: g_h.i */
    };
    dc_fix_question q = {rows, DC_COUNT(rows), dir, NULL, NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, " a/b_c.0#0 paired -> a_b_c.0.1.npy");
    dc_fix_expect(text, " a_b/c.0#0 paired -> a_b_c.0.2.npy");
    dc_fix_expect(text, " d/e_f.0#0 ambiguous");
    dc_fix_expect(text,
                  " d_e/f.0#0 ambiguous by 'name' format -1 [the golden may be that of d_e/f or "
                  "that of d/e_f");
    dc_fix_expect(text, " k_l.0#0 paired -> k_l.0.1.npy");
    dc_fix_expect(text, " k/l.0#0 ambiguous");
    dc_fix_expect(text, " r/s.0#0 ambiguous");
    dc_fix_expect(text, " r0s.0#0 paired");
    dc_fix_expect(text, " r_s.0#0 paired");
    dc_fix_expect(text, " m_n_o.0#0 paired -> m.n_o.0.1.npy");
    dc_fix_expect(text, " g/h.i.0#0 paired -> g_h.i.0.1.npy");
    free(text);
}

static void names_look_the_same_whether_chosen_or_not(void)
{
    static const char *const files[] = {"d_e_f.0.1.npy", "p_q.0.1.npy"};
    static const dc_fix_row rows[] = {
        {.op = "d/e_f"}, {.op = "p/q"}, {.op = "p/q", .step = 1}, {.op = "d_e/f", .rank = 1}};
    static const uint8_t chosen[] = {1, 1, 0, 0};
    dc_fix_question q = {rows, DC_COUNT(rows), dc_fix_goldens(files, 2), NULL, NULL, chosen};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, " d/e_f.0#0 ambiguous");
    dc_fix_expect(text, " p/q.0#0 paired");
    free(text);
}

static void directories_by_rank_and_step(void)
{
    const char *dir = dc_test_shared_dir();
    char path[4096], pattern[4096];
    for (int rank = 0; dc_test_par()->process == 0 && rank < 5; rank++)
        for (int step = 0; step < 3; step++) {
            if (rank == 3 && step == 1)
                continue;
            snprintf(path, sizeof path, "%s/rank_%d/step_%d", dir, rank, step);
            dc_fix_golden(path, "x_y.0.1.npy", "2x3", 0);
            dc_fix_golden(path, rank == 2 ? "z.0.1.npy" : "z.1.1.npy", "2x3", 0);
        }
    dc_par_barrier(dc_test_par());
    dc_fix_row rows[30];
    size_t n = 0;
    for (int rank = 0; rank < 5; rank++)
        for (int step = 1; step < 4; step++)
            for (int k = 0; k < 2; k++)
                rows[n++] = (dc_fix_row){.rank = rank, .step = step, .op = k ? "z" : "x/y"};
    snprintf(pattern, sizeof pattern, "%s/rank_{rank}/step_{step}", dir);
    dc_fix_question q = {rows, n, pattern, "-1", NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "\nline paired net/x/y(Add) 1.0 -> x/y:0 x14");
    dc_fix_expect(text,
                  "r3 s2 x/y.0#0 no golden by 'name' format -1 [the golden directory of this rank "
                  "and step is missing]");
    dc_fix_expect(text, "/rank_3/step_1 is missing");
    dc_fix_expect(text, "line paired net/z(Add) 1.0 -> z:0 x3 by 'name' first r2 s1");
    dc_fix_expect(text, "line unused /() 0.0 -> z:1 x11");
    dc_fix_expect(text, "unused 11 ignored 0 missing 1");
    free(text);
    rows[0].step = -1;
    q.steps = "1=2";
    text = dc_fix_answer(&q);
    dc_fix_expect(text,
                  "r0 s2 x/y.0#0 not expected by 'name' format -1 [the step map leaves this step "
                  "out]");
    free(text);
}

static void rows_that_are_not_chosen_take_no_part(void)
{
    static const char *const files[] = {"p.0.1.npy", "q.0.1.npy", "not-a-golden.txt.npy.bak"};
    static const dc_fix_row rows[] = {{.op = "p"}, {.op = "q"}};
    static const uint8_t chosen[] = {0, 1};
    dc_fix_question q = {rows, 2, dc_fix_goldens(files, 3), NULL, NULL, chosen};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "0 r0 s0 p.0#0 not chosen");
    dc_fix_expect(text, "line unused /() 0.0 -> p:0 x1");
    dc_fix_expect(text, "unused 1 ignored 1 missing 0");
    dc_fix_expect(text,
                  "1 of its files are no goldens (not-a-golden.txt.npy.bak: not a .npy file)");
    free(text);
}

static void unreadable_goldens_are_rows_with_a_reason(void)
{
    static const char *const files[] = {"ok.0.1.npy", "text.0.1.npy"};
    static const dc_fix_row rows[] = {
        {.op = "bad"}, {.op = "ok"}, {.op = "text", .dtype = DC_STRING}};
    const char *dir = dc_fix_goldens(files, 2);
    if (dc_test_par()->process == 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/bad.0.1.npy", dir);
        FILE *f = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fputs("this is no array", f);
        fclose(f);
    }
    dc_par_barrier(dc_test_par());
    dc_fix_question q = {rows, DC_COUNT(rows), dir, NULL, NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "bad.0#0 not comparable by 'name' format -1 [");
    dc_fix_expect(text, "text.0#0 not comparable by 'name' format -1 [tensors of this type");
    dc_fix_expect(text, "unused 0 ignored 0");
    dc_fix_expect(text, "bad.0.1.npy");
    dc_fix_expect(text, "ok.0#0 paired");
    dc_fix_expect(text, "[its golden file cannot be read]");
    free(text);
}

static void a_missing_plain_directory_ends_the_phase(void)
{
    static const dc_fix_row rows[] = {{.op = "p"}};
    dc_fix_question q = {rows, 1, "/no/such/golden", NULL, NULL, NULL};
    char *text;
    CU_ASSERT_EQUAL(dc_fix_align(&text, &q, dc_test_par()), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "/no/such/golden"));
    q.golden = "/tmp/{host}";
    CU_ASSERT_EQUAL(dc_fix_align(&text, &q, dc_test_par()), DC_EARG);
}

static void the_graph_tells_inputs_and_explains_leftovers(void)
{
    static const char graph_text[] =
        "graph { name: \"net\"\n"
        "op { name: \"x\" type: \"Data\" output_desc { } }\n"
        "op { name: \"fused\" type: \"Conv2D\" input: \"x:0\" attr { key: "
        "\"_datadump_original_op_names\" value { list { s: \"c/Conv2D\" s: \"c/Relu\" } } }\n"
        "  output_desc { attr { key: \"_datadump_origin_name\" value { s: \"c/Relu\" } }\n"
        "    attr { key: \"_datadump_origin_output_index\" value { i: 0 } } } }\n"
        "op { name: \"idle\" type: \"Add\" attr { key: \"_no_task\" value { b: true } } "
        "output_desc { } }\n"
        "op { name: \"undumped\" type: \"Add\" output_desc { } }\n"
        "op { name: \"choice\" type: \"If\" input: \"fused:0\" subgraph_name: \"yes\" }\n"
        "op { name: \"next\" type: \"Add\" input: \"fused:0\" output_desc { } } }\n"
        "graph { name: \"yes\" op { name: \"branch\" type: \"PartitionedCall\" "
        "subgraph_name: \"deep\" } }\n"
        "graph { name: \"deep\" op { name: \"taken\" type: \"Add\" output_desc { } } }\n";
    static const char *const files[] = {"c_Relu.0.1.npy", "c_Conv2D.0.1.npy", "x.0.1.npy",
                                        "taken.0.1.npy",  "idle.0.1.npy",     "undumped.0.1.npy",
                                        "next.0.1.npy"};
    static const dc_fix_row rows[] = {{.op = "fused", .direction = 1},
                                      {.op = "fused"},
                                      {.op = "next", .direction = 1},
                                      {.op = "next"}};
    dc_graph *graph;
    DC_ASSERT_OK(dc_graph_parse(&graph, graph_text, sizeof graph_text - 1, "g.txt"));
    dc_fix_question q = {rows, DC_COUNT(rows), dc_fix_goldens(files, DC_COUNT(files)),
                         NULL, graph,          NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "0 r0 s0 fused.0#0 paired -> x.0.1.npy");
    dc_fix_expect(text, "1 r0 s0 fused.0#0 paired -> c_Relu.0.1.npy (c/Relu:0) 2x3 1 by 'graph'");
    dc_fix_expect(text, "2 r0 s0 next.0#0 paired -> c_Relu.0.1.npy");
    dc_fix_expect(text, "unused /() 0.0 -> c_Conv2D:0 x1 by '' first r-1 s-1 [fused into fused]");
    dc_fix_expect(text, "-> idle:0 x1 by '' first r-1 s-1 [idle, of type Add, never dumps]");
    dc_fix_expect(text, "[its operator undumped is in the graph but not in the dump]");
    dc_fix_expect(text, "[its operator taken is not in the dump: choice, of type If, decides "
                        "whether it runs]");
    free(text);
    dc_graph_free(graph);
}

static void a_large_job_is_the_same_for_every_number_of_processes(void)
{
    enum { RANKS = 13, OPS = 40 };
    const char *dir = dc_test_shared_dir();
    static char op[OPS][32];
    static dc_fix_row rows[RANKS * OPS * 2];
    char name[64];
    size_t n = 0;
    for (int i = 0; i < OPS; i++) {
        snprintf(op[i], sizeof op[i], "layer_%d/op%d", i % 7, i);
        snprintf(name, sizeof name, "layer_%d_op%d.%d.1.npy", i % 7, i, i % 5 == 3);
        if (dc_test_par()->process == 0 && i % 11 != 2)
            dc_fix_golden(dir, name, "2x3", 0);
    }
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < OPS; i++)
            for (uint32_t k = 0; k < 2; k++)
                rows[n++] = (dc_fix_row){.rank = rank, .op = op[i], .occurrence = k};
    dc_par_barrier(dc_test_par());
    dc_fix_question q = {rows, n, dir, NULL, NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "-> layer_0/op0:0 x13 by 'name' first r0 s0");
    free(text);
}

static void of_many_messages_a_few_are_kept(void)
{
    static dc_fix_row rows[9];
    for (int i = 0; i < 9; i++)
        rows[i] = (dc_fix_row){.rank = i, .op = "p"};
    dc_fix_question q = {rows, 9, "/no/such/rank_{rank}", NULL, NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "message golden directory /no/such/rank_4 is missing");
    CU_ASSERT_PTR_NULL(strstr(text, "message golden directory /no/such/rank_5"));
    dc_fix_expect(text, "message and the like of 4 more golden directories");
    dc_fix_expect(text, "missing 9");
    free(text);
}

static void one_failing_process_fails_all(void)
{
    static const char *const files[] = {"p.0.1.npy", "q.0.1.npy"};
    static const dc_fix_row rows[] = {{.op = "p"}, {.op = "q"}, {.rank = 1, .op = "p"}};
    dc_fix_question q = {rows, 3, dc_fix_goldens(files, 2), NULL, NULL, NULL};
    char *text;
    DC_ASSERT_FAULT(DC_ENOMEM, "route.send", 8, dc_fix_align(&text, &q, dc_test_par()));
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(names_headers_and_leftovers),
        DC_TEST(names_that_look_the_same_are_told_apart_or_ambiguous),
        DC_TEST(names_look_the_same_whether_chosen_or_not),
        DC_TEST(directories_by_rank_and_step),
        DC_TEST(rows_that_are_not_chosen_take_no_part),
        DC_TEST(unreadable_goldens_are_rows_with_a_reason),
        DC_TEST(a_missing_plain_directory_ends_the_phase),
        DC_TEST(the_graph_tells_inputs_and_explains_leftovers),
        DC_TEST(a_large_job_is_the_same_for_every_number_of_processes),
        DC_TEST(of_many_messages_a_few_are_kept),
        DC_TEST(one_failing_process_fails_all),
    };
    return dc_test_main_mpi("align", tests, DC_COUNT(tests));
}
