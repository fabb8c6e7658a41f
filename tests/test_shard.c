/* tests/test_shard.c - tensor-parallel shards against slices of one golden. */
#include "compare/shard.h"
#include "io/dtype.h"
#include "io/format.h"
#include "tests/compare_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    const char *op, *golden; /* shape "4x10" */
    int ranks, rows, cols;   /* of each shard; rank r's begins at column r * cols */
    bool fortran_order;
} group;

/* Element (r, c) of the golden; 99 in the padding. */
static float value(int r, int c, int columns)
{
    return c < columns ? (float)(r * 100 + c) + 0.5f : 99;
}

static uint32_t id_of(dc_pool *p, const char *text)
{
    uint32_t id;
    DC_ASSERT_OK(dc_pool_adds(&id, p, text));
    return id;
}

/* Shards of rows x cols of a golden of rows x columns. */
static void add_group(dc_fixture *f, const group *g)
{
    dc_shape whole;
    DC_ASSERT_OK(dc_shape_parse(&whole, g->golden));
    int rows = g->rows, columns = (int)whole.dim[1];
    float *all = malloc(sizeof(float) * (size_t)(rows * columns));
    float *part = malloc(sizeof(float) * (size_t)(rows * g->cols));
    char shape[32];
    snprintf(shape, sizeof shape, "%dx%d", rows, g->cols);
    for (int i = 0; i < rows * columns; i++)
        all[i] = g->fortran_order ? value(i % rows, i / rows, columns)
                                  : value(i / columns, i % columns, columns);
    int64_t first = (int64_t)f->n;
    for (int r = 0; r < g->ranks; r++) {
        for (int i = 0; i < rows * g->cols; i++)
            part[i] = value(i / g->cols, r * g->cols + i % g->cols, columns);
        const dc_fixture_pair p = {.npu_shape = shape,
                                   .original_shape = shape,
                                   .golden_shape = g->golden,
                                   .npu_dtype = DC_FLOAT32,
                                   .golden_dtype = DC_FLOAT32,
                                   .npu_format = DC_FORMAT_ND,
                                   .format = DC_FORMAT_ND,
                                   .npu = part,
                                   .golden = all,
                                   .npu_bytes = (uint64_t)(rows * g->cols) * 4,
                                   .golden_bytes = (uint64_t)(rows * columns) * 4,
                                   .fortran_order = g->fortran_order,
                                   .share = r ? first : -1,
                                   .rank = r};
        dc_fixture_add(f, &p);
        f->row[f->n - 1].op = id_of(f->names, g->op);
    }
    f->golden[first].name = id_of(f->texts, g->op);
    free(all);
    free(part);
}

/* Apply a rule and compare; the rows of all processes must be what `want` says: for each "shape
 * verdict reason". whole: bytes held in memory, 0 for all. */
static void expect(const dc_fixture *f, const char *rule, uint64_t whole, const char *const *want)
{
    dc_catalog c;
    dc_pairs borrowed;
    dc_rows rows;
    dc_fixture_share(&c, &borrowed, f, false, dc_test_par());
    dc_pairs p = borrowed; /* arrays that can grow */
    p.pair = malloc((p.n + 1) * sizeof *p.pair);
    p.golden = malloc(p.goldens * sizeof *p.golden);
    memcpy(p.pair, borrowed.pair, p.n * sizeof *p.pair);
    memcpy(p.golden, borrowed.golden, p.goldens * sizeof *p.golden);
    const dc_shard_ask ask = {&c, &rule, 1};
    DC_ASSERT_OK(dc_shard_apply(&p, &ask, dc_test_par()));
    const dc_run_ask run = {.npu = &c,
                            .pairs = &p,
                            .golden_dtype = -1,
                            .whole = whole,
                            .block = whole ? DC_METRIC_CHUNK : 0,
                            .progress = DC_PROGRESS_OFF};
    DC_ASSERT_OK(dc_run_compare(&rows, &run, dc_test_par()));
    for (uint64_t i = 0; i < rows.n; i++) {
        char got[256];
        const dc_row *row = &rows.row[i];
        snprintf(got, sizeof got, "%s %s %s", dc_pool_text(rows.names, row->shape),
                 row->pairing == DC_PAIRED      ? dc_verdict_name(row->verdict)
                 : row->pairing == DC_AMBIGUOUS ? "ambiguous"
                                                : "not expected",
                 dc_pool_text(rows.names, row->reason));
        CU_ASSERT_STRING_EQUAL(got, want[row->at.row]);
        if (strcmp(got, want[row->at.row]) != 0)
            printf("'%s'\n'%s'\n", got, want[row->at.row]);
        CU_ASSERT(!row->computed || row->m.differ == 0);
    }
    dc_rows_fini(&rows);
    free(p.pair);
    free(p.golden);
}

static void shards_are_slices_of_the_golden_in_rank_order(void)
{
    for (int fortran = 0; fortran < 2; fortran++) {
        dc_fixture f;
        dc_fixture_init(&f);
        add_group(&f, &(const group){"net/dense", "4x12", 3, 4, 4, fortran});
        dc_par_barrier(dc_test_par());
        static const char *const want[] = {"[4,4] pass shard 0 of 3 along axis 1",
                                           "[4,4] pass shard 1 of 3 along axis 1",
                                           "[4,4] pass shard 2 of 3 along axis 1"};
        expect(&f, "net/dense:1", 0, want);
        expect(&f, "net/*:-1", 1, want); /* in blocks */
        dc_fixture_fini(&f);
    }
}

static void padding_after_the_last_shard_is_trimmed(void)
{
    dc_fixture f;
    dc_fixture_init(&f);
    add_group(&f, &(const group){"net/dense", "4x9", 4, 4, 4, false});
    dc_par_barrier(dc_test_par());
    static const char *const want[] = {
        "[4,4] pass shard 0 of 4 along axis 1", "[4,4] pass shard 1 of 4 along axis 1",
        "[4,1] pass shard 2 of 4 along axis 1",
        "[4,4] not expected shard 3 of 4 along axis 1 is all padding"};
    expect(&f, "net/dense:1", 0, want);
    expect(&f, "net/dense:1", 1, want);
    dc_fixture_fini(&f);
}

static void shards_that_do_not_make_up_the_golden_are_ambiguous(void)
{
    dc_fixture f;
    dc_fixture_init(&f);
    add_group(&f, &(const group){"net/few", "4x12", 2, 4, 4, false});
    add_group(&f, &(const group){"net/whole", "4x4", 2, 4, 4, false});
    dc_par_barrier(dc_test_par());
    static const char *const want[] = {
        "[4,4] ambiguous 2 shards together have 8 along axis 1, the golden has 12",
        "[4,4] ambiguous 2 shards together have 8 along axis 1, the golden has 12",
        "[4,4] ambiguous 2 shards together have 8 along axis 1, the golden has 4",
        "[4,4] ambiguous 2 shards together have 8 along axis 1, the golden has 4"};
    expect(&f, "net/*:1", 0, want);
    dc_fixture_fini(&f);
}

static void large_slices_are_read_in_blocks(void)
{
    dc_fixture f;
    dc_fixture_init(&f);
    add_group(&f, &(const group){"net/big", "1000x1000", 2, 1000, 600, false});
    dc_par_barrier(dc_test_par());
    static const char *const want[] = {"[1000,600] pass shard 0 of 2 along axis 1",
                                       "[1000,400] pass shard 1 of 2 along axis 1"};
    expect(&f, "net/big:1", 0, want);
    expect(&f, "net/big:1", 1, want);
    dc_fixture_fini(&f);
}

/* Channels of NC1HWC0 tensors: each shard has its own C1*C0. */
static void blocked_layouts_may_be_sharded(void)
{
    enum { C = 6, HW = 9, PER = 3 };
    float all[C * HW], part[HW * 16];
    dc_fixture f;
    dc_fixture_init(&f);
    for (int i = 0; i < C * HW; i++)
        all[i] = (float)i + 1;
    for (int r = 0; r < 2; r++) {
        memset(part, 0, sizeof part);
        for (int c = 0; c < PER; c++)
            for (int i = 0; i < HW; i++)
                part[i * 16 + c] = all[(r * PER + c) * HW + i];
        const dc_fixture_pair p = {.npu_shape = "1x1x3x3x16",
                                   .original_shape = "1x3x3x3",
                                   .golden_shape = "1x6x3x3",
                                   .npu_dtype = DC_FLOAT32,
                                   .golden_dtype = DC_FLOAT32,
                                   .npu_format = DC_FORMAT_NC1HWC0,
                                   .format = DC_FORMAT_NCHW,
                                   .npu = part,
                                   .golden = all,
                                   .npu_bytes = sizeof part,
                                   .golden_bytes = sizeof all,
                                   .share = r ? 0 : -1,
                                   .rank = r};
        dc_fixture_add(&f, &p);
        f.row[r].op = id_of(f.names, "net/conv");
    }
    dc_par_barrier(dc_test_par());
    static const char *const want[] = {"[1,3,3,3] pass shard 0 of 2 along axis 1",
                                       "[1,3,3,3] pass shard 1 of 2 along axis 1"};
    expect(&f, "net/conv:1", 0, want);
    dc_fixture_fini(&f);
}

static void a_bad_rule_ends_the_phase(void)
{
    static const char *const bad[] = {"dense", ":1", "dense:", "dense:x", "dense:99"};
    dc_pairs p = {0};
    dc_catalog c = {0};
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        const dc_shard_ask ask = {&c, &bad[i], 1};
        CU_ASSERT_EQUAL(dc_shard_apply(&p, &ask, dc_test_par()), DC_EARG);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "PATTERN:AXIS"));
    }
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(shards_are_slices_of_the_golden_in_rank_order),
        DC_TEST(padding_after_the_last_shard_is_trimmed),
        DC_TEST(shards_that_do_not_make_up_the_golden_are_ambiguous),
        DC_TEST(large_slices_are_read_in_blocks),
        DC_TEST(blocked_layouts_may_be_sharded),
        DC_TEST(a_bad_rule_ends_the_phase),
    };
    return dc_test_main_mpi("shard", tests, DC_COUNT(tests));
}
