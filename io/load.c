/* io/load.c - a block of elements of any dtype as doubles, by the fastest way this machine has. */
#include "io/load.h"

#include "io/dtype.h"
#include "io/widen.h"

#include <stdbool.h>

#ifdef __x86_64__
/* Types with a vector converter: whole bytes, one double each. False for all others. */
static bool load_avx2(double *out, const char *data, uint32_t dtype, uint64_t first, size_t n)
{
    switch (dtype) {
    case DC_FLOAT32:
        dc_load_f32_avx2(out, data + 4 * first, n);
        return true;
    case DC_BFLOAT16:
        dc_load_bf16_avx2(out, data + 2 * first, n);
        return true;
    case DC_COMPLEX64:
        dc_load_f32_avx2(out, data + 8 * first, 2 * n);
        return true;
    default:
        return false;
    }
}
#endif

void dc_load(double *out, const void *data, uint32_t dtype, uint64_t first, size_t n, dc_isa isa)
{
#ifdef __x86_64__
    if (isa >= DC_ISA_AVX2 && load_avx2(out, data, dtype, first, n))
        return;
#else
    (void)isa;
#endif
    dc_widen(out, data, dtype, first, n);
}
