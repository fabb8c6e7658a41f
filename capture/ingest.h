/* capture/ingest.h - move tensor bytes from dump files into the store's slabs, group by group. */
#ifndef DC_INGEST_H
#define DC_INGEST_H
#include "capture/plan.h"
#include "mpi/merge.h"
#include "mpi/progress.h"

typedef struct dc_ingest {
    const dc_plan *plan;
    const dc_store *store;  /* open: gives the offsets */
    const dc_pool *names;   /* of the plan's string ids */
    const dc_merge *stores; /* that the plan's tensors are from */
    int fd;                 /* of the .part */
    uint64_t piece;         /* bytes of one large read and write; 0 = default */
    bool resume;            /* leave groups alone that are marked already */
    dc_progress_mode progress;
} dc_ingest;

typedef struct dc_ingest_count { /* this process's */
    uint64_t stored, unreadable; /* tensors, found done before included */
    uint64_t statistics;         /* of the stored: those of which only statistics are kept */
    uint64_t bytes;              /* written now */
} dc_ingest_count;

/* Write this process's groups. An unreadable source marks its tensors and is said once. Not
 * collective. Errors: DC_ENOSPACE, DC_EIO on the store; DC_EINTERRUPTED; what has been marked is
 * complete. */
dc_status dc_ingest_run(dc_ingest_count *count, const dc_ingest *in,
                        const dc_par *par) DC_MUST_CHECK;
#endif
