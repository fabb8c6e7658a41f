/* compare/explain.c - see explain.h */
#include "compare/explain.h"

#include "compare/optype.h"
#include "io/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 2048 /* of a reason; longer names are cut in it */

/* Every original name of the graph by its canonical form. */
typedef struct originals {
    const dc_graph *graph;
    dc_pool *clean;
    uint32_t *name; /* [clean's ids]: the graph's id of the original name */
    uint32_t *op;   /* an operator that carries it */
    size_t name_cap, op_cap;
} originals;

static dc_status add_original(originals *o, uint32_t name, uint32_t op)
{
    char *clean = strdup(dc_graph_text(o->graph, name));
    if (!clean)
        return dc_fail_memory();
    dc_golden_clean(clean, clean);
    uint32_t id, before = dc_pool_count(o->clean);
    dc_status st = dc_pool_adds(&id, o->clean, clean);
    free(clean);
    if (st != DC_OK || dc_pool_count(o->clean) == before)
        return st;
    if ((st = dc_grow((void **)&o->name, &o->name_cap, id, 1, sizeof *o->name)) != DC_OK ||
        (st = dc_grow((void **)&o->op, &o->op_cap, id, 1, sizeof *o->op)) != DC_OK)
        return st;
    o->name[id] = name;
    o->op[id] = op;
    return DC_OK;
}

/* Original names first: an operator's own name only tells where nothing else does. */
static dc_status collect(originals *o)
{
    const dc_graph *g = o->graph;
    dc_status st = DC_OK;
    for (uint32_t i = 0; st == DC_OK && i < g->nop; i++) {
        for (uint32_t k = 0; st == DC_OK && k < g->op[i].originals.n; k++)
            st = add_original(o, g->text[g->op[i].originals.first + k], i);
        for (uint32_t k = 0; st == DC_OK && k < g->op[i].out.n; k++) {
            uint32_t name = g->tensor[g->op[i].out.first + k].origin_name;
            if (name != DC_NO_STR && name && g->op[i].original_state != DC_ORIGINALS_EMPTY)
                st = add_original(o, name, i);
        }
    }
    for (uint32_t i = 0; st == DC_OK && i < g->nop; i++)
        st = add_original(o, g->op[i].name, i);
    return st;
}

/* Is one of the operator's outputs compared with this original, or is it its only one? */
static bool is_compared_at(const dc_graph *g, const dc_gop *op, uint32_t original)
{
    for (uint32_t k = 0; k < op->out.n; k++)
        if (g->tensor[op->out.first + k].origin_name == original)
            return true;
    return op->originals.n < 2;
}

/* The operator that runs op's sub-graph, or one around it, only sometimes; NULL: none does. */
static const dc_gop *condition_of(const dc_graph *g, const dc_gop *op)
{
    uint32_t parent = g->sub[op->sub].parent;
    for (uint32_t depth = 0; parent != DC_NO_OP && depth < g->nsub; depth++) {
        const dc_gop *caller = &g->op[parent];
        if (dc_optype_branches(dc_graph_text(g, caller->type)))
            return caller;
        parent = g->sub[caller->sub].parent;
    }
    return NULL;
}

static void word(char *text, const dc_graph *g, const dc_gop *op, uint32_t original)
{
    const dc_gop *condition = condition_of(g, op);
    const char *name = dc_graph_text(g, op->name), *type = dc_graph_text(g, op->type);
    if (!is_compared_at(g, op, original))
        snprintf(text, TEXT, "fused into %s", name);
    else if ((op->flags & DC_GOP_NO_TASK) || dc_optype_get(type)->never_dumps)
        snprintf(text, TEXT, "%s, of type %s, never dumps", name, type);
    else if (condition)
        snprintf(text, TEXT,
                 "its operator %s is not in the dump: %s, of type %s, decides whether it runs",
                 name, dc_graph_text(g, condition->name), dc_graph_text(g, condition->type));
    else
        snprintf(text, TEXT, "its operator %s is in the graph but not in the dump", name);
}

/* The operator's name in "name:output" or, of another dump, "name:output:0". */
static void cut_label(char *label)
{
    static const char *const direction[] = {":output", ":input"};
    char *colon = strrchr(label, ':');
    if (colon)
        *colon = '\0';
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(label), end = strlen(direction[i]);
        if (n > end && strcmp(label + n - end, direction[i]) == 0)
            label[n - end] = '\0';
    }
}

static dc_status explain_line(dc_alignment *a, dc_align_line *line, const originals *o)
{
    char text[TEXT];
    char *clean = strdup(dc_pool_text(a->text, line->golden));
    if (!clean)
        return dc_fail_memory();
    cut_label(clean);
    dc_golden_clean(clean, clean);
    uint32_t id = dc_pool_find(o->clean, clean);
    free(clean);
    if (id == DC_NO_STR || !id)
        return DC_OK;
    word(text, o->graph, &o->graph->op[o->op[id]], o->name[id]);
    return dc_pool_adds(&line->reason, a->text, text);
}

dc_status dc_explain_unused(dc_alignment *a, const dc_graph *graph)
{
    originals o = {.graph = graph};
    dc_status st = dc_pool_new(&o.clean);
    if (st == DC_OK) /* id 0 is "", which no operator is called */
        st = dc_grow((void **)&o.name, &o.name_cap, 0, 1, sizeof *o.name);
    if (st == DC_OK)
        st = dc_grow((void **)&o.op, &o.op_cap, 0, 1, sizeof *o.op);
    if (st == DC_OK)
        st = collect(&o);
    for (uint64_t i = 0; st == DC_OK && i < a->lines; i++)
        if (a->line[i].unused && !a->line[i].reason)
            st = explain_line(a, &a->line[i], &o);
    dc_pool_free(o.clean);
    free(o.name);
    free(o.op);
    return st;
}
