/* mpi/headers.c - see headers.h */
#include "mpi/headers.h"

#include "io/dump_name.h"
#include "io/hashed_name.h"
#include "io/interrupt.h"
#include "io/path.h"
#include "io/stats_csv.h"
#include "io/tensor_dump.h"
#include "mpi/overflows.h"
#include "mpi/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#define GROWING_SECONDS 10
#define FFTS_PLUS       4 /* task type in a file name's suffix */

typedef struct reader {
    dc_headers *h;
    dc_walk *w;
    const dc_scan_filter *filter;
    const char *original_path; /* or NULL */
    time_t now;                /* when reading began */
} reader;

/* The columns that all tensors of a file share. */
static dc_status file_columns(dc_tensor *t, reader *r, const dc_walk_file *f, const dc_dump *d,
                              const dc_dump_name *name)
{
    const dc_walk_dir *dir = &r->w->dir[f->dir];
    dc_pool *names = r->w->names;
    *t = (dc_tensor){.rank = dir->rank, .device = dir->place.device, .step = dir->place.step};
    t->slices = dc_slices_told(d);
    dc_status st = dc_tensor_from_file(t, names, d, name);
    if (st == DC_OK)
        st = dc_pool_add(&t->model_dir, names, dir->place.model, dir->place.model_length);
    if (st == DC_OK)
        st = dc_pool_adds(&t->dir, names, dir->path);
    return st == DC_OK ? dc_file_name_add(&t->file, &t->file_number, names, f->name) : st;
}

/* What must not repeat within a run: see runs.h. */
static uint64_t run_key(const dc_walk_dir *dir, const dc_tensor *t, const dc_pool *names)
{
    char model[256];
    const int64_t number[6] = {t->rank, t->step, t->task, t->stream, t->context, t->slice};
    dc_tree_model_name(model, sizeof model, dir->place.model, dir->place.model_length);
    const char *op = dc_pool_text(names, t->op), *type = dc_pool_text(names, t->op_type);
    uint64_t h = XXH3_64bits(number, sizeof number);
    h = XXH3_64bits_withSeed(model, strlen(model), h);
    h = XXH3_64bits_withSeed(type, strlen(type), h);
    return XXH3_64bits_withSeed(op, strlen(op), h);
}

static void note_time(dc_headers *h, uint32_t dir, uint64_t time)
{
    if (time < h->first_time[dir])
        h->first_time[dir] = time;
    if (time > h->last_time[dir])
        h->last_time[dir] = time;
}

static dc_status add_key(reader *r, const dc_walk_file *f, const dc_tensor *t)
{
    dc_headers *h = r->h;
    dc_status st = dc_grow((void **)&h->key, &h->capkey, h->keys, 1, sizeof *h->key);
    if (st == DC_OK)
        h->key[h->keys++] = (dc_run_key){run_key(&r->w->dir[f->dir], t, r->w->names), f->dir};
    note_time(h, f->dir, t->dump_time);
    return st;
}

static dc_status add_row(reader *r, const dc_walk_file *f, const dc_tensor *t)
{
    dc_headers *h = r->h;
    dc_status st = dc_grow((void **)&h->row, &h->cap, h->n, 1, sizeof *h->row);
    if (st == DC_OK)
        st = dc_grow((void **)&h->row_dir, &h->capdir, h->n, 1, sizeof *h->row_dir);
    if (st == DC_OK) {
        h->row[h->n] = *t;
        h->row_dir[h->n++] = f->dir;
    }
    return st;
}

/* The tensors that are wanted of an operator that is. */
static dc_status add_wanted(reader *r, const dc_walk_file *f, const dc_dump *d, dc_tensor *t,
                            const dc_scan_op *op)
{
    const dc_scan_filter *filter = r->filter;
    dc_status st = DC_OK;
    if (filter->want_op && !filter->want_op(filter->context, op))
        return DC_OK;
    st = add_key(r, f, t);
    for (size_t i = 0; st == DC_OK && i < d->n; i++) {
        uint32_t slot = d->tensor[i].slot;
        if (filter->want_slot && !filter->want_slot(filter->context, op, i, &slot))
            continue;
        st = dc_tensor_from_dump(t, r->w->names, &d->tensor[i]);
        if (st == DC_OK && t->slices)
            st = dc_slices_cut(&t->cut, r->w->names, d, dc_slices_number(t, op->op), &d->tensor[i]);
        t->slot = slot;
        if (st == DC_OK)
            st = add_row(r, f, t);
    }
    return st;
}

static dc_status add_tensors(reader *r, const dc_walk_file *f, const dc_dump *d,
                             const dc_dump_name *name)
{
    dc_tensor t;
    char model[512];
    const dc_scan_dir dir = dc_walk_scan_dir(&r->w->dir[f->dir], model);
    dc_status st = file_columns(&t, r, f, d, name);
    if (st != DC_OK)
        return st;
    const dc_scan_op op = {.dir = &dir,
                           .op_type = dc_pool_text(r->w->names, t.op_type),
                           .op = dc_pool_text(r->w->names, t.op),
                           .dump = d,
                           .mark = f->mark,
                           .ffts = name->task_type == FFTS_PLUS};
    st = dc_slices_reasons(r->w->names, t.slices);
    return st == DC_OK ? add_wanted(r, f, d, &t, &op) : st;
}

static dc_status skip(reader *r, const dc_walk_file *f, const char *reason, uint8_t fault)
{
    return dc_walk_skip(r->w, r->w->dir[f->dir].path, f->name, reason, fault);
}

/* A file that changed just now may only be half-written: say so beside its fault. */
static void note_growing(reader *r, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || info.st_mtime + GROWING_SECONDS < r->now)
        return;
    dc_scan_odd_add(&r->h->cost.growing, 1, path);
}

static dc_status read_dump(reader *r, const dc_walk_file *f, const dc_dump_name *name)
{
    dc_dump d;
    char *path = dc_path_join(r->w->dir[f->dir].path, f->name);
    if (!path)
        return DC_ENOMEM;
    dc_status st = dc_dump_open(&d, path);
    if (st == DC_ENOMEM) {
        free(path);
        return st;
    }
    r->h->cost.headers++;
    if (st != DC_OK) {
        if (st == DC_EFORMAT)
            note_growing(r, path);
        st = skip(r, f, dc_last_error_of(path), DC_SKIPPED_FAULT);
    } else {
        r->h->cost.header_bytes += d.fetched;
        if (d.trailing)
            dc_scan_odd_add(&r->h->cost.trailing, 1, path);
        st = d.n ? add_tensors(r, f, &d, name) : skip(r, f, "holds no tensors", DC_SKIPPED_FAULT);
        dc_dump_fini(&d);
    }
    free(path);
    return st;
}

/* What a file of statistics tells about one operator, as if it were a dump without bytes. */
static dc_status add_statistics(reader *r, const dc_walk_file *f, dc_dump *d,
                                const dc_dump_name *name)
{
    for (size_t i = 0; i < d->n; i++)
        d->tensor[i].flags |= DC_TENSOR_STATISTICS | DC_TENSOR_CSV;
    return d->n ? add_tensors(r, f, d, name) : DC_OK;
}

/* The operator of a row of MindSpore's. */
static dc_status add_own_name(reader *r, const dc_walk_file *f, dc_stats_row *row)
{
    dc_dump d = {.op_name = "", .dfx_message = "", .n = 1, .tensor = &row->tensor};
    const dc_dump_name name = dc_stats_name(row);
    return add_statistics(r, f, &d, &name);
}

static dc_status read_rows(reader *r, const dc_walk_file *f, const dc_dump_name *name,
                           const dc_stats_csv *csv, const char *path)
{
    dc_dump d = {.op_name = "",
                 .dfx_message = ""}; /* CANN's rows are all of the operator that names the file */
    size_t cap = 0;
    char fault[256] = ""; /* of the first damaged row */
    bool more = true, any = false;
    dc_stats_row row;
    dc_status st = DC_OK;
    for (uint64_t at = 0; st == DC_OK && more;) {
        if (dc_stats_next(&row, &more, csv, &at) != DC_OK) {
            if (!*fault)
                snprintf(fault, sizeof fault, "%s", dc_last_error_of(path));
            continue;
        }
        any = any || more;
        if (more && row.name.n) {
            st = add_own_name(r, f, &row);
        } else if (more) {
            st = dc_grow((void **)&d.tensor, &cap, d.n, 1, sizeof *d.tensor);
            if (st == DC_OK)
                d.tensor[d.n++] = row.tensor;
        }
    }
    if (st == DC_OK)
        st = add_statistics(r, f, &d, name);
    if (st == DC_OK && *fault)
        st = skip(r, f, fault, any ? DC_SKIPPED_PARTLY : DC_SKIPPED_FAULT);
    free(d.tensor);
    return st;
}

static dc_status read_statistics(reader *r, const dc_walk_file *f, const dc_dump_name *name)
{
    dc_stats_csv *csv = NULL;
    char *path = dc_path_join(r->w->dir[f->dir].path, f->name);
    if (!path)
        return DC_ENOMEM;
    dc_status st = dc_stats_open(&csv, path);
    if (st == DC_OK)
        st = read_rows(r, f, name, csv, path);
    else if (st != DC_ENOMEM)
        st = skip(r, f, dc_last_error_of(path), DC_SKIPPED_FAULT);
    dc_stats_free(csv);
    free(path);
    return st;
}

static dc_status read_overflow(reader *r, const dc_walk_file *f)
{
    uint64_t time;
    dc_status st = dc_overflows_read(&time, r->w, f);
    if (time)
        note_time(r->h, f->dir, time);
    return st;
}

static const char *reason_of(dc_name_kind kind)
{
    switch (kind) {
    case DC_NAME_EXCEPTION:
        return "an exception's record, not tensors";
    case DC_NAME_CONVERTED:
        return "a converted tensor, not a dump file";
    default:
        return "not a dump file";
    }
}

/* What a file's name says: its whole name, where it has another one (walk.h); false if it is a hash
 * without. */
static bool name_of(dc_dump_name *out, const dc_walk_file *f)
{
    dc_dump_name_parse(out, *f->original ? f->original : f->name);
    return out->kind != DC_NAME_HASHED;
}

/* Note a hashed file whose name does not fit its original one at the original path. */
static dc_status check_hashed(reader *r, const dc_walk_file *f)
{
    const dc_walk_dir *dir = &r->w->dir[f->dir];
    bool fits = true;
    if (!r->original_path || !*f->original || dir->place.captured || !dc_hashed_is(f->name))
        return DC_OK;
    dc_status st = dc_hashed_fits(&fits, f->name, r->original_path, dir->path, f->original);
    if (st != DC_OK || fits)
        return st;
    char *path = dc_path_join(dir->path, f->name);
    if (!path)
        return DC_ENOMEM;
    dc_scan_odd_add(&r->h->cost.misnamed, 1, path);
    free(path);
    return DC_OK;
}

static dc_status read_file(reader *r, const dc_walk_file *f)
{
    dc_dump_name name;
    if (!name_of(&name, f))
        return skip(r, f, "its name is a hash, and mapping.csv does not give the original name",
                    DC_SKIPPED_FAULT);
    dc_status st = check_hashed(r, f);
    if (st != DC_OK)
        return st;
    const dc_walk_dir *dir = &r->w->dir[f->dir];
    bool tensors = name.kind == DC_NAME_DUMP || (name.kind == DC_NAME_EXCEPTION && name.op_type.n);
    if (dir->place.unnumbered_length && (tensors || name.kind == DC_NAME_STATISTICS))
        dc_scan_odd_add(&r->h->cost.unnumbered, 1, dir->path);
    if (name.kind == DC_NAME_STATISTICS)
        return read_statistics(r, f, &name);
    if (name.kind == DC_NAME_OVERFLOW)
        return read_overflow(r, f);
    return tensors ? read_dump(r, f, &name) : skip(r, f, reason_of(name.kind), DC_SKIPPED_OTHER);
}

dc_status dc_headers_read(dc_headers *out, dc_walk *w, const dc_scan_ask *ask)
{
    dc_headers h = {.cost.lost = w->lost};
    reader r = {.h = &h,
                .w = w,
                .filter = &ask->filter,
                .original_path = ask->original_path,
                .now = time(NULL)};
    h.first_time = malloc((w->dirs + 1) * sizeof *h.first_time);
    h.last_time = calloc(w->dirs + 1, sizeof *h.last_time);
    dc_status st = h.first_time && h.last_time ? DC_OK : dc_fail_memory();
    for (size_t d = 0; st == DC_OK && d < w->dirs; d++)
        h.first_time[d] = UINT64_MAX;
    for (size_t i = 0; st == DC_OK && i < w->files; i++)
        st =
            dc_interrupted() ? dc_fail(DC_EINTERRUPTED, "interrupted") : read_file(&r, &w->file[i]);
    if (st != DC_OK) {
        dc_headers_fini(&h);
        return st;
    }
    *out = h;
    return DC_OK;
}

void dc_headers_fini(dc_headers *h)
{
    free(h->row);
    free(h->row_dir);
    free(h->key);
    free(h->first_time);
    free(h->last_time);
    *h = (dc_headers){0};
}
