/* compare/run_plan.c - see run_plan.h */
#include "compare/run_plan.h"

#include "compare/bare.h"
#include "compare/legs.h"

#include <stdlib.h>

#define MOST_ELEMENTS ((uint64_t)1 << 44) /* of a golden: beyond any file, within the plan */

const dc_pair *dc_run_pair(const dc_run_ask *ask, const dc_row *row)
{
    return &ask->pairs->pair[row->at.row - ask->npu->first];
}

const dc_golden *dc_run_golden(const dc_run_ask *ask, const dc_row *row)
{
    const dc_pairs *p = ask->pairs;
    uint32_t golden = dc_run_pair(ask, row)->golden;
    return golden < p->goldens ? &p->golden[golden] : NULL;
}

dc_task dc_run_task(const dc_run_ask *ask, const dc_row *row, int home)
{
    const dc_pair *pair = dc_run_pair(ask, row);
    dc_task t = {.row = row->at.row, .home = home, .format = pair->format};
    t.rare = dc_pairs_rare(ask->pairs, pair);
    t.npu = row->at.t;
    t.golden = *dc_run_golden(ask, row);
    return t;
}

/* How a pair that is too large for memory is cut; left to the plan where that cannot be told. */
static void choose_legs(dc_want *w, const dc_run_ask *ask, const dc_row *row)
{
    const dc_work_ask work = {ask->npu,          ask->pairs->names, &ask->profile,
                              ask->golden_dtype, ask->uint1_msb,    NULL};
    dc_task t = dc_run_task(ask, row, 0);
    t.golden.path = 0; /* it may be no text, and is not looked at */
    dc_relayout map[2];
    dc_legs_ask legs = {.map = {&map[0], &map[1]}};
    legs.room = ask->whole ? ask->whole : DC_PLAN_WHOLE;
    legs.block = ask->block ? ask->block : DC_PLAN_BLOCK;
    legs.dtype[0] = t.npu.dtype;
    legs.dtype[1] = row->golden_dtype;
    if (w->bytes[0] + w->bytes[1] <= legs.room || dc_work_maps(map, &t, &work) != DC_OK)
        return;
    const dc_legs chosen = dc_legs_choose(&legs);
    w->block = chosen.n;
    w->streamed = chosen.streamed;
}

/* Fill in a pair that is to be compared, but for its golden's key. Why it cannot be, "" if it can.
 */
static const char *make_want(dc_want *w, const dc_run_ask *ask, const dc_row *row)
{
    dc_shape s;
    const dc_golden *g = dc_run_golden(ask, row);
    const char *why = dc_bytes_missing(ask->npu, row->at.row - ask->npu->first);
    if (why)
        return why;
    const dc_pair_rare rare = dc_pairs_rare(ask->pairs, dc_run_pair(ask, row));
    w->row = row->at.row;
    w->bytes[0] = rare.parts ? rare.parts_bytes : row->at.t.bytes;
    w->bytes[1] = g->bytes;
    if (dc_shape_parse(&s, dc_pool_text(ask->pairs->names, g->shape)) != DC_OK ||
        !dc_shape_count(&w->elements, &s))
        return "the golden's shape cannot be read";
    if (w->elements / 8 > w->bytes[1] || w->elements > MOST_ELEMENTS)
        return "the golden has fewer bytes than its shape needs";
    choose_legs(w, ask, row);
    return "";
}

static dc_status make_wants(dc_buf *wants, dc_rows *rows, const dc_run_batch *batch,
                            const dc_run_ask *ask)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < rows->n; i++) {
        dc_row *row = &rows->row[i];
        const dc_golden *g = row->pairing == DC_PAIRED ? dc_run_golden(ask, row) : NULL;
        dc_want w = {.golden = g ? batch->key[g - ask->pairs->golden] : 0};
        if (!g || w.golden % batch->of != batch->at)
            continue;
        const char *why = make_want(&w, ask, row);
        st = *why ? dc_pool_adds(&row->reason, rows->names, why) : dc_buf_add(wants, &w, sizeof w);
    }
    return st;
}

dc_status dc_run_first_batch(dc_run_batch *out, const dc_run_ask *ask, const dc_par *par)
{
    const dc_pairs *p = ask->pairs;
    uint64_t each = ask->batch ? ask->batch : DC_RUN_BATCH, pairs = p->n;
    dc_par_sum_u64(&pairs, 1, par);
    pairs /= each * (uint64_t)par->processes;
    *out = (dc_run_batch){.of = pairs < UINT16_MAX ? (uint32_t)pairs + 1 : UINT16_MAX};
    out->key = malloc((p->goldens + 1) * sizeof *out->key);
    dc_status st = out->key ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < p->goldens; i++)
        st = dc_pairs_key(&out->key[i], p, &p->golden[i]);
    return dc_par_agree(st, par);
}

dc_status dc_run_plan(dc_run_legs *out, dc_rows *rows, const dc_run_batch *batch,
                      const dc_run_ask *ask, const dc_par *par)
{
    dc_buf wants = {0};
    *out = (dc_run_legs){0};
    dc_status st = dc_par_agree(make_wants(&wants, rows, batch, ask), par);
    const dc_plan_ask plan = {.want = (dc_want *)(void *)wants.data,
                              .n = wants.n / sizeof(dc_want),
                              .whole = ask->whole,
                              .block = ask->block};
    for (size_t i = 0; st == DC_OK && i < plan.n; i++)
        out->bytes += plan.want[i].bytes[0] + plan.want[i].bytes[1];
    if (st == DC_OK)
        st = dc_plan_make(&out->leg, &out->n, &plan, par);
    if (st == DC_OK)
        dc_par_sum_u64(&out->bytes, 1, par);
    dc_buf_free(&wants);
    return st;
}
