/* tests/half.h - doubles as 16-bit floats. */
#ifndef DC_HALF_H
#define DC_HALF_H
#include <stdint.h>
#include <string.h>

/* v / 2^shift to the nearest integer, ties to even; shift > 0 */
static inline uint64_t half_round(uint64_t v, unsigned shift)
{
    if (shift > 63)
        return 0;
    uint64_t q = v >> shift, rest = v & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    return q + (rest > half || (rest == half && (q & 1)));
}

/* From the bits, so that one rounding is made whatever the floating-point mode. A carry out of the
 * mantissa runs into the exponent, which is just what is wanted. */
static inline uint16_t half_narrow(double v, unsigned mantissa_bits)
{
    unsigned exponent_bits = 15 - mantissa_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint64_t bits, inf = ((1ull << exponent_bits) - 1) << mantissa_bits;
    memcpy(&bits, &v, sizeof bits);
    uint64_t sign = bits >> 63 << 15, field = bits >> 52 & 0x7ff, m = bits & ((1ull << 52) - 1);
    if (field == 0x7ff && m)
        return (uint16_t)(sign | inf | 1ull << (mantissa_bits - 1));
    if (field == 0)
        return (uint16_t)sign;
    int e = (int)field - 1023 + bias;
    unsigned drop = 52 - mantissa_bits;
    uint64_t full = m | 1ull << 52, code;
    if (e < 1)
        code = half_round(full, drop + (unsigned)(1 - e));
    else
        code = ((uint64_t)(e - 1) << mantissa_bits) + half_round(full, drop);
    return (uint16_t)(sign | (code < inf ? code : inf));
}

/* The nearest float16 / bfloat16, ties to even; beyond the range Inf; NaN gives a quiet NaN. */
static inline uint16_t to_float16(double v)
{
    return half_narrow(v, 10);
}

static inline uint16_t to_bfloat16(double v)
{
    return half_narrow(v, 7);
}
#endif
