/* compare/lines.c - see lines.h */
#include "compare/lines.h"

#include "io/cmp.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

dc_status dc_lines_begin(dc_lines *out, dc_pool *texts)
{
    *out = (dc_lines){.texts = texts};
    return dc_idset_new(&out->key, sizeof(dc_line_key));
}

void dc_lines_fini(dc_lines *l)
{
    dc_idset_free(l->key);
    free(l->tally);
    *l = (dc_lines){0};
}

dc_status dc_lines_add(dc_lines *l, const dc_line_key *key, const dc_line_tally *tally)
{
    uint32_t id;
    bool added;
    dc_status st = dc_idset_add(&id, &added, l->key, key);
    if (st == DC_OK && (added || !l->tally))
        st = dc_grow((void **)&l->tally, &l->cap, id, 1, sizeof *l->tally);
    if (st != DC_OK)
        return st;
    dc_line_tally *have = &l->tally[id];
    if (added) {
        *have = *tally;
        return DC_OK;
    }
    have->count += tally->count;
    if (tally->rank < have->rank || (tally->rank == have->rank && tally->step < have->step)) {
        have->rank = tally->rank;
        have->step = tally->step;
    }
    return DC_OK;
}

/* A line travels as its key (texts zeroed), the tally, and the three texts with their NULs. */
static dc_status write_line(dc_buf *out, const dc_lines *l, uint32_t id)
{
    dc_line_key key = *(const dc_line_key *)dc_idset_key(l->key, id);
    const uint32_t text[3] = {key.golden, key.reason, key.note};
    key.golden = key.reason = key.note = 0;
    dc_status st = dc_buf_add(out, &key, sizeof key);
    for (int i = 0; st == DC_OK && i < 3; i++) {
        const char *t = dc_pool_text(l->texts, text[i]);
        st = dc_buf_add(out, t, strlen(t) + 1);
    }
    return st;
}

/* Send each line to the process it hashes to (spread), or all to process 0. */
static dc_status send_lines(dc_arrived *in, const dc_lines *l, bool spread, dc_status local,
                            const dc_par *par)
{
    dc_route route = {0};
    dc_buf b = {0};
    dc_status st = local == DC_OK ? dc_route_begin(&route, par) : local;
    for (uint32_t i = 0; st == DC_OK && i < dc_idset_count(l->key); i++, b.n = 0) {
        st = write_line(&b, l, i);
        int to = spread && st == DC_OK ? dc_route_owner(b.data, b.n, par) : 0;
        if (st == DC_OK)
            st = dc_route_add(&route, to, &l->tally[i], sizeof *l->tally);
        if (st == DC_OK)
            st = dc_route_add(&route, to, b.data, b.n);
    }
    dc_buf_free(&b);
    return dc_route_send(in, &route, st, par);
}

static dc_status take_lines(dc_lines *l, const dc_arrived *in)
{
    dc_status st = DC_OK;
    for (uint64_t at = 0; st == DC_OK && at < in->total;) {
        dc_line_tally tally;
        dc_line_key key;
        dc_take(&tally, sizeof tally, in->data, &at, in->total);
        dc_take(&key, sizeof key, in->data, &at, in->total);
        uint32_t *id[3] = {&key.golden, &key.reason, &key.note};
        for (int i = 0; st == DC_OK && i < 3; i++)
            st = dc_pool_adds(id[i], l->texts, dc_take_text(in->data, &at, in->total));
        if (st == DC_OK)
            st = dc_lines_add(l, &key, &tally);
    }
    return st;
}

typedef struct order {
    const dc_pool *names, *texts;
} order;

static int by_text(const dc_pool *pool, uint32_t a, uint32_t b)
{
    return a == b ? 0 : strcmp(dc_pool_text(pool, a), dc_pool_text(pool, b));
}

static int by_number(uint64_t a, uint64_t b)
{
    return DC_CMP(a, b);
}

static int compare_lines(const void *left, const void *right, void *context)
{
    const dc_line_key *a = left, *b = right;
    const order *o = context;
    const int by[] = {by_number(a->unused, b->unused),
                      by_text(o->names, a->model, b->model),
                      by_text(o->names, a->op, b->op),
                      by_number(a->direction, b->direction),
                      by_number(a->slot, b->slot),
                      by_text(o->texts, a->golden, b->golden),
                      by_number(a->pairing, b->pairing),
                      by_number(a->match, b->match),
                      by_text(o->names, a->op_type, b->op_type),
                      by_text(o->texts, a->reason, b->reason),
                      by_text(o->texts, a->note, b->note)};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i])
            return by[i];
    return 0;
}

/* One finished line out of a merged key. */
static dc_status finish_line(dc_align_line *out, dc_pool *text, const dc_line_key *k,
                             const dc_line_tally *t, const order *o)
{
    *out = (dc_align_line){.slot = k->slot,
                           .direction = k->direction,
                           .pairing = k->pairing,
                           .match = k->match,
                           .unused = k->unused,
                           .count = t->count,
                           .rank = t->rank,
                           .step = t->step};
    const struct {
        uint32_t *to;
        const char *text;
    } all[] = {{&out->model, k->unused ? "" : dc_pool_text(o->names, k->model)},
               {&out->op, k->unused ? "" : dc_pool_text(o->names, k->op)},
               {&out->op_type, k->unused ? "" : dc_pool_text(o->names, k->op_type)},
               {&out->golden, dc_pool_text(o->texts, k->golden)},
               {&out->reason, dc_pool_text(o->texts, k->reason)},
               {&out->note, dc_pool_text(o->texts, k->note)}};
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < sizeof all / sizeof *all; i++)
        st = dc_pool_adds(all[i].to, text, all[i].text);
    return st;
}

static dc_status finish(dc_alignment *out, const dc_lines *l, const dc_pool *names)
{
    order o = {names, l->texts};
    size_t n = l->tally ? dc_idset_count(l->key) : 0;
    dc_line_key *key = malloc((n + 1) * sizeof *key);
    out->line = malloc((n + 1) * sizeof *out->line);
    dc_status st = key && out->line ? dc_pool_new(&out->text) : dc_fail_memory();
    if (st == DC_OK && n) {
        memcpy(key, dc_idset_key(l->key, 0), n * sizeof *key);
        qsort_r(key, n, sizeof *key, compare_lines, &o);
    }
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        uint32_t id = dc_idset_find(l->key, &key[i]);
        st = finish_line(&out->line[i], out->text, &key[i], &l->tally[id], &o);
        out->lines += st == DC_OK;
    }
    free(key);
    return st;
}

/* Gather l's lines where they belong: merged holds what came here. Texts go to merged->texts. */
static dc_status gather(dc_lines *merged, const dc_lines *l, bool spread, dc_status local,
                        const dc_par *par)
{
    dc_arrived in = {0};
    dc_pool *texts = NULL;
    dc_status st = local == DC_OK ? dc_pool_new(&texts) : local;
    if (st == DC_OK)
        st = dc_lines_begin(merged, texts);
    st = send_lines(&in, l, spread, st, par);
    if (st == DC_OK)
        st = take_lines(merged, &in);
    dc_arrived_free(&in);
    return st;
}

dc_status dc_lines_merge(dc_alignment *out, const dc_lines *l, const dc_pool *names,
                         dc_status local, const dc_par *par)
{
    dc_lines owned = {0}, all = {0};
    dc_status st = dc_par_agree(gather(&owned, l, true, local, par), par);
    if (st == DC_OK)
        st = gather(&all, &owned, false, st, par);
    if (st == DC_OK && par->process == 0)
        st = finish(out, &all, names);
    dc_pool_free(owned.texts);
    dc_pool_free(all.texts);
    dc_lines_fini(&owned);
    dc_lines_fini(&all);
    return dc_par_agree(st, par);
}
