/* compare/outcome.h - what a comparison comes to: counts, the worst rows, the first bad operator,
 * the exit code; and saying so. */
#ifndef DC_OUTCOME_H
#define DC_OUTCOME_H
#include "compare/align.h"
#include "compare/first_bad.h"

#define DC_OUTCOME_WORST 5 /* rows */

typedef struct dc_outcome {
    uint64_t rows; /* of the report */
    uint64_t passed, failed;
    uint64_t missed;      /* not judged though they should have been: exit code 2 */
    uint64_t not_counted; /* no golden, and none is expected */
    uint64_t unreadable;  /* dump files that gave no rows; the caller's to set: exit code 2 */
    char *ranks;          /* lines of counts by rank, "" where all ranks have the same */
    char *worst;          /* lines of the worst failing rows */
    char *first_missed;   /* the line of the first row that was missed, "" without one */
    /* ranks against each other; the caller's to set */
    const char *across;                   /* block of the summary, or NULL */
    uint64_t alike, deviating, undecided; /* replicated tensors that agree, deviate, should have
                                                 been judged */
    char *first_bad; /* one or more lines, the last one beginning "first bad: " */
    bool found;      /* there is a first bad operator */
} dc_outcome;

typedef struct dc_outcome_ask {
    const dc_rows *rows; /* in any order */
    const dc_first_bad *first;
    const dc_align_graphs *graphs; /* for the names that were fused; or NULL */
} dc_outcome_ask;

/* Count and collect; the same on every process. Texts are the caller's (dc_outcome_fini).
 * Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_outcome_make(dc_outcome *out, const dc_outcome_ask *ask,
                          const dc_par *par) DC_MUST_CHECK;
void dc_outcome_fini(dc_outcome *o);
/* 2 if nothing was compared; else 1 if a row fails or ranks deviate (0 with exit_zero); else 2 if a
 * row was missed; else 0. */
int dc_outcome_code(const dc_outcome *o, bool exit_zero);
/* Append the line about what could not be read, if there is any. Not collective. */
dc_status dc_outcome_unreadable(dc_buf *out, const dc_outcome *o) DC_MUST_CHECK;
/* Append the answer: the first bad operator; where nothing failed, whether that means anything.
 * Errors: DC_ENOMEM. Not collective. */
dc_status dc_outcome_answer(dc_buf *out, const dc_outcome *o) DC_MUST_CHECK;
/* Append the summary that stdout gets; it ends with the first bad operator. Process 0 has all of
 * the alignment. Errors: DC_ENOMEM. Not collective. */
dc_status dc_outcome_print(dc_buf *out, const dc_outcome *o,
                           const dc_alignment *alignment) DC_MUST_CHECK;
#endif
