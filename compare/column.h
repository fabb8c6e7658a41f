/* compare/column.h - the columns of the report, as one table: what each cell of a row says. */
#ifndef DC_COLUMN_H
#define DC_COLUMN_H
#include "compare/row.h"

/* X(name, text or number, cell writer in column.c). The ten metrics stand between InfRight and
 * Verdict, by DC_METRICS. Later columns are appended after Reason: how many positions differ at
 * all, and are off by more than the tolerance (atol + rtol*|golden|; not given, 4 roundings of the
 * coarser type), and where it is worst. */
#define DC_COLUMNS_BEFORE(X)                                                                       \
    X(Index, NUMBER, index)                                                                        \
    X(Rank, NUMBER, rank)                                                                          \
    X(Run, NUMBER, run)                                                                            \
    X(Model, TEXT, model)                                                                          \
    X(Step, NUMBER, step)                                                                          \
    X(OpType, TEXT, op_type)                                                                       \
    X(NPUDump, TEXT, op)                                                                           \
    X(GroundTruth, TEXT, golden)                                                                   \
    X(TensorIndex, TEXT, tensor)                                                                   \
    X(Occurrence, NUMBER, occurrence)                                                              \
    X(Shape, TEXT, shape)                                                                          \
    X(NPUDataType, TEXT, npu_dtype)                                                                \
    X(GoldenDataType, TEXT, golden_dtype)                                                          \
    X(MatchedBy, TEXT, match)                                                                      \
    X(Elements, NUMBER, elements)                                                                  \
    X(NaNLeft, NUMBER, nan_left)                                                                   \
    X(NaNRight, NUMBER, nan_right)                                                                 \
    X(InfLeft, NUMBER, inf_left)                                                                   \
    X(InfRight, NUMBER, inf_right)
#define DC_COLUMNS_AFTER(X)                                                                        \
    X(Verdict, TEXT, verdict)                                                                      \
    X(Reason, TEXT, reason)                                                                        \
    X(Differing, NUMBER, differing)                                                                \
    X(OverTolerance, NUMBER, over)                                                                 \
    X(WorstIndex, TEXT, worst_index)                                                               \
    X(WorstNPU, NUMBER, worst_npu)                                                                 \
    X(WorstGolden, NUMBER, worst_golden)

typedef enum dc_column_kind { DC_COLUMN_TEXT, DC_COLUMN_NUMBER } dc_column_kind;

/* A row with what its cells need besides. */
typedef struct dc_line {
    const dc_row *row;
    const dc_rows *rows;
    uint64_t index;   /* of the row in the whole report, from 0 */
    uint32_t metrics; /* bit i: print metric i */
} dc_line;

size_t dc_column_count(void);
const char *dc_column_name(size_t column);
dc_column_kind dc_column_kind_of(size_t column);
/* Append the cell's text, "" where undefined. Errors: DC_ENOMEM. Not collective. */
dc_status dc_column_cell(dc_buf *out, size_t column, const dc_line *line) DC_MUST_CHECK;
/* Metric `id` of a row as its cell has it, "" where undefined or not among `metrics` (bit i). */
dc_status dc_column_metric(dc_buf *out, const dc_row *row, dc_metric_id id,
                           uint32_t metrics) DC_MUST_CHECK;
/* "input", "output", "buffer", "space"; "unknown" for what a damaged store may hold. */
const char *dc_column_direction(uint8_t direction);
const char *dc_match_name(uint8_t match);
const char *dc_pairing_name(uint8_t pairing);
#endif
