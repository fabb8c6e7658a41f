/* compare/align_catalogs.c - see align.h: against another catalog of NPU tensors */
#include "compare/align.h"
#include "compare/align_report.h"
#include "compare/bare.h"
#include "compare/join.h"
#include "compare/optype.h"
#include "compare/peer.h"
#include "io/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

typedef struct job {
    const dc_align_ask *ask;
    const dc_catalog *npu, *golden;
    const uint8_t *golden_chosen;
    dc_alignment *out;
    dc_lines lines;
    uint8_t *used; /* [golden->n] */
    /* Numbers for texts that mean the same on both sides: of canonical names. */
    dc_pool *clean;
    uint32_t *npu_clean, *golden_clean; /* by id in names; NOWHERE: not on the NPU side */
    bool one_model;                     /* each side has a single model: its name does not matter */
    bool exact;                         /* this join goes by exact names */
} job;

/* A text's number by exact name: the NPU dictionary's id. */
static uint32_t exact_id(const job *j, bool golden, uint32_t id)
{
    return golden ? dc_pool_find(j->npu->names, dc_pool_text(j->golden->names, id)) : id;
}

static bool make_key(const job *j, dc_join_key *k, const dc_tensor *t, bool golden)
{
    const uint32_t *clean = golden ? j->golden_clean : j->npu_clean;
    *k = (dc_join_key){.step = t->step,
                       .rank = t->rank,
                       .model = j->one_model ? 0 : exact_id(j, golden, t->model),
                       .op = j->exact ? exact_id(j, golden, t->op) : clean[t->op],
                       .direction = t->direction,
                       .slot = t->slot,
                       .slice = t->slice,
                       .occurrence = t->occurrence};
    return k->model != NOWHERE && k->op != NOWHERE &&
           (golden || dc_step_map_get(&k->step, j->ask->steps, t->step));
}

static bool npu_key(void *context, dc_join_key *k, uint64_t i)
{
    const job *j = context;
    const dc_pair *p = &j->out->pairs.pair[i];
    return p->pairing == DC_NO_GOLDEN && make_key(j, k, &j->npu->row[i], false);
}

static bool golden_key(void *context, dc_join_key *k, uint64_t i)
{
    const job *j = context;
    dc_pairing why;
    if ((j->golden_chosen && !j->golden_chosen[i]) || j->used[i])
        return false;
    /* what is not expected takes no part; what cannot be read has a partner to tell so */
    return (!dc_bare_reason(&why, j->golden, i) || why == DC_NOT_COMPARABLE) &&
           make_key(j, k, &j->golden->row[i], true);
}

static dc_status describe(void *context, dc_buf *out, uint64_t i)
{
    job *j = context;
    j->used[i] = 1;
    return dc_peer_describe(out, j->golden, i);
}

static dc_status pair_row(void *context, uint64_t i, const char *data, uint64_t n)
{
    job *j = context;
    const dc_peer_heard heard = {j->npu, data, n};
    return dc_peer_take(&j->out->pairs, i, &heard);
}

static dc_status mark_ambiguous(void *context, uint64_t i)
{
    job *j = context;
    dc_pair *p = &j->out->pairs.pair[i];
    p->pairing = DC_AMBIGUOUS;
    return dc_pool_adds(&p->reason, j->out->pairs.names,
                        "several operators look the same once other characters are replaced by _");
}

static dc_status because(dc_pair *p, job *j, dc_pairing pairing, const char *reason)
{
    p->pairing = (uint8_t)pairing;
    return dc_pool_adds(&p->reason, j->out->pairs.names, reason);
}

/* What is known of a row before anything is looked for. */
static dc_status begin_row(job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    dc_pair *p = &j->out->pairs.pair[i];
    int64_t step;
    if (j->ask->chosen && !j->ask->chosen[i]) {
        p->pairing = DC_NOT_CHOSEN;
        return DC_OK;
    }
    dc_pairing pairing;
    const char *bare = dc_bare_reason(&pairing, j->npu, i);
    if (bare)
        return because(p, j, pairing, bare);
    if (!dc_step_map_get(&step, j->ask->steps, t->step))
        return because(p, j, DC_NOT_EXPECTED, "the step map leaves this step out");
    return because(p, j, DC_NO_GOLDEN, "the golden side has no such tensor");
}

/* Canonical names: the NPU dictionary's texts get numbers, the golden's are looked up. */
static dc_status number_texts(job *j)
{
    uint32_t n = dc_pool_count(j->npu->names), m = dc_pool_count(j->golden->names);
    j->npu_clean = malloc(((size_t)n + 1) * sizeof *j->npu_clean);
    j->golden_clean = malloc(((size_t)m + 1) * sizeof *j->golden_clean);
    dc_status st = j->npu_clean && j->golden_clean ? dc_pool_new(&j->clean) : dc_fail_memory();
    for (uint32_t i = 0; st == DC_OK && i < n + m; i++) {
        const char *text =
            i < n ? dc_pool_text(j->npu->names, i) : dc_pool_text(j->golden->names, i - n);
        char *clean = strdup(text);
        if (!clean)
            return dc_fail_memory();
        dc_golden_clean(clean, clean);
        if (i < n)
            st = dc_pool_adds(&j->npu_clean[i], j->clean, clean);
        else
            j->golden_clean[i - n] = dc_pool_find(j->clean, clean);
        free(clean);
    }
    return st;
}

/* Do all chosen rows of all processes have the same model? Collective. */
static bool single_model(const dc_catalog *c, const uint8_t *chosen, const dc_par *par)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; i < c->n; i++) {
        if (chosen && !chosen[i])
            continue;
        least = c->row[i].model < least ? c->row[i].model : least;
        most = c->row[i].model > most ? c->row[i].model : most;
    }
    dc_par_min_u64(&least, 1, par);
    dc_par_max_u64(&most, 1, par);
    return least == most;
}

static dc_status begin(job *j)
{
    dc_pairs *pairs = &j->out->pairs;
    dc_status st = dc_pairs_begin(pairs, j->npu->n);
    if (st == DC_OK)
        st = dc_lines_begin(&j->lines, pairs->names);
    if (st == DC_OK)
        st = number_texts(j);
    j->used = calloc(j->golden->n + 1, 1);
    if (st == DC_OK && !j->used)
        st = dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < j->npu->n; i++)
        st = begin_row(j, i);
    return st;
}

static dc_status join(job *j, bool exact, dc_status local, const dc_par *par)
{
    const dc_join_ask ask = {.context = j,
                             .left = {j->npu->n, npu_key},
                             .right = {j->golden->n, golden_key},
                             .total = j->npu->total + j->golden->total,
                             .describe = describe,
                             .pair = pair_row,
                             .ambiguous = mark_ambiguous};
    j->exact = exact;
    return dc_join(&ask, local, par);
}

static dc_status count_row(job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    dc_pair *p = &j->out->pairs.pair[i];
    const char *type = dc_pool_text(j->npu->names, t->op_type);
    dc_status st = DC_OK;
    dc_buf text = {0};
    if (p->pairing == DC_NO_GOLDEN && dc_optype_inserted(type, dc_pool_text(j->npu->names, t->op)))
        st = because(p, j, DC_INSERTED, "the graph engine inserted it, on this side only");
    j->out->count[p->pairing]++;
    if (p->pairing == DC_NOT_CHOSEN || st != DC_OK)
        return st;
    dc_line_key key = {.model = t->model,
                       .op = t->op,
                       .op_type = t->op_type,
                       .reason = p->reason,
                       .slot = t->slot,
                       .direction = t->direction,
                       .pairing = p->pairing,
                       .match = p->match};
    const dc_line_tally one = {.count = 1, .rank = t->rank, .step = t->step};
    if (p->golden != DC_UNPAIRED)
        key.golden = j->out->pairs.golden[p->golden].name;
    else if ((st = dc_peer_label(&text, j->npu, t)) == DC_OK)
        st = dc_pool_adds(&key.golden, j->out->pairs.names, text.data);
    dc_buf_free(&text);
    return st == DC_OK ? dc_lines_add(&j->lines, &key, &one) : st;
}

static dc_status count_unused(job *j, uint64_t i)
{
    const dc_tensor *t = &j->golden->row[i];
    dc_buf text = {0};
    dc_line_key key = {.unused = 1};
    const dc_line_tally one = {.count = 1, .rank = t->rank, .step = t->step};
    dc_pairing why;
    if (j->used[i] || (j->golden_chosen && !j->golden_chosen[i]) ||
        (dc_bare_reason(&why, j->golden, i) && why == DC_NOT_EXPECTED))
        return DC_OK;
    dc_status st = dc_peer_label(&text, j->golden, t);
    if (st == DC_OK)
        st = dc_pool_adds(&key.golden, j->out->pairs.names, text.data);
    dc_buf_free(&text);
    j->out->goldens_unused++;
    return st == DC_OK ? dc_lines_add(&j->lines, &key, &one) : st;
}

dc_status dc_align_catalogs(dc_alignment *out, const dc_align_ask *ask, const dc_catalog *golden,
                            const uint8_t *golden_chosen, const dc_par *par)
{
    *out = (dc_alignment){0};
    job j = {
        .ask = ask, .npu = ask->npu, .golden = golden, .golden_chosen = golden_chosen, .out = out};
    const dc_buf no_messages = {0};
    dc_align_ask plain = *ask;
    plain.graphs = (dc_align_graphs){0};
    bool one = single_model(ask->npu, ask->chosen, par);
    j.one_model = single_model(golden, golden_chosen, par) && one;
    dc_status st = join(&j, true, begin(&j), par);
    if (st == DC_OK)
        st = join(&j, false, st, par);
    for (uint64_t i = 0; st == DC_OK && i < j.npu->n; i++)
        st = count_row(&j, i);
    for (uint64_t i = 0; st == DC_OK && i < golden->n; i++)
        st = count_unused(&j, i);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        dc_par_sum_u64(&out->goldens_unused, 1, par);
    if (st == DC_OK)
        st = dc_align_report(out, &j.lines, &no_messages, &plain, par);
    dc_lines_fini(&j.lines);
    dc_pool_free(j.clean);
    free(j.npu_clean);
    free(j.golden_clean);
    free(j.used);
    if (st != DC_OK)
        dc_alignment_fini(out);
    return st;
}
