/* capture/census.h - how many ranks, runs, models, steps, operators and tensors a capture holds. */
#ifndef DC_CENSUS_H
#define DC_CENSUS_H
#include "io/tensor.h"
#include "mpi/par.h"

/* X(field, what the summary calls one, column of dc_tensor) */
#define DC_CENSUS(X)                                                                               \
    X(ranks, "rank", rank)                                                                         \
    X(runs, "run", run)                                                                            \
    X(models, "model", model)                                                                      \
    X(steps, "step", step)                                                                         \
    X(operators, "operator", op)

typedef struct dc_census {
#define X(field, name, column) uint64_t field;
    DC_CENSUS(X)
#undef X
    uint64_t tensors, bytes;
    uint64_t cut;    /* tensors with fewer bytes than their shape needs: damaged */
    uint64_t absent; /* tensors the device had no address for: no bytes */
} dc_census;

/* Count over all processes' rows. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_census_take(dc_census *out, const dc_tensor *row, uint64_t n,
                         const dc_par *par) DC_MUST_CHECK;
/* "8 ranks, 1 run, 1 model, 3 steps, 39 operators, 2712 tensors, 12.5 MB" into text. */
void dc_census_print(char *text, size_t size, const dc_census *c);
#endif
