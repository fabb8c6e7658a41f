/* compare/graphs.c - see graphs.h */
#include "compare/graphs.h"

#include "io/log.h"

#include <stdlib.h>

dc_status dc_graphs_init(dc_graphs *out, const char *path, const dc_pool *names, bool speaks)
{
    *out = (dc_graphs){.speaks = speaks};
    if (!path)
        return DC_OK;
    dc_status st = dc_graph_find_files(&out->files, path);
    if (st != DC_OK)
        return st;
    out->ops = dc_pool_count(names);
    out->op = malloc((out->ops + 1) * sizeof(char *));
    out->graph = calloc(out->files.n + 1, sizeof(dc_graph *));
    st = out->op && out->graph ? dc_pool_new(&out->names) : dc_fail_memory();
    for (uint32_t i = 0; st == DC_OK && i < out->ops; i++)
        out->op[i] = dc_pool_text(names, i);
    if (st != DC_OK)
        dc_graphs_fini(out);
    return st;
}

void dc_graphs_fini(dc_graphs *g)
{
    for (size_t i = 0; g->graph && i < g->files.n; i++)
        dc_graph_free(g->graph[i]);
    free(g->graph);
    free(g->model);
    free(g->op);
    dc_pool_free(g->names);
    dc_graph_find_free(&g->files);
    *g = (dc_graphs){0};
}

/* Which graph was taken and why: the first, and those that are guesses, are worth a line. */
static void tell_choice(const dc_graphs *g, const dc_gchoice *c, const char *model_dir)
{
    bool known = false;
    for (size_t i = 0; i < g->models; i++)
        known = known || g->model[i].file == c->file;
    if (!g->speaks || known || (g->models && c->how > DC_GMATCH_DUMPED))
        dc_debug("graph of %s: %s", model_dir, c->why);
    else if (c->how <= DC_GMATCH_DUMPED)
        dc_warn("graph of %s: %s", model_dir, c->why);
    else
        dc_info("graph of %s: %s", model_dir, c->why);
}

static dc_status choose(size_t *file, dc_graphs *g, const char *model_dir)
{
    const dc_gwant want = {.model = model_dir, .device = -1, .ops = g->op, .nops = g->ops};
    dc_gchoice choice;
    dc_status st = dc_graph_find_choose(&choice, &g->files, &want);
    if (st != DC_OK)
        return st;
    tell_choice(g, &choice, model_dir);
    free(choice.why);
    *file = choice.file;
    return DC_OK;
}

static dc_status file_of(size_t *file, dc_graphs *g, const char *model_dir)
{
    uint32_t id = dc_pool_find(g->names, model_dir);
    for (size_t i = 0; id != DC_NO_STR && i < g->models; i++)
        if (g->model[i].model_dir == id) {
            *file = g->model[i].file;
            return DC_OK;
        }
    dc_status st = choose(file, g, model_dir);
    if (st == DC_OK)
        st = dc_pool_adds(&id, g->names, model_dir);
    if (st == DC_OK)
        st = dc_grow((void **)&g->model, &g->cap, g->models, 1, sizeof *g->model);
    if (st == DC_OK)
        g->model[g->models++] = (dc_graphs_model){id, *file};
    return st;
}

static dc_status find(void *context, const dc_graph **out, uint64_t *id, int32_t rank,
                      const char *model_dir)
{
    dc_graphs *g = context;
    size_t file = 0;
    (void)rank; /* the directory's name has the rank's own time stamp */
    dc_status st = file_of(&file, g, model_dir);
    if (st == DC_OK && !g->graph[file])
        st = dc_graph_load(&g->graph[file], g->files.file[file].path);
    if (st != DC_OK)
        return st;
    *out = g->graph[file];
    *id = file;
    return DC_OK;
}

dc_align_graphs dc_graphs_finder(dc_graphs *g)
{
    return (dc_align_graphs){g, g->files.n ? find : NULL};
}

const dc_gop *dc_graphs_op(const dc_graph *g, const char *op)
{
    dc_gfound found = dc_graph_by_name(g, op);
    if (found.n == 0)
        found = dc_graph_by_clean_name(g, op);
    return found.n ? &g->op[found.op[0]] : NULL;
}

static size_t inputs(dc_feed *out, size_t max, void *context, const dc_feeds_ask *ask)
{
    const dc_graph *g;
    uint64_t id;
    if (find(context, &g, &id, ask->rank, ask->model_dir) != DC_OK)
        return 0;
    const dc_gop *op = dc_graphs_op(g, ask->op);
    size_t n = op && op->in.n < max ? op->in.n : op ? max : 0;
    for (uint32_t i = 0; i < n; i++) {
        const dc_gedge *e = &g->edge[op->in.first + i];
        const char *name = dc_graph_text(g, e->name);
        out[i] = (dc_feed){i, e->output, name, name};
        if (e->producer == DC_NO_OP)
            continue;
        out[i].producer = dc_graph_text(g, g->op[e->producer].name);
        out[i].clean = dc_graph_text(g, g->op[e->producer].clean);
    }
    return n;
}

dc_feeds dc_graphs_feeds(dc_graphs *g)
{
    return (dc_feeds){g, g->files.n ? inputs : NULL};
}
