/* io/parts.h - a tensor that FFTS+ cut into parts, one dump file each, read as if it were whole. */
#ifndef DC_PARTS_H
#define DC_PARTS_H
#include "io/mem.h"
#include "io/shape.h"

/* Where a part's bytes are and which box of the whole they are: "0-4x8-16" is indices 0 to 3 of dim
 * 0 and 8 to 15 of dim 1, in device layout (attribute input_tensor_slice or output_tensor_slice of
 * the dump header; msaccucmp's FFTS+ parser). Elements are in C order. Texts are borrowed. */
typedef struct dc_part {
    const char *path, *cut;
    uint64_t offset, bytes;
} dc_part;

/* Append a part to a list, which is a text that may travel. Errors: DC_ENOMEM. */
dc_status dc_parts_add(dc_buf *list, const dc_part *part) DC_MUST_CHECK;

/* Is a range that of a tensor of this shape? */
bool dc_parts_fits(const char *cut, const dc_shape *shape);

typedef struct dc_parts dc_parts;
/* Open a list (NUL-terminated; not kept). Parts with one and the same range are one uncut tensor,
 * the first of them. Errors: DC_EFORMAT (a range that is none, or not the part's bytes), DC_EUNSUP
 * (packed elements that are cut), DC_ENOMEM. Files are opened as they are read. Not collective. */
dc_status dc_parts_open(dc_parts **out, const char *list, uint32_t dtype) DC_MUST_CHECK;
void dc_parts_free(dc_parts *p);
/* Of the whole: each dim as far as any part goes. */
const dc_shape *dc_parts_shape(const dc_parts *p);
uint64_t dc_parts_bytes(const dc_parts *p);
/* Bytes offset .. offset+bytes-1 of the whole, both multiples of an element's. Reads what lies in
 * between from each part at once: memory of about `bytes`. Where parts overlap the last counts.
 * Errors: DC_EFORMAT (elements that no part holds, a file that is short), DC_EIO, DC_ENOENT,
 * DC_ENOMEM. */
dc_status dc_parts_read(void *to, const dc_parts *p, uint64_t offset, size_t bytes) DC_MUST_CHECK;
#endif
