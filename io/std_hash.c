/* io/std_hash.c - see std_hash.h */
#include "io/std_hash.h"

#include "io/endian.h"

#define MULTIPLIER 0xc6a4a7935bd1e995u

static uint64_t mix(uint64_t v)
{
    return v ^ v >> 47;
}

uint64_t dc_std_hash(const void *data, size_t n)
{
    const uint8_t *at = data;
    uint64_t h = 0xc70f6907u ^ (uint64_t)n * MULTIPLIER;
    for (; n >= 8; n -= 8, at += 8) {
        h ^= mix(dc_little_endian(at, 8) * MULTIPLIER) * MULTIPLIER;
        h *= MULTIPLIER;
    }
    if (n) {
        h ^= dc_little_endian(at, n);
        h *= MULTIPLIER;
    }
    return mix(mix(h) * MULTIPLIER);
}
