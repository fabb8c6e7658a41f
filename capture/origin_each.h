/* capture/origin_each.h - the tensors of an origin, operator by operator, parts put together. */
#ifndef DC_ORIGIN_EACH_H
#define DC_ORIGIN_EACH_H
#include "capture/origin.h"

/* Called for the tensors of an operator of one rank and step that were asked for, n > 0, to be put
 * in any order; they are gone when it returns. Any error ends the walk. */
typedef dc_status (*dc_origin_visit)(void *context, dc_item *item, size_t n);
/* Visit the tensors whose path is `glob` or matches it (NULL = all), in the store's order. A tensor
 * in parts has the path of its operator's name without a number of the part; one that the glob does
 * not match is not put together, and parts whose own path it does match come as they are. So do
 * parts whose range is not told, or of which there are only statistics. Memory does not grow with
 * the store. */
dc_status dc_origin_each(dc_origin *o, const char *glob, dc_origin_visit visit,
                         void *context) DC_MUST_CHECK;
#endif
