/* io/mem.c - see mem.h */
#include "io/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

dc_status dc_grow(void **items, size_t *cap, size_t n, size_t more, size_t size)
{
    uint64_t need, bytes;
    if (!dc_add_u64(&need, n, more))
        return dc_fail_memory();
    if (*items && need <= *cap)
        return DC_OK;
    uint64_t want = *cap + *cap / 2 + 16;
    if (want < need)
        want = need;
    if (dc_fault("mem.grow") || !dc_mul_u64(&bytes, want, size) || bytes > PTRDIFF_MAX)
        return dc_fail_memory();
    void *bigger = realloc(*items, bytes);
    if (!bigger)
        return dc_fail_memory();
    *items = bigger;
    *cap = want;
    return DC_OK;
}

size_t dc_equal_range(size_t *first, size_t n, int (*compare)(const void *context, size_t i),
                      const void *context)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(context, middle) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < n && compare(context, low) == 0)
        low++;
    return low - *first;
}

dc_status dc_buf_add(dc_buf *b, const void *bytes, size_t n)
{
    if (dc_grow((void **)&b->data, &b->cap, b->n, n, 1) != DC_OK)
        return DC_ENOMEM;
    if (n)
        memcpy(b->data + b->n, bytes, n);
    b->n += n;
    return DC_OK;
}

dc_status dc_buf_puts(dc_buf *b, const char *text)
{
    return dc_buf_add(b, text, strlen(text));
}

dc_status dc_buf_printf(dc_buf *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    dc_status st = dc_grow((void **)&b->data, &b->cap, b->n, (size_t)n + 1, 1);
    if (st == DC_OK) {
        vsnprintf(b->data + b->n, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
    return st;
}

void dc_buf_free(dc_buf *b)
{
    free(b->data);
    *b = (dc_buf){0};
}

#define FIRST_BLOCK 512u /* most pools hold one header's few strings */
#define BLOCK       (64u * 1024u)

typedef struct slot {
    uint32_t entry; /* id + 1, 0 = free */
    uint32_t hash;  /* of the text: saves reading it */
} slot;

struct dc_pool {
    const char **text; /* by id; points into blocks */
    size_t n, cap;
    slot *slot;   /* open addressing */
    size_t slots; /* power of two, at most 2^32 */
    char **block; /* strings never move, so ids and pointers stay valid */
    size_t nblock, capblock;
    size_t used, room; /* of the last block */
};

static size_t home(uint32_t hash, size_t slots)
{
    return hash & (slots - 1);
}

static dc_status rehash(dc_pool *p, size_t slots)
{
    slot *table = calloc(slots, sizeof *table);
    if (!table)
        return dc_fail_memory();
    for (size_t i = 0; i < p->slots; i++) {
        if (!p->slot[i].entry)
            continue;
        size_t at = home(p->slot[i].hash, slots);
        while (table[at].entry)
            at = (at + 1) & (slots - 1);
        table[at] = p->slot[i];
    }
    free(p->slot);
    p->slot = table;
    p->slots = slots;
    return DC_OK;
}

dc_status dc_pool_new(dc_pool **out)
{
    dc_pool *p = calloc(1, sizeof *p);
    uint32_t id;
    if (!p)
        return dc_fail_memory();
    if (rehash(p, 64) != DC_OK || dc_pool_add(&id, p, "", 0) != DC_OK) {
        dc_pool_free(p);
        return DC_ENOMEM;
    }
    *out = p;
    return DC_OK;
}

void dc_pool_free(dc_pool *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->nblock; i++)
        free(p->block[i]);
    free(p->block);
    free(p->text);
    free(p->slot);
    free(p);
}

static dc_status store_text(const char **out, dc_pool *p, const char *text, size_t n)
{
    if (!p->nblock || p->room - p->used <= n) {
        size_t room = p->room * 2 < FIRST_BLOCK ? FIRST_BLOCK : p->room * 2;
        room = room > BLOCK ? BLOCK : room;
        room = room < n + 1 ? n + 1 : room;
        if (dc_grow((void **)&p->block, &p->capblock, p->nblock, 1, sizeof *p->block) != DC_OK)
            return DC_ENOMEM;
        p->block[p->nblock] = malloc(room);
        if (!p->block[p->nblock])
            return dc_fail_memory();
        p->nblock++;
        p->used = 0;
        p->room = room;
    }
    char *at = p->block[p->nblock - 1] + p->used;
    if (n)
        memcpy(at, text, n);
    at[n] = '\0';
    p->used += n + 1;
    *out = at;
    return DC_OK;
}

static uint32_t hash_of(const char *text, size_t n)
{
    return (uint32_t)XXH3_64bits(text, n);
}

/* The slot of a text, or the free one where it belongs. */
static slot *probe(const dc_pool *p, uint32_t hash, const char *text, size_t n)
{
    size_t at = home(hash, p->slots);
    for (; p->slot[at].entry; at = (at + 1) & (p->slots - 1)) {
        const char *have = p->text[p->slot[at].entry - 1];
        if (p->slot[at].hash == hash && strncmp(have, text, n) == 0 && have[n] == '\0')
            break;
    }
    return &p->slot[at];
}

dc_status dc_pool_add(uint32_t *id, dc_pool *p, const char *text, size_t n)
{
    if (n)
        n = strnlen(text, n); /* an embedded NUL ends the string */
    uint32_t hash = hash_of(text, n);
    slot *at = probe(p, hash, text, n);
    if (at->entry) {
        *id = at->entry - 1;
        return DC_OK;
    }
    if (p->n >= DC_NO_STR - 1)
        return dc_fail(DC_EUNSUP, "more than 2^32 different strings");
    dc_status st = dc_grow((void **)&p->text, &p->cap, p->n, 1, sizeof *p->text);
    if (st == DC_OK && (p->n + 1) * 4 > p->slots * 3) {
        st = rehash(p, p->slots * 2);
        at = probe(p, hash, text, n);
    }
    if (st == DC_OK)
        st = store_text(&p->text[p->n], p, text, n);
    if (st != DC_OK)
        return st;
    *at = (slot){(uint32_t)++p->n, hash};
    *id = at->entry - 1;
    return DC_OK;
}

dc_status dc_pool_adds(uint32_t *id, dc_pool *p, const char *text)
{
    return dc_pool_add(id, p, text, strlen(text));
}

dc_status dc_pool_copy(dc_pool **out, const dc_pool *from)
{
    uint32_t id;
    dc_status st = dc_pool_new(out);
    for (uint32_t i = 0; st == DC_OK && i < from->n; i++)
        st = dc_pool_adds(&id, *out, from->text[i]);
    return st;
}

uint32_t dc_pool_find(const dc_pool *p, const char *text)
{
    size_t n = strlen(text);
    const slot *at = probe(p, hash_of(text, n), text, n);
    return at->entry ? at->entry - 1 : DC_NO_STR;
}

const char *dc_pool_text(const dc_pool *p, uint32_t id)
{
    return id < p->n ? p->text[id] : "";
}

uint32_t dc_pool_count(const dc_pool *p)
{
    return (uint32_t)p->n;
}
