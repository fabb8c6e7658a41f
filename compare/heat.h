/* compare/heat.h - how many tensors of which operator fail in which step. */
#ifndef DC_HEAT_H
#define DC_HEAT_H
#include "compare/row.h"

typedef struct dc_heat_cell {
    uint32_t model, op, op_type; /* ids of the catalog's dictionary; the first two tell operators */
    uint32_t line;               /* of the operator, from 0 in order of execution */
    int64_t step;
    uint64_t judged, failed; /* tensors, of all ranks */
} dc_heat_cell;

typedef struct dc_heat {
    dc_heat_cell *cell; /* [n], by line, then step; owned */
    size_t n;
    uint32_t lines;
} dc_heat;

/* Cells of all operators that have a failing tensor; the same on every process. rows are in
 * execution order over the processes: dc_rows_sort. Collective. Errors, agreed: DC_ENOMEM. */
dc_status dc_heat_make(dc_heat *out, const dc_rows *rows, const dc_par *par) DC_MUST_CHECK;
void dc_heat_fini(dc_heat *h);
#endif
