/* compare/golden_dirs.h - the golden directories this process's tensors need, each listed once. */
#ifndef DC_GOLDEN_DIRS_H
#define DC_GOLDEN_DIRS_H
#include "io/golden.h"
#include "io/golden_path.h"

#define DC_NO_DIR UINT32_MAX

typedef struct dc_listed_dir {
    dc_golden_dir list; /* empty if it could not be listed */
    uint64_t base;      /* number of its first file among this process's files */
    dc_status status;   /* DC_ENOENT: missing */
    char *error;        /* what went wrong, or NULL */
    uint32_t askers;    /* processes that look into it: compare/dir_askers.h */
} dc_listed_dir;

/* All owned but pattern and steps. */
typedef struct dc_golden_dirs {
    const char *pattern;
    dc_golden_uses uses;
    const dc_step_map *steps;
    dc_pool *paths; /* id of a path = number of its directory + 1 */
    dc_pool *names; /* of all their files */
    dc_listed_dir *dir;
    size_t n, cap;
    uint64_t files; /* in all of them */
    struct {
        bool known;
        int32_t rank, device;
        int64_t step;
        uint32_t dir;
    } last;
} dc_golden_dirs;

/* Nothing here is collective. Errors of begin: DC_ENOMEM. */
dc_status dc_golden_dirs_begin(dc_golden_dirs *out, const char *pattern,
                               const dc_step_map *steps) DC_MUST_CHECK;
void dc_golden_dirs_fini(dc_golden_dirs *d);
/* *dir: number of the directory of a tensor of this rank, device and (NPU) step; listed at the
 * first question. DC_NO_DIR if the step map leaves the step out, or there is none and the pattern
 * needs one. A directory that cannot be listed is not an error but has its status. Errors: DC_EARG
 * (the pattern), DC_ENOMEM, DC_EUNSUP (2^32 files). */
dc_status dc_golden_dirs_place(uint32_t *dir, dc_golden_dirs *d, int32_t rank, int32_t device,
                               int64_t step) DC_MUST_CHECK;
/* The directory that holds file number `file` of all; *at: its place there. */
uint32_t dc_golden_dirs_of(size_t *at, const dc_golden_dirs *d, uint64_t file);
/* Append "dir/name" of that file. */
dc_status dc_golden_dirs_path(dc_buf *out, const dc_golden_dirs *d, uint64_t file) DC_MUST_CHECK;
#endif
