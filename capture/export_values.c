/* capture/export_values.c - see export_values.h */
#include "capture/export_values.h"

#include "io/dtype.h"
#include "io/npy.h"
#include "io/widen.h"

#include <stdlib.h>

#define PIECE   ((uint64_t)64 << 10) /* elements moved at once: whole bytes of every type */
#define SCRATCH ((size_t)1 << 20)

/* The NumPy type for a dtype: its own; float32 for bfloat16 and smaller floats; int8 or uint8 for
 * integers below 8 bits; the plain integer for quantised ones; complex64 for complex32; uint8 (the
 * bytes) for what has no values. */
static uint32_t numpy_dtype(uint32_t dtype)
{
    const dc_dtype_info *info = dc_dtype_get(dtype);
    if (info->npy)
        return dtype;
    if (info->kind == DC_KIND_FLOAT)
        return DC_FLOAT32;
    if (info->kind == DC_KIND_COMPLEX)
        return DC_COMPLEX64;
    if (info->kind == DC_KIND_INT)
        return info->bits > 16 ? DC_INT32 : info->bits > 8 ? DC_INT16 : DC_INT8;
    if (info->kind == DC_KIND_UINT)
        return info->bits > 8 ? DC_UINT16 : DC_UINT8;
    return DC_UINT8;
}

/* Elements as device bytes that become elements of another type. */
typedef struct mover {
    const dc_sink *sink;
    const dc_export_values *v;
    uint32_t from, to; /* dtypes */
    char *piece, *scratch;
    double *wide;
} mover;

static dc_status read_device(void *context, void *to, uint64_t offset, size_t bytes)
{
    const mover *m = context;
    return dc_origin_read(m->v->origin, m->v->item, to, bytes, offset);
}

/* Elements first..first+n-1 of the result into m->piece, still of the device's type. */
static dc_status fetch(const mover *m, uint64_t first, uint64_t n)
{
    const dc_relayout *map = m->v->map;
    uint64_t bytes, skip;
    if (map && map->item && !dc_relayout_is_identity(map)) {
        const dc_relayout_source source = {read_device, (void *)(uintptr_t)m, m->scratch, SCRATCH};
        return dc_relayout_fetch(m->piece, map, &source, first, n);
    }
    if (!dc_dtype_bytes(&bytes, m->from, n) || !dc_dtype_bytes(&skip, m->from, first))
        return dc_fail(DC_EFORMAT, "the tensor's size does not fit 64 bits");
    return dc_origin_read(m->v->origin, m->v->item, m->piece, bytes, skip);
}

static void narrow(void *out, uint32_t dtype, const double *v, uint64_t n)
{
    float *real = out;
    int8_t *small = out;
    uint8_t *byte = out;
    for (uint64_t i = 0; i < n; i++) {
        if (dtype == DC_FLOAT32 || dtype == DC_COMPLEX64)
            real[i] = (float)v[i];
        else if (dtype == DC_INT8)
            small[i] = (int8_t)v[i];
        else
            byte[i] = (uint8_t)v[i];
    }
}

/* Whether an element's bytes are the same in both types. */
static bool same_bytes(uint32_t from, uint32_t to)
{
    return dc_dtype_get(from)->bits == dc_dtype_get(to)->bits &&
           dc_dtype_get(from)->kind == dc_dtype_get(to)->kind;
}

static dc_status move(mover *m, uint64_t first, uint64_t n)
{
    uint64_t bytes = 0;
    dc_status st = fetch(m, first, n);
    if (st == DC_OK && m->from != m->to && !same_bytes(m->from, m->to)) {
        dc_widen(m->wide, m->piece, m->from, 0, n);
        narrow(m->piece, m->to, m->wide, n * dc_widen_parts(m->from));
    }
    if (st == DC_OK && !dc_dtype_bytes(&bytes, m->to, n))
        st = dc_fail(DC_EFORMAT, "the tensor's size does not fit 64 bits");
    return st == DC_OK ? m->sink->put(m->sink->context, m->piece, bytes) : st;
}

static dc_status move_all(mover *m, uint64_t n)
{
    const dc_relayout *map = m->v->map;
    uint64_t step = map && map->item ? dc_relayout_chunk(map, PIECE) : PIECE;
    m->piece = malloc(PIECE * 16);
    m->scratch = malloc(SCRATCH);
    m->wide = malloc(PIECE * 16);
    dc_status st = m->piece && m->scratch && m->wide ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < n; i += step)
        st = move(m, i, n - i < step ? n - i : step);
    free(m->wide);
    free(m->scratch);
    free(m->piece);
    return st;
}

/* What has no values is exported as its bytes. */
static bool has_values(uint32_t dtype)
{
    return dc_widen_supported(dtype) || dc_dtype_get(dtype)->npy;
}

dc_status dc_export_npy(const dc_sink *sink, const dc_export_values *v)
{
    mover m = {.sink = sink, .v = v, .from = v->item->t.dtype};
    dc_shape shape = v->shape;
    dc_buf header = {0};
    uint64_t n;
    m.to = numpy_dtype(m.from);
    if (!has_values(m.from)) {
        m.from = m.to = DC_UINT8;
        shape = (dc_shape){1, {v->item->t.bytes}};
    }
    dc_status st = dc_shape_count(&n, &shape) ? dc_npy_header(&header, m.to, &shape)
                                              : dc_fail(DC_EFORMAT, "the shape is too large");
    if (st == DC_OK)
        st = sink->put(sink->context, header.data, header.n);
    if (st == DC_OK)
        st = move_all(&m, n);
    dc_buf_free(&header);
    return st;
}

dc_status dc_export_raw(const dc_sink *sink, const dc_export_values *v)
{
    mover m = {.sink = sink, .v = v, .from = v->item->t.dtype, .to = v->item->t.dtype};
    if (!v->map) { /* all bytes, whatever they are */
        m.from = m.to = DC_UINT8;
        return move_all(&m, v->item->t.bytes);
    }
    return move_all(&m, v->map->count);
}
