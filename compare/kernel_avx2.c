/* compare/kernel_avx2.c - the kernel on AVX2. */
#ifdef __x86_64__
#define DC_W           4
#define DC_KERNEL_NAME dc_kernel_avx2
#include "compare/kernel_body.h"
#endif
