/* compare/rank_groups.h - which ranks a tensor must be the same on: all, or those of a
 * communicator's group. */
#ifndef DC_RANK_GROUPS_H
#define DC_RANK_GROUPS_H
#include "compare/replicated.h"
#include "io/group_list.h"

#define DC_ALL_RANKS 0u
#define DC_NO_RANKS  UINT64_MAX

/* All owned but told. */
typedef struct dc_rank_groups {
    const dc_group_list *told; /* by the user, or NULL */
    const dc_graph *graph;     /* whose groups are read */
    dc_group_list read;
} dc_rank_groups;

/* *part: a number that is the same on all ranks that a replicated tensor is compared with.
 *
 * Told groups come first: that of the name the graph's operator has ("group", REG_OP(HcomAllReduce)
 * and its like), else the only one that the rank is in, else DC_NO_RANKS. Without, the graph's own
 * (ge.exec.hcomGrouplist) by that name, else all ranks whose graphs have that name but
 * hccl_world_group, else DC_ALL_RANKS. Errors: those of the replicated's graphs, DC_ENOMEM. Not
 * collective; nothing here is. */
dc_status dc_rank_groups_part(uint64_t *part, dc_rank_groups *g, dc_replicated *r,
                              const dc_tensor *t, const dc_pool *names) DC_MUST_CHECK;
void dc_rank_groups_fini(dc_rank_groups *g);
#endif
