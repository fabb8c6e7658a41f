/* capture/source.h - read tensor bytes from dump files, one file open at a time, or from the stores
 * of a merge. */
#ifndef DC_SOURCE_H
#define DC_SOURCE_H
#include "io/mem.h"
#include "io/stats_csv.h"
#include "io/tensor.h"
#include "mpi/merge.h"

typedef struct dc_source {
    int fd;             /* -1: none */
    uint32_t dir, file; /* which file it is */
    uint64_t file_number;
    dc_status failed; /* why the current file cannot be used, DC_OK if it can */
    bool said;        /* its fault has been told */
    char *path, *message;
    dc_stats_csv *csv; /* the current file, if it is one of statistics */
    const dc_merge *stores;
    const dc_merge_from *from; /* set before each tensor of a merge: where it is; else NULL */
} dc_source;

void dc_source_init(dc_source *s, const dc_merge *stores);
void dc_source_fini(dc_source *s);
/* Bytes skip..skip+n-1 of tensor t. A file that failed once fails again without being tried.
 * Errors: DC_ENOENT, DC_EIO, DC_EFORMAT (shorter than when it was scanned). Not collective. */
dc_status dc_source_read(dc_source *s, const dc_pool *names, const dc_tensor *t, void *out,
                         size_t n, uint64_t skip) DC_MUST_CHECK;
/* What the store that has s->from says about it. Errors: DC_EIO, DC_EFORMAT. */
dc_status dc_source_result(dc_result *r, dc_source *s) DC_MUST_CHECK;
/* Its bytes there are not those that it stored: note it; returns DC_EFORMAT. */
dc_status dc_source_damaged(dc_source *s);
/* The statistics of a tensor whose source is a row of a statistics file. Errors: as dc_source_read.
 */
dc_status dc_source_statistics(dc_result *r, dc_source *s, const dc_pool *names,
                               const dc_tensor *t) DC_MUST_CHECK;
/* Warn about the current file's failure, once. */
void dc_source_complain(dc_source *s);
#endif
