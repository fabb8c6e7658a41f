/* io/relayout_fetch.h - reading boxes of an array that is not in memory; internal to io/relayout.
 */
#ifndef DC_RELAYOUT_FETCH_H
#define DC_RELAYOUT_FETCH_H
#include "io/relayout_box.h"

enum { DC_RELAYOUT_WORTH = 256 }; /* bytes that are read at once whatever of them is needed */

/* Bring the elements of the boxes to to->logical; its device, base and scatter are not looked at.
 * Each byte is read once, or not at all but within gaps that are too small to leave out. Errors:
 * those of read. Not collective. */
dc_status dc_relayout_fetch_boxes(const dc_box_copy *to, const dc_relayout_source *source,
                                  const dc_box *box, size_t boxes) DC_MUST_CHECK;
#endif
