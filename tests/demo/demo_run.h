/* tests/demo/demo_run.h - the training itself: every rank twice, as the reference and as the
 * device. */
#ifndef DC_DEMO_RUN_H
#define DC_DEMO_RUN_H
#include "mpi/par.h"
#include "tests/demo/demo_fault.h"

/* Train and write {out}/dump and {out}/golden. The ranks are dealt over the processes in blocks;
 * what is written does not depend on how many there are. Collective; arguments are the same
 * everywhere. Errors, agreed: DC_EIO, DC_ENOSPACE, DC_ENOMEM. */
dc_status dc_demo_run(const dc_demo_plan *plan, const dc_demo_fault *fault,
                      const dc_par *par) DC_MUST_CHECK;
/* The ranks of a process: [first, first of the next). Not collective. */
int dc_demo_first_rank(const dc_demo_plan *plan, int process, int processes);
#endif
