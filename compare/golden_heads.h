/* compare/golden_heads.h - headers of golden files, each read by one process however many want it.
 */
#ifndef DC_GOLDEN_HEADS_H
#define DC_GOLDEN_HEADS_H
#include "compare/golden_dirs.h"
#include "mpi/par.h"

typedef struct dc_golden_head {
    dc_status status;
    uint32_t text; /* string: the shape as dc_shape_print has it; or what went wrong */
    uint32_t dtype;
    bool big_endian, fortran_order, void_type;
    uint64_t offset, bytes;
} dc_golden_head;

typedef struct dc_golden_ask {
    const dc_golden_dirs *dirs;
    const uint64_t *file; /* [n]: numbers of files of dirs */
    uint64_t n;
} dc_golden_ask;

/* Read the headers of the files asked for: *head, malloc'd for the caller, one for each, in that
 * order; texts go into pool. A file that cannot be read is a head with its status. Collective; n
 * may differ and may be 0. `local` is this process's status so far. Errors: DC_ENOMEM, agreed. */
dc_status dc_golden_heads_read(dc_golden_head **head, const dc_golden_ask *ask, dc_pool *pool,
                               dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
