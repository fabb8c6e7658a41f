/* tests/test_report.c - the report's files: columns, quoting, order, and what happens when they
 * cannot be written; exit codes and the summary. */
#include "compare/outcome.h"
#include "compare/report.h"
#include "io/dtype.h"
#include "io/path.h"
#include "io/text_out.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char header[] =
    "Index,Rank,Run,Model,Step,OpType,NPUDump,GroundTruth,TensorIndex,Occurrence,Shape,NPUDataType,"
    "GoldenDataType,MatchedBy,Elements,NaNLeft,NaNRight,InfLeft,InfRight,CosineSimilarity,"
    "MaxAbsoluteError,AccumulatedRelativeError,RelativeEuclideanDistance,KullbackLeiblerDivergence,"
    "StandardDeviation,MeanAbsoluteError,RootMeanSquareError,MaxRelativeError,MeanRelativeError,"
    "Verdict,Reason,Differing,OverTolerance,WorstIndex,WorstNPU,WorstGolden\n";

static void cells_are_quoted_only_where_they_must_be(void)
{
    static const struct {
        const char *text, *cell, *harmless;
    } t[] = {{"net/conv1", "net/conv1", "net/conv1"},
             {"a,b", "\"a,b\"", "\"a,b\""},
             {"say \"x\"", "\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""},
             {"two\nlines", "\"two\nlines\"", "\"two\nlines\""},
             {"=1+1", "=1+1", "'=1+1"},
             {"-op,x", "\"-op,x\"", "\"'-op,x\""},
             {"", "", ""}};
    for (size_t i = 0; i < DC_COUNT(t); i++) {
        dc_buf b = {0};
        DC_ASSERT_OK(dc_csv_cell(&b, t[i].text, false));
        DC_ASSERT_OK(dc_buf_puts(&b, "|"));
        DC_ASSERT_OK(dc_csv_cell(&b, t[i].text, true));
        DC_ASSERT_OK(dc_buf_add(&b, "", 1));
        char want[128];
        snprintf(want, sizeof want, "%s|%s", t[i].cell, t[i].harmless);
        CU_ASSERT_STRING_EQUAL(b.data, want);
        dc_buf_free(&b);
    }
}

static void json_holds_any_bytes(void)
{
    static const struct {
        const char *text, *json;
    } t[] = {{"a\"b\\c", "\"a\\\"b\\\\c\""},
             {"tab\tx", "\"tab\\u0009x\""},
             {"gr\xc3\xbc", "\"gr\xc3\xbc\""},
             {"bad\xff\xc3", "\"bad\\ufffd\\ufffd\""},
             {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
             {"\xc0\x80", "\"\\ufffd\\ufffd\""}};
    for (size_t i = 0; i < DC_COUNT(t); i++) {
        dc_buf b = {0};
        DC_ASSERT_OK(dc_json_text(&b, t[i].text));
        DC_ASSERT_OK(dc_buf_add(&b, "", 1));
        CU_ASSERT_STRING_EQUAL(b.data, t[i].json);
        dc_buf_free(&b);
    }
    dc_buf b = {0};
    DC_ASSERT_OK(dc_json_number(&b, ""));
    DC_ASSERT_OK(dc_json_number(&b, "-1.5e-07"));
    DC_ASSERT_OK(dc_json_number(&b, "inf"));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    CU_ASSERT_STRING_EQUAL(b.data, "null-1.5e-07\"inf\"");
    dc_buf_free(&b);
}

static void column_names_are_unique(void)
{
    CU_ASSERT_EQUAL(dc_column_count(), 36);
    for (size_t i = 0; i < dc_column_count(); i++)
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(dc_column_name(i), dc_column_name(k));
}

enum { ROWS = 5 };

/* Five rows in execution order; process p has the p-th share. */
static void make_rows(dc_rows *r, dc_pool **catalog, const dc_par *par)
{
    uint64_t first = (uint64_t)(ROWS * par->process / par->processes);
    uint64_t end = (uint64_t)(ROWS * (par->process + 1) / par->processes);
    uint32_t model, op, type;
    DC_ASSERT_OK(dc_pool_new(catalog));
    DC_ASSERT_OK(dc_pool_adds(&model, *catalog, "ge_default_1"));
    DC_ASSERT_OK(dc_pool_adds(&op, *catalog, "net/conv1/Conv2D"));
    DC_ASSERT_OK(dc_pool_adds(&type, *catalog, "Conv2D"));
    *r = (dc_rows){.n = end - first, .catalog = *catalog};
    r->row = calloc(r->n + 1, sizeof *r->row);
    DC_ASSERT_OK(dc_pool_new(&r->names));
    for (uint64_t i = 0; i < r->n; i++) {
        dc_row *row = &r->row[i];
        row->at.row = first + i;
        row->at.position = first + i;
        row->at.t = (dc_tensor){.rank = 3,
                                .model = model,
                                .step = 1,
                                .op = op,
                                .op_type = type,
                                .direction = DC_OUTPUT,
                                .slot = (uint32_t)(first + i),
                                .dtype = DC_FLOAT16};
        DC_ASSERT_OK(dc_pool_adds(&row->golden, r->names, "net/conv1/Conv2D:0"));
        DC_ASSERT_OK(dc_pool_adds(&row->shape, r->names, "[2,3]"));
        row->golden_dtype = DC_FLOAT32;
        row->match = DC_MATCH_HEADER;
        row->verdict = DC_PASS;
        row->computed = true;
        row->m.n = 6;
        row->m.differ = 2;
        row->m.over = 1;
        row->m.worst = (dc_element){.at = 5, .value = {NAN, -2.5}};
        for (int k = 0; k < DC_METRIC_COUNT; k++) {
            row->m.value[k] = 1.0 / 3;
            row->m.valid[k] = k != DC_METRIC_KL;
        }
        row->m.mean[0] = row->m.mean[1] = 1.5;
    }
}

/* The file's text, "" if it cannot be read. */
static char *read_text(const char *dir, const char *name)
{
    char *path = dc_path_join(dir, name), *text = NULL;
    size_t n;
    if (dc_read_file(&text, &n, path, 1 << 20) != DC_OK)
        text = calloc(1, 1);
    free(path);
    return text;
}

static const dc_alignment nothing_left_over = {0};

static void write_report(const char *dir, const dc_rows *r, bool excel, dc_status want)
{
    dc_outcome o = {.rows = ROWS,
                    .passed = ROWS,
                    .ranks = "",
                    .worst = "",
                    .first_missed = "",
                    .first_bad = "no operator failed"};
    const dc_report_ask ask = {.dir = dir,
                               .rows = r,
                               .metrics = (1u << DC_METRIC_COUNT) - 1,
                               .excel = excel,
                               .command = "dumpcmp",
                               .outcome = &o,
                               .alignment = &nothing_left_over};
    CU_ASSERT_EQUAL(dc_report_write(&ask, dc_test_par()), want);
}

static void any_number_of_processes_writes_the_same_rows(void)
{
    static const char metrics[] = "0.333333333,0.333333333,0.333333333,0.333333333,,"
                                  "\"(1.500;0.000),(1.500;0.000)\",0.333333333,0.333333333,"
                                  "0.333333333,0.333333333,pass,,2,1,\"[1,1]\",nan,-2.5\n";
    const char *dir = dc_test_shared_dir();
    dc_pool *catalog;
    dc_rows r;
    make_rows(&r, &catalog, dc_test_par());
    write_report(dir, &r, false, DC_OK);
    char *text = read_text(dir, "result.csv");
    CU_ASSERT_FATAL(*text);
    char *at = text;
    CU_ASSERT_EQUAL(strncmp(at, header, strlen(header)), 0);
    at += strlen(header);
    for (int i = 0; i < ROWS; i++) {
        char want[512];
        int n =
            snprintf(want, sizeof want,
                     "%d,3,0,ge_default_1,1,Conv2D,net/conv1/Conv2D,net/conv1/Conv2D:0,"
                     "net/conv1/Conv2D:output:%d,0,\"[2,3]\",float16,float32,header,6,0,0,0,0,%s",
                     i, i, metrics);
        CU_ASSERT_EQUAL(strncmp(at, want, (size_t)n), 0);
        at += n;
    }
    CU_ASSERT_STRING_EQUAL(at, "");
    free(text);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

static void json_has_the_same_rows(void)
{
    const char *dir = dc_test_shared_dir();
    dc_pool *catalog;
    dc_rows r;
    make_rows(&r, &catalog, dc_test_par());
    write_report(dir, &r, false, DC_OK);
    char *text = read_text(dir, "result.json");
    CU_ASSERT_FATAL(*text);
    CU_ASSERT_EQUAL(strncmp(text, "{\"format\":\"dumpcmp-result\",\"version\":1,", 39), 0);
    size_t rows = 0;
    for (const char *at = text; (at = strstr(at, "{\"Index\":")) != NULL; at++)
        rows++;
    CU_ASSERT_EQUAL(rows, ROWS);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"KullbackLeiblerDivergence\":null"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"NPUDump\":\"net/conv1/Conv2D\""));
    CU_ASSERT_STRING_EQUAL(text + strlen(text) - 4, "\n]}\n");
    free(text);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

static void excel_gets_a_mark_and_no_formulas(void)
{
    const char *dir = dc_test_shared_dir();
    dc_pool *catalog;
    dc_rows r;
    make_rows(&r, &catalog, dc_test_par());
    for (uint64_t i = 0; i < r.n; i++) {
        DC_ASSERT_OK(dc_pool_adds(&r.row[i].reason, r.names, "=cmd()"));
        r.row[i].m.value[DC_METRIC_COSINE] = -0.5; /* a number is no formula */
    }
    write_report(dir, &r, true, DC_OK);
    char *text = read_text(dir, "result.csv");
    CU_ASSERT_FATAL(*text);
    CU_ASSERT_EQUAL(strncmp(text, "\xef\xbb\xbfIndex,", 9), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",pass,'=cmd(),2,1,\"[1,1]\",nan,-2.5\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",-0.5,"));
    free(text);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

static void a_report_that_fails_leaves_the_old_one(void)
{
    const char *dir = dc_test_shared_dir();
    char spec[64];
    dc_pool *catalog;
    dc_rows r;
    struct stat info;
    make_rows(&r, &catalog, dc_test_par());
    write_report(dir, &r, false, DC_OK);
    char *old = read_text(dir, "result.csv"), *old_alignment = read_text(dir, "alignment.csv");
    CU_ASSERT_FATAL(*old);
    for (int passage = 1; passage <= 8; passage++) { /* two or more writes to each file */
        snprintf(spec, sizeof spec, "report.write@0:%d", passage);
        dc_fault_arm(spec);
        write_report(dir, &r, true, DC_ENOSPACE);
    }
    for (int p = 0; p < dc_test_par()->processes; p++) {
        snprintf(spec, sizeof spec, "report.csv@%d", p);
        dc_fault_arm(spec);
        write_report(dir, &r, true, DC_ENOMEM);
    }
    dc_fault_arm(NULL);
    dc_par_barrier(dc_test_par());
    char *now = read_text(dir, "result.csv");
    CU_ASSERT_FATAL(*now);
    CU_ASSERT_STRING_EQUAL(now, old);
    free(now);
    now = read_text(dir, "alignment.csv"); /* written before the others */
    CU_ASSERT_STRING_EQUAL(now, old_alignment);
    free(old_alignment);
    static const char *const gone[] = {"result.csv.part", "result.json.part", "report.html.part",
                                       "alignment.csv.part"};
    for (size_t i = 0; i < DC_COUNT(gone); i++) {
        char *part = dc_path_join(dir, gone[i]);
        CU_ASSERT_NOT_EQUAL(stat(part, &info), 0);
        free(part);
    }
    free(old);
    free(now);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

static void expect_cell(const dc_line *line, const char *name, const char *want)
{
    dc_buf b = {0};
    size_t column = 0;
    while (strcmp(dc_column_name(column), name) != 0)
        column++;
    DC_ASSERT_OK(dc_column_cell(&b, column, line));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    CU_ASSERT_STRING_EQUAL(b.data, want);
    dc_buf_free(&b);
}

/* MaxAbsoluteError of one pair of integers, and the golden one. */
static void expect_difference(uint64_t left, uint64_t right, uint32_t right_dtype, double value,
                              const char *want, const char *golden)
{
    dc_pool *catalog;
    dc_rows r;
    dc_par one;
    dc_par_single(&one);
    make_rows(&r, &catalog, &one);
    const uint32_t dtype[2] = {DC_INT64, right_dtype};
    const dc_metrics m = {.value = {[DC_METRIC_MAX_ABS] = value},
                          .valid = {[DC_METRIC_MAX_ABS] = true},
                          .worst = {.at = 1, .exact = {left, right}},
                          .differ = 1,
                          .integral = true};
    r.row[0].m = dc_figures_of(&m, dtype);
    r.row[0].golden_dtype = (uint8_t)right_dtype;
    const dc_line line = {&r.row[0], &r, 0, UINT32_MAX};
    expect_cell(&line, "MaxAbsoluteError", want);
    expect_cell(&line, "WorstGolden", golden);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

static void integers_are_printed_exactly(void)
{
    expect_difference((uint64_t)-3, 9007199254740993u, DC_INT64, 9007199254740996,
                      "9007199254740996", "9007199254740993");
    expect_difference((uint64_t)-3, UINT64_MAX - 7, DC_UINT64, 0x1p64, "18446744073709551611",
                      "18446744073709551608");
    expect_difference((uint64_t)1 << 63, UINT64_MAX, DC_UINT64, 0x1.8p64, "2.76701161e+19",
                      "18446744073709551615");
}

static void exit_codes_are_those_of_the_design(void)
{
    static const struct {
        uint64_t passed, failed, missed, unreadable;
        int code, exit_zero;
    } t[] = {{0, 0, 0, 0, 2, 2}, {0, 0, 5, 0, 2, 2}, {9, 0, 0, 0, 0, 0}, {9, 1, 0, 0, 1, 0},
             {9, 1, 1, 1, 1, 0}, {9, 0, 1, 0, 2, 2}, {9, 0, 0, 1, 2, 2}};
    for (size_t i = 0; i < DC_COUNT(t); i++) {
        const dc_outcome o = {.passed = t[i].passed,
                              .failed = t[i].failed,
                              .missed = t[i].missed,
                              .unreadable = t[i].unreadable};
        CU_ASSERT_EQUAL(dc_outcome_code(&o, false), t[i].code);
        CU_ASSERT_EQUAL(dc_outcome_code(&o, true), t[i].exit_zero);
    }
}

static void the_summary_counts_and_ends_with_the_culprit(void)
{
    dc_pool *catalog;
    dc_rows r;
    dc_outcome o;
    dc_first_bad first;
    make_rows(&r, &catalog, dc_test_par());
    for (uint64_t i = 0; i < r.n; i++) {
        if (r.row[i].at.row == 4)
            r.row[i].pairing = DC_INSERTED;
        if (r.row[i].at.row >= 3)
            r.row[i].verdict = DC_NOT_JUDGED;
        if (r.row[i].at.row != 2)
            continue;
        r.row[i].verdict = DC_FAIL;
        DC_ASSERT_OK(dc_pool_adds(&r.row[i].reason, r.names, "cosine 0.5 < 0.99"));
    }
    DC_ASSERT_OK(dc_first_bad_find(&first, &r, NULL, dc_test_par()));
    const dc_outcome_ask ask = {&r, &first, NULL};
    DC_ASSERT_OK(dc_outcome_make(&o, &ask, dc_test_par()));
    CU_ASSERT_EQUAL(o.rows, ROWS);
    CU_ASSERT_EQUAL(o.passed, 2);
    CU_ASSERT_EQUAL(o.failed, 1);
    CU_ASSERT_EQUAL(o.missed, 1);
    CU_ASSERT_EQUAL(o.not_counted, 1);
    dc_buf b = {0};
    DC_ASSERT_OK(dc_outcome_print(&b, &o, &nothing_left_over));
    DC_ASSERT_OK(dc_buf_add(&b, "", 1));
    const char *last = "first bad: net/conv1/Conv2D output 2, rank 3, step 1: cosine 0.5 < 0.99\n";
    CU_ASSERT_STRING_EQUAL(b.data + b.n - 1 - strlen(last), last);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.data, "2 passed, 1 failed, 1 not judged"));
    dc_buf_free(&b);
    dc_outcome_fini(&o);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(cells_are_quoted_only_where_they_must_be),
        DC_TEST(json_holds_any_bytes),
        DC_TEST(column_names_are_unique),
        DC_TEST(any_number_of_processes_writes_the_same_rows),
        DC_TEST(json_has_the_same_rows),
        DC_TEST(excel_gets_a_mark_and_no_formulas),
        DC_TEST(a_report_that_fails_leaves_the_old_one),
        DC_TEST(integers_are_printed_exactly),
        DC_TEST(exit_codes_are_those_of_the_design),
        DC_TEST(the_summary_counts_and_ends_with_the_culprit),
    };
    return dc_test_main_mpi("report", tests, DC_COUNT(tests));
}
