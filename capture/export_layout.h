/* capture/export_layout.h - the logical order that an exported tensor is brought to. */
#ifndef DC_EXPORT_LAYOUT_H
#define DC_EXPORT_LAYOUT_H
#include "capture/origin.h"
#include "io/relayout.h"

/* The map from t's device bytes to its logical elements, without padding, and their *shape.
 * format: DC_FORMAT_ND keeps the order of original_shape; NCHW, NHWC, ... permutes tensors whose
 * original format has the same letters in another order, and keeps the others. Where the dump does
 * not name the original format (inputs), the only one that fits the device shape is taken. Errors:
 * DC_EFORMAT (the shapes contradict each other), DC_EUNSUP (no original shape, ambiguous, no
 * verified order). Not collective. */
dc_status dc_export_layout(dc_relayout *map, dc_shape *shape, const dc_origin *o,
                           const dc_tensor *t, uint32_t format) DC_MUST_CHECK;
#endif
