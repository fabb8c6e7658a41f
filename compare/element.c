/* compare/element.c - see element.h */
#include "compare/element.h"

#include "io/dtype.h"

#include <inttypes.h>
#include <stdio.h>

void dc_element_position(char *out, const dc_element *e, const dc_shape *shape, uint32_t parts)
{
    uint64_t index = (e->at - 1) / parts;
    dc_shape position = {.rank = shape->rank};
    for (uint32_t d = shape->rank; d-- > 0;) {
        position.dim[d] = shape->dim[d] ? index % shape->dim[d] : 0;
        index = shape->dim[d] ? index / shape->dim[d] : 0;
    }
    dc_shape_print_list(out, &position);
}

void dc_element_value(char *out, const dc_element *e, int side, uint32_t dtype, bool integral)
{
    if (!integral)
        snprintf(out, DC_ELEMENT_VALUE, "%.9g", e->value[side]);
    else if (dc_dtype_get(dtype)->kind == DC_KIND_INT)
        snprintf(out, DC_ELEMENT_VALUE, "%" PRId64, (int64_t)e->exact[side]);
    else
        snprintf(out, DC_ELEMENT_VALUE, "%" PRIu64, e->exact[side]);
}
