/* tests/test_page.c - report.html: the answer, operators by step, the first failing tensors. */
#include "compare/page.h"
#include "io/dtype.h"
#include "io/path.h"
#include "tests/mpi_harness.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 5 };

/* Process p has the p-th share of the rows, which are in execution order. Rows 1 and 3 fail; 0 to 2
 * are of step 1, the rest of step 2. */
static void make_rows(dc_rows *r, dc_pool **catalog, const dc_par *par)
{
    uint64_t first = (uint64_t)(ROWS * par->process / par->processes);
    uint64_t end = (uint64_t)(ROWS * (par->process + 1) / par->processes);
    uint32_t op;
    DC_ASSERT_OK(dc_pool_new(catalog));
    DC_ASSERT_OK(dc_pool_adds(&op, *catalog, "a<script>\"&\xff"));
    *r = (dc_rows){.n = end - first, .catalog = *catalog};
    r->row = calloc(r->n + 1, sizeof *r->row);
    DC_ASSERT_OK(dc_pool_new(&r->names));
    for (uint64_t i = 0; i < r->n; i++) {
        dc_row *row = &r->row[i];
        const uint64_t k = first + i;
        row->at.row = row->at.position = k;
        row->at.t = (dc_tensor){.rank = 3,
                                .step = k < 3 ? 1 : 2,
                                .op = op,
                                .direction = DC_OUTPUT,
                                .slot = (uint32_t)k,
                                .dtype = DC_FLOAT16};
        row->golden_dtype = DC_FLOAT32;
        row->verdict = k % 2 ? DC_FAIL : DC_PASS;
        DC_ASSERT_OK(dc_pool_adds(&row->reason, r->names, "0.5 < 0.99"));
    }
}

static void the_page_shows_what_fails(void)
{
    static const dc_alignment nothing_left_over = {0};
    static const char *const want[] = {
        "<div class=\"answer\">first bad: a&#60;script&#62;&#34;&#38;\xef\xbf\xbd ",
        "<th>step 1</th><th>step 2</th></tr>",
        "<td class=\"n some\">1/3</td><td class=\"n some\">1/2</td></tr>",
        "<p>2 failing tensors in order of execution"};
    const char *dir = dc_test_shared_dir();
    dc_pool *catalog;
    dc_rows r;
    dc_outcome o;
    dc_first_bad first;
    make_rows(&r, &catalog, dc_test_par());
    DC_ASSERT_OK(dc_first_bad_find(&first, &r, NULL, dc_test_par()));
    const dc_outcome_ask ask = {&r, &first, NULL};
    DC_ASSERT_OK(dc_outcome_make(&o, &ask, dc_test_par()));
    const dc_report_ask report = {.dir = dir,
                                  .rows = &r,
                                  .command = "dumpcmp",
                                  .outcome = &o,
                                  .alignment = &nothing_left_over};
    DC_ASSERT_OK(dc_report_write(&report, dc_test_par()));
    char *path = dc_path_join(dir, "report.html"), *text = NULL;
    size_t n;
    DC_ASSERT_OK(dc_read_file(&text, &n, path, 1 << 20));
    for (size_t i = 0; text && i < DC_COUNT(want); i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, want[i]));
    const char *one = text ? strstr(text, "output:1</td>") : NULL,
               *three = text ? strstr(text, "output:3</td>") : NULL;
    CU_ASSERT_TRUE(one && three && one < three);
    CU_ASSERT_TRUE(text && !strstr(text, "output:2</td>") && !strstr(text, "a<script>"));
    free(text);
    free(path);
    dc_outcome_fini(&o);
    dc_rows_fini(&r);
    dc_pool_free(catalog);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(the_page_shows_what_fails),
    };
    return dc_test_main_mpi("page", tests, DC_COUNT(tests));
}
