/* io/load_avx2.c - float32 and bfloat16 to doubles with AVX2. */
#include "io/load.h"

#ifdef __AVX2__
#include <immintrin.h>
#include <string.h>

static inline void store8(double *out, __m256 v)
{
    _mm256_storeu_pd(out, _mm256_cvtps_pd(_mm256_castps256_ps128(v)));
    _mm256_storeu_pd(out + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
}

void dc_load_f32_avx2(double *out, const void *data, size_t n)
{
    const char *p = data;
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        store8(out + i, _mm256_loadu_ps((const void *)(p + 4 * i)));
    for (; i < n; i++) {
        float v;
        memcpy(&v, p + 4 * i, 4);
        out[i] = (double)v;
    }
}

void dc_load_bf16_avx2(double *out, const void *data, size_t n)
{
    const char *p = data;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        __m128i bits = _mm_loadu_si128((const void *)(p + 2 * i));
        __m256i wide = _mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16);
        store8(out + i, _mm256_castsi256_ps(wide));
    }
    for (; i < n; i++) {
        uint32_t bits = 0;
        float v;
        memcpy((char *)&bits + 2, p + 2 * i, 2); /* little-endian, as everything here */
        memcpy(&v, &bits, 4);
        out[i] = (double)v;
    }
}
#endif
