/* compare/newest.h - which run of a dump to compare, and what is odd about it. */
#ifndef DC_NEWEST_H
#define DC_NEWEST_H
#include "mpi/catalog.h"

typedef struct dc_run_choice {
    int32_t run;
    bool complete;  /* every rank's every step of a model has as many tensors as the model's median
                       step */
    uint64_t odd;   /* (rank, step)s of it with half or twice the usual number, or less or more */
    char *odd_text; /* "step 0 of rank 3 has 12 of 40 tensors" for the first few; owned */
} dc_run_choice;

/* run: the one asked for, -1 for the newest complete one (the newest if none is). Collective; the
 * same answer everywhere. Errors: DC_EARG (no such run), DC_ENOENT (no tensors), DC_ENOMEM, agreed.
 */
dc_status dc_newest_run(dc_run_choice *out, int32_t run, const dc_catalog *c,
                        const dc_par *par) DC_MUST_CHECK;
void dc_run_choice_fini(dc_run_choice *r);
#endif
