/* tests/test_executions.c - which of several goldens of one name is a tensor's, by any number of
 * processes. */
#include "tests/align_fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>

static void executions_are_paired_in_order_of_time(void)
{
    static const char *const files[] = {"loop.0.1733000000300072.npy",
                                        "loop.0.1733000000300070.npy",
                                        "loop.0.1733000000300071.npy",
                                        "once.0.3.npy",
                                        "twice.0.10.npy",
                                        "twice.0.9.npy"};
    static const dc_fix_row rows[] = {
        {.op = "loop", .occurrence = 0}, {.op = "loop", .occurrence = 1},
        {.op = "loop", .occurrence = 2}, {.op = "once", .occurrence = 0},
        {.op = "once", .occurrence = 1}, {.op = "twice"},
    };
    dc_fix_question q = {rows, DC_COUNT(rows), dc_fix_goldens(files, DC_COUNT(files)),
                         NULL, NULL,           NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "loop.0#0 paired -> loop.0.1733000000300070.npy");
    dc_fix_expect(text,
                  "loop.0#2 paired -> loop.0.1733000000300072.npy (loop:0) 2x3 1 by 'name' format "
                  "-1 [] {golden 3 of 3 by time}");
    dc_fix_expect(text,
                  "once.0#1 no golden by 'name' format -1 [the golden has 1 execution of once:0, "
                  "this is number 2]");
    dc_fix_expect(
        text, "twice.0#0 paired -> twice.0.9.npy (twice:0) 2x3 1 by 'name' format -1 [] {golden "
              "1 of 2 by time}");
    dc_fix_expect(text, "line unused /() 0.0 -> twice:0 x1 by '' first r-1 s-1 [the NPU ran");
    free(text);
}

/* One directory has the goldens of all steps: the k-th step's are the k-th by time. */
static void executions_of_all_steps_are_dealt_to_the_steps(void)
{
    static const char *const files[] = {
        "each.0.70.npy", "each.0.71.npy", "each.0.72.npy", "loop.0.71.npy", "loop.0.72.npy",
        "loop.0.73.npy", "loop.0.74.npy", "loop.0.75.npy", "loop.0.76.npy", "body.0.7.npy",
        "body.0.8.npy",  "some.0.7.npy",  "some.0.8.npy",  "only.0.9.npy"};
    static const dc_fix_row rows[] = {
        {.op = "body", .step = 4},
        {.op = "body", .step = 4, .occurrence = 1},
        {.op = "each", .step = 4},
        {.op = "loop", .step = 4},
        {.op = "loop", .step = 4, .occurrence = 1},
        {.op = "only", .step = 4},
        {.op = "some", .step = 4},
        {.op = "body", .step = 9},
        {.op = "body", .step = 9, .occurrence = 1},
        {.op = "each", .step = 9},
        {.op = "loop", .step = 9},
        {.op = "loop", .step = 9, .occurrence = 1},
        {.op = "only", .step = 9},
        {.op = "each", .step = 10},
        {.run = 1, .op = "each", .step = 11},
    };
    static const uint8_t chosen[] = {1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0};
    dc_fix_question q = {rows, DC_COUNT(rows), dc_fix_goldens(files, DC_COUNT(files)),
                         NULL, NULL,           chosen};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "s4 each.0#0 paired -> each.0.70.npy");
    dc_fix_expect(text, "s9 each.0#0 paired -> each.0.71.npy");
    dc_fix_expect(text, "s10 each.0#0 paired -> each.0.72.npy (each:0) 2x3 1 by 'name' format -1 "
                        "[] {golden 3 of 3 by time}");
    dc_fix_expect(text, "line paired net/each(Add) 1.0 -> each:0 x3 by 'name' first r0 s4 [] {3 "
                        "goldens of this name, in order of time}");
    dc_fix_expect(text, "s4 loop.0#1 paired -> loop.0.72.npy");
    dc_fix_expect(text, "s9 loop.0#1 paired -> loop.0.74.npy"); /* its first is not chosen */
    dc_fix_expect(text, "s9 body.0#1 paired -> body.0.8.npy");  /* one golden for all steps */
    dc_fix_expect(text, "s9 only.0#0 paired -> only.0.9.npy");
    dc_fix_expect(text, "s4 some.0#0 ambiguous by 'name' format -1 [the golden directory has 2 "
                        "executions of some:0 for 3 steps");
    free(text);
    q.steps = "4=1,9=0"; /* the golden's steps by number; a loop's go together */
    text = dc_fix_answer(&q);
    dc_fix_expect(text, "s4 each.0#0 paired -> each.0.71.npy");
    dc_fix_expect(text, "s9 each.0#0 paired -> each.0.70.npy");
    dc_fix_expect(text, "s4 loop.0#0 paired -> loop.0.73.npy");
    dc_fix_expect(text, "s9 loop.0#1 paired -> loop.0.72.npy");
    dc_fix_expect(text, "s4 some.0#0 paired -> some.0.8.npy");
    dc_fix_expect(text, "s10 each.0#0 not expected");
    free(text);
}

/* Each rank's directory has the steps that this rank dumped. */
static void steps_are_those_of_the_rank_whose_directory_it_is(void)
{
    static const dc_fix_row rows[] = {
        {.op = "a", .step = 0},
        {.op = "a", .step = 1},
        {.op = "a", .step = 2},
        {.rank = 1, .op = "a", .step = 1},
        {.rank = 1, .op = "a", .step = 2},
    };
    char pattern[4096], dir[4096];
    const char *root = dc_test_shared_dir();
    for (int rank = 0; rank < 2 && dc_test_par()->process == 0; rank++)
        for (int k = rank; k < 3; k++) {
            char name[32];
            snprintf(dir, sizeof dir, "%s/r%d", root, rank);
            snprintf(name, sizeof name, "a.0.7%d.npy", k);
            dc_fix_golden(dir, name, "2x3", 0);
        }
    dc_par_barrier(dc_test_par());
    snprintf(pattern, sizeof pattern, "%s/r{rank}", root);
    dc_fix_question q = {rows, DC_COUNT(rows), pattern, NULL, NULL, NULL};
    char *text = dc_fix_answer(&q);
    dc_fix_expect(text, "r0 s2 a.0#0 paired -> a.0.72.npy");
    dc_fix_expect(text, "r1 s1 a.0#0 paired -> a.0.71.npy");
    dc_fix_expect(text, "r1 s2 a.0#0 paired -> a.0.72.npy");
    free(text);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(executions_are_paired_in_order_of_time),
        DC_TEST(executions_of_all_steps_are_dealt_to_the_steps),
        DC_TEST(steps_are_those_of_the_rank_whose_directory_it_is),
    };
    return dc_test_main_mpi("executions", tests, DC_COUNT(tests));
}
