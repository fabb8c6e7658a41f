/* io/summary_v128.c - the summary kernel on any machine's 128-bit vectors (SSE2, NEON). */
#define DC_W            2
#define DC_SUMMARY_NAME dc_summary_v128
#include "io/summary_body.h"
