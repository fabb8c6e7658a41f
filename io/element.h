/* io/element.h - one tensor element as text. */
#ifndef DC_ELEMENT_H
#define DC_ELEMENT_H
#include <stddef.h>
#include <stdint.h>

#define DC_ELEMENT_TEXT 64

/* Element i of the packed array `data` as a person reads it: "0.5", "-3", "1e+20", "nan", "inf",
 * "1-2j", "True"; integers in full, reals with `digits` significant digits; a type without values
 * (strings, handles) as "0x" and the bytes, lowest first. data must hold dc_dtype_bytes(i + 1).
 * text holds DC_ELEMENT_TEXT bytes. Not collective; cannot fail. */
void dc_element_print(char *text, const void *data, uint32_t dtype, uint64_t i, int digits);
#endif
