/* capture/unmatched.c - see unmatched.h */
#include "capture/unmatched.h"

#include "capture/origin_each.h"
#include "capture/view.h"
#include "io/near.h"
#include "io/numbers.h"
#include "io/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 1024
#define NAMED 3 /* of those present, where none is like the pattern */

typedef struct finder {
    const dc_origin *o;
    char want[256]; /* the longest piece of the pattern without special characters */
    dc_near near;
    dc_pool *names; /* owns what is kept of them */
    dc_buf name;
    char present[512];
    const char *glob;
    char whole[512]; /* the first tensor whose path ends in glob, or in its operator's name */
    uint64_t n;
} finder;

static void longest_piece(char *out, size_t size, const char *glob)
{
    size_t best = 0;
    *out = '\0';
    for (const char *at = glob; *at;) {
        at += strspn(at, "*?/[]\\");
        size_t n = strcspn(at, "*?[]\\");
        if (n > best) {
            best = n;
            snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), at);
        }
        at += n;
    }
}

/* A name that is kept outlives the visit. */
static dc_status offer(finder *f, const char *name)
{
    uint32_t id;
    dc_status st = DC_OK;
    for (size_t i = 0; i < f->near.n; i++)
        if (strcmp(f->near.name[i], name) == 0)
            return DC_OK;
    dc_near_offer(&f->near, f->want, name);
    for (size_t i = 0; st == DC_OK && i < f->near.n; i++)
        if (f->near.name[i] == name) {
            st = dc_pool_adds(&id, f->names, name);
            if (st == DC_OK)
                f->near.name[i] = dc_pool_text(f->names, id);
        }
    return st;
}

/* A pattern that is a name without the rank, model and step before it. */
static void keep_whole(finder *f, const dc_item *item)
{
    const char *op = dc_pool_text(f->o->names, item->t.op);
    if (!*f->whole && (strcmp(op, f->glob) == 0 || strcmp(f->name.data, f->glob) == 0))
        snprintf(f->whole, sizeof f->whole, "%s", item->path);
}

static dc_status offer_item(finder *f, const dc_item *item)
{
    f->name.n = 0;
    dc_status st = dc_view_name(&f->name, &item->t, f->o->names);
    if (st == DC_OK)
        st = dc_buf_add(&f->name, "", 1);
    if (st == DC_OK)
        keep_whole(f, item);
    if (st == DC_OK)
        st = offer(f, dc_pool_text(f->o->names, item->t.op));
    if (st == DC_OK)
        st = offer(f, dc_path_base(dc_pool_text(f->o->names, item->t.op)));
    if (st == DC_OK)
        st = offer(f, f->name.data);
    if (st == DC_OK)
        st = offer(f, item->path);
    size_t used = strlen(f->present);
    if (f->n++ < NAMED)
        snprintf(f->present + used, sizeof f->present - used, "%s%.150s", used ? ", " : "",
                 item->path);
    return st;
}

static dc_status offer_items(void *context, dc_item *item, size_t n)
{
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = offer_item(context, &item[i]);
    return st;
}

static dc_status count_items(void *context, dc_item *item, size_t n)
{
    (void)item;
    *(uint64_t *)context += n;
    return DC_OK;
}

static dc_status tell(finder *f, const char *from, const char *glob)
{
    char hint[DC_NEAR_TEXT];
    dc_near_print(hint, &f->near);
    if (f->n == 0)
        return dc_fail(DC_ENOENT, "%s: holds no tensors", from);
    if (*f->whole)
        return dc_fail(DC_ENOENT,
                       "%s: no tensor matches '%s': its whole name is %s; '*/%s%s' is "
                       "that of all ranks and steps",
                       from, glob, f->whole, glob, strchr(glob, ':') ? "" : ":*");
    if (f->near.n)
        return dc_fail(DC_ENOENT, "%s: no tensor matches '%s'%s", from, glob, hint);
    if (f->n <= NAMED)
        return dc_fail(DC_ENOENT, "%s: no tensor matches '%s'; present: %s", from, glob,
                       f->present);
    return dc_fail(DC_ENOENT, "%s: no tensor matches '%s'; present: %s, ... (%" PRIu64 " in all)",
                   from, glob, f->present, f->n);
}

dc_status dc_unmatched(const char *from, const char *glob)
{
    dc_origin o;
    finder f = {.o = &o, .glob = glob};
    uint64_t n = 0;
    longest_piece(f.want, sizeof f.want, glob);
    dc_status st = dc_origin_open(&o, from);
    if (st == DC_OK)
        st = dc_origin_each(&o, glob, count_items, &n);
    if (st == DC_OK && n == 0) {
        st = dc_pool_new(&f.names);
        if (st == DC_OK)
            st = dc_origin_each(&o, NULL, offer_items, &f);
        if (st == DC_OK)
            st = tell(&f, from, glob);
    }
    dc_buf_free(&f.name);
    dc_pool_free(f.names);
    dc_status closed = dc_origin_close(&o);
    return st == DC_OK ? closed : st;
}

/* What the store has. */
typedef struct has {
    dc_pool *op, *type;
    dc_numbers step, rank;
} has;

static dc_status note_row(has *h, const dc_tensor *t, const dc_pool *names)
{
    uint32_t id;
    dc_status st = dc_pool_adds(&id, h->op, dc_pool_text(names, t->op));
    if (st == DC_OK)
        st = dc_pool_adds(&id, h->type, dc_pool_text(names, t->op_type));
    if (st == DC_OK)
        st = dc_numbers_add(&h->step, t->step);
    return st == DC_OK ? dc_numbers_add(&h->rank, t->rank) : st;
}

static dc_status note_rows(has *h, const dc_store *s)
{
    dc_tensor *row = malloc(BATCH * sizeof *row);
    dc_status st = row ? dc_pool_new(&h->op) : dc_fail_memory();
    if (st == DC_OK)
        st = dc_pool_new(&h->type);
    for (uint64_t first = 0; st == DC_OK && first < dc_store_rows(s); first += BATCH) {
        uint64_t n = dc_store_rows(s) - first < BATCH ? dc_store_rows(s) - first : BATCH;
        st = dc_store_get_rows(row, NULL, s, first, n);
        for (uint64_t i = 0; st == DC_OK && i < n; i++)
            st = note_row(h, &row[i], dc_store_names(s));
    }
    free(row);
    return st;
}

dc_status dc_unmatched_selectors(dc_select *select, const dc_store *s)
{
    has h = {0};
    size_t n, unmatched = 0;
    uint64_t *count = dc_select_counts(select, &n);
    for (size_t i = 0; i < n; i++)
        unmatched += count[i] == 0;
    if (unmatched == 0)
        return DC_OK;
    dc_status st = note_rows(&h, s);
    const dc_select_present present = {.op = h.op,
                                       .type = h.type,
                                       .step = h.step.item,
                                       .nstep = h.step.n,
                                       .rank = h.rank.item,
                                       .nrank = h.rank.n};
    if (st == DC_OK)
        st = dc_select_warn(select, &present);
    dc_pool_free(h.op);
    dc_pool_free(h.type);
    dc_numbers_fini(&h.step);
    dc_numbers_fini(&h.rank);
    return st;
}
