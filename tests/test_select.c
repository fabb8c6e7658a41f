/* tests/test_select.c - selection fact by fact: names, modes, levels, the command line. */
#include "io/select.h"
#include "tests/harness.h"
#include "tests/select_setup.h"

#include <stdio.h>

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
    static const dc_select_model spaced = {.dir = "ge x_1"};
    static const char *const model[] = {"ge/x.1"};
    const dc_select_extra extra = {.model = model, .nmodel = 1};
    setup t;
    start(&t, "{}", &extra);
    CU_ASSERT_TRUE(takes(&t, &by_dir, "a", "T") && takes(&t, &spaced, "a", "T"));
    CU_ASSERT_FALSE(takes(&t, &other, "a", "T"));
    finish(&t);
    start(&t, LIST("{\"model_name\":\"ge/x.1\"}"), &nothing);
    CU_ASSERT_TRUE(takes(&t, &by_dir, "a", "T") && dc_select_models(t.s, &by_dir));
    CU_ASSERT_TRUE(takes(&t, &spaced, "a", "T"));
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
        DC_TEST(an_applied_blacklist_is_not_applied_again),
        DC_TEST(what_dumps_nothing_selects_nothing),
    };
    return dc_test_main("select", tests, DC_COUNT(tests));
}
