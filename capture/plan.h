/* capture/plan.h - where every tensor goes: groups, slab offsets, and which process writes which
 * groups.
 *
 * Tensors in key order are cut into groups: at most DC_GROUP_TENSORS tensors or DC_GROUP_BYTES
 * bytes; a larger tensor is a group of its own. A group's part of each slab starts on `align`
 * bytes; its tensors there follow each other on 64 bytes. Nothing of this depends on the number of
 * processes. Groups are dealt in order, by cost. */
#ifndef DC_CAPTURE_PLAN_H
#define DC_CAPTURE_PLAN_H
#include "io/store.h"
#include "mpi/merge.h"
#include "mpi/par.h"

#define DC_GROUP_TENSORS 64
#define DC_GROUP_BYTES   ((uint64_t)16 << 20)
#define DC_PLAN_ALIGN    4096

typedef struct dc_plan {
    dc_tensor *row; /* rows first_row..first_row+n-1: whole groups, which this process writes */
    dc_merge_from *from; /* of a merge: [n] where their bytes are; else NULL */
    uint64_t first_row, n;
    uint64_t *group_row,
        *group_bytes; /* of this process's groups: first row (absolute), bytes of tensors */
    uint64_t first_group, groups;
    uint64_t bytes, all_bytes; /* of tensors: this process's, everybody's */
    dc_store_plan store;       /* the same everywhere */
} dc_plan;

/* Plan from a catalog, whose rows are taken over (c->row becomes NULL); from[c->n]: of a merge's,
 * else NULL. align: bytes, 0 = default. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_plan_make(dc_plan *out, dc_catalog *c, const dc_merge_from *from, uint64_t align,
                       const dc_par *par) DC_MUST_CHECK;
/* Share `share` (this process's own, or another's to verify) of a store's plan. Collective. Errors:
 * DC_EFORMAT, DC_ENOMEM, agreed. */
dc_status dc_plan_load(dc_plan *out, const dc_store *s, int share, const dc_par *par) DC_MUST_CHECK;
/* Is the plan, made of a catalog with these names, that of a store? For rows and groups of this
 * process. Collective; the same answer everywhere. Errors: DC_EARG (it is not), DC_EIO, DC_ENOMEM,
 * agreed. */
dc_status dc_plan_check(const dc_plan *p, const dc_pool *names, const dc_store *s,
                        const dc_par *par) DC_MUST_CHECK;
/* Rows of group g of the plan: *first absolute, returns how many. */
uint64_t dc_plan_group(uint64_t *first, const dc_plan *p, uint64_t g);
void dc_plan_fini(dc_plan *p);
#endif
