/* tests/test_pbtext.c - protobuf text and JSON as a stream of fields. */
#include "io/mem.h"
#include "io/pbtext.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read everything, entering every message, into a canonical text: "a=1 b{c=x }". */
static dc_status walk(dc_buf *out, dc_pbtext *p)
{
    dc_pbfield f;
    for (uint32_t depth = 0;;) {
        const char *text;
        size_t n;
        dc_status st = dc_pbtext_next(&f, p);
        if (st != DC_OK)
            return st;
        if (f.kind == DC_PB_END && depth == 0)
            return DC_OK;
        if (f.kind == DC_PB_END) {
            depth--;
            st = dc_buf_puts(out, "} ");
        } else if (f.kind == DC_PB_MESSAGE) {
            depth++;
            st = dc_buf_printf(out, "%s{", f.name);
            if (st == DC_OK)
                st = dc_pbtext_enter(p);
        } else {
            st = dc_pbtext_text(&text, &n, p);
            if (st == DC_OK)
                st = dc_buf_printf(out, "%s=%.*s ", f.name, (int)n, text);
        }
        if (st != DC_OK)
            return st;
    }
}

static dc_status skip_all(dc_pbtext *p)
{
    dc_pbfield f;
    dc_status st;
    do
        st = dc_pbtext_next(&f, p);
    while (st == DC_OK && f.kind != DC_PB_END);
    return st;
}

/* A malloc'd copy of exactly n bytes, so that the sanitizer sees a byte too many. */
static dc_status parse(dc_buf *out, const char *text, size_t n)
{
    char *exact = malloc(n ? n : 1);
    dc_pbtext *p;
    memcpy(exact, text, n);
    out->n = 0;
    dc_status st = dc_pbtext_open_memory(&p, exact, n, "t.txt");
    if (st == DC_OK) {
        st = walk(out, p);
        dc_pbtext_close(p);
    }
    dc_status skipped = dc_pbtext_open_memory(&p, exact, n, "t.txt");
    if (skipped == DC_OK) {
        skipped = skip_all(p);
        dc_pbtext_close(p);
    }
    free(exact);
    CU_ASSERT(st != DC_OK || skipped == DC_OK); /* what can be read can be skipped */
    return st == DC_OK ? dc_buf_add(out, "", 1) : st;
}

static void reads_as(const char *text, const char *want)
{
    dc_buf b = {0};
    DC_ASSERT_OK(parse(&b, text, strlen(text)));
    if (strcmp(b.data, want) != 0)
        fprintf(stderr, "%s\n read as %s\n not as %s\n", text, b.data, want);
    CU_ASSERT_STRING_EQUAL(b.data, want);
    dc_buf_free(&b);
}

static void fails_with(const char *text, const char *part)
{
    dc_buf b = {0};
    CU_ASSERT_EQUAL(parse(&b, text, strlen(text)), DC_EFORMAT);
    if (!strstr(dc_last_error(), part))
        fprintf(stderr, "%s\n said: %s\n not: %s\n", text, dc_last_error(), part);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), part));
    dc_buf_free(&b);
}

static void fields_come_in_order(void)
{
    reads_as("", "");
    reads_as(" # only a comment", "");
    reads_as("a: 1\nb { c: \"x\" d < e: TRUE_ONE > }\n", "a=1 b{c=x d{e=TRUE_ONE } } ");
    reads_as("a:1,b:2;c { } d: {}", "a=1 b=2 c{} d{} ");
    reads_as("a: -5 # five\n# and\nb: - 5 c: 1.5e-3 d: -inf", "a=-5 b=-5 c=1.5e-3 d=-inf ");
    reads_as("[pkg.ext/x]: 1 b: 2", "[pkg.ext/x]=1 b=2 ");
    reads_as("\xef\xbb\xbf"
             "a: 1",
             "a=1 ");
}

static void lists_are_repeated_fields(void)
{
    reads_as("a: [1, 2, 3] b: [] b: [] c [ { d: 1 }, { d: 2 } ] e: 1",
             "a=1 a=2 a=3 c{d=1 } c{d=2 } e=1 ");
    reads_as("{\"a\": [1, 2], \"m\": [{\"b\": []}, {\"b\": [\"x\"]}], \"e\": true}",
             "a=1 a=2 m{} m{b=x } e=true ");
    reads_as("{\"a\": [[1, 2], [3]], \"b\": 1}", "b=1 ");
}

static void json_reads_like_text(void)
{
    reads_as("{}", "");
    reads_as(" {\"a\": null, \"b\": {\"c\": [null, 1]}, \"d\": -2.5e3 }\n", "b{c=1 } d=-2.5e3 ");
    reads_as("{\"a\\u0041\": \"\\u00e9\\ud83d\\ude00\\/\\n\"}", "aA=\xc3\xa9\xf0\x9f\x98\x80/\n ");
    fails_with("{\"a\": 1} x", "'x' where the end of the file is expected");
    fails_with("{\"a\" 1}", "where ':' is expected");
    fails_with("{a: 1}", "where a \"key\"");
    fails_with("{\"a\": \"\\ud800x\"}", "surrogate");
}

static void escapes_are_resolved(void)
{
    reads_as("a: \"\\n\\t\\\"\\\\\\'\\101\\x41\\x4\\0601\" 'b' \"c\"", "a=\n\t\"\\'AA\x04"
                                                                       "01bc ");
    reads_as("a: '\"' b: \"'\"", "a=\" b=' ");
    fails_with("a: \"\\q\"", "unknown escape");
    fails_with("a: \"\\xg\"", "hexadecimal");
    fails_with("a: \"x\nb: 1\"", "t.txt:1: a string is not closed");
}

static void faults_name_the_line(void)
{
    fails_with("a: 1\nb: 2\n\nc {\n d: ?\n}", "t.txt:5: '?' where a value");
    fails_with("a: 1\n}", "t.txt:2: '}' where a field name");
    fails_with("a {\n b: 1\n>", "t.txt:3: '>'");
    fails_with("a 1", "':' or '{'");
    fails_with("a: [1\n 2", "t.txt:2:");
    fails_with("a: \x01", "byte 0x01");
    fails_with("a {", "the file ends inside a message (1 '}' are missing)");
}

static void numbers_are_checked(void)
{
    static const char text[] =
        "a: 12 a: 0x10 a: \"7\" a: 18446744073709551615 a: -9223372036854775808 "
        "a: 18446744073709551616 ";
    const int64_t want[] = {12, 16, 7, -1, INT64_MIN};
    dc_pbtext *p;
    dc_pbfield f;
    int64_t v;
    bool b;
    DC_ASSERT_OK(dc_pbtext_open_memory(&p, text, strlen(text), "t.txt"));
    for (size_t i = 0; i < DC_COUNT(want); i++) {
        DC_ASSERT_OK(dc_pbtext_next(&f, p));
        DC_ASSERT_OK(dc_pbtext_int(&v, p));
        CU_ASSERT_EQUAL(v, want[i]);
    }
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    CU_ASSERT_EQUAL(dc_pbtext_int(&v, p), DC_EFORMAT);
    dc_pbtext_close(p);
    DC_ASSERT_OK(dc_pbtext_open_memory(&p, "a: true a: 0 a: maybe", 21, "t.txt"));
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    DC_ASSERT_OK(dc_pbtext_bool(&b, p));
    CU_ASSERT_TRUE(b);
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    DC_ASSERT_OK(dc_pbtext_bool(&b, p));
    CU_ASSERT_FALSE(b);
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    CU_ASSERT_EQUAL(dc_pbtext_bool(&b, p), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_pbtext_enter(p), DC_EFORMAT); /* nothing is pending */
    dc_pbtext_close(p);
}

static void every_truncation_is_noticed_or_harmless(void)
{
    static const char text[] = "a { b: \"x\\101\" c < d: [1, 2] > e: -5 }";
    static const char json[] = "{\"a\": {\"b\": \"x\\u0041\", \"d\": [1, 2]}}";
    dc_buf b = {0};
    for (size_t n = 1; n < strlen(text); n++)
        CU_ASSERT_EQUAL(parse(&b, text, n), DC_EFORMAT);
    for (size_t n = 1; n < strlen(json); n++)
        CU_ASSERT_EQUAL(parse(&b, json, n), DC_EFORMAT);
    dc_buf_free(&b);
}

static void hostile_nesting_is_refused(void)
{
    enum { DEEP = 200000 };
    static const char *const open[] = {"a{", "a<", "["};
    for (size_t k = 0; k < DC_COUNT(open); k++) {
        dc_buf text = {0}, out = {0};
        DC_ASSERT_OK(dc_buf_puts(&text, "a: "));
        for (int i = 0; i < DEEP; i++)
            DC_ASSERT_OK(dc_buf_puts(&text, open[k] + (i == 0 && k < 2)));
        CU_ASSERT_EQUAL(parse(&out, text.data, text.n), DC_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "nested deeper"));
        dc_buf_free(&text);
        dc_buf_free(&out);
    }
    dc_buf text = {0}, out = {0}; /* no recursion over empty lists either */
    for (int i = 0; i < DEEP; i++)
        DC_ASSERT_OK(dc_buf_puts(&text, "a: [] "));
    DC_ASSERT_OK(parse(&out, text.data, text.n));
    dc_buf_free(&text);
    dc_buf_free(&out);
}

static void skipping_minds_brackets_in_texts_and_comments(void)
{
    static const char text[] = "a { b: \"}\\\"}\" # }\n c: '{' d { } }\ne: 1";
    dc_pbtext *p;
    dc_pbfield f;
    int64_t v;
    DC_ASSERT_OK(dc_pbtext_open_memory(&p, text, strlen(text), "t.txt"));
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    CU_ASSERT_STRING_EQUAL(f.name, "a");
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    CU_ASSERT_STRING_EQUAL(f.name, "e");
    DC_ASSERT_OK(dc_pbtext_int(&v, p));
    CU_ASSERT_EQUAL(v, 1);
    dc_pbtext_close(p);
}

/* Texts, names and comments that straddle the block's end, at every offset around it. */
static void blocks_do_not_show(void)
{
    static const char tail[] = "name: \"ab\\101c\" # z\nnum: -12 m { k: 'v' } end: 1";
    char path[4096];
    snprintf(path, sizeof path, "%s/big.txt", dc_test_dir());
    for (size_t shift = 0; shift < sizeof tail; shift++) {
        FILE *f = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fprintf(f, "%*s", (int)(DC_PBTEXT_BLOCK - shift), "");
        fputs(tail, f);
        fclose(f);
        dc_pbtext *p;
        dc_buf b = {0};
        DC_ASSERT_OK(dc_pbtext_open(&p, path));
        DC_ASSERT_OK(walk(&b, p));
        DC_ASSERT_OK(dc_buf_add(&b, "", 1));
        CU_ASSERT_STRING_EQUAL(b.data, "name=abAc num=-12 m{k=v } end=1 ");
        dc_buf_free(&b);
        dc_pbtext_close(p);
    }
}

static void a_text_too_long_to_keep_can_be_skipped(void)
{
    dc_buf text = {0}, out = {0};
    DC_ASSERT_OK(dc_buf_puts(&text, "a: \""));
    for (size_t i = 0; i <= DC_PBTEXT_TEXT / 64; i++)
        DC_ASSERT_OK(dc_buf_add(
            &text, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 64));
    DC_ASSERT_OK(dc_buf_puts(&text, "\" b: 1"));
    CU_ASSERT_EQUAL(parse(&out, text.data, text.n), DC_EFORMAT);
    dc_pbtext *p;
    dc_pbfield f;
    DC_ASSERT_OK(dc_pbtext_open_memory(&p, text.data, text.n, "t.txt"));
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    DC_ASSERT_OK(dc_pbtext_next(&f, p));
    CU_ASSERT_STRING_EQUAL(f.name, "b");
    dc_pbtext_close(p);
    dc_buf_free(&text);
    dc_buf_free(&out);
}

static void files_that_cannot_be_read_say_so(void)
{
    dc_pbtext *p;
    CU_ASSERT_EQUAL(dc_pbtext_open(&p, "/no/such/file"), DC_ENOENT);
    CU_ASSERT_EQUAL(dc_pbtext_open(&p, dc_test_dir()), DC_EIO);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(fields_come_in_order),
        DC_TEST(lists_are_repeated_fields),
        DC_TEST(json_reads_like_text),
        DC_TEST(escapes_are_resolved),
        DC_TEST(faults_name_the_line),
        DC_TEST(numbers_are_checked),
        DC_TEST(every_truncation_is_noticed_or_harmless),
        DC_TEST(hostile_nesting_is_refused),
        DC_TEST(skipping_minds_brackets_in_texts_and_comments),
        DC_TEST(blocks_do_not_show),
        DC_TEST(a_text_too_long_to_keep_can_be_skipped),
        DC_TEST(files_that_cannot_be_read_say_so),
    };
    return dc_test_main("pbtext", tests, DC_COUNT(tests));
}
