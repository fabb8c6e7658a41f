/* compare/unused.c - see unused.h
 *
 * Two rounds. First every directory's path meets at its owner, which counts the processes that look
 * into it and says what is to be said once. Then a file left over in a directory of one process is
 * left over; one in a shared directory is if all who look there say so to the owner. */
#include "compare/unused.h"

#include "mpi/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* About a directory, to its owner. The path and a text follow: the error, or the first ignored file
 * and why. */
typedef struct wire_dir {
    uint64_t ignored;
    int32_t status;
    uint32_t spare;
} wire_dir;

/* A file left over in a shared directory, to the owner. Path, name and file name follow. */
typedef struct wire_file {
    uint32_t output, askers;
    uint32_t sibling_used, spare; /* another file of the same name and output was used */
} wire_file;

typedef struct job {
    dc_alignment *out;
    dc_lines *lines;
    dc_buf *messages;
    const dc_golden_dirs *dirs;
    const uint8_t *used;
    const dc_par *par;
    uint32_t *askers; /* [dirs->n]: processes that look into the directory */
} job;

static int owner_of(const job *j, const char *path)
{
    return dc_route_owner(path, strlen(path), j->par);
}

static dc_status add_text(dc_route *r, int to, const char *text)
{
    return dc_route_add(r, to, text, strlen(text) + 1);
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
    else if (list->nignored)
        st = dc_buf_printf(out, "%s: %zu of its files are no goldens (%s: %s)", list->path,
                           list->nignored, dc_pool_text(list->pool, list->ignored[0].file),
                           dc_pool_text(list->pool, list->ignored[0].reason));
    return st == DC_OK ? dc_buf_add(out, "", 1) : st;
}

static dc_status tell_dirs(dc_route *r, const job *j)
{
    dc_status st = dc_route_begin(r, j->par);
    for (size_t i = 0; st == DC_OK && i < j->dirs->n; i++) {
        const dc_listed_dir *d = &j->dirs->dir[i];
        const wire_dir w = {.ignored = d->list.nignored, .status = (int32_t)d->status};
        int to = owner_of(j, d->list.path);
        dc_buf text = {0};
        if ((st = describe(&text, d)) == DC_OK &&
            (st = dc_route_add(r, to, &w, sizeof w)) == DC_OK &&
            (st = add_text(r, to, d->list.path)) == DC_OK)
            st = dc_route_add(r, to, text.data, text.n);
        dc_buf_free(&text);
    }
    return st;
}

/* Texts with a count each. */
typedef struct counted {
    dc_pool *pool;
    uint32_t *count; /* by id */
    size_t cap;
} counted;

static dc_status count(uint32_t *id, counted *c, const char *text)
{
    uint32_t before = dc_pool_count(c->pool);
    dc_status st = dc_pool_adds(id, c->pool, text);
    if (st == DC_OK && dc_pool_count(c->pool) > before) {
        if ((st = dc_grow((void **)&c->count, &c->cap, *id, 1, sizeof *c->count)) != DC_OK)
            return st;
        c->count[*id] = 0;
    }
    if (st == DC_OK)
        c->count[*id]++;
    return st;
}

static void counted_fini(counted *c)
{
    dc_pool_free(c->pool);
    free(c->count);
}

/* Take one report; the first about a directory is what counts. */
static dc_status take_dir(job *j, counted *c, const dc_arrived *in, uint64_t *at)
{
    wire_dir w = {0};
    uint32_t id;
    dc_take(&w, sizeof w, in->data, at, in->total);
    const char *path = dc_take_text(in->data, at, in->total);
    const char *text = dc_take_text(in->data, at, in->total);
    dc_status st = count(&id, c, path);
    if (st != DC_OK || c->count[id] > 1)
        return st;
    j->out->goldens_ignored += w.ignored;
    j->out->dirs_missing += w.status == DC_ENOENT;
    return *text ? dc_buf_add(j->messages, text, strlen(text) + 1) : DC_OK;
}

/* The owner's part: count, then answer each report with the number of processes. */
static dc_status count_askers(dc_route *back, job *j, const dc_arrived *in)
{
    counted c = {0};
    dc_status st = dc_route_begin(back, j->par);
    if (st == DC_OK)
        st = dc_pool_new(&c.pool);
    if (st == DC_OK)
        st = dc_grow((void **)&c.count, &c.cap, 0, 1, sizeof *c.count); /* id 0 is no path */
    for (uint64_t at = 0; st == DC_OK && at < in->total;)
        st = take_dir(j, &c, in, &at);
    uint64_t at = 0, end = 0;
    for (int p = 0; st == DC_OK && p < j->par->processes; p++) {
        end += in->got[p];
        while (st == DC_OK && at < end) {
            wire_dir w;
            dc_take(&w, sizeof w, in->data, &at, end);
            uint32_t id = dc_pool_find(c.pool, dc_take_text(in->data, &at, end));
            dc_take_text(in->data, &at, end);
            st = dc_route_add(back, p, &c.count[id], sizeof *c.count);
        }
    }
    counted_fini(&c);
    return st;
}

static dc_status take_askers(job *j, const dc_arrived *in)
{
    uint64_t *at = calloc((size_t)j->par->processes + 1, sizeof *at);
    j->askers = calloc(j->dirs->n + 1, sizeof *j->askers);
    if (at && j->askers) {
        for (int p = 0; p < j->par->processes; p++)
            at[p + 1] = at[p] + in->got[p];
        for (size_t i = 0; i < j->dirs->n; i++)
            dc_take(&j->askers[i], sizeof *j->askers, in->data,
                    &at[owner_of(j, j->dirs->dir[i].list.path)], in->total);
    }
    free(at);
    return at && j->askers ? DC_OK : dc_fail_memory();
}

static dc_status first_round(job *j, dc_status local)
{
    dc_route tell = {0}, back = {0};
    dc_arrived told = {0}, answer = {0};
    dc_status st = local == DC_OK ? tell_dirs(&tell, j) : local;
    st = dc_route_send(&told, &tell, st, j->par);
    if (st != DC_OK)
        return st;
    st = count_askers(&back, j, &told);
    dc_arrived_free(&told);
    st = dc_route_send(&answer, &back, st, j->par);
    if (st == DC_OK)
        st = take_askers(j, &answer);
    dc_arrived_free(&answer);
    return st;
}

static dc_status add_line(job *j, const char *name, uint32_t output, bool sibling_used)
{
    dc_buf label = {0};
    dc_line_key key = {.unused = 1};
    const dc_line_tally one = {.count = 1, .rank = -1, .step = -1};
    dc_status st = dc_buf_printf(&label, "%s:%u", name, output);
    if (st == DC_OK)
        st = dc_pool_add(&key.golden, j->lines->texts, label.data, label.n);
    if (st == DC_OK && sibling_used)
        st = dc_pool_adds(&key.reason, j->lines->texts, DC_UNUSED_LATER);
    if (st == DC_OK)
        st = dc_lines_add(j->lines, &key, &one);
    j->out->goldens_unused += st == DC_OK;
    dc_buf_free(&label);
    return st;
}

static bool same_output(const dc_golden_file *a, const dc_golden_file *b)
{
    return a->name == b->name && a->output == b->output;
}

/* Files of one name and output, of directory d: those that are left over. */
static dc_status leave_group(dc_route *r, job *j, uint32_t d, size_t from, size_t to)
{
    const dc_listed_dir *dir = &j->dirs->dir[d];
    const dc_golden_dir *list = &dir->list;
    const dc_golden_file *f = &list->file[from];
    const char *name = dc_pool_text(list->pool, f->name);
    wire_file w = {.output = f->output, .askers = j->askers ? j->askers[d] : 1};
    dc_status st = DC_OK;
    int owner = owner_of(j, list->path);
    char file[DC_GOLDEN_NAME];
    for (size_t i = from; i < to; i++)
        w.sibling_used |= j->used[dir->base + i];
    for (size_t i = from; st == DC_OK && i < to; i++) {
        if (j->used[dir->base + i])
            continue;
        if (w.askers < 2)
            st = add_line(j, name, f->output, w.sibling_used);
        else if ((st = dc_route_add(r, owner, &w, sizeof w)) == DC_OK &&
                 (st = add_text(r, owner, list->path)) == DC_OK &&
                 (st = add_text(r, owner, name)) == DC_OK)
            st = add_text(r, owner, dc_golden_file_name(file, list, &list->file[i]));
    }
    return st;
}

static dc_status leave_files(dc_route *r, job *j)
{
    dc_status st = dc_route_begin(r, j->par);
    for (uint32_t d = 0; st == DC_OK && d < j->dirs->n; d++) {
        const dc_golden_dir *list = &j->dirs->dir[d].list;
        for (size_t from = 0, to; st == DC_OK && from < list->n; from = to) {
            for (to = from + 1; to < list->n && same_output(&list->file[from], &list->file[to]);)
                to++;
            st = leave_group(r, j, d, from, to);
        }
    }
    return st;
}

/* The owner's part: a file that everyone left over is. Reports of one file are counted under
 * "path/file"; the last of them makes the line. */
static dc_status take_files(job *j, const dc_arrived *in)
{
    counted said = {0}, sibling = {0};
    dc_buf key = {0};
    dc_status st = dc_pool_new(&said.pool);
    if (st == DC_OK)
        st = dc_pool_new(&sibling.pool);
    for (uint64_t at = 0; st == DC_OK && at < in->total; key.n = 0) {
        wire_file w = {0};
        uint32_t id, used;
        dc_take(&w, sizeof w, in->data, &at, in->total);
        const char *path = dc_take_text(in->data, &at, in->total);
        const char *name = dc_take_text(in->data, &at, in->total);
        const char *file = dc_take_text(in->data, &at, in->total);
        if ((st = dc_buf_printf(&key, "%s/%s%c", path, file, 0)) == DC_OK &&
            (st = count(&id, &said, key.data)) == DC_OK && w.sibling_used)
            st = count(&used, &sibling, key.data);
        if (st == DC_OK && said.count[id] == w.askers)
            st = add_line(j, name, w.output, dc_pool_find(sibling.pool, key.data) != DC_NO_STR);
    }
    dc_buf_free(&key);
    counted_fini(&said);
    counted_fini(&sibling);
    return st;
}

dc_status dc_unused_collect(dc_alignment *out, dc_lines *lines, dc_buf *messages,
                            const dc_unused_ask *ask, dc_status local, const dc_par *par)
{
    job j = {out, lines, messages, ask->dirs, ask->used, par, NULL};
    dc_route route = {0};
    dc_arrived in = {0};
    out->goldens_unused = out->goldens_ignored = out->dirs_missing = 0;
    dc_status st = dc_par_agree(first_round(&j, local), par);
    if (st == DC_OK) {
        st = dc_route_send(&in, &route, leave_files(&route, &j), par);
        if (st == DC_OK)
            st = take_files(&j, &in);
        st = dc_par_agree(st, par);
    }
    dc_arrived_free(&in);
    free(j.askers);
    uint64_t sum[3] = {out->goldens_unused, out->goldens_ignored, out->dirs_missing};
    if (st == DC_OK) {
        dc_par_sum_u64(sum, 3, par);
        out->goldens_unused = sum[0];
        out->goldens_ignored = sum[1];
        out->dirs_missing = sum[2];
    }
    return st;
}
