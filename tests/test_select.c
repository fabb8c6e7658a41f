/* tests/test_select.c - selection fact by fact: names, modes, levels, the command line, what
 * matched nothing. */
#include "io/select.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dc_acl_options lenient;
static const dc_select_extra nothing;

typedef struct setup {
    dc_dump_config c;
    dc_select *s;
} setup;

static void start(setup *t, const char *json, const dc_select_extra *extra)
{
    DC_ASSERT_OK(dc_acl_config_parse(&t->c, json, strlen(json), "acl.json", &lenient));
    DC_ASSERT_OK(dc_select_new(&t->s, &t->c, extra));
}

static void finish(setup *t)
{
    dc_select_free(t->s);
    dc_acl_config_fini(&t->c);
}

static const dc_select_model m1 = {.dir = "m1", .graph = "m1"};

static bool takes(setup *t, const dc_select_model *m, const char *name, const char *type)
{
    dc_select_op op = {.model = m, .name = name, .type = type, .feeds_selected = -1};
    return dc_select_ops(t->s, &op);
}

static const char *unmatched(dc_buf *b, setup *t, const dc_select_present *present)
{
    b->n = 0;
    DC_ASSERT_OK(dc_select_unmatched(b, t->s, present));
    DC_ASSERT_OK(dc_buf_add(b, "", 1));
    return b->data;
}

#define LIST(entries)                                                                              \
    "{\"dump\":{\"dump_path\":\"/"                                                                 \
    "x\",\"dump_level\":\"op\",\"dump_mode\":\"all\",\"dump_list\":[" entries "]}}"

static void an_entry_without_model_stops_the_others(void)
{
    setup t;
    start(&t, LIST("{\"model_name\":\"m1\",\"layer\":[\"a\"]},{\"layer\":[\"b\"]}"), &nothing);
    CU_ASSERT_FALSE(takes(&t, &m1, "a", "T"));
    CU_ASSERT_TRUE(takes(&t, &m1, "b", "T"));
    finish(&t);
}

static void directories_are_matched_sanitised(void)
{
    static const dc_select_model by_dir = {.dir = "ge_x_1", .canonical = "ge_1"};
    static const dc_select_model other = {.dir = "ge_y_1", .canonical = "ge_1"};
    setup t;
    start(&t, LIST("{\"model_name\":\"ge/x.1\"}"), &nothing);
    CU_ASSERT_TRUE(takes(&t, &by_dir, "a", "T") && dc_select_models(t.s, &by_dir));
    CU_ASSERT_FALSE(takes(&t, &other, "a", "T") || dc_select_models(t.s, &other));
    finish(&t);
    start(&t, LIST("{\"model_name\":\"ge_1\"}"), &nothing);
    CU_ASSERT_TRUE(takes(&t, &other, "a", "T"));
    finish(&t);
}

static void file_names_are_compared_sanitised(void)
{
    setup t;
    start(&t,
          LIST("{\"layer\":[\"a/b\"],\"opname_blacklist\":[{\"name\":\"a/b\",\"pos\":"
               "[\"input1\"]}]}"),
          &nothing);
    dc_select_op op = {
        .model = &m1, .name = "a_b", .type = "T", .sanitised = true, .feeds_selected = -1};
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op));
    CU_ASSERT_FALSE(dc_select_slot(t.s, &op, DC_INPUT, 1));
    CU_ASSERT_TRUE(dc_select_slot(t.s, &op, DC_OUTPUT, 1));
    op.ignores_bans = true;
    CU_ASSERT_TRUE(dc_select_slot(t.s, &op, DC_INPUT, 1));
    op.sanitised = false;
    CU_ASSERT_FALSE(dc_select_ops(t.s, &op));
    finish(&t);
}

static void data_nodes_follow_what_they_feed(void)
{
    setup t;
    start(&t,
          LIST("{\"layer\":[\"a\",\"d\"],\"opname_blacklist\":[{\"name\":\"d\",\"pos\":"
               "[\"output0\"]}]}"),
          &nothing);
    dc_select_op op = {.model = &m1, .name = "d", .type = "Data", .feeds_selected = 0};
    CU_ASSERT_FALSE(dc_select_ops(t.s, &op));
    op.feeds_selected = 1;
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op));
    CU_ASSERT_FALSE(dc_select_slot(t.s, &op, DC_OUTPUT, 5)); /* output0 is asked for */
    op.name = "e";
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op) && dc_select_slot(t.s, &op, DC_OUTPUT, 5));
    finish(&t);
}

static void modes_choose_directions(void)
{
    static const struct {
        dc_dump_mode mode;
        bool takes[4]; /* DC_INPUT, DC_OUTPUT, DC_BUFFER, DC_SPACE */
    } cases[] = {{DC_DUMP_MODE_INPUT, {true, false, true, false}},
                 {DC_DUMP_MODE_OUTPUT, {false, true, true, false}},
                 {DC_DUMP_MODE_ALL, {true, true, true, true}}};
    dc_select_op op = {.model = &m1, .name = "a", .type = "T", .feeds_selected = -1};
    for (size_t i = 0; i < DC_COUNT(cases); i++) {
        dc_select_extra extra = {.has_mode = true, .mode = cases[i].mode};
        setup t;
        start(&t, LIST("{}"), &extra);
        for (int d = DC_INPUT; d <= DC_SPACE; d++)
            CU_ASSERT_EQUAL(dc_select_slot(t.s, &op, (dc_direction)d, 0), cases[i].takes[d]);
        finish(&t);
    }
}

static void exception_files_are_taken_whole(void)
{
    dc_select_op op = {.model = &m1, .name = "a", .type = "T", .feeds_selected = -1};
    setup t;
    start(&t, "{\"dump\":{\"dump_scene\":\"lite_exception\",\"dump_list\":[{\"layer\":[\"b\"]}]}}",
          &nothing);
    CU_ASSERT_TRUE(dc_select_ops(t.s, &op) && dc_select_slot(t.s, &op, DC_INPUT, 0));
    finish(&t);
}

static void levels_choose_files_outside_models(void)
{
    static const dc_select_model outside = {0};
    static const char *const json[] = {"all", "op", "kernel"};
    static const bool kernel[] = {true, false, true}, single[] = {true, true, false};
    static const bool model[] = {true, true, false};
    char text[200];
    for (size_t i = 0; i < 3; i++) {
        setup t;
        snprintf(text, sizeof text,
                 "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"%s\",\"dump_list\":[{}]}}",
                 json[i]);
        start(&t, text, &nothing);
        CU_ASSERT_EQUAL(takes(&t, &outside, "Add", "aclnnAdd_12_L0"), kernel[i]);
        CU_ASSERT_EQUAL(takes(&t, &outside, "Add", "Add"), single[i]);
        CU_ASSERT_EQUAL(takes(&t, &m1, "Add", "Add"), model[i]);
        finish(&t);
    }
}

static void watched_nodes_and_their_copies_are_taken(void)
{
    setup t;
    start(&t,
          "{\"dump\":{\"dump_path\":\"/x\",\"dump_scene\":\"watcher\",\"dump_list\":["
          "{\"layer\":[\"A\",\"B_To\"],\"watcher_nodes\":[\"W\"]}]}}",
          &nothing);
    CU_ASSERT_TRUE(takes(&t, &m1, "W", "T") && takes(&t, &m1, "A_To_W", "T"));
    CU_ASSERT_TRUE(takes(&t, &m1, "B_To_To_W", "T"));
    CU_ASSERT_FALSE(takes(&t, &m1, "A", "T") || takes(&t, &m1, "C_To_W", "T"));
    CU_ASSERT_FALSE(takes(&t, &m1, "A_To_V", "T"));
    finish(&t);
}

static void command_line_adds_to_names_and_narrows_whole_models(void)
{
    static const char *const op[] = {"conv*", "re:^fc[0-9]$"}, *const type[] = {"Relu*"};
    static const char *const exclude[] = {"*bias"}, *const model[] = {"m?"};
    dc_select_extra extra = {.op = op, .nop = 2};
    setup t;
    start(&t, LIST("{\"layer\":[\"a\"]}"), &extra);
    CU_ASSERT_TRUE(takes(&t, &m1, "a", "T") && takes(&t, &m1, "conv1/x", "T"));
    CU_ASSERT_FALSE(takes(&t, &m1, "b", "T"));
    finish(&t);
    start(&t, LIST("{}"), &extra);
    CU_ASSERT_TRUE(takes(&t, &m1, "fc7", "T"));
    CU_ASSERT_FALSE(takes(&t, &m1, "fc77", "T") || takes(&t, &m1, "a", "T"));
    finish(&t);
    extra = (dc_select_extra){.op = op, .nop = 2, .type = type, .ntype = 1};
    start(&t, "{}", &extra);
    CU_ASSERT_TRUE(takes(&t, &m1, "conv1", "Relu6"));
    CU_ASSERT_FALSE(takes(&t, &m1, "conv1", "Conv2D") || takes(&t, &m1, "a", "Relu"));
    finish(&t);
    extra = (dc_select_extra){.exclude = exclude, .nexclude = 1, .model = model, .nmodel = 1};
    start(&t,
          LIST("{\"model_name\":\"other\"},{\"model_name\":\"m1\",\"layer\":[\"a\",\"a/bias\"]}"),
          &extra);
    static const dc_select_model other = {.dir = "other"}, m2 = {.dir = "m2"};
    CU_ASSERT_TRUE(takes(&t, &m1, "a", "T") && takes(&t, &m2, "b", "T"));
    CU_ASSERT_FALSE(takes(&t, &m1, "a/bias", "T") || takes(&t, &other, "b", "T"));
    CU_ASSERT_FALSE(dc_select_models(t.s, &other));
    finish(&t);
}

static void original_names_match_patterns_too(void)
{
    static const char *const op[] = {"tf/conv*"}, *const original[] = {"tf/relu", "tf/conv1"};
    dc_select_extra extra = {.op = op, .nop = 1};
    setup t;
    start(&t, "{}", &extra);
    dc_select_op o = {.model = &m1,
                      .name = "fused",
                      .type = "T",
                      .original = original,
                      .noriginal = 2,
                      .feeds_selected = -1};
    CU_ASSERT_TRUE(dc_select_ops(t.s, &o));
    o.noriginal = 1;
    CU_ASSERT_FALSE(dc_select_ops(t.s, &o));
    o = (dc_select_op){.model = &m1, .name = "tf_conv1", .sanitised = true, .feeds_selected = -1};
    CU_ASSERT_TRUE(dc_select_ops(t.s, &o)); /* a glob in its sanitised form */
    finish(&t);
}

static void steps_and_ranks_come_from_the_command_line_first(void)
{
    static const char json[] =
        "{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[{}],\"dump_step\":\"0|3-5\"}}";
    dc_select_extra extra = {.rank = "0,4-5"};
    setup t;
    start(&t, json, &extra);
    CU_ASSERT_TRUE(dc_select_step(t.s, 4) && !dc_select_step(t.s, 6));
    CU_ASSERT_TRUE(dc_select_rank(t.s, 5) && !dc_select_rank(t.s, 3));
    finish(&t);
    extra = (dc_select_extra){.step = "6"};
    start(&t, json, &extra);
    CU_ASSERT_TRUE(!dc_select_step(t.s, 4) && dc_select_step(t.s, 6) && dc_select_rank(t.s, 9));
    finish(&t);
}

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

static void an_applied_blacklist_is_not_applied_again(void)
{
    static const char json[] =
        LIST("{\"opname_blacklist\":[{\"name\":\"a\",\"pos\":[\"input0\"]}]}");
    dc_select_op op = {.model = &m1, .name = "a", .type = "T", .feeds_selected = -1};
    dc_select_extra extra = {.blacklist_applied = true};
    setup t;
    start(&t, json, &nothing);
    CU_ASSERT_TRUE(dc_select_has_bans(t.s) && !dc_select_slot(t.s, &op, DC_INPUT, 0));
    finish(&t);
    start(&t, json, &extra);
    CU_ASSERT_TRUE(!dc_select_has_bans(t.s) && dc_select_slot(t.s, &op, DC_INPUT, 0));
    finish(&t);
}

static void what_dumps_nothing_selects_nothing(void)
{
    setup t;
    start(&t, "{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[]}}", &nothing);
    CU_ASSERT_FALSE(takes(&t, &m1, "a", "T") || dc_select_models(t.s, &m1));
    finish(&t);
    start(&t, "{\"dump\":{\"dump_path\":\"/x\",\"dump_op_switch\":\"on\"}}", &nothing);
    CU_ASSERT_TRUE(takes(&t, &m1, "a", "T") && dc_select_models(t.s, &m1));
    finish(&t);
    start(&t, "{}", &nothing);
    CU_ASSERT_TRUE(takes(&t, &m1, "a", "T"));
    finish(&t);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(an_entry_without_model_stops_the_others),
        DC_TEST(directories_are_matched_sanitised),
        DC_TEST(file_names_are_compared_sanitised),
        DC_TEST(data_nodes_follow_what_they_feed),
        DC_TEST(modes_choose_directions),
        DC_TEST(exception_files_are_taken_whole),
        DC_TEST(levels_choose_files_outside_models),
        DC_TEST(watched_nodes_and_their_copies_are_taken),
        DC_TEST(command_line_adds_to_names_and_narrows_whole_models),
        DC_TEST(original_names_match_patterns_too),
        DC_TEST(steps_and_ranks_come_from_the_command_line_first),
        DC_TEST(bad_selectors_are_refused_with_a_reason),
        DC_TEST(what_matched_nothing_is_named_with_near_names),
        DC_TEST(counts_of_several_processes_add_up),
        DC_TEST(first_looks_are_not_counted),
        DC_TEST(an_applied_blacklist_is_not_applied_again),
        DC_TEST(what_dumps_nothing_selects_nothing),
    };
    return dc_test_main("select", tests, DC_COUNT(tests));
}
