/* io/relayout_box.h - boxes of a map's logical index space, and moving their elements; internal to
 * io/relayout. */
#ifndef DC_RELAYOUT_BOX_H
#define DC_RELAYOUT_BOX_H
#include "io/relayout.h"

/* Indices start[a] .. start[a]+count[a]-1 of each axis a. No count is 0. */
typedef struct dc_box {
    uint64_t start[DC_RELAYOUT_AXES], count[DC_RELAYOUT_AXES];
} dc_box;

/* Boxes that make up any range of n axes. */
#define DC_BOXES(n) (2 * (size_t)(n) + 1)

/* The range first .. first+n-1 of the logical order of axes from .. to-1, as boxes in that order
 * that leave the other axes alone; how many (DC_BOXES at most). Not collective; none of these
 * functions can fail. */
size_t dc_box_cover(dc_box *out, const dc_relayout *m, uint32_t from, uint32_t to,
                    const uint64_t range[2]);
/* Logical index of a box's first element, and how many it has. */
uint64_t dc_box_first(const dc_relayout *m, const dc_box *b);
uint64_t dc_box_elements(const dc_relayout *m, const dc_box *b);
/* Device offsets of its first and last element, which bound it. */
void dc_box_span(uint64_t span[2], const dc_relayout *m, const dc_box *b);
/* What two boxes share; false: nothing. */
bool dc_box_meet(dc_box *out, const dc_relayout *m, const dc_box *a, const dc_box *b);
/* Halve b, of two elements or more, along the axis that spreads it most on the device, at a block's
 * edge if it has blocks: the first half has the lower offsets. */
void dc_box_halve(dc_box half[2], const dc_relayout *m, const dc_box *b);
/* How many of the next n steps along an axis from index `at` on, the other indices 0, have one
 * device stride, and which. */
uint64_t dc_box_run(uint64_t *stride, const dc_relayout *m, uint32_t axis, uint64_t at, uint64_t n);

/* Two arrays, or parts of them: `device` points at the element of offset `base`, `logical` at the
 * one of logical index `first`. */
typedef struct dc_box_copy {
    const dc_relayout *m;
    unsigned char *device, *logical;
    uint64_t base, first;
    bool scatter; /* from logical to device */
} dc_box_copy;
void dc_box_move(const dc_box_copy *c, const dc_box *b);
#endif
