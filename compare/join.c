/* compare/join.c - see join.h
 *
 * A key's owner gets both sides' rows, tells the right side's process whom to describe its row to,
 * and that process does. Three exchanges a batch. */
#include "compare/join.h"

#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BATCH_ROWS ((uint64_t)4 << 20) /* of all processes */

typedef struct wire_row {
    dc_join_key key;
    uint32_t row, side; /* 0 left, 1 right */
} wire_row;

/* A row at its owner. */
typedef struct owned_row {
    wire_row wire;
    int process;
} owned_row;

/* From the owner: to the right row's process, describe it to that left row; or to the left row's
 * process, it is ambiguous. */
typedef struct wire_word {
    uint32_t row, left_row;
    int32_t left_process; /* -1: ambiguous, row is the left one */
} wire_word;

static dc_status send_side(dc_route *r, const dc_join_ask *ask, uint32_t side, uint64_t batch,
                           uint64_t batches)
{
    const dc_join_side *s = side ? &ask->right : &ask->left;
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < s->n; i++) {
        wire_row w = {.row = (uint32_t)i, .side = side};
        if (!s->key(ask->context, &w.key, i))
            continue;
        uint64_t hash = XXH3_64bits(&w.key, sizeof w.key);
        if (hash % batches == batch)
            st = dc_route_add(r, (int)(hash / batches % (uint64_t)r->processes), &w, sizeof w);
    }
    return st;
}

static int compare_rows(const void *left, const void *right)
{
    const owned_row *a = left, *b = right;
    int order = memcmp(&a->wire.key, &b->wire.key, sizeof a->wire.key);
    return order ? order : (int)a->wire.side - (int)b->wire.side;
}

static dc_status judge_group(dc_route *r, const owned_row *row, size_t n)
{
    size_t left = 0;
    dc_status st = DC_OK;
    while (left < n && row[left].wire.side == 0)
        left++;
    if (left == 1 && n == 2) {
        const wire_word w = {row[1].wire.row, row[0].wire.row, row[0].process};
        return dc_route_add(r, row[1].process, &w, sizeof w);
    }
    for (size_t i = 0; st == DC_OK && left < n && i < left; i++) {
        const wire_word w = {row[i].wire.row, 0, -1};
        st = dc_route_add(r, row[i].process, &w, sizeof w);
    }
    return st;
}

/* The owner's part. */
static dc_status judge(dc_route *r, const dc_arrived *in)
{
    size_t n = (size_t)(in->total / sizeof(wire_row)), k = 0;
    owned_row *row = malloc((n + 1) * sizeof *row);
    dc_status st = row ? DC_OK : dc_fail_memory();
    uint64_t at = 0, end = 0;
    for (int p = 0; row && p < r->processes; p++)
        for (end += in->got[p]; at < end; k++) {
            dc_take(&row[k].wire, sizeof row[k].wire, in->data, &at, end);
            row[k].process = p;
        }
    if (row)
        qsort(row, n, sizeof *row, compare_rows);
    for (size_t from = 0, to; st == DC_OK && from < n; from = to) {
        to = from + 1;
        while (to < n && memcmp(&row[from].wire.key, &row[to].wire.key, sizeof(dc_join_key)) == 0)
            to++;
        st = judge_group(r, row + from, to - from);
    }
    free(row);
    return st;
}

/* The holders' part: describe right rows to left ones, take note of ambiguous left rows. */
static dc_status heed(dc_route *r, const dc_join_ask *ask, const dc_arrived *in)
{
    dc_buf said = {0};
    dc_status st = DC_OK;
    wire_word w;
    for (uint64_t at = 0; st == DC_OK && dc_take(&w, sizeof w, in->data, &at, in->total);) {
        if (w.left_process < 0) {
            st = ask->ambiguous(ask->context, w.row);
            continue;
        }
        said.n = 0;
        st = ask->describe(ask->context, &said, w.row);
        const uint64_t head[2] = {w.left_row, said.n};
        if (st == DC_OK)
            st = dc_route_add(r, w.left_process, head, sizeof head);
        if (st == DC_OK)
            st = dc_route_add(r, w.left_process, said.data, said.n);
    }
    dc_buf_free(&said);
    return st;
}

static dc_status take_pairs(const dc_join_ask *ask, const dc_arrived *in)
{
    uint64_t head[2];
    dc_status st = DC_OK;
    for (uint64_t at = 0; st == DC_OK && dc_take(head, sizeof head, in->data, &at, in->total);
         at += head[1])
        st = ask->pair(ask->context, head[0], in->data + at, head[1]);
    return st;
}

/* Give `out` what `in` says, through one exchange: `in` is freed, `local` and what goes wrong here
 * are agreed. */
typedef dc_status (*answer)(dc_route *r, const dc_join_ask *ask, const dc_arrived *in);

static dc_status judge_answer(dc_route *r, const dc_join_ask *ask, const dc_arrived *in)
{
    (void)ask;
    return judge(r, in);
}

static dc_status pass_on(dc_arrived *in, const dc_join_ask *ask, answer f, const dc_par *par)
{
    dc_route r;
    dc_arrived next = {0};
    dc_status st = dc_route_begin(&r, par);
    if (st == DC_OK)
        st = f(&r, ask, in);
    dc_arrived_free(in);
    st = dc_route_send(&next, &r, st, par);
    *in = next;
    return st;
}

static dc_status join_batch(const dc_join_ask *ask, uint64_t batch, uint64_t batches,
                            dc_status local, const dc_par *par)
{
    dc_route r = {0};
    dc_arrived in = {0};
    dc_status st = local == DC_OK ? dc_route_begin(&r, par) : local;
    for (uint32_t side = 0; st == DC_OK && side < 2; side++)
        st = send_side(&r, ask, side, batch, batches);
    st = dc_route_send(&in, &r, st, par);
    if (st == DC_OK)
        st = pass_on(&in, ask, judge_answer, par);
    if (st == DC_OK)
        st = pass_on(&in, ask, heed, par);
    if (st == DC_OK)
        st = take_pairs(ask, &in);
    dc_arrived_free(&in);
    return dc_par_agree(st, par);
}

dc_status dc_join(const dc_join_ask *ask, dc_status local, const dc_par *par)
{
    uint64_t batches = ask->total / BATCH_ROWS + 1;
    dc_status st = local;
    for (uint64_t b = 0; b < batches && (b == 0 || st == DC_OK); b++)
        st = join_batch(ask, b, batches, st, par);
    return st;
}
