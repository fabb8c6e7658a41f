/* io/stats_csv.h - statistics files: CANN's of both producers, and MindSpore's statistic.csv.
 *
 * A header line, then a row per tensor; columns go by their names in the header, in any order,
 * upper and lower case alike (below). CANN writes one file per operator, named as its dump with
 * .csv; MindSpore one per step, with the operator in the row. Text as it stands, but in quotes
 * where it holds commas ("(1,4,4,3)"). Values: empty, NA, - = not told; inf, -inf, nan. Shapes:
 * 4x50x16, - = none, (4,50,16). A header may come again between rows (operators of more than ten
 * tensors). Known defects of producers: after a file of the default set, rows of a custom set lack
 * Count although the header has it (once or twice; the first is missing); rows of failed tensors of
 * a custom set lack it too (a custom set's header has Count behind Shape); MindSpore may end rows
 * with an empty field too many. Rows whose number of fields differs from the header's in any other
 * way are damaged. Sources: CANN's adump and aicpu, msaccucmp, MindSpore's guide; files of all of
 * them. */
#ifndef DC_STATS_CSV_H
#define DC_STATS_CSV_H
#include "io/dump_name.h"
#include "io/mem.h"
#include "io/tensor.h"

#include <stddef.h>

/* X(id, name in the header, other name or NULL) */
#define DC_STATS_COLUMNS(X)                                                                        \
    X(IO, "Input/Output", "IO")                                                                    \
    X(SLOT, "Index", "Slot")                                                                       \
    X(BYTES, "Data Size", NULL)                                                                    \
    X(DTYPE, "Data Type", NULL)                                                                    \
    X(FORMAT, "Format", NULL)                                                                      \
    X(SHAPE, "Shape", NULL)                                                                        \
    X(COUNT, "Count", NULL)                                                                        \
    X(MAX, "Max Value", NULL)                                                                      \
    X(MIN, "Min Value", NULL)                                                                      \
    X(MEAN, "Avg Value", NULL)                                                                     \
    X(NAN, "Nan Count", NULL)                                                                      \
    X(NEG_INF, "Negative Inf Count", NULL)                                                         \
    X(POS_INF, "Positive Inf Count", NULL)                                                         \
    X(L2, "l2norm", "L2Norm Value")                                                                \
    X(ZERO, "Zero Count", NULL)                                                                    \
    X(OP_TYPE, "Op Type", NULL)                                                                    \
    X(OP_NAME, "Op Name", NULL)                                                                    \
    X(TASK, "Task ID", NULL)                                                                       \
    X(STREAM, "Stream ID", NULL)                                                                   \
    X(TIME, "Timestamp", NULL)

typedef enum dc_stats_column {
#define X(id, name, other) DC_STATS_##id,
    DC_STATS_COLUMNS(X)
#undef X
        DC_STATS_COLUMN_COUNT
} dc_stats_column;

#define DC_STATS_NO_FORMAT 254 /* of no name */

typedef struct dc_stats_csv dc_stats_csv;

/* A piece of the file, at[0..n). */
typedef struct dc_stats_text {
    const char *at;
    size_t n;
} dc_stats_text;

typedef struct dc_stats_row {
    uint64_t offset;             /* of the row in the file */
    dc_stats_text type, name;    /* of the operator; MindSpore's only */
    uint64_t task, stream, time; /* likewise; UINT64_MAX without */
    dc_dump_tensor tensor; /* direction, slot, dtype (255 unknown), format (DC_STATS_NO_FORMAT:
                              unknown), shape, size and bytes as told, offset that of the row;
                              DC_DUMP_SHAPE_GUESSED: from Count */
    dc_result result;      /* state DC_STATISTICS, hash 0 */
} dc_stats_row;

/* Read the file. Errors: DC_EIO, DC_ENOENT, DC_EFORMAT (no header with the columns of a statistics
 * file), DC_EUNSUP (over 256 MiB), DC_ENOMEM. Nothing here is collective. */
dc_status dc_stats_open(dc_stats_csv **out, const char *path) DC_MUST_CHECK;
/* The same for a text in memory, which is copied; path is for messages. */
dc_status dc_stats_parse(dc_stats_csv **out, const char *text, size_t n,
                         const char *path) DC_MUST_CHECK;
void dc_stats_free(dc_stats_csv *c); /* NULL is legal */
/* The row at or after *at (0 = the first), with *at moved behind it; *more is false at the end.
 * Errors: DC_EFORMAT for a damaged row ("line 3 has 9 fields, its header 13"), *at is then behind
 * it. */
dc_status dc_stats_next(dc_stats_row *row, bool *more, const dc_stats_csv *c,
                        uint64_t *at) DC_MUST_CHECK;

/* What a row says of its operator, as a file's name would. */
dc_dump_name dc_stats_name(const dc_stats_row *row);

/* The columns that we write, in CANN's order for all statistics, every line ended. */
extern const char dc_stats_header[];
/* Append a tensor's row: extrema, mean and norm with 9 significant digits, over finite elements. */
dc_status dc_stats_write(dc_buf *out, const dc_tensor *t, const dc_result *r, const char *shape,
                         uint64_t count) DC_MUST_CHECK;
#endif
