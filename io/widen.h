/* io/widen.h - tensor elements of every comparable type as doubles, and the few ways back. */
#ifndef DC_WIDEN_H
#define DC_WIDEN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats. Multi-byte elements are little-endian, as on the device and on every host we run on.
 *
 *   small floats: sign, exponent e, mantissa m of mb bits; e = 0: (m/2^mb)*2^(1-bias), else
 *   (1+m/2^mb)*2^(e-bias). Bias: E5M2 15 (Inf and NaN as IEEE), E4M3FN 7 (NaN is S.1111.111, no
 *   Inf), E3M2 3, E2M3 1, E2M1 1, E1M2 1 (none of these four has NaN or Inf).
 *   E8M0: 2^(v-127), 0xff is NaN; no zero, no sign.
 *   HiFloat8: sign; a prefix 11, 10, 01, 001, 0001 says how many exponent bits D follow (4, 3, 2,
 * 1, 0), the rest is the mantissa (1, 2, 3, 3, 3 bits); exponent = its sign bit, then a hidden 1
 * and D-1 bits of magnitude; prefix 0000: +-2^(m-23). 0x00 = 0, 0x80 = NaN, 0x6f = Inf, 0xef =
 * -Inf.
 *
 *   sub-byte types: n elements in ceil(n*bits/8) bytes, the first element in the lowest bits; int4
 * and int2 in two's complement.
 *
 * Sources: opbase opdev/float*.h, adump hifloat.cpp (arXiv 2409.16626), GE's constant parser for
 * int4, npu_sign_bits_pack for uint1; for int2, uint2 and the 6-bit floats there is none. */

/* out[i] = element first+i of the packed array `data`, for i < n. Complex types give out[2i] =
 * real, out[2i+1] = imaginary: out has room for 2n. bool: any non-zero byte is 1. NaN stays NaN. A
 * type for which dc_widen_supported is false gives NaN. data needs no alignment and must hold
 * dc_dtype_bytes(first+n). Not collective; none of these functions can fail. */
void dc_widen(double *out, const void *data, uint32_t dtype, uint64_t first, size_t n);
bool dc_widen_supported(uint32_t dtype);
/* Doubles that one element gives: 2 for complex types, else 1. */
size_t dc_widen_parts(uint32_t dtype);
/* Whether the order of elements within a byte is assumed for want of a source: what is computed
 * from such a type must not become a verdict. */
bool dc_dtype_packing_assumed(uint32_t dtype);

/* Reverse the bytes of each of n_items items of `width` bytes, in place. */
void dc_swap_bytes(void *data, size_t n_items, size_t width);
/* The same for n elements of a dtype: the halves of complex elements are swapped each; types of one
 * byte or less stay. */
void dc_swap_elements(void *data, size_t n, uint32_t dtype);
/* Reverse the bits of each of n bytes, in place: elements of 1 bit that were packed from the
 * highest bit on. */
void dc_swap_bits(void *data, size_t n);
#endif
