/* capture/origin_file.c - see origin_file.h */
#include "capture/origin_file.h"

#include "io/cmp.h"
#include "io/dump_name.h"
#include "io/log.h"
#include "io/path.h"
#include "io/stats_csv.h"
#include "io/tensor_dump.h"
#include "mpi/slices.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

bool dc_origin_in_parts(const dc_tensor *t)
{
    return t->slices && t->cut && !(t->flags & DC_TENSOR_STATISTICS);
}

/* The columns that the file's tensors share: what its name and header tell. */
static dc_status file_columns(dc_tensor *t, dc_pool *names, const char *path, const dc_dump *d,
                              const dc_dump_name *name)
{
    const char *base = dc_path_base(path);
    *t = (dc_tensor){.device = -1, .step = -1};
    t->slices = dc_slices_told(d);
    dc_name_part dir = {path, (size_t)(base - path)};
    while (dir.n > 1 && dir.at[dir.n - 1] == '/')
        dir.n--;
    if (dir.n == 0)
        dir = (dc_name_part){".", 1};
    dc_status st = dc_tensor_from_file(t, names, d, name);
    if (st == DC_OK)
        st = dc_pool_add(&t->dir, names, dir.at, dir.n);
    return st == DC_OK ? dc_file_name_add(&t->file, &t->file_number, names, base) : st;
}

static dc_status add_row(dc_origin *o, const dc_tensor *t, const dc_result *r)
{
    dc_status st = dc_grow((void **)&o->row, &o->cap, o->rows, 1, sizeof *o->row);
    if (st == DC_OK)
        o->row[o->rows++] = (dc_origin_row){*t, *r};
    return st;
}

static dc_status add_dump(dc_origin *o, const dc_dump *d, dc_tensor *t)
{
    const dc_result pending = {.state = DC_PENDING};
    uint32_t number = dc_slices_number(t, dc_pool_text(o->names, t->op));
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < d->n; i++) {
        st = dc_tensor_from_dump(t, o->own, &d->tensor[i]);
        if (st == DC_OK && t->slices)
            st = dc_slices_cut(&t->cut, o->own, d, number, &d->tensor[i]);
        if (st == DC_OK)
            st = add_row(o, t, &pending);
    }
    return st;
}

/* Do two names differ at most in the number of a part cut by hand? */
static bool same_base(const char *a, const char *b)
{
    size_t n = dc_slices_base(a);
    return n == dc_slices_base(b) && strncmp(a, b, n) == 0;
}

static bool same_part(const dc_name_part *a, const dc_name_part *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n) == 0);
}

/* Could the file of this name hold parts of the same operator as o's? */
static bool could_be(const dc_origin *o, const char *file)
{
    dc_dump_name own, other;
    char a[256], b[256];
    const char *base = dc_path_base(o->path);
    dc_dump_name_parse(&own, base);
    dc_dump_name_parse(&other, file);
    if (strcmp(base, file) == 0 || own.op_name.n >= sizeof a || other.op_name.n >= sizeof b)
        return false;
    if (own.kind == DC_NAME_HASHED || other.kind != own.kind)
        return other.kind == DC_NAME_HASHED || other.kind == DC_NAME_DUMP;
    memcpy(a, own.op_name.n ? own.op_name.at : "", own.op_name.n);
    memcpy(b, other.op_name.n ? other.op_name.at : "", other.op_name.n);
    a[own.op_name.n] = b[other.op_name.n] = '\0';
    return same_part(&own.op_type, &other.op_type) && same_base(a, b);
}

static dc_status read_beside(dc_origin *o, const char *dir, const char *file)
{
    dc_dump d;
    dc_tensor t;
    dc_dump_name name;
    char *path = dc_path_join(dir, file);
    if (!path)
        return DC_ENOMEM;
    dc_dump_name_parse(&name, file);
    dc_status st = dc_dump_open(&d, path);
    if (st == DC_OK) {
        st = file_columns(&t, o->own, path, &d, &name);
        if (st == DC_OK && t.slices == o->row[0].t.slices &&
            same_base(dc_pool_text(o->names, t.op), dc_pool_text(o->names, o->row[0].t.op)))
            st = add_dump(o, &d, &t);
        dc_dump_fini(&d);
    } else if (st != DC_ENOMEM) {
        if (name.kind == DC_NAME_DUMP)
            dc_warn("%s", dc_last_error());
        st = DC_OK;
    }
    free(path);
    return st;
}

/* Number the executions of each tensor or part by time, as a capture does. */
static dc_status count_occurrences(dc_origin *o)
{
    dc_slice *p = calloc(o->rows + 1, sizeof *p);
    dc_status st = p ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < o->rows; i++) {
        p[i] = (dc_slice){.t = o->row[i].t, .item = i};
        p[i].number = dc_slices_number(&p[i].t, dc_pool_text(o->names, p[i].t.op));
    }
    if (st == DC_OK)
        dc_slices_sort(p, o->rows, o->names);
    for (uint64_t i = 1; st == DC_OK && i < o->rows; i++)
        if (p[i].number == p[i - 1].number &&
            dc_slices_compare_tensors(&p[i], &p[i - 1], o->names) == 0)
            o->row[p[i].item].t.occurrence = o->row[p[i - 1].item].t.occurrence + 1;
    free(p);
    return st;
}

static dc_status look_beside(dc_origin *o)
{
    struct dirent **entry = NULL;
    char *dir = strdup(dc_pool_text(o->names, o->row[0].t.dir));
    int n = dir ? scandir(dir, &entry, NULL, alphasort) : 0;
    dc_status st = !dir ? dc_fail_memory() : DC_OK;
    for (int i = 0; i < n; i++) {
        if (st == DC_OK && could_be(o, entry[i]->d_name))
            st = read_beside(o, dir, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    free(dir);
    return st == DC_OK ? count_occurrences(o) : st;
}

dc_status dc_origin_file(dc_origin *o)
{
    dc_dump d;
    dc_tensor t;
    dc_dump_name name;
    bool parts = false;
    dc_status st = dc_dump_open(&d, o->path);
    if (st != DC_OK)
        return st;
    dc_dump_name_parse(&name, dc_path_base(o->path));
    st = dc_pool_new(&o->own);
    o->names = o->own;
    if (st == DC_OK)
        st = file_columns(&t, o->own, o->path, &d, &name);
    if (st == DC_OK)
        st = add_dump(o, &d, &t);
    dc_dump_fini(&d);
    o->own_rows = o->rows;
    for (uint64_t i = 0; st == DC_OK && i < o->rows; i++)
        parts = parts || dc_origin_in_parts(&o->row[i].t);
    return st == DC_OK && parts ? look_beside(o) : st;
}

static dc_status add_statistics(dc_origin *o, dc_stats_row *row)
{
    const dc_dump none = {.op_name = "", .dfx_message = ""};
    dc_dump_name name;
    dc_tensor t;
    if (row->name.n)
        name = dc_stats_name(row);
    else
        dc_dump_name_parse(&name, dc_path_base(o->path));
    o->named = o->named || row->name.n;
    row->tensor.flags |= DC_TENSOR_STATISTICS | DC_TENSOR_CSV;
    dc_status st = file_columns(&t, o->own, o->path, &none, &name);
    if (st == DC_OK)
        st = dc_tensor_from_dump(&t, o->own, &row->tensor);
    return st == DC_OK ? add_row(o, &t, &row->result) : st;
}

static int compare_operators(const void *a, const void *b)
{
    const dc_tensor *x = &((const dc_origin_row *)a)->t, *y = &((const dc_origin_row *)b)->t;
    return DC_CMP_BY(x, y, op, offset);
}

dc_status dc_origin_csv(dc_origin *o)
{
    dc_stats_csv *csv = NULL;
    dc_stats_row row;
    bool more = true, damaged = false;
    dc_status st = dc_stats_open(&csv, o->path);
    if (st != DC_OK)
        return st;
    st = dc_pool_new(&o->own);
    o->names = o->own;
    for (uint64_t at = 0; st == DC_OK && more;) {
        if (dc_stats_next(&row, &more, csv, &at) == DC_OK) {
            st = more ? add_statistics(o, &row) : DC_OK;
        } else if (!damaged) {
            dc_warn("%s", dc_last_error());
            damaged = true;
        }
    }
    dc_stats_free(csv);
    o->own_rows = o->rows;
    if (o->rows)
        qsort(o->row, o->rows, sizeof *o->row, compare_operators);
    return st == DC_OK ? count_occurrences(o) : st;
}
