/* io/load.h - a block of elements of any dtype as doubles, by the fastest way this machine has. */
#ifndef DC_LOAD_H
#define DC_LOAD_H
#include "io/isa.h"

#include <stddef.h>
#include <stdint.h>

/* out[i] = element first+i of the packed array, i < n, as dc_widen gives it (two doubles per
 * complex element); NaN stays NaN, its payload may differ between instruction sets. Not collective;
 * cannot fail. */
void dc_load(double *out, const void *data, uint32_t dtype, uint64_t first, size_t n, dc_isa isa);

/* The AVX2 converters behind it (float16 has its own in io/widen.c). */
void dc_load_f32_avx2(double *out, const void *data, size_t n);
void dc_load_bf16_avx2(double *out, const void *data, size_t n);
#endif
