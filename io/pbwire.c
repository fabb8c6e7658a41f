/* io/pbwire.c - see pbwire.h */
#include "io/pbwire.h"

#include "io/endian.h"
#include "io/path.h"

#include <inttypes.h>
#include <string.h>

#define FIRST_READ 1024 /* bytes */

void dc_pbwire_file(dc_pbwire *w, int fd, uint64_t bytes, const char *path)
{
    w->path = path;
    w->fd = fd;
    w->bytes = bytes;
    w->data = w->window;
    w->at = 0;
    w->n = 0;
    w->fetched = 0;
}

void dc_pbwire_memory(dc_pbwire *w, const void *data, uint64_t bytes, const char *path)
{
    w->path = path;
    w->fd = -1;
    w->bytes = bytes;
    w->data = data;
    w->at = 0;
    w->n = (size_t)bytes;
    w->fetched = 0;
}

/* Have byte `offset` in the window. */
static dc_status load(dc_pbwire *w, uint64_t offset)
{
    if (offset >= w->at && offset - w->at < w->n)
        return DC_OK;
    if (offset >= w->bytes)
        return dc_fail(DC_EFORMAT, "%s: cut short at byte %" PRIu64, w->path, w->bytes);
    /* most headers are short, and what lies behind them is payload: start small */
    uint64_t n = w->bytes - offset, most = w->fetched ? sizeof w->window : FIRST_READ;
    if (n > most)
        n = most;
    w->n = 0;
    dc_status st = dc_pread(w->fd, w->window, (size_t)n, offset, w->path);
    if (st != DC_OK)
        return st;
    w->at = offset;
    w->n = (size_t)n;
    w->fetched += n;
    return DC_OK;
}

dc_status dc_pbwire_read(void *out, dc_pbwire *w, uint64_t offset, size_t n)
{
    uint8_t *to = out;
    if (offset > w->bytes || n > w->bytes - offset)
        return dc_fail(DC_EFORMAT, "%s: cut short at byte %" PRIu64, w->path, w->bytes);
    while (n) {
        dc_status st = load(w, offset);
        if (st != DC_OK)
            return st;
        size_t skip = (size_t)(offset - w->at);
        size_t m = w->n - skip < n ? w->n - skip : n;
        memcpy(to, w->data + skip, m);
        to += m;
        offset += m;
        n -= m;
    }
    return DC_OK;
}

static dc_status not_protobuf(const dc_pbwire *w, uint64_t offset, const char *what)
{
    return dc_fail(DC_EFORMAT, "%s: not a protobuf message: %s at byte %" PRIu64, w->path, what,
                   offset);
}

static dc_status varint(uint64_t *value, dc_pbwire *w, uint64_t *pos, uint64_t end)
{
    uint64_t v = 0, start = *pos;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (*pos >= end)
            return not_protobuf(w, start, "a number passes the end");
        dc_status st = load(w, *pos);
        if (st != DC_OK)
            return st;
        uint8_t byte = w->data[*pos - w->at];
        ++*pos;
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = v;
            return DC_OK;
        }
    }
    return not_protobuf(w, start, "a number of more than ten bytes");
}

static dc_status fixed(dc_pbfield *f, dc_pbwire *w, uint64_t end, size_t n)
{
    uint8_t byte[8] = {0};
    if (n > end - f->offset)
        return not_protobuf(w, f->start, "a field passes the end");
    dc_status st = dc_pbwire_read(byte, w, f->offset, n);
    f->value = dc_little_endian(byte, n);
    f->length = n;
    return st;
}

dc_status dc_pbwire_next(dc_pbfield *f, dc_pbwire *w, uint64_t *pos, uint64_t end)
{
    uint64_t tag = 0;
    *f = (dc_pbfield){.start = *pos};
    dc_status st = varint(&tag, w, pos, end);
    if (st != DC_OK)
        return st;
    if (tag >> 3 == 0 || tag >> 3 >= 1u << 29)
        return not_protobuf(w, f->start, "no field number");
    f->number = (uint32_t)(tag >> 3);
    f->type = (uint32_t)(tag & 7);
    f->offset = *pos;
    switch (f->type) {
    case DC_PB_VARINT:
        st = varint(&f->value, w, pos, end);
        f->length = *pos - f->offset;
        return st;
    case DC_PB_FIXED64:
        st = fixed(f, w, end, 8);
        break;
    case DC_PB_FIXED32:
        st = fixed(f, w, end, 4);
        break;
    case DC_PB_LENGTH:
        st = varint(&f->length, w, pos, end);
        f->offset = *pos;
        if (st == DC_OK && f->length > end - *pos)
            st = not_protobuf(w, f->start, "a field passes the end");
        break;
    default:
        st = not_protobuf(w, f->start, "an unknown wire type");
    }
    if (st == DC_OK)
        *pos = f->offset + f->length;
    return st;
}
