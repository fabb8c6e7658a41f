/* capture/rows_text.h - the rows at a tensor's corners, as NumPy would index them. */
#ifndef DC_ROWS_TEXT_H
#define DC_ROWS_TEXT_H
#include "capture/origin.h"

/* Append a line for each row (last axis) whose other indices are first or last: "  [0,-1,:] 1 2 3
 * ... 8 9". Rows of more than 8 elements show three at each end; beyond four axes the outermost
 * stay 0. Reads those elements only. Errors: DC_EIO, DC_EFORMAT, DC_ENOMEM. Not collective. */
dc_status dc_rows_text(dc_buf *out, const dc_origin *o, const dc_item *item) DC_MUST_CHECK;
#endif
