/* tests/test_share.c - dealing by bytes, and the plan of a comparison. */
#include "compare/plan.h"
#include "mpi/share.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_process_has_more_than_the_mean_and_one_item(void)
{
    enum { N = 1000, NP = 7 };
    uint64_t cost[N], load[NP] = {0}, total = 0, dearest = 0;
    int32_t owner[N];
    for (int i = 0; i < N; i++) {
        cost[i] = (uint64_t)(i * 7919 % 1009) * (i % 13 == 0 ? 50 : 1);
        total += cost[i];
        dearest = cost[i] > dearest ? cost[i] : dearest;
    }
    DC_ASSERT_OK(dc_share_deal(owner, cost, N, NP));
    for (int i = 0; i < N; i++) {
        CU_ASSERT_FATAL(owner[i] >= 0 && owner[i] < NP);
        load[owner[i]] += cost[i];
    }
    for (int p = 0; p < NP; p++)
        CU_ASSERT(load[p] <= total / NP + dearest);
}

static void equal_costs_go_round(void)
{
    const uint64_t cost[5] = {3, 3, 3, 3, 3};
    const int32_t want[5] = {0, 1, 2, 0, 1};
    int32_t owner[5];
    DC_ASSERT_OK(dc_share_deal(owner, cost, 5, 3));
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(owner[i], want[i]);
}

static void nothing_to_deal_and_more_processes_than_items(void)
{
    const uint64_t cost[1] = {UINT64_MAX};
    int32_t owner[1] = {-1};
    DC_ASSERT_OK(dc_share_deal(owner, cost, 0, 3));
    CU_ASSERT_EQUAL(owner[0], -1);
    DC_ASSERT_OK(dc_share_deal(owner, cost, 1, 100));
    CU_ASSERT_EQUAL(owner[0], 0);
}

static void loads_beyond_64_bits_do_not_wrap(void)
{
    const uint64_t cost[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 1};
    int32_t owner[4];
    DC_ASSERT_OK(dc_share_deal(owner, cost, 4, 2));
    CU_ASSERT_EQUAL(owner[0], 0);
    CU_ASSERT_EQUAL(owner[1], 1);
}

static void an_empty_tensor_is_one_chunk(void)
{
    CU_ASSERT_EQUAL(dc_share_chunks(0, 8), 1);
    CU_ASSERT_EQUAL(dc_share_chunks(8, 8), 1);
    CU_ASSERT_EQUAL(dc_share_chunks(9, 8), 2);
    CU_ASSERT_EQUAL(dc_share_chunks(UINT64_MAX, 8), (uint64_t)1 << 61);
}

/* Golden 1 is wanted by rows 0, 2, 4 (small) and 5 (large); golden 2 by row 1; golden 3 (empty) by
 * row 3. */
static const dc_want wants[] = {
    {1, 0, {100, 100}, 1000, 0, false}, {2, 1, {50, 50}, 25, 0, false},
    {1, 2, {100, 100}, 1000, 0, false}, {3, 3, {0, 0}, 0, 0, false},
    {1, 4, {9, 100}, 1000, 0, false},   {1, 5, {9000, 100}, 1000, 0, false},
};

static void make(dc_leg **leg, size_t *n, uint64_t first, uint64_t end)
{
    dc_want want[DC_COUNT(wants)];
    memcpy(want, wants, sizeof want);
    const dc_plan_ask ask = {.want = want,
                             .n = DC_COUNT(want),
                             .first_row = first,
                             .end_row = end,
                             .whole = 1000,
                             .block = 400,
                             .processes = 3};
    DC_ASSERT_OK(dc_plan_make(leg, n, &ask));
}

static void pairs_of_one_golden_go_to_one_process(void)
{
    dc_leg *leg;
    size_t n;
    make(&leg, &n, 0, 6);
    CU_ASSERT_EQUAL_FATAL(n, 5 + 3);
    CU_ASSERT_EQUAL(leg[0].owner, leg[2].owner);
    CU_ASSERT_EQUAL(leg[0].owner, leg[4].owner);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT(leg[i].row == i && leg[i].whole && leg[i].first == 0);
    CU_ASSERT_EQUAL(leg[3].n, 0);
    free(leg);
}

static void a_large_pair_is_cut_into_blocks_that_cover_it(void)
{
    dc_leg *leg;
    size_t n;
    make(&leg, &n, 5, 6);
    CU_ASSERT_EQUAL_FATAL(n, 3);
    const uint64_t first[3] = {0, 400, 800}, count[3] = {400, 400, 200};
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT(!leg[i].whole && leg[i].row == 5);
        CU_ASSERT_EQUAL(leg[i].first, first[i]);
        CU_ASSERT_EQUAL(leg[i].n, count[i]);
    }
    CU_ASSERT(leg[0].owner != leg[1].owner && leg[1].owner != leg[2].owner);
    free(leg);
}

static void every_process_works_out_the_same_plan(void)
{
    dc_leg *all, *some;
    size_t n, m, seen = 0;
    make(&all, &n, 0, 6);
    for (uint64_t row = 0; row < 6; row++) {
        make(&some, &m, row, row + 1);
        for (size_t i = 0; i < m; i++, seen++) {
            CU_ASSERT_EQUAL(some[i].row, all[seen].row);
            CU_ASSERT_EQUAL(some[i].owner, all[seen].owner);
            CU_ASSERT_EQUAL(some[i].first, all[seen].first);
        }
        free(some);
    }
    CU_ASSERT_EQUAL(seen, n);
    free(all);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(no_process_has_more_than_the_mean_and_one_item),
        DC_TEST(equal_costs_go_round),
        DC_TEST(nothing_to_deal_and_more_processes_than_items),
        DC_TEST(loads_beyond_64_bits_do_not_wrap),
        DC_TEST(an_empty_tensor_is_one_chunk),
        DC_TEST(pairs_of_one_golden_go_to_one_process),
        DC_TEST(a_large_pair_is_cut_into_blocks_that_cover_it),
        DC_TEST(every_process_works_out_the_same_plan),
    };
    return dc_test_main("share", tests, DC_COUNT(tests));
}
