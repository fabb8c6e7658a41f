/* tests/test_json.c - JSON documents: syntax by line and column, mended commas, lookups by key
 * path. */
#include "io/json.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dc_json_rules lenient, strict = {.strict = true};

static void refused(const char *text, const dc_json_rules *rules, const char *message)
{
    dc_json doc;
    dc_status st = dc_json_parse(&doc, text, strlen(text), "f.json", rules);
    CU_ASSERT_NOT_EQUAL(st, DC_OK);
    if (st == DC_OK)
        dc_json_fini(&doc);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), message);
}

static void syntax_faults_have_line_and_column(void)
{
    refused("{\n  \"a\": ......\n}", &lenient, "f.json:2:8: expected a value, found '.'");
    refused("{\"a\" 1}", &lenient, "f.json:1:6: expected ':', found '1'");
    refused("{a:1}", &lenient, "f.json:1:2: expected a key in double quotes or '}', found 'a'");
    refused("[1,,2]", &lenient, "f.json:1:4: expected a value, found ','");
    refused("[,]", &lenient, "f.json:1:2: expected a value or ']', found ','");
    refused("{\"a\":1", &lenient, "f.json:1:7: expected ',' or a closing bracket, found the end");
    refused("[1}", &lenient, "f.json:1:3: expected ',' or a closing bracket, found '}'");
    refused("{} x", &lenient, "f.json:1:4: expected nothing more, found 'x'");
    refused("\"a\": \"b\"", &lenient, "f.json:1:4: expected nothing more, found ':'");
    refused("{\"\xe2\x82\xac\": +}", &lenient, "f.json:1:7: expected a value, found '+'");
    refused("[01]", &lenient, "f.json:1:2: not a number");
    refused("[1.]", &lenient, "f.json:1:2: not a number");
    refused("[-]", &lenient, "f.json:1:2: not a number");
    refused("[1e+]", &lenient, "f.json:1:2: not a number");
    refused("[tru]", &lenient, "f.json:1:2: expected a value or ']', found 't'");
    refused("[\"a\nb\"]", &lenient,
            "f.json:1:4: control character in a string (closing '\"' forgotten?)");
    refused("[\"abc", &lenient, "f.json:1:2: string without closing '\"'");
    refused("[\"\\x\"]", &lenient, "f.json:1:3: unknown escape in a string");
    refused("[\"\\u12g4\"]", &lenient,
            "f.json:1:3: \\u must be followed by four hexadecimal digits");
    refused("[\"\\ud800x\"]", &lenient, "f.json:1:3: half of a surrogate pair");
    refused("[\"\\u0000\"]", &lenient, "f.json:1:3: NUL characters are not supported");
    refused("[\"\xff\"]", &lenient, "f.json:1:3: not UTF-8");
    refused("[\"\xc0\x80\"]", &lenient, "f.json:1:3: not UTF-8");
    refused("[\"\xe0\x80\x80\"]", &lenient, "f.json:1:3: not UTF-8");
    refused("[\"\xed\xa0\x80\"]", &lenient, "f.json:1:3: not UTF-8");
    refused("[\"\xf4\x90\x80\x80\"]", &lenient, "f.json:1:3: not UTF-8");
    refused("[\"\xe2\x82", &lenient, "f.json:1:3: not UTF-8");
}

static void good_documents_are_taken_whole(void)
{
    static const char *const texts[] = {
        "{}",      "[]",
        " [ ] ",   "3",
        "-0.5e-3", "\"\\ud83d\\ude00 \xf0\x9f\x98\x80\"",
        "null",    "\xef\xbb\xbf{\"a\":[true,false,null,{\"b\":[[1,2],[]]}]}"};
    for (size_t i = 0; i < DC_COUNT(texts); i++) {
        dc_json doc;
        DC_ASSERT_OK(dc_json_parse(&doc, texts[i], strlen(texts[i]), "f.json", &strict));
        CU_ASSERT_PTR_NOT_NULL(doc.root);
        CU_ASSERT_EQUAL(doc.nmended, 0);
        dc_json_fini(&doc);
    }
}

static void empty_files_are_success(void)
{
    dc_json doc;
    DC_ASSERT_OK(dc_json_parse(&doc, " \n", 2, "f.json", &strict));
    CU_ASSERT_PTR_NULL(doc.root);
    dc_json_at root = dc_json_root(&doc), key = dc_json_get(&root, "dump");
    CU_ASSERT_PTR_NULL(key.node);
    dc_json_fini(&doc);
}

static void commas_are_mended_and_told(void)
{
    static const char text[] = "{\n"
                               "  \"name\":\"conv\"\n"
                               "  \"pos\":[\"a\" \"b\",],\n"
                               "  \"n\":[1 2\n{\"x\":1}\"s\"],\n"
                               "}";
    dc_json doc;
    DC_ASSERT_OK(dc_json_parse(&doc, text, sizeof text - 1, "f.json", &lenient));
    CU_ASSERT_EQUAL(doc.nmended, 7);
    DC_ASSERT_OK(dc_buf_add(&doc.mended, "", 1));
    CU_ASSERT_STRING_EQUAL(doc.mended.data, "f.json:2:16: missing ',' added\n"
                                            "f.json:3:13: missing ',' added\n"
                                            "f.json:3:17: ',' before a closing bracket dropped\n"
                                            "f.json:4:9: missing ',' added\n"
                                            "f.json:4:11: missing ',' added\n"
                                            "f.json:5:8: missing ',' added\n"
                                            "f.json:5:12: ',' before a closing bracket dropped\n");
    char *printed = cJSON_PrintUnformatted(doc.root);
    CU_ASSERT_STRING_EQUAL(printed,
                           "{\"name\":\"conv\",\"pos\":[\"a\",\"b\"],\"n\":[1,2,{\"x\":1},\"s\"]}");
    free(printed);
    dc_json_fini(&doc);
}

static void many_mends_are_counted_and_the_first_told(void)
{
    enum { N = 1000000 };
    char *text = malloc(2 * N + 2);
    dc_json doc;
    CU_ASSERT_PTR_NOT_NULL(text);
    if (!text)
        return;
    memset(text, ' ', 2 * N + 2);
    text[0] = '[';
    for (size_t i = 0; i < N; i++)
        text[2 * i + 1] = '1';
    text[2 * N + 1] = ']';
    DC_ASSERT_OK(dc_json_parse(&doc, text, 2 * N + 2, "f.json", &lenient));
    CU_ASSERT_EQUAL(doc.nmended, N - 1);
    CU_ASSERT(doc.mended.n < DC_JSON_MENDS_TOLD * sizeof "f.json:1:9999: missing ',' added\n");
    dc_json_at root = dc_json_root(&doc);
    CU_ASSERT_EQUAL(dc_json_count(&root), N);
    dc_json_fini(&doc);
    free(text);
}

static void strict_refuses_what_lenient_mends(void)
{
    refused("{\"a\":1\n \"b\":2}", &strict, "f.json:1:7: ',' is missing here");
    refused("{\"a\":1,\n}", &strict, "f.json:1:7: ',' before a closing bracket");
    refused("[1,]", &strict, "f.json:1:3: ',' before a closing bracket");
}

static void acl_limits_come_first(void)
{
    static const char deep[] = "{\"a\":\"{{{{{{{{{\"}", more[] = "{\"a\":\"{{{{{{{{{{\"}";
    dc_json doc;
    DC_ASSERT_OK(dc_json_parse(&doc, deep, strlen(deep), "f.json", &dc_json_acl));
    dc_json_fini(&doc);
    refused(more, &dc_json_acl, "f.json: more than 10 '{' open at once; ACL refuses the file");
    size_t n = (10 << 20) + 1;
    char *big = malloc(n);
    CU_ASSERT_PTR_NOT_NULL(big);
    if (!big)
        return;
    memset(big, ' ', n);
    CU_ASSERT_EQUAL(dc_json_parse(&doc, big, n, "f.json", &dc_json_acl), DC_EUNSUP);
    memset(big, '[', n);
    CU_ASSERT_EQUAL(dc_json_parse(&doc, big, n, "f.json", &lenient), DC_EUNSUP);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "f.json: brackets nested deeper than 1000");
    free(big);
}

static void lookups_name_the_key_path(void)
{
    static const char text[] = "{\"dump\":{\"list\":[1,{\"layer\":7,\"id\":\"12\",\"f\":1.5}],"
                               "\"k\":1,\"k\":2}}";
    dc_json doc;
    const char *string;
    uint64_t number = 0;
    DC_ASSERT_OK(dc_json_parse(&doc, text, sizeof text - 1, "f.json", &strict));
    dc_json_at root = dc_json_root(&doc), dump = dc_json_get(&root, "dump");
    dc_json_at k = dc_json_get(&dump, "k"), list = dc_json_get(&dump, "list");
    DC_ASSERT_OK(dc_json_u64(&number, &k));
    CU_ASSERT_EQUAL(number, 2); /* the last of two */
    CU_ASSERT_EQUAL(dc_json_count(&list), 2);
    dc_json_at item = dc_json_first(&list);
    dc_json_next(&item);
    dc_json_at layer = dc_json_get(&item, "layer"), gone = dc_json_get(&item, "Layer");
    CU_ASSERT_EQUAL(dc_json_string(&string, &layer), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "f.json: dump.list[1].layer: must be a string");
    CU_ASSERT_EQUAL(dc_json_array(&gone), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(),
                           "f.json: dump.list[1].Layer: is missing (must be an array)");
    dc_json_at id = dc_json_get(&item, "id"), f = dc_json_get(&item, "f");
    DC_ASSERT_OK(dc_json_u64(&number, &id));
    CU_ASSERT_EQUAL(number, 12);
    CU_ASSERT_EQUAL(dc_json_u64(&number, &f), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_json_object(&root), DC_OK);
    CU_ASSERT_EQUAL(dc_json_array(&root), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "f.json: the document: must be an array");
    dc_json_fini(&doc);
}

static void files_are_read_and_directories_refused(void)
{
    dc_json doc;
    char path[1100];
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL(dc_json_open(&doc, dir, &lenient), DC_EUNSUP);
    snprintf(path, sizeof path, "%s/a.json", dir);
    CU_ASSERT_EQUAL(dc_json_open(&doc, path, &lenient), DC_ENOENT);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("{\"a\":1}", f);
    fclose(f);
    DC_ASSERT_OK(dc_json_open(&doc, path, &lenient));
    CU_ASSERT_PTR_NOT_NULL(doc.root);
    dc_json_fini(&doc);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(syntax_faults_have_line_and_column),
        DC_TEST(good_documents_are_taken_whole),
        DC_TEST(empty_files_are_success),
        DC_TEST(commas_are_mended_and_told),
        DC_TEST(many_mends_are_counted_and_the_first_told),
        DC_TEST(strict_refuses_what_lenient_mends),
        DC_TEST(acl_limits_come_first),
        DC_TEST(lookups_name_the_key_path),
        DC_TEST(files_are_read_and_directories_refused),
    };
    return dc_test_main("json", tests, DC_COUNT(tests));
}
