/* io/parts.c - see parts.h
 *
 * A list is lines "OFFSET BYTES CUT LENGTH:PATH". The elements of a part in their order have
 * growing places in the whole, so what a range of the whole needs of a part is a range of it. */
#include "io/parts.h"

#include "io/dtype.h"
#include "io/path.h"
#include "io/word.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct box {
    char *path; /* owned */
    uint64_t offset, bytes;
    dc_shape lower, len;
    uint64_t count;
} box;

struct dc_parts {
    box *box;
    size_t n, cap, item; /* item: bytes of an element, 0 when packed */
    dc_shape whole;
    uint64_t bytes;
};

dc_status dc_parts_add(dc_buf *list, const dc_part *p)
{
    return dc_buf_printf(list, "%" PRIu64 " %" PRIu64 " %s %zu:%s\n", p->offset, p->bytes, p->cut,
                         strlen(p->path), p->path);
}

/* "0-4x8-16"; *end is behind it. */
static bool parse_cut(box *b, const char *text, const char **end)
{
    char *at;
    for (bool more = true; more; text = at) {
        if (b->len.rank == DC_MAX_RANK || *text < '0' || *text > '9')
            return false;
        uint64_t lower = strtoull(text, &at, 10);
        if (*at != '-' || at[1] < '0' || at[1] > '9')
            return false;
        uint64_t upper = strtoull(at + 1, &at, 10);
        if (upper < lower || upper > INT64_MAX)
            return false;
        b->lower.dim[b->lower.rank++] = lower;
        b->len.dim[b->len.rank++] = upper - lower;
        more = *at == 'x';
        at += more;
    }
    *end = at;
    return *at == ' ' || *at == '\0';
}

bool dc_parts_fits(const char *cut, const dc_shape *shape)
{
    box b = {0};
    return parse_cut(&b, cut, &cut) && *cut == '\0' && dc_shape_equal(&b.len, shape);
}

/* The next line of a list. */
static dc_status parse_line(box *b, const char **list)
{
    int used = 0;
    size_t length = 0;
    const char *at = *list;
    if (sscanf(at, "%" SCNu64 " %" SCNu64 " %n", &b->offset, &b->bytes, &used) != 2 || !used)
        return dc_fail(DC_EFORMAT, "a list of parts is damaged");
    if (!parse_cut(b, at + used, &at))
        return dc_fail(DC_EFORMAT, "the range of an FFTS+ part cannot be read");
    used = 0;
    if (sscanf(at, " %zu:%n", &length, &used) != 1 || !used || strnlen(at + used, length) != length)
        return dc_fail(DC_EFORMAT, "a list of parts is damaged");
    b->path = strndup(at + used, length);
    *list = at + used + length + 1;
    return b->path ? DC_OK : dc_fail_memory();
}

static bool same_range(const box *a, const box *b)
{
    return dc_shape_equal(&a->lower, &b->lower) && dc_shape_equal(&a->len, &b->len);
}

static dc_status take_box(dc_parts *p, const box *b, uint32_t dtype)
{
    uint64_t need;
    if (b->len.rank != p->whole.rank)
        return dc_fail(DC_EFORMAT, "%s: FFTS+ parts of different rank", b->path);
    if (!dc_shape_count(&p->box[p->n - 1].count, &b->len) ||
        !dc_dtype_bytes(&need, dtype, p->box[p->n - 1].count) || need != b->bytes)
        return dc_fail(DC_EFORMAT, "%s: a part of %" PRIu64 " %s, its range is not of so many",
                       b->path, b->bytes, dc_word(b->bytes, "byte", "bytes"));
    for (uint32_t i = 0; i < b->len.rank; i++) {
        uint64_t upper = b->lower.dim[i] + b->len.dim[i];
        p->whole.dim[i] = upper > p->whole.dim[i] ? upper : p->whole.dim[i];
    }
    return DC_OK;
}

/* What the boxes make up. */
static dc_status measure(dc_parts *p, uint32_t dtype)
{
    size_t alike = 0;
    uint64_t count;
    dc_status st = DC_OK;
    if (p->n == 0)
        return dc_fail(DC_EFORMAT, "a list of parts is empty");
    while (alike < p->n && same_range(&p->box[0], &p->box[alike]))
        alike++;
    if (alike == p->n) /* uncut: the first says it all */
        while (p->n > 1)
            free(p->box[--p->n].path);
    unsigned bits = dc_dtype_get(dtype)->bits;
    p->item = bits / 8;
    if (!dc_shape_count(&count, &p->whole) || !dc_dtype_bytes(&p->bytes, dtype, count))
        st = dc_fail(DC_EFORMAT, "%s: FFTS+ parts make up more than 2^64 bytes", p->box[0].path);
    if (st == DC_OK && bits % 8 && (p->n > 1 || p->bytes != p->box[0].bytes))
        st = dc_fail(DC_EUNSUP, "packed elements of FFTS+ parts cannot be put together");
    return st;
}

dc_status dc_parts_open(dc_parts **out, const char *list, uint32_t dtype)
{
    dc_parts *p = calloc(1, sizeof *p);
    dc_status st = p ? DC_OK : dc_fail_memory();
    while (st == DC_OK && *list) {
        box b = {0};
        st = dc_grow((void **)&p->box, &p->cap, p->n, 1, sizeof *p->box);
        if (st == DC_OK)
            st = parse_line(&b, &list);
        if (st != DC_OK)
            break;
        p->box[p->n++] = b;
        p->whole.rank = p->n == 1 ? b.len.rank : p->whole.rank;
        st = take_box(p, &b, dtype);
    }
    if (st == DC_OK)
        st = measure(p, dtype);
    if (st == DC_OK)
        *out = p;
    else
        dc_parts_free(p);
    return st;
}

void dc_parts_free(dc_parts *p)
{
    for (size_t i = 0; p && i < p->n; i++)
        free(p->box[i].path);
    if (p)
        free(p->box);
    free(p);
}

const dc_shape *dc_parts_shape(const dc_parts *p)
{
    return &p->whole;
}

uint64_t dc_parts_bytes(const dc_parts *p)
{
    return p->bytes;
}

/* How many of the box's elements come before element `end` of the whole. */
static uint64_t count_before(const box *b, const dc_shape *whole, uint64_t end)
{
    uint64_t stride = 1, inner = b->count, before = 0;
    for (uint32_t i = 0; i < whole->rank; i++)
        stride *= whole->dim[i];
    if (end >= stride)
        return b->count;
    for (uint32_t i = 0; i < whole->rank; i++) {
        stride /= whole->dim[i];
        inner /= b->len.dim[i];
        uint64_t at = end / stride, first = b->lower.dim[i];
        end %= stride;
        if (at < first)
            return before;
        if (at >= first + b->len.dim[i])
            return before + b->len.dim[i] * inner;
        before += (at - first) * inner;
    }
    return before;
}

/* The place in the whole of element k of the box. */
static uint64_t place_of(const box *b, const dc_shape *whole, uint64_t k)
{
    uint64_t at = 0, stride = 1;
    for (uint32_t i = whole->rank; i-- > 0;) {
        at += (b->lower.dim[i] + k % b->len.dim[i]) * stride;
        stride *= whole->dim[i];
        k /= b->len.dim[i];
    }
    return at;
}

/* A range of the whole that is being put together. */
typedef struct range {
    const dc_parts *p;
    uint64_t first, n;
    char *to, *scratch; /* [n * item] each */
    char *seen;         /* [n]: 1 where an element came */
} range;

static dc_status read_file(char *to, const box *b, uint64_t offset, size_t bytes)
{
    int fd = open(b->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dc_fail_errno("%s", b->path);
    dc_status st = dc_pread(fd, to, bytes, b->offset + offset, b->path);
    close(fd);
    return st;
}

static dc_status read_box(range *r, const box *b)
{
    const dc_parts *p = r->p;
    size_t item = p->item;
    if (b->count == 0)
        return DC_OK;
    uint64_t k = count_before(b, &p->whole, r->first),
             end = count_before(b, &p->whole, r->first + r->n), start = k;
    uint64_t row = b->len.dim[b->len.rank - 1];
    if (k == end)
        return DC_OK;
    dc_status st = read_file(r->scratch, b, k * item, (end - k) * item);
    for (uint64_t run; st == DC_OK && k < end; k += run) {
        run = row - k % row < end - k ? row - k % row : end - k;
        uint64_t at = place_of(b, &p->whole, k) - r->first;
        memcpy(r->to + at * item, r->scratch + (k - start) * item, run * item);
        memset(r->seen + at, 1, run);
    }
    return st;
}

dc_status dc_parts_read(void *to, const dc_parts *p, uint64_t offset, size_t bytes)
{
    if (bytes == 0)
        return DC_OK;
    if (p->n == 1 && p->bytes == p->box[0].bytes)
        return read_file(to, &p->box[0], offset, bytes);
    range r = {.p = p, .first = offset / p->item, .n = bytes / p->item, .to = to};
    r.scratch = malloc(bytes);
    r.seen = calloc(r.n, 1);
    dc_status st = r.scratch && r.seen ? DC_OK : dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < p->n; i++)
        st = read_box(&r, &p->box[i]);
    if (st == DC_OK && memchr(r.seen, 0, r.n))
        st = dc_fail(DC_EFORMAT, "%s: the operator's FFTS+ parts leave out some of the tensor",
                     p->box[0].path);
    free(r.scratch);
    free(r.seen);
    return st;
}
