/* compare/kernel_avx512.c - the kernel on AVX-512. */
#ifdef __x86_64__
#define DC_W           8
#define DC_KERNEL_NAME dc_kernel_avx512
#include "compare/kernel_body.h"
#endif
