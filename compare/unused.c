/* compare/unused.c - see unused.h
 *
 * A file left over in a directory of one process is left over; one in a shared directory is if all
 * who look there say so to the directory's owner. */
#include "compare/unused.h"

#include "compare/tally.h"
#include "mpi/route.h"

#include <string.h>

/* A file left over in a shared directory, to the owner. Path, name and file name follow. */
typedef struct wire_file {
    uint32_t output, askers;
    uint32_t sibling_used, spare; /* another file of the same name and output was used */
} wire_file;

typedef struct job {
    dc_alignment *out;
    dc_lines *lines;
    const dc_golden_dirs *dirs;
    const uint8_t *used;
    const dc_par *par;
} job;

static int owner_of(const job *j, const char *path)
{
    return dc_route_owner(path, strlen(path), j->par);
}

static dc_status add_text(dc_route *r, int to, const char *text)
{
    return dc_route_add(r, to, text, strlen(text) + 1);
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
    wire_file w = {.output = f->output, .askers = dir->askers};
    dc_status st = DC_OK;
    int owner = owner_of(j, list->path);
    char file[DC_FILE_NAME];
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
    dc_tally said = {0}, sibling = {0};
    dc_buf key = {0};
    dc_status st = dc_tally_begin(&said);
    if (st == DC_OK)
        st = dc_tally_begin(&sibling);
    for (uint64_t at = 0; st == DC_OK && at < in->total; key.n = 0) {
        wire_file w = {0};
        uint32_t id, used;
        dc_take(&w, sizeof w, in->data, &at, in->total);
        const char *path = dc_take_text(in->data, &at, in->total);
        const char *name = dc_take_text(in->data, &at, in->total);
        const char *file = dc_take_text(in->data, &at, in->total);
        if ((st = dc_buf_printf(&key, "%s/%s%c", path, file, 0)) == DC_OK &&
            (st = dc_tally_add(&id, &said, key.data)) == DC_OK && w.sibling_used)
            st = dc_tally_add(&used, &sibling, key.data);
        if (st == DC_OK && said.count[id] == w.askers)
            st = add_line(j, name, w.output, dc_pool_find(sibling.pool, key.data) != DC_NO_STR);
    }
    dc_buf_free(&key);
    dc_tally_fini(&said);
    dc_tally_fini(&sibling);
    return st;
}

dc_status dc_unused_collect(dc_alignment *out, dc_lines *lines, const dc_unused_ask *ask,
                            dc_status local, const dc_par *par)
{
    job j = {out, lines, ask->dirs, ask->used, par};
    dc_route route = {0};
    dc_arrived in = {0};
    out->goldens_unused = 0;
    dc_status st = local == DC_OK ? leave_files(&route, &j) : local;
    st = dc_route_send(&in, &route, st, par);
    if (st != DC_OK)
        return st;
    st = dc_par_agree(take_files(&j, &in), par);
    dc_arrived_free(&in);
    if (st == DC_OK)
        dc_par_sum_u64(&out->goldens_unused, 1, par);
    return st;
}
