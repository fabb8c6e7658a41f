/* capture/origin_each.c - see origin_each.h */
#include "capture/origin_each.h"

#include "capture/origin_file.h"
#include "capture/view.h"
#include "io/dtype.h"
#include "io/format.h"
#include "io/path.h"
#include "mpi/slices.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 1024

typedef struct walk {
    dc_origin *o;
    const char *glob;
    dc_origin_visit visit;
    void *context;
    dc_item *item; /* of one execution's operator, what was asked for */
    size_t n, cap;
    dc_slice *part; /* its parts; item: a file's row, or 0 */
    dc_result *result;
    size_t parts, cap_part, cap_result;
    dc_tensor last;
    bool any; /* last is one */
} walk;

/* A path may itself hold the characters of a glob. */
static bool matches(const char *glob, const char *path)
{
    return !glob || strcmp(glob, path) == 0 || fnmatch(glob, path, 0) == 0;
}

/* *path, malloc'd; of one of a file's tensors `part` (from 0) is told, too. */
static dc_status name_item(char **path, const walk *w, const dc_tensor *t, uint32_t part)
{
    const dc_origin *o = w->o;
    dc_buf text = {0};
    dc_status st = o->store   ? dc_view_path(&text, t, o->names, o->runs)
                   : o->named ? dc_view_name(&text, t, o->names)
                              : dc_view_slot(&text, t);
    if (st == DC_OK && !o->store && part != UINT32_MAX)
        st = dc_buf_printf(&text, "@%u", part);
    if (st == DC_OK && t->flags & DC_TENSOR_CSV && !o->store && !o->named && t->occurrence)
        st = dc_buf_printf(&text, "#%u", t->occurrence);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    *path = text.data;
    return st;
}

static void drop_item(dc_item *item)
{
    free(item->path);
    free(item->why);
    dc_parts_free(item->parts);
}

/* Take it over. */
static dc_status keep(walk *w, dc_item *item)
{
    dc_status st = dc_grow((void **)&w->item, &w->cap, w->n, 1, sizeof *w->item);
    if (st == DC_OK)
        w->item[w->n++] = *item;
    else
        drop_item(item);
    return st;
}

static dc_status keep_row(walk *w, const dc_tensor *t, const dc_result *r)
{
    dc_item item = {.t = *t, .r = *r};
    uint32_t part =
        dc_origin_in_parts(t) ? dc_slices_number(t, dc_pool_text(w->o->names, t->op)) : UINT32_MAX;
    dc_status st = name_item(&item.path, w, t, part);
    if (st == DC_OK && matches(w->glob, item.path))
        return keep(w, &item);
    drop_item(&item);
    return st;
}

/* Names are added to a copy of the store's. */
static dc_status own_names(dc_origin *o)
{
    dc_status st = o->own ? DC_OK : dc_pool_copy(&o->own, o->names);
    o->names = st == DC_OK ? o->own : o->names;
    return st;
}

/* Append where a part's bytes are to a list. */
static dc_status add_line(dc_buf *list, dc_slice *p, const dc_origin *o, const dc_result *r)
{
    const dc_tensor *t = &p->t;
    if (o->store) {
        uint64_t at = dc_store_tensor_at(o->store, t);
        dc_status st = dc_slices_take(p, list, o->names, r, o->path, at);
        p->stored = p->stored && at != UINT64_MAX;
        return st;
    }
    char file[DC_FILE_NAME];
    dc_file_name(file, o->names, t->file, t->file_number);
    char *path = dc_path_join(dc_pool_text(o->names, t->dir), file);
    dc_status st = path ? dc_slices_take(p, list, o->names, NULL, path, t->offset) : DC_ENOMEM;
    free(path);
    return st;
}

/* The shape that it had before is only of use where it is that of the whole: blocked layouts are
 * checked against it (export_layout.h), others count as many elements. */
static void check_original(dc_tensor *t, const dc_pool *names, const dc_shape *whole)
{
    dc_shape original;
    uint64_t n, m;
    bool plain =
        t->format == DC_FORMAT_ND || t->format == DC_FORMAT_NCHW || t->format == DC_FORMAT_NHWC;
    if (plain && (dc_shape_parse(&original, dc_pool_text(names, t->original_shape)) != DC_OK ||
                  !dc_shape_count(&n, &original) || !dc_shape_count(&m, whole) || n != m))
        t->original_shape = 0;
}

/* What the parts p[0..n) make up, with the list of their places. */
static dc_status put_together(dc_item *whole, dc_origin *o, const dc_slice *p, size_t n,
                              const char *list)
{
    char why[128], shape[DC_SHAPE_TEXT];
    dc_slices_fault(why, p, n);
    dc_status st =
        *why ? dc_fail(DC_EFORMAT, "%s", why) : dc_parts_open(&whole->parts, list, whole->t.dtype);
    if (st == DC_EFORMAT || st == DC_EUNSUP) {
        whole->why = strdup(dc_last_error());
        return whole->why ? DC_OK : dc_fail_memory();
    }
    if (st != DC_OK)
        return st;
    whole->t.bytes = dc_parts_bytes(whole->parts);
    check_original(&whole->t, o->names, dc_parts_shape(whole->parts));
    dc_shape_print(shape, dc_parts_shape(whole->parts));
    return dc_pool_adds(&whole->t.shape, o->own, shape);
}

/* *kept: it was asked for. */
static dc_status keep_whole(walk *w, const dc_slice *p, size_t n, bool *kept)
{
    dc_buf list = {0};
    dc_item whole = {.t = p->t, .merged = p->t.slices};
    const char *op = dc_pool_text(w->o->names, p->t.op);
    dc_status st = own_names(w->o);
    whole.t.slice = whole.t.cut = 0;
    if (st == DC_OK)
        st = dc_pool_add(&whole.t.op, w->o->own, op, dc_slices_base(op));
    if (st == DC_OK)
        st = name_item(&whole.path, w, &whole.t, UINT32_MAX);
    *kept = st == DC_OK && matches(w->glob, whole.path);
    for (size_t i = 0; st == DC_OK && *kept && i < n; i++)
        st = dc_buf_puts(&list, p[i].line);
    if (st == DC_OK && *kept)
        st = dc_buf_add(&list, "", 1);
    if (st == DC_OK && *kept)
        st = put_together(&whole, w->o, p, n, list.data);
    dc_buf_free(&list);
    if (st == DC_OK && *kept)
        return keep(w, &whole);
    drop_item(&whole);
    return st;
}

/* The parts of one tensor: whole, or each as it is. Of a file, only what it has a part of. */
static dc_status take_tensor(walk *w, const dc_slice *p, size_t n)
{
    bool kept = false, own = false;
    dc_status st = DC_OK;
    for (size_t i = 0; i < n; i++)
        own = own || p[i].home == 0;
    if (own)
        st = keep_whole(w, p, n, &kept);
    for (size_t i = 0; st == DC_OK && !kept && i < n; i++)
        if (p[i].home == 0)
            st = keep_row(w, &p[i].t, &w->result[p[i].item]);
    return st;
}

static void clear(walk *w)
{
    for (size_t i = 0; i < w->parts; i++)
        free((char *)(uintptr_t)w->part[i].line);
    for (size_t i = 0; i < w->n; i++)
        drop_item(&w->item[i]);
    w->n = w->parts = 0;
}

/* The end of an operator's execution. */
static dc_status flush(walk *w)
{
    dc_status st = DC_OK;
    dc_slices_sort(w->part, w->parts, w->o->names);
    for (size_t i = 0, end; st == DC_OK && i < w->parts; i = end) {
        for (end = i + 1; end < w->parts &&
                          dc_slices_compare_tensors(&w->part[i], &w->part[end], w->o->names) == 0;)
            end++;
        st = take_tensor(w, w->part + i, end - i);
    }
    if (st == DC_OK && w->n)
        st = w->visit(w->context, w->item, w->n);
    clear(w);
    return st;
}

static dc_status collect_part(walk *w, const dc_tensor *t, const dc_result *r, bool own)
{
    dc_buf line = {0};
    dc_slice p = {.t = *t, .home = own ? 0 : 1, .item = w->parts};
    dc_status st = dc_grow((void **)&w->part, &w->cap_part, w->parts, 1, sizeof *w->part);
    if (st == DC_OK)
        st = dc_grow((void **)&w->result, &w->cap_result, w->parts, 1, sizeof *w->result);
    if (st == DC_OK)
        st = add_line(&line, &p, w->o, r);
    if (st == DC_OK)
        st = dc_buf_add(&line, "", 1);
    if (st != DC_OK) {
        dc_buf_free(&line);
        return st;
    }
    p.line = line.data;
    w->result[w->parts] = *r;
    w->part[w->parts++] = p;
    return DC_OK;
}

static bool same_operator(const walk *w, const dc_tensor *t)
{
    const dc_tensor *l = &w->last;
    if (l->op == t->op)
        return true;
    const char *a = dc_pool_text(w->o->names, l->op), *b = dc_pool_text(w->o->names, t->op);
    size_t n = dc_slices_stem(a);
    return n == dc_slices_stem(b) && strncmp(a, b, n) == 0;
}

static bool same_place(const dc_tensor *a, const dc_tensor *b)
{
    return a->rank == b->rank && a->run == b->run && a->model == b->model && a->step == b->step;
}

static dc_status consider(walk *w, const dc_tensor *t, const dc_result *r, bool own)
{
    dc_status st = DC_OK;
    if (w->any && !(same_place(&w->last, t) && same_operator(w, t)))
        st = flush(w);
    w->last = *t;
    w->any = true;
    if (st != DC_OK)
        return st;
    if (dc_origin_in_parts(t))
        return collect_part(w, t, r, own);
    return own ? keep_row(w, t, r) : DC_OK;
}

static dc_status each_row(walk *w)
{
    dc_origin *o = w->o;
    dc_tensor *row = malloc(BATCH * sizeof *row);
    dc_result *result = malloc(BATCH * sizeof *result);
    dc_status st = row && result ? DC_OK : dc_fail_memory();
    for (uint64_t first = 0; st == DC_OK && first < o->rows; first += BATCH) {
        uint64_t n = o->rows - first < BATCH ? o->rows - first : BATCH;
        st = dc_store_get_rows(row, result, o->store, first, n);
        for (uint64_t i = 0; st == DC_OK && i < n; i++)
            st = consider(w, &row[i], &result[i], true);
    }
    free(result);
    free(row);
    return st;
}

dc_status dc_origin_each(dc_origin *o, const char *glob, dc_origin_visit visit, void *context)
{
    walk w = {.o = o, .glob = glob, .visit = visit, .context = context};
    dc_status st = o->store ? each_row(&w) : DC_OK;
    for (uint64_t i = 0; st == DC_OK && !o->store && i < o->rows; i++)
        st = consider(&w, &o->row[i].t, &o->row[i].r, i < o->own_rows);
    if (st == DC_OK)
        st = flush(&w);
    clear(&w);
    free(w.item);
    free(w.part);
    free(w.result);
    return st;
}
