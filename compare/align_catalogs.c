/* compare/align_catalogs.c - see align.h: against another catalog of NPU tensors */
#include "compare/align.h"
#include "compare/align_report.h"
#include "compare/bare.h"
#include "compare/identity.h"
#include "compare/op_counts.h"
#include "compare/optype.h"
#include "compare/peer.h"
#include "mpi/route.h"

#include <stdlib.h>

typedef struct job {
    const dc_align_ask *ask;
    const dc_catalog *npu, *golden;
    const uint8_t *golden_chosen;
    dc_alignment *out;
    dc_lines lines;
    uint8_t *used; /* [golden->n] */
    dc_op_walk npu_ops, golden_ops;
    dc_wants wants;
    uint32_t *want; /* [npu->n] what the graph says of each row; NULL without graphs */
    dc_identities left, right;
    bool same_build;     /* names that the graph engine made up mean the same on both sides */
    dc_join_round round; /* under way */
} job;

static bool npu_key(void *context, dc_join_key *k, uint64_t i)
{
    const job *j = context;
    const dc_pair *p = &j->out->pairs.pair[i];
    return p->pairing == DC_NO_GOLDEN && dc_identity_key(k, &j->left, j->round, i);
}

/* Does row i of the golden side take no part at all? */
static bool left_out(const job *j, uint64_t i)
{
    const dc_tensor *t = &j->golden->row[i];
    const char *type = dc_pool_text(j->golden->names, t->op_type);
    dc_pairing why;
    if ((j->golden_chosen && !j->golden_chosen[i]) ||
        (dc_bare_reason(&why, j->golden, i) && why == DC_NOT_EXPECTED))
        return true; /* what cannot be read has a partner to tell so */
    return !j->same_build && dc_optype_inserted(type, dc_pool_text(j->golden->names, t->op));
}

static bool golden_key(void *context, dc_join_key *k, uint64_t i)
{
    const job *j = context;
    bool taken = j->used[i] && j->round != DC_JOIN_OTHER;
    return !taken && !left_out(j, i) && dc_identity_key(k, &j->right, j->round, i);
}

/* How many tensors of row i's direction its operator was dumped with. */
static uint32_t entries(dc_op_walk *ops, uint64_t i)
{
    const dc_op_counts *n = dc_op_walk_at(ops, i);
    return ops->catalog->row[i].direction == DC_INPUT ? n->inputs : n->outputs;
}

static dc_status describe(void *context, dc_buf *out, uint64_t i)
{
    job *j = context;
    uint32_t n = entries(&j->golden_ops, i);
    if (j->round != DC_JOIN_OTHER)
        j->used[i] = 1;
    dc_status st = dc_buf_add(out, &n, sizeof n);
    return st == DC_OK ? dc_peer_describe(out, j->golden, i) : st;
}

static dc_status because(dc_pair *p, job *j, dc_pairing pairing, const char *reason)
{
    p->pairing = (uint8_t)pairing;
    return dc_pool_adds(&p->reason, j->out->pairs.names, reason);
}

static dc_status pair_row(void *context, uint64_t i, const char *data, uint64_t n)
{
    static const struct {
        dc_match match;
        const char *note;
    } rounds[] = {
#define X(id, match, note) {DC_MATCH_##match, note},
        DC_JOIN_ROUNDS(X)
#undef X
    };
    job *j = context;
    dc_pair *p = &j->out->pairs.pair[i];
    uint32_t there = 0;
    uint64_t at = 0;
    bool by_graph, said = dc_identity_said(&by_graph, &j->left, i);
    dc_take(&there, sizeof there, data, &at, n);
    const dc_peer_heard heard = {j->npu, data + at, n - at};
    if (j->round == DC_JOIN_OTHER)
        return because(p, j, DC_FUSED_AWAY,
                       "the golden side's operator of this name gives another one's output: it is "
                       "fused differently there");
    if (j->same_build && !said && there != entries(&j->npu_ops, i))
        return because(
            p, j, DC_AMBIGUOUS,
            "one side has dumped fewer tensors of this operator: places in the two files "
            "need not be the same");
    dc_status st = dc_peer_take(&j->out->pairs, i, &heard);
    p->match = (uint8_t)rounds[j->round].match;
    if (j->round == DC_JOIN_ORIGINAL && by_graph)
        p->match = DC_MATCH_GRAPH;
    if (st == DC_OK && rounds[j->round].note && !p->note)
        st = dc_pool_adds(&p->note, j->out->pairs.names, rounds[j->round].note);
    return st;
}

static dc_status mark_ambiguous(void *context, uint64_t i)
{
    job *j = context;
    dc_pair *p = &j->out->pairs.pair[i];
    if (j->round == DC_JOIN_OTHER)
        return DC_OK;
    return because(p, j, DC_AMBIGUOUS,
                   j->round == DC_JOIN_ORIGINAL
                       ? "several operators come from the same original"
                       : "several operators look the same once other characters are replaced by _");
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
    const char *type = dc_pool_text(j->npu->names, t->op_type);
    if (bare)
        return because(p, j, pairing, bare);
    if (!j->same_build && dc_optype_inserted(type, dc_pool_text(j->npu->names, t->op)))
        return because(p, j, DC_INSERTED,
                       "the graph engine inserted it; the two sides were compiled differently, so "
                       "that its name tells nothing");
    if (!dc_step_map_get(&step, j->ask->steps, t->step))
        return because(p, j, DC_NOT_EXPECTED, "the step map leaves this step out");
    return because(p, j, DC_NO_GOLDEN, "the golden side has no such tensor");
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

/* What the graph says of each row, if there is one. */
static dc_status ask_graph(job *j, dc_status local)
{
    dc_status st = local;
    if (!j->ask->graphs.find)
        return st;
    if (st == DC_OK)
        st = dc_wants_begin(&j->wants, j->out->pairs.names, &j->ask->graphs);
    j->wants.ignore = j->ask->ignore;
    j->want = malloc((j->npu->n + 1) * sizeof *j->want);
    if (st == DC_OK && !j->want)
        st = dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < j->npu->n; i++) {
        const dc_wants_tensor x = {&j->npu->row[i], j->npu->names, *dc_op_walk_at(&j->npu_ops, i)};
        st = dc_wants_of(&j->want[i], &j->wants, &x);
    }
    return st;
}

static dc_status begin(job *j, const dc_par *par)
{
    dc_pairs *pairs = &j->out->pairs;
    const dc_align_ask *ask = j->ask;
    bool one = single_model(j->npu, ask->chosen, par);
    one = single_model(j->golden, j->golden_chosen, par) && one;
    dc_status st = dc_pairs_begin(pairs, j->npu->n);
    if (st == DC_OK)
        st = dc_lines_begin(&j->lines, pairs->names);
    st = dc_identity_same_build(&j->same_build, j->npu, j->golden, st, par);
    st = dc_op_walk_begin(&j->npu_ops, j->npu, st, par);
    st = dc_op_walk_begin(&j->golden_ops, j->golden, st, par);
    st = ask_graph(j, st);
    j->left = (dc_identities){.catalog = j->npu,
                              .want = j->want,
                              .wants = &j->wants,
                              .steps = ask->steps,
                              .one_model = one,
                              .no_header = ask->ignore >> DC_MATCH_HEADER & 1};
    j->right = (dc_identities){
        .catalog = j->golden, .one_model = one, .no_header = j->left.no_header, .right = true};
    j->used = calloc(j->golden->n + 1, 1);
    if (st == DC_OK && !j->used)
        st = dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < j->npu->n; i++)
        st = begin_row(j, i);
    return st;
}

/* Look for partners, round after round. Collective. */
static dc_status join(job *j, dc_status local, const dc_par *par)
{
    const dc_join_ask ask = {.context = j,
                             .left = {j->npu->n, npu_key},
                             .right = {j->golden->n, golden_key},
                             .total = j->npu->total + j->golden->total,
                             .describe = describe,
                             .pair = pair_row,
                             .ambiguous = mark_ambiguous};
    dc_status st = local;
    for (int round = 0; round < DC_JOIN_ROUND_COUNT && (round == 0 || st == DC_OK); round++) {
        j->round = (dc_join_round)round;
        st = dc_join(&ask, st, par);
    }
    return st;
}

/* Why a row has no partner, where more can be said than that it has none. */
static dc_status explain(dc_pair *p, job *j, const dc_tensor *t)
{
    const char *type = dc_pool_text(j->npu->names, t->op_type);
    const char *op = dc_pool_text(j->npu->names, t->op);
    if (dc_optype_inserted(type, op))
        return because(p, j, DC_INSERTED, "the graph engine inserted it, on this side only");
    if (t->direction == DC_INPUT && !j->same_build)
        return because(p, j, DC_NOT_EXPECTED,
                       "inputs go by their operator's name, and the two sides were compiled "
                       "differently");
    if (!j->same_build)
        return because(p, j, DC_NO_GOLDEN,
                       "the golden side, compiled differently, has no output of this operator: "
                       "fused into another there, or not dumped");
    return DC_OK;
}

static dc_status count_row(job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    dc_pair *p = &j->out->pairs.pair[i];
    dc_status st = p->pairing == DC_NO_GOLDEN ? explain(p, j, t) : DC_OK;
    dc_buf text = {0};
    j->out->count[p->pairing]++;
    if (p->pairing == DC_NOT_CHOSEN || st != DC_OK)
        return st;
    dc_line_key key = {.model = t->model,
                       .op = t->op,
                       .op_type = t->op_type,
                       .reason = p->reason,
                       .note = p->note,
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
    if (j->used[i] || left_out(j, i))
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
    dc_status st = join(&j, begin(&j, par), par);
    for (uint64_t i = 0; st == DC_OK && i < j.npu->n; i++)
        st = count_row(&j, i);
    out->unused_unknown = ask->some_ops;
    for (uint64_t i = 0; st == DC_OK && !ask->some_ops && i < golden->n; i++)
        st = count_unused(&j, i);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        dc_par_sum_u64(&out->goldens_unused, 1, par);
    if (st == DC_OK)
        st = dc_align_report(out, &j.lines, &no_messages, ask, par);
    dc_lines_fini(&j.lines);
    dc_wants_fini(&j.wants);
    free(j.want);
    free(j.used);
    if (st != DC_OK)
        dc_alignment_fini(out);
    return st;
}
