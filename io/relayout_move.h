/* io/relayout_move.h - moving a plane of elements between two strided arrays; internal to
 * io/relayout. */
#ifndef DC_RELAYOUT_MOVE_H
#define DC_RELAYOUT_MOVE_H
#include <stddef.h>
#include <stdint.h>

/* So many rows or columns at a time stay in the first cache on both sides. */
enum { DC_MOVE_TILE = 64 };

/* One side of a move: where, and bytes from row to row and from column to column. */
typedef struct dc_move_side {
    unsigned char *at;
    uint64_t row, column;
} dc_move_side;

/* to[r][c] = from[r][c] for r < rows, c < columns, elements of `item` bytes (1, 2, 4, 8 or 16), any
 * alignment; the sides do not overlap. Not collective; cannot fail. */
void dc_relayout_move(dc_move_side to, dc_move_side from, uint64_t rows, uint64_t columns,
                      size_t item);
#endif
