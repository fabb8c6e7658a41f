/* io/idset.h - fixed-size binary keys interned to dense ids, as io/mem's pool does for texts. */
#ifndef DC_IDSET_H
#define DC_IDSET_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dc_idset dc_idset;

/* Keys of `size` bytes; two keys are the same if their bytes are, so padding must be zero. Ids
 * count from 0 in order of first appearance. Not collective. */
dc_status dc_idset_new(dc_idset **out, size_t size) DC_MUST_CHECK;
void dc_idset_free(dc_idset *s); /* NULL is legal */
/* *id = the id of key, added if new (*added, which may be NULL, says so). Errors: DC_ENOMEM;
 * DC_EUNSUP for more than 2^32 - 2 keys. */
dc_status dc_idset_add(uint32_t *id, bool *added, dc_idset *s, const void *key) DC_MUST_CHECK;
/* The id of key, or UINT32_MAX. */
uint32_t dc_idset_find(const dc_idset *s, const void *key);
/* The key of an id; valid until the next add. */
const void *dc_idset_key(const dc_idset *s, uint32_t id);
uint32_t dc_idset_count(const dc_idset *s);
/* Forget all keys, keep the memory. */
void dc_idset_clear(dc_idset *s);
#endif
