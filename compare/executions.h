/* compare/executions.h - which of a golden's executions belongs to an NPU tensor's, where one
 * directory has several of a name: those of all steps, or of a loop within a step. */
#ifndef DC_EXECUTIONS_H
#define DC_EXECUTIONS_H
#include "io/golden_path.h"
#include "mpi/catalog.h"

typedef struct dc_model_step {
    int64_t step;
    uint32_t model;
    int32_t place; /* the rank or device whose directory it is; 0: one for all */
} dc_model_step;

/* All owned but steps. */
typedef struct dc_executions {
    const dc_step_map *steps;
    dc_golden_uses uses; /* what the template of directories goes by */
    dc_model_step *at;   /* every model's steps in the run, whether chosen or not; sorted */
    size_t n;
} dc_executions;

/* Gather the steps of the chosen rows' run; out->steps and out->uses are set. Collective. Errors:
 * DC_ENOMEM, agreed. On error *out is empty. */
dc_status dc_executions_begin(dc_executions *out, const dc_catalog *c, const uint8_t *chosen,
                              dc_status local, const dc_par *par) DC_MUST_CHECK;
void dc_executions_fini(dc_executions *e);

/* May more of the golden's executions be meant than a step of the NPU side has? */
bool dc_executions_by_step(const dc_executions *e, const dc_tensor *t);
/* *index: which of `have` executions, in order of time, is that of t, whose operator ran `runs`
 * times in its step. As many as a step has, or fewer: the same for all steps. As many as all steps
 * have: step by step; so too with a step map, which then tells their number. False: they are
 * neither, and nothing tells; *steps: how many the NPU side has. Not collective. */
bool dc_executions_find(uint64_t *index, uint64_t *steps, const dc_executions *e,
                        const dc_tensor *t, uint32_t runs, uint32_t have);
#endif
