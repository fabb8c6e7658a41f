/* tests/test_run.c - comparing pairs over processes: the same bits however the work is cut and
 * shared, and rows with reasons for what cannot be compared. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/widen.h"
#include "tests/compare_fixture.h"
#include "tests/half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 3 * (1 << 18) + 12345, PLANES = 10 * 257 * 513 }; /* elements: several chunks */

static double noise(uint64_t i)
{
    return (double)(dc_mix64(i + 1) >> 11) / 9007199254740992.0 - 0.5;
}

static float *floats(uint64_t n, uint64_t seed)
{
    float *v = malloc(n * sizeof *v);
    for (uint64_t i = 0; v && i < n; i++)
        v[i] = (float)(noise(seed * 1000003 + i) * 8);
    return v;
}

static float *shifted(const float *v, uint64_t n, double by)
{
    float *w = malloc(n * sizeof *w);
    for (uint64_t i = 0; w && i < n; i++)
        w[i] = (float)(v[i] + by * noise(i * 7 + 3));
    return w;
}

static dc_fixture_pair plain(const char *shape, const float *npu, const float *golden, uint64_t n)
{
    return (dc_fixture_pair){.npu_shape = shape,
                             .original_shape = shape,
                             .golden_shape = shape,
                             .npu_dtype = DC_FLOAT32,
                             .golden_dtype = DC_FLOAT32,
                             .npu_format = DC_FORMAT_ND,
                             .format = DC_FORMAT_ND,
                             .npu = npu,
                             .golden = golden,
                             .npu_bytes = 4 * n,
                             .golden_bytes = 4 * n,
                             .share = -1};
}

/* NCHW with up to 16 channels, as NC1HWC0 with C0 = 16. */
static float *five_d(const float *v, uint64_t n, uint64_t c, uint64_t hw)
{
    float *out = calloc(n * hw * 16, sizeof *out);
    for (uint64_t i = 0; out && i < n * c * hw; i++)
        out[(i / (c * hw) * hw + i % hw) * 16 + i / hw % c] = v[i];
    return out;
}

static float *turned(const float *v, int rows, int cols, bool swap)
{
    float *out = malloc((size_t)rows * (size_t)cols * sizeof *out);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            out[c * rows + r] = v[r * cols + c];
    if (swap)
        dc_swap_bytes(out, (size_t)rows * (size_t)cols, 4);
    return out;
}

static dc_run_ask ask_of(const dc_catalog *c, const dc_pairs *p)
{
    return (dc_run_ask){.npu = c, .pairs = p, .golden_dtype = -1, .progress = DC_PROGRESS_OFF};
}

/* A mixture: equal, nearly equal, wrong, other layouts, a shared golden, large ones. */
static void add_mixture(dc_fixture *f)
{
    float *a = floats(120, 1), *b = shifted(a, 120, 1e-3), *c = floats(120, 2);
    float *big = floats(LARGE, 3), *near = shifted(big, LARGE, 1e-3);
    float *nc1 = five_d(a, 2, 3, 20), *col = turned(a, 10, 12, false),
          *be = turned(a, 1, 120, true);
    float *flat = floats(PLANES, 4), *nchw = five_d(flat, 1, 10, 257 * 513);
    nchw[123456 * 16 + 7] += 0.5f;
    char shape[32];
    snprintf(shape, sizeof shape, "%d", LARGE);
    dc_fixture_pair p = plain("10x12", a, a, 120);
    dc_fixture_add(f, &p); /* 0: equal */
    p = plain("10x12", b, a, 120);
    dc_fixture_add(f, &p); /* 1: nearly */
    p = plain("10x12", c, a, 120);
    dc_fixture_add(f, &p); /* 2: wrong */
    p = plain("2x3x4x5", nc1, a, 120);
    p.npu_shape = "2x1x4x5x16";
    p.npu_format = DC_FORMAT_NC1HWC0;
    p.npu_bytes = 2 * 4 * 5 * 16 * 4;
    p.format = DC_FORMAT_NCHW;
    dc_fixture_add(f, &p); /* 3: device layout */
    p = plain("10x12", a, col, 120);
    p.fortran_order = true;
    dc_fixture_add(f, &p); /* 4: Fortran order */
    p = plain("10x12", a, be, 120);
    p.big_endian = true;
    dc_fixture_add(f, &p); /* 5: big-endian */
    p = plain(shape, near, big, LARGE);
    dc_fixture_add(f, &p); /* 6: several chunks */
    p = plain(shape, big, big, LARGE);
    p.share = 6;
    p.rank = 1;
    dc_fixture_add(f, &p); /* 7: the same golden on another rank */
    p = plain("0x3", a, a, 0);
    dc_fixture_add(f, &p); /* 8: empty */
    p = plain("1x10x257x513", nchw, flat, PLANES);
    p.npu_shape = "1x1x257x513x16";
    p.npu_format = DC_FORMAT_NC1HWC0;
    p.npu_bytes = 257 * 513 * 16 * 4;
    dc_fixture_add(f, &p); /* 9: streamed if it is cut */
    dc_par_barrier(dc_test_par());
    float *const all[] = {a, b, c, big, near, nc1, col, be, flat, nchw};
    for (size_t i = 0; i < DC_COUNT(all); i++)
        free(all[i]);
}

static void compare_alone(dc_rows *out, const dc_fixture *f, const dc_run_ask *like)
{
    dc_par one;
    dc_catalog c;
    dc_pairs p;
    dc_par_single(&one);
    dc_fixture_share(&c, &p, f, false, &one);
    dc_run_ask ask = *like;
    ask.npu = &c;
    ask.pairs = &p;
    DC_ASSERT_OK(dc_run_compare(out, &ask, &one));
    CU_ASSERT_EQUAL_FATAL(out->n, f->n);
    out->catalog = f->names;
}

/* Of the metrics the very bits. NOLINTBEGIN(bugprone-suspicious-memory-comparison) */
static bool same_row(const dc_rows *a, const dc_row *x, const dc_rows *b, const dc_row *y)
{
    return x->at.row == y->at.row && x->verdict == y->verdict && x->computed == y->computed &&
           x->golden_dtype == y->golden_dtype && memcmp(&x->m, &y->m, sizeof x->m) == 0 &&
           strcmp(dc_pool_text(a->names, x->reason), dc_pool_text(b->names, y->reason)) == 0 &&
           strcmp(dc_pool_text(a->names, x->shape), dc_pool_text(b->names, y->shape)) == 0;
}
/* NOLINTEND(bugprone-suspicious-memory-comparison) */

/* Shared evenly and unevenly (most processes have no rows), rows have the bits of `serial`. */
static void expect_shared(const dc_fixture *f, const dc_rows *serial, const dc_run_ask *like)
{
    for (int uneven = 0; uneven < 2; uneven++) {
        dc_catalog c;
        dc_pairs p;
        dc_rows r;
        dc_fixture_share(&c, &p, f, uneven, dc_test_par());
        dc_run_ask ask = *like;
        ask.npu = &c;
        ask.pairs = &p;
        DC_ASSERT_OK(dc_run_compare(&r, &ask, dc_test_par()));
        CU_ASSERT_EQUAL(r.n, c.n);
        for (uint64_t i = 0; i < r.n; i++)
            CU_ASSERT(same_row(&r, &r.row[i], serial, &serial->row[c.first + i]));
        dc_rows_fini(&r);
    }
}

/* However the mixture's work is cut and shared: the bits of one process and whole pairs. */
static void expect_the_same_bits(uint64_t whole, uint64_t block, uint64_t batch)
{
    dc_fixture f;
    dc_rows serial;
    dc_run_ask ask = ask_of(NULL, NULL);
    dc_fixture_init(&f);
    add_mixture(&f);
    compare_alone(&serial, &f, &ask);
    ask.whole = whole;
    ask.block = block;
    ask.batch = batch;
    expect_shared(&f, &serial, &ask);
    dc_rows_fini(&serial);
    dc_fixture_fini(&f);
}

static void any_number_of_processes_and_of_batches_gives_the_same_bits(void)
{
    expect_the_same_bits(0, 0, 0);
    expect_the_same_bits(0, 0, 1);
}

static void pairs_cut_into_blocks_have_the_bits_of_whole_ones(void)
{
    expect_the_same_bits(1, DC_METRIC_CHUNK, 0); /* everything but the empty one is cut */
    dc_fault_arm("relayout.reserve");            /* without room for the stream */
    expect_the_same_bits(1, 2 * DC_METRIC_CHUNK, 2);
    dc_fault_arm(NULL);
}

static void verdicts_follow_the_data(void)
{
    static const dc_verdict want[] = {DC_PASS, DC_PASS, DC_FAIL, DC_PASS, DC_PASS,
                                      DC_PASS, DC_PASS, DC_PASS, DC_PASS, DC_PASS};
    dc_fixture f;
    dc_rows r;
    dc_fixture_init(&f);
    add_mixture(&f);
    const dc_run_ask ask = ask_of(NULL, NULL);
    compare_alone(&r, &f, &ask);
    for (uint64_t i = 0; i < r.n; i++) {
        CU_ASSERT_EQUAL(r.row[i].verdict, want[i]);
        CU_ASSERT(r.row[i].computed);
    }
    CU_ASSERT_EQUAL(r.row[3].m.differ, 0); /* layouts are undone */
    CU_ASSERT_EQUAL(r.row[4].m.differ, 0);
    CU_ASSERT_EQUAL(r.row[5].m.differ, 0);
    CU_ASSERT_EQUAL(r.row[6].m.n, LARGE);
    CU_ASSERT(r.row[6].m.valid[DC_METRIC_KL]);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(r.names, r.row[3].shape), "[2,3,4,5]");
    dc_rows_fini(&r);
    dc_fixture_fini(&f);
}

static void without_kl_there_is_no_second_pass(void)
{
    dc_fixture f;
    dc_rows r;
    dc_fixture_init(&f);
    add_mixture(&f);
    dc_run_ask ask = ask_of(NULL, NULL);
    ask.no_kl = true;
    compare_alone(&r, &f, &ask);
    for (uint64_t i = 0; i < r.n; i++)
        CU_ASSERT_FALSE(r.row[i].m.valid[DC_METRIC_KL]);
    ask.whole = 1;
    expect_shared(&f, &r, &ask);
    dc_rows_fini(&r);
    dc_fixture_fini(&f);
}

static void expect_reason(const dc_rows *r, size_t i, dc_verdict verdict, const char *part)
{
    const char *reason = dc_pool_text(r->names, r->row[i].reason);
    CU_ASSERT_EQUAL(r->row[i].verdict, verdict);
    CU_ASSERT_FALSE(r->row[i].computed);
    if (!strstr(reason, part))
        printf("row %zu: '%s' does not hold '%s'\n", i, reason, part);
    CU_ASSERT(strstr(reason, part) != NULL);
}

static void what_cannot_be_compared_is_a_row_with_a_reason(void)
{
    dc_fixture f;
    dc_rows r;
    float *a = floats(120, 1);
    dc_fixture_init(&f);
    dc_fixture_pair p = plain("10x12", a, a, 120);
    dc_fixture_add(&f, &p); /* 0: fine */
    p.golden_file = "nowhere";
    dc_fixture_add(&f, &p); /* 1: golden gone */
    p = plain("10x12", a, a, 120);
    p.npu_bytes = 400;
    dc_fixture_add(&f, &p); /* 2: NPU bytes too few */
    p = plain("10x12", a, a, 120);
    p.npu_shape = "12x10";
    dc_fixture_add(&f, &p); /* 3: turned: same count, other shape */
    p = plain("10x12", a, a, 120);
    p.npu_dtype = DC_STRING;
    dc_fixture_add(&f, &p); /* 4: no values */
    p = plain("10x12", a, a, 120);
    p.golden_bytes = 40;
    dc_fixture_add(&f, &p); /* 5: golden too short */
    p = plain("10x12", a, a, 120);
    p.npu_bytes = 0;
    dc_fixture_add(&f, &p); /* 6: null address */
    dc_par_barrier(dc_test_par());
    dc_run_ask ask = ask_of(NULL, NULL);
    compare_alone(&r, &f, &ask);
    CU_ASSERT_EQUAL(r.row[0].verdict, DC_PASS);
    expect_reason(&r, 1, DC_NOT_JUDGED, "nowhere");
    expect_reason(&r, 2, DC_NOT_JUDGED, "400 bytes");
    expect_reason(&r, 3, DC_FAIL, "12");
    expect_reason(&r, 4, DC_NOT_JUDGED, "string");
    expect_reason(&r, 5, DC_NOT_JUDGED, "40 bytes");
    expect_reason(&r, 6, DC_NOT_JUDGED, "not dumped");
    for (uint64_t i = 1; i < r.n; i++)
        CU_ASSERT(dc_row_missed(&r.row[i]) == (r.row[i].verdict == DC_NOT_JUDGED));
    expect_shared(&f, &r, &ask);
    ask.whole = 1;
    expect_shared(&f, &r, &ask);
    dc_rows_fini(&r);
    dc_fixture_fini(&f);
    free(a);
}

static void bfloat16_called_float16_is_noticed_and_can_be_overridden(void)
{
    dc_fixture f;
    dc_rows r;
    uint16_t bits[64];
    for (int i = 0; i < 64; i++)
        bits[i] = to_bfloat16(noise((uint64_t)i) * 100);
    dc_fixture_init(&f);
    dc_fixture_pair p = plain("64", NULL, NULL, 32);
    p.npu = p.golden = bits;
    p.npu_dtype = DC_BFLOAT16;
    p.golden_dtype = DC_FLOAT16;
    dc_fixture_add(&f, &p);
    dc_par_barrier(dc_test_par());
    dc_run_ask ask = ask_of(NULL, NULL);
    compare_alone(&r, &f, &ask);
    CU_ASSERT_EQUAL(r.row[0].verdict, DC_FAIL);
    CU_ASSERT_EQUAL(dc_rows_suspicious(&r), 1);
    dc_rows_fini(&r);
    ask.golden_dtype = DC_BFLOAT16;
    compare_alone(&r, &f, &ask);
    CU_ASSERT_EQUAL(r.row[0].verdict, DC_PASS);
    CU_ASSERT_EQUAL(r.row[0].m.differ, 0);
    CU_ASSERT_EQUAL(r.row[0].golden_dtype, DC_BFLOAT16);
    CU_ASSERT_EQUAL(dc_rows_suspicious(&r), 0);
    dc_rows_fini(&r);
    CU_ASSERT_EQUAL(dc_work_golden_dtype(DC_FLOAT32, DC_BFLOAT16), DC_FLOAT32);
    CU_ASSERT_EQUAL(dc_work_golden_dtype(DC_INT16, DC_BFLOAT16), DC_INT16);
    dc_fixture_fini(&f);
}

static void pairs_without_a_golden_keep_their_reason(void)
{
    dc_fixture f;
    dc_rows r;
    float *a = floats(120, 1);
    dc_fixture_init(&f);
    dc_fixture_pair p = plain("10x12", a, a, 120);
    for (int i = 0; i < 3; i++)
        dc_fixture_add(&f, &p);
    f.pairs[0].pairing = DC_INSERTED;
    f.pairs[1].pairing = DC_NO_GOLDEN;
    f.pairs[2].pairing = DC_NOT_CHOSEN;
    f.pairs[0].golden = f.pairs[1].golden = f.pairs[2].golden = DC_UNPAIRED;
    DC_ASSERT_OK(dc_pool_adds(&f.pairs[0].reason, f.texts, "inserted by the graph engine"));
    DC_ASSERT_OK(dc_pool_adds(&f.pairs[1].reason, f.texts, "no golden op01:0"));
    dc_par one;
    dc_catalog c;
    dc_pairs pairs;
    dc_par_single(&one);
    dc_fixture_share(&c, &pairs, &f, false, &one);
    const dc_run_ask ask = ask_of(&c, &pairs);
    DC_ASSERT_OK(dc_run_compare(&r, &ask, &one));
    CU_ASSERT_EQUAL_FATAL(r.n, 2); /* the third was not chosen */
    expect_reason(&r, 0, DC_NOT_JUDGED, "inserted");
    expect_reason(&r, 1, DC_NOT_JUDGED, "no golden");
    CU_ASSERT_FALSE(dc_row_missed(&r.row[0]));
    CU_ASSERT_TRUE(dc_row_missed(&r.row[1]));
    dc_rows_fini(&r);
    dc_fixture_fini(&f);
    free(a);
}

static void expect_stop(const char *site, int most, const dc_run_ask *ask)
{
    dc_rows r = {.row = (dc_row *)&r}; /* anything but NULL */
    DC_ASSERT_FAULT(DC_ENOMEM, site, most, dc_run_compare(&r, ask, dc_test_par()));
    CU_ASSERT_PTR_NULL(r.row);
}

static void a_process_that_fails_stops_all_and_nobody_hangs(void)
{
    static const char *const site[] = {"par.buffer", "run.rows", "work", "route.send"};
    dc_fixture f;
    dc_catalog c;
    dc_pairs p;
    dc_rows r;
    dc_fixture_init(&f);
    add_mixture(&f);
    dc_fixture_share(&c, &p, &f, false, dc_test_par());
    dc_run_ask ask = ask_of(&c, &p);
    ask.batch = 1;
    for (size_t i = !dc_test_par()->launched; i < DC_COUNT(site); i++) /* one receives nothing */
        expect_stop(site[i], i % 2 ? 1 : 2, &ask);                     /* in the second batch too */
    DC_ASSERT_OK(dc_run_compare(&r, &ask, dc_test_par()));
    dc_rows_fini(&r);
    dc_fixture_fini(&f);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(any_number_of_processes_and_of_batches_gives_the_same_bits),
        DC_TEST(pairs_cut_into_blocks_have_the_bits_of_whole_ones),
        DC_TEST(verdicts_follow_the_data),
        DC_TEST(without_kl_there_is_no_second_pass),
        DC_TEST(what_cannot_be_compared_is_a_row_with_a_reason),
        DC_TEST(bfloat16_called_float16_is_noticed_and_can_be_overridden),
        DC_TEST(pairs_without_a_golden_keep_their_reason),
        DC_TEST(a_process_that_fails_stops_all_and_nobody_hangs),
    };
    return dc_test_main_mpi("run", tests, DC_COUNT(tests));
}
