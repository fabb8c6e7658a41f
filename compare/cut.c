/* compare/cut.c - see cut.h
 *
 * A tensor's owner gets its parts from wherever the catalog has their rows, puts their list
 * together in the order of part numbers, and answers. */
#include "compare/cut.h"
#include "io/word.h"

#include "mpi/route.h"
#include "mpi/slices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What the owner answers to a part (which was mailed with its line behind it); two texts follow:
 * the list, and why it is not to be used. */
typedef struct place {
    uint64_t pair, bytes;
    uint32_t of;
    bool kept;
} place;

typedef struct job {
    dc_pairs *pairs;
    const dc_catalog *npu;
    const dc_par *par;
} job;

static const char *op_of(const job *j, const dc_tensor *t)
{
    return dc_pool_text(j->npu->names, t->op);
}

static int owner_of(const job *j, const dc_tensor *t)
{
    const char *op = op_of(j, t);
    const int64_t key[] = {t->rank,      t->run,  t->model,      t->step,
                           t->direction, t->slot, t->occurrence, 0};
    uint64_t hash = XXH3_64bits_withSeed(key, sizeof key, XXH3_64bits(op, dc_slices_base(op)));
    return dc_route_owner(&hash, sizeof hash, j->par);
}

static dc_status post_part(dc_route *mail, const job *j, uint64_t i)
{
    const dc_tensor *t = &j->npu->row[i];
    const dc_result *r = j->npu->result ? &j->npu->result[i] : NULL;
    dc_slice p = {.t = *t, .item = i, .home = j->par->process};
    dc_buf text = {0};
    char *path = NULL;
    uint64_t offset = 0;
    p.chosen = j->pairs->pair[i].pairing != DC_NOT_CHOSEN;
    dc_status st = dc_catalog_place(&path, &offset, j->npu, t);
    bool damaged = st == DC_EFORMAT; /* the store */
    if (st == DC_OK || damaged)
        st = dc_slices_take(&p, &text, j->npu->names, r, damaged ? "" : path, offset);
    p.stored = p.stored && !damaged;
    int to = owner_of(j, t);
    if (st == DC_OK)
        st = dc_route_add(mail, to, &p, sizeof p);
    if (st == DC_OK)
        st = dc_route_add(mail, to, text.data, text.n + 1);
    dc_buf_free(&text);
    free(path);
    return st;
}

static dc_status post_parts(dc_route *mail, const job *j)
{
    dc_status st = dc_route_begin(mail, j->par);
    for (uint64_t i = 0; st == DC_OK && i < j->pairs->n; i++) {
        const dc_tensor *t = &j->npu->row[i];
        if (t->slices && *dc_pool_text(j->npu->names, t->cut))
            st = post_part(mail, j, i);
    }
    return st;
}

/* The owner's answers about one tensor. */
static dc_status answer(dc_route *mail, const dc_slice *p, size_t n)
{
    char why[128] = "";
    dc_buf list = {0};
    place at = {.of = p->t.slices};
    bool kept = false;
    dc_status st = DC_OK;
    dc_slices_fault(why, p, n);
    for (size_t i = 0; st == DC_OK && !*why && i < n; i++) {
        at.bytes += p[i].t.bytes;
        st = dc_buf_puts(&list, p[i].line);
    }
    if (st == DC_OK)
        st = dc_buf_add(&list, "", 1);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        at.pair = p[i].item;
        at.kept = p[i].chosen && !kept;
        kept = kept || at.kept;
        st = dc_route_add(mail, p[i].home, &at, sizeof at);
        if (st == DC_OK)
            st = dc_route_add(mail, p[i].home, at.kept ? list.data : "", at.kept ? list.n : 1);
        if (st == DC_OK)
            st = dc_route_add(mail, p[i].home, why, strlen(why) + 1);
    }
    dc_buf_free(&list);
    return st;
}

static dc_status post_answers(dc_route *mail, const job *j, const dc_arrived *in)
{
    dc_slice *p = NULL, next;
    size_t n = 0, cap = 0;
    uint64_t at = 0;
    dc_status st = dc_route_begin(mail, j->par);
    while (st == DC_OK && dc_take(&next, sizeof next, in->data, &at, in->total)) {
        next.line = dc_take_text(in->data, &at, in->total);
        st = dc_grow((void **)&p, &cap, n, 1, sizeof *p);
        if (st == DC_OK)
            p[n++] = next;
    }
    dc_slices_sort(p, n, j->npu->names);
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        for (end = i + 1; end < n && dc_slices_compare_tensors(&p[i], &p[end], j->npu->names) == 0;)
            end++;
        st = answer(mail, p + i, end - i);
    }
    free(p);
    return st;
}

static dc_status take_answer(job *j, const place *at, const char *list, const char *why)
{
    char text[512];
    dc_pair *p = &j->pairs->pair[at->pair];
    dc_pool *names = j->pairs->names;
    if (!at->kept) {
        p->pairing = DC_NOT_CHOSEN;
        return DC_OK;
    }
    if (p->pairing != DC_PAIRED)
        return DC_OK;
    if (*why) {
        p->pairing = DC_NOT_COMPARABLE;
        p->golden = DC_UNPAIRED;
        return dc_pool_adds(&p->reason, names, why);
    }
    const char *note = dc_pool_text(names, p->note);
    snprintf(text, sizeof text, "%s%smerged of %" PRIu32 " %s", note, *note ? "; " : "", at->of,
             dc_word(at->of, "slice", "slices"));
    dc_pair_rare *rare;
    dc_status st = dc_pairs_own_rare(&rare, j->pairs, p);
    if (st != DC_OK)
        return st;
    rare->parts_bytes = at->bytes;
    st = dc_pool_adds(&rare->parts, names, list);
    return st == DC_OK ? dc_pool_adds(&p->note, names, text) : st;
}

static dc_status take_answers(job *j, const dc_arrived *in)
{
    place at;
    uint64_t next = 0;
    dc_status st = DC_OK;
    while (st == DC_OK && dc_take(&at, sizeof at, in->data, &next, in->total)) {
        const char *list = dc_take_text(in->data, &next, in->total);
        const char *why = dc_take_text(in->data, &next, in->total);
        st = take_answer(j, &at, list ? list : "", why ? why : "");
    }
    return st;
}

dc_status dc_cut_apply(dc_pairs *pairs, const dc_catalog *npu, const dc_par *par)
{
    job j = {pairs, npu, par};
    dc_route mail = {0};
    dc_arrived parts = {0}, answers = {0};
    dc_status st = dc_route_send(&parts, &mail, post_parts(&mail, &j), par);
    if (st != DC_OK)
        return st;
    st = dc_route_send(&answers, &mail, post_answers(&mail, &j, &parts), par);
    if (st == DC_OK)
        st = dc_par_agree(take_answers(&j, &answers), par);
    dc_arrived_free(&parts);
    dc_arrived_free(&answers);
    return st;
}
