/* tests/test_par.c - the collectives: agreement, gathering, exchange, sorting, the dictionary. */
#include "io/mem.h"
#include "mpi/dictionary.h"
#include "mpi/sort.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void one_failing_process_fails_all(void)
{
    const dc_par *par = dc_test_par();
    for (int bad = 0; bad < par->processes; bad++) {
        dc_status st = par->process == bad ? dc_fail(DC_EIO, "process %d failed", bad) : DC_OK;
        char want[64];
        snprintf(want, sizeof want, "process %d failed", bad);
        CU_ASSERT_EQUAL(dc_par_agree(st, par), DC_EIO);
        CU_ASSERT_STRING_EQUAL(dc_last_error(), want);
    }
    CU_ASSERT_EQUAL(dc_par_agree(DC_OK, par), DC_OK);
}

static void the_worst_code_wins(void)
{
    const dc_par *par = dc_test_par();
    dc_status mine =
        par->process == par->processes - 1 ? dc_fail(DC_ENOMEM, "worst") : dc_fail(DC_EARG, "mild");
    CU_ASSERT_EQUAL(dc_par_agree(mine, par), DC_ENOMEM);
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "worst");
}

static void gathering_keeps_process_order_and_takes_empty_parts(void)
{
    const dc_par *par = dc_test_par();
    char *all, text[32];
    uint64_t total, count[64], at = 0;
    int n = par->process % 2 ? 0 : snprintf(text, sizeof text, "p%d;", par->process);
    DC_ASSERT_OK(dc_par_allgather(&all, &total, count, text, (uint64_t)n, par));
    for (int p = 0; p < par->processes; p++) {
        n = p % 2 ? 0 : snprintf(text, sizeof text, "p%d;", p);
        CU_ASSERT_EQUAL(count[p], (uint64_t)n);
        CU_ASSERT_EQUAL(memcmp(all + at, text, (size_t)n), 0);
        at += (uint64_t)n;
    }
    CU_ASSERT_EQUAL(total, at);
    free(all);
}

static void exchange_delivers_to_each_what_it_is_due(void)
{
    const dc_par *par = dc_test_par();
    dc_buf to[64] = {{0}};
    uint64_t got[64], total, at = 0;
    char *in, text[32];
    for (int p = 0; p < par->processes; p++) {
        int n = (par->process + p) % 3 == 0
                    ? 0
                    : snprintf(text, sizeof text, "%d>%d;", par->process, p);
        DC_ASSERT_OK(dc_buf_add(&to[p], text, (size_t)n));
    }
    DC_ASSERT_OK(dc_par_exchange(&in, &total, got, to, par));
    for (int p = 0; p < par->processes; p++) {
        int n = (par->process + p) % 3 == 0
                    ? 0
                    : snprintf(text, sizeof text, "%d>%d;", p, par->process);
        CU_ASSERT_EQUAL(got[p], (uint64_t)n);
        CU_ASSERT_EQUAL(memcmp(in + at, text, (size_t)n), 0);
        at += (uint64_t)n;
    }
    CU_ASSERT_EQUAL(total, at);
    for (int p = 0; p < par->processes; p++)
        CU_ASSERT_PTR_NULL(to[p].data); /* it was freed on the way */
    free(in);
}

static void a_process_without_memory_fails_all(void)
{
    const dc_par *par = dc_test_par();
    char *out = NULL;
    uint64_t total;
    if (par->launched)
        DC_ASSERT_FAULT(DC_ENOMEM, "par.buffer", 1,
                        dc_par_allgather(&out, &total, NULL, "x", 1, par));
    DC_ASSERT_OK(dc_par_allgather(&out, &total, NULL, "x", 1, par));
    CU_ASSERT_EQUAL(total, (uint64_t)par->processes);
    free(out);
}

static dc_status collect(void *context, const char *data, size_t n)
{
    return dc_buf_add(context, data, n);
}

static dc_status refuse(void *context, const char *data, size_t n)
{
    (void)context, (void)data, (void)n;
    return dc_fail(DC_ENOSPACE, "sink is full");
}

static void concatenation_is_in_process_order_and_its_failure_is_shared(void)
{
    const dc_par *par = dc_test_par();
    dc_buf got = {0};
    size_t n = par->process == 1 ? 0 : (size_t)5 << 20; /* more than one piece */
    char *data = malloc(n + 1);
    memset(data, 'a' + par->process, n);
    DC_ASSERT_OK(dc_par_concatenate(collect, &got, data, n, par));
    size_t wrong = 0, piece = (size_t)5 << 20;
    for (size_t i = 0; i < got.n; i += 4096) { /* process 1 gave nothing */
        size_t from = i / piece;
        wrong += got.data[i] != 'a' + (int)(from ? from + 1 : 0);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    if (par->process == 0)
        CU_ASSERT_EQUAL(got.n,
                        ((size_t)5 << 20) * (size_t)(par->processes > 1 ? par->processes - 1 : 1));
    CU_ASSERT_EQUAL(dc_par_concatenate(refuse, NULL, data, n, par), DC_ENOSPACE);
    free(data);
    dc_buf_free(&got);
}

static void sums_prefixes_and_chains(void)
{
    const dc_par *par = dc_test_par();
    uint64_t me = (uint64_t)par->process, np = (uint64_t)par->processes, v = me + 1, low = me,
             state = 7;
    dc_par_sum_u64(&v, 1, par);
    CU_ASSERT_EQUAL(v, np * (np + 1) / 2);
    dc_par_min_u64(&low, 1, par);
    CU_ASSERT_EQUAL(low, 0);
    CU_ASSERT_EQUAL(dc_par_before_u64(me, par), me * (me - (me > 0)) / 2);
    dc_par_chain_receive(&state, sizeof state, par);
    CU_ASSERT_EQUAL(state, 7 + me);
    state++;
    dc_par_chain_pass(&state, sizeof state, par);
}

/* Rows of a fixed multiset of keys, dealt in a way that depends on the number of processes. */
static dc_tensor key(uint64_t i)
{
    uint64_t h = dc_mix64(i + 1);
    return (dc_tensor){.rank = (int32_t)(h % 3),
                       .step = (int64_t)(h >> 8 & 3),
                       .op = (uint32_t)(h >> 16 & 31),
                       .slot = (uint32_t)(h >> 24 & 1),
                       .dump_time = i};
}

static void sorting_gives_one_order_and_keeps_identities_together(void)
{
    enum { N = 2000 };
    const dc_par *par = dc_test_par();
    dc_tensor *row = malloc(N * sizeof *row), *all;
    size_t n = 0;
    for (uint64_t i = 0; i < N; i++)
        if (dc_mix64(i) % 5 % (uint64_t)par->processes ==
            (uint64_t)par->process) /* some may be empty */
            row[n++] = key(i);
    DC_ASSERT_OK(dc_sort_rows((void **)&row, &n, sizeof *row, par));
    uint64_t bytes, count[64];
    DC_ASSERT_OK(dc_par_allgather((char **)&all, &bytes, count, row, n * sizeof *row, par));
    CU_ASSERT_EQUAL_FATAL(bytes, N * sizeof *row);
    for (size_t i = 1; i < N; i++)
        CU_ASSERT(dc_tensor_compare(&all[i - 1], &all[i]) < 0);
    size_t at = 0;
    for (int p = 0; p + 1 < par->processes; p++) {
        at += count[p] / sizeof *row;
        if (at > 0 && at < N)
            CU_ASSERT(dc_tensor_compare_identity(&all[at - 1], &all[at]) != 0);
    }
    free(all);
    free(row);
}

static void the_dictionary_is_sorted_and_the_same_everywhere(void)
{
    const dc_par *par = dc_test_par();
    dc_pool *local, *sorted;
    uint32_t *map, id;
    char text[32];
    DC_ASSERT_OK(dc_pool_new(&local));
    for (int i = 0; i < 40; i++) { /* shared and own strings */
        snprintf(text, sizeof text, "op%d", i % 2 ? i : (i + 1) * 100 + par->process);
        DC_ASSERT_OK(dc_pool_adds(&id, local, text));
    }
    DC_ASSERT_OK(dc_dictionary_build(&sorted, &map, local, par));
    CU_ASSERT_EQUAL(dc_pool_count(sorted), 1u + 20u + 20u * (uint32_t)par->processes);
    for (uint32_t i = 1; i < dc_pool_count(sorted); i++)
        CU_ASSERT(strcmp(dc_pool_text(sorted, i - 1), dc_pool_text(sorted, i)) < 0);
    for (uint32_t i = 0; i < dc_pool_count(local); i++)
        CU_ASSERT_STRING_EQUAL(dc_pool_text(local, i), dc_pool_text(sorted, map[i]));
    free(map);
    dc_pool_free(sorted);
    dc_pool_free(local);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(one_failing_process_fails_all),
        DC_TEST(the_worst_code_wins),
        DC_TEST(gathering_keeps_process_order_and_takes_empty_parts),
        DC_TEST(exchange_delivers_to_each_what_it_is_due),
        DC_TEST(a_process_without_memory_fails_all),
        DC_TEST(concatenation_is_in_process_order_and_its_failure_is_shared),
        DC_TEST(sums_prefixes_and_chains),
        DC_TEST(sorting_gives_one_order_and_keeps_identities_together),
        DC_TEST(the_dictionary_is_sorted_and_the_same_everywhere),
    };
    return dc_test_main_mpi("par", tests, DC_COUNT(tests));
}
