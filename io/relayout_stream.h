/* io/relayout_stream.h - all of a large blocked array once through, where a part of the logical
 * order cannot be read without the device's neighbours of other parts.
 *
 * NC1HWC0 against NCHW is the usual case: the 16 channels of a C1 are interleaved, so each of
 * their planes needs all of the C1's bytes, and planes that do not fit in memory together would be
 * read 16 times. Such rows - a unit of `rows` rows of `length` logical elements each - are gone
 * through side by side, a window of all of them at a time, and handed on in chunks as they fill
 * up. What is open at a time is a chunk or two of each row; what is behind is given back.
 *
 * Where this is not possible: units of so many rows that their open chunks are more than the caller
 * has memory for (two dumps of float32 with more than 32 of them, say). They are fetched
 * range by range, and read over. Layouts without a unit are read once however they are cut, but in
 * short pieces where the logical rows are long: R rows of FRACTAL_NZ, of FRACTAL_Z from NCHW or of
 * an array in Fortran order are pieces of R * C0 elements (R elements).
 */
#ifndef DC_RELAYOUT_STREAM_H
#define DC_RELAYOUT_STREAM_H
#include "io/relayout.h"

/* Cutting the logical order within rows * length elements costs reading up to as many again. */
typedef struct dc_relayout_unit {
    uint64_t rows, length; /* 1 and 1: cut anywhere */
    bool even;             /* units follow one another without shorter ones between */
    uint32_t axis, inner;  /* rows are indices of the axes from axis to inner-1, all before alike */
} dc_relayout_unit;

/* Not collective; cannot fail. */
dc_relayout_unit dc_relayout_unit_of(const dc_relayout *m);

typedef struct dc_relayout_stream_ask {
    const dc_relayout *m;          /* whose unit has more than one row */
    uint64_t first, n, chunk;      /* elements */
    dc_relayout_source *source[2]; /* arrays of the same map; the second may be NULL */
    /* Called once for each `chunk` elements from first on (the last time for fewer), in an order of
     * the map's alone; part[i]: elements at .. at+n-1 of source i, which may be changed. */
    dc_status (*take)(void *context, void *const part[2], uint64_t at, uint64_t n);
    void *context;
} dc_relayout_stream_ask;

/* Memory held: about two chunks for each row of a unit and source; address space for all n elements
 * is reserved, which a strict limit may refuse. Errors: DC_ENOMEM, before anything is handed on;
 * those of read and take, handed on at once. Not collective. */
dc_status dc_relayout_stream(const dc_relayout_stream_ask *ask) DC_MUST_CHECK;
#endif
