/* io/isa.c - which instruction set the number kernels may use on this machine. */
#include "io/isa.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(id, name) name,
    DC_ISAS(X)
#undef X
};

const char *dc_isa_name(dc_isa isa)
{
    return names[isa];
}

int dc_isa_has(dc_isa isa)
{
#ifdef __x86_64__
    if (isa == DC_ISA_AVX2)
        return __builtin_cpu_supports("avx2") != 0;
    if (isa == DC_ISA_AVX512)
        return dc_isa_has(DC_ISA_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw");
#endif
    return isa == DC_ISA_REF || isa == DC_ISA_V128;
}

dc_isa dc_isa_choose(void)
{
    const char *wanted = getenv("DC_ISA");
    int best = DC_ISA_REF;

    for (int i = 0; i < DC_ISA_COUNT; i++) {
        if (!dc_isa_has((dc_isa)i))
            continue;
        if (wanted && strcmp(wanted, names[i]) == 0)
            return (dc_isa)i;
        best = i;
    }
    return (dc_isa)best;
}
