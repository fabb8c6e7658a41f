/* compare/rank_groups.c - see rank_groups.h */
#include "compare/rank_groups.h"

#include "io/log.h"

#include <string.h>
#include <xxhash.h>

/* Neither all ranks nor none. */
static uint64_t some(uint64_t hash)
{
    return hash >> 1 | 1;
}

static uint64_t part_of(const dc_rank_group *g)
{
    return some(XXH3_64bits(g->rank, g->n * sizeof *g->rank));
}

/* The groups of a graph; none if they cannot be read. */
static dc_status read_graph(dc_rank_groups *g, const dc_graph *graph)
{
    if (g->graph == graph)
        return DC_OK;
    dc_group_list_fini(&g->read);
    g->graph = graph;
    if (!graph || graph->rank_groups == DC_NO_STR)
        return DC_OK;
    const char *text = dc_graph_text(graph, graph->rank_groups);
    dc_status st = dc_group_list_json(&g->read, text, strlen(text), graph->path);
    if (st == DC_OK || st == DC_ENOMEM)
        return st;
    dc_warn("ge.exec.hcomGrouplist is left out: %s", dc_last_error());
    return DC_OK;
}

dc_status dc_rank_groups_part(uint64_t *part, dc_rank_groups *g, dc_replicated *r,
                              const dc_tensor *t, const dc_pool *names)
{
    const dc_graph *graph;
    const dc_gop *op;
    const dc_rank_group *found = NULL;
    *part = DC_ALL_RANKS;
    dc_status st = dc_replicated_op(&graph, &op, r, t, names);
    if (st == DC_OK)
        st = read_graph(g, graph);
    if (st != DC_OK)
        return st;
    const char *name = op && op->group != DC_NO_STR ? dc_graph_text(graph, op->group) : "";
    const dc_group_list *list = g->told ? g->told : &g->read;
    if (*name)
        found = dc_group_list_named(list, name, t->rank);
    if (!found && g->told)
        found = dc_group_list_of(list, t->rank);
    if (found)
        *part = part_of(found);
    else if (g->told)
        *part = DC_NO_RANKS;
    else if (*name && strcmp(name, "hccl_world_group") != 0)
        *part = some(XXH3_64bits(name, strlen(name)));
    return DC_OK;
}

void dc_rank_groups_fini(dc_rank_groups *g)
{
    dc_group_list_fini(&g->read);
    *g = (dc_rank_groups){0};
}
