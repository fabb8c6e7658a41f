/* mpi/catalog.h - all tensors of a job, shared out over the processes in key order: from dump trees
 * or from a store. */
#ifndef DC_CATALOG_H
#define DC_CATALOG_H
#include "io/dump_name.h"
#include "io/mem.h"
#include "io/rank_table.h"
#include "io/store.h"
#include "io/tensor.h"
#include "mpi/par.h"

/* A tree to scan. The rank of a directory is `rank` where told, else the server's for its device,
 * else that of a rank_{r} level or the device number, plus rank_offset. */
typedef struct dc_scan_root {
    const char *path;          /* a dump_path, or any directory inside one */
    int32_t rank_offset;       /* added to the device number to get the rank */
    bool has_rank, has_device; /* told by the root itself, such as {rank} and {device} */
    int32_t rank, device;
    const dc_rank_server *server; /* of a rank table, or NULL */
    uint32_t group; /* roots of one group are one tree: the same rank may appear in several */
} dc_scan_root;

/* A directory as its path and root say. */
typedef struct dc_scan_dir {
    const char *path;
    int32_t rank, device;  /* device -1: not told */
    const char *model_dir; /* "" outside a model, or not known yet */
    int64_t step;          /* -1 outside a step, or not known yet */
} dc_scan_dir;

/* A dump file as its name (or mapping.csv, for a hashed one) says. */
typedef struct dc_scan_file {
    const char *file;         /* its name */
    const char *op_type, *op; /* sanitised; "" where the name has none */
    dc_dump_name name;
    uint8_t mark; /* 0: leave it out; anything else is handed on to want_op */
} dc_scan_file;

/* An operator's execution as its file has it. */
typedef struct dc_scan_op {
    const dc_scan_dir *dir;
    const char *op_type; /* as in the file name */
    const char *op;      /* the header's, where it has one */
    const dc_dump *dump;
    uint8_t mark; /* what want_files gave the file */
    bool ffts;    /* an FFTS+ sub-task */
} dc_scan_op;

/* Questions the scan asks before it spends work; any may be NULL (= yes). Not collective. */
typedef struct dc_scan_filter {
    void *context;
    /* before a directory is listed; asked about every directory on every process. What lies above
     * the model level is listed whatever the answer where it has no rank yet. */
    bool (*want_dir)(void *context, const dc_scan_dir *dir);
    /* before headers are read, on one process for all dump files of a directory: set file[].mark,
     * which is 1 before */
    dc_status (*want_files)(void *context, const dc_scan_dir *dir, dc_scan_file *file, size_t n);
    /* once the header is read, then for each of its tensors: dump->tensor[i]. *slot is its position
     * in the file and may be corrected to the operator's own index. */
    bool (*want_op)(void *context, const dc_scan_op *op);
    bool (*want_slot)(void *context, const dc_scan_op *op, size_t i, uint32_t *slot);
} dc_scan_filter;

typedef struct dc_scan_ask {
    const dc_scan_root *root;
    size_t roots;
    uint64_t run_window; /* seconds; 0 = 600 */
    bool mixed;          /* take two processes' files in one directory as repeated executions */
    const char *original_path; /* the dump_path when the dump was made: hashed names are checked
                                  against it (hashed_name.h); NULL = they are not */
    dc_scan_filter filter;
} dc_scan_ask;

/* What scanning cost, of all processes, and what it met. */
typedef struct dc_scan_cost {
    uint64_t headers, header_bytes; /* files opened and bytes read of them */
    /* faulty files that changed in the last seconds; files with bytes after their last tensor;
     * files whose hashed name does not fit the original path; names in mapping.csv (the example)
     * without their file; files under a level called like rank_{r} or step_{s} without a number
     * (io/tree.h) */
    struct dc_scan_odd {
        uint64_t n;
        char example[512]; /* the first of them in strcmp order, "" without */
    } growing, trailing, misnamed, lost, unnumbered;
} dc_scan_cost;

/* Count n more of them, which `example` is the first of. Not collective. */
void dc_scan_odd_add(struct dc_scan_odd *odd, uint64_t n, const char *example);

typedef struct dc_catalog {
    dc_pool *names; /* sorted dictionary, the same on every process */
    dc_tensor *row; /* this process's part: rows first..first+n-1 of total, in key order; equal
                       identities never straddle processes */
    uint64_t *hash; /* of a store: of those rows' bytes; NULL for a tree */
    uint8_t *state; /* likewise, as dc_result's */
    uint64_t first, n, total;
    dc_skipped *skipped;            /* all of them, sorted, on process 0 only */
    uint64_t nskipped;              /* on process 0 */
    dc_overflow_row *overflow;      /* sorted, on process 0 only */
    uint64_t overflows;             /* everywhere */
    uint64_t skipped_total, faults; /* everywhere; faults: those that should have given tensors */
    uint64_t files, dirs;           /* seen, in all */
    dc_scan_cost cost;
    int32_t runs;
    dc_store *store; /* open for reading, or NULL for a tree */
} dc_catalog;

/* Walk the roots (each process a share), read the headers, group time directories into runs, number
 * occurrences, sort. Item failures become skipped rows. Collective; ask must be the same
 * everywhere. Errors: DC_ENOENT (a root is missing), DC_EARG (ranks cannot be told apart, or a
 * device has none; the message names the option), agreed. */
dc_status dc_catalog_scan(dc_catalog *out, const dc_scan_ask *ask, const dc_par *par) DC_MUST_CHECK;
/* The same from a store. Collective. */
dc_status dc_catalog_load(dc_catalog *out, const char *path, const dc_par *par) DC_MUST_CHECK;
void dc_catalog_fini(dc_catalog *c);
/* Set c->runs from the rows: 1 + the highest. Collective. */
void dc_catalog_count_runs(dc_catalog *c, const dc_par *par);
/* Where t's bytes are: *path malloc'd for the caller, *offset in that file. Not collective. */
dc_status dc_catalog_place(char **path, uint64_t *offset, const dc_catalog *c,
                           const dc_tensor *t) DC_MUST_CHECK;
#endif
