/* io/summary_avx2.c - the summary kernel on AVX2. */
#ifdef __x86_64__
#define DC_W            4
#define DC_SUMMARY_NAME dc_summary_avx2
#include "io/summary_body.h"
#endif
