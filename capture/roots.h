/* capture/roots.h - the trees to scan, and which ranks their devices are.
 *
 * A ROOT may be a template: {time} stands for a time-stamp directory's 14 digits, {rank} and
 * {device} for a number that tells the rank or the device of what lies below:
 * /data/server{rank}/dump. It becomes all directories there that fit. */
#ifndef DC_ROOTS_H
#define DC_ROOTS_H
#include "capture/options.h"
#include "io/acl_config.h"
#include "mpi/catalog.h"

typedef struct dc_roots {
    dc_scan_root *root; /* [n], owned */
    size_t n, cap;
    char **text; /* [n] their paths, owned */
    size_t captext;
    dc_rank_table table; /* --rank-table, or empty */
} dc_roots;

/* The roots named on the command line, else the configuration's dump_path. Not collective. Errors:
 * DC_EARG, DC_ENOENT, DC_EFORMAT, DC_ENOMEM; dc_roots_fini in any case. */
dc_status dc_roots_find(dc_roots *out, const dc_capture_options *o,
                        const dc_dump_config *config) DC_MUST_CHECK;
void dc_roots_fini(dc_roots *r);
#endif
