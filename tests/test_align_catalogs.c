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
} two_sides;

static dc_status align_two(char **text, const two_sides *q, const dc_par *par)
{
    dc_catalog c, g;
    dc_alignment a;
    dc_step_map steps;
    dc_fix_catalog(&c, q->npu, q->n, par);
    dc_fix_catalog(&g, q->golden, q->m, par);
    DC_ASSERT_OK(dc_step_map_parse(&steps, q->steps ? q->steps : ""));
    const dc_align_ask ask = {.npu = &c, .steps = &steps};
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
    if (!together || !alone)
        exit(2);
    CU_ASSERT_STRING_EQUAL(together, alone);
    free(alone);
    return together;
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
    two_sides q = {npu, golden, DC_COUNT(npu), DC_COUNT(golden), "-1", chosen};
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
    two_sides q = {npu, golden, 2, 2, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "\npaired 0\nno golden 2\n");
    dc_fix_expect(text, "line unused /() 0.0 -> a:output:0 x2 by '' first r0 s1");
    free(text);
}

static void models_count_where_there_are_several(void)
{
    static const dc_fix_row npu[] = {{.op = "a"}, {.op = "a", .model = "second"}};
    static const dc_fix_row golden[] = {{.op = "a", .model = "second", .dtype = DC_FLOAT16}};
    two_sides q = {npu, golden, 2, 1, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "0 r0 s0 a.0#0 no golden");
    dc_fix_expect(text, "1 r0 s0 a.0#0 paired ->  (a:output:0) 2x3 2");
    free(text);
}

static void handles_and_strings_are_not_compared(void)
{
    static const dc_fix_row npu[] = {{.op = "i", .dtype = DC_RESOURCE}, {.op = "s"}};
    static const dc_fix_row golden[] = {{.op = "i", .dtype = DC_RESOURCE},
                                        {.op = "s", .dtype = DC_STRING}};
    two_sides q = {npu, golden, 2, 2, NULL, NULL};
    char *text = answer_two(&q);
    dc_fix_expect(text, "i.0#0 not expected");
    dc_fix_expect(text, "s.0#0 not comparable by 'store' format -1 [the golden side has no data");
    dc_fix_expect(text, "unused 0 ");
    free(text);
}

static void one_failing_process_fails_all(void)
{
    static const dc_fix_row rows[] = {{.op = "a"}, {.op = "b"}, {.rank = 1, .op = "a"}};
    two_sides q = {rows, rows, 3, 3, NULL, NULL};
    const dc_par *par = dc_test_par();
    for (int bad = 0; bad < par->processes; bad++)
        for (int count = 1; count <= 8; count++) {
            char spec[64], *text;
            snprintf(spec, sizeof spec, "route.send@%d:%d", bad, count);
            dc_fault_arm(spec);
            CU_ASSERT_EQUAL(align_two(&text, &q, par), DC_ENOMEM);
            dc_fault_arm(NULL);
        }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(two_dumps_are_paired_by_identity),
        DC_TEST(steps_without_a_partner_have_no_golden),
        DC_TEST(models_count_where_there_are_several),
        DC_TEST(handles_and_strings_are_not_compared),
        DC_TEST(one_failing_process_fails_all),
    };
    return dc_test_main_mpi("align_catalogs", tests, DC_COUNT(tests));
}
