/* compare/plan.c - see plan.h */
#include "compare/plan.h"

#include "mpi/route.h"
#include "mpi/share.h"

#include <stdlib.h>

#define MOST_BYTES ((uint64_t)1 << 44) /* of a tensor: beyond any; 2^30 of them add up in pages */
#define DEAR       16                  /* of a process's share, at least a part in so many */

/* What pairs have in common that are dealt together: whole, or in blocks of the same elements. */
typedef struct group {
    uint64_t golden, elements;
    uint64_t block;  /* elements, 0: compared whole */
    uint64_t npu;    /* pages: of the NPU tensors and of opening them */
    uint64_t shared; /* pages: of the golden */
} group;

/* Where a group's units stand, itself or each block, one behind the other: on the line, in pages,
 * or in the list of the dear ones. */
typedef struct piece {
    uint64_t at, each;
    bool dear;
} piece;

/* The groups that a process owns: those that came, and piece[i] of each. */
typedef struct owned {
    dc_arrived in;
    const group **order; /* [n], by key */
    piece *piece;
    size_t n;
    dc_buf dear; /* uint64_t: what each dear unit costs */
    uint64_t line;
} owned;

/* Who does what: the same everywhere. */
typedef struct deal {
    int32_t *dear; /* [all dear units] process */
    uint64_t *end; /* [processes] of its part of the line */
    int processes;
} deal;

static uint64_t pages(uint64_t bytes)
{
    return (bytes < MOST_BYTES ? bytes : MOST_BYTES) / DC_PLAN_PAGE;
}

static uint64_t units(uint64_t elements, uint64_t block)
{
    return block ? dc_share_chunks(elements, block) : 1;
}

#define RETURN_IF_DIFFERENT(field)                                                                 \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

static int compare_groups(const group *x, const group *y)
{
    RETURN_IF_DIFFERENT(golden);
    RETURN_IF_DIFFERENT(elements);
    RETURN_IF_DIFFERENT(block);
    return 0;
}

static int by_group(const void *a, const void *b)
{
    return compare_groups(*(const group *const *)a, *(const group *const *)b);
}

static group group_of(const dc_want *w)
{
    return (group){w->golden, w->elements, w->block, pages(w->bytes[0]) + pages(DC_PLAN_ITEM),
                   pages(w->bytes[1])};
}

static void add_group(group *g, const group *more)
{
    g->npu += more->npu;
    g->shared = more->shared > g->shared ? more->shared : g->shared;
}

static int by_golden(const void *a, const void *b)
{
    const dc_want *x = a, *y = b;
    RETURN_IF_DIFFERENT(golden); /* and so on, as groups */
    RETURN_IF_DIFFERENT(elements);
    RETURN_IF_DIFFERENT(block);
    RETURN_IF_DIFFERENT(row);
    return 0;
}

static int by_row(const void *a, const void *b)
{
    const dc_leg *x = a, *y = b;
    RETURN_IF_DIFFERENT(row);
    RETURN_IF_DIFFERENT(first);
    return 0;
}

/* Wants with the blocks that they are compared in, 0 for whole, in the order of their groups. */
static void order_wants(const dc_plan_ask *ask)
{
    const uint64_t whole = ask->whole ? ask->whole : DC_PLAN_WHOLE;
    const uint64_t block = ask->block ? ask->block : DC_PLAN_BLOCK;
    for (size_t i = 0; i < ask->n; i++) {
        dc_want *w = &ask->want[i];
        if (w->bytes[0] <= whole && w->bytes[1] <= whole - w->bytes[0])
            w->block = 0;
        else if (w->block == 0)
            w->block = block;
    }
    if (ask->n)
        qsort(ask->want, ask->n, sizeof *ask->want, by_golden);
}

/* The group of the wants from i on; where the next one begins. */
static size_t next_group(group *g, const dc_plan_ask *ask, size_t i)
{
    *g = group_of(&ask->want[i++]);
    for (; i < ask->n; i++) {
        const group more = group_of(&ask->want[i]);
        if (compare_groups(g, &more) != 0)
            break;
        add_group(g, &more);
    }
    return i;
}

/* Our groups to those that own them: in the order of keys, as owners are. */
static dc_status post_groups(dc_route *mail, const dc_plan_ask *ask, const dc_par *par)
{
    dc_status st = dc_route_begin(mail, par);
    for (size_t i = 0; st == DC_OK && i < ask->n;) {
        group g;
        i = next_group(&g, ask, i);
        uint64_t owner = (g.golden >> 32) * (uint64_t)par->processes >> 32;
        st = dc_route_add(mail, (int)owner, &g, sizeof g);
    }
    return st;
}

/* What a unit of each group costs; *all of them together. */
static dc_status price_groups(uint64_t *all, owned *o)
{
    const group *g = (const group *)(const void *)o->in.data;
    o->n = o->in.total / sizeof *g;
    o->order = malloc((o->n + 1) * sizeof(const group *));
    o->piece = malloc((o->n + 1) * sizeof *o->piece);
    if (!o->order || !o->piece || dc_fault("plan.price"))
        return dc_fail_memory();
    for (size_t i = 0; i < o->n; i++)
        o->order[i] = &g[i];
    qsort(o->order, o->n, sizeof(const group *), by_group);
    for (size_t i = 0, end; i < o->n; i = end) {
        group sum = *o->order[i];
        for (end = i + 1; end < o->n && compare_groups(o->order[end], &sum) == 0; end++)
            add_group(&sum, o->order[end]);
        uint64_t count = units(sum.elements, sum.block), each = (sum.npu + sum.shared) / count + 1;
        for (size_t k = i; k < end; k++)
            o->piece[o->order[k] - g] = (piece){.each = each};
        *all += each * count;
    }
    return DC_OK;
}

/* Every group's place among those we own. */
static dc_status place_groups(owned *o, uint64_t dear)
{
    const group *g = (const group *)(const void *)o->in.data;
    piece p = {0};
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < o->n; i++) {
        const group *this = o->order[i];
        if (i == 0 || compare_groups(this, o->order[i - 1]) != 0) {
            uint64_t count = units(this->elements, this->block);
            p = o->piece[this - g];
            p.dear = p.each > dear;
            p.at = p.dear ? o->dear.n / sizeof p.each : o->line;
            o->line += p.dear ? 0 : p.each * count;
            for (uint64_t u = 0; st == DC_OK && p.dear && u < count; u++)
                st = dc_buf_add(&o->dear, &p.each, sizeof p.each);
        }
        o->piece[this - g] = p;
    }
    return st;
}

/* Dear units one by one, then as much of the line as makes all even. */
static dc_status make_deal(deal *d, const uint64_t *dear, size_t n, uint64_t line)
{
    uint64_t *load = calloc((size_t)d->processes, sizeof *load);
    d->dear = malloc((n + 1) * sizeof *d->dear);
    d->end = malloc((size_t)d->processes * sizeof *d->end);
    dc_status st = load && d->dear && d->end ? DC_OK : dc_fail_memory();
    if (st == DC_OK)
        st = dc_share_deal(d->dear, dear, n, d->processes);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        load[d->dear[i]] += dear[i];
    if (st == DC_OK)
        dc_share_fill(d->end, load, line, d->processes);
    free(load);
    return st;
}

static int32_t process_of(const deal *d, const piece *p, uint64_t unit)
{
    if (p->dear)
        return d->dear[p->at + unit];
    const uint64_t middle = p->at + unit * p->each + p->each / 2;
    int32_t low = 0, high = d->processes - 1;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (middle < d->end[half])
            high = half;
        else
            low = half + 1;
    }
    return low;
}

/* Our groups' places among all processes' to those that asked, in the order they asked. */
static dc_status post_pieces(dc_route *mail, const owned *o, const uint64_t before[2])
{
    size_t i = 0;
    dc_status st = DC_OK;
    for (int p = 0; st == DC_OK && p < mail->processes; p++)
        for (size_t end = i + o->in.got[p] / sizeof(group); st == DC_OK && i < end; i++) {
            piece place = o->piece[i];
            place.at += before[place.dear];
            st = dc_route_add(mail, p, &place, sizeof place);
        }
    return st;
}

/* The groups we own take their places among all; *d says who does what. */
static dc_status deal_groups(deal *d, uint64_t before[2], owned *o, const dc_par *par)
{
    uint64_t all = 0, bytes = 0;
    char *dear = NULL;
    dc_status st = price_groups(&all, o);
    dc_par_sum_u64(&all, 1, par);
    if (st == DC_OK)
        st = place_groups(o, all / (uint64_t)par->processes / DEAR);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&dear, &bytes, NULL, o->dear.data, o->dear.n, par);
    if (st != DC_OK)
        return st;
    before[false] = dc_par_before_u64(o->line, par);
    before[true] = dc_par_before_u64(o->dear.n / sizeof(uint64_t), par);
    dc_par_sum_u64(&o->line, 1, par);
    st = make_deal(d, (const uint64_t *)(const void *)dear, bytes / sizeof(uint64_t), o->line);
    free(dear);
    return st;
}

/* What came: a piece for each of our groups, in their order. */
static dc_status ask_owners(dc_arrived *out, deal *d, const dc_plan_ask *ask, const dc_par *par)
{
    dc_route mail = {0};
    owned o = {0};
    uint64_t before[2] = {0};
    dc_status st = post_groups(&mail, ask, par);
    st = dc_route_send(&o.in, &mail, st, par);
    if (st != DC_OK)
        return st;
    st = deal_groups(d, before, &o, par);
    if (st == DC_OK)
        st = dc_route_begin(&mail, par);
    if (st == DC_OK)
        st = post_pieces(&mail, &o, before);
    dc_arrived_free(&o.in);
    dc_buf_free(&o.dear);
    free(o.order);
    free(o.piece);
    dc_status sent = dc_route_send(out, &mail, st, par);
    return sent == DC_OK ? st : sent;
}

static dc_status add_legs(dc_leg **leg, size_t *n, size_t *cap, const dc_want *w, const piece *p,
                          const deal *d)
{
    const bool whole = w->block == 0;
    dc_status st = DC_OK;
    for (uint64_t u = 0; st == DC_OK && u < units(w->elements, w->block); u++) {
        uint64_t first = u * w->block, rest = w->elements - first;
        dc_leg l = {.row = w->row, .first = first, .whole = whole};
        l.n = whole || rest < w->block ? rest : w->block;
        l.streamed = w->streamed && !whole;
        l.owner = process_of(d, p, u);
        if ((st = dc_grow((void **)leg, cap, *n, 1, sizeof **leg)) == DC_OK)
            (*leg)[(*n)++] = l;
    }
    return st;
}

static dc_status make_legs(dc_leg **leg, size_t *n, const dc_plan_ask *ask, const dc_arrived *in,
                           const deal *d)
{
    uint64_t from = 0;
    size_t cap = 0;
    piece p;
    dc_status st = DC_OK;
    for (size_t i = 0, end; st == DC_OK && i < ask->n; i = end) {
        group g;
        end = next_group(&g, ask, i);
        if (!dc_take(&p, sizeof p, in->data, &from, in->total))
            return dc_fail(DC_EFORMAT, "a message between processes is cut short");
        for (size_t k = i; st == DC_OK && k < end; k++)
            st = add_legs(leg, n, &cap, &ask->want[k], &p, d);
    }
    if (*n)
        qsort(*leg, *n, sizeof **leg, by_row);
    return st;
}

dc_status dc_plan_make(dc_leg **leg, size_t *n, const dc_plan_ask *ask, const dc_par *par)
{
    dc_arrived in = {0};
    deal d = {.processes = par->processes};
    *leg = NULL;
    *n = 0;
    order_wants(ask);
    dc_status st = ask_owners(&in, &d, ask, par);
    if (st == DC_OK)
        st = dc_par_agree(make_legs(leg, n, ask, &in, &d), par);
    dc_arrived_free(&in);
    free(d.dear);
    free(d.end);
    if (st != DC_OK) {
        free(*leg);
        *leg = NULL;
        *n = 0;
    }
    return st;
}
