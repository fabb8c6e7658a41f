/* compare/replicated.c - see replicated.h */
#include "compare/replicated.h"

#include "compare/graphs.h"
#include "compare/optype.h"

#include <string.h>

dc_status dc_replicated_begin(dc_replicated *out, const char *const *pattern, size_t n,
                              const dc_align_graphs *graphs)
{
    const dc_select_extra extra = {.op = pattern, .nop = n};
    *out = (dc_replicated){0};
    dc_status st = dc_pool_new(&out->pool);
    if (st == DC_OK)
        st = dc_wants_begin(&out->wants, out->pool, graphs);
    if (st == DC_OK && n)
        st = dc_select_new(&out->named, NULL, &extra);
    if (st != DC_OK)
        dc_replicated_fini(out);
    return st;
}

void dc_replicated_fini(dc_replicated *r)
{
    dc_select_free(r->named);
    dc_wants_fini(&r->wants);
    dc_pool_free(r->pool);
    *r = (dc_replicated){0};
}

static bool is_spread(const char *type)
{
    return dc_optype_collective(type) &&
           (strstr(type, "AllReduce") || strstr(type, "Broadcast") || strstr(type, "AllGather"));
}

static bool is_variable(const char *type, const char *name)
{
    static const char *const variable[] = {"Variable", "VariableV2", "VarHandleOp", "RefData"};
    bool found = false;
    for (size_t i = 0; i < sizeof variable / sizeof *variable; i++)
        found = found || strcmp(variable[i], type) == 0;
    return found && !strstr(name, "moving_mean") && !strstr(name, "moving_variance");
}

static bool is_named(dc_replicated *r, const dc_tensor *t, const dc_pool *names)
{
    const char *original = dc_pool_text(names, t->origin_op);
    const dc_select_model model = {.dir = dc_pool_text(names, t->model_dir),
                                   .canonical = dc_pool_text(names, t->model)};
    const dc_select_op op = {.model = &model,
                             .name = dc_pool_text(names, t->op),
                             .type = dc_pool_text(names, t->op_type),
                             .original = &original,
                             .noriginal = *original ? 1 : 0,
                             .feeds_selected = -1};
    return r->named && dc_select_ops(r->named, &op);
}

/* Does a variable feed this input, as the graph has it? */
static dc_status is_fed(bool *yes, dc_replicated *r, const dc_tensor *t, const dc_pool *names)
{
    uint32_t id;
    *yes = false;
    if (!r->wants.graphs.find)
        return DC_OK;
    const dc_wants_tensor x = {.t = t, .names = names};
    dc_status st = dc_wants_of(&id, &r->wants, &x);
    if (st != DC_OK || !r->wants.last.graph)
        return st;
    const dc_opmap_want *want = dc_wants_get(&r->wants, id);
    const char *name = dc_pool_text(r->pool, want->name);
    const dc_gop *op = *name ? dc_graphs_op(r->wants.last.graph, name) : NULL;
    *yes = op && is_variable(dc_graph_text(r->wants.last.graph, op->type), name);
    return DC_OK;
}

/* An operator that writes to the variable of its input `slot` gives it out as output `slot`. */
static dc_status is_update(bool *yes, dc_replicated *r, const dc_tensor *t, const dc_pool *names)
{
    const char *type = dc_pool_text(names, t->op_type);
    dc_tensor variable = *t;
    variable.direction = DC_INPUT;
    *yes = false;
    return strncmp(type, "Apply", 5) == 0 || strncmp(type, "Assign", 6) == 0
               ? is_fed(yes, r, &variable, names)
               : DC_OK;
}

dc_status dc_replicated_is(bool *yes, dc_replicated *r, const dc_tensor *t, const dc_pool *names)
{
    const char *type = dc_pool_text(names, t->op_type);
    *yes = false;
    if (t->direction == DC_INPUT)
        return is_fed(yes, r, t, names);
    if (t->direction == DC_OUTPUT)
        *yes = is_named(r, t, names) || is_spread(type) ||
               is_variable(type, dc_pool_text(names, t->op));
    return t->direction == DC_OUTPUT && !*yes ? is_update(yes, r, t, names) : DC_OK;
}

uint64_t *dc_replicated_counts(dc_replicated *r, size_t *n)
{
    *n = 0;
    return r->named ? dc_select_counts(r->named, n) : NULL;
}

dc_status dc_replicated_op(const dc_graph **graph, const dc_gop **op, dc_replicated *r,
                           const dc_tensor *t, const dc_pool *names)
{
    *graph = NULL;
    *op = NULL;
    if (!r->wants.graphs.find)
        return DC_OK;
    uint64_t id;
    dc_status st = r->wants.graphs.find(r->wants.graphs.context, graph, &id, t->rank,
                                        dc_pool_text(names, t->model_dir));
    if (st == DC_OK && *graph)
        *op = dc_graphs_op(*graph, dc_pool_text(names, t->op));
    return st;
}
