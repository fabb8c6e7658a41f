/* mpi/runs.h - which time-stamp directories belong to which run, and which instances of a model a
 * run has.
 *
 * A time stamp is taken once per process, so one run makes several directories a few seconds apart.
 * From a run's first directory, later ones belong to it while they start within the window and
 * repeat no (rank, model, step, operator, task, stream) of another directory; else they start the
 * next run. */
#ifndef DC_RUNS_H
#define DC_RUNS_H
#include "mpi/walk.h"

/* One dump file: what must not repeat within a run, hashed, and where it was found. */
typedef struct dc_run_key {
    uint64_t key;
    uint64_t dir; /* index of its directory */
} dc_run_key;

typedef struct dc_runs_ask {
    const dc_walk *walk;
    const uint64_t *first_time; /* [walk->dirs] earliest dump time, UINT64_MAX without dump files;
                                   the same everywhere */
    const dc_run_key *key;      /* [n] this process's */
    size_t n;
    uint64_t window;           /* seconds */
    const uint64_t *last_time; /* [walk->dirs] latest dump time, 0 without dump files */
    const dc_scan_root *root;  /* of the walk */
    bool mixed;                /* files of two processes in one directory are repeated executions */
} dc_runs_ask;

/* run[d] for each of the walk's directories, from 0 in time order (0 for directories without dump
 * files); *runs = how many. Collective; the same result everywhere. Errors: DC_EARG when two
 * servers' files cannot be told apart (see clash.h), DC_ENOMEM, agreed. */
dc_status dc_runs_assign(int32_t *run, int32_t *runs, const dc_runs_ask *ask,
                         const dc_par *par) DC_MUST_CHECK;
/* instance[d] = k for the k-th (from 0) model_id of one model in one run of one rank, in order of
 * the first dump time. first_time[d]: microseconds, UINT64_MAX for a directory without dump files.
 * Not collective. */
dc_status dc_runs_instances(uint32_t *instance, const dc_walk *w, const int32_t *run,
                            const uint64_t *first_time) DC_MUST_CHECK;
#endif
