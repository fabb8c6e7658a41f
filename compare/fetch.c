/* compare/fetch.c - see fetch.h */
#include "compare/fetch.h"

#include "compare/metric.h"
#include "io/dtype.h"
#include "io/format.h"
#include "io/mem.h"
#include "io/path.h"
#include "io/relayout_stream.h"
#include "io/widen.h"
#include "io/word.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRATCH ((size_t)16 << 20)

/* The map of bytes in logical order. */
static dc_status logical_map(dc_relayout *m, const dc_side_ask *ask)
{
    if (ask->box.given)
        return dc_relayout_box(m, ask->layout.dtype, &ask->box.whole, &ask->layout.logical,
                               ask->fortran_order);
    if (ask->fortran_order && ask->layout.logical.rank > 1)
        return dc_relayout_fortran(m, ask->layout.dtype, &ask->layout.logical);
    dc_relayout_ask plain = ask->layout;
    plain.format = DC_FORMAT_ND;
    plain.sub_format = 0;
    plain.device = plain.logical;
    plain.golden_format = DC_FORMAT_ND;
    return dc_relayout_init(m, &plain);
}

dc_status dc_side_map(dc_relayout *m, const dc_side_ask *ask)
{
    return ask->device ? dc_relayout_init(m, &ask->layout) : logical_map(m, ask);
}

/* Where a part begins. Packed elements are parted at whole bytes only. */
static dc_status skip_to_box(dc_side *s, const dc_side_ask *ask)
{
    uint64_t first, bytes;
    uint64_t stride = dc_relayout_stride(&ask->box.whole, ask->box.axis, ask->fortran_order);
    unsigned bits = dc_dtype_get(s->dtype)->bits;
    if (!dc_mul_u64(&first, ask->box.at, stride) || !dc_dtype_bytes(&bytes, s->dtype, first) ||
        bytes > s->bytes)
        return dc_fail(DC_EFORMAT, "%s: a part begins behind the tensor's end", s->path);
    if (bits < 8 && bytes * 8 != first * bits)
        return dc_fail(DC_EUNSUP, "%s: a part begins within a byte", s->path);
    s->offset += bytes;
    s->bytes -= bytes;
    return DC_OK;
}

static dc_status check_bytes(const dc_side *s)
{
    uint64_t need;
    if (!dc_widen_supported(s->dtype))
        return dc_fail(DC_EUNSUP, "%s elements have no values to compare",
                       dc_dtype_get(s->dtype)->name);
    if (!dc_dtype_bytes(&need, s->dtype, s->map.device_count))
        return dc_fail(DC_EFORMAT, "%s: a tensor beyond 2^64 bytes", s->path);
    if (s->bytes == 0 && need > 0)
        return dc_fail(DC_EFORMAT, "%s: the tensor's bytes were not dumped", s->path);
    if (s->bytes < need)
        return dc_fail(DC_EFORMAT, "%s: %" PRIu64 " %s of tensor, its shape needs %" PRIu64,
                       s->path, s->bytes, dc_word(s->bytes, "byte", "bytes"), need);
    return DC_OK;
}

dc_status dc_side_open(dc_side *out, const dc_side_ask *ask, bool *misfit)
{
    dc_side s = {.offset = ask->offset, .bytes = ask->bytes, .dtype = ask->layout.dtype};
    s.parts = ask->parts;
    s.swapped = ask->swapped;
    s.highest_first = ask->uint1_msb && s.dtype == DC_UINT1;
    s.fd = -1;
    dc_status st = dc_side_map(&s.map, ask);
    if (misfit)
        *misfit = st != DC_OK && s.map.outcome == DC_RELAYOUT_MISFIT;
    if (st == DC_OK)
        st = (s.path = strdup(ask->path)) ? DC_OK : dc_fail_memory();
    if (st == DC_OK && ask->box.given)
        st = skip_to_box(&s, ask);
    if (st == DC_OK)
        st = check_bytes(&s);
    if (st == DC_OK && s.map.count > 0 && !s.parts) {
        s.fd = dc_fault("fetch.open") ? -1 : open(s.path, O_RDONLY | O_CLOEXEC);
        if (s.fd < 0)
            st = dc_fail_errno("%s", s.path);
    }
    if (st == DC_OK)
        *out = s;
    else
        dc_side_close(&s);
    return st;
}

void dc_side_close(dc_side *s)
{
    if (s->fd >= 0)
        close(s->fd);
    dc_parts_free(s->parts);
    free(s->path);
    free(s->scratch);
    *s = (dc_side){.fd = -1};
}

uint64_t dc_side_size(const dc_side *s, uint64_t n)
{
    uint64_t bytes = 0;
    return dc_dtype_bytes(&bytes, s->dtype, n) ? bytes : UINT64_MAX;
}

static dc_status read_at(void *context, void *to, uint64_t offset, size_t bytes)
{
    const dc_side *s = context;
    return s->parts ? dc_parts_read(to, s->parts, s->offset + offset, bytes)
                    : dc_pread(s->fd, to, bytes, s->offset + offset, s->path);
}

static dc_status read_whole(void *out, dc_side *s)
{
    uint64_t bytes = s->map.device_count * s->map.item;
    char *device = malloc(bytes + 1);
    dc_status st = device ? read_at(s, device, 0, bytes) : dc_fail_memory();
    if (st == DC_OK)
        dc_relayout_gather(out, &s->map, device, 0, s->map.count);
    free(device);
    return st;
}

static dc_status set_source(dc_relayout_source *source, dc_side *s)
{
    if (!s->scratch && !(s->scratch = malloc(SCRATCH)))
        return dc_fail_memory();
    *source = (dc_relayout_source){read_at, s, s->scratch, SCRATCH};
    return DC_OK;
}

static dc_status read_range(void *out, dc_side *s, uint64_t first, uint64_t n)
{
    dc_relayout_source source;
    dc_status st = set_source(&source, s);
    return st == DC_OK ? dc_relayout_fetch(out, &s->map, &source, first, n) : st;
}

/* Elements as read become little-endian ones with the first bit lowest. */
static void set_order(void *data, const dc_side *s, uint64_t n)
{
    if (s->swapped)
        dc_swap_elements(data, n, s->dtype);
    if (s->highest_first)
        dc_swap_bits(data, dc_side_size(s, n));
}

dc_status dc_side_read(void *out, dc_side *s, uint64_t first, uint64_t n, bool whole)
{
    dc_status st;
    if (n == 0)
        return DC_OK;
    if (dc_relayout_is_identity(&s->map))
        st = read_at(s, out, dc_side_size(s, first), dc_side_size(s, n));
    else if (whole)
        st = read_whole(out, s);
    else
        st = read_range(out, s, first, n);
    if (st == DC_OK)
        set_order(out, s, n);
    return st;
}

typedef struct streamed {
    dc_side *const *side;
    int lead;    /* the side whose order is followed */
    void *other; /* a chunk of the other, unless both are streamed */
    dc_side_take *take;
    void *context;
    bool taken; /* a chunk, by whoever takes them */
} streamed;

static dc_status take_chunk(void *context, void *const part[2], uint64_t at, uint64_t n)
{
    streamed *s = context;
    dc_side *other = s->side[!s->lead];
    void *data[2];
    data[s->lead] = part[0];
    data[!s->lead] = s->other ? s->other : part[1];
    set_order(part[0], s->side[s->lead], n);
    dc_status st = DC_OK;
    if (s->other)
        st = dc_side_read(s->other, other, at, n, false);
    else
        set_order(part[1], other, n);
    s->taken = true;
    return st == DC_OK ? s->take(s->context, (const void *const *)data, at, n) : st;
}

/* Without room for a stream: each chunk by itself, which may read over. */
static dc_status take_each(const streamed *s, uint64_t first, uint64_t n)
{
    void *data[2] = {malloc(dc_side_size(s->side[0], DC_METRIC_CHUNK)),
                     malloc(dc_side_size(s->side[1], DC_METRIC_CHUNK))};
    dc_status st = data[0] && data[1] ? DC_OK : dc_fail_memory();
    for (uint64_t at = first, end = first + n, k; st == DC_OK && at < end; at += k) {
        k = end - at < DC_METRIC_CHUNK ? end - at : DC_METRIC_CHUNK;
        for (int i = 0; st == DC_OK && i < 2; i++)
            st = dc_side_read(data[i], s->side[i], at, k, false);
        if (st == DC_OK)
            st = s->take(s->context, (const void *const *)data, at, k);
    }
    free(data[0]);
    free(data[1]);
    return st;
}

dc_status dc_side_stream(dc_side *const side[2], uint64_t first, uint64_t n, dc_side_take *take,
                         void *context)
{
    dc_relayout_unit unit[2] = {dc_relayout_unit_of(&side[0]->map),
                                dc_relayout_unit_of(&side[1]->map)};
    streamed s = {.side = side, .take = take, .context = context};
    s.lead = unit[1].rows * unit[1].length > unit[0].rows * unit[0].length;
    dc_side *lead = side[s.lead], *other = side[!s.lead];
    dc_relayout_source source[2];
    dc_relayout_stream_ask ask = {.m = &lead->map, .first = first, .n = n};
    ask.chunk = DC_METRIC_CHUNK;
    ask.take = take_chunk;
    ask.context = &s;
    ask.source[0] = &source[0];
    dc_status st = set_source(&source[0], lead);
    if (st == DC_OK && dc_relayout_same(&lead->map, &other->map)) {
        ask.source[1] = &source[1];
        st = set_source(&source[1], other);
    } else if (st == DC_OK && !(s.other = malloc(dc_side_size(other, DC_METRIC_CHUNK)))) {
        st = dc_fail_memory();
    }
    if (st == DC_OK)
        st = dc_relayout_stream(&ask);
    if (st == DC_ENOMEM && !s.taken)
        st = take_each(&s, first, n);
    free(s.other);
    return st;
}
