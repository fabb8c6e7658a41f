/* compare/kernel_v128.c - the kernel on any machine's 128-bit vectors (SSE2, NEON). */
#define DC_W           2
#define DC_KERNEL_NAME dc_kernel_v128
#include "compare/kernel_body.h"
