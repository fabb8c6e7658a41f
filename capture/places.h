/* capture/places.h - how many tensors each (rank, run, model, step) has, and what is odd about it:
 * incomplete runs, steps cut off or run twice, two jobs in one run. */
#ifndef DC_PLACES_H
#define DC_PLACES_H
#include "io/mem.h"
#include "io/tensor.h"
#include "mpi/par.h"

typedef struct dc_place {
    int32_t rank, run;
    uint32_t model; /* string id in the rows' names */
    int64_t step;
    uint64_t tensors, bytes;
} dc_place;

typedef struct dc_places {
    dc_place *item; /* [n] on process 0, in the order of the fields; NULL elsewhere */
    size_t n;
} dc_places;

/* Count rows that are in key order over the processes. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_places_gather(dc_places *out, const dc_tensor *row, uint64_t n,
                           const dc_par *par) DC_MUST_CHECK;
void dc_places_fini(dc_places *p);
/* A line per place on stdout. Not collective. */
void dc_places_print(const dc_places *p, const dc_pool *names);
/* Append what is worth knowing: a line per run where there are several or one is incomplete; steps
 * with about half or twice the tensors that the model's steps usually have (the median over the
 * run); ranks of one run that share no model. Nothing where all is well. Not collective. Errors:
 * DC_ENOMEM. */
dc_status dc_places_report(dc_buf *out, const dc_places *p, const dc_pool *names) DC_MUST_CHECK;
#endif
