/* tests/test_select_said.c - what a selection says: refusals, selectors that matched nothing. */
#include "tests/select_setup.h"

static void bad_selectors_are_refused_with_a_reason(void)
{
    static const char *const regex[] = {"re:("}, *const empty[] = {""};
    const dc_select_extra extras[] = {{.op = regex, .nop = 1}, {.type = empty, .ntype = 1},
                                      {.rank = "1-x"},         {.rank = ""},
                                      {.step = "5-3"},         {.step = "5-5", .strict = true}};
    static const char *const messages[] = {
        "--op \"re:(\": not a regular expression: Unmatched ( or \\(",
        "--type \"\": an empty pattern matches nothing",
        "--rank \"1-x\": write numbers and ranges that go up, such as 0,4-7",
        "--rank \"\": write numbers and ranges that go up, such as 0,4-7",
        ("--step: piece 1, \"5-3\", is reversed: the first number must not be larger than the "
         "second (rules of acl.json; example: 0|3-5|10)"),
        ("--step: piece 1, \"5-5\", must go up: its two numbers are equal (rules of --strict, what "
         "every reader of dump_step accepts; example: 0|3-5|10)")};
    for (size_t i = 0; i < DC_COUNT(extras); i++) {
        dc_select *s;
        CU_ASSERT_EQUAL(dc_select_new(&s, NULL, &extras[i]), DC_EARG);
        CU_ASSERT_STRING_EQUAL(dc_last_error(), messages[i]);
    }
}

static void present_names(dc_pool **ops_present, dc_pool **models_present)
{
    uint32_t id;
    DC_ASSERT_OK(dc_pool_new(ops_present));
    DC_ASSERT_OK(dc_pool_new(models_present));
    DC_ASSERT_OK(dc_pool_adds(&id, *ops_present, "conv1"));
    DC_ASSERT_OK(dc_pool_adds(&id, *ops_present, "conv2"));
    DC_ASSERT_OK(dc_pool_adds(&id, *ops_present, "pool"));
    DC_ASSERT_OK(dc_pool_adds(&id, *models_present, "m1"));
}

static void what_matched_nothing_is_named_with_near_names(void)
{
    static const char *const op[] = {"conv9*", "3-1"};
    static const uint64_t ranks[] = {0, 1, 4}, steps[] = {0};
    dc_select_extra extra = {.op = op, .nop = 2, .rank = "4,6", .step = "0|7-9"};
    dc_buf b = {0};
    dc_select_present p = {.rank = ranks, .nrank = 3, .step = steps, .nstep = 1};
    dc_pool *ops_present, *models_present;
    setup t;
    present_names(&ops_present, &models_present);
    p.op = ops_present;
    p.model = models_present;
    start(&t,
          LIST("{\"model_name\":\"m1\",\"layer\":[\"conv1\",\"conv1x\"]},{\"model_name\":\"n\","
               "\"opname_range\":[{\"begin\":\"conv1\",\"end\":\"pol\"}],\"opname_blacklist\":"
               "[{\"name\":\"zzzzz\",\"pos\":[\"input0\"]}]}"),
          &extra);
    CU_ASSERT_TRUE(takes(&t, &m1, "conv1", "Conv2D") && dc_select_rank(t.s, 4));
    CU_ASSERT_TRUE(dc_select_step(t.s, 0));
    CU_ASSERT_STRING_EQUAL(
        unmatched(&b, &t, &p),
        "acl.json: dump.dump_list[1].model_name: \"n\" matched nothing; present: m1\n"
        "acl.json: dump.dump_list[1].opname_blacklist[0]: \"zzzzz\" matched nothing; present: "
        "conv1, conv2, pool\n"
        "acl.json: dump.dump_list[0].layer[1]: \"conv1x\" matched nothing; did you mean conv1 or "
        "conv2?\n"
        "acl.json: dump.dump_list[1].opname_range[0].begin: \"conv1\" matched nothing; it is in "
        "the dump, but not where this selects\n"
        "acl.json: dump.dump_list[1].opname_range[0].end: \"pol\" matched nothing; did you mean "
        "pool?\n"
        "--op \"conv9*\" matched nothing; did you mean conv1 or conv2?\n"
        "--op \"3-1\" matched nothing; present: conv1, conv2, pool\n"
        "--step 7-9 matched nothing; steps present: 0\n"
        "--rank 6 matched nothing; ranks present: 0-1,4\n");
    finish(&t);
    dc_pool_free(ops_present);
    dc_pool_free(models_present);
    dc_buf_free(&b);
}

static void counts_of_several_processes_add_up(void)
{
    static const char json[] = LIST("{\"layer\":[\"a\",\"b\"]}");
    setup one, two;
    dc_buf b = {0};
    size_t n, n2;
    start(&one, json, &nothing);
    start(&two, json, &nothing);
    takes(&one, &m1, "a", "T");
    takes(&two, &m1, "b", "T");
    uint64_t *sum = dc_select_counts(one.s, &n), *other = dc_select_counts(two.s, &n2);
    CU_ASSERT_EQUAL_FATAL(n, n2);
    for (size_t i = 0; i < n; i++)
        sum[i] += other[i];
    CU_ASSERT_STRING_EQUAL(unmatched(&b, &one, &(dc_select_present){0}), "");
    CU_ASSERT_STRING_EQUAL(unmatched(&b, &two, &(dc_select_present){0}),
                           "acl.json: dump.dump_list[0].layer[0]: \"a\" matched nothing\n");
    dc_buf_free(&b);
    finish(&one);
    finish(&two);
}

static void first_looks_are_not_counted(void)
{
    setup t;
    dc_buf b = {0};
    start(&t, LIST("{\"layer\":[\"a\"]}"), &nothing);
    dc_select_op op = {
        .model = &m1, .name = "a", .type = "T", .preview = true, .feeds_selected = -1};
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op));
    CU_ASSERT_TRUE(*unmatched(&b, &t, &(dc_select_present){0}));
    op.preview = false;
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op));
    CU_ASSERT_FALSE(*unmatched(&b, &t, &(dc_select_present){0}));
    dc_buf_free(&b);
    finish(&t);
}

static void a_range_that_covers_nothing_is_told(void)
{
    static const char *const task[] = {"end", "middle", "begin"};
    dc_select_pass *pass;
    dc_buf b = {0};
    setup t;
    start(&t,
          LIST("{\"model_name\":\"m1\",\"opname_range\":[{\"begin\":\"begin\",\"end\":\"end\"},"
               "{\"begin\":\"middle\",\"end\":\"begin\"},{\"begin\":\"x\",\"end\":\"end\"}]}"),
          &nothing);
    DC_ASSERT_OK(dc_select_pass_new(&pass, t.s, &m1));
    for (size_t i = 0; i < DC_COUNT(task); i++)
        DC_ASSERT_OK(dc_select_pass_add(pass, task[i]));
    takes(&t, &m1, "middle", "T");
    CU_ASSERT_STRING_EQUAL(
        unmatched(&b, &t, &(dc_select_present){0}),
        "acl.json: dump.dump_list[0].opname_range[0] covers nothing: its end, \"end\", comes "
        "before "
        "its begin, \"begin\"\n"
        "acl.json: dump.dump_list[0].opname_range[2].begin: \"x\" matched nothing\n");
    dc_select_pass_free(pass);
    dc_buf_free(&b);
    finish(&t);
}

static void a_name_of_another_type_is_not_said_to_be_missing(void)
{
    static const char *const op[] = {"conv*", "re:^conv"}, *const type[] = {"Relu"};
    const dc_select_extra extra = {.op = op, .nop = 2, .type = type, .ntype = 1};
    dc_select_op look = {.model = &m1,
                         .name = "conv1",
                         .type = "Conv2D",
                         .sanitised = true,
                         .preview = true,
                         .own_names = true,
                         .feeds_selected = -1};
    dc_buf b = {0};
    setup t;
    start(&t, "{}", &extra);
    CU_ASSERT_FALSE(dc_select_ops(t.s, &look));
    CU_ASSERT_STRING_EQUAL(unmatched(&b, &t, &(dc_select_present){0}),
                           "--op \"re:^conv\" matched nothing\n--type \"Relu\" matched nothing\n");
    dc_buf_free(&b);
    finish(&t);
}

static void steps_say_where_they_were_given(void)
{
    static const char *const set[] = {"dump_step=7"};
    const dc_acl_options options = {.set = set, .nset = 1};
    dc_buf b = {0};
    setup t;
    DC_ASSERT_OK(dc_acl_config_read(&t.c, NULL, &options));
    DC_ASSERT_OK(dc_select_new(&t.s, &t.c, &nothing));
    CU_ASSERT_FALSE(dc_select_step(t.s, 6));
    CU_ASSERT_STRING_EQUAL(unmatched(&b, &t, &(dc_select_present){0}),
                           "--set dump_step 7 matched nothing\n");
    dc_buf_free(&b);
    finish(&t);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(bad_selectors_are_refused_with_a_reason),
        DC_TEST(what_matched_nothing_is_named_with_near_names),
        DC_TEST(counts_of_several_processes_add_up),
        DC_TEST(first_looks_are_not_counted),
        DC_TEST(a_range_that_covers_nothing_is_told),
        DC_TEST(a_name_of_another_type_is_not_said_to_be_missing),
        DC_TEST(steps_say_where_they_were_given),
    };
    return dc_test_main("select_said", tests, DC_COUNT(tests));
}
