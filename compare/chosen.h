/* compare/chosen.h - which tensors of both sides are compared: the run, and what --step, --rank,
 * --op and --type leave. */
#ifndef DC_CHOSEN_H
#define DC_CHOSEN_H
#include "compare/sources.h"

typedef struct dc_chosen {
    uint8_t *npu;        /* [in->npu.n]: 1 = compared */
    uint8_t *golden;     /* [in->golden.n]; NULL for files */
    uint64_t unreadable; /* dump files of the chosen ranks and steps that gave no tensors, and
                            operators that are not complete */
    char *said;          /* "run 1, the newest complete one of 2\n", for the summary */
} dc_chosen;

/* Choose, and warn from process 0 of odd steps and of selectors that match nothing. Collective.
 * Errors, agreed: DC_EARG (a bad selector, no such run), DC_ENOENT (nothing is left), DC_ENOMEM. On
 * error *out is empty. */
dc_status dc_chosen_make(dc_chosen *out, const dc_sources *in, const dc_settings *s,
                         const dc_par *par) DC_MUST_CHECK;
void dc_chosen_fini(dc_chosen *c);
#endif
