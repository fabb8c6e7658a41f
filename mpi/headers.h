/* mpi/headers.h - from the files of a walk to tensor rows: names, mapping.csv and headers are read,
 * payloads are not. */
#ifndef DC_HEADERS_H
#define DC_HEADERS_H
#include "mpi/runs.h"
#include "mpi/walk.h"

/* What one process read. String columns of row are ids in the walk's names; run, model and
 * occurrence are not set yet. */
typedef struct dc_headers {
    dc_tensor *row;
    uint32_t *row_dir; /* [n] index of the row's directory in the walk */
    size_t n;
    dc_run_key *key; /* [keys] one per dump file */
    size_t keys;
    uint64_t *first_time; /* [walk.dirs] earliest dump_time here, UINT64_MAX without one */
    uint64_t *last_time;  /* [walk.dirs] latest dump_time, 0 without one */
    dc_scan_cost cost;    /* of this process */
    size_t cap, capdir, capkey;
} dc_headers;

/* Read the headers of the walk's files (this process's). Files that give no tensors become the
 * walk's skipped rows. Not collective. Errors: DC_ENOMEM. */
dc_status dc_headers_read(dc_headers *out, dc_walk *w, const dc_scan_ask *ask) DC_MUST_CHECK;
void dc_headers_fini(dc_headers *h);
#endif
