/* compare/tally.h - texts, with how often each was met. */
#ifndef DC_TALLY_H
#define DC_TALLY_H
#include "io/mem.h"

/* All owned. */
typedef struct dc_tally {
    dc_pool *pool;
    uint32_t *count; /* by id */
    size_t cap;
} dc_tally;

/* Nothing here is collective. Errors: DC_ENOMEM; dc_tally_fini in any case. */
dc_status dc_tally_begin(dc_tally *t) DC_MUST_CHECK;
/* Count text once more; *id: its id in t->pool. */
dc_status dc_tally_add(uint32_t *id, dc_tally *t, const char *text) DC_MUST_CHECK;
void dc_tally_fini(dc_tally *t);
#endif
