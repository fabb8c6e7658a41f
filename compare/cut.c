/* compare/cut.c - see cut.h
 *
 * A tensor's owner gets its parts from wherever the catalog has their rows, puts their list
 * together in the order of part numbers, and answers. */
#include "compare/cut.h"

#include "io/parts.h"
#include "mpi/route.h"
#include "mpi/slices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A part on its way to its owner; a text follows: its line of the list. */
typedef struct part {
    dc_tensor t;
    uint64_t pair; /* index on its home */
    int32_t home;
    uint32_t number;
    const char *line;          /* at the owner, borrowed */
    bool stored, chosen, fits; /* fits: its range is its shape */
} part;

/* What the owner answers; two texts follow: the list, and why it is not to be used. */
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
    part p = {.t = *t, .pair = i, .home = j->par->process};
    dc_part line = {.cut = dc_pool_text(j->npu->names, t->cut), .bytes = t->bytes};
    dc_buf text = {0};
    char *path = NULL;
    p.number = dc_slices_number(t, op_of(j, t));
    p.chosen = j->pairs->pair[i].pairing != DC_NOT_CHOSEN;
    p.stored = !(t->flags & DC_TENSOR_STATISTICS) && (!r || r->state == DC_STORED);
    dc_shape shape;
    p.fits = dc_shape_parse(&shape, dc_pool_text(j->npu->names, t->shape)) == DC_OK &&
             dc_parts_fits(line.cut, &shape);
    dc_status st = dc_catalog_place(&path, &line.offset, j->npu, t);
    if (st == DC_EFORMAT) { /* a damaged store */
        p.stored = false;
        st = DC_OK;
    }
    line.path = path ? path : "";
    if (st == DC_OK)
        st = dc_parts_add(&text, &line);
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

#define RETURN_IF_DIFFERENT(field)                                                                 \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

/* 0: parts of the same tensor. */
static int compare_tensors(const part *x, const part *y, const dc_pool *names)
{
    RETURN_IF_DIFFERENT(t.rank);
    RETURN_IF_DIFFERENT(t.run);
    RETURN_IF_DIFFERENT(t.model);
    RETURN_IF_DIFFERENT(t.step);
    RETURN_IF_DIFFERENT(t.direction);
    RETURN_IF_DIFFERENT(t.slot);
    RETURN_IF_DIFFERENT(t.occurrence);
    const char *a = dc_pool_text(names, x->t.op), *b = dc_pool_text(names, y->t.op);
    size_t n = dc_slices_base(a), m = dc_slices_base(b);
    int c = strncmp(a, b, n < m ? n : m);
    return c ? c : n < m ? -1 : n > m;
}

static int by_tensor(const void *a, const void *b, void *names)
{
    const part *x = a, *y = b;
    int c = compare_tensors(x, y, names);
    if (c)
        return c;
    RETURN_IF_DIFFERENT(number);
    RETURN_IF_DIFFERENT(t.op);
    RETURN_IF_DIFFERENT(t.dump_time);
    RETURN_IF_DIFFERENT(home);
    RETURN_IF_DIFFERENT(pair);
    return 0;
}

/* Why the parts p[0..n) do not make up a tensor; left empty if they do. */
static void find_fault(char why[128], const part *p, size_t n)
{
    uint32_t of = p->t.slices;
    for (uint32_t k = 0; k < of; k++) {
        if (k >= n || p[k].number > k)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is missing", k, of);
        else if (p[k].number < k)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is there twice", p[k].number, of);
        else if (!p[k].stored)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is not stored", k, of);
        else if (!p[k].fits)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 ": its range is not of its shape", k,
                     of);
        else if (p[k].t.dtype != p->t.dtype || p[k].t.format != p->t.format)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " has another type or format", k,
                     of);
        if (*why)
            return;
    }
    if (n > of)
        snprintf(why, 128, "%zu slices are there of %" PRIu32, n, of);
}

/* The owner's answers about one tensor. */
static dc_status answer(dc_route *mail, const part *p, size_t n)
{
    char why[128] = "";
    dc_buf list = {0};
    place at = {.of = p->t.slices};
    bool kept = false;
    dc_status st = DC_OK;
    find_fault(why, p, n);
    for (size_t i = 0; st == DC_OK && !*why && i < n; i++) {
        at.bytes += p[i].t.bytes;
        st = dc_buf_puts(&list, p[i].line);
    }
    if (st == DC_OK)
        st = dc_buf_add(&list, "", 1);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        at.pair = p[i].pair;
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
    part *p = NULL, next;
    size_t n = 0, cap = 0;
    uint64_t at = 0;
    dc_status st = dc_route_begin(mail, j->par);
    while (st == DC_OK && dc_take(&next, sizeof next, in->data, &at, in->total)) {
        next.line = dc_take_text(in->data, &at, in->total);
        st = dc_grow((void **)&p, &cap, n, 1, sizeof *p);
        if (st == DC_OK)
            p[n++] = next;
    }
    if (n)
        qsort_r(p, n, sizeof *p, by_tensor, j->npu->names);
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        for (end = i + 1; end < n && compare_tensors(&p[i], &p[end], j->npu->names) == 0;)
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
    snprintf(text, sizeof text, "%s%smerged of %" PRIu32 " slices", note, *note ? "; " : "",
             at->of);
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
