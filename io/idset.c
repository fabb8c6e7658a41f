/* io/idset.c - see idset.h */
#include "io/idset.h"

#include "io/mem.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define FIRST_SLOTS 64

struct dc_idset {
    size_t size;
    char *key; /* n of size bytes, by id */
    size_t n, cap;
    uint32_t *slot; /* open addressing: id + 1, 0 = free */
    size_t slots;   /* power of two */
};

static size_t probe(const dc_idset *s, const void *key)
{
    size_t at = (size_t)XXH3_64bits(key, s->size) & (s->slots - 1);
    while (s->slot[at] && memcmp(s->key + (s->slot[at] - 1) * s->size, key, s->size) != 0)
        at = (at + 1) & (s->slots - 1);
    return at;
}

static dc_status rehash(dc_idset *s, size_t slots)
{
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return dc_fail_memory();
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    for (size_t i = 0; i < s->n; i++)
        s->slot[probe(s, s->key + i * s->size)] = (uint32_t)i + 1;
    return DC_OK;
}

dc_status dc_idset_new(dc_idset **out, size_t size)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return dc_fail_memory();
    (*out)->size = size;
    if (rehash(*out, FIRST_SLOTS) == DC_OK)
        return DC_OK;
    dc_idset_free(*out);
    *out = NULL;
    return DC_ENOMEM;
}

void dc_idset_free(dc_idset *s)
{
    if (!s)
        return;
    free(s->key);
    free(s->slot);
    free(s);
}

dc_status dc_idset_add(uint32_t *id, bool *added, dc_idset *s, const void *key)
{
    size_t at = probe(s, key);
    if (added)
        *added = !s->slot[at];
    if (s->slot[at]) {
        *id = s->slot[at] - 1;
        return DC_OK;
    }
    if (s->n >= UINT32_MAX - 1)
        return dc_fail(DC_EUNSUP, "more than 2^32 different keys");
    dc_status st = dc_grow((void **)&s->key, &s->cap, s->n, 1, s->size);
    if (st == DC_OK && (s->n + 1) * 4 > s->slots * 3) {
        st = rehash(s, s->slots * 2);
        at = st == DC_OK ? probe(s, key) : at;
    }
    if (st != DC_OK)
        return st;
    memcpy(s->key + s->n * s->size, key, s->size);
    *id = (uint32_t)s->n++;
    s->slot[at] = *id + 1;
    return DC_OK;
}

uint32_t dc_idset_find(const dc_idset *s, const void *key)
{
    return s->slot[probe(s, key)] - 1;
}

const void *dc_idset_key(const dc_idset *s, uint32_t id)
{
    return s->key + (size_t)id * s->size;
}

uint32_t dc_idset_count(const dc_idset *s)
{
    return (uint32_t)s->n;
}

void dc_idset_clear(dc_idset *s)
{
    s->n = 0;
    memset(s->slot, 0, s->slots * sizeof *s->slot);
}
