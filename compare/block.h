/* compare/block.h - a block of a pair as doubles, and what is left of it without NaN and Inf. */
#ifndef DC_BLOCK_H
#define DC_BLOCK_H
#include "compare/kernel.h"

typedef struct dc_block {
    _Alignas(64) double v[2][DC_BLOCK]; /* left, right */
    size_t n;                           /* reals */
} dc_block;

typedef struct dc_finite { /* the finite pairs of a block, packed */
    _Alignas(64) double v[2][DC_BLOCK];
    size_t n;
} dc_finite;

/* Reals per element of a pair: 2 if either side is complex. */
unsigned dc_block_parts(const dc_pair_data *pair);
/* Elements that fill a block. */
size_t dc_block_elements(const dc_pair_data *pair);
/* Load elements first .. first+n-1 (of the call's arrays), n <= dc_block_elements. A real side
 * against a complex one has imaginary parts 0. */
void dc_block_load(dc_block *b, const dc_pair_data *pair, uint64_t first, size_t n, dc_isa isa);
/* Where the block that starts at element `first` of the call's n lies, for fetching ahead. */
dc_ahead dc_block_ahead(const dc_pair_data *pair, uint64_t first, uint64_t n);
void dc_block_finite(dc_finite *f, const dc_block *b);
#endif
