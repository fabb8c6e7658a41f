/* compare/first_bad.c - see first_bad.h
 *
 * Failing rows are looked at in execution order, a batch at a time, by all processes at once: for
 * each they grow the same tree of tensors that may tell about its inputs, each answers for the rows
 * it holds, and one maximum brings the answers together. */
#include "compare/first_bad.h"

#include <stdlib.h>

#define FIRST_BATCH 64   /* rows a process offers in the first round; grows fourfold each round */
#define LAST_BATCH  4096 /* and no further */
#define MAX_NODES   256  /* of one tree: enough for an operator with 100 inputs */
#define MAX_DEPTH   6    /* operators without a verdict that are looked through */
#define MAX_FEEDS   128

enum { UNKNOWN, GOOD, BAD, KNOWN = 4 }; /* the worst wins; KNOWN: by a row, not by its feeders */

/* One tensor whose verdict tells about an input of a failing row. */
typedef struct node {
    dc_tensor t;  /* identity and occurrence; op DC_NO_STR: not dumped */
    int32_t up;   /* the node it feeds, -1: the failing row itself */
    int32_t hops; /* from the failing row */
    const char *op;
} node;

typedef struct tree {
    node *node; /* [MAX_NODES] */
    int32_t n;
    const dc_rows *rows;
    const dc_feeds *feeds;
} tree;

/* The dictionary is sorted and has no duplicates, so that an id tells a text. */
static uint32_t find_op(const dc_rows *r, const dc_feed *f)
{
    uint32_t id = dc_pool_find(r->catalog, f->producer);
    return id != DC_NO_STR ? id : dc_pool_find(r->catalog, f->clean);
}

static node *add_node(tree *t, const dc_tensor *like, int32_t up, int32_t hops)
{
    if (t->n == MAX_NODES)
        return NULL;
    node *x = &t->node[t->n++];
    *x = (node){.t = *like, .up = up, .hops = hops};
    x->op = dc_pool_text(t->rows->catalog, like->op);
    return x;
}

/* Inputs first .. end-1 of an operator. */
typedef struct slots {
    uint32_t first, end;
} slots;

/* The outputs that feed inputs `which` of operator `op` of the same model and step as `like`. */
static void add_producers(tree *t, const dc_tensor *like, const char *op, slots which, int32_t up)
{
    dc_feed feed[MAX_FEEDS];
    int32_t hops = up < 0 ? 1 : t->node[up].hops + 1;
    if (!t->feeds || !t->feeds->inputs || hops > MAX_DEPTH)
        return;
    const dc_feeds_ask ask = {like->rank, dc_pool_text(t->rows->catalog, like->model_dir), op};
    size_t n = t->feeds->inputs(feed, MAX_FEEDS, t->feeds->context, &ask);
    for (size_t i = 0; i < n; i++) {
        if (feed[i].slot < which.first || feed[i].slot >= which.end)
            continue;
        dc_tensor out = *like;
        out.op = find_op(t->rows, &feed[i]);
        out.direction = DC_OUTPUT;
        out.slot = feed[i].output;
        node *x = add_node(t, &out, up, hops);
        if (x)
            x->op = feed[i].producer;
    }
}

static void add_own_inputs(tree *t, const dc_tensor *like, uint32_t dumped)
{
    for (uint32_t slot = 0; slot < dumped; slot++) {
        dc_tensor in = *like;
        in.direction = DC_INPUT;
        in.slot = slot;
        add_node(t, &in, -1, 0);
    }
}

/* The tree of a failing row: its operator's first `dumped` inputs may have rows, of the others the
 * graph tells the producers. */
static void grow_tree(tree *t, const dc_spot *row, uint32_t dumped)
{
    const char *op = dc_pool_text(t->rows->catalog, row->t.op);
    t->n = 0;
    if (row->t.direction == DC_INPUT) {
        add_producers(t, &row->t, op, (slots){row->t.slot, row->t.slot + 1}, -1);
    } else {
        add_own_inputs(t, &row->t, dumped);
        add_producers(t, &row->t, op, (slots){dumped, UINT32_MAX}, -1);
    }
    for (int32_t i = 0; i < t->n; i++) {
        dc_tensor like = t->node[i].t;
        slots which = {0, UINT32_MAX};
        if (like.direction == DC_INPUT)
            which = (slots){like.slot, like.slot + 1};
        add_producers(t, &like, t->node[i].op, which, i);
    }
}

/* First of our rows not before t in identity order. */
static uint64_t lower_bound(const dc_rows *r, const dc_tensor *t)
{
    uint64_t lo = 0, hi = r->n;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (dc_tensor_compare_identity(&r->row[mid].at.t, t) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* What our rows say about t: its own occurrence, or the last one before it (an operator outside a
 * loop feeds every turn of it). */
static uint64_t answer(const dc_rows *r, const dc_tensor *t)
{
    uint64_t verdict = UNKNOWN;
    if (t->op == DC_NO_STR)
        return verdict;
    for (uint64_t i = lower_bound(r, t); i < r->n; i++) {
        const dc_row *row = &r->row[i];
        if (dc_tensor_compare_identity(&row->at.t, t) != 0 || row->at.t.occurrence > t->occurrence)
            break;
        if (row->verdict != DC_NOT_JUDGED)
            verdict = row->verdict == DC_FAIL ? BAD : GOOD;
        else
            verdict = UNKNOWN;
    }
    return verdict;
}

/* 1 + the highest input slot of t's operator among our rows. */
static uint64_t own_slots(const dc_rows *r, const dc_tensor *t)
{
    dc_tensor first = *t;
    first.direction = DC_INPUT;
    first.slot = 0;
    uint64_t n = 0;
    for (uint64_t i = lower_bound(r, &first); i < r->n; i++) {
        const dc_tensor *have = &r->row[i].at.t;
        first.slot = have->slot;
        if (dc_tensor_compare_identity(have, &first) != 0)
            break;
        n = (uint64_t)have->slot + 1;
    }
    return n < MAX_FEEDS ? n : MAX_FEEDS;
}

/* Does any input fail? Nodes stand after the node they feed; an unknown one is as bad as the worst
 * of what feeds it. */
static bool any_input_fails(const tree *t, uint64_t *verdict)
{
    for (int32_t i = t->n - 1; i >= 0; i--) {
        int32_t up = t->node[i].up;
        uint64_t v = verdict[i] & ~(uint64_t)KNOWN;
        if (up < 0 && v == BAD)
            return true;
        if (up >= 0 && !(verdict[up] & KNOWN) && v > verdict[up])
            verdict[up] = v;
    }
    return false;
}

/* One batch: the failing rows that come first of all, the same on every process. */
typedef struct batch {
    dc_spot *spot;
    uint64_t n;
    bool last; /* nobody has more */
} batch;

static dc_status next_batch(batch *b, const dc_spot *mine, uint64_t n, uint64_t most,
                            const dc_par *par)
{
    uint64_t bytes = 0, offered = n < most ? n : most, left = n - offered;
    char *all = NULL;
    dc_status st = dc_par_allgather(&all, &bytes, NULL, mine, offered * sizeof *mine, par);
    dc_par_sum_u64(&left, 1, par);
    b->spot = (dc_spot *)(void *)all;
    b->n = st == DC_OK ? bytes / sizeof *mine : 0;
    b->last = left == 0;
    if (b->n)
        qsort(b->spot, b->n, sizeof *b->spot, dc_spot_order);
    if (!b->last && b->n > most)
        b->n = most; /* later ones may follow something nobody has offered yet */
    return st;
}

/* Grow the tree of a failing row and ask all processes about it. verdict has room for MAX_NODES. */
static bool has_failing_input(tree *t, const dc_spot *row, uint32_t dumped, uint64_t *verdict,
                              const dc_par *par)
{
    grow_tree(t, row, dumped);
    for (int32_t i = 0; i < t->n; i++)
        verdict[i] = answer(t->rows, &t->node[i].t);
    dc_par_max_u64(verdict, (size_t)t->n, par);
    for (int32_t i = 0; i < t->n; i++)
        verdict[i] |= verdict[i] != UNKNOWN ? KNOWN : 0;
    return any_input_fails(t, verdict);
}

/* Index of the first row of the batch without a failing input, b->n if there is none. */
static dc_status search_batch(uint64_t *at, const batch *b, tree *t, const dc_par *par)
{
    uint64_t verdict[MAX_NODES] = {0};
    uint64_t *dumped = calloc(b->n + 1, sizeof *dumped);
    dc_status st = dc_par_agree(dumped ? DC_OK : dc_fail_memory(), par);
    if (st != DC_OK || !dumped) {
        free(dumped);
        return st;
    }
    for (uint64_t i = 0; i < b->n; i++)
        dumped[i] = own_slots(t->rows, &b->spot[i].t);
    dc_par_max_u64(dumped, b->n, par);
    *at = 0;
    while (*at < b->n && has_failing_input(t, &b->spot[*at], (uint32_t)dumped[*at], verdict, par))
        ++*at;
    free(dumped);
    return DC_OK;
}

static dc_status search(dc_first_bad *out, const dc_spot *mine, uint64_t n, tree *t,
                        const dc_par *par)
{
    batch b = {0};
    dc_status st;
    for (uint64_t most = FIRST_BATCH, at = 0; !b.last; most *= most < LAST_BATCH ? 4 : 1) {
        st = next_batch(&b, mine, n, most, par);
        if (st == DC_OK)
            st = search_batch(&at, &b, t, par);
        if (st == DC_OK && b.n && !out->found)
            *out = (dc_first_bad){.found = true, .inherited = true, .at = b.spot[0]};
        bool hit = st == DC_OK && at < b.n;
        if (hit)
            *out = (dc_first_bad){.found = true, .at = b.spot[at]};
        const dc_spot *end = st == DC_OK && b.n ? &b.spot[b.n - 1] : NULL;
        while (end && n && dc_spot_compare(mine, end) <= 0) {
            mine++;
            n--;
        }
        free(b.spot);
        if (st != DC_OK || hit)
            return st;
    }
    return DC_OK;
}

/* Our failing rows in execution order, malloc'd. */
static dc_status list_failing(dc_spot **out, uint64_t *n, const dc_rows *r)
{
    *n = 0;
    *out = dc_fault("first_bad.list") ? NULL : malloc((r->n + 1) * sizeof **out);
    if (!*out)
        return dc_fail_memory();
    for (uint64_t i = 0; i < r->n; i++)
        if (dc_row_failed(&r->row[i]))
            (*out)[(*n)++] = r->row[i].at;
    if (*n)
        qsort(*out, *n, sizeof **out, dc_spot_order);
    return DC_OK;
}

dc_status dc_first_bad_find(dc_first_bad *out, const dc_rows *r, const dc_feeds *feeds,
                            const dc_par *par)
{
    dc_spot *failing = NULL;
    uint64_t n = 0;
    tree t = {.rows = r, .feeds = feeds};
    *out = (dc_first_bad){0};
    t.node = malloc(MAX_NODES * sizeof *t.node);
    dc_status st = t.node ? list_failing(&failing, &n, r) : dc_fail_memory();
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = search(out, failing, n, &t, par);
    free(failing);
    free(t.node);
    return st;
}
