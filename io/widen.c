/* io/widen.c - see widen.h */
#include "io/widen.h"

#include "io/dtype.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef void widen_fn(double *out, const unsigned char *at, size_t n);

static double from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* One loop per element type; memcpy because tensors start at any byte of their file. */
#define WIDEN(name, type, value)                                                                   \
    static void name(double *out, const unsigned char *at, size_t n)                               \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            type v;                                                                                \
            memcpy(&v, at + i * sizeof v, sizeof v);                                               \
            out[i] = (value);                                                                      \
        }                                                                                          \
    }

/* Exact, without denormal arithmetic. A NaN becomes quiet and keeps its payload, as the hardware
 * does it. */
static inline double half_value(uint16_t h)
{
    uint64_t sign = (uint64_t)(h >> 15) << 63, e = h >> 10 & 31, m = h & 1023;
    uint64_t special = sign | 0x7ffull << 52 | m << 42 | (uint64_t)(m != 0) << 51;
    double scale = from_bits((1023 - 25 + (e ? e : 1)) << 52);
    double size = (double)(int64_t)(e ? m | 1024 : m) * scale;
    return e == 31 ? from_bits(special) : sign ? -size : size;
}

static inline double brain_value(uint16_t b)
{
    uint32_t bits = (uint32_t)b << 16;
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

WIDEN(from_int8, int8_t, v)
WIDEN(from_uint8, uint8_t, v)
WIDEN(from_int16, int16_t, v)
WIDEN(from_uint16, uint16_t, v)
WIDEN(from_int32, int32_t, v)
WIDEN(from_uint32, uint32_t, v)
WIDEN(from_int64, int64_t, (double)v)
WIDEN(from_uint64, uint64_t, (double)v)
WIDEN(from_bool, uint8_t, v != 0)
WIDEN(from_float32, float, (double)v)
WIDEN(from_bfloat16, uint16_t, brain_value(v))
WIDEN(from_float16_plain, uint16_t, half_value(v))

static void from_float64(double *out, const unsigned char *at, size_t n)
{
    if (n)
        memcpy(out, at, n * sizeof *out);
}

#if defined(__x86_64__)
__attribute__((target("avx,f16c"))) static size_t
from_float16_f16c(double *out, const unsigned char *at, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(at + 2 * i)));
        _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm256_castps256_ps128(v)));
        _mm256_storeu_pd(out + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
    }
    return i;
}
#endif

static void from_float16(double *out, const unsigned char *at, size_t n)
{
    size_t done = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports(
            "avx2")) /* clang 14 cannot ask for f16c; every AVX2 processor has it */
        done = from_float16_f16c(out, at, n);
#endif
    from_float16_plain(out + done, at + 2 * done, n - done);
}

/* The loop for a component of a type whose elements are whole bytes and not coded; NULL for others.
 */
static widen_fn *plain_loop(uint32_t dtype)
{
    static const struct {
        dc_kind kind;
        uint16_t bits;
        widen_fn *loop;
    } loops[] = {{DC_KIND_INT, 8, from_int8},         {DC_KIND_UINT, 8, from_uint8},
                 {DC_KIND_INT, 16, from_int16},       {DC_KIND_UINT, 16, from_uint16},
                 {DC_KIND_INT, 32, from_int32},       {DC_KIND_UINT, 32, from_uint32},
                 {DC_KIND_INT, 64, from_int64},       {DC_KIND_UINT, 64, from_uint64},
                 {DC_KIND_FLOAT, 32, from_float32},   {DC_KIND_FLOAT, 64, from_float64},
                 {DC_KIND_FLOAT, 16, from_float16},   {DC_KIND_BOOL, 8, from_bool},
                 {DC_KIND_COMPLEX, 32, from_float16}, {DC_KIND_COMPLEX, 64, from_float32},
                 {DC_KIND_COMPLEX, 128, from_float64}};
    const dc_dtype_info *t = dc_dtype_get(dtype);
    if (dtype == DC_BFLOAT16)
        return from_bfloat16;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (loops[i].kind == t->kind && loops[i].bits == t->bits)
            return loops[i].loop;
    return NULL;
}

static double hifloat8_value(unsigned code)
{
    /* by the position of the highest set bit of the seven below the sign */
    static const struct {
        uint8_t exponent_bits, mantissa_bits;
    } form[7] = {[3] = {0, 3}, [4] = {1, 3}, [5] = {2, 3}, [6] = {3, 2}};
    unsigned body = code & 0x7f;
    double sign = code & 0x80 ? -1 : 1;
    if (body == 0)
        return code ? NAN : 0.0;
    if (body == 0x6f)
        return sign * INFINITY;
    if (body < 8)
        return sign * ldexp(1, (int)body - 23);
    unsigned top = 3;
    while (body >> (top + 1))
        top++;
    bool longest = body >> 5 == 3; /* prefix 11; 10 is the other one that begins with bit 6 */
    unsigned d = longest ? 4 : form[top].exponent_bits;
    unsigned mb = longest ? 1 : form[top].mantissa_bits;
    unsigned field = body >> mb & ((1u << d) - 1);
    int e = 0;
    if (d) {
        unsigned top_bit = 1u << (d - 1);
        int size = (int)(top_bit | (field & (top_bit - 1)));
        e = field & top_bit ? -size : size;
    }
    double fraction = (double)(body & ((1u << mb) - 1)) / (double)(1u << mb);
    return sign * ldexp(1 + fraction, e);
}

/* The coded floats of IEEE shape: put into a float16's fields, they only want another bias. */
static const struct mini {
    dc_dtype dtype;
    uint8_t bits, mantissa_bits, bias;
} minis[] = {{DC_FLOAT8_E5M2, 8, 2, 15}, {DC_FLOAT8_E4M3FN, 8, 3, 7}, {DC_FLOAT6_E3M2, 6, 2, 3},
             {DC_FLOAT6_E2M3, 6, 3, 1},  {DC_FLOAT4_E2M1, 4, 1, 1},   {DC_FLOAT4_E1M2, 4, 2, 1}};

static bool coded_float(double *value, uint32_t dtype, unsigned code)
{
    if (dtype == DC_HIFLOAT8)
        *value = hifloat8_value(code);
    else if (dtype == DC_FLOAT8_E8M0)
        *value = code == 0xff ? NAN : ldexp(1, (int)code - 127);
    else {
        const struct mini *f = NULL;
        for (size_t i = 0; i < sizeof minis / sizeof *minis; i++)
            if (minis[i].dtype == dtype)
                f = &minis[i];
        if (!f)
            return false;
        unsigned sign = code >> (f->bits - 1), body = code & ((1u << (f->bits - 1)) - 1);
        uint16_t half = (uint16_t)(sign << 15 | body << (10 - f->mantissa_bits));
        *value = half_value(half) * (double)(1u << (15 - f->bias));
        if (dtype == DC_FLOAT8_E4M3FN && body == 0x7f)
            *value = NAN;
    }
    return true;
}

/* value of every code of a type of at most 8 bits that has no plain loop; false: not comparable */
static bool code_values(double value[256], uint32_t dtype)
{
    const dc_dtype_info *t = dc_dtype_get(dtype);
    if (t->bits > 8)
        return false;
    unsigned codes = 1u << t->bits;
    for (unsigned c = 0; c < codes; c++) {
        if (t->kind == DC_KIND_INT)
            value[c] = c < codes / 2 ? (double)c : (double)c - (double)codes;
        else if (t->kind == DC_KIND_UINT)
            value[c] = c;
        else if (t->kind != DC_KIND_FLOAT || !coded_float(&value[c], dtype, c))
            return false;
    }
    return true;
}

static unsigned code_at(const unsigned char *data, unsigned bits, uint64_t i)
{
    uint64_t byte = i / 8 * bits + i % 8 * bits / 8;
    unsigned shift = (unsigned)(i % 8 * bits % 8), code = data[byte];
    if (shift + bits > 8)
        code |= (unsigned)data[byte + 1] << 8;
    return code >> shift & ((1u << bits) - 1);
}

static void widen_coded(double *out, const void *data, uint32_t dtype, uint64_t first, size_t n)
{
    double value[256];
    unsigned bits = dc_dtype_get(dtype)->bits;
    const unsigned char *at = data;
    if (!code_values(value, dtype))
        for (size_t i = 0; i < n; i++)
            out[i] = NAN;
    else if (bits == 8)
        for (size_t i = 0; i < n; i++)
            out[i] = value[at[first + i]];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = value[code_at(at, bits, first + i)];
}

void dc_widen(double *out, const void *data, uint32_t dtype, uint64_t first, size_t n)
{
    widen_fn *loop = plain_loop(dtype);
    if (loop)
        loop(out, (const unsigned char *)data + first * (dc_dtype_get(dtype)->bits / 8),
             n * dc_widen_parts(dtype));
    else
        widen_coded(out, data, dtype, first, n);
}

bool dc_widen_supported(uint32_t dtype)
{
    double value[256];
    return plain_loop(dtype) || code_values(value, dtype);
}

size_t dc_widen_parts(uint32_t dtype)
{
    return dc_dtype_get(dtype)->kind == DC_KIND_COMPLEX ? 2 : 1;
}

bool dc_dtype_packing_assumed(uint32_t dtype)
{
    return dtype == DC_INT2 || dtype == DC_UINT2 || dtype == DC_FLOAT6_E3M2 ||
           dtype == DC_FLOAT6_E2M3;
}

#define SWAP(name, type, swap)                                                                     \
    static void name(unsigned char *at, size_t n)                                                  \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            type v;                                                                                \
            memcpy(&v, at + i * sizeof v, sizeof v);                                               \
            v = swap(v);                                                                           \
            memcpy(at + i * sizeof v, &v, sizeof v);                                               \
        }                                                                                          \
    }
SWAP(swap2, uint16_t, __builtin_bswap16)
SWAP(swap4, uint32_t, __builtin_bswap32)
SWAP(swap8, uint64_t, __builtin_bswap64)

static void swap_any(unsigned char *at, size_t n, size_t width)
{
    for (unsigned char *item = at; n > 0; n--, item += width)
        for (size_t i = 0; i < width / 2; i++) {
            unsigned char kept = item[i];
            item[i] = item[width - 1 - i];
            item[width - 1 - i] = kept;
        }
}

void dc_swap_bytes(void *data, size_t n_items, size_t width)
{
    if (width == 2)
        swap2(data, n_items);
    else if (width == 4)
        swap4(data, n_items);
    else if (width == 8)
        swap8(data, n_items);
    else if (width > 1)
        swap_any(data, n_items, width);
}

void dc_swap_elements(void *data, size_t n, uint32_t dtype)
{
    size_t parts = dc_widen_parts(dtype);
    dc_swap_bytes(data, n * parts, dc_dtype_get(dtype)->bits / 8 / parts);
}

void dc_swap_bits(void *data, size_t n)
{
    uint8_t *p = data;
    for (size_t i = 0; i < n; i++) {
        uint8_t back = 0;
        for (int bit = 0; bit < 8; bit++)
            back = (uint8_t)(back | (p[i] >> bit & 1) << (7 - bit));
        p[i] = back;
    }
}
