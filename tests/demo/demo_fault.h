/* tests/demo/demo_fault.h - faults planted in the device twin: one operator that computes wrongly
 * although its inputs are right. */
#ifndef DC_DEMO_FAULT_H
#define DC_DEMO_FAULT_H
#include "tests/demo/demo_plan.h"

/* X(id, name, what it does) */
#define DC_DEMO_FAULTS(X)                                                                          \
    X(CONSTANT, "constant", "every element of the result is one number")                           \
    X(INF, "inf", "some elements are infinite")                                                    \
    X(NAN, "nan", "some elements are NaN")                                                         \
    X(SWAP, "swap-channels", "every channel lies where the next belongs")                          \
    X(STALE, "stale-weights", "computed with the weights from before the common start")            \
    X(CONTRIBUTION, "allreduce-contribution", "one rank's part of the sum is wrong")               \
    X(RESULT, "allreduce-result", "one rank keeps its own gradient")

typedef enum dc_demo_kind {
    DC_DEMO_NO_FAULT,
#define X(id, ...) DC_DEMO_##id,
    DC_DEMO_FAULTS(X)
#undef X
        DC_DEMO_KINDS
} dc_demo_kind;

typedef struct dc_demo_fault {
    dc_demo_kind kind;
    int node, rank;
    int step; /* the first one with the fault */
} dc_demo_fault;

/* Read options.fault (NULL: no fault). The operator is named by the framework's or GE's name; the
 * rank is 3, or the last if there are fewer; the step is the second, if there is one. Errors:
 * DC_EARG. Not collective, like all here. */
dc_status dc_demo_fault_parse(dc_demo_fault *fault, const dc_demo_plan *plan) DC_MUST_CHECK;
/* Can this operator go wrong in this way? */
bool dc_demo_fault_possible(const dc_demo_plan *plan, int node, dc_demo_kind kind);
const char *dc_demo_fault_name(dc_demo_kind kind);
/* Print every possible OP:KIND to stdout, one a line. */
void dc_demo_fault_list(const dc_demo_plan *plan);
/* "planted: ..." in one line, malloc'd; NULL without memory. */
char *dc_demo_fault_text(const dc_demo_fault *fault, const dc_demo_plan *plan);
/* Is this fault at work here? */
bool dc_demo_fault_at(const dc_demo_fault *fault, int node, int rank, int step);
/* Spoil a tensor v[0..t->n) that the faulty operator just made. */
void dc_demo_fault_spoil(const dc_demo_fault *fault, float *v, const dc_demo_tensor *t);
#endif
