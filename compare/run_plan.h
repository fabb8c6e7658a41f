/* compare/run_plan.h - which legs our rows' pairs are compared in, and what their tasks say;
 * internal to compare/run. */
#ifndef DC_RUN_PLAN_H
#define DC_RUN_PLAN_H
#include "compare/plan.h"
#include "compare/run.h"

/* The at-th of so many parts that the comparison is done in, one after the other: bounded mail. All
 * pairs of a golden are in one. */
typedef struct dc_run_batch {
    uint32_t at, of;
    uint64_t *key; /* [pairs->goldens] dc_pairs_key of each; owned */
} dc_run_batch;

typedef struct dc_run_legs {
    dc_leg *leg; /* of our rows in this batch, in (row, first) order; malloc'd for the caller */
    size_t n;
    uint64_t bytes; /* of all pairs of all processes in it */
} dc_run_legs;

/* A row's pair; the golden it is compared with, or NULL. Not collective. */
const dc_pair *dc_run_pair(const dc_run_ask *ask, const dc_row *row);
const dc_golden *dc_run_golden(const dc_run_ask *ask, const dc_row *row);
/* What any task of a row that has a golden says. Not collective. */
dc_task dc_run_task(const dc_run_ask *ask, const dc_row *row, int home);
/* The first of as many batches as there are. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_run_first_batch(dc_run_batch *out, const dc_run_ask *ask,
                             const dc_par *par) DC_MUST_CHECK;
/* Plan what is to be compared in a batch; rows of it that are not get their reason. Collective.
 * Errors: DC_ENOMEM, agreed. */
dc_status dc_run_plan(dc_run_legs *out, dc_rows *rows, const dc_run_batch *batch,
                      const dc_run_ask *ask, const dc_par *par) DC_MUST_CHECK;
#endif
