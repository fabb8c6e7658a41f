/* compare/element.h - one element of a pair in words: where it is, and its value on a side. */
#ifndef DC_ELEMENT_H
#define DC_ELEMENT_H
#include "compare/metric.h"
#include "io/shape.h"

#define DC_ELEMENT_VALUE 32

/* "[0,2,5]" of e->at > 0 in a tensor of this shape, into out[DC_SHAPE_TEXT]; `parts` is 2 for
 * complex types, whose reals are counted, else 1. Not collective, cannot fail; the other neither.
 */
void dc_element_position(char *out, const dc_element *e, const dc_shape *shape, uint32_t parts);
/* The value of a side that is of this dtype, into out[DC_ELEMENT_VALUE]; integral: both sides are
 * integers, which are exact. */
void dc_element_value(char *out, const dc_element *e, int side, uint32_t dtype, bool integral);
#endif
