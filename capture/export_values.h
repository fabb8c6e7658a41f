/* capture/export_values.h - a tensor's values, in the type and order that NumPy can hold. */
#ifndef DC_EXPORT_VALUES_H
#define DC_EXPORT_VALUES_H
#include "capture/origin.h"
#include "io/out_file.h"
#include "io/relayout.h"

typedef struct dc_export_values {
    const dc_origin *origin;
    const dc_item *item;
    const dc_relayout *map; /* NULL: as the device has it */
    dc_shape shape;         /* of the result */
} dc_export_values;

/* Put an .npy file into the sink, piece by piece; memory does not grow with the tensor. Errors:
 * those of reading and of the sink, DC_ENOMEM. Not collective. */
dc_status dc_export_npy(const dc_sink *sink, const dc_export_values *v) DC_MUST_CHECK;
/* The same without a header and without conversion of the type. */
dc_status dc_export_raw(const dc_sink *sink, const dc_export_values *v) DC_MUST_CHECK;
#endif
