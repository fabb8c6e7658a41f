/* compare/op_counts.h - what an operator was dumped with in one step: entries and executions, on
 * the way through a catalog's rows, where an operator's stand together. */
#ifndef DC_OP_COUNTS_H
#define DC_OP_COUNTS_H
#include "mpi/catalog.h"

typedef struct dc_op_counts {
    uint32_t inputs, outputs; /* 1 + the highest slot; 0 none */
    uint32_t runs;            /* executions */
} dc_op_counts;

typedef struct dc_op_walk {
    const dc_catalog *catalog; /* borrowed */
    uint64_t from, end;        /* rows of the operator that is counted */
    dc_op_counts now;
    dc_op_counts before, after; /* what other processes have of the first and the last operator */
} dc_op_walk;

/* An operator's rows may lie on several processes. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_op_walk_begin(dc_op_walk *out, const dc_catalog *c, dc_status local,
                           const dc_par *par) DC_MUST_CHECK;
/* Of row i's operator in its step. Cheap where rows are asked about in order. Not collective. */
const dc_op_counts *dc_op_walk_at(dc_op_walk *w, uint64_t i);
#endif
