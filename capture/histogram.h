/* capture/histogram.h - how a tensor's values are spread, as bars of characters. */
#ifndef DC_HISTOGRAM_H
#define DC_HISTOGRAM_H
#include "io/mem.h"

#define DC_HISTOGRAM_BINS 16

/* bin[i] counts finite values v with lo + i*width <= v < lo + (i+1)*width; the last bin holds its
 * upper end too. Integers of a small range have a bin for each value. */
typedef struct dc_histogram {
    double lo, hi;
    int bins;
    bool whole; /* bins are single integers from lo on */
    uint64_t bin[DC_HISTOGRAM_BINS];
} dc_histogram;

/* Bins for finite values from lo to hi, lo <= hi. */
void dc_histogram_begin(dc_histogram *h, double lo, double hi, bool integers);
/* Count n packed elements of a dtype; complex elements are two reals; NaN and Inf are passed over.
 */
void dc_histogram_add(dc_histogram *h, const void *data, uint32_t dtype, uint64_t n);
/* A line per bin: "  [-1, -0.875)   12 ####". Errors: DC_ENOMEM. None of these is collective. */
dc_status dc_histogram_print(dc_buf *out, const dc_histogram *h) DC_MUST_CHECK;
#endif
