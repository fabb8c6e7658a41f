/* compare/inputs.h - how many inputs an operator was dumped with, on the way through a catalog's
 * rows: they stand together, inputs first. */
#ifndef DC_INPUTS_H
#define DC_INPUTS_H
#include "mpi/catalog.h"

/* All-zero: before the first row. */
typedef struct dc_inputs {
    dc_tensor last; /* of the operator being counted */
    uint32_t n;     /* 1 + its highest input slot so far; 0 none */
    bool any;
} dc_inputs;

/* What is known before this process's first row: its operator may begin on the process before.
 * Collective. */
void dc_inputs_begin(dc_inputs *s, const dc_catalog *c, const dc_par *par);
/* The inputs of t's operator up to t, the next row. Not collective. */
uint32_t dc_inputs_next(dc_inputs *s, const dc_tensor *t);
#endif
