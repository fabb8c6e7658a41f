/* compare/fetch.c - see fetch.h */
#include "compare/fetch.h"

#include "io/dtype.h"
#include "io/format.h"
#include "io/mem.h"
#include "io/path.h"
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
    dc_status st = ask->device ? dc_relayout_init(&s.map, &ask->layout) : logical_map(&s.map, ask);
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

static dc_status read_range(void *out, dc_side *s, uint64_t first, uint64_t n)
{
    if (!s->scratch && !(s->scratch = malloc(SCRATCH)))
        return dc_fail_memory();
    const dc_relayout_source source = {read_at, s, s->scratch, SCRATCH};
    return dc_relayout_fetch(out, &s->map, &source, first, n);
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
    if (st == DC_OK && s->swapped)
        dc_swap_elements(out, n, s->dtype);
    if (st == DC_OK && s->highest_first)
        dc_swap_bits(out, dc_side_size(s, n));
    return st;
}
