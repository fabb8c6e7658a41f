/* io/row_texts.h - the string columns of a row, which the meanings in the tables of tensor.h and
 * overflow_row.h begin with "string:" for: their ids, to be checked or exchanged for others. */
#ifndef DC_ROW_TEXTS_H
#define DC_ROW_TEXTS_H
#include "io/overflow_row.h"
#include "io/tensor.h"

#define DC_ROW_TEXTS 40 /* no table has more columns */

typedef struct dc_row_texts {
    size_t n;
    uint32_t *id[DC_ROW_TEXTS]; /* in the row */
} dc_row_texts;

/* Nothing here is collective or can fail. */
dc_row_texts dc_tensor_texts(dc_tensor *t);
dc_row_texts dc_skipped_texts(dc_skipped *s);
dc_row_texts dc_overflow_texts(dc_overflow_row *o);
/* Each id becomes map[id]. */
void dc_texts_map(dc_row_texts texts, const uint32_t *map);
/* Is each below `count`, as the ids of a damaged store need not be? */
bool dc_texts_below(dc_row_texts texts, uint32_t count);
#endif
