/* capture/origin.c - see origin.h */
#include "capture/origin.h"

#include "capture/view.h"
#include "io/dtype.h"
#include "io/dump_name.h"
#include "io/path.h"
#include "io/summary.h"
#include "io/tensor_dump.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH 1024
#define PIECE ((uint64_t)64 << 10) /* elements read at once: whole bytes of every type */

static bool is_hdf5(int fd)
{
    char magic[8];
    return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
           memcmp(magic, "\x89HDF\r\n\x1a\n", sizeof magic) == 0;
}

static uint32_t narrow(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* The columns that the file's tensors share: what its name and header tell. */
static dc_status file_columns(dc_tensor *t, dc_origin *o, const dc_dump *d)
{
    dc_dump_name name;
    const char *base = dc_path_base(o->path);
    dc_dump_name_parse(&name, base);
    *t = (dc_tensor){.device = -1, .step = -1};
    t->dump_time = d->dump_time ? d->dump_time : name.time == DC_NAME_NONE ? 0 : name.time;
    t->stream = narrow(name.stream);
    t->task = narrow(name.task);
    t->context = narrow(name.context);
    t->slice = name.thread < UINT32_MAX ? (uint32_t)name.thread + 1 : 0;
    dc_name_part dir = {o->path, (size_t)(base - o->path)},
                 op = *d->op_name ? (dc_name_part){d->op_name, strlen(d->op_name)} : name.op_name;
    while (dir.n > 1 && dir.at[dir.n - 1] == '/')
        dir.n--;
    if (dir.n == 0)
        dir = (dc_name_part){".", 1};
    dc_status st = dc_pool_add(&t->op, o->own, op.n ? op.at : "", op.n);
    if (st == DC_OK)
        st =
            dc_pool_add(&t->op_type, o->own, name.op_type.n ? name.op_type.at : "", name.op_type.n);
    if (st == DC_OK)
        st = dc_pool_add(&t->dir, o->own, dir.at, dir.n);
    return st == DC_OK ? dc_file_name_add(&t->file, &t->file_number, o->own, base) : st;
}

static dc_status open_dump(dc_origin *o)
{
    dc_dump d;
    dc_tensor t;
    dc_status st = dc_dump_open(&d, o->path);
    if (st != DC_OK)
        return st;
    st = dc_pool_new(&o->own);
    o->names = o->own;
    o->row = malloc((d.n + 1) * sizeof *o->row);
    if (st == DC_OK)
        st = o->row ? file_columns(&t, o, &d) : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && o->row && i < d.n; i++) {
        st = dc_tensor_from_dump(&t, o->own, &d.tensor[i]);
        o->row[o->rows++] = t;
    }
    dc_dump_fini(&d);
    return st;
}

static dc_status open_store(dc_origin *o)
{
    dc_status st = dc_store_open(&o->store, o->path, false);
    if (st != DC_OK)
        return st;
    o->names = dc_store_names(o->store);
    o->rows = dc_store_rows(o->store);
    return dc_view_runs(&o->runs, o->store);
}

dc_status dc_origin_open(dc_origin *out, const char *path)
{
    *out = (dc_origin){.fd = -1, .path = strdup(path)};
    if (!out->path)
        return dc_fail_memory();
    out->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (out->fd < 0)
        return dc_fail_errno("%s: cannot open", path);
    return is_hdf5(out->fd) ? open_store(out) : open_dump(out);
}

dc_status dc_origin_close(dc_origin *o)
{
    dc_status st = dc_store_close(o->store);
    if (o->fd >= 0)
        close(o->fd);
    dc_pool_free(o->own);
    free(o->row);
    free(o->path);
    *o = (dc_origin){.fd = -1};
    return st;
}

/* A path may itself hold the characters of a glob. */
static bool matches(const char *glob, const char *path)
{
    return !glob || strcmp(glob, path) == 0 || fnmatch(glob, path, 0) == 0;
}

typedef struct walk {
    const dc_origin *o;
    const char *glob;
    dc_origin_visit visit;
    void *context;
    dc_buf path;
} walk;

static dc_status consider(walk *w, const dc_tensor *t, const dc_result *r)
{
    w->path.n = 0;
    dc_status st = w->o->store ? dc_view_path(&w->path, t, w->o->names, w->o->runs)
                               : dc_view_slot(&w->path, t);
    if (st == DC_OK)
        st = dc_buf_add(&w->path, "", 1);
    return st == DC_OK && matches(w->glob, w->path.data) ? w->visit(w->context, t, r, w->path.data)
                                                         : st;
}

dc_status dc_origin_each(const dc_origin *o, const char *glob, dc_origin_visit visit, void *context)
{
    walk w = {o, glob, visit, context, {0}};
    dc_tensor *row = malloc(BATCH * sizeof *row);
    dc_result *result = calloc(BATCH, sizeof *result);
    dc_status st = row && result ? DC_OK : dc_fail_memory();
    for (uint64_t first = 0; st == DC_OK && first < o->rows; first += BATCH) {
        uint64_t n = o->rows - first < BATCH ? o->rows - first : BATCH;
        if (o->store)
            st = dc_store_get_rows(row, result, o->store, first, n);
        else if (row)
            memcpy(row, o->row + first, n * sizeof *row);
        for (uint64_t i = 0; st == DC_OK && i < n; i++)
            st = consider(&w, &row[i], &result[i]);
    }
    dc_buf_free(&w.path);
    free(result);
    free(row);
    return st;
}

bool dc_origin_has(const char **why, const dc_origin *o, const dc_tensor *t, const dc_result *r)
{
    *why = "";
    if (t->flags & DC_TENSOR_STATISTICS)
        *why = "only its statistics were kept";
    else if (t->flags & DC_DUMP_NULL_ADDRESS)
        *why = "it had no address on the device, so nothing was dumped";
    else if (o->store && r->state == DC_PENDING)
        *why = "it is not stored yet";
    else if (o->store && r->state == DC_UNREADABLE)
        *why = "its source could not be read";
    return !**why;
}

dc_status dc_origin_read(const dc_origin *o, const dc_tensor *t, void *out, size_t n, uint64_t skip)
{
    uint64_t at = o->store ? dc_store_tensor_at(o->store, t) : t->offset;
    if (n == 0)
        return DC_OK;
    if (at == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its index points outside its data", o->path);
    return dc_pread(o->fd, out, n, at + skip, o->path);
}

uint64_t dc_origin_elements(dc_shape *shape, const dc_origin *o, const dc_tensor *t)
{
    dc_shape s;
    uint64_t n, bytes, bits = dc_dtype_get(t->dtype)->bits;
    uint64_t most = t->bytes / bits * 8 + t->bytes % bits * 8 / bits;
    if (dc_shape_parse(&s, dc_pool_text(o->names, t->shape)) != DC_OK || !dc_shape_count(&n, &s) ||
        !dc_dtype_bytes(&bytes, t->dtype, n) || bytes != t->bytes) {
        s = (dc_shape){1, {most}};
        n = most;
    }
    if (shape)
        *shape = s;
    return n;
}

dc_status dc_origin_pieces(const dc_origin *o, const dc_tensor *t, dc_origin_piece piece,
                           void *context)
{
    uint64_t n = dc_origin_elements(NULL, o, t), skip = 0, bytes = 0;
    bool fits = dc_dtype_bytes(&bytes, t->dtype, n < PIECE ? n : PIECE);
    char *data = malloc(bytes + 1);
    dc_status st = data && fits ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < n; i += PIECE) {
        uint64_t count = n - i < PIECE ? n - i : PIECE;
        (void)dc_dtype_bytes(&bytes, t->dtype, count);
        st = dc_origin_read(o, t, data, bytes, skip);
        if (st == DC_OK)
            piece(context, data, t->dtype, count);
        skip += bytes;
    }
    free(data);
    return st;
}

static void summarise(void *context, const void *data, uint32_t dtype, uint64_t n)
{
    dc_summary_add(context, data, dtype, n);
}

dc_status dc_origin_summarise(dc_result *r, const dc_origin *o, const dc_tensor *t)
{
    dc_summary sum = {0};
    dc_status st = dc_origin_pieces(o, t, summarise, &sum);
    if (st == DC_OK)
        dc_summary_finish(r, &sum);
    return st;
}
