/* capture/job.h - the whole of a capture: scan, select, plan, create, write, mark, publish. */
#ifndef DC_JOB_H
#define DC_JOB_H
#include "capture/options.h"
#include "mpi/par.h"

enum { DC_EXIT_OK = 0, DC_EXIT_PART = 1, DC_EXIT_FAILED = 2 };

/* Capture or merge, and print the summary on process 0's stdout. Collective. Returns the exit code,
 * the same everywhere; failures have been told on stderr, once. */
int dc_job_capture(const dc_capture_options *o, const dc_par *par);
/* The serial commands. Not collective. */
int dc_job_command(const dc_capture_options *o);
#endif
