/* compare/rank_column.h - the columns of ranks.csv, as one table, and a set of ranks in words. */
#ifndef DC_RANK_COLUMN_H
#define DC_RANK_COLUMN_H
#include "compare/rank_sets.h"

/* X(name, text or number, cell writer in rank_column.c). The ten metrics, of the worst rank against
 * the majority (without one: the largest group), stand between WorstRank and Verdict. */
#define DC_RANK_COLUMNS_BEFORE(X)                                                                  \
    X(Run, NUMBER, run)                                                                            \
    X(Model, TEXT, model)                                                                          \
    X(Step, NUMBER, step)                                                                          \
    X(OpType, TEXT, op_type)                                                                       \
    X(NPUDump, TEXT, op)                                                                           \
    X(Direction, TEXT, direction)                                                                  \
    X(Slot, NUMBER, slot)                                                                          \
    X(Occurrence, NUMBER, occurrence)                                                              \
    X(Ranks, TEXT, ranks)                                                                          \
    X(Groups, TEXT, groups)                                                                        \
    X(MajorityRanks, TEXT, majority)                                                               \
    X(DeviatingRanks, TEXT, deviating)                                                             \
    X(WorstRank, NUMBER, worst)
#define DC_RANK_COLUMNS_AFTER(X)                                                                   \
    X(Verdict, TEXT, verdict)                                                                      \
    X(Reason, TEXT, reason)

typedef struct dc_rank_line {
    const dc_rank_sets *sets;
    const dc_rank_set *set;
    dc_rank_judged judged;
    bool tolerant;
    uint32_t group;       /* of a list of one group */
    uint32_t metrics;     /* bit i: print metric i */
    const dc_pool *names; /* the catalog's */
    const dc_pool *texts; /* of answers */
} dc_rank_line;

/* All append; errors: DC_ENOMEM. Not collective. */
dc_status dc_rank_csv_head(dc_buf *out, bool excel) DC_MUST_CHECK;
dc_status dc_rank_csv_row(dc_buf *out, const dc_rank_line *line, bool excel) DC_MUST_CHECK;
/* "  op output 0, step 1: rank 3 deviates from ranks 0-2: 5 of 64 elements differ...\n" */
dc_status dc_rank_words(dc_buf *out, const dc_rank_line *line) DC_MUST_CHECK;
#endif
