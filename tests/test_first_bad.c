/* tests/test_first_bad.c - the first bad operator over rows that live on many processes, and the
 * order of rows. */
#include "compare/culprit.h"
#include "compare/first_bad.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A small network: data -> conv -> trans -> relu -> add(relu, conv) -> loss. trans is never judged.
 * In key order: names are sorted as a catalog's dictionary is. */
static const char *const op_name[] = {"", "add", "conv", "loss", "m", "relu", "trans"};
enum { ADD = 1, CONV, LOSS, MODEL, RELU, TRANS };
static const uint64_t op_time[] = {0, 40, 10, 50, 0, 30, 20};

static size_t feeds_of(dc_feed *out, size_t max, void *context, const dc_feeds_ask *ask)
{
    static const struct {
        const char *op;
        dc_feed feed;
    } edge[] = {
        {"conv", {0, 0, "data", "data"}},   {"trans", {0, 0, "conv", "conv"}},
        {"relu", {0, 0, "trans", "trans"}}, {"add", {0, 0, "relu", "relu"}},
        {"add", {1, 0, "co/nv", "conv"}},   {"loss", {0, 0, "add", "add"}},
    };
    size_t n = 0;
    (void)context;
    for (size_t i = 0; i < DC_COUNT(edge) && n < max; i++)
        if (strcmp(edge[i].op, ask->op) == 0)
            out[n++] = edge[i].feed;
    return n;
}
static const dc_feeds graph = {NULL, feeds_of};

enum { RANKS = 3, PER_RANK = 9, ROWS = RANKS * PER_RANK };

typedef struct net {
    dc_row row[ROWS];
    dc_pool *names;
} net;

/* All pass; each rank's clock runs differently. Key order: rank, op, direction, slot. */
static void net_init(net *n)
{
    static const struct {
        uint32_t op;
        uint8_t direction, slot;
    } has[PER_RANK] = {{ADD, DC_INPUT, 0},   {ADD, DC_INPUT, 1},   {ADD, DC_OUTPUT, 0},
                       {CONV, DC_INPUT, 0},  {CONV, DC_OUTPUT, 0}, {LOSS, DC_INPUT, 0},
                       {LOSS, DC_OUTPUT, 0}, {RELU, DC_OUTPUT, 0}, {TRANS, DC_OUTPUT, 0}};
    uint32_t id;
    memset(n, 0, sizeof *n);
    DC_ASSERT_OK(dc_pool_new(&n->names));
    for (size_t i = 0; i < DC_COUNT(op_name); i++)
        DC_ASSERT_OK(dc_pool_adds(&id, n->names, op_name[i]));
    for (int i = 0; i < ROWS; i++) {
        dc_tensor *t = &n->row[i].at.t;
        int rank = i / PER_RANK;
        t->rank = rank;
        t->model = MODEL;
        t->model_dir = MODEL;
        t->op = has[i % PER_RANK].op;
        t->direction = has[i % PER_RANK].direction;
        t->slot = has[i % PER_RANK].slot;
        t->dump_time = (uint64_t)(RANKS - rank) * 1000000 + op_time[t->op];
        n->row[i].at.row = (uint64_t)i;
        n->row[i].verdict = t->op == TRANS ? DC_NOT_JUDGED : DC_PASS;
        n->row[i].pairing = t->op == TRANS ? DC_INSERTED : DC_PAIRED;
    }
}

static void net_fini(net *n)
{
    dc_pool_free(n->names);
}

static void set(net *n, int rank, uint32_t op, int direction, uint32_t slot, dc_verdict verdict)
{
    for (int i = 0; i < ROWS; i++) {
        const dc_tensor *t = &n->row[i].at.t;
        if (t->rank == rank && t->op == op && t->direction == direction && t->slot == slot)
            n->row[i].verdict = (uint8_t)verdict;
    }
}

/* Rows cut[p]..cut[p+1]-1 are process p's: even shares, or all on the last process. */
static void share(dc_rows *out, const net *n, bool uneven, const dc_par *par)
{
    int np = par->processes, p = par->process;
    int first = uneven ? (p == np - 1 ? 0 : ROWS) : ROWS * p / np;
    int end = uneven ? ROWS : ROWS * (p + 1) / np;
    *out = (dc_rows){.n = (uint64_t)(end - first), .catalog = n->names};
    out->row = malloc((out->n + 1) * sizeof *out->row);
    DC_ASSERT_OK(dc_pool_new(&out->names));
    memcpy(out->row, &n->row[first], out->n * sizeof *out->row);
}

/* What is found with the rows shared in both ways must be what one process finds. */
static dc_first_bad find(const net *n, const dc_feeds *feeds)
{
    dc_first_bad serial, shared;
    dc_par one;
    dc_rows r;
    dc_par_single(&one);
    share(&r, n, false, &one);
    DC_ASSERT_OK(dc_rows_number(&r, &one));
    DC_ASSERT_OK(dc_first_bad_find(&serial, &r, feeds, &one));
    dc_rows_fini(&r);
    for (int uneven = 0; uneven < 2; uneven++) {
        share(&r, n, uneven, dc_test_par());
        DC_ASSERT_OK(dc_rows_number(&r, dc_test_par()));
        DC_ASSERT_OK(dc_first_bad_find(&shared, &r, feeds, dc_test_par()));
        CU_ASSERT_EQUAL(shared.found, serial.found);
        CU_ASSERT_EQUAL(shared.inherited, serial.inherited);
        CU_ASSERT_EQUAL(shared.at.row, serial.at.row);
        CU_ASSERT_EQUAL(shared.at.position, serial.at.position);
        dc_rows_fini(&r);
    }
    return serial;
}

static void expect(const dc_first_bad *b, int rank, uint32_t op, int direction, uint32_t slot)
{
    CU_ASSERT(b->found);
    CU_ASSERT_EQUAL(b->at.t.rank, rank);
    CU_ASSERT_STRING_EQUAL(op_name[b->at.t.op], op_name[op]);
    CU_ASSERT_EQUAL(b->at.t.direction, direction);
    CU_ASSERT_EQUAL(b->at.t.slot, slot);
}

static void nothing_is_found_where_nothing_fails(void)
{
    net n;
    net_init(&n);
    dc_first_bad b = find(&n, &graph);
    CU_ASSERT_FALSE(b.found);
    net_fini(&n);
}

static void the_earliest_position_wins_over_the_earliest_clock(void)
{
    net n;
    net_init(&n);
    set(&n, 2, LOSS, DC_OUTPUT, 0, DC_FAIL); /* rank 2's clock is the earliest of all */
    set(&n, 1, CONV, DC_OUTPUT, 0, DC_FAIL);
    set(&n, 0, ADD, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, &graph);
    expect(&b, 1, CONV, DC_OUTPUT, 0);
    CU_ASSERT_FALSE(b.inherited);
    net_fini(&n);
}

static void at_one_position_the_lowest_rank_wins(void)
{
    net n;
    net_init(&n);
    set(&n, 2, CONV, DC_OUTPUT, 0, DC_FAIL);
    set(&n, 1, CONV, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, &graph);
    expect(&b, 1, CONV, DC_OUTPUT, 0);
    net_fini(&n);
}

static void a_failing_dumped_input_excuses_its_operator(void)
{
    net n;
    net_init(&n);
    set(&n, 1, ADD, DC_INPUT, 1, DC_FAIL);
    set(&n, 1, ADD, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, NULL);
    expect(&b, 1, ADD, DC_INPUT, 1);
    net_fini(&n);
}

static void an_input_row_is_excused_by_its_producer(void)
{
    net n;
    net_init(&n);
    set(&n, 0, ADD, DC_INPUT, 1, DC_FAIL); /* fed by conv, which fails on rank 0 too... */
    set(&n, 0, CONV, DC_OUTPUT, 0, DC_FAIL);
    set(&n, 0, CONV, DC_INPUT, 0, DC_FAIL); /* ...because of its input, which has no producer */
    dc_first_bad b = find(&n, &graph);
    expect(&b, 0, CONV, DC_INPUT, 0);
    net_fini(&n);
}

static void producers_are_asked_through_operators_without_a_verdict(void)
{
    net n;
    net_init(&n);
    for (int i = 0; i < ROWS; i++) /* rank 0 dumps relu before conv: its position is the first */
        if (n.row[i].at.t.rank == 0 && n.row[i].at.t.op == RELU)
            n.row[i].at.t.dump_time -= 25;
    set(&n, 0, RELU, DC_OUTPUT, 0, DC_FAIL);
    set(&n, 0, CONV, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, &graph);
    expect(&b, 0, CONV, DC_OUTPUT, 0);
    b = find(&n, NULL); /* without the graph nothing is known of relu's input */
    expect(&b, 0, RELU, DC_OUTPUT, 0);
    net_fini(&n);
}

static void a_good_dumped_input_outweighs_its_producer(void)
{
    net n;
    net_init(&n);
    for (int i = 0; i < ROWS; i++)
        if (n.row[i].at.t.rank == 0 && n.row[i].at.t.op == ADD)
            n.row[i].at.t.dump_time = 3000001; /* before conv */
    set(&n, 0, ADD, DC_OUTPUT, 0, DC_FAIL);    /* its inputs' own rows pass */
    set(&n, 0, CONV, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, &graph);
    expect(&b, 0, ADD, DC_OUTPUT, 0);
    net_fini(&n);
}

static size_t feeds_itself(dc_feed *out, size_t max, void *context, const dc_feeds_ask *ask)
{
    (void)context;
    if (max == 0 || strcmp(ask->op, "relu") != 0)
        return 0;
    out[0] = (dc_feed){0, 0, "relu", "relu"};
    return 1;
}

static void where_every_failing_row_has_a_failing_input_the_first_is_named(void)
{
    const dc_feeds loop = {NULL, feeds_itself};
    net n;
    net_init(&n);
    set(&n, 1, RELU, DC_OUTPUT, 0, DC_FAIL);
    set(&n, 2, RELU, DC_OUTPUT, 0, DC_FAIL);
    dc_first_bad b = find(&n, &loop);
    expect(&b, 1, RELU, DC_OUTPUT, 0);
    CU_ASSERT_TRUE(b.inherited);
    net_fini(&n);
}

/* conv's only row comes after LOOPS failing turns of relu, each of which has a failing input. */
enum { LOOPS = 700 };

static void make_loop(dc_rows *r, const net *n, const dc_par *par)
{
    uint64_t first = (uint64_t)((LOOPS + 1) * par->process / par->processes);
    uint64_t end = (uint64_t)((LOOPS + 1) * (par->process + 1) / par->processes);
    *r = (dc_rows){.n = end - first, .catalog = n->names};
    r->row = calloc(r->n + 1, sizeof *r->row);
    DC_ASSERT_OK(dc_pool_new(&r->names));
    for (uint64_t i = 0; i < r->n; i++) {
        uint64_t at = first + i;
        dc_row *row = &r->row[i];
        row->at.row = at;
        row->at.t.model = row->at.t.model_dir = MODEL;
        row->at.t.direction = DC_OUTPUT;
        row->at.t.op = at == 0 ? CONV : RELU;
        row->at.t.occurrence = at == 0 ? 0 : (uint32_t)at - 1;
        row->at.t.dump_time = at == 0 ? 2 * LOOPS : at;
        row->verdict = DC_FAIL;
    }
}

static void the_search_goes_on_beyond_the_first_batch(void)
{
    const dc_feeds loop = {NULL, feeds_itself};
    net n;
    dc_rows r;
    dc_first_bad b;
    net_init(&n);
    make_loop(&r, &n, dc_test_par());
    DC_ASSERT_OK(dc_rows_number(&r, dc_test_par()));
    DC_ASSERT_OK(dc_first_bad_find(&b, &r, &loop, dc_test_par()));
    expect(&b, 0, CONV, DC_OUTPUT, 0);
    CU_ASSERT_FALSE(b.inherited);
    CU_ASSERT_EQUAL(b.at.position, LOOPS);
    dc_rows_fini(&r);
    net_fini(&n);
}

static void one_process_without_memory_stops_all(void)
{
    net n;
    dc_rows r;
    dc_first_bad b;
    net_init(&n);
    set(&n, 0, RELU, DC_OUTPUT, 0, DC_FAIL);
    share(&r, &n, false, dc_test_par());
    DC_ASSERT_OK(dc_rows_number(&r, dc_test_par()));
    DC_ASSERT_FAULT(DC_ENOMEM, "first_bad.list", 1,
                    dc_first_bad_find(&b, &r, &graph, dc_test_par()));
    DC_ASSERT_FAULT(DC_ENOMEM, "route.send", 1, dc_rows_number(&r, dc_test_par()));
    dc_rows_fini(&r);
    net_fini(&n);
}

static void rows_are_sorted_in_execution_order_whoever_holds_them(void)
{
    net n;
    dc_rows r;
    net_init(&n);
    uint64_t before = 0;
    for (int uneven = 0; uneven < 2; uneven++) {
        share(&r, &n, uneven, dc_test_par());
        DC_ASSERT_OK(dc_rows_number(&r, dc_test_par()));
        DC_ASSERT_OK(dc_rows_sort(&r, dc_test_par()));
        uint64_t total = r.n;
        dc_par_sum_u64(&total, 1, dc_test_par());
        CU_ASSERT_EQUAL(total, ROWS);
        before = dc_par_before_u64(r.n, dc_test_par());
        static const uint32_t in_order[] = {CONV, TRANS, RELU, ADD, LOSS};
        static const uint64_t rows_of[] = {2, 1, 1, 3, 2}; /* of one rank */
        for (uint64_t i = 0; i < r.n; i++) {
            uint64_t at = before + i, op = 0;
            while (at >= rows_of[op] * RANKS)
                at -= rows_of[op++] * RANKS;
            CU_ASSERT_EQUAL(r.row[i].at.t.op, in_order[op]);
            CU_ASSERT_EQUAL(r.row[i].at.position, op);
            CU_ASSERT_EQUAL(r.row[i].at.t.rank, (int32_t)(at / rows_of[op]));
        }
        dc_rows_fini(&r);
    }
    net_fini(&n);
}

static void the_culprit_is_named_with_its_ranks(void)
{
    net n;
    dc_rows r;
    dc_first_bad b;
    char *text;
    net_init(&n);
    set(&n, 1, CONV, DC_OUTPUT, 0, DC_FAIL);
    share(&r, &n, false, dc_test_par());
    for (uint64_t i = 0; i < r.n; i++)
        if (dc_row_failed(&r.row[i]))
            DC_ASSERT_OK(dc_pool_adds(&r.row[i].reason, r.names, "cosine 0.83 < 0.99"));
    DC_ASSERT_OK(dc_rows_number(&r, dc_test_par()));
    DC_ASSERT_OK(dc_first_bad_find(&b, &r, &graph, dc_test_par()));
    const dc_culprit_ask ask = {&b, &r, NULL};
    DC_ASSERT_OK(dc_culprit_describe(&text, &ask, dc_test_par()));
    CU_ASSERT_STRING_EQUAL(text, "it fails on rank 1 and passes on ranks 0,2\n"
                                 "first bad: conv output 0, rank 1, step 0: cosine 0.83 < 0.99");
    free(text);
    dc_rows_fini(&r);
    net_fini(&n);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(nothing_is_found_where_nothing_fails),
        DC_TEST(the_earliest_position_wins_over_the_earliest_clock),
        DC_TEST(at_one_position_the_lowest_rank_wins),
        DC_TEST(a_failing_dumped_input_excuses_its_operator),
        DC_TEST(an_input_row_is_excused_by_its_producer),
        DC_TEST(producers_are_asked_through_operators_without_a_verdict),
        DC_TEST(a_good_dumped_input_outweighs_its_producer),
        DC_TEST(where_every_failing_row_has_a_failing_input_the_first_is_named),
        DC_TEST(the_search_goes_on_beyond_the_first_batch),
        DC_TEST(one_process_without_memory_stops_all),
        DC_TEST(rows_are_sorted_in_execution_order_whoever_holds_them),
        DC_TEST(the_culprit_is_named_with_its_ranks),
    };
    return dc_test_main_mpi("first_bad", tests, DC_COUNT(tests));
}
