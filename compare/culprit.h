/* compare/culprit.h - the first bad operator in words. */
#ifndef DC_CULPRIT_H
#define DC_CULPRIT_H
#include "compare/align.h"
#include "compare/first_bad.h"

typedef struct dc_culprit_ask {
    const dc_first_bad *first;     /* found */
    const dc_rows *rows;           /* in any order */
    const dc_align_graphs *graphs; /* tells what was fused; NULL or its find NULL: no graph */
} dc_culprit_ask;

/* "first bad: conv1/Conv2D (fused conv1/Conv2D+conv1/Relu) output 0, rank 3, step 1: cosine 0.8 <
 * 0.99", preceded by lines on which ranks it fails and whether its inputs fail too. *text is
 * malloc'd for the caller, the same on every process. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_culprit_describe(char **text, const dc_culprit_ask *ask,
                              const dc_par *par) DC_MUST_CHECK;
#endif
