/* tests/test_share.c - dealing by bytes. */
#include "mpi/share.h"
#include "tests/harness.h"

#include <stdio.h>

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

static void what_can_be_cut_fills_up_the_lightest(void)
{
    const uint64_t load[4] = {5, 0, 9, 2};
    uint64_t end[4];
    const struct {
        uint64_t rest, end[4];
    } want[] = {
        {0, {0, 0, 0, 0}}, {1, {0, 1, 1, 1}},   {2, {0, 2, 2, 2}},     {4, {0, 3, 3, 4}},
        {8, {0, 5, 5, 8}}, {11, {1, 7, 7, 11}}, {20, {4, 13, 13, 20}}, {24, {5, 15, 16, 24}},
    };
    for (size_t i = 0; i < DC_COUNT(want); i++) {
        dc_share_fill(end, load, want[i].rest, 4);
        for (int p = 0; p < 4; p++)
            CU_ASSERT_EQUAL(end[p], want[i].end[p]);
    }
    const uint64_t heavy[2] = {(uint64_t)1 << 62, 0};
    dc_share_fill(end, heavy, ((uint64_t)1 << 62) - 1, 2);
    CU_ASSERT(end[0] == 0 && end[1] == ((uint64_t)1 << 62) - 1);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(no_process_has_more_than_the_mean_and_one_item),
        DC_TEST(equal_costs_go_round),
        DC_TEST(nothing_to_deal_and_more_processes_than_items),
        DC_TEST(loads_beyond_64_bits_do_not_wrap),
        DC_TEST(an_empty_tensor_is_one_chunk),
        DC_TEST(what_can_be_cut_fills_up_the_lightest),
    };
    return dc_test_main("share", tests, DC_COUNT(tests));
}
