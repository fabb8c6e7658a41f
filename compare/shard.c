/* compare/shard.c - see shard.h */
#include "compare/shard.h"

#include "compare/rank_sets.h"
#include "io/cmp.h"
#include "io/format.h"
#include "io/log.h"
#include "io/select.h"
#include "io/word.h"
#include "mpi/route.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 512

typedef struct rule {
    dc_select *select;
    char *pattern;
    int32_t axis;
    uint64_t matched;
} rule;

/* A shard at the owner of its set. */
typedef struct shard {
    dc_tensor t;
    uint64_t pair, length; /* index on its home; along the axis */
    int32_t home;
    uint32_t axis;
} shard;

/* What the owner answers. */
typedef struct place {
    uint64_t pair, at, length; /* indices along the axis: at .. at+length-1 */
    uint64_t total, longest;   /* lengths of all shards together, of the longest */
    uint32_t number, of, axis, unused;
} place;

typedef struct job {
    dc_pairs *pairs;
    const dc_shard_ask *ask;
    const dc_par *par;
    rule *rule;
} job;

static dc_status parse_rule(rule *r, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long axis = colon ? strtol(colon + 1, &end, 10) : 0;
    if (!colon || colon == text || end == colon + 1 || *end || axis < -DC_MAX_RANK ||
        axis >= DC_MAX_RANK)
        return dc_fail(DC_EARG, "--shard: '%s': give PATTERN:AXIS (dense1/MatMul:1)", text);
    r->axis = (int32_t)axis;
    r->pattern = strndup(text, (size_t)(colon - text));
    if (!r->pattern)
        return dc_fail_memory();
    const char *const pattern[] = {r->pattern};
    const dc_select_extra extra = {.op = pattern, .nop = 1};
    return dc_select_new(&r->select, NULL, &extra);
}

static dc_status parse_rules(job *j)
{
    dc_status st = DC_OK;
    j->rule = calloc(j->ask->n + 1, sizeof *j->rule);
    if (!j->rule)
        return dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < j->ask->n; i++)
        st = parse_rule(&j->rule[i], j->ask->rule[i]);
    return st;
}

/* The first rule for a pair, or NULL. */
static rule *find_rule(const job *j, const dc_tensor *t, const dc_golden *g)
{
    const dc_pool *names = j->ask->npu->names;
    char golden[TEXT];
    snprintf(golden, sizeof golden, "%s", dc_pool_text(j->pairs->names, g->name));
    char *colon = strrchr(golden, ':');
    if (colon)
        *colon = '\0';
    const char *original = golden;
    const dc_select_model model = {.dir = dc_pool_text(names, t->model_dir),
                                   .canonical = dc_pool_text(names, t->model)};
    const dc_select_op op = {.model = &model,
                             .name =
                                 t->direction == DC_OUTPUT ? dc_pool_text(names, t->op) : golden,
                             .type = dc_pool_text(names, t->op_type),
                             .original = &original,
                             .noriginal = 1,
                             .feeds_selected = -1};
    for (size_t i = 0; i < j->ask->n; i++)
        if (dc_select_ops(j->rule[i].select, &op))
            return &j->rule[i];
    return NULL;
}

static dc_status refuse(const job *j, dc_pair *p, dc_pairing why, const char *reason)
{
    p->pairing = (uint8_t)why;
    p->golden = DC_UNPAIRED;
    return dc_pool_adds(&p->reason, j->pairs->names, reason);
}

/* The shard's length along the rule's axis; false: *why says why it has none. */
static bool measure(shard *s, const job *j, const dc_golden *g, const rule *r, const char **why)
{
    dc_shape whole, part;
    const dc_tensor *t = &s->t;
    const char *logical = dc_pool_text(j->ask->npu->names, t->original_shape);
    *why = "its shape does not tell which part of the golden it is";
    if (g->device)
        *why = "shards are compared with golden files, not with another dump";
    else if (!*logical && t->format != DC_FORMAT_ND)
        *why = "a shard needs its logical shape, and the dump has none";
    if (g->device || (!*logical && t->format != DC_FORMAT_ND) ||
        dc_shape_parse(&whole, dc_pool_text(j->pairs->names, g->shape)) != DC_OK ||
        dc_shape_parse(&part, *logical ? logical : dc_pool_text(j->ask->npu->names, t->shape)) !=
            DC_OK)
        return false;
    int32_t axis = r->axis < 0 ? r->axis + (int32_t)whole.rank : r->axis;
    if (axis < 0 || axis >= (int32_t)whole.rank || part.rank != whole.rank)
        return false;
    s->axis = (uint32_t)axis;
    s->length = part.dim[axis];
    return true;
}

static dc_status post_shards(dc_route *mail, job *j)
{
    const char *why;
    dc_status st = dc_route_begin(mail, j->par);
    for (uint64_t i = 0; st == DC_OK && i < j->pairs->n; i++) {
        dc_pair *p = &j->pairs->pair[i];
        if (p->pairing != DC_PAIRED || p->golden >= j->pairs->goldens)
            continue;
        const dc_golden *g = &j->pairs->golden[p->golden];
        shard s = {.t = j->ask->npu->row[i], .pair = i, .home = j->par->process};
        rule *r = find_rule(j, &s.t, g);
        if (!r)
            continue;
        r->matched++;
        st = measure(&s, j, g, r, &why)
                 ? dc_route_add(mail, dc_rank_owner(&s.t, j->par), &s, sizeof s)
                 : refuse(j, p, DC_AMBIGUOUS, why);
    }
    return st;
}

static int by_set(const void *a, const void *b)
{
    const shard *x = a, *y = b;
    int c = dc_rank_key_compare(&x->t, &y->t);
    return c ? c : DC_CMP(x->t.rank, y->t.rank);
}

/* The owner's part: where each shard of a set lies. */
static dc_status post_places(dc_route *mail, const job *j, const dc_arrived *in)
{
    shard *s = (shard *)(void *)in->data;
    size_t n = in->total / sizeof *s;
    dc_status st = dc_route_begin(mail, j->par);
    if (n)
        qsort(s, n, sizeof *s, by_set);
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        place p = {.axis = s[i].axis};
        for (end = i; end < n && dc_rank_key_compare(&s[i].t, &s[end].t) == 0; end++) {
            p.total += s[end].length;
            p.longest = s[end].length > p.longest ? s[end].length : p.longest;
            p.of++;
        }
        for (size_t k = i; st == DC_OK && k < end; k++) {
            p.pair = s[k].pair;
            p.length = s[k].length;
            st = dc_route_add(mail, s[k].home, &p, sizeof p);
            p.at += s[k].length;
            p.number++;
        }
    }
    return st;
}

/* Give a pair its slice of the golden. */
static dc_status cut(job *j, dc_pair *p, const place *at, const dc_shape *whole)
{
    dc_pairs *pairs = j->pairs;
    char text[DC_SHAPE_TEXT > TEXT ? DC_SHAPE_TEXT : TEXT];
    dc_shape part = *whole;
    uint64_t rest = whole->dim[at->axis] - at->at;
    dc_golden g = pairs->golden[p->golden];
    g.device_shape = g.shape;
    g.sliced = true;
    g.slice_axis = (uint8_t)at->axis;
    g.slice_at = at->at;
    part.dim[at->axis] = at->length < rest ? at->length : rest;
    dc_shape_print(text, &part);
    dc_status st = dc_pool_adds(&g.shape, pairs->names, text);
    if (st == DC_OK)
        st = dc_pairs_add_golden(&p->golden, pairs, &g);
    const char *note = dc_pool_text(pairs->names, p->note);
    snprintf(text, sizeof text, "%s%sshard %" PRIu32 " of %" PRIu32 " along axis %" PRIu32, note,
             *note ? "; " : "", at->number, at->of, at->axis);
    return st == DC_OK ? dc_pool_adds(&p->note, pairs->names, text) : st;
}

static dc_status take_place(job *j, const place *at)
{
    dc_pair *p = &j->pairs->pair[at->pair];
    const dc_golden *g = &j->pairs->golden[p->golden];
    char text[TEXT];
    dc_shape whole;
    dc_status st = dc_shape_parse(&whole, dc_pool_text(j->pairs->names, g->shape));
    if (st != DC_OK)
        return st;
    uint64_t have = whole.dim[at->axis];
    if (at->total < have || (at->of > 1 && at->longest >= have)) {
        snprintf(text, sizeof text,
                 "%" PRIu32 " %s %" PRIu64 " along axis %" PRIu32 ", the golden has %" PRIu64,
                 at->of, dc_word(at->of, "shard has", "shards together have"), at->total, at->axis,
                 have);
        return refuse(j, p, DC_AMBIGUOUS, text);
    }
    if (at->at >= have && have) {
        snprintf(text, sizeof text,
                 "shard %" PRIu32 " of %" PRIu32 " along axis %" PRIu32 " is all padding",
                 at->number, at->of, at->axis);
        return refuse(j, p, DC_NOT_EXPECTED, text);
    }
    return cut(j, p, at, &whole);
}

static dc_status take_places(job *j, const dc_arrived *in)
{
    place p;
    dc_status st = DC_OK;
    for (uint64_t at = 0; st == DC_OK && dc_take(&p, sizeof p, in->data, &at, in->total);)
        st = take_place(j, &p);
    return st;
}

static void tell_unmatched(const job *j)
{
    for (size_t i = 0; i < j->ask->n; i++) {
        uint64_t n = j->rule[i].matched;
        dc_par_sum_u64(&n, 1, j->par);
        if (n == 0 && j->par->process == 0)
            dc_warn("--shard %s: no tensor with a golden is called so", j->rule[i].pattern);
    }
}

dc_status dc_shard_apply(dc_pairs *pairs, const dc_shard_ask *ask, const dc_par *par)
{
    job j = {.pairs = pairs, .ask = ask, .par = par};
    dc_route mail = {0};
    dc_arrived shards = {0}, places = {0};
    dc_status st = dc_par_agree(parse_rules(&j), par);
    if (st != DC_OK)
        goto done;
    st = dc_route_send(&shards, &mail, post_shards(&mail, &j), par);
    if (st != DC_OK)
        goto done;
    st = dc_route_send(&places, &mail, post_places(&mail, &j, &shards), par);
    if (st == DC_OK)
        st = dc_par_agree(take_places(&j, &places), par);
    if (st == DC_OK)
        tell_unmatched(&j);
done:
    dc_arrived_free(&shards);
    dc_arrived_free(&places);
    for (size_t i = 0; j.rule && i < ask->n; i++) {
        dc_select_free(j.rule[i].select);
        free(j.rule[i].pattern);
    }
    free(j.rule);
    return st;
}
