/* tests/test_across.c - ranks against each other: who deviates, what is read for it, the same for
 * any number of processes. */
#include "compare/across.h"
#include "tests/fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 4

/* An all-reduce of every rank; value[r] is what rank r's output begins with, < 0: it has none. */
static void write_op(const char *root, const char *op, uint64_t task, const float value[RANKS])
{
    for (int r = 0; r < RANKS; r++) {
        char dir[128];
        snprintf(dir, sizeof dir, "20240613143502/%d/net_1/1/0", r);
        const dc_fixture_op one = {.dir = dir,
                                   .type = "HcomAllReduce",
                                   .op = op,
                                   .task = task,
                                   .stream = 3,
                                   .time = 1718289424000000 + task * 1000,
                                   .elements = 100,
                                   .value = value[r]};
        if (value[r] >= 0)
            DC_ASSERT_OK(dc_fixture_write(root, &one));
    }
}

static const char *tree(void)
{
    const char *root = dc_test_shared_dir();
    if (dc_test_par()->process == 0) {
        write_op(root, "same", 1, (const float[]){7, 7, 7, 7});
        write_op(root, "one", 2, (const float[]){7, 7, 8, 7});
        write_op(root, "halves", 3, (const float[]){7, 7, 9, 9});
        write_op(root, "worst", 4, (const float[]){7, 700, 7, -1});
        write_op(root, "alone", 5, (const float[]){-1, 7, -1, -1});
        write_op(root, "all", 6, (const float[]){1, 2, 3, 4});
    }
    dc_par_barrier(dc_test_par());
    return root;
}

static const dc_group_list *groups; /* told to run(), or NULL */
static dc_align_graphs graphs;      /* its graphs; find may be NULL */

static dc_status run(dc_across *out, const char *root, const dc_par *par)
{
    dc_catalog c;
    const dc_scan_root scan = {.path = root};
    DC_ASSERT_OK(dc_catalog_scan(&c, &(const dc_scan_ask){.root = &scan, .roots = 1}, par));
    const dc_across_ask ask = {.npu = &c,
                               .graphs = &graphs,
                               .groups = groups,
                               .metrics = (1u << DC_METRIC_COUNT) - 1,
                               .progress = DC_PROGRESS_OFF};
    dc_status st = dc_across_run(out, &ask, par);
    dc_catalog_fini(&c);
    return st;
}

/* The whole file of all processes. */
static char *whole(const dc_across *a, const dc_par *par)
{
    char *text = NULL;
    uint64_t n = 0;
    DC_ASSERT_OK(dc_par_allgather(&text, &n, NULL, a->file.body.data, a->file.body.n, par));
    text[n] = '\0'; /* allgather leaves room for it */
    return text;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        printf("'%s' is not in\n%s", part, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

static void a_deviating_rank_is_named_by_majority(void)
{
    dc_across a;
    DC_ASSERT_OK(run(&a, tree(), dc_test_par()));
    char *text = whole(&a, dc_test_par());
    expect(text, ",HcomAllReduce,same,output,0,0,0-3,0-3,0-3,,,,,,,,,,,,,pass,\n");
    expect(text, ",HcomAllReduce,one,output,0,0,0-3,\"0-1,3|2\",\"0-1,3\",2,2,");
    expect(text, "\"rank 2 deviates from 0-1,3: 100 of 100 elements differ, at most by 1, ");
    expect(text, "worst,output,0,0,0-2,\"0,2|1\",\"0,2\",1,1,");
    expect(a.first, "one output 0, step 0: rank 2 deviates");
    CU_ASSERT_EQUAL(a.sets, 6);
    CU_ASSERT_EQUAL(a.agreed, 1);
    CU_ASSERT_EQUAL(a.failed, 4);
    free(text);
    dc_across_fini(&a);
}

static void without_a_majority_the_groups_are_said(void)
{
    dc_across a;
    DC_ASSERT_OK(run(&a, tree(), dc_test_par()));
    char *text = whole(&a, dc_test_par());
    expect(text, "halves,output,0,0,0-3,0-1|2-3,,,2,");
    expect(text, "fail,\"no majority, ranks 0-1 against 2-3: 100 of 100 elements differ");
    expect(text, "all,output,0,0,0-3,0|1|2|3,,,3,");
    expect(text, "rank 3 most, ");
    expect(text, "alone,output,0,0,1,1,1,,,,,,,,,,,,,not judged,one rank alone has it\n");
    free(text);
    dc_across_fini(&a);
}

static void any_number_of_processes_gives_the_same_bytes(void)
{
    dc_across a, b;
    dc_par one;
    const char *root = tree();
    dc_par_single(&one);
    DC_ASSERT_OK(run(&a, root, dc_test_par()));
    DC_ASSERT_OK(run(&b, root, &one));
    char *all = whole(&a, dc_test_par()), *alone = whole(&b, &one);
    CU_ASSERT_STRING_EQUAL(all, alone);
    CU_ASSERT_STRING_EQUAL(a.shown, b.shown);
    CU_ASSERT_EQUAL(a.bytes, b.bytes);
    free(all);
    free(alone);
    dc_across_fini(&a);
    dc_across_fini(&b);
}

/* The catalog as a store's: hashes and states known. */
static dc_status run_hashed(dc_across *out, const char *root, uint8_t state)
{
    dc_catalog c;
    const dc_scan_root scan = {.path = root};
    const dc_align_graphs none = {0};
    DC_ASSERT_OK(
        dc_catalog_scan(&c, &(const dc_scan_ask){.root = &scan, .roots = 1}, dc_test_par()));
    c.hash = calloc(c.n + 1, sizeof *c.hash);
    c.state = calloc(c.n + 1, 1);
    for (uint64_t i = 0; c.hash && c.state && i < c.n; i++) {
        c.state[i] = c.row[i].rank == 3 ? state : DC_STORED;
        c.hash[i] = 5;
        c.row[i].dir = 0; /* whoever reads a byte fails */
    }
    const dc_across_ask ask = {.npu = &c, .graphs = &none, .progress = DC_PROGRESS_OFF};
    dc_status st = dc_across_run(out, &ask, dc_test_par());
    dc_catalog_fini(&c);
    return st;
}

static void equal_hashes_are_answered_without_reading_a_byte(void)
{
    dc_across a;
    DC_ASSERT_OK(run_hashed(&a, tree(), DC_STORED));
    CU_ASSERT_EQUAL(a.agreed, 5);
    CU_ASSERT_EQUAL(a.failed + a.missed, 0);
    CU_ASSERT_EQUAL(a.bytes, 0);
    CU_ASSERT_PTR_NULL(a.first);
    dc_across_fini(&a);
}

static void a_rank_that_cannot_be_read_leaves_a_tensor_undecided(void)
{
    dc_across a;
    DC_ASSERT_OK(run_hashed(&a, tree(), DC_UNREADABLE));
    char *text = whole(&a, dc_test_par());
    expect(text, "same,output,0,0,0-3,0-2,0-2,,,,,,,,,,,,,not judged,cannot be read: ranks 3\n");
    CU_ASSERT_EQUAL(a.missed, 4); /* rank 3 has no part in the others */
    free(text);
    dc_across_fini(&a);
}

static void one_failing_process_fails_all(void)
{
    static const char *const site[] = {"across.members", "run.rows", "route.send"};
    dc_across a;
    const char *root = tree();
    dc_catalog c;
    const dc_scan_root scan = {.path = root};
    const dc_align_graphs none = {0};
    DC_ASSERT_OK(
        dc_catalog_scan(&c, &(const dc_scan_ask){.root = &scan, .roots = 1}, dc_test_par()));
    const dc_across_ask ask = {.npu = &c, .graphs = &none, .progress = DC_PROGRESS_OFF};
    for (size_t i = 0; i < DC_COUNT(site); i++)
        DC_ASSERT_FAULT(DC_ENOMEM, site[i], 1, dc_across_run(&a, &ask, dc_test_par()));
    DC_ASSERT_OK(dc_across_run(&a, &ask, dc_test_par()));
    dc_across_fini(&a);
    dc_catalog_fini(&c);
}

/* Rank 3's first zero becomes -0. */
static void negate_zero(const char *root)
{
    char path[4200];
    snprintf(path, sizeof path,
             "%s/20240613143502/3/net_1/1/0/HcomAllReduce.zero.7.3.1718289424007000", root);
    FILE *f = fopen(path, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fseek(f, -400 + 3, SEEK_END), 0);
    CU_ASSERT_EQUAL(fputc(0x80, f), 0x80);
    fclose(f);
}

static void other_bits_of_equal_values_are_no_deviation(void)
{
    dc_across a;
    const char *root = dc_test_shared_dir();
    if (dc_test_par()->process == 0) {
        write_op(root, "zero", 7, (const float[]){0, 0, 0, 0});
        negate_zero(root);
    }
    dc_par_barrier(dc_test_par());
    DC_ASSERT_OK(run(&a, root, dc_test_par()));
    char *text = whole(&a, dc_test_par());
    expect(text, ",0-3,0-3,0-3,,,");
    expect(text, ",pass,\"values are equal, bits differ on ranks 3\"\n");
    CU_ASSERT_EQUAL(a.agreed, 1);
    free(text);
    dc_across_fini(&a);
}

static void a_tolerance_that_is_given_decides(void)
{
    dc_across a;
    dc_catalog c;
    const dc_scan_root scan = {.path = tree()};
    const dc_align_graphs none = {0};
    DC_ASSERT_OK(
        dc_catalog_scan(&c, &(const dc_scan_ask){.root = &scan, .roots = 1}, dc_test_par()));
    const dc_across_ask ask = {
        .npu = &c, .graphs = &none, .profile = {.atol = 2.5}, .progress = DC_PROGRESS_OFF};
    DC_ASSERT_OK(dc_across_run(&a, &ask, dc_test_par()));
    char *text = whole(&a, dc_test_par());
    expect(text, "one,output,0,0,0-3,0-3,0-3,,");
    expect(text, "pass,within the tolerance: bits differ on ranks 2");
    expect(text, "worst,output,0,0,0-2,\"0,2|1\"");
    free(text);
    dc_across_fini(&a);
    dc_catalog_fini(&c);
}

/* Run at all processes and at one: the same bytes. */
static char *lines(dc_across *a, const char *root)
{
    dc_across alone;
    dc_par one;
    dc_par_single(&one);
    DC_ASSERT_OK(run(a, root, dc_test_par()));
    DC_ASSERT_OK(run(&alone, root, &one));
    char *all = whole(a, dc_test_par()), *single = whole(&alone, &one);
    CU_ASSERT_STRING_EQUAL(all, single);
    CU_ASSERT(a->within == alone.within && a->left == alone.left && a->divided == alone.divided);
    free(single);
    dc_across_fini(&alone);
    return all;
}

static void told_groups_agree_within_themselves(void)
{
    dc_across a;
    dc_group_list pairs, three;
    const char *root = tree();
    DC_ASSERT_OK(dc_group_list_read(&pairs, "0-1,2-3"));
    DC_ASSERT_OK(dc_group_list_read(&three, "0-1+3"));
    groups = &pairs;
    char *text = lines(&a, root);
    expect(text, "halves,output,0,0,0-1,0-1,0-1,,,,,,,,,,,,,pass,\n");
    expect(text, "halves,output,0,0,2-3,2-3,2-3,,,,,,,,,,,,,pass,\n");
    expect(text, "one,output,0,0,2-3,2|3,,,3,"); /* of two, none is named */
    expect(text, "fail,\"no majority, ranks 2 against 3: 100 of 100");
    expect(text, "alone,output,0,0,1,1,1,,,,,,,,,,,,,not judged,one rank alone has it\n");
    CU_ASSERT_EQUAL(a.sets, 11);
    CU_ASSERT_EQUAL(a.within, 11);
    CU_ASSERT_EQUAL(a.left + a.divided, 0);
    free(text);
    dc_across_fini(&a);
    groups = &three;
    text = lines(&a, root);
    expect(text, "halves,output,0,0,\"0-1,3\",0-1|3,0-1,3,3,");
    expect(text, "\"rank 3 deviates from 0-1: ");
    CU_ASSERT_EQUAL(a.left, 5); /* rank 2's */
    free(text);
    dc_across_fini(&a);
    groups = NULL;
    text = lines(&a, root);
    CU_ASSERT_EQUAL(a.divided, 1); /* halves */
    free(text);
    dc_across_fini(&a);
    dc_group_list_fini(&pairs);
    dc_group_list_fini(&three);
}

/* A graph whose operator "halves" reduces over group `name`; others over the world. */
static dc_graph *graph_of(const char *name, const char *options)
{
    char text[2048];
    dc_graph *g = NULL;
    snprintf(text, sizeof text,
             "graph { name: \"net\" op { name: \"halves\" type: \"HcomAllReduce\" attr { key: "
             "\"group\" value { s: \"%s\" } } } op { name: \"one\" type: \"HcomAllReduce\" attr { "
             "key: \"group\" value { s: \"hccl_world_group\" } } } attr { key: \"GlobalOptions\" "
             "value { func { attr { key: \"ge.exec.rankId\" value { s: \"0\" } } %s } } } }",
             name, options);
    DC_ASSERT_OK(dc_graph_parse(&g, text, strlen(text), "graph"));
    return g;
}

static dc_status find_graph(void *context, const dc_graph **out, uint64_t *id, int32_t rank,
                            const char *model_dir)
{
    (void)model_dir;
    *out = ((dc_graph **)context)[rank];
    *id = (uint64_t)rank;
    return DC_OK;
}

static void graphs_tell_the_groups(void)
{
    static const char list[] =
        "attr { key: \"ge.exec.hcomGrouplist\" value { s: \"[{\\\"group_name\\\": \\\"tp0\\\", "
        "\\\"group_rank_list\\\": [0, 1]}, {\\\"group_name\\\": \\\"tp1\\\", "
        "\\\"group_rank_list\\\": [2, 3]}]\" } }";
    const char *root = tree();
    dc_graph *one = graph_of("tp0", list), *zero = graph_of("a", ""), *other = graph_of("b", "");
    dc_graph *broken =
        graph_of("tp0", "attr { key: \"ge.exec.hcomGrouplist\" value { s: \"[\" } }");
    dc_graph *const sets[3][RANKS] = {{one, one, one, one},       /* rank 0's serves all */
                                      {zero, zero, other, other}, /* each its own; names alone */
                                      {broken, broken, broken, broken}};
    for (size_t i = 0; i < 3; i++) {
        dc_across a;
        graphs = (dc_align_graphs){(void *)(uintptr_t)sets[i], find_graph};
        char *text = lines(&a, root);
        expect(text, "one,output,0,0,0-3,\"0-1,3|2\",\"0-1,3\",2,2,");
        if (i < 2) {
            expect(text, "halves,output,0,0,0-1,0-1,0-1,,,,,,,,,,,,,pass,\n");
            expect(text, "halves,output,0,0,2-3,2-3,2-3,,,,,,,,,,,,,pass,\n");
        } else {
            expect(text, "halves,output,0,0,0-3,0-1|2-3,,,2,");
        }
        CU_ASSERT_EQUAL(a.within, i < 2 ? 2 : 1);
        free(text);
        dc_across_fini(&a);
    }
    graphs = (dc_align_graphs){0};
    dc_graph_free(one);
    dc_graph_free(zero);
    dc_graph_free(other);
    dc_graph_free(broken);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(a_deviating_rank_is_named_by_majority),
        DC_TEST(without_a_majority_the_groups_are_said),
        DC_TEST(any_number_of_processes_gives_the_same_bytes),
        DC_TEST(equal_hashes_are_answered_without_reading_a_byte),
        DC_TEST(a_rank_that_cannot_be_read_leaves_a_tensor_undecided),
        DC_TEST(other_bits_of_equal_values_are_no_deviation),
        DC_TEST(a_tolerance_that_is_given_decides),
        DC_TEST(told_groups_agree_within_themselves),
        DC_TEST(graphs_tell_the_groups),
        DC_TEST(one_failing_process_fails_all),
    };
    return dc_test_main_mpi("across", tests, DC_COUNT(tests));
}
