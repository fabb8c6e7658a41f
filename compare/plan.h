/* compare/plan.h - which process compares what: pairs grouped by golden, large ones cut into
 * blocks, all dealt by bytes.
 *
 * Each process knows its own pairs. Groups - pairs of one golden - belong to processes by ranges of
 * the golden's key, who add up what a group costs. What is dear - there can be but few - is dealt
 * one by one, by all; the rest lies on one line in the order of keys, of which each process does as
 * long a piece as makes all even. No process has more than the mean plus one item. */
#ifndef DC_PLAN_H
#define DC_PLAN_H
#include "compare/metric.h"
#include "mpi/par.h"

#define DC_PLAN_WHOLE ((uint64_t)64 << 20)  /* bytes of both sides held in memory at most */
#define DC_PLAN_BLOCK (8 * DC_METRIC_CHUNK) /* elements of a block of a larger pair */
#define DC_PLAN_ITEM  ((uint64_t)64 << 10)  /* bytes that opening and reading a file costs */
#define DC_PLAN_PAGE  ((uint64_t)4 << 10)   /* bytes, the unit of costs */

/* One pair that is to be compared. */
typedef struct dc_want {
    uint64_t golden;   /* key of the golden: equal for the same tensor; a hash, all 64 bits of it */
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
    dc_want *want; /* this process's, in any order; they are put in the plan's */
    size_t n;
    uint64_t whole; /* bytes; 0 = DC_PLAN_WHOLE */
    uint64_t block; /* elements, a multiple of DC_METRIC_CHUNK; 0 = DC_PLAN_BLOCK */
} dc_plan_ask;

/* The legs of this process's pairs. Pairs of one golden that are compared whole go to one process,
 * so that it is read once; so do all its pairs' blocks of the same elements. *leg is malloc'd for
 * the caller, in (row, first) order; all but owner depends on the wants alone. Collective; wants
 * may differ and be none. Errors: DC_ENOMEM, agreed. */
dc_status dc_plan_make(dc_leg **leg, size_t *n, const dc_plan_ask *ask,
                       const dc_par *par) DC_MUST_CHECK;
#endif
