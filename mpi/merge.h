/* mpi/merge.h - one catalog out of several stores of one run. */
#ifndef DC_MERGE_H
#define DC_MERGE_H
#include "mpi/catalog.h"

/* Where a tensor of a store is. */
typedef struct dc_merge_from {
    uint64_t row;   /* in that store */
    uint64_t at;    /* its bytes' offset in that file */
    uint64_t store; /* index into dc_merge.store */
} dc_merge_from;

typedef struct dc_merge {
    dc_store **store; /* [n], open for reading */
    int *fd;          /* [n] */
    size_t n;
    dc_merge_from *from; /* of the catalog's rows on this process */
} dc_merge;

/* Open the stores at path[0..n) and read their tables: *out holds all their tensors and all their
 * skipped files, as if one capture had scanned all their roots. Runs keep their numbers.
 * Collective; path the same everywhere. Errors: DC_EARG (an interrupted capture), DC_EEXIST (a
 * tensor is in two stores; the message names the first), as dc_store_open, agreed. dc_merge_close
 * in any case, after the catalog's last use. */
dc_status dc_merge_open(dc_merge *m, dc_catalog *out, const char *const *path, size_t n,
                        const dc_par *par) DC_MUST_CHECK;
void dc_merge_close(dc_merge *m);
#endif
