/* compare/across.c - see across.h
 *
 * Every rank's tensor goes to the process that its identity hashes to. There those of equal bytes
 * are grouped; where there are several groups, the process of the largest group's first tensor
 * describes it to those of the other groups' first ones, which compare. */
#include "compare/across.h"

#include "compare/across_lines.h"
#include "compare/across_tell.h"
#include "compare/bare.h"
#include "compare/payload_hash.h"
#include "compare/peer.h"
#include "compare/rank_groups.h"
#include "compare/rnn_sizes.h"
#include "io/word.h"
#include "mpi/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct job {
    const dc_across_ask *ask;
    const dc_par *par;
    dc_across *out;
    dc_rows mine;      /* our replicated tensors; only `at` is set */
    uint64_t *part;    /* [mine.n] */
    uint64_t *named;   /* [ask->nreplicated] tensors that a pattern names */
    dc_rank_sets sets; /* those we own */
    dc_pairs pairs;    /* [npu->n] */
    dc_pool *texts;    /* of answers */
} job;

/* To the process of a reference: describe your row to that row. */
typedef struct wire_word {
    uint64_t row, to_row;
    int64_t to_process;
} wire_word;

static dc_status list_mine(job *j)
{
    const dc_catalog *c = j->ask->npu;
    dc_replicated which;
    dc_rank_groups groups = {.told = j->ask->groups};
    size_t cap = 0, part_cap = 0;
    dc_status st =
        dc_replicated_begin(&which, j->ask->replicated, j->ask->nreplicated, j->ask->graphs);
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++) {
        bool yes = false;
        uint64_t part = DC_ALL_RANKS;
        if (j->ask->chosen && !j->ask->chosen[i])
            continue;
        st = dc_replicated_is(&yes, &which, &c->row[i], c->names);
        if (st == DC_OK && yes)
            st = dc_rank_groups_part(&part, &groups, &which, &c->row[i], c->names);
        j->out->left += part == DC_NO_RANKS;
        if (st != DC_OK || !yes || part == DC_NO_RANKS)
            continue;
        st = dc_grow((void **)&j->mine.row, &cap, j->mine.n, 1, sizeof *j->mine.row);
        if (st == DC_OK)
            st = dc_grow((void **)&j->part, &part_cap, j->mine.n, 1, sizeof *j->part);
        if (st != DC_OK)
            break;
        j->part[j->mine.n] = part;
        j->mine.row[j->mine.n++] = (dc_row){.at = {.t = c->row[i], .row = c->first + i}};
    }
    size_t n = 0;
    const uint64_t *counts = dc_replicated_counts(&which, &n);
    j->named = calloc(n + 1, sizeof *j->named);
    if (j->named && n)
        memcpy(j->named, counts, n * sizeof *counts);
    else if (!j->named && st == DC_OK)
        st = dc_fail_memory();
    dc_rank_groups_fini(&groups);
    dc_replicated_fini(&which);
    return st;
}

/* Bytes, and what they mean, as one number. */
static uint64_t bits_of(const dc_tensor *t, uint64_t hash)
{
    const uint64_t all[] = {hash,          t->bytes, t->dtype,         t->format,
                            t->sub_format, t->shape, t->original_shape};
    return XXH3_64bits(all, sizeof all);
}

/* Whether bytes, or a store's hash of them, are to be had. */
static bool has_hash(const dc_catalog *c, uint64_t i)
{
    if (c->row[i].flags & DC_TENSOR_CSV)
        return false;
    return !dc_bytes_missing(c, i) || (c->hash && c->state && c->state[i] == DC_STATISTICS);
}

static dc_rank_member member_of(job *j, uint64_t k)
{
    const dc_row *row = &j->mine.row[k];
    const dc_catalog *c = j->ask->npu;
    uint64_t i = row->at.row - c->first, hash = 0;
    dc_rank_member m = {.at = row->at, .home = j->par->process, .group = DC_NO_GROUP};
    m.part = j->part[k];
    if ((row->at.t.flags & DC_DUMP_NULL_ADDRESS) && !row->at.t.bytes)
        m.state = DC_MEMBER_BARE;
    else if (!has_hash(c, i) || dc_payload_hash(&hash, &j->out->bytes, c, i) != DC_OK)
        m.state = DC_MEMBER_LOST;
    m.bits = bits_of(&row->at.t, hash);
    return m;
}

static dc_status send_members(dc_arrived *in, job *j)
{
    dc_route mail = {0};
    dc_status st = dc_fault("across.members") ? dc_fail_memory() : dc_route_begin(&mail, j->par);
    for (uint64_t i = 0; st == DC_OK && i < j->mine.n; i++) {
        dc_rank_member m = member_of(j, i);
        st = dc_route_add(&mail, dc_rank_owner(&m.at.t, j->par), &m, sizeof m);
    }
    return dc_route_send(in, &mail, st, j->par);
}

/* The owner's part: groups, and who is to be told of whom. */
static dc_status make_sets(dc_route *mail, job *j, dc_arrived *in)
{
    dc_rank_member *m = (dc_rank_member *)(void *)in->data;
    size_t n = in->total / sizeof *m;
    in->data = NULL;
    dc_status st = dc_rank_sets_make(&j->sets, m, n);
    if (st == DC_OK)
        st = dc_route_begin(mail, j->par);
    for (size_t i = 0; st == DC_OK && i < j->sets.n; i++) {
        const dc_rank_set *set = &j->sets.set[i];
        for (uint32_t g = 0; st == DC_OK && g < set->groups; g++) {
            if (g == set->reference)
                continue;
            const dc_rank_member *to = &j->sets.member[dc_rank_sets_first(&j->sets, set, g)];
            const dc_rank_member *from =
                &j->sets.member[dc_rank_sets_first(&j->sets, set, set->reference)];
            const wire_word w = {from->at.row, to->at.row, to->home};
            st = dc_route_add(mail, from->home, &w, sizeof w);
        }
    }
    return st;
}

static dc_status describe_all(dc_route *mail, const job *j, const dc_arrived *in)
{
    dc_buf said = {0};
    wire_word w;
    dc_status st = dc_route_begin(mail, j->par);
    for (uint64_t at = 0; st == DC_OK && dc_take(&w, sizeof w, in->data, &at, in->total);) {
        said.n = 0;
        st = dc_peer_describe(&said, j->ask->npu, w.row - j->ask->npu->first);
        const uint64_t head[2] = {w.to_row, said.n};
        if (st == DC_OK)
            st = dc_route_add(mail, (int)w.to_process, head, sizeof head);
        if (st == DC_OK)
            st = dc_route_add(mail, (int)w.to_process, said.data, said.n);
    }
    dc_buf_free(&said);
    return st;
}

static dc_status begin_pairs(job *j)
{
    const dc_catalog *c = j->ask->npu;
    dc_status st = dc_pairs_begin(&j->pairs, c->n);
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++)
        j->pairs.pair[i].pairing = DC_NOT_CHOSEN;
    return st;
}

static dc_status take_pairs(job *j, const dc_arrived *in)
{
    uint64_t head[2];
    dc_status st = begin_pairs(j);
    for (uint64_t at = 0; st == DC_OK && dc_take(head, sizeof head, in->data, &at, in->total);
         at += head[1]) {
        const dc_peer_heard heard = {j->ask->npu, in->data + at, head[1]};
        st = dc_peer_take(&j->pairs, head[0] - j->ask->npu->first, &heard);
    }
    return st;
}

/* From groups to pairs; in is freed. Collective. */
static dc_status make_pairs(job *j, dc_arrived *in)
{
    dc_route mail = {0};
    dc_arrived words = {0}, said = {0};
    dc_status st = make_sets(&mail, j, in);
    dc_arrived_free(in);
    st = dc_route_send(&words, &mail, st, j->par);
    if (st != DC_OK)
        return st;
    st = describe_all(&mail, j, &words);
    dc_arrived_free(&words);
    st = dc_route_send(&said, &mail, st, j->par);
    if (st != DC_OK)
        return st;
    st = take_pairs(j, &said);
    dc_arrived_free(&said);
    return dc_par_agree(st, j->par);
}

static dc_status send_answers(dc_arrived *in, job *j, const dc_rows *rows)
{
    dc_route mail = {0};
    dc_status st = dc_route_begin(&mail, j->par);
    for (uint64_t i = 0; st == DC_OK && i < rows->n; i++) {
        const dc_row *row = &rows->row[i];
        const char *reason = dc_pool_text(rows->names, row->reason);
        const int to = dc_rank_owner(&row->at.t, j->par);
        const uint32_t golden = j->pairs.pair[row->at.row - j->ask->npu->first].golden;
        if (golden < j->pairs.goldens)
            j->out->bytes += row->at.t.bytes + j->pairs.golden[golden].bytes;
        st = dc_route_add(&mail, to, row, sizeof *row);
        if (st == DC_OK)
            st = dc_route_add(&mail, to, reason, strlen(reason) + 1);
    }
    return dc_route_send(in, &mail, st, j->par);
}

static dc_status take_answers(job *j, const dc_arrived *in)
{
    dc_row row;
    dc_status st = dc_pool_new(&j->texts);
    for (uint64_t at = 0; st == DC_OK && dc_take(&row, sizeof row, in->data, &at, in->total);) {
        const char *reason = dc_take_text(in->data, &at, in->total);
        size_t i = dc_rank_sets_find(&j->sets, &row.at.t);
        st = dc_pool_adds(&row.reason, j->texts, reason ? reason : "");
        if (st != DC_OK || i == SIZE_MAX)
            continue;
        j->sets.answer[i] = malloc(sizeof row);
        if (!j->sets.answer[i])
            return dc_fail_memory();
        *j->sets.answer[i] = row;
    }
    return st;
}

/* Compare what has other bytes, and tell the owners. Collective. */
static dc_status compare(job *j)
{
    dc_rows rows;
    dc_arrived in = {0};
    const dc_run_ask ask = {.npu = j->ask->npu,
                            .pairs = &j->pairs,
                            .profile = j->ask->profile,
                            .no_kl = !(j->ask->metrics >> DC_METRIC_KL & 1),
                            .golden_dtype = -1,
                            .progress = j->ask->progress};
    dc_status st = dc_rnn_sizes_apply(&j->pairs, j->ask->npu, j->ask->graphs);
    if (st == DC_OK)
        st = dc_peer_settle(&j->pairs, j->ask->npu);
    st = dc_par_agree(st, j->par);
    if (st == DC_OK)
        st = dc_run_compare(&rows, &ask, j->par);
    if (st != DC_OK)
        return st;
    st = send_answers(&in, j, &rows);
    dc_rows_fini(&rows);
    if (st == DC_OK)
        st = dc_par_agree(take_answers(j, &in), j->par);
    dc_arrived_free(&in);
    return st;
}

static void job_fini(job *j)
{
    dc_rows_fini(&j->mine);
    free(j->part);
    free(j->named);
    dc_rank_sets_fini(&j->sets);
    dc_pairs_fini(&j->pairs);
    dc_pool_free(j->texts);
}

dc_status dc_across_run(dc_across *out, const dc_across_ask *ask, const dc_par *par)
{
    *out = (dc_across){0};
    job j = {.ask = ask, .par = par, .out = out};
    dc_arrived in = {0};
    dc_status st = list_mine(&j);
    st = dc_across_tell(j.named, ask, st, par);
    if (st == DC_OK)
        st = dc_rows_number(&j.mine, par);
    if (st == DC_OK)
        st = send_members(&in, &j);
    if (st == DC_OK)
        st = make_pairs(&j, &in);
    if (st == DC_OK)
        st = compare(&j);
    const dc_across_found found = {&j.sets, j.texts};
    if (st == DC_OK)
        st = dc_across_lines(out, ask, &found, DC_OK, par);
    if (st == DC_OK)
        dc_par_sum_u64(&out->bytes, 1, par);
    job_fini(&j);
    if (st != DC_OK)
        dc_across_fini(out);
    return st;
}

void dc_across_fini(dc_across *a)
{
    free(a->first);
    free(a->shown);
    dc_buf_free(&a->file.head);
    dc_buf_free(&a->file.body);
    dc_buf_free(&a->file.tail);
    *a = (dc_across){0};
}

dc_status dc_across_print(dc_buf *out, const dc_across *a)
{
    dc_status st = dc_buf_printf(
        out,
        "ranks against each other: %" PRIu64 " replicated %s, %" PRIu64 " %s, %" PRIu64
        " %s, %" PRIu64 " not judged; %" PRIu64 " %s of tensors read\n",
        a->sets, dc_word(a->sets, "tensor", "tensors"), a->agreed,
        dc_word(a->agreed, "agrees", "agree"), a->failed, dc_word(a->failed, "deviates", "deviate"),
        a->sets - a->agreed - a->failed, a->bytes, dc_word(a->bytes, "byte", "bytes"));
    if (st == DC_OK && a->within)
        st = dc_buf_printf(out, "  %" PRIu64 " of them within groups of ranks\n", a->within);
    if (st == DC_OK && a->left)
        st = dc_buf_printf(out, "  %" PRIu64 " %s of ranks in no group\n", a->left,
                           dc_word(a->left, "tensor is", "tensors are"));
    if (st == DC_OK && a->divided)
        st = dc_buf_puts(out, "  ranks that only partly agree may be groups of communicators: "
                              "--groups 0-1,2-3 compares within them\n");
    if (st == DC_OK && a->sets == 0)
        st = dc_buf_puts(out, "  no outputs of HcomAllReduce, HcomBroadcast, HcomAllGather, no "
                              "variables: name others by --replicated\n");
    if (st == DC_OK)
        st = dc_buf_puts(out, a->shown);
    if (st == DC_OK && a->failed > DC_ACROSS_SHOWN)
        st =
            dc_buf_printf(out, "  and %" PRIu64 " more (ranks.csv)\n", a->failed - DC_ACROSS_SHOWN);
    if (st == DC_OK && a->first)
        st = dc_buf_printf(out, "first deviation: %s\n", a->first);
    return st;
}
