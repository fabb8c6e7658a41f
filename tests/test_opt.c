/* tests/test_opt.c - command lines: parsing, messages, --help from the same table; nearest names.
 */
#include "io/near.h"
#include "io/opt.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    bool help, quiet;
    const char *output;
    dc_opt_list op;
    uint64_t count, size;
    double ratio;
    int mode;
    char called[32];
} options;

static dc_status call(void *context, const char *value)
{
    options *o = context;
    if (strlen(value) >= sizeof o->called)
        return dc_fail(DC_EARG, "\"%s\" is too long", value);
    snprintf(o->called, sizeof o->called, "%s", value);
    return DC_OK;
}

#define AT(field) .offset = offsetof(options, field)
static const dc_opt rows[] = {
    {DC_OPT_GROUP, .name = "Where to"},
    {DC_OPT_STRING, 'o', "output", "FILE", "write here (default dump.h5)", AT(output)},
    {DC_OPT_GROUP, .name = "What"},
    {DC_OPT_LIST, 0, "op", "GLOB", "operators; may be repeated", AT(op)},
    {DC_OPT_CHOICE, 'm', "mode", NULL, "tensors to take", AT(mode), .choices = "output|input|all"},
    {DC_OPT_U64, 'n', "count", "N", "how many", AT(count), .only = 1},
    {DC_OPT_SIZE, 0, "align", "BYTES", "page", AT(size)},
    {DC_OPT_DOUBLE, 0, "ratio", "R", "ratio", AT(ratio)},
    {DC_OPT_CALL, 0, "range", "A-B", "by call", .call = call},
    {DC_OPT_FLAG, 'q', "quiet", .help = "say nothing", AT(quiet)},
    {DC_OPT_FLAG, 'x', .help = "a letter only", AT(quiet)},
    {DC_OPT_STOP, 'h', "help", .help = "print this", AT(help)},
    {DC_OPT_GROUP, .name = "Examples"},
    {DC_OPT_TEXT, .help = "tool -o a.h5 /data/output\ntool ls a.h5"},
};
static const dc_opt_command commands[] = {{"ls", "STORE", "list a store"},
                                          {"verify", "STORE", "check a store"}};
static const dc_opt_table table = {.program = "tool",
                                   .usage = "[OPTION...] [ROOT...]\nls STORE",
                                   .summary = "Does things.",
                                   .opt = rows,
                                   .nopt = DC_COUNT(rows),
                                   .command = commands,
                                   .ncommand = 2};

enum { WORDS = 32 };
typedef struct line {
    char text[512];
    char *argv[WORDS];
    int argc;
    options o;
    dc_opt_rest rest;
} line;

/* Parse words separated by blanks. */
static dc_status parse(line *l, const char *text)
{
    memset(l, 0, sizeof *l);
    snprintf(l->text, sizeof l->text, "tool %s", text);
    for (char *word = strtok(l->text, " "); word; word = strtok(NULL, " "))
        l->argv[l->argc++] = word;
    dc_status st = dc_opt_parse(&l->rest, &l->o, &table, l->argc, l->argv);
    return st;
}

static void refused(const char *text, const char *message)
{
    line l;
    CU_ASSERT_EQUAL(parse(&l, text), DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), message);
    dc_opt_list_fini(&l.o.op);
}

static void all_spellings_are_taken(void)
{
    line l;
    DC_ASSERT_OK(parse(&l, "a -o x.h5 --op=conv* --op re:^fc b --mode all -n7 --align 4K -q "
                           "--ratio=0.5 --range 3-4 -- -z"));
    CU_ASSERT_STRING_EQUAL(l.o.output, "x.h5");
    CU_ASSERT_EQUAL_FATAL(l.o.op.n, 2);
    CU_ASSERT_STRING_EQUAL(l.o.op.item[0], "conv*");
    CU_ASSERT_STRING_EQUAL(l.o.op.item[1], "re:^fc");
    CU_ASSERT_EQUAL(l.o.mode, 2);
    CU_ASSERT_EQUAL(l.o.count, 7);
    CU_ASSERT_EQUAL(l.o.size, 4096);
    CU_ASSERT_EQUAL(l.o.ratio, 0.5);
    CU_ASSERT_TRUE(l.o.quiet);
    CU_ASSERT_STRING_EQUAL(l.o.called, "3-4");
    CU_ASSERT_EQUAL(l.rest.command, -1);
    CU_ASSERT_EQUAL_FATAL(l.rest.n, 3);
    CU_ASSERT_STRING_EQUAL(l.rest.argument[0], "a");
    CU_ASSERT_STRING_EQUAL(l.rest.argument[1], "b");
    CU_ASSERT_STRING_EQUAL(l.rest.argument[2], "-z");
    dc_opt_list_fini(&l.o.op);
}

static void the_last_value_wins_and_beginnings_do(void)
{
    line l;
    DC_ASSERT_OK(parse(&l, "-o a --out b"));
    CU_ASSERT_STRING_EQUAL(l.o.output, "b");
    DC_ASSERT_OK(parse(&l, ""));
    CU_ASSERT_EQUAL(l.rest.n, 0);
}

static void first_word_may_be_a_command(void)
{
    line l;
    DC_ASSERT_OK(parse(&l, "-q verify a.h5 --op x"));
    CU_ASSERT_EQUAL(l.rest.command, 1);
    CU_ASSERT_EQUAL_FATAL(l.rest.n, 1);
    CU_ASSERT_STRING_EQUAL(l.rest.argument[0], "a.h5");
    dc_opt_list_fini(&l.o.op);
    DC_ASSERT_OK(parse(&l, "./ls"));
    CU_ASSERT_EQUAL(l.rest.command, -1);
    CU_ASSERT_EQUAL(l.rest.n, 1);
    refused("ls -n 3 a.h5", "--count does not go with ls");
}

static void help_ends_parsing(void)
{
    line l;
    DC_ASSERT_OK(parse(&l, "--help --nonsense"));
    CU_ASSERT_TRUE(l.o.help);
}

static void faults_name_the_option_and_a_way_out(void)
{
    refused("--modes all", "unknown option --modes; did you mean mode?");
    refused("--outptu=3", "unknown option --outptu; did you mean output?");
    refused("--zzz", "unknown option --zzz; see --help");
    refused("--o", "--o is the beginning of several options: --output, --op");
    refused("-z", "unknown option -z; see --help");
    refused("-qz", "unknown option -z; see --help");
    refused("a --output", "--output needs a value (FILE)");
    refused("a -m", "--mode needs a value (output|input|all)");
    refused("--quiet=1", "--quiet takes no value");
    refused("--mode out", "--mode: \"out\" is not allowed; allowed: output|input|all");
    refused("--count -1", "--count: \"-1\" is not a whole number");
    refused("--count 18446744073709551616", "--count: \"18446744073709551616\" is too large");
    refused("--align 4X",
            "--align: \"4X\" is not a size; write bytes, or a number with K, M, G or T");
    refused("--align 99999999999T", "--align: \"99999999999T\" is too large");
    refused("--ratio nan", "--ratio: \"nan\" is not a number");
    refused("--range 0123456789012345678901234567890123456789",
            "--range: \"0123456789012345678901234567890123456789\" is too long");
}

static void help_lists_every_option_with_groups_and_examples(void)
{
    dc_buf b = {0};
    DC_ASSERT_OK(dc_opt_help(&b, &table));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    static const char want[] = "Usage:\n"
                               "  tool [OPTION...] [ROOT...]\n"
                               "  tool ls STORE\n"
                               "\n"
                               "Does things.\n"
                               "\n"
                               "Commands\n"
                               "  ls STORE                    list a store\n"
                               "  verify STORE                check a store\n"
                               "\n"
                               "Where to\n"
                               "  -o, --output FILE           write here (default dump.h5)\n"
                               "\n"
                               "What\n"
                               "      --op GLOB               operators; may be repeated\n"
                               "  -m, --mode output|input|all\n"
                               "                              tensors to take\n";
    CU_ASSERT_NSTRING_EQUAL(b.data, want, sizeof want - 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.data, "\nExamples\n  tool -o a.h5 /data/output\n  tool ls"));
    for (const char *at = b.data, *end; (end = strchr(at, '\n')); at = end + 1)
        CU_ASSERT(end - at <= 100);
    dc_buf_free(&b);
}

static void version_names_the_libraries(void)
{
    dc_buf b = {0};
    DC_ASSERT_OK(dc_opt_version(&b, "tool", "Open MPI 4.1.4", NULL));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    CU_ASSERT_STRING_EQUAL(b.data, "tool " DUMPCAP_VERSION "\nMPI: Open MPI 4.1.4\n");
    dc_buf_free(&b);
}

static void distances_count_edits(void)
{
    char text[400];
    CU_ASSERT_EQUAL(dc_near_distance("", ""), 0);
    CU_ASSERT_EQUAL(dc_near_distance("abc", ""), 3);
    CU_ASSERT_EQUAL(dc_near_distance("Conv1", "conv1"), 0);
    CU_ASSERT_EQUAL(dc_near_distance("kitten", "sitting"), 3);
    CU_ASSERT_EQUAL(dc_near_distance("outptu", "output"), 1);
    memset(text, 'a', sizeof text);
    text[399] = '\0';
    CU_ASSERT_EQUAL(dc_near_distance(text, "a"), DC_NEAR_MAX + 1);
}

static void the_three_nearest_are_kept_in_order(void)
{
    static const char *const names[] = {"conv10", "bias", "conv2", "conv1", "conv", "conv1_bn"};
    dc_near near = {0};
    char text[DC_NEAR_TEXT];
    for (size_t i = 0; i < DC_COUNT(names); i++)
        dc_near_offer(&near, "conv1x", names[i]);
    dc_near_print(text, &near);
    CU_ASSERT_STRING_EQUAL(text, "; did you mean conv10, conv1 or conv2?");
    near = (dc_near){0};
    dc_near_offer(&near, "x", "entirely_else");
    dc_near_print(text, &near);
    CU_ASSERT_STRING_EQUAL(text, "");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(all_spellings_are_taken),
        DC_TEST(the_last_value_wins_and_beginnings_do),
        DC_TEST(first_word_may_be_a_command),
        DC_TEST(help_ends_parsing),
        DC_TEST(faults_name_the_option_and_a_way_out),
        DC_TEST(help_lists_every_option_with_groups_and_examples),
        DC_TEST(version_names_the_libraries),
        DC_TEST(distances_count_edits),
        DC_TEST(the_three_nearest_are_kept_in_order),
    };
    return dc_test_main("opt", tests, DC_COUNT(tests));
}
