/* capture/export.c - see export.h */
#include "capture/export.h"

#include "capture/export_layout.h"
#include "capture/export_name.h"
#include "capture/export_values.h"
#include "capture/origin_each.h"
#include "capture/unmatched.h"
#include "io/cmp.h"
#include "io/format.h"
#include "io/log.h"
#include "io/mapping_csv.h"
#include "io/path.h"
#include "io/stats_csv.h"
#include "io/zip_out.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct job {
    const dc_export_ask *ask;
    dc_export_count *count;
    dc_origin *o;
    uint32_t format; /* of the layout */
    bool writing;    /* the second of two walks; the first only looks for files in the way */
} job;

/* Where a file goes. *path is NULL when there is nothing to do in this walk. */
static dc_status place(char **path, const job *j, const dc_tensor *t, const char *name)
{
    char *dir = NULL, *listed = NULL;
    *path = NULL;
    dc_status st = dc_export_dir(&dir, j->o, t, j->ask->dir);
    if (st == DC_OK)
        st = dc_export_path(path, &listed, dir, name);
    if (st == DC_OK && !j->writing && !j->ask->force && access(*path, F_OK) == 0)
        st = dc_fail(DC_EEXIST, "%s is there already; --force replaces it", *path);
    if (st == DC_OK && j->writing)
        st = dc_mkdirs(dir);
    if (st == DC_OK && j->writing && listed)
        st = dc_mapping_append(dir, listed, name);
    if (st != DC_OK || !j->writing) {
        free(*path);
        *path = NULL;
    }
    free(listed);
    free(dir);
    return st;
}

/* A tensor that cannot be exported is told and counted; a full disk ends the job. */
static dc_status forgive(job *j, dc_status st, const dc_item *it)
{
    if (st != DC_EFORMAT && st != DC_EUNSUP)
        return st;
    dc_buf name = {0};
    if (dc_export_dump_name(&name, it, j->o->names) == DC_OK &&
        dc_export_slot(&name, &it->t) == DC_OK)
        dc_warn("%s: %s", name.data, dc_last_error());
    dc_buf_free(&name);
    j->count->failed++;
    return DC_OK;
}

static dc_status put_values(const job *j, const dc_sink *sink, const dc_item *it, bool raw)
{
    const char *why;
    dc_relayout map;
    dc_export_values v = {.origin = j->o, .item = it};
    if (!dc_origin_has(&why, j->o, it))
        return dc_fail(DC_EUNSUP, "%s", why);
    if (j->ask->layout && it->t.direction <= DC_OUTPUT) {
        dc_status st = dc_export_layout(&map, &v.shape, j->o, &it->t, j->format);
        if (st != DC_OK)
            return st;
        v.map = &map;
    } else {
        (void)dc_origin_elements(&v.shape, j->o, &it->t);
    }
    return raw ? dc_export_raw(sink, &v) : dc_export_npy(sink, &v);
}

static void exported(job *j, const dc_item *it)
{
    j->count->tensors++;
    j->count->bytes += it->t.bytes;
}

/* One tensor to one file. */
static dc_status export_one(job *j, const dc_item *it)
{
    dc_buf name = {0};
    char *path = NULL;
    dc_out_file file;
    bool raw = j->ask->kind == DC_EXPORT_RAW || it->t.direction > DC_OUTPUT;
    dc_status st = dc_export_dump_name(&name, it, j->o->names);
    if (st == DC_OK)
        st = dc_export_slot(&name, &it->t);
    if (st == DC_OK)
        st = dc_buf_add(&name, raw ? ".bin" : ".npy", 5);
    if (st == DC_OK)
        st = place(&path, j, &it->t, name.data);
    if (path) {
        st = dc_out_begin(&file, path);
        if (st == DC_OK) {
            st = put_values(j, &(const dc_sink){dc_out_put, &file}, it, raw);
            if (st == DC_OK)
                st = dc_out_commit(&file);
            else
                dc_out_abandon(&file);
        }
        j->count->files += st == DC_OK;
        if (st == DC_OK)
            exported(j, it);
        st = forgive(j, st, it);
    }
    free(path);
    dc_buf_free(&name);
    return st;
}

static dc_status add_member(job *j, dc_zip_out *zip, const dc_item *it)
{
    const char *why;
    dc_buf name = {0};
    if (!dc_origin_has(&why, j->o, it))
        return forgive(j, dc_fail(DC_EUNSUP, "%s", why), it);
    dc_status st = dc_export_slot(&name, &it->t);
    if (st == DC_OK)
        st = dc_buf_add(&name, ".npy", 5);
    if (st == DC_OK)
        st = dc_zip_member(zip, name.data + 1); /* without the leading dot */
    if (st == DC_OK)
        st = put_values(j, &(const dc_sink){dc_zip_put, zip}, it, false);
    if (st == DC_OK)
        exported(j, it);
    dc_buf_free(&name);
    return st;
}

/* The tensors of one dump file to one archive. */
static dc_status export_archive(job *j, const dc_item *it, size_t n, const char *path)
{
    dc_zip_out zip;
    dc_status st = dc_zip_begin(&zip, path);
    if (st != DC_OK)
        return st;
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = add_member(j, &zip, &it[i]);
    if (st == DC_OK)
        return dc_zip_commit(&zip);
    dc_zip_abandon(&zip);
    return forgive(j, st, it);
}

static dc_status add_statistics(job *j, dc_buf *text, const dc_item *it)
{
    const char *why;
    dc_result r = it->r;
    dc_status st = DC_OK;
    if (it->t.direction > DC_OUTPUT)
        return DC_OK;
    bool there = r.state == DC_STATISTICS || dc_origin_has(&why, j->o, it);
    if (there && r.state == DC_PENDING)
        st = dc_origin_summarise(&r, j->o, it);
    else if (!there)
        r = (dc_result){.min = NAN,
                        .max = NAN,
                        .mean = NAN,
                        .l2 = NAN,
                        .nan = DC_NOT_TOLD,
                        .pos_inf = DC_NOT_TOLD,
                        .neg_inf = DC_NOT_TOLD};
    if (st == DC_OK)
        st = dc_stats_write(text, &it->t, &r, dc_pool_text(j->o->names, it->t.shape),
                            dc_origin_elements(NULL, j->o, &it->t));
    if (st == DC_OK)
        exported(j, it);
    return st;
}

/* The statistics of one dump file to one csv. */
static dc_status export_csv(job *j, const dc_item *it, size_t n, const char *path)
{
    dc_buf text = {0};
    dc_out_file file;
    dc_status st = dc_buf_puts(&text, dc_stats_header);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = add_statistics(j, &text, &it[i]);
    if (st == DC_OK)
        st = dc_out_begin(&file, path);
    if (st == DC_OK) {
        st = dc_out_put(&file, text.data, text.n);
        if (st == DC_OK)
            st = dc_out_commit(&file);
        else
            dc_out_abandon(&file);
    }
    dc_buf_free(&text);
    return forgive(j, st, it);
}

static dc_status export_file(job *j, const dc_item *it, size_t n)
{
    dc_buf name = {0};
    char *path = NULL;
    bool csv = j->ask->kind == DC_EXPORT_CSV;
    dc_status st = dc_export_dump_name(&name, it, j->o->names);
    if (st == DC_OK)
        st = dc_buf_add(&name, csv ? ".csv" : ".npz", 5);
    if (st == DC_OK)
        st = place(&path, j, &it->t, name.data);
    if (path) {
        st = csv ? export_csv(j, it, n, path) : export_archive(j, it, n, path);
        j->count->files += st == DC_OK && access(path, F_OK) == 0;
    }
    free(path);
    dc_buf_free(&name);
    return st;
}

/* 0: tensors of one dump file, or of one in parts. */
static int compare_sources(const dc_item *a, const dc_item *b)
{
    const dc_tensor *x = &a->t, *y = &b->t;
    if (!a->merged != !b->merged)
        return a->merged ? 1 : -1;
    return DC_CMP_BY(x, y, dir, file, file_number, dump_time);
}

static int compare_items(const void *a, const void *b)
{
    const dc_tensor *x = &((const dc_item *)a)->t, *y = &((const dc_item *)b)->t;
    int c = compare_sources(a, b);
    if (c)
        return c;
    return DC_CMP_BY(x, y, direction, slot);
}

/* The tensors of one operator, file by file. */
static dc_status export_operator(void *context, dc_item *item, size_t count)
{
    job *j = context;
    dc_status st = DC_OK;
    bool apart = j->ask->kind == DC_EXPORT_NPY || j->ask->kind == DC_EXPORT_RAW;
    qsort(item, count, sizeof *item, compare_items);
    for (size_t i = 0, n; st == DC_OK && i < count; i += n) {
        for (n = 1; !apart && i + n < count && compare_sources(&item[i], &item[i + n]) == 0;)
            n++;
        st = apart ? export_one(j, &item[i]) : export_file(j, &item[i], n);
    }
    return st;
}

static dc_status check_layout(uint32_t *format, const dc_export_ask *ask)
{
    int number = ask->layout ? dc_format_by_name(ask->layout) : DC_FORMAT_ND;
    if (number < 0)
        return dc_fail(DC_EARG, "--layout: '%s' is no format; NCHW, NHWC, ND...", ask->layout);
    *format = (uint32_t)number;
    return DC_OK;
}

dc_status dc_export(dc_export_count *count, const dc_export_ask *ask)
{
    dc_origin o;
    job j = {.ask = ask, .count = count, .o = &o};
    *count = (dc_export_count){0};
    dc_status st = check_layout(&j.format, ask);
    if (st != DC_OK)
        return st;
    st = dc_origin_open(&o, ask->from);
    for (int walk = 0; st == DC_OK && walk < 2; walk++) {
        j.writing = walk == 1;
        st = dc_origin_each(&o, ask->glob, export_operator, &j);
    }
    if (st == DC_OK && count->tensors == 0 && count->failed == 0)
        st = dc_unmatched(ask->from, ask->glob ? ask->glob : "*");
    dc_status closed = dc_origin_close(&o);
    return st == DC_OK ? closed : st;
}
