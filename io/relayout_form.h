/* io/relayout_form.h - one reading of a layout tried on one pair of shapes; internal to
 * io/relayout. */
#ifndef DC_RELAYOUT_FORM_H
#define DC_RELAYOUT_FORM_H
#include "io/relayout.h"

/* A layout written in letters: one word per device dim, a letter followed by 1 or 0 is the quotient
 * or remainder of its coordinate ("" for layouts that have a function of their own). orders: what
 * logical dims of an unknown order may mean; "*": the last two are N and C, those before are the
 * device's own leading dims. */
typedef struct dc_relayout_form {
    uint32_t format;
    const char *dims, *orders;
} dc_relayout_form;

/* The form of a blocked layout, or NULL. Not collective; none of these functions can fail. */
const dc_relayout_form *dc_relayout_form_find(uint32_t format);
/* Fill in *m when the device shape is that of the logical shape whose first `leading` dims are the
 * device's own and whose others are the letters; false when it is not. Grouped and RNN layouts must
 * have sensible attributes already. m->outcome is left to the caller. */
bool dc_relayout_try(dc_relayout *m, const dc_relayout_ask *ask, const dc_relayout_form *form,
                     const char *letters, uint32_t leading);

/* An empty map (all of m is defined), one more axis, and the last step: digits that never wrap
 * become strides, axes of length 1 go, neighbours that run through join. Equal maps become equal
 * structs and the copying loops long. m->count is set before the last step. */
void dc_relayout_start(dc_relayout *m, uint32_t dtype);
void dc_relayout_add_axis(dc_relayout *m, uint64_t len, uint64_t stride, uint64_t into0,
                          uint64_t into1);
void dc_relayout_simplify(dc_relayout *m);
#endif
