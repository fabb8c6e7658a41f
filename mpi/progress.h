/* mpi/progress.h - how far a long phase is, on stderr, from process 0's own share: no
 * communication. */
#ifndef DC_PROGRESS_H
#define DC_PROGRESS_H
#include "mpi/par.h"

typedef enum dc_progress_mode {
    DC_PROGRESS_AUTO,
    DC_PROGRESS_OFF,
    DC_PROGRESS_ON
} dc_progress_mode;

typedef struct dc_progress {
    const char *what;    /* "stored" */
    uint64_t mine, done; /* bytes of this process's share */
    double all;          /* bytes of all shares */
    double start, last;  /* seconds, monotonic */
    bool shown, live;
} dc_progress;

/* A line every 10 seconds; without a launcher and on a terminal one that is rewritten twice a
 * second. Process 0 only; the work must have been dealt evenly for its share to speak for all. Not
 * collective. */
void dc_progress_begin(dc_progress *p, const char *what, const uint64_t mine_all[2],
                       dc_progress_mode mode, const dc_par *par);
void dc_progress_add(dc_progress *p, uint64_t bytes);
/* Wipe a live line. */
void dc_progress_end(dc_progress *p);
/* Monotonic seconds. */
double dc_seconds(void);
#endif
