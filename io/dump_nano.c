/* io/dump_nano.c - the header of nano dumps: tags, lengths and descriptors (dump_read.h). */
#include "io/dtype.h"
#include "io/dump_layout.h"
#include "io/endian.h"
#include "io/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TAG_INPUTS = 4, TAG_OUTPUTS = 5 };
enum { TAG_SHAPE = 0, TAG_ORIGINAL_SHAPE = 1, TAG_NAME = 2 };

/* A run of header bytes that is being read; `bad` once something did not fit. */
typedef struct span {
    const uint8_t *at;
    size_t n;
    bool bad;
} span;

static uint64_t take(span *s, size_t n)
{
    if (s->bad || s->n < n) {
        s->bad = true;
        return 0;
    }
    uint64_t v = dc_little_endian(s->at, n);
    s->at += n;
    s->n -= n;
    return v;
}

static uint32_t take32(span *s)
{
    return (uint32_t)take(s, 4);
}

static span take_span(span *s, size_t n)
{
    span part = {s->at, n, false};
    if (s->bad || s->n < n) {
        s->bad = true;
        return (span){s->at, 0, true};
    }
    s->at += n;
    s->n -= n;
    return part;
}

/* The contents of the next (tag, length, contents). */
static span take_tlv(span *s, uint32_t *tag)
{
    *tag = take32(s);
    return take_span(s, take32(s));
}

/* The last contents of `tag` in a list; empty if it is not there. */
static span find_tlv(span list, uint32_t wanted, bool *bad)
{
    span found = {0};
    uint32_t tag;
    while (list.n) {
        span contents = take_tlv(&list, &tag);
        *bad = *bad || list.bad;
        if (list.bad)
            break;
        if (tag == wanted)
            found = contents;
    }
    return found;
}

/* Unaligned u64 of s as an array, malloc'd. */
static dc_status take_dims(uint64_t **dim, size_t *n, span s)
{
    *n = s.n / 8;
    *dim = malloc(*n * sizeof **dim + 1);
    if (!*dim)
        return dc_fail_memory();
    for (size_t i = 0; i < *n; i++)
        (*dim)[i] = take(&s, 8);
    return DC_OK;
}

static uint32_t dump_number(uint32_t ge)
{
    int dtype = dc_dtype_by_ge((int32_t)ge);
    return dtype < 0 ? UINT32_MAX : (uint32_t)dtype;
}

static dc_status set_origin(dc_dump *d, dc_dump_tensor *t, span name, const uint32_t origin[3])
{
    uint32_t id;
    if (!name.n)
        return DC_OK;
    dc_status st = dc_pool_add(&id, d->memory, (const char *)name.at, name.n);
    if (st == DC_OK)
        dc_dump_set_origin(t, dc_pool_text(d->memory, id), origin);
    return st;
}

static dc_status take_descriptor(dc_dump *d, dc_dump_tensor *t, span *s, const char *path)
{
    uint32_t origin[3] = {0};
    uint64_t *dim = NULL, *original = NULL;
    dc_dump_raw raw = {.dtype = dump_number(take32(s)), .format = take32(s)};
    take32(s); /* address type */
    for (int i = 0; t->direction == DC_OUTPUT && i < 3; i++)
        origin[i] = take32(s);
    raw.address = take(s, 8);
    take(s, 8); /* offset on the device */
    raw.size = take(s, 8);
    span list = take_span(s, take32(s));
    span shape = find_tlv(list, TAG_SHAPE, &s->bad);
    span original_shape = find_tlv(list, TAG_ORIGINAL_SHAPE, &s->bad);
    span name = find_tlv(list, TAG_NAME, &s->bad);
    if (s->bad)
        return dc_fail(DC_EFORMAT, "%s: the descriptor of %s %" PRIu32 " passes the header's end",
                       path, dc_direction_name(t->direction), t->slot);
    dc_status st = take_dims(&dim, &raw.ndim, shape);
    if (st == DC_OK)
        st = take_dims(&original, &raw.noriginal, original_shape);
    raw.dim = dim;
    raw.original_dim = original;
    if (st == DC_OK)
        st = dc_dump_describe(t, &raw, path);
    if (st == DC_OK)
        st = set_origin(d, t, name, origin);
    free(dim);
    free(original);
    return st;
}

static dc_status take_header(dc_dump *d, span header, const char *path)
{
    span list[2] = {0};
    uint32_t count[2];
    take(&header, 8); /* magic and version */
    list[0] = find_tlv(header, TAG_INPUTS, &header.bad);
    list[1] = find_tlv(header, TAG_OUTPUTS, &header.bad);
    for (int dir = 0; dir < 2; dir++) {
        count[dir] = list[dir].n ? take32(&list[dir]) : 0;
        header.bad = header.bad || list[dir].bad;
    }
    if (header.bad)
        return dc_fail(DC_EFORMAT, "%s: the nano header is damaged", path);
    dc_status st = dc_dump_reserve(d, (uint64_t)count[0] + count[1], path);
    for (size_t i = 0; st == DC_OK && i < d->n; i++) {
        dc_dump_tensor *t = &d->tensor[i];
        t->direction = i < count[0] ? DC_INPUT : DC_OUTPUT;
        t->slot = (uint32_t)(i < count[0] ? i : i - count[0]);
        st = take_descriptor(d, t, &list[t->direction], path);
    }
    return st;
}

dc_status dc_dump_nano_decode(dc_dump *d, dc_pbwire *w, uint64_t start, uint64_t end)
{
    if (end - start > DC_DUMP_MAX_HEADER)
        return dc_fail(DC_EUNSUP, "%s: a header of more than %zu MiB", w->path,
                       DC_DUMP_MAX_HEADER >> 20);
    size_t n = (size_t)(end - start);
    uint8_t *bytes = malloc(n + 1);
    if (!bytes)
        return dc_fail_memory();
    dc_status st = dc_pbwire_read(bytes, w, start, n);
    if (st == DC_OK)
        st = take_header(d, (span){bytes, n, false}, w->path);
    free(bytes);
    return st;
}
