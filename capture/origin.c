/* capture/origin.c - see origin.h */
#include "capture/origin.h"

#include "capture/origin_file.h"
#include "capture/view.h"
#include "io/dtype.h"
#include "io/path.h"
#include "io/summary.h"
#include "io/tensor_dump.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PIECE ((uint64_t)64 << 10) /* elements read at once: whole bytes of every type */

static bool is_hdf5(int fd)
{
    char magic[8];
    return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
           memcmp(magic, "\x89HDF\r\n\x1a\n", sizeof magic) == 0;
}

static dc_status open_store(dc_origin *o)
{
    dc_status st = dc_store_open(&o->store, o->path, false);
    if (st != DC_OK)
        return st;
    o->names = dc_store_names(o->store);
    o->rows = o->own_rows = dc_store_rows(o->store);
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
    if (is_hdf5(out->fd))
        return open_store(out);
    const char *suffix = strrchr(dc_path_base(path), '.');
    return suffix && strcasecmp(suffix, ".csv") == 0 ? dc_origin_csv(out) : dc_origin_file(out);
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

bool dc_origin_has(const char **why, const dc_origin *o, const dc_item *item)
{
    const dc_tensor *t = &item->t;
    *why = "";
    if (item->merged)
        *why = item->why ? item->why : "";
    else if (t->flags & DC_TENSOR_STATISTICS)
        *why = "only its statistics were kept";
    else if (t->flags & DC_DUMP_NULL_ADDRESS)
        *why = "it had no address on the device, so nothing was dumped";
    else if (o->store && item->r.state == DC_PENDING)
        *why = "it is not stored yet";
    else if (o->store && item->r.state == DC_UNREADABLE)
        *why = "its source could not be read";
    return !**why;
}

dc_status dc_origin_read(const dc_origin *o, const dc_item *item, void *out, size_t n,
                         uint64_t skip)
{
    const dc_tensor *t = &item->t;
    if (item->parts)
        return dc_parts_read(out, item->parts, skip, n);
    uint64_t at = o->store ? dc_store_tensor_at(o->store, t) : t->offset;
    if (n == 0)
        return DC_OK;
    if (at == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its index points outside its data", o->path);
    return dc_pread(o->fd, out, n, at + skip, o->path);
}

uint64_t dc_origin_elements(dc_shape *shape, const dc_origin *o, const dc_tensor *t)
{
    return dc_tensor_elements(shape, t, o->names);
}

dc_status dc_origin_pieces(const dc_origin *o, const dc_item *item, dc_origin_piece piece,
                           void *context)
{
    const dc_tensor *t = &item->t;
    uint64_t n = dc_origin_elements(NULL, o, t), skip = 0, bytes = 0;
    bool fits = dc_dtype_bytes(&bytes, t->dtype, n < PIECE ? n : PIECE);
    char *data = malloc(bytes + 1);
    dc_status st = data && fits ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < n; i += PIECE) {
        uint64_t count = n - i < PIECE ? n - i : PIECE;
        (void)dc_dtype_bytes(&bytes, t->dtype, count);
        st = dc_origin_read(o, item, data, bytes, skip);
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

dc_status dc_origin_summarise(dc_result *r, const dc_origin *o, const dc_item *item)
{
    dc_summary sum = {0};
    dc_status st = dc_origin_pieces(o, item, summarise, &sum);
    if (st == DC_OK)
        dc_summary_finish(r, &sum);
    return st;
}
