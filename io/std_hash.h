/* io/std_hash.h - libstdc++'s std::hash<std::string> on 64-bit machines: the names CANN gives to
 * files whose own name is too long.
 *
 * MurmurHash64A of the bytes, seed 0xc70f6907, the last partial word read little-endian. Source:
 * libstdc++'s hash_bytes.cc. */
#ifndef DC_STD_HASH_H
#define DC_STD_HASH_H
#include <stddef.h>
#include <stdint.h>

/* Not collective; cannot fail. */
uint64_t dc_std_hash(const void *data, size_t n);
#endif
