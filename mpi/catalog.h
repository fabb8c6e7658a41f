/* mpi/catalog.h - all tensors of a job, shared out over the processes in key order: from dump trees
 * or from a store. */
#ifndef DC_CATALOG_H
#define DC_CATALOG_H
#include "io/mem.h"
#include "io/store.h"
#include "io/tensor.h"
#include "mpi/par.h"

/* A tree to scan. */
typedef struct dc_scan_root {
    const char *path;    /* a dump_path, or any directory inside one */
    int32_t rank_offset; /* added to the device number to get the rank */
} dc_scan_root;

/* An operator's execution as its file has it. */
typedef struct dc_scan_op {
    int32_t rank;
    const char *model_dir;       /* "" for files outside a model */
    const char *op_type;         /* as in the file name */
    const char *op;              /* the header's, where it has one */
    const char *const *original; /* [noriginal] names of the framework's operators in the header */
    size_t noriginal;
} dc_scan_op;

/* Questions the scan asks before it spends work; any may be NULL (= yes). Not collective. */
typedef struct dc_scan_filter {
    void *context;
    /* before a directory is listed: step is -1 where the path does not tell yet */
    bool (*want_dir)(void *context, int32_t rank, const char *model_dir, int64_t step);
    /* before a header is read: op_type and op are the file name's (sanitised) */
    bool (*want_file)(void *context, const char *model_dir, const char *op_type, const char *op);
    /* once the header is read, then for each of its tensors */
    bool (*want_op)(void *context, const dc_scan_op *op);
    bool (*want_slot)(void *context, const dc_scan_op *op, dc_direction direction, uint32_t slot);
} dc_scan_filter;

typedef struct dc_scan_ask {
    const dc_scan_root *root;
    size_t roots;
    uint64_t run_window; /* seconds; 0 = 600 */
    dc_scan_filter filter;
} dc_scan_ask;

typedef struct dc_catalog {
    dc_pool *names;    /* sorted dictionary, the same on every process */
    dc_tensor *row;    /* this process's part: rows first..first+n-1 of total, in key order; equal
                          identities never    straddle processes */
    dc_result *result; /* of those rows; NULL for a tree */
    uint64_t first, n, total;
    dc_skipped *skipped;            /* all of them, sorted, on process 0 only */
    uint64_t nskipped;              /* on process 0 */
    uint64_t skipped_total, faults; /* everywhere; faults: those that should have given tensors */
    uint64_t files, dirs;           /* seen, in all */
    int32_t runs;
    dc_store *store; /* open for reading, or NULL for a tree */
} dc_catalog;

/* Walk the roots (each process a share), read the headers, group time directories into runs, number
 * occurrences, sort. Item failures become skipped rows. Collective; ask must be the same
 * everywhere. Errors: DC_ENOENT (a root is missing), agreed. */
dc_status dc_catalog_scan(dc_catalog *out, const dc_scan_ask *ask, const dc_par *par) DC_MUST_CHECK;
/* The same from a store. Collective. */
dc_status dc_catalog_load(dc_catalog *out, const char *path, const dc_par *par) DC_MUST_CHECK;
void dc_catalog_fini(dc_catalog *c);
/* Where t's bytes are: *path malloc'd for the caller, *offset in that file. Not collective. */
dc_status dc_catalog_place(char **path, uint64_t *offset, const dc_catalog *c,
                           const dc_tensor *t) DC_MUST_CHECK;
#endif
