/* tests/test_parts.c - tensors put together from FFTS+ parts. */
#include "io/dtype.h"
#include "io/parts.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 5, COLUMNS = 7 };

/* Write the box [r0,r1) x [c0,c1) of 0, 1, 2, ... behind 3 other bytes and add it to the list. */
static void add_box(dc_buf *list, const char *dir, const char *name, const int box[4])
{
    char path[600], cut[64];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    snprintf(cut, sizeof cut, "%d-%dx%d-%d", box[0], box[1], box[2], box[3]);
    FILE *f = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fwrite("abc", 1, 3, f);
    for (int r = box[0]; r < box[1]; r++)
        for (int c = box[2]; c < box[3]; c++) {
            int32_t v = r * COLUMNS + c;
            fwrite(&v, 1, sizeof v, f);
        }
    fclose(f);
    const dc_part part = {path, cut, 3, (uint64_t)((box[1] - box[0]) * (box[3] - box[2])) * 4};
    DC_ASSERT_OK(dc_parts_add(list, &part));
}

static dc_status open_list(dc_parts **out, const char *list)
{
    return dc_parts_open(out, list, DC_INT32);
}

static void every_range_of_a_grid_is_that_of_the_whole(void)
{
    /* columns first, uneven, one overlap and one empty part */
    static const int box[][4] = {
        {0, 2, 0, 3}, {2, 5, 0, 3}, {0, 2, 3, 7}, {1, 5, 3, 7}, {2, 2, 0, 7}};
    static const char *const name[] = {"a", "b b", "c:d", "e\nf", "g"};
    const char *dir = dc_test_dir();
    dc_buf list = {0};
    dc_parts *p = NULL;
    for (int i = 0; i < 5; i++)
        add_box(&list, dir, name[i], box[i]);
    DC_ASSERT_OK(open_list(&p, list.data));
    const dc_shape want = {2, {ROWS, COLUMNS}};
    CU_ASSERT(dc_shape_equal(dc_parts_shape(p), &want));
    CU_ASSERT_EQUAL(dc_parts_bytes(p), ROWS * COLUMNS * 4);
    for (int first = 0; first <= ROWS * COLUMNS; first++)
        for (int end = first; end <= ROWS * COLUMNS; end++) {
            int32_t got[ROWS * COLUMNS];
            DC_ASSERT_OK(dc_parts_read(got, p, (uint64_t)first * 4, (size_t)(end - first) * 4));
            for (int i = first; i < end; i++)
                CU_ASSERT_EQUAL(got[i - first], i);
        }
    dc_parts_free(p);
    dc_buf_free(&list);
}

static void elements_that_no_part_holds_are_told(void)
{
    const char *dir = dc_test_dir();
    dc_buf list = {0};
    dc_parts *p = NULL;
    int32_t got[ROWS * COLUMNS];
    add_box(&list, dir, "a", (const int[]){0, 5, 0, 3});
    add_box(&list, dir, "b", (const int[]){0, 4, 3, 7});
    DC_ASSERT_OK(open_list(&p, list.data));
    DC_ASSERT_OK(dc_parts_read(got, p, 0, (4 * COLUMNS + 3) * 4));
    CU_ASSERT_EQUAL(dc_parts_read(got, p, 0, (4 * COLUMNS + 4) * 4), DC_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "leave out some of the tensor"));
    dc_parts_free(p);
    dc_buf_free(&list);
}

static void an_uncut_tensor_is_the_first_parts(void)
{
    const char *dir = dc_test_dir();
    dc_buf list = {0};
    dc_parts *p = NULL;
    int32_t got[2];
    add_box(&list, dir, "a", (const int[]){0, 1, 0, 2});
    add_box(&list, dir, "none", (const int[]){0, 1, 0, 2});
    char path[600];
    snprintf(path, sizeof path, "%s/none", dir);
    CU_ASSERT_EQUAL(unlink(path), 0);
    DC_ASSERT_OK(open_list(&p, list.data));
    DC_ASSERT_OK(dc_parts_read(got, p, 0, 8));
    CU_ASSERT_EQUAL(got[1], 1);
    dc_parts_free(p);
    dc_buf_free(&list);
}

static void a_range_fits_a_shape_of_its_lengths(void)
{
    const dc_shape shape = {2, {4, 8}};
    CU_ASSERT(dc_parts_fits("0-4x8-16", &shape));
    CU_ASSERT(!dc_parts_fits("0-4x8-17", &shape));
    CU_ASSERT(!dc_parts_fits("0-32", &shape));
    CU_ASSERT(!dc_parts_fits("", &shape));
    CU_ASSERT(!dc_parts_fits("0-4x8-16 1", &shape));
}

static void lists_that_make_no_sense_are_refused(void)
{
    static const struct {
        const char *list, *says;
    } bad[] = {
        {"", "empty"},
        {"0 x", "damaged"},
        {"0 4 0-1 9:a\n", "damaged"},
        {"0 4 1-0 1:a\n", "range"},
        {"0 4 0-1x 1:a\n", "range"},
        {"0 4 -1-1 1:a\n", "range"},
        {"0 4 0-99999999999999999999 1:a\n", "range"},
        {"0 8 0-1 1:a\n", "a part of 8 bytes, its range is not of so many"},
        {"0 4 0-1 1:a\n0 4 0-1x0-1 1:a\n", "different rank"},
        {"0 0 4294967296-4294967296x0-1 1:a\n0 0 0-1x9999999999-9999999999 1:a\n", "more than"},
        {"0 0 0-9223372036854775807x0-9223372036854775807 1:a\n", "range"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dc_parts *p = NULL;
        CU_ASSERT_EQUAL(open_list(&p, bad[i].list), DC_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), bad[i].says));
        if (!strstr(dc_last_error(), bad[i].says))
            printf("%zu: %s\n", i, dc_last_error());
    }
    dc_parts *p = NULL;
    CU_ASSERT_EQUAL(dc_parts_open(&p, "0 1 0-1 1:a\n0 1 1-2 1:a\n", DC_INT4), DC_EUNSUP);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_range_of_a_grid_is_that_of_the_whole),
        DC_TEST(elements_that_no_part_holds_are_told),
        DC_TEST(an_uncut_tensor_is_the_first_parts),
        DC_TEST(a_range_fits_a_shape_of_its_lengths),
        DC_TEST(lists_that_make_no_sense_are_refused),
    };
    return dc_test_main("parts", tests, DC_COUNT(tests));
}
