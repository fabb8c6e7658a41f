/* mpi/walk.h - walk directory trees together: level by level, each process lists a share of the
 * directories. */
#ifndef DC_WALK_H
#define DC_WALK_H
#include "mpi/catalog.h"
#include "mpi/task_names.h"

#include "io/tree.h"

/* One directory that was listed. */
typedef struct dc_walk_dir {
    const char *path; /* normalised; owned by the walk */
    uint32_t root;    /* index of the root it lies under */
    int32_t rank;     /* training rank */
    dc_tree_place place;
} dc_walk_dir;

typedef struct dc_walk_file {
    uint32_t dir; /* index into the walk's directories */
    uint8_t mark; /* what the filter gave it; 1 without a filter */
    const char *name;
    const char *original; /* its whole name where `name` is not: a hashed file's from mapping.csv, a
                             captured one's with the directories that its op name's / made; else ""
                           */
} dc_walk_file;

typedef struct dc_walk {
    dc_walk_dir *dir; /* the same on every process */
    size_t dirs;
    dc_walk_file *file; /* this process's share; evenly dealt */
    size_t files;
    dc_buf listed;           /* while walking: the files that this process listed, packed */
    char *share;             /* then: the files of its share, packed; names point into it */
    uint64_t seen;           /* files listed by this process, unwanted ones included */
    struct dc_scan_odd lost; /* of this process, of dc_scan_cost */
    dc_pool *names;          /* strings of this process's rows */
    dc_skipped *skipped; /* directories of this process that could not be listed; ids in names */
    size_t nskipped;
    dc_overflow_row *overflow; /* of this process; see mpi/overflows.h */
    size_t noverflow, capoverflow;
    dc_task_names tasks; /* of the directory where an overflow was read last */
    size_t capdirs, capfiles, capskipped;
    size_t *base; /* [roots]: where the last part of a root's path begins, SIZE_MAX before it is
                     known */
    char **texts; /* blocks of paths, owned */
    size_t ntexts, captexts;
} dc_walk;

/* Walk all roots. A directory seen twice (links, loops, roots inside one another) counts once: its
 * own path before any through a symbolic link (a short cut to one step would hide whose it is),
 * then the first in order. A link that leads below a directory that was seen is not followed.
 * Collective; ask the same everywhere. Errors: DC_ENOENT/DC_EIO for a root, agreed; other
 * directories become skipped rows. */
dc_status dc_walk_trees(dc_walk *out, const dc_scan_ask *ask, const dc_par *par) DC_MUST_CHECK;
/* Add a skipped row; fault: DC_SKIPPED_*. Not collective. Errors: DC_ENOMEM. */
dc_status dc_walk_skip(dc_walk *w, const char *dir, const char *file, const char *reason,
                       uint8_t fault) DC_MUST_CHECK;
void dc_walk_fini(dc_walk *w);
/* The directory as the filter sees it; model holds 512 bytes. */
dc_scan_dir dc_walk_scan_dir(const dc_walk_dir *d, char *model);

/* Take the files of directory `dir` (names [n]) that the filter wants. Not collective. Errors:
 * DC_EARG (clash.h), DC_ENOMEM and the filter's. */
dc_status dc_walk_take_files(dc_walk *w, uint32_t dir, const char *const *name, size_t n,
                             const dc_scan_ask *ask) DC_MUST_CHECK;
/* Deal the files taken out evenly, in the order (process that listed, order of listing).
 * Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_walk_deal_files(dc_walk *w, const dc_par *par) DC_MUST_CHECK;
#endif
