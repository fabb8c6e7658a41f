/* compare/session.h - one run of dumpcmp: open, choose, align, compare, judge, report. */
#ifndef DC_SESSION_H
#define DC_SESSION_H
#include "compare/settings.h"
#include "mpi/par.h"

/* Do all that the settings ask for; files, stdout and messages included. Returns the exit code, the
 * same on every process. Collective. */
int dc_session_run(const dc_settings *s, const dc_par *par);
#endif
