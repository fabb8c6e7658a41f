/* compare/fetch.h - one side of a pair: its elements in the golden's logical order, from a file in
 * whatever layout and byte order. */
#ifndef DC_FETCH_H
#define DC_FETCH_H
#include "compare/pair.h"
#include "io/parts.h"
#include "io/relayout.h"

/* Bytes in a file and what they mean. Open with dc_side_open. */
typedef struct dc_side {
    char *path; /* owned */
    uint64_t offset, bytes;
    uint32_t dtype;
    bool swapped;       /* big-endian elements */
    bool highest_first; /* bits of uint1 */
    dc_relayout map;
    int fd;
    dc_parts *parts; /* owned; instead of the file */
    void *scratch;   /* for arrays too large for memory */
} dc_side;

/* A part of a larger array in C or Fortran order: all of it but along one axis, there from index
 * `at` on. */
typedef struct dc_side_box {
    bool given;
    dc_shape whole;
    uint32_t axis;
    uint64_t at;
} dc_side_box;

/* What a side holds. Texts are borrowed. */
typedef struct dc_side_ask {
    const char *path;
    uint64_t offset, bytes;
    bool swapped, fortran_order, device; /* device: layout says how; else the bytes are logical */
    bool uint1_msb;         /* if the dtype is uint1: packed from each byte's highest bit on */
    dc_relayout_ask layout; /* dtype and logical count in any case */
    dc_parts *parts; /* taken over in any case; NULL or what is read instead of the file at path */
    dc_side_box box; /* given: layout.logical is a part of it, offset and bytes are the whole's */
} dc_side_ask;

/* The map of a side that need not be there; as dc_relayout_init. Not collective. */
dc_status dc_side_map(dc_relayout *m, const dc_side_ask *ask) DC_MUST_CHECK;
/* Work out the map, then open the file. Errors: DC_EFORMAT (*misfit: the device shape is not that
 * of the logical shape; else fewer bytes than elements), DC_EUNSUP (no order known, or several fit;
 * elements that have no values), DC_ENOENT, DC_EIO, DC_ENOMEM. On error nothing is to be closed.
 * misfit may be NULL. Not collective. */
dc_status dc_side_open(dc_side *out, const dc_side_ask *ask, bool *misfit) DC_MUST_CHECK;
void dc_side_close(dc_side *s);
/* Bytes of elements first .. first+n-1, packed; first must be a multiple of 8. */
uint64_t dc_side_size(const dc_side *s, uint64_t n);
/* out = those bytes, little-endian. `whole` reads the array to memory at once (n is all of it).
 * Errors: DC_EIO, DC_EFORMAT (file shorter than expected), DC_ENOMEM. */
dc_status dc_side_read(void *out, dc_side *s, uint64_t first, uint64_t n, bool whole) DC_MUST_CHECK;

/* Takes elements at .. at+n-1 of both sides. */
typedef dc_status dc_side_take(void *context, const void *const data[2], uint64_t at, uint64_t n);
/* Elements first .. first+n-1 of both sides, a chunk of DC_METRIC_CHUNK at a time in an order that
 * suits the side whose unit (io/relayout_stream.h) is the larger, which must have one. The other is
 * read along with it if the two have one and the same map, else chunk by chunk. Errors: as
 * dc_side_read, and take's. */
dc_status dc_side_stream(dc_side *const side[2], uint64_t first, uint64_t n, dc_side_take *take,
                         void *context) DC_MUST_CHECK;
#endif
