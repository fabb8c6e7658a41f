/* tests/test_acl_options.c - the TensorFlow adapter's options; printing a configuration; its
 * directory. */
#include "io/acl_config.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dc_acl_options lenient, strict = {.strict = true};

#define LIST(entry) "{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[" entry "]}}"

static dc_status parse(dc_dump_config *c, const char *text, const dc_acl_options *options)
{
    return dc_acl_config_parse(c, text, strlen(text), "acl.json", options);
}

/* The lines of a buffer as a string. */
static const char *lines(dc_buf *b)
{
    DC_ASSERT_OK(dc_buf_add(b, "", 1));
    return b->data;
}

static dc_status set(dc_dump_config *c, const char *file, const char *a, const char *b,
                     const char *d)
{
    const char *items[] = {a, b, d};
    dc_acl_options options = {.set = items, .nset = d ? 3 : b ? 2 : 1};
    if (file)
        return parse(c, file, &options);
    return dc_acl_config_read(c, NULL, &options);
}

static void set_refused(const char *a, const char *b, const char *message)
{
    dc_dump_config c;
    CU_ASSERT_EQUAL(set(&c, NULL, a, b, NULL), DC_EARG);
    if (strcmp(dc_last_error(), message) != 0)
        fprintf(stderr, "got  %s\nwant %s\n", dc_last_error(), message);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), message);
    dc_acl_config_fini(&c);
}

static void adapter_options_follow_their_own_rules(void)
{
    dc_dump_config c;
    DC_ASSERT_OK(set(&c, NULL, "enable_dump=True", "dump_path=/x", "dump_layer= a  b\tc\n"));
    CU_ASSERT_TRUE(c.from_tf && c.need_dump && c.model_dump && !c.all_models);
    CU_ASSERT_EQUAL_FATAL(c.nentry, 1);
    CU_ASSERT_EQUAL_FATAL(c.entry[0].layer.n, 3);
    CU_ASSERT_STRING_EQUAL(c.entry[0].layer.item[2], "c");
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(set(&c, NULL, "dump_step=0|5-|7|", NULL, NULL)); /* implies enable_dump */
    CU_ASSERT_TRUE(c.need_dump && c.all_models && c.steps.n == 3);
    CU_ASSERT_TRUE(c.steps.range[1].first == 5 && c.steps.range[1].last == 5);
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(set(&c, NULL, "enable_dump_debug=1", "dump_path=/x", "dump_mode=nonsense"));
    CU_ASSERT_TRUE(c.debug && c.mode == DC_DUMP_MODE_ALL); /* dump_mode is not looked at */
    dc_acl_config_fini(&c);
    set_refused("enable_dump=1", NULL,
                "--set dump_path: must be set when enable_dump or enable_dump_debug is on");
}

static void adapter_faults_are_named(void)
{
    set_refused("enable_dump=True", "enable_dump_debug=True",
                "--set enable_dump_debug: must not be on together with enable_dump; the graph "
                "engine refuses both [E10001]");
    set_refused("dump_step=5-5", NULL,
                "--set dump_step: piece 1, \"5-5\", must go up: its two numbers are equal (rules "
                "of the TensorFlow adapter; example: 0|3-5|10)");
    set_refused("dump_mode=out", NULL,
                "--set dump_mode: \"out\" is not allowed; allowed: output|input|all");
    set_refused("enable_dump=yes", NULL,
                "--set enable_dump: \"yes\" is not allowed; allowed: True, False");
    set_refused("dump_list=[]", NULL, "--set dump_list: belongs into acl.json's dump object");
    set_refused("dump_mode", NULL, "--set dump_mode: write KEY=VALUE");
    set_refused("enable_exception_dump=3", NULL,
                "--set enable_exception_dump: \"3\" is not allowed; allowed: 0|1|2");
}

static void the_same_keys_in_the_file_and_the_command_line_wins(void)
{
    static const char tf[] = "{\"dump\":{\"enable_dump\":true,\"dump_path\":\"/x\",\"dump_mode\":"
                             "\"input\",\"enable_exception_dump\":1,\"dump_step\":\"5-5\"}}";
    dc_dump_config c;
    CU_ASSERT_EQUAL(parse(&c, tf, &lenient), DC_EARG);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "acl.json: dump.dump_step: piece 1, \"5-5\""));
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(set(&c, tf, "dump_step=3-5", "dump_mode=all", NULL));
    CU_ASSERT_TRUE(c.from_tf && c.all_models && c.exception_dump == 1);
    CU_ASSERT_EQUAL(c.mode, DC_DUMP_MODE_ALL);
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(set(&c, LIST("{\"model_name\":\"m\"}"), "dump_layer=a", "dump_step=4", NULL));
    CU_ASSERT_FALSE(c.from_tf);
    CU_ASSERT_EQUAL(c.nentry, 2);
    CU_ASSERT_TRUE(c.steps.n == 1 && c.steps.range[0].first == 4 && c.steps.range[0].last == 4);
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(parse(&c, "{\"dump\":{\"enable_dump\":false,\"dump_path\":\"/x\"}}", &lenient));
    CU_ASSERT_FALSE(c.need_dump || c.model_dump);
    CU_ASSERT_STRING_EQUAL(lines(&c.ge), "acl.json: dump: nothing would be dumped: enable_dump and "
                                         "enable_dump_debug are off\n");
    dc_acl_config_fini(&c);
}

static char *printed(const dc_dump_config *c)
{
    dc_buf b = {0};
    DC_ASSERT_OK(dc_acl_config_print(&b, c));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    return b.data;
}

static void printing_and_reading_come_back_to_the_same(void)
{
    static const char *const texts[] = {
        "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\",\"dump_data\":\"stats\","
        "\"dump_stats\":[\"Min\",\"Nan\"],\"dump_step\":\"7|1-3\",\"dump_kernel_data\":\"printf\","
        "\"dump_list\":[{\"model_name\":\"m\",\"layer\":[\"a\"],\"opname_blacklist\":[{\"name\":"
        "\"c\",\"pos\":[\"input1\"]}],\"opname_range\":[{\"begin\":\"d\",\"end\":\"e\"}]},{}]}}",
        "{\"dump\":{\"dump_path\":\"/x\",\"dump_scene\":\"watcher\",\"dump_list\":["
        "{\"layer\":[\"a\"],\"watcher_nodes\":[\"b\",\"c\"]}]}}",
        "{\"dump\":{\"dump_path\":\"/x\",\"dump_debug\":\"on\"}}",
        "{\"dump\":{\"enable_dump\":true,\"dump_path\":\"/x\",\"dump_layer\":\"a b\","
        "\"quant_dumpable\":\"1\",\"enable_exception_dump\":2}}",
        "{}",
    };
    static const char *const kept[DC_COUNT(texts)][7] = {
        {"[\"Min\", \"Nan\"]", "\"1-3|7\"", "\"printf\"", "\"layer\":\t[\"a\"]", "[\"input1\"]",
         "\"begin\":\t\"d\"", "\"model_name\":\t\"m\""},
        {"\"watcher\"", "\"watcher_nodes\":\t[\"b\", \"c\"]"},
        {"\"dump_debug\":\t\"on\""},
        {"\"enable_dump\":\ttrue", "\"dump_layer\":\t\"a b\"", "\"quant_dumpable\":\t\"1\"",
         "\"enable_exception_dump\":\t\"2\""},
        {"\"dump\":"},
    };
    for (size_t i = 0; i < DC_COUNT(texts); i++) {
        dc_dump_config c, again;
        DC_ASSERT_OK(parse(&c, texts[i], &lenient));
        char *one = printed(&c);
        DC_ASSERT_OK(parse(&again, one, &strict));
        char *two = printed(&again);
        CU_ASSERT_STRING_EQUAL(one, two);
        CU_ASSERT_EQUAL(c.model_dump, again.model_dump);
        CU_ASSERT_EQUAL(c.nentry, again.nentry);
        for (size_t k = 0; k < DC_COUNT(kept[i]) && kept[i][k]; k++)
            CU_ASSERT_PTR_NOT_NULL(strstr(one, kept[i][k]));
        free(one);
        free(two);
        dc_acl_config_fini(&c);
        dc_acl_config_fini(&again);
    }
}

static void the_directory_is_asked_for_only_when_read(void)
{
    char text[1400], *dir;
    dc_dump_config c;
    dc_buf notes = {0};
    DC_ASSERT_OK(
        parse(&c, "{\"dump\":{\"dump_path\":\"/not/there\",\"dump_list\":[{}]}}", &lenient));
    DC_ASSERT_OK(dc_acl_config_path_notes(&notes, &c));
    CU_ASSERT_STRING_EQUAL(lines(&notes), "acl.json: dump.dump_path: /not/there is not a directory "
                                          "here; CANN would refuse it [EP0003]\n");
    CU_ASSERT_EQUAL(dc_acl_config_dir(&dir, &c), DC_ENOENT);
    dc_acl_config_fini(&c);
    dc_buf_free(&notes);
    snprintf(text, sizeof text, "{\"dump\":{\"dump_path\":\"%s/\",\"dump_list\":[{}]}}",
             dc_test_dir());
    DC_ASSERT_OK(parse(&c, text, &lenient));
    DC_ASSERT_OK(dc_acl_config_path_notes(&notes, &c));
    CU_ASSERT_EQUAL(notes.n, 0);
    DC_ASSERT_OK(dc_acl_config_dir(&dir, &c));
    CU_ASSERT_NOT_EQUAL(dir[strlen(dir) - 1], '/');
    free(dir);
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(parse(&c, "{}", &lenient));
    CU_ASSERT_EQUAL(dc_acl_config_dir(&dir, &c), DC_EARG);
    dc_acl_config_fini(&c);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(adapter_options_follow_their_own_rules),
        DC_TEST(adapter_faults_are_named),
        DC_TEST(the_same_keys_in_the_file_and_the_command_line_wins),
        DC_TEST(printing_and_reading_come_back_to_the_same),
        DC_TEST(the_directory_is_asked_for_only_when_read),
    };
    return dc_test_main("acl_options", tests, DC_COUNT(tests));
}
