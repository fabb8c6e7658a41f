/* tests/test_plan.c - which process compares what: every part of every pair once, by bytes, and the
 * same parts however many processes there are. */
#include "compare/plan.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WANTS = 400, GOLDENS = 60, BLOCK = 1000, MOST_PROCESSES = 64 };
#define WHOLE ((uint64_t)28 << 20) /* 16 and 8 MiB are whole, 16 and 16 are not */

typedef struct legs {
    dc_leg *leg;
    size_t n;
} legs;

static uint64_t random_below(uint64_t seed, uint64_t n)
{
    return dc_mix64(seed * 0x9e3779b97f4a7c15u + 1) % n;
}

/* Few goldens, most of them small, some wanted in two shapes or blocks; row i is want[i]. */
static void make_wants(dc_want want[WANTS], uint64_t seed)
{
    for (uint64_t i = 0; i < WANTS; i++) {
        uint64_t at = seed * 1000 + i * 7, golden = random_below(at, GOLDENS);
        dc_want *w = &want[i];
        *w = (dc_want){.golden = dc_mix64(golden + seed), .row = i};
        w->bytes[1] = (uint64_t)1 << random_below(golden + seed, 26);
        w->bytes[0] = w->bytes[1] >> random_below(at + 1, 2);
        w->elements = golden % 9 ? w->bytes[1] / 4000 : random_below(at + 2, 2) * 5;
        w->block = random_below(at + 3, 3) ? 0 : 3 * BLOCK;
        w->streamed = golden % 2;
    }
}

static bool is_whole(const dc_want *w)
{
    return w->bytes[0] + w->bytes[1] <= WHOLE;
}

static uint64_t block_of(const dc_want *w)
{
    return w->block ? w->block : BLOCK;
}

static uint64_t units_of(const dc_want *w)
{
    return is_whole(w) || !w->elements ? 1 : (w->elements + block_of(w) - 1) / block_of(w);
}

static bool alike(const dc_want *a, const dc_want *b)
{
    return a->golden == b->golden && a->elements == b->elements && is_whole(a) == is_whole(b) &&
           (is_whole(a) || block_of(a) == block_of(b));
}

/* The plan of rows first .. end-1. */
static dc_status plan(legs *out, const dc_want *want, uint64_t first, uint64_t end,
                      const dc_par *par)
{
    dc_want mine[WANTS];
    memcpy(mine, want + first, (end - first) * sizeof *want);
    const dc_plan_ask ask = {.want = mine, .n = end - first, .whole = WHOLE, .block = BLOCK};
    return dc_plan_make(&out->leg, &out->n, &ask, par);
}

/* This process's rows: an even share, or (uneven) all on the last process. */
static void share(uint64_t *first, uint64_t *end, bool uneven)
{
    uint64_t p = (uint64_t)dc_test_par()->process, np = (uint64_t)dc_test_par()->processes;
    *first = uneven ? 0 : WANTS * p / np;
    *end = uneven ? (p + 1 == np) * WANTS : WANTS * (p + 1) / np;
}

static bool same_leg(const dc_leg *a, const dc_leg *b)
{
    return a->row == b->row && a->first == b->first && a->n == b->n && a->whole == b->whole &&
           a->streamed == b->streamed;
}

/* All processes' legs, in the order of rows. */
static legs plan_together(const dc_want *want, bool uneven)
{
    uint64_t first, end, bytes;
    legs mine, all;
    share(&first, &end, uneven);
    DC_ASSERT_OK(plan(&mine, want, first, end, dc_test_par()));
    DC_ASSERT_OK(dc_par_allgather((char **)&all.leg, &bytes, NULL, mine.leg,
                                  mine.n * sizeof *mine.leg, dc_test_par()));
    all.n = bytes / sizeof *all.leg;
    free(mine.leg);
    return all;
}

static void every_element_of_every_pair_is_in_one_leg(void)
{
    dc_want want[WANTS];
    dc_par one;
    legs l;
    dc_par_single(&one);
    make_wants(want, 1);
    DC_ASSERT_OK(plan(&l, want, 0, WANTS, &one));
    const dc_leg *at = l.leg;
    for (const dc_want *w = want; w < want + WANTS; w++) {
        uint64_t next = 0;
        for (uint64_t u = 0; u < units_of(w); u++, at++) {
            CU_ASSERT_FATAL(at < l.leg + l.n);
            CU_ASSERT_EQUAL(at->row, w->row);
            CU_ASSERT_EQUAL(at->first, next);
            CU_ASSERT(at->whole == is_whole(w) && at->streamed == (w->streamed && !at->whole));
            CU_ASSERT(at->whole || at->n <= block_of(w));
            CU_ASSERT_EQUAL(at->owner, 0);
            next += at->n;
        }
        CU_ASSERT_EQUAL(next, w->elements);
    }
    CU_ASSERT_PTR_EQUAL(at, l.leg + l.n);
    free(l.leg);
}

static void any_number_of_processes_makes_the_same_legs(void)
{
    dc_want want[WANTS];
    dc_par one;
    dc_par_single(&one);
    for (uint64_t seed = 0; seed < 20; seed++) {
        legs serial, even, uneven;
        make_wants(want, seed);
        DC_ASSERT_OK(plan(&serial, want, 0, WANTS, &one));
        even = plan_together(want, false);
        uneven = plan_together(want, true);
        CU_ASSERT_FATAL(even.n == serial.n && uneven.n == serial.n);
        for (size_t i = 0; i < serial.n; i++) {
            CU_ASSERT(same_leg(&even.leg[i], &serial.leg[i]));
            CU_ASSERT(same_leg(&uneven.leg[i], &serial.leg[i]));
            CU_ASSERT_EQUAL(even.leg[i].owner, uneven.leg[i].owner);
        }
        free(serial.leg);
        free(even.leg);
        free(uneven.leg);
    }
}

static void the_same_part_of_a_golden_goes_to_one_process(void)
{
    dc_want want[WANTS];
    make_wants(want, 3);
    legs all = plan_together(want, false);
    size_t apart = 0;
    for (size_t i = 0; i < all.n; i++)
        for (size_t k = 0; k < i; k++)
            apart += all.leg[i].owner != all.leg[k].owner && all.leg[i].first == all.leg[k].first &&
                     alike(&want[all.leg[i].row], &want[all.leg[k].row]);
    CU_ASSERT_EQUAL(apart, 0);
    free(all.leg);
}

/* What a leg costs together with all that go with it; 0 but for the first of these. */
static uint64_t cost_of(const dc_leg *l, const dc_want *want)
{
    const dc_want *w = &want[l->row];
    uint64_t bytes = w->bytes[1];
    for (uint64_t i = 0; i < WANTS; i++)
        if (alike(w, &want[i])) {
            if (i < l->row)
                return 0;
            bytes += want[i].bytes[0] + DC_PLAN_ITEM;
        }
    return bytes / units_of(w);
}

static void no_process_has_more_than_the_mean_and_one_item(void)
{
    uint64_t np = (uint64_t)dc_test_par()->processes, slack = WANTS * DC_PLAN_PAGE;
    for (uint64_t seed = 0; seed < 20; seed++) {
        dc_want want[WANTS];
        uint64_t load[MOST_PROCESSES] = {0}, total = 0, dearest = 0;
        make_wants(want, seed);
        legs all = plan_together(want, false);
        for (size_t i = 0; i < all.n; i++) {
            uint64_t cost = cost_of(&all.leg[i], want);
            CU_ASSERT_FATAL(all.leg[i].owner >= 0 && (uint64_t)all.leg[i].owner < np);
            load[all.leg[i].owner] += cost;
            total += cost;
            dearest = cost > dearest ? cost : dearest;
        }
        for (uint64_t p = 0; p < np; p++)
            CU_ASSERT(load[p] <= total / np + dearest + slack);
        free(all.leg);
    }
}

/* One of 16 MiB, the others together of 75. */
static void whoever_has_a_dear_one_gets_less_of_the_rest(void)
{
    uint64_t np = (uint64_t)dc_test_par()->processes, load[MOST_PROCESSES] = {0}, total = 0;
    dc_want want[WANTS];
    for (uint64_t i = 0; i < WANTS; i++)
        want[i] = (dc_want){dc_mix64(i), i, {65536, 65536}, 1, 0, false};
    want[7].bytes[0] = want[7].bytes[1] = (uint64_t)8 << 20;
    legs all = plan_together(want, false);
    const uint64_t dearest = want[7].bytes[0] * 2 + DC_PLAN_ITEM;
    for (size_t i = 0; i < all.n; i++) {
        uint64_t cost = cost_of(&all.leg[i], want);
        load[all.leg[i].owner] += cost;
        total += cost;
    }
    for (uint64_t p = 0; p < np; p++)
        CU_ASSERT(load[p] <= (dearest > total / np ? dearest : total / np) + total / np / 8);
    free(all.leg);
}

static void blocks_of_one_pair_go_to_all_processes(void)
{
    enum { BLOCKS = 64 };
    uint64_t np = (uint64_t)dc_test_par()->processes, legs_of[MOST_PROCESSES] = {0};
    dc_want want[WANTS] = {{.golden = dc_mix64(5), .elements = BLOCKS * BLOCK}};
    want[0].bytes[0] = want[0].bytes[1] = (uint64_t)BLOCKS << 24;
    const bool mine = dc_test_par()->process == 0;
    legs l;
    DC_ASSERT_OK(plan(&l, want, 0, mine, dc_test_par()));
    CU_ASSERT_EQUAL_FATAL(l.n, mine ? BLOCKS : 0);
    for (size_t i = 0; i < l.n; i++)
        legs_of[l.leg[i].owner]++;
    for (uint64_t p = 0; mine && p < np; p++)
        CU_ASSERT(legs_of[p] == BLOCKS / np || legs_of[p] == BLOCKS / np + 1);
    free(l.leg);
}

static void nothing_to_compare_and_sizes_beyond_all_are_planned(void)
{
    dc_want want[WANTS] = {{0}};
    legs l;
    DC_ASSERT_OK(plan(&l, want, 0, 0, dc_test_par()));
    CU_ASSERT(l.n == 0);
    free(l.leg);
    for (uint64_t i = 0; i < WANTS; i++)
        want[i] = (dc_want){dc_mix64(i), i, {UINT64_MAX, UINT64_MAX}, 1, 0, false};
    legs all = plan_together(want, false);
    CU_ASSERT_EQUAL_FATAL(all.n, WANTS);
    for (size_t i = 0; i < all.n; i++)
        CU_ASSERT(all.leg[i].owner >= 0 && all.leg[i].owner < dc_test_par()->processes &&
                  !all.leg[i].whole && all.leg[i].n == 1);
    free(all.leg);
}

static void a_process_that_fails_stops_all_and_nobody_hangs(void)
{
    static const char *const site[] = {"plan.price", "mem.grow", "route.send", "par.buffer"};
    dc_want want[WANTS];
    legs l;
    char spec[64];
    uint64_t first, end;
    make_wants(want, 2);
    share(&first, &end, false);
    for (size_t i = 0; i < DC_COUNT(site); i++)
        for (int who = 0; who < dc_test_par()->processes; who++) {
            if (!dc_test_par()->launched && strcmp(site[i], "par.buffer") == 0)
                continue; /* one process receives nothing */
            snprintf(spec, sizeof spec, "%s@%d", site[i], who);
            dc_fault_arm(spec);
            CU_ASSERT_EQUAL(plan(&l, want, first, end, dc_test_par()), DC_ENOMEM);
            CU_ASSERT(l.leg == NULL && l.n == 0);
        }
    dc_fault_arm(NULL);
    DC_ASSERT_OK(plan(&l, want, first, end, dc_test_par()));
    free(l.leg);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_element_of_every_pair_is_in_one_leg),
        DC_TEST(any_number_of_processes_makes_the_same_legs),
        DC_TEST(the_same_part_of_a_golden_goes_to_one_process),
        DC_TEST(no_process_has_more_than_the_mean_and_one_item),
        DC_TEST(whoever_has_a_dear_one_gets_less_of_the_rest),
        DC_TEST(blocks_of_one_pair_go_to_all_processes),
        DC_TEST(nothing_to_compare_and_sizes_beyond_all_are_planned),
        DC_TEST(a_process_that_fails_stops_all_and_nobody_hangs),
    };
    return dc_test_main_mpi("plan", tests, DC_COUNT(tests));
}
