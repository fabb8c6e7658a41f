/* io/mem.h - overflow-checked sizes, a growable array, a byte buffer and a string pool. */
#ifndef DC_MEM_H
#define DC_MEM_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *out = a*b (a+b); false and *out untouched when it does not fit. Not collective. */
static inline bool dc_mul_u64(uint64_t *out, uint64_t a, uint64_t b)
{
    uint64_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}
static inline bool dc_add_u64(uint64_t *out, uint64_t a, uint64_t b)
{
    uint64_t r;
    if (__builtin_add_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}
static inline uint64_t dc_round_up(uint64_t v, uint64_t step)
{
    return (v + step - 1) / step * step;
}
/* Mix 64 bits so that every input bit reaches every output bit (the finaliser of SplitMix64, public
 * domain). */
static inline uint64_t dc_mix64(uint64_t v)
{
    v ^= v >> 30;
    v *= 0xbf58476d1ce4e5b9u;
    v ^= v >> 27;
    v *= 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

/* Make room in a growable array: *items (from malloc, or NULL) holds n used of *cap allocated items
 * of `size` bytes; afterwards at least n+more fit. Errors: DC_ENOMEM, the array is then untouched.
 */
dc_status dc_grow(void **items, size_t *cap, size_t n, size_t more, size_t size) DC_MUST_CHECK;

/* In n sorted items, those that equal what is looked for: how many, and *first, where they stand
 * (or would). compare(context, i) is below, at or above 0 as item i comes before, equals or comes
 * after it. */
size_t dc_equal_range(size_t *first, size_t n, int (*compare)(const void *context, size_t i),
                      const void *context);

/* A byte buffer; all-zero is empty. data is owned, freed by dc_buf_free, which leaves it empty. */
typedef struct dc_buf {
    char *data;
    size_t n, cap;
} dc_buf;
dc_status dc_buf_add(dc_buf *b, const void *bytes, size_t n) DC_MUST_CHECK;
dc_status dc_buf_puts(dc_buf *b, const char *text) DC_MUST_CHECK; /* without the NUL */
dc_status dc_buf_printf(dc_buf *b, const char *format, ...) DC_MUST_CHECK
    __attribute__((format(printf, 2, 3)));
void dc_buf_free(dc_buf *b);

/* Strings interned to dense ids 0..n-1 in order of first appearance; id 0 is always "". Owned by
 * the pool. */
typedef struct dc_pool dc_pool;
#define DC_NO_STR UINT32_MAX
dc_status dc_pool_new(dc_pool **out) DC_MUST_CHECK;
void dc_pool_free(dc_pool *p);
/* A pool of the same strings with the same ids. */
dc_status dc_pool_copy(dc_pool **out, const dc_pool *from) DC_MUST_CHECK;
/* *id = the id of text[0..n), added if new. Errors: DC_ENOMEM. */
dc_status dc_pool_add(uint32_t *id, dc_pool *p, const char *text, size_t n) DC_MUST_CHECK;
dc_status dc_pool_adds(uint32_t *id, dc_pool *p, const char *text) DC_MUST_CHECK;
/* The id of text, or DC_NO_STR. */
uint32_t dc_pool_find(const dc_pool *p, const char *text);
/* NUL-terminated text of an id, valid until the pool is freed; "" for DC_NO_STR. */
const char *dc_pool_text(const dc_pool *p, uint32_t id);
uint32_t dc_pool_count(const dc_pool *p);
#endif
