/* tests/test_stats_csv.c - statistics files of CANN's two producers and of MindSpore. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/stats_csv.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANN "Input/Output,Index,Data Size,Data Type,Format,Shape"
#define DEFAULT                                                                                    \
    ",Max Value,Min Value,Avg Value,Count,Nan Count,Negative Inf Count,Positive Inf Count\n"

/* The first row of a text; its own texts are gone with it. */
static dc_status first(dc_stats_row *row, const char *text)
{
    dc_stats_csv *c = NULL;
    uint64_t at = 0;
    bool more = false;
    dc_status st = dc_stats_parse(&c, text, strlen(text), "t.csv");
    if (st == DC_OK)
        st = dc_stats_next(row, &more, c, &at);
    if (st == DC_OK && !more)
        st = DC_ENOENT;
    dc_stats_free(c);
    return st;
}

static void columns_go_by_name(void)
{
    dc_stats_row r = {0};
    DC_ASSERT_OK(first(&r,
                       CANN DEFAULT "Output,1,640000,DT_FLOAT,NHWC,4x50x50x16,1.99999,1,1.50004,"
                                    "160000,3,4,5\n"));
    CU_ASSERT_EQUAL(r.tensor.direction, DC_OUTPUT);
    CU_ASSERT_EQUAL(r.tensor.slot, 1);
    CU_ASSERT_EQUAL(r.tensor.dtype, DC_FLOAT32);
    CU_ASSERT_EQUAL(r.tensor.format, DC_FORMAT_NHWC);
    CU_ASSERT_EQUAL(r.tensor.bytes, 640000);
    CU_ASSERT_EQUAL(r.tensor.shape.rank, 4);
    CU_ASSERT_EQUAL(r.tensor.shape.dim[3], 16);
    CU_ASSERT_EQUAL(r.result.max, 1.99999);
    CU_ASSERT_EQUAL(r.result.min, 1);
    CU_ASSERT_EQUAL(r.result.mean, 1.50004);
    CU_ASSERT_EQUAL(r.result.nan, 3);
    CU_ASSERT_EQUAL(r.result.neg_inf, 4);
    CU_ASSERT_EQUAL(r.result.pos_inf, 5);
    CU_ASSERT_EQUAL(r.result.zero, DC_NOT_TOLD);
    CU_ASSERT(isnan(r.result.l2));
    CU_ASSERT_EQUAL(r.result.state, DC_STATISTICS);
    DC_ASSERT_OK(first(&r, CANN ",Count,Max Value,Min Value,l2norm\n"
                                "Input,0,8,DT_INT32,ALL,-,2,1234,5678,90.3005"));
    CU_ASSERT_EQUAL(r.result.max, 1234);
    CU_ASSERT_EQUAL(r.result.min, 5678);
    CU_ASSERT_EQUAL(r.result.l2, 90.3005);
    CU_ASSERT_EQUAL(r.tensor.format, (uint32_t)dc_format_by_name("ALL"));
    CU_ASSERT_EQUAL(r.tensor.shape.dim[0], 2); /* from Count */
    CU_ASSERT_EQUAL(r.tensor.flags, DC_DUMP_SHAPE_GUESSED);
}

static void short_rows_lack_their_first_count(void)
{
    dc_stats_row r = {0};
    DC_ASSERT_OK(first(&r, CANN ",Count,Max Value,Min Value,l2norm\n"
                                "Input,0,268435456,DT_INT32,ALL,100x20x40,1234,5678,90.3005\n"));
    CU_ASSERT_EQUAL(r.result.max, 1234);
    CU_ASSERT_EQUAL(r.result.min, 5678);
    CU_ASSERT_EQUAL(r.result.l2, 90.3005);
    DC_ASSERT_OK(first(&r, CANN ",Count,Max Value,Count,Nan Count\n"
                                "Input,0,8,DT_INT32,ND,2,7,2,1\n"));
    CU_ASSERT_EQUAL(r.result.max, 7);
    CU_ASSERT_EQUAL(r.result.nan, 1);
}

static void what_is_not_told_is_marked(void)
{
    dc_stats_row r = {0};
    DC_ASSERT_OK(first(&r, CANN DEFAULT "Input,0,64,-,-,NA,,,,,,,\r\n"));
    CU_ASSERT(isnan(r.result.max) && isnan(r.result.mean));
    CU_ASSERT_EQUAL(r.result.nan, DC_NOT_TOLD);
    CU_ASSERT_EQUAL(r.tensor.dtype, 255);
    CU_ASSERT_EQUAL(r.tensor.format, DC_FORMAT_ND);
    DC_ASSERT_OK(first(&r, CANN DEFAULT "Input,0,64,DT_FLOAT,UNKNOW,16,inf,-inf,nan,16,NA,0,1\n"));
    CU_ASSERT_EQUAL(r.result.max, INFINITY);
    CU_ASSERT_EQUAL(r.result.min, -INFINITY);
    CU_ASSERT(isnan(r.result.mean));
    CU_ASSERT_EQUAL(r.result.nan, DC_NOT_TOLD);
    CU_ASSERT_EQUAL(r.tensor.format, DC_STATS_NO_FORMAT);
}

static void rows_of_the_wrong_length_are_damaged(void)
{
    dc_stats_row r = {0};
    CU_ASSERT_EQUAL(first(&r, CANN DEFAULT "Input,0,64,DT_FLOAT\n"), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "t.csv: line 2 has 4 fields, its header 13");
    CU_ASSERT_EQUAL(first(&r, CANN DEFAULT "Middle,0,64,DT_FLOAT,ND,16,1,1,1,16,0,0,0\n"),
                    DC_EFORMAT);
    /* cut off; only rows of a custom set may lack a Count */
    CU_ASSERT_EQUAL(first(&r, CANN DEFAULT "Input,0,64,DT_FLOAT,ND,16,1,1,1,16,0,0"), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "t.csv: line 2 has 12 fields, its header 13");
    CU_ASSERT_EQUAL(first(&r, CANN DEFAULT "Input,-1,64,DT_FLOAT,ND,16,1,1,1,16,0,0,0\n"),
                    DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "t.csv: a row has no index");
    CU_ASSERT_EQUAL(first(&r, "a,b,c\n1,2,3\n"), DC_EFORMAT);
    CU_ASSERT_EQUAL(first(&r, ""), DC_EFORMAT);
}

static void headers_come_again(void)
{
    static const char text[] = CANN ",Count,Max Value\nInput,0,8,DT_FLOAT,ND,2,2,5\n\0" CANN DEFAULT
                                    "Input,1,8,DT_FLOAT,ND,2,6,1,2,2,0,0,0\n\n"; /* and a NUL */
    dc_stats_csv *c;
    dc_stats_row r = {0};
    uint64_t at = 0;
    bool more;
    DC_ASSERT_OK(dc_stats_parse(&c, text, sizeof text, "t.csv"));
    DC_ASSERT_OK(dc_stats_next(&r, &more, c, &at));
    CU_ASSERT_EQUAL(r.result.max, 5);
    DC_ASSERT_OK(dc_stats_next(&r, &more, c, &at));
    CU_ASSERT_EQUAL(r.result.max, 6);
    uint64_t again = r.offset;
    DC_ASSERT_OK(dc_stats_next(&r, &more, c, &at));
    CU_ASSERT_FALSE(more);
    DC_ASSERT_OK(dc_stats_next(&r, &more, c, &again));
    CU_ASSERT_EQUAL(r.result.mean, 2);
    dc_stats_free(c);
}

static void mindspore_names_the_operator_in_the_row(void)
{
    const char *text = "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,"
                       "Shape,Max Value,Min Value,L2Norm Value\n"
                       "Conv2D,Conv2D-op12,3,4,1623124369613540,output,0,192,float32,"
                       "\"(1,4,4,3)\",3.245161,-2.873487,7.959239,\n";
    dc_stats_csv *c;
    dc_stats_row r = {0};
    uint64_t at = 0;
    bool more;
    DC_ASSERT_OK(dc_stats_parse(&c, text, strlen(text), "t.csv"));
    DC_ASSERT_OK(dc_stats_next(&r, &more, c, &at));
    CU_ASSERT_EQUAL(r.name.n, 11);
    CU_ASSERT_EQUAL(memcmp(r.name.at, "Conv2D-op12", 11), 0);
    CU_ASSERT_EQUAL(r.task, 3);
    CU_ASSERT_EQUAL(r.stream, 4);
    CU_ASSERT_EQUAL(r.time, 1623124369613540);
    CU_ASSERT_EQUAL(r.tensor.shape.rank, 4);
    CU_ASSERT_EQUAL(r.tensor.shape.dim[3], 3);
    CU_ASSERT_EQUAL(r.result.l2, 7.959239);
    dc_stats_free(c);
}

static void what_is_written_is_read_back(void)
{
    dc_buf text = {0};
    dc_stats_row r = {0};
    const dc_tensor t = {.direction = DC_OUTPUT,
                         .slot = 2,
                         .dtype = DC_BFLOAT16,
                         .format = DC_FORMAT_NC1HWC0,
                         .bytes = 12};
    const dc_result value = {.min = -0.1,
                             .max = 2,
                             .mean = NAN,
                             .l2 = 3,
                             .nan = 1,
                             .pos_inf = 2,
                             .neg_inf = DC_NOT_TOLD};
    DC_ASSERT_OK(dc_buf_puts(&text, dc_stats_header));
    DC_ASSERT_OK(dc_stats_write(&text, &t, &value, "2x3", 6));
    DC_ASSERT_OK(dc_buf_add(&text, "", 1));
    DC_ASSERT_OK(first(&r, text.data));
    CU_ASSERT_EQUAL(r.tensor.dtype, DC_BFLOAT16);
    CU_ASSERT_EQUAL(r.tensor.format, DC_FORMAT_NC1HWC0);
    CU_ASSERT_EQUAL(r.tensor.shape.dim[1], 3);
    CU_ASSERT_EQUAL(r.result.min, -0.1);
    CU_ASSERT(isnan(r.result.mean));
    CU_ASSERT_EQUAL(r.result.pos_inf, 2);
    CU_ASSERT_EQUAL(r.result.neg_inf, DC_NOT_TOLD);
    dc_buf_free(&text);
}

static void samples_are_read(void)
{
    static const struct {
        const char *name;
        int rows;
    } sample[] = {{"stats_csv/device_rows.csv", 1},
                  {"stats_csv/kfc_rows.csv", 3},
                  {"stats_csv/kfc_rows_custom_derived.csv", 1},
                  {"stats_csv/kfc_rows_custom_misaligned.csv", 1},
                  {"stats_csv/statistic_scalar_nested_kbk.csv", -1},
                  {"golden/mindspore/rank_0/Net/1/0/statistic.csv", 1}};
    if (!dc_test_samples()) {
        dc_test_skip("no samples");
        return;
    }
    for (size_t i = 0; i < DC_COUNT(sample); i++) {
        char path[4096];
        dc_stats_csv *c;
        dc_stats_row r = {0};
        uint64_t at = 0;
        bool more = true;
        int rows = 0;
        snprintf(path, sizeof path, "%s/%s", dc_test_samples(), sample[i].name);
        DC_ASSERT_OK(dc_stats_open(&c, path));
        for (; more; rows += more)
            DC_ASSERT_OK(dc_stats_next(&r, &more, c, &at));
        CU_ASSERT(sample[i].rows < 0 ? rows > 10 : rows == sample[i].rows);
        dc_stats_free(c);
    }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(columns_go_by_name),           DC_TEST(short_rows_lack_their_first_count),
        DC_TEST(what_is_not_told_is_marked),   DC_TEST(rows_of_the_wrong_length_are_damaged),
        DC_TEST(headers_come_again),           DC_TEST(mindspore_names_the_operator_in_the_row),
        DC_TEST(what_is_written_is_read_back), DC_TEST(samples_are_read),
    };
    return dc_test_main("stats_csv", tests, DC_COUNT(tests));
}
