/* tests/test_steps.c - dump_step texts: what each of its readers takes, and the set it means. */
#include "io/steps.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

/* What each grammar makes of a text: the canonical set, or NULL = refused. Columns: ADUMP, GE_JSON,
 * GE_OPTION, TF, TF_OLD, DEVICE, STRICT. */
static const struct {
    const char *text;
    const char *set[7];
} cases[] = {
    {"", {"", "", "", "", "", "", ""}},
    {"0|3-5|10",
     {"0|3-5|10", "0|3-5|10", "0|3-5|10", "0|3-5|10", "0|3-5|10", "0|3-5|10", "0|3-5|10"}},
    {"001|002", {"1-2", "1-2", "1-2", "1-2", "1-2", "1-2", "1-2"}},
    {"3|1", {"1|3", "1|3", "1|3", "1|3", "1|3", "1|3", "1|3"}},
    {"10|0|3-5|4-7",
     {"0|3-7|10", "0|3-7|10", "0|3-7|10", "0|3-7|10", "0|3-7|10", "0|3-7|10", "0|3-7|10"}},
    {"5-18446744073709551615|0",
     {"0|5-9223372036854775807", "0|5-18446744073709551615", NULL, NULL, "0|5-18446744073709551615",
      "0|5-18446744073709551615", NULL}},
    {"5-5", {"5", "5", NULL, NULL, NULL, "5", NULL}},
    {"0|5-3|20", {NULL, "0|3-5|20", NULL, NULL, NULL, "0|3-5|20", NULL}},
    {"5|", {NULL, "0|5", NULL, "5", NULL, "5", NULL}},
    {"5||10", {NULL, "0|5|10", NULL, NULL, NULL, "5|10", NULL}},
    {"|", {NULL, "0", NULL, NULL, NULL, "", NULL}},
    {"5-", {NULL, "0-5", NULL, "5", NULL, NULL, NULL}},
    {"-5", {NULL, "0-5", NULL, NULL, NULL, NULL, NULL}},
    {" 1 - 3 | 7", {NULL, NULL, NULL, NULL, NULL, "1-3|7", NULL}},
    {"0|5-\n10|20", {NULL, NULL, NULL, NULL, NULL, "0|5-10|20", NULL}},
    {"two", {NULL}},
    {"1-2-3", {NULL}},
    {"0x5", {NULL}},
    {"2147483647",
     {"2147483647", "2147483647", "2147483647", "2147483647", "2147483647", "2147483647",
      "2147483647"}},
    {"2147483648", {"2147483648", "2147483648", NULL, NULL, "2147483648", "2147483648", NULL}},
    {"99999999999999999999",
     {"9223372036854775807", "18446744073709551615", NULL, NULL, "18446744073709551615",
      "18446744073709551615", NULL}},
};

/* Whether a grammar makes `want` of a text; NULL = refuses it. */
static bool reads_as(const char *text, dc_steps_grammar grammar, const char *want)
{
    dc_steps s;
    dc_buf b = {0};
    dc_status st = dc_steps_parse(&s, text, grammar, "--step");
    if (st == DC_OK)
        DC_ASSERT_OK(dc_steps_print(&b, &s));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    bool good = want ? st == DC_OK && strcmp(b.data, want) == 0 : st == DC_EARG;
    if (!good)
        fprintf(stderr, "\"%s\" by grammar %d: %s\n", text, (int)grammar,
                st == DC_OK ? b.data : dc_last_error());
    dc_buf_free(&b);
    dc_steps_fini(&s);
    return good;
}

static void every_reader_has_its_own_grammar(void)
{
    for (size_t i = 0; i < DC_COUNT(cases); i++)
        for (int g = 0; g < 7; g++)
            CU_ASSERT_TRUE(reads_as(cases[i].text, (dc_steps_grammar)g, cases[i].set[g]));
}

/* By definition of the intersection. */
static void strict_takes_what_all_take(void)
{
    for (size_t i = 0; i < DC_COUNT(cases); i++) {
        bool all = true;
        for (int g = 0; g < DC_STEPS_STRICT; g++)
            all = all && cases[i].set[g];
        CU_ASSERT_EQUAL(all, cases[i].set[DC_STEPS_STRICT] != NULL);
    }
}

static void at_most_a_hundred_pieces(void)
{
    char text[203];
    dc_steps s;
    for (int i = 0; i < 101; i++)
        memcpy(text + 2 * i, "7|", 2);
    text[2 * 100 - 1] = '\0'; /* a hundred, without the last bar */
    DC_ASSERT_OK(dc_steps_parse(&s, text, DC_STEPS_ADUMP, "--step"));
    CU_ASSERT_EQUAL(s.n, 1);
    dc_steps_fini(&s);
    text[2 * 100 - 1] = '|';
    text[2 * 101 - 1] = '\0';
    CU_ASSERT_EQUAL(dc_steps_parse(&s, text, DC_STEPS_ADUMP, "--step"), DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "--step: has 101 pieces; at most 100 are allowed");
}

static void messages_name_the_piece_and_the_rule(void)
{
    dc_steps s;
    CU_ASSERT_EQUAL(dc_steps_parse(&s, "0|5-3", DC_STEPS_ADUMP, "acl.json: dump.dump_step"),
                    DC_EARG);
    CU_ASSERT_STRING_EQUAL(dc_last_error(),
                           "acl.json: dump.dump_step: piece 2, \"5-3\", is reversed: the first "
                           "number must not be larger than the second (rules of acl.json; "
                           "example: 0|3-5|10)");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_reader_has_its_own_grammar),
        DC_TEST(strict_takes_what_all_take),
        DC_TEST(at_most_a_hundred_pieces),
        DC_TEST(messages_name_the_piece_and_the_rule),
    };
    return dc_test_main("steps", tests, DC_COUNT(tests));
}
