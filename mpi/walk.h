/* mpi/walk.h - walk directory trees together: level by level, each process lists a share of the
 * directories. */
#ifndef DC_WALK_H
#define DC_WALK_H
#include "mpi/catalog.h"

#include "io/tree.h"

/* One directory that was listed. */
typedef struct dc_walk_dir {
    const char *path; /* normalised; owned by the walk */
    uint32_t root;    /* index of the root it lies under */
    int32_t rank;     /* training rank */
    dc_tree_place place;
} dc_walk_dir;

typedef struct dc_walk_file {
    uint32_t dir;  /* index into the walk's directories */
    uint32_t name; /* string id in the walk's names */
} dc_walk_file;

typedef struct dc_walk {
    dc_walk_dir *dir; /* the same on every process */
    size_t dirs;
    dc_walk_file *file; /* this process's share; evenly dealt */
    size_t files;
    dc_pool *names;      /* file names of this process */
    dc_skipped *skipped; /* directories of this process that could not be listed; ids in names */
    size_t nskipped;
    size_t capdirs, capfiles, capskipped;
    char **texts; /* blocks of paths, owned */
    size_t ntexts, captexts;
} dc_walk;

/* Walk all roots. A directory seen twice (links, loops, roots inside one another) counts once: the
 * first path in order. Collective; ask the same everywhere. Errors: DC_ENOENT/DC_EIO for a root,
 * agreed; other directories become skipped rows. */
dc_status dc_walk_trees(dc_walk *out, const dc_scan_ask *ask, const dc_par *par) DC_MUST_CHECK;
/* Add a skipped row. Not collective. Errors: DC_ENOMEM. */
dc_status dc_walk_skip(dc_walk *w, const char *dir, const char *file, const char *reason,
                       bool fault) DC_MUST_CHECK;
void dc_walk_fini(dc_walk *w);
#endif
