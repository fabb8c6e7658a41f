/* mpi/pstore.h - a store in the making: NAME.part, locked by process 0, written by all. */
#ifndef DC_PSTORE_H
#define DC_PSTORE_H
#include "io/store.h"
#include "mpi/par.h"

typedef struct dc_pstore {
    char *path, *part; /* NAME and NAME.part */
    int lock;          /* process 0: the descriptor that holds the flock; -1 elsewhere */
    int fd;            /* for pread and pwrite; -1 before create or begin_data */
    bool replace;      /* process 0: NAME.part is another capture's, to be dropped by create */
    bool ours;         /* process 0: NAME.part is this capture's: fini may discard it */
} dc_pstore;

typedef struct dc_pstore_ask {
    const char *path; /* NAME */
    bool resume;      /* NAME.part must be there; it is kept */
    bool force;       /* replace NAME, and throw away a NAME.part that nobody holds */
} dc_pstore_ask;

/* Check NAME, make its directory, create or find NAME.part, lock it. What another capture left is
 * not touched before dc_pstore_create. Collective. Errors: DC_EARG (NAME cannot be a file),
 * DC_EEXIST (NAME is there; NAME.part is left from an interrupted capture), DC_ELOCKED (held: by
 * which host and pid), DC_ENOENT (nothing to resume), DC_EIO..., agreed. */
dc_status dc_pstore_claim(dc_pstore *out, const dc_pstore_ask *ask,
                          const dc_par *par) DC_MUST_CHECK;
/* Refuse what cannot fit: `bytes` more at NAME.part, against free space and the file-size limit.
 * Process 0 looks. Collective. */
dc_status dc_pstore_check_space(const dc_pstore *p, uint64_t bytes,
                                const dc_par *par) DC_MUST_CHECK;
/* Create the store's structure in NAME.part, through MPI-IO when launched, and reserve its space.
 * The caller closes *out (collective). Collective. Errors: DC_ENOSPACE, DC_EIO, agreed. */
dc_status dc_pstore_create(dc_store **out, dc_pstore *p, const dc_store_plan *plan,
                           const dc_par *par) DC_MUST_CHECK;
/* Open the descriptor that data are written through. Collective. */
dc_status dc_pstore_begin_data(dc_pstore *p, const dc_par *par) DC_MUST_CHECK;
/* Reserve all of NAME.part's disk space, where the file system can. Process 0 works. Collective. */
dc_status dc_pstore_reserve(const dc_pstore *p, const dc_par *par) DC_MUST_CHECK;
/* Force what this process wrote to disk. Not collective. */
dc_status dc_pstore_sync(const dc_pstore *p) DC_MUST_CHECK;
/* Rename NAME.part to NAME. Collective. */
dc_status dc_pstore_publish(const dc_pstore *p, const dc_par *par) DC_MUST_CHECK;
/* Let go of the lock and the descriptors; discard: remove NAME.part as well (nothing worth keeping
 * is in it), unless it is another capture's. Not collective. */
void dc_pstore_fini(dc_pstore *p, bool discard);
#endif
