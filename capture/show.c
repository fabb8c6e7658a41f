/* capture/show.c - see show.h */
#include "capture/show.h"

#include "capture/histogram.h"
#include "capture/list.h"
#include "capture/origin_each.h"
#include "capture/rows_text.h"
#include "capture/unmatched.h"
#include "io/dtype.h"
#include "io/format.h"
#include "io/widen.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>

static dc_status count_items(void *context, dc_item *item, size_t n)
{
    uint64_t *count = context;
    (void)item;
    *count += n;
    return DC_OK;
}

static dc_status list_items(void *context, dc_item *item, size_t n)
{
    const dc_origin *o = context;
    for (size_t i = 0; i < n; i++)
        dc_list_line(&item[i].t, o->names, item[i].path);
    return DC_OK;
}

static void print_line(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void print_line(const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%-11s", name);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

static void print_origin(const dc_origin *o, const dc_tensor *t)
{
    dc_shape shape;
    char text[DC_SHAPE_TEXT] = "";
    const char *name = dc_pool_text(o->names, t->origin_op), *dims;
    dims = dc_pool_text(o->names, t->original_shape);
    if (dc_shape_parse(&shape, dims) == DC_OK && *dims)
        dc_shape_print_list(text, &shape);
    if (*name && t->origin_slot != DC_UNSET)
        print_line("original", "%s:%u", name, t->origin_slot);
    else if (*name)
        print_line("original", "%s", name);
    if (*text || t->origin_format != 255 || t->origin_dtype != 255)
        print_line("  was", "%s%s%s%s%s",
                   t->origin_dtype != 255 ? dc_dtype_get(t->origin_dtype)->name : "",
                   t->origin_dtype != 255 ? " " : "",
                   t->origin_format != 255 ? dc_format_name(t->origin_format) : "",
                   t->origin_format != 255 ? " " : "", text);
}

static void print_header(const dc_origin *o, const dc_item *item)
{
    const dc_tensor *t = &item->t;
    dc_shape shape;
    char text[DC_SHAPE_TEXT], file[DC_FILE_NAME];
    uint64_t n = dc_origin_elements(&shape, o, t);
    if (dc_shape_parse(&shape, dc_pool_text(o->names, t->shape)) != DC_OK)
        shape = (dc_shape){0};
    dc_shape_print_list(text, &shape);
    printf("%s\n", item->path);
    print_line("operator", "%s (%s)", dc_pool_text(o->names, t->op),
               dc_pool_text(o->names, t->op_type));
    if (o->store)
        print_line("where", "rank %d, device %d, run %d, model %s, step %lld", t->rank, t->device,
                   t->run, t->model ? dc_pool_text(o->names, t->model_dir) : "-",
                   (long long)t->step);
    print_line("when", "%" PRIu64 " us, stream %lld, task %u", t->dump_time,
               t->stream == UINT32_MAX ? -1 : (long long)t->stream, t->task);
    if (item->merged)
        print_line("parts", item->parts ? "%u, put together" : "%u", item->merged);
    else if (t->slice || t->slices)
        print_line("part", "thread %lld of %u, context %lld", (long long)t->slice - 1, t->slices,
                   t->context == UINT32_MAX ? -1 : (long long)t->context);
    print_line("type", "%s %s %s, %" PRIu64 " %s, %" PRIu64 " %s", dc_dtype_get(t->dtype)->name,
               dc_format_name(t->format), text, n, dc_word(n, "element", "elements"), t->bytes,
               dc_word(t->bytes, "byte", "bytes"));
    if (t->sub_format)
        print_line("groups", "%u", t->sub_format);
    print_origin(o, t);
    print_line("source", "%s/%s at %" PRIu64, dc_pool_text(o->names, t->dir),
               dc_file_name(file, o->names, t->file, t->file_number), t->offset);
}

static dc_status print_statistics(const dc_result *r)
{
    dc_buf text = {0};
    dc_status st = dc_list_statistics(&text, r);
    if (st == DC_OK)
        print_line("values", "%.*s", (int)text.n, text.data);
    dc_buf_free(&text);
    if (r->hash)
        print_line("hash", "%016" PRIx64, r->hash);
    return st;
}

static void count(void *context, const void *data, uint32_t dtype, uint64_t n)
{
    dc_histogram_add(context, data, dtype, n);
}

static dc_status print_histogram(const dc_origin *o, const dc_item *item)
{
    dc_histogram h;
    dc_buf text = {0};
    dc_kind kind = dc_dtype_get(item->t.dtype)->kind;
    if (!(item->r.min <= item->r.max)) /* no finite element */
        return DC_OK;
    dc_histogram_begin(&h, item->r.min, item->r.max,
                       kind == DC_KIND_INT || kind == DC_KIND_UINT || kind == DC_KIND_BOOL);
    dc_status st = dc_origin_pieces(o, item, count, &h);
    if (st == DC_OK)
        st = dc_histogram_print(&text, &h);
    if (st == DC_OK)
        printf("histogram of the finite values\n%s", text.data);
    dc_buf_free(&text);
    return st;
}

static dc_status show_one(void *context, dc_item *item, size_t n)
{
    const dc_origin *o = context;
    const char *why;
    dc_buf rows = {0};
    dc_status st = DC_OK;
    (void)n;
    print_header(o, item);
    if (!dc_origin_has(&why, o, item)) {
        if (item->r.state == DC_STATISTICS)
            st = print_statistics(&item->r);
        print_line("bytes", "none: %s", why);
        return st;
    }
    if (dc_widen_supported(item->t.dtype)) {
        if (!o->store || item->merged)
            st = dc_origin_summarise(&item->r, o, item);
        if (st == DC_OK)
            st = print_statistics(&item->r);
    }
    if (st == DC_OK)
        st = dc_rows_text(&rows, o, item);
    if (st == DC_OK)
        printf("corners\n%.*s", (int)rows.n, rows.n ? rows.data : "");
    dc_buf_free(&rows);
    return st == DC_OK && dc_widen_supported(item->t.dtype) ? print_histogram(o, item) : st;
}

dc_status dc_show(const char *path, const char *tensor)
{
    dc_origin o;
    uint64_t n = 0;
    dc_status st = dc_origin_open(&o, path);
    if (st == DC_OK)
        st = dc_origin_each(&o, tensor, count_items, &n);
    if (st == DC_OK && n == 0)
        st = dc_unmatched(path, tensor ? tensor : "*");
    if (st == DC_OK)
        st = dc_origin_each(&o, tensor, n == 1 && tensor ? show_one : list_items, &o);
    dc_status closed = dc_origin_close(&o);
    return st == DC_OK ? closed : st;
}
