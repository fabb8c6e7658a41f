/* compare/plan.h - which process compares what: pairs grouped by golden, large ones cut into
 * blocks, all dealt by bytes. Pure arithmetic: the same answer everywhere. */
#ifndef DC_PLAN_H
#define DC_PLAN_H
#include "compare/metric.h"
#include "io/status.h"

#define DC_PLAN_WHOLE ((uint64_t)64 << 20)  /* bytes of both sides held in memory at most */
#define DC_PLAN_BLOCK (8 * DC_METRIC_CHUNK) /* elements of a block of a larger pair */
#define DC_PLAN_ITEM  ((uint64_t)64 << 10)  /* bytes that opening and reading a file costs */

/* One pair that is to be compared. */
typedef struct dc_want {
    uint64_t golden;   /* key of the golden: equal for the same tensor */
    uint64_t row;      /* of the catalog's whole order */
    uint64_t bytes[2]; /* of the NPU tensor, of the golden */
    uint64_t elements; /* of the golden */
    uint64_t block;    /* elements of its blocks, a multiple of DC_METRIC_CHUNK; 0 = the ask's */
    bool streamed;     /* the blocks are, if it is cut */
} dc_want;

/* A part of one pair's comparison: the elements first .. first+n-1 of the golden, by process owner.
 */
typedef struct dc_leg {
    uint64_t row, first, n;
    int32_t owner;
    bool whole;    /* all of it, both passes at once */
    bool streamed; /* more than memory is to hold: a chunk at a time */
} dc_leg;

typedef struct dc_plan_ask {
    dc_want *want; /* of all processes, in any order; they are put in the plan's */
    size_t n;
    uint64_t first_row, end_row; /* whose legs to give */
    uint64_t whole;              /* bytes; 0 = DC_PLAN_WHOLE */
    uint64_t block;              /* elements, a multiple of DC_METRIC_CHUNK; 0 = DC_PLAN_BLOCK */
    int processes;
} dc_plan_ask;

/* Pairs of one golden that are compared whole go to one process, so that it is read once; so do all
 * its pairs' blocks of the same elements. *leg is malloc'd for the caller, in (row, first) order.
 * Errors: DC_ENOMEM. Not collective. */
dc_status dc_plan_make(dc_leg **leg, size_t *n, const dc_plan_ask *ask) DC_MUST_CHECK;
#endif
