/* io/relayout_move.c - see relayout_move.h */
#include "io/relayout_move.h"

#include <stdbool.h>
#include <string.h>

typedef struct wide {
    uint64_t half[2];
} wide;

/* Going down the rows of a narrow tile keeps the strided side in cache. */
#define MOVE(name, type)                                                                           \
    static void name(dc_move_side to, dc_move_side from, uint64_t rows, uint64_t columns)          \
    {                                                                                              \
        for (uint64_t c0 = 0; c0 < columns; c0 += DC_MOVE_TILE) {                                  \
            uint64_t end = columns - c0 < DC_MOVE_TILE ? columns : c0 + DC_MOVE_TILE;              \
            for (uint64_t r = 0; r < rows; r++) {                                                  \
                unsigned char *out = to.at + r * to.row;                                           \
                const unsigned char *in = from.at + r * from.row;                                  \
                for (uint64_t c = c0; c < end; c++) {                                              \
                    type v;                                                                        \
                    memcpy(&v, in + c * from.column, sizeof v);                                    \
                    memcpy(out + c * to.column, &v, sizeof v);                                     \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
MOVE(move1, uint8_t)
MOVE(move2, uint16_t)
MOVE(move4, uint32_t)
MOVE(move8, uint64_t)
MOVE(move16, wide)

static void move_any(dc_move_side to, dc_move_side from, uint64_t rows, uint64_t columns,
                     size_t item)
{
    if (item == 1)
        move1(to, from, rows, columns);
    else if (item == 2)
        move2(to, from, rows, columns);
    else if (item == 4)
        move4(to, from, rows, columns);
    else if (item == 8)
        move8(to, from, rows, columns);
    else
        move16(to, from, rows, columns);
}

static void move_rows(dc_move_side to, dc_move_side from, uint64_t rows, size_t bytes)
{
    if (bytes == 32) /* C0 elements of the usual types; a call for each would take longest */
        for (uint64_t r = 0; r < rows; r++)
            memcpy(to.at + r * to.row, from.at + r * from.row, 32);
    else
        for (uint64_t r = 0; r < rows; r++)
            memcpy(to.at + r * to.row, from.at + r * from.row, bytes);
}

/* Squares of as many elements a side as a vector of 16 bytes holds are turned over in registers.
 * Interleaving the first half of the rows with the second turns the bits of an element's index
 * (row, column) round by one; done once per bit of the row, row and column have changed places. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAVE_SQUARES 1
typedef uint16_t vec2 __attribute__((vector_size(16)));
typedef uint32_t vec4 __attribute__((vector_size(16)));

static inline void interleave2(vec2 out[8], const vec2 in[8])
{
#define PAIR(i)                                                                                    \
    out[2 * (i)] = __builtin_shufflevector(in[i], in[(i) + 4], 0, 8, 1, 9, 2, 10, 3, 11);          \
    out[2 * (i) + 1] = __builtin_shufflevector(in[i], in[(i) + 4], 4, 12, 5, 13, 6, 14, 7, 15)
    PAIR(0);
    PAIR(1);
    PAIR(2);
    PAIR(3);
#undef PAIR
}

static inline void interleave4(vec4 out[4], const vec4 in[4])
{
    out[0] = __builtin_shufflevector(in[0], in[2], 0, 4, 1, 5);
    out[1] = __builtin_shufflevector(in[0], in[2], 2, 6, 3, 7);
    out[2] = __builtin_shufflevector(in[1], in[3], 0, 4, 1, 5);
    out[3] = __builtin_shufflevector(in[1], in[3], 2, 6, 3, 7);
}

static void square2(unsigned char *out, uint64_t out_row, const unsigned char *in, uint64_t in_row)
{
    vec2 a[8], b[8];
    for (unsigned i = 0; i < 8; i++)
        memcpy(&a[i], in + i * in_row, sizeof a[i]);
    interleave2(b, a);
    interleave2(a, b);
    interleave2(b, a);
    for (unsigned i = 0; i < 8; i++)
        memcpy(out + i * out_row, &b[i], sizeof b[i]);
}

static void square4(unsigned char *out, uint64_t out_row, const unsigned char *in, uint64_t in_row)
{
    vec4 a[4], b[4];
    for (unsigned i = 0; i < 4; i++)
        memcpy(&a[i], in + i * in_row, sizeof a[i]);
    interleave4(b, a);
    interleave4(a, b);
    for (unsigned i = 0; i < 4; i++)
        memcpy(out + i * out_row, &a[i], sizeof a[i]);
}
#endif
#endif

static dc_move_side shifted(dc_move_side s, uint64_t rows, uint64_t columns)
{
    s.at += rows * s.row + columns * s.column;
    return s;
}

/* from has its rows close together, to its columns. */
static void turn(dc_move_side to, dc_move_side from, uint64_t rows, uint64_t columns, size_t item)
{
    uint64_t r = 0, c = 0;
#ifdef HAVE_SQUARES
    uint64_t side = 16 / item;
    for (r = 0; r + side <= rows; r += side)
        for (c = 0; c + side <= columns; c += side) {
            dc_move_side out = shifted(to, r, c), in = shifted(from, r, c);
            if (item == 2)
                square2(out.at, to.row, in.at, from.column);
            else
                square4(out.at, to.row, in.at, from.column);
        }
#endif
    if (c < columns)
        move_any(shifted(to, 0, c), shifted(from, 0, c), r, columns - c, item);
    if (r < rows)
        move_any(shifted(to, r, 0), shifted(from, r, 0), rows - r, columns, item);
}

static dc_move_side turned(dc_move_side s)
{
    return (dc_move_side){s.at, s.column, s.row};
}

void dc_relayout_move(dc_move_side to, dc_move_side from, uint64_t rows, uint64_t columns,
                      size_t item)
{
    bool squares = item == 2 || item == 4;
    if (to.column == item && from.column == item)
        move_rows(to, from, rows, (size_t)columns * item);
    else if (squares && to.column == item && from.row == item)
        turn(to, from, rows, columns, item);
    else if (squares && to.row == item && from.column == item)
        turn(turned(to), turned(from), columns, rows, item);
    else
        move_any(to, from, rows, columns, item);
}
