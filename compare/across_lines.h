/* compare/across_lines.h - sets of ranks, judged, as counts and as lines in execution order over
 * all processes. */
#ifndef DC_ACROSS_LINES_H
#define DC_ACROSS_LINES_H
#include "compare/across.h"
#include "compare/rank_sets.h"

/* texts: of the answers. Fill in everything of *out but bytes. Collective. `local`: this process's
 * status so far. Errors: DC_ENOMEM, agreed. */
typedef struct dc_across_found {
    const dc_rank_sets *sets;
    const dc_pool *texts;
} dc_across_found;
dc_status dc_across_lines(dc_across *out, const dc_across_ask *ask, const dc_across_found *found,
                          dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
