/* io/shape.h - the shape of a tensor: dims from outermost to innermost, rank 0 = a scalar. */
#ifndef DC_SHAPE_H
#define DC_SHAPE_H
#include "io/status.h"

#include <stdbool.h>
#include <stdint.h>

#define DC_MAX_RANK 32 /* NumPy's and HDF5's limit */

typedef struct dc_shape {
    uint32_t rank;
    uint64_t dim[DC_MAX_RANK];
} dc_shape;

/* *n = product of the dims (1 for a scalar, 0 if any dim is 0). False when it does not fit 64 bits.
 */
bool dc_shape_count(uint64_t *n, const dc_shape *s);
bool dc_shape_equal(const dc_shape *a, const dc_shape *b);
/* "1x4x112x112x16", "" for a scalar: the store's and CANN's csv form. text must hold DC_SHAPE_TEXT
 * bytes. */
#define DC_SHAPE_TEXT (DC_MAX_RANK * 21 + 3)
void dc_shape_print(char *text, const dc_shape *s);
/* "[1,4,112,112,16]", "[]" for a scalar: the report's form. */
void dc_shape_print_list(char *text, const dc_shape *s);
/* Reads dc_shape_print's form. Errors: DC_EFORMAT. */
dc_status dc_shape_parse(dc_shape *s, const char *text) DC_MUST_CHECK;
/* Reads dc_shape_print_list's form. Errors: DC_EFORMAT. */
dc_status dc_shape_parse_list(dc_shape *s, const char *text) DC_MUST_CHECK;
#endif
