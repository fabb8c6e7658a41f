/* mpi/walk_files.c - a walk's files: what their names say, which of them the filter wants, and
 * dealing them out. See walk.h. */
#include "mpi/clash.h"
#include "mpi/route.h"

#include "io/mapping_csv.h"
#include "io/path.h"

#include <stdlib.h>
#include <string.h>

/* The dump files of one directory while they are looked at. */
typedef struct listing {
    dc_walk *w;
    uint32_t dir;
    dc_mapping *mapping;
    bool mapping_read;
    dc_scan_file *file; /* [n] those that the filter is asked about */
    uint32_t *original; /* [n] ids of their whole names in `whole`, 0 where the name is that */
    dc_pool *whole;
    size_t n;
    dc_buf text; /* their op_type and op */
} listing;

/* One file on its way: the fixed part, then its name and its original name with their NULs. */
static dc_status pack_file(dc_walk *w, const dc_walk_file *f)
{
    dc_buf *out = &w->listed;
    dc_status st = dc_buf_add(out, &f->dir, sizeof f->dir);
    if (st == DC_OK)
        st = dc_buf_add(out, &f->mark, sizeof f->mark);
    if (st == DC_OK)
        st = dc_buf_add(out, f->name, strlen(f->name) + 1);
    if (st == DC_OK)
        st = dc_buf_add(out, f->original, strlen(f->original) + 1);
    w->files += st == DC_OK;
    return st;
}

/* The file that is packed at `at`; returns where the next one is. */
static const char *unpack_file(dc_walk_file *f, const char *at)
{
    memcpy(&f->dir, at, sizeof f->dir);
    memcpy(&f->mark, at + sizeof f->dir, sizeof f->mark);
    f->name = at + sizeof f->dir + sizeof f->mark;
    f->original = f->name + strlen(f->name) + 1;
    return f->original + strlen(f->original) + 1;
}

/* Once for a directory; one without the file has no original names. */
static dc_status read_mapping(listing *l)
{
    const char *dir = l->w->dir[l->dir].path;
    if (l->mapping_read)
        return DC_OK;
    char *path = dc_path_join(dir, "mapping.csv");
    l->mapping_read = true;
    dc_status st = path ? dc_mapping_open(&l->mapping, NULL, path) : DC_ENOMEM;
    if (st == DC_ENOENT)
        st = DC_OK;
    else if (st != DC_OK && st != DC_ENOMEM)
        st = dc_walk_skip(l->w, dir, "mapping.csv", dc_last_error_of(path), DC_SKIPPED_FAULT);
    free(path);
    return st;
}

/* The whole name of a hashed file, 0 where mapping.csv does not give it. */
static dc_status find_original(uint32_t *id, listing *l, const char *hash)
{
    dc_status st = read_mapping(l);
    const char *name = l->mapping ? dc_mapping_find(l->mapping, hash) : NULL;
    *id = 0;
    return name && st == DC_OK ? dc_pool_adds(id, l->whole, name) : st;
}

/* Note a mapping.csv that has more names than the directory has files of them. */
static dc_status note_lost(listing *l, const char *const *name, size_t n)
{
    size_t there = 0;
    dc_status st = read_mapping(l);
    for (size_t i = 0; l->mapping && i < n; i++)
        there += dc_mapping_find(l->mapping, name[i]) != NULL;
    if (st != DC_OK || !l->mapping || there >= dc_mapping_count(l->mapping))
        return st;
    char *path = dc_path_join(l->w->dir[l->dir].path, "mapping.csv");
    if (!path)
        return DC_ENOMEM;
    dc_scan_odd_add(&l->w->lost, dc_mapping_count(l->mapping) - there, path);
    free(path);
    return DC_OK;
}

/* *at: an offset into text until the text stops moving. */
static dc_status put_part(const char **at, dc_buf *text, dc_name_part p)
{
    size_t start = text->n;
    *at = (const char *)(uintptr_t)start;
    dc_status st = dc_buf_add(text, p.n ? p.at : "", p.n);
    if (st == DC_OK)
        st = dc_buf_add(text, "", 1);
    if (st == DC_OK)
        dc_name_sanitise(text->data + start); /* captured names are as they are */
    return st;
}

/* The whole name of a captured file whose op name holds slashes. */
static dc_status join_captured(uint32_t *id, listing *l, const char *name)
{
    char *whole = dc_path_join(l->w->dir[l->dir].place.captured, name);
    dc_status st = whole ? dc_pool_adds(id, l->whole, whole) : DC_ENOMEM;
    free(whole);
    return st;
}

/* Whether a file of that kind belongs to an operator, so that the filter has a say. */
static bool of_operator(const dc_dump_name *name)
{
    return name->op_type.n && (name->kind == DC_NAME_DUMP || name->kind == DC_NAME_STATISTICS ||
                               name->kind == DC_NAME_EXCEPTION);
}

static dc_status look_at(listing *l, const char *name)
{
    dc_dump_name parsed;
    uint32_t original = 0;
    dc_status st = DC_OK;
    dc_dump_name_parse(&parsed, name);
    if (l->w->dir[l->dir].place.captured)
        st = join_captured(&original, l, name);
    else if (parsed.kind == DC_NAME_HASHED)
        st = find_original(&original, l, name);
    if (st == DC_OK && original)
        dc_dump_name_parse(&parsed, dc_pool_text(l->whole, original));
    if (st != DC_OK)
        return st;
    if (!of_operator(&parsed))
        return pack_file(l->w, &(dc_walk_file){l->dir, 1, name, dc_pool_text(l->whole, original)});
    dc_scan_file *f = &l->file[l->n];
    *f = (dc_scan_file){.file = name, .name = parsed, .mark = 1};
    st = put_part(&f->op_type, &l->text, parsed.op_type);
    if (st == DC_OK)
        st = put_part(&f->op, &l->text, parsed.op_name);
    l->original[l->n++] = original;
    return st;
}

static dc_status ask_filter(listing *l, const dc_scan_ask *ask)
{
    const dc_scan_filter *filter = &ask->filter;
    char model[512];
    const dc_scan_dir dir = dc_walk_scan_dir(&l->w->dir[l->dir], model);
    dc_status st = DC_OK;
    for (size_t i = 0; i < l->n; i++) {
        l->file[i].op_type = l->text.data + (uintptr_t)l->file[i].op_type;
        l->file[i].op = l->text.data + (uintptr_t)l->file[i].op;
    }
    if (!ask->mixed)
        st = dc_clash_in_dir(dir.path, l->file, l->n);
    if (st == DC_OK && l->n && filter->want_files)
        st = filter->want_files(filter->context, &dir, l->file, l->n);
    for (size_t i = 0; st == DC_OK && i < l->n; i++)
        if (l->file[i].mark)
            st = pack_file(l->w, &(dc_walk_file){l->dir, l->file[i].mark, l->file[i].file,
                                                 dc_pool_text(l->whole, l->original[i])});
    return st;
}

dc_status dc_walk_take_files(dc_walk *w, uint32_t dir, const char *const *name, size_t n,
                             const dc_scan_ask *ask)
{
    listing l = {.w = w,
                 .dir = dir,
                 .file = malloc((n + 1) * sizeof *l.file),
                 .original = malloc((n + 1) * sizeof *l.original)};
    dc_status st = l.file && l.original ? dc_pool_new(&l.whole) : dc_fail_memory();
    w->seen += n;
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = strcmp(name[i], "mapping.csv") == 0 ? note_lost(&l, name, n) : look_at(&l, name[i]);
    if (st == DC_OK)
        st = ask_filter(&l, ask);
    dc_mapping_free(l.mapping);
    free(l.file);
    free(l.original);
    dc_pool_free(l.whole);
    dc_buf_free(&l.text);
    return st;
}

/* The share of this process: names point into it. */
static dc_status unpack_files(dc_walk *w, uint64_t bytes)
{
    dc_status st = DC_OK;
    w->files = 0;
    for (const char *at = w->share; st == DC_OK && bytes && at < w->share + bytes;) {
        st = dc_grow((void **)&w->file, &w->capfiles, w->files, 1, sizeof *w->file);
        if (st == DC_OK)
            at = unpack_file(&w->file[w->files++], at);
    }
    return st;
}

dc_status dc_walk_deal_files(dc_walk *w, const dc_par *par)
{
    uint64_t total = w->files, before = dc_par_before_u64(w->files, par);
    const char *at = w->listed.data;
    dc_route mail = {0};
    dc_arrived in = {0};
    dc_par_sum_u64(&total, 1, par);
    dc_status st = dc_route_begin(&mail, par);
    if (dc_fault("walk.deal"))
        st = dc_fail(DC_EIO, "fault injected: walk.deal");
    for (size_t i = 0; st == DC_OK && i < w->files; i++) {
        dc_walk_file f;
        int to = (int)((before + i) * (uint64_t)par->processes / total);
        const char *next = unpack_file(&f, at);
        st = dc_route_add(&mail, to, at, (size_t)(next - at));
        at = next;
    }
    dc_buf_free(&w->listed);
    st = dc_route_send(&in, &mail, st, par);
    w->share = in.data;
    uint64_t bytes = in.total;
    in.data = NULL;
    dc_arrived_free(&in);
    if (st == DC_OK)
        st = unpack_files(w, bytes);
    return dc_par_agree(st, par);
}
