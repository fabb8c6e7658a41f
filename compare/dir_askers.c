/* compare/dir_askers.c - see dir_askers.h: every directory's path meets at its owner, which counts
 * and answers. */
#include "compare/dir_askers.h"

#include "compare/tally.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

/* About a directory, to its owner. The path and a text follow: the error, or the first ignored file
 * and why. */
typedef struct wire_dir {
    uint64_t ignored;
    int32_t status;
    uint32_t spare;
} wire_dir;

/* What an owner has heard. */
typedef struct heard {
    dc_tally paths;
    dc_alignment *out;
    dc_buf *messages;
} heard;

static int owner_of(const dc_listed_dir *d, const dc_par *par)
{
    return dc_route_owner(d->list.path, strlen(d->list.path), par);
}

/* What to say of a directory: "" if nothing. */
static dc_status describe(dc_buf *out, const dc_listed_dir *d)
{
    const dc_golden_dir *list = &d->list;
    dc_status st = DC_OK;
    if (d->status == DC_ENOENT)
        st = dc_buf_printf(out, "golden directory %s is missing: its tensors have no golden",
                           list->path);
    else if (d->status != DC_OK)
        st = dc_buf_puts(out, d->error);
    else if (list->nignored && !list->n)
        st = dc_buf_printf(out,
                           "%s: holds no golden, but %s (%s); a template such as "
                           "'%s/rank_{rank}/step_{step}' names a directory for each rank and step",
                           list->path, dc_pool_text(list->pool, list->ignored[0].file),
                           dc_pool_text(list->pool, list->ignored[0].reason), list->path);
    else if (list->nignored)
        st = dc_buf_printf(out, "%s: %zu of its files are no goldens (%s: %s)", list->path,
                           list->nignored, dc_pool_text(list->pool, list->ignored[0].file),
                           dc_pool_text(list->pool, list->ignored[0].reason));
    return st == DC_OK ? dc_buf_add(out, "", 1) : st;
}

static dc_status tell(dc_route *r, const dc_golden_dirs *dirs, const dc_par *par)
{
    dc_status st = dc_route_begin(r, par);
    for (size_t i = 0; st == DC_OK && i < dirs->n; i++) {
        const dc_listed_dir *d = &dirs->dir[i];
        const wire_dir w = {.ignored = d->list.nignored, .status = (int32_t)d->status};
        int to = owner_of(d, par);
        dc_buf text = {0};
        if ((st = describe(&text, d)) == DC_OK &&
            (st = dc_route_add(r, to, &w, sizeof w)) == DC_OK &&
            (st = dc_route_add(r, to, d->list.path, strlen(d->list.path) + 1)) == DC_OK)
            st = dc_route_add(r, to, text.data, text.n);
        dc_buf_free(&text);
    }
    return st;
}

/* Take one report; the first about a directory is what counts. */
static dc_status take_dir(heard *h, const dc_arrived *in, uint64_t *at)
{
    wire_dir w = {0};
    uint32_t id;
    dc_take(&w, sizeof w, in->data, at, in->total);
    const char *path = dc_take_text(in->data, at, in->total);
    const char *text = dc_take_text(in->data, at, in->total);
    dc_status st = dc_tally_add(&id, &h->paths, path);
    if (st != DC_OK || h->paths.count[id] > 1)
        return st;
    h->out->goldens_ignored += w.ignored;
    h->out->dirs_missing += w.status == DC_ENOENT;
    return *text ? dc_buf_add(h->messages, text, strlen(text) + 1) : DC_OK;
}

/* The owner's part: count, then answer each report with the number of processes. */
static dc_status answer(dc_route *back, heard *h, const dc_arrived *in, const dc_par *par)
{
    dc_status st = dc_route_begin(back, par);
    if (st == DC_OK)
        st = dc_tally_begin(&h->paths);
    for (uint64_t at = 0; st == DC_OK && at < in->total;)
        st = take_dir(h, in, &at);
    uint64_t at = 0, end = 0;
    for (int p = 0; st == DC_OK && p < par->processes; p++) {
        end += in->got[p];
        while (st == DC_OK && at < end) {
            wire_dir w;
            dc_take(&w, sizeof w, in->data, &at, end);
            uint32_t id = dc_pool_find(h->paths.pool, dc_take_text(in->data, &at, end));
            dc_take_text(in->data, &at, end);
            st = dc_route_add(back, p, &h->paths.count[id], sizeof *h->paths.count);
        }
    }
    dc_tally_fini(&h->paths);
    return st;
}

/* The answers of an owner stand in the order of our reports to it. */
static dc_status take_answers(dc_golden_dirs *dirs, const dc_arrived *in, const dc_par *par)
{
    uint64_t *at = calloc((size_t)par->processes + 1, sizeof *at);
    if (!at)
        return dc_fail_memory();
    for (int p = 0; p < par->processes; p++)
        at[p + 1] = at[p] + in->got[p];
    for (size_t i = 0; i < dirs->n; i++) {
        dc_listed_dir *d = &dirs->dir[i];
        dc_take(&d->askers, sizeof d->askers, in->data, &at[owner_of(d, par)], in->total);
    }
    free(at);
    return DC_OK;
}

dc_status dc_dir_askers_count(dc_alignment *out, dc_buf *messages, dc_golden_dirs *d,
                              dc_status local, const dc_par *par)
{
    heard h = {.out = out, .messages = messages};
    dc_route mail = {0};
    dc_arrived told = {0}, answers = {0};
    out->goldens_ignored = out->dirs_missing = 0;
    dc_status st = local == DC_OK ? tell(&mail, d, par) : local;
    st = dc_route_send(&told, &mail, st, par);
    if (st != DC_OK)
        return st;
    st = answer(&mail, &h, &told, par);
    dc_arrived_free(&told);
    st = dc_route_send(&answers, &mail, st, par);
    if (st != DC_OK)
        return st;
    st = dc_par_agree(take_answers(d, &answers, par), par);
    dc_arrived_free(&answers);
    dc_par_sum_u64(&out->goldens_ignored, 1, par);
    dc_par_sum_u64(&out->dirs_missing, 1, par);
    return st;
}
