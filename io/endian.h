/* io/endian.h - little-endian numbers in bytes of any alignment. */
#ifndef DC_ENDIAN_H
#define DC_ENDIAN_H
#include <stddef.h>
#include <stdint.h>

/* The number in at[0..n), n <= 8. Not collective; cannot fail. */
static inline uint64_t dc_little_endian(const uint8_t *at, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)at[i] << (8 * i);
    return v;
}
#endif
