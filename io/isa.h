/* io/isa.h - which instruction set the number kernels may use on this machine. */
#ifndef DC_ISA_H
#define DC_ISA_H

/* X(id, name in DC_ISA): from the scalar reference to the fastest. All give the same bits. */
#define DC_ISAS(X)                                                                                 \
    X(REF, "ref")                                                                                  \
    X(V128, "v128")                                                                                \
    X(AVX2, "avx2")                                                                                \
    X(AVX512, "avx512")

typedef enum dc_isa {
#define X(id, name) DC_ISA_##id,
    DC_ISAS(X)
#undef X
        DC_ISA_COUNT
} dc_isa;

/* True if this build and this machine have it. */
int dc_isa_has(dc_isa isa);
/* The fastest there is, or what the environment variable DC_ISA names if that is there. Cheap
 * enough to ask once per array. Not collective; cannot fail. */
dc_isa dc_isa_choose(void);
const char *dc_isa_name(dc_isa isa);
#endif
