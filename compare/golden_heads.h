/* compare/golden_heads.h - headers of golden files, each read by one process however many want it:
 * those of a directory that only one process looks into by that one, the others by the process
 * that the path hashes to. */
#ifndef DC_GOLDEN_HEADS_H
#define DC_GOLDEN_HEADS_H
#include "compare/golden_dirs.h"
#include "io/idset.h"
#include "mpi/par.h"

/* Without padding: most files' are the same, and are kept once. */
typedef struct dc_golden_head {
    uint64_t offset, bytes;
    int32_t status; /* dc_status */
    uint32_t text;  /* string: the shape as dc_shape_print has it; or what went wrong */
    uint32_t dtype;
    uint8_t big_endian, fortran_order, void_type, spare; /* spare: 0 */
} dc_golden_head;
_Static_assert(sizeof(dc_golden_head) == 32, "no padding");

typedef struct dc_golden_ask {
    const dc_golden_dirs *dirs;
    const uint32_t *file; /* [n]: numbers of files of dirs */
    uint64_t n;
} dc_golden_ask;

/* Where they go. All borrowed. */
typedef struct dc_golden_heads {
    dc_idset *set;     /* of dc_golden_head */
    uint32_t *head_of; /* [dirs->files]: ids of set, set for the files asked for */
    dc_pool *pool;     /* of the heads' texts */
} dc_golden_heads;

/* Read the headers of the files asked for. A file that cannot be read is a head with its status.
 * The directories' askers are known. Collective; n may differ and may be 0. `local` is this
 * process's status so far. Errors: DC_ENOMEM, agreed. */
dc_status dc_golden_heads_read(dc_golden_heads *out, const dc_golden_ask *ask, dc_status local,
                               const dc_par *par) DC_MUST_CHECK;
#endif
