/* tests/test_acl_config.c - acl.json judged as CANN does. */
#include "io/acl_config.h"
#include "io/path.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dc_acl_options lenient, strict = {.strict = true};

static dc_status parse(dc_dump_config *c, const char *text, const dc_acl_options *options)
{
    return dc_acl_config_parse(c, text, strlen(text), "acl.json", options);
}

static void accepted(const char *text)
{
    dc_dump_config c;
    dc_status st = parse(&c, text, &lenient);
    if (st != DC_OK)
        fprintf(stderr, "%s\n  %s\n", text, dc_last_error());
    CU_ASSERT_EQUAL(st, DC_OK);
    dc_acl_config_fini(&c);
}

static void refused(const char *text, const char *code, const char *message)
{
    dc_dump_config c;
    dc_status st = parse(&c, text, &lenient);
    CU_ASSERT_NOT_EQUAL(st, DC_OK);
    CU_ASSERT_STRING_EQUAL(c.code, code);
    if (strcmp(dc_last_error(), message) != 0)
        fprintf(stderr, "%s\n  got  %s\n  want %s\n", text, dc_last_error(), message);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), message);
    dc_acl_config_fini(&c);
}

/* The lines of a buffer as a string. */
static const char *lines(dc_buf *b)
{
    DC_ASSERT_OK(dc_buf_add(b, "", 1));
    return b->data;
}

/* One row of the table of verdicts that comes with the sample files. */
typedef struct verdict {
    char *file, *file_check, *adump, *code, *reason, *need, *kind, *ge, *alone, *path;
} verdict;

static bool split(verdict *v, char *line)
{
    char **field = &v->file;
    for (size_t i = 0; i < sizeof *v / sizeof *field; i++) {
        field[i] = line;
        if (!line)
            return false;
        line = strchr(line, '\t');
        if (line)
            *line++ = '\0';
    }
    return true;
}

/* Our reading asks for dump_path only when it is about to be read, so a verdict that hangs on a
 * missing directory becomes the one given for an existing directory. */
static void assume_path(verdict *v)
{
    static char code[8];
    if (strncmp(v->reason, "dump_path", 9) != 0 || !strstr(v->reason, "does not exist"))
        return;
    const char *otherwise = strstr(v->path, "if path existed: ");
    CU_ASSERT_PTR_NOT_NULL(otherwise);
    if (!otherwise)
        return;
    otherwise += strlen("if path existed: ");
    v->adump = strncmp(otherwise, "accept", 6) == 0 ? "accept" : "refuse";
    v->need = strstr(otherwise, "needDump=True") ? "true" : "false";
    v->ge = NULL;
    snprintf(code, sizeof code, "%s", strncmp(otherwise, "refuse ", 7) == 0 ? otherwise + 7 : "");
    code[6] = '\0';
    v->code = code;
}

static bool agrees_with_ge(const verdict *v, const dc_dump_config *c)
{
    if (strncmp(v->ge, "refuse", 6) == 0 || strstr(v->ge, "model dump off"))
        return !c->model_dump && c->ge.n;
    if (strstr(v->ge, "needDump false"))
        return !c->model_dump && (c->ge.n || !c->has_dump);
    if (strstr(v->ge, "stays off"))
        return !c->model_dump && c->scene;
    if (strstr(v->ge, "ALL-MODELS"))
        return c->model_dump && c->all_models && c->op_switch;
    if (strstr(v->ge, "overflow"))
        return c->model_dump && c->debug;
    return c->model_dump;
}

static bool agrees(verdict *v, const char *folder)
{
    char path[2048];
    dc_dump_config c;
    snprintf(path, sizeof path, "%s/%s", folder, v->file);
    assume_path(v);
    dc_status st = dc_acl_config_read(&c, path, &strict);
    if (st == DC_EARG && strstr(dc_last_error(), "(--strict)")) { /* a warning, no verdict */
        dc_acl_config_fini(&c);
        st = dc_acl_config_read(&c, path, &lenient);
    }
    bool good;
    if (strcmp(v->file_check, "ok") != 0)
        good = st == DC_EUNSUP;
    else if (strcmp(v->adump, "accept") == 0)
        good = st == DC_OK && c.need_dump == (strcmp(v->need, "true") == 0) &&
               (!v->ge || agrees_with_ge(v, &c));
    else
        good = st != DC_OK && strcmp(c.code, v->code) == 0;
    if (!good)
        fprintf(stderr, "%s: want %s %s (%s), got %s %s\n", v->file, v->adump, v->code,
                v->ge ? v->ge : "", c.code, st == DC_OK ? "accept" : dc_last_error());
    dc_acl_config_fini(&c);
    return good;
}

static void all_sample_files_get_cann_s_verdict(void)
{
    const char *samples = dc_test_samples();
    char folder[1024], path[1100], *text;
    size_t n, files = 0;
    if (!samples) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(folder, sizeof folder, "%s/dump_config", samples);
    snprintf(path, sizeof path, "%s/expect.tsv", folder);
    DC_ASSERT_OK(dc_read_file(&text, &n, path, 1 << 20));
    char *rest = NULL;
    (void)strtok_r(text, "\n", &rest); /* the headings */
    for (char *line; (line = strtok_r(NULL, "\n", &rest)); files++) {
        verdict v = {0};
        CU_ASSERT_TRUE(split(&v, line) && agrees(&v, folder));
    }
    CU_ASSERT_EQUAL(files, 143);
    free(text);
}

#define LIST(entry) "{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[" entry "]}}"
#define OP_LIST(entry)                                                                             \
    "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\",\"dump_list\":[" entry "]}}"

static void refusals_name_path_value_and_what_is_allowed(void)
{
    refused("{\"dump\":{\"dump_path\":\"/x\",\"dump_mode\":\"out\"}}", "EP0002",
            "acl.json: dump.dump_mode: \"out\" is not allowed; allowed: output|input|all [EP0002]");
    refused("{\"dump\":{\"dump_scene\":\"x\"}}", "EP0002",
            "acl.json: dump.dump_scene: \"x\" is not allowed; allowed: lite_exception|"
            "aic_err_brief_dump|aic_err_norm_dump|aic_err_detail_dump|watcher [EP0002]");
    refused(LIST("{},{},{\"layer\":7}"), "EP0001",
            "acl.json: dump.dump_list[2].layer: must be an array of strings [EP0001]");
    refused(LIST("{\"layer\":[\"a\",1]}"), "EP0001",
            "acl.json: dump.dump_list[0].layer[1]: must be a string [EP0001]");
    refused("{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[{}],\"dump_step\":\"0|5-3\"}}",
            "EP0003",
            "acl.json: dump.dump_step: piece 2, \"5-3\", is reversed: the first number must not be "
            "larger than the second (rules of acl.json; example: 0|3-5|10) [EP0003]");
    refused(LIST("{\"optype_blacklist\":[{}]}"), "EP0005",
            "acl.json: dump.dump_list[0].optype_blacklist: needs \"dump_level\": \"op\" [EP0005]");
    refused("{\"dump\":3}", "EP0001", "acl.json: dump: must be an object [EP0001]");
    refused("{\"dump\":{\"a\" 1}}", "EP0004", "acl.json:1:14: expected ':', found '1'");
    refused(OP_LIST("{\"opname_blacklist\":[{\"name\":\"a\",\"pos\":[\"input4294967296\"]}]}"), "",
            "acl.json: dump.dump_list[0].opname_blacklist[0].pos[0]: has a number over 4294967295");
}

static void the_first_failure_in_adump_s_order_wins(void)
{
    /* types before values before constraints */
    refused("{\"dump\":{\"dump_mode\":\"out\",\"dump_step\":1}}", "EP0001",
            "acl.json: dump.dump_step: must be a string [EP0001]");
    refused("{\"dump\":{\"dump_level\":\"x\",\"dump_data\":\"y\"}}", "EP0002",
            "acl.json: dump.dump_data: \"y\" is not allowed; allowed: tensor|stats [EP0002]");
    refused("{\"dump\":{\"dump_mode\":\"\"}}", "EP0001",
            "acl.json: dump.dump_mode: must not be empty; allowed: output|input|all [EP0001]");
    /* scene before path, path before steps, steps before the list, the list before statistics */
    refused("{\"dump\":{\"dump_scene\":\"watcher\",\"dump_mode\":\"all\"}}", "EP0005",
            "acl.json: dump.dump_mode: must be output with dump_scene watcher [EP0005]");
    refused("{\"dump\":{\"dump_step\":\"x\"}}", "EP0001",
            "acl.json: dump.dump_path: is missing (the directory to dump to) [EP0001]");
    refused("{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[{\"layer\":[]}],\"dump_stats\":[]}}",
            "EP0001",
            "acl.json: dump.dump_list[0].layer: must not be empty; leave it out for the "
            "whole model [EP0001]");
    refused("{\"dump\":{\"dump_path\":\"/x\",\"dump_stats\":[\"Max\"]}}", "EP0005",
            "acl.json: dump.dump_stats: needs \"dump_data\": \"stats\" [EP0005]");
    /* per entry: name, watcher, blacklist level, range */
    refused(LIST("{\"watcher_nodes\":[\"a\"],\"opname_blacklist\":[{}]}"), "EP0005",
            "acl.json: dump.dump_list[0].watcher_nodes: needs \"dump_scene\": \"watcher\" "
            "[EP0005]");
    refused(OP_LIST("{\"opname_range\":[{\"begin\":\"a\",\"end\":\"\"}]}"), "EP0001",
            "acl.json: dump.dump_list[0].model_name: is needed with opname_range [EP0001]");
    refused(OP_LIST("{\"model_name\":\"m\",\"opname_range\":[{\"begin\":\"a\"}]}"), "EP0003",
            "acl.json: dump.dump_list[0].opname_range[0]: needs begin and end, both not empty "
            "[EP0003]");
}

static void exceptions_and_overflow_skip_later_checks(void)
{
    accepted("{\"dump\":{\"dump_scene\":\"lite_exception\",\"dump_step\":\"x\","
             "\"dump_list\":[{\"layer\":[]}]}}");
    accepted("{\"dump\":{\"dump_path\":\"/x\",\"dump_debug\":\"on\",\"dump_step\":\"x\"}}");
    accepted("{\"dump\":{\"dump_path\":\"/x\",\"dump_op_switch\":\"on\","
             "\"dump_list\":[{\"layer\":[]},{\"model_name\":\"\"}]}}");
    accepted("{\"dump\":{}}");
    accepted("{\"other\":1}");
    accepted("");
}

static void blacklists_hold_at_most_a_hundred(void)
{
    dc_buf b = {0};
    for (int n = 100; n <= 101; n++) {
        b.n = 0;
        DC_ASSERT_OK(dc_buf_puts(&b, "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\","
                                     "\"dump_list\":[{\"opname_blacklist\":["));
        for (int i = 0; i < n; i++)
            DC_ASSERT_OK(dc_buf_puts(&b, i ? ",{}" : "{}"));
        DC_ASSERT_OK(dc_buf_puts(&b, "]}]}}"));
        DC_ASSERT_OK(dc_buf_add(&b, "", 1));
        if (n == 100)
            accepted(b.data);
        else
            refused(b.data, "EP0003",
                    "acl.json: dump.dump_list[0].opname_blacklist: has 101 entries; at most 100 "
                    "are allowed [EP0003]");
    }
    dc_buf_free(&b);
}

static void paths_with_an_ip_are_taken_laxly(void)
{
    char text[700], path[600];
    accepted("{\"dump\":{\"dump_path\":\"1x.2.3.4:p\",\"dump_list\":[{}]}}");
    accepted("{\"dump\":{\"dump_path\":\"x:\",\"dump_list\":[{}]}}");
    refused("{\"dump\":{\"dump_path\":\"1.2.3.4:a b\"}}", "EP0003",
            "acl.json: dump.dump_path: has a character behind the ip that is not allowed, at "
            "\" b\"; allowed: letters, digits and -=[];\\,./!@#$%^&*()_+{}:? [EP0003]");
    accepted("{\"dump\":{\"dump_path\":\"1.2.3.256:a b\",\"dump_list\":[{}]}}");
    memset(path, 'a', sizeof path);
    path[513] = '\0';
    snprintf(text, sizeof text, "{\"dump\":{\"dump_path\":\"%s\"}}", path);
    refused(text, "EP0003",
            "acl.json: dump.dump_path: has 513 characters; at most 512 are allowed [EP0003]");
    path[512] = '\0';
    snprintf(text, sizeof text, "{\"dump\":{\"dump_path\":\"%s\"}}", path);
    accepted(text);
}

/* The vendor's blacklist example, as published: a comma missing, one too many. */
#define EXAMPLE_HEAD "{\n\t\"dump\":{\n\t\t\"dump_list\":[     \n\t\t\t{\n"
#define EXAMPLE_LIST                                                                               \
    "\t\t\t\t\"model_name\":\"ResNet-50\",\n\t\t\t\t\"optype_blacklist\":[\n"                      \
    "\t\t\t\t    {\n\t\t\t\t\t  \"name\":\"conv\"\n\t\t\t\t\t  \"pos\":[\"input0\", \"input1\"]\n" \
    "\t\t\t\t\t} \n\t\t\t\t] \n\t\t\t}\n\t\t],  \n"
#define EXAMPLE_TAIL "\t\t\"dump_path\":\"/home/output\",\n\t\t\"dump_mode\":\"input\",\n\t}  \n}\n"

static void published_examples_are_mended_then_judged(void)
{
    dc_dump_config c;
    CU_ASSERT_EQUAL(parse(&c, EXAMPLE_HEAD EXAMPLE_LIST EXAMPLE_TAIL, &lenient), DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "acl.json: dump.dump_list[0].optype_blacklist: needs "
                                            "\"dump_level\": \"op\" [EP0005]");
    CU_ASSERT_STRING_EQUAL(lines(&c.mended),
                           "acl.json:8:21: missing ',' added\n"
                           "acl.json:15:22: ',' before a closing bracket dropped\n");
    dc_acl_config_fini(&c);
    CU_ASSERT_EQUAL(parse(&c, EXAMPLE_HEAD EXAMPLE_LIST EXAMPLE_TAIL, &strict), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "acl.json:8:21: ',' is missing here");
    CU_ASSERT_STRING_EQUAL(c.code, "EP0004");
    dc_acl_config_fini(&c);
    DC_ASSERT_OK(
        parse(&c, EXAMPLE_HEAD EXAMPLE_LIST "\"dump_level\":\"op\"\n" EXAMPLE_TAIL, &lenient));
    CU_ASSERT_EQUAL_FATAL(c.nentry, 1);
    CU_ASSERT_STRING_EQUAL(c.entry[0].type_ban[0].name, "conv");
    CU_ASSERT_EQUAL(c.entry[0].type_ban[0].npos, 2);
    CU_ASSERT_EQUAL(c.mode, DC_DUMP_MODE_INPUT);
    dc_acl_config_fini(&c);
    refused("{\n\"dump\":{\n\"dump_list\":[     \n\t\t\t...... \n\t\t],  \n}}", "EP0004",
            "acl.json:4:4: expected a value or ']', found '.'");
}

static void values_arrive_in_the_struct(void)
{
    dc_dump_config c;
    DC_ASSERT_OK(
        parse(&c,
              "{\"dump\":{\"dump_path\":\"/x\",\"dump_mode\":\"all\",\"dump_level\":\"op\","
              "\"dump_data\":\"stats\",\"dump_stats\":[\"Max\",\"L2norm\"],"
              "\"dump_step\":\"0|3-5\",\"dump_list\":[{\"model_name\":\"m\","
              "\"layer\":[\"a\",\"b\"],\"opname_blacklist\":[{\"name\":\"a\",\"pos\":"
              "[\"output007\",\"input\"]}],\"opname_range\":[{\"begin\":\"c\","
              "\"end\":\"d\"}]},{}]}}",
              &lenient));
    CU_ASSERT_TRUE(c.has_dump && c.need_dump && c.model_dump && !c.from_tf);
    CU_ASSERT_STRING_EQUAL(c.path, "/x");
    CU_ASSERT_EQUAL(c.mode, DC_DUMP_MODE_ALL);
    CU_ASSERT_EQUAL(c.level, DC_DUMP_LEVEL_OP);
    CU_ASSERT_EQUAL(c.data, DC_DUMP_DATA_STATS);
    CU_ASSERT_EQUAL(c.stats, 0x41);
    CU_ASSERT_TRUE(c.steps.n == 2 && c.steps.range[1].first == 3 && c.steps.range[1].last == 5);
    CU_ASSERT_EQUAL_FATAL(c.nentry, 2);
    const dc_dump_entry *e = &c.entry[0];
    CU_ASSERT_STRING_EQUAL(e->model_name, "m");
    CU_ASSERT_EQUAL(e->layer.n, 2);
    CU_ASSERT_EQUAL_FATAL(e->nname_ban, 1);
    CU_ASSERT_EQUAL_FATAL(e->name_ban[0].npos, 1);
    CU_ASSERT_TRUE(e->name_ban[0].pos[0].output && e->name_ban[0].pos[0].slot == 7);
    CU_ASSERT_EQUAL_FATAL(e->nrange, 1);
    CU_ASSERT_STRING_EQUAL(e->range[0].end, "d");
    CU_ASSERT_PTR_NULL(c.entry[1].model_name);
    CU_ASSERT_STRING_EQUAL(lines(&c.warnings),
                           "acl.json: dump.dump_list[0].opname_blacklist[0].pos[1]: \"input\" "
                           "selects nothing; write input0, output0 and so on\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(lines(&c.ge), "dump_list[0]: the graph engine would silently not "
                                                "use this layer list"));
    dc_acl_config_fini(&c);
}

static void mistyped_and_repeated_keys_are_warned_of(void)
{
    static const char text[] = "{\"dump\":{\"dump_path\":\"/x\",\"dump_lst\":[],\"dump_mode\":"
                               "\"all\",\"dump_mode\":\"input\",\"dump_list\":[{\"layers\":[]}]}}";
    dc_dump_config c;
    DC_ASSERT_OK(parse(&c, text, &lenient));
    CU_ASSERT_EQUAL(c.mode, DC_DUMP_MODE_INPUT);
    CU_ASSERT_STRING_EQUAL(
        lines(&c.warnings),
        "acl.json: dump.dump_mode: given several times; the last one counts\n"
        "acl.json: dump.dump_lst: unknown key, ignored by CANN; did you mean dump_list?\n"
        "acl.json: dump.dump_list[0].layers: unknown key, ignored by CANN; did you mean layer?\n");
    dc_acl_config_fini(&c);
    CU_ASSERT_EQUAL(parse(&c, text, &strict), DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "acl.json: dump.dump_mode: given several times; the "
                                            "last one counts (--strict)");
    dc_acl_config_fini(&c);
}

static void ge_line(const char *text, bool model_dump, const char *want)
{
    dc_dump_config c;
    DC_ASSERT_OK(parse(&c, text, &lenient));
    CU_ASSERT_EQUAL(c.model_dump, model_dump);
    const char *got = lines(&c.ge);
    if (!strstr(got, want) || (!*want && *got))
        fprintf(stderr, "%s\n  %s\n", text, got);
    CU_ASSERT_TRUE(strstr(got, want) && (*want || !*got));
    dc_acl_config_fini(&c);
}

static void what_the_graph_engine_would_not_dump_is_said(void)
{
    ge_line("{\"dump\":{\"dump_path\":\"/x y\",\"dump_list\":[{}]}}", false,
            "dump.dump_path: the graph engine would silently not dump because it does not take");
    ge_line("{\"dump\":{\"dump_path\":\"/x\",\"dump_debug\":\"on\",\"dump_list\":[{}]}}", false,
            "dump.dump_list: the graph engine would silently not dump because dump_debug is on");
    ge_line("{\"dump\":{\"dump_path\":\"/x\",\"dump_list\":[]}}", false,
            "nothing would be dumped: dump_list is empty");
    ge_line("{\"dump\":{\"dump_path\":\"/x\",\"dump_scene\":\"watcher\"}}", false,
            "dump_scene watcher needs a dump_list");
    ge_line("{\"dump\":{\"dump_path\":\"/x\",\"dump_op_switch\":\"on\",\"dump_list\":"
            "[{\"layer\":[]}]}}",
            true, "dump.dump_list[0]: the graph engine passes over this entry: its layer is empty");
    ge_line(
        LIST("{\"model_name\":\"m\",\"layer\":[\"a\"]},{\"model_name\":\"m\",\"layer\":[\"b\"]}"),
        true, "dump.dump_list[1]: the layers given here replace those of dump_list[0]");
    ge_line(LIST("{\"model_name\":\"m\",\"layer\":[\"a\"]},{\"model_name\":\"n\"}"), true, "");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(all_sample_files_get_cann_s_verdict),
        DC_TEST(refusals_name_path_value_and_what_is_allowed),
        DC_TEST(the_first_failure_in_adump_s_order_wins),
        DC_TEST(exceptions_and_overflow_skip_later_checks),
        DC_TEST(blacklists_hold_at_most_a_hundred),
        DC_TEST(paths_with_an_ip_are_taken_laxly),
        DC_TEST(published_examples_are_mended_then_judged),
        DC_TEST(values_arrive_in_the_struct),
        DC_TEST(mistyped_and_repeated_keys_are_warned_of),
        DC_TEST(what_the_graph_engine_would_not_dump_is_said),
    };
    return dc_test_main("acl_config", tests, DC_COUNT(tests));
}
