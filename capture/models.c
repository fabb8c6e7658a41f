/* capture/models.c - see models.h */
#include "capture/models.h"

#include "io/cmp.h"
#include "io/graph_find.h"
#include "io/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dc_models {
    dc_select *select;
    dc_buf *notes;
    dc_gfiles files;
    bool with_graphs;
    dc_graph **graph; /* [files.n], read on demand */
    dc_pool *key;     /* "dir|device"; id i is model[i] */
    dc_model **model;
    size_t n, cap;
};

dc_status dc_models_new(dc_models **out, const char *graphs, dc_select *s, dc_buf *notes)
{
    dc_models *m = calloc(1, sizeof *m);
    *out = m;
    if (!m)
        return dc_fail_memory();
    m->select = s;
    m->notes = notes;
    m->with_graphs = graphs != NULL;
    dc_status st = dc_pool_new(&m->key);
    if (st == DC_OK && graphs)
        st = dc_graph_find_files(&m->files, graphs);
    m->graph = calloc(m->files.n + 1, sizeof(dc_graph *));
    if (st == DC_OK && !m->graph)
        st = dc_fail_memory();
    return st;
}

static void model_free(dc_model *m)
{
    if (!m)
        return;
    dc_select_pass_free(m->pass);
    free(m->dir);
    free(m);
}

void dc_models_free(dc_models *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n; i++)
        model_free(m->model[i]);
    for (size_t i = 0; m->graph && i < m->files.n; i++)
        dc_graph_free(m->graph[i]);
    free((void *)m->graph);
    free((void *)m->model);
    dc_graph_find_free(&m->files);
    dc_pool_free(m->key);
    free(m);
}

/* Read the graph chosen for a model. What fails is told, and the model does without. */
static dc_status find_graph(dc_model *model, dc_models *m, int32_t device)
{
    dc_gchoice choice = {0};
    const dc_gwant want = {.model = model->dir, .device = device, .names_only = true};
    dc_status st = dc_graph_find_choose(&choice, &m->files, &want);
    if (st == DC_OK && !m->graph[choice.file])
        st = dc_graph_load(&m->graph[choice.file], m->files.file[choice.file].path);
    if (st == DC_ENOMEM) {
        free(choice.why);
        return st;
    }
    if (st != DC_OK)
        return dc_buf_printf(m->notes, "no graph for model %s: %s\n", model->dir, dc_last_error());
    model->graph = m->graph[choice.file];
    if (choice.how >= DC_GMATCH_NAME && model->graph->nsub)
        model->name.graph = dc_graph_text(model->graph, model->graph->sub[0].name);
    st = dc_buf_printf(m->notes, "graph of model %s: %s\n", model->dir, choice.why);
    free(choice.why);
    return st;
}

typedef struct task {
    int64_t id;
    uint32_t op;
} task;

static int compare_tasks(const void *a, const void *b)
{
    const task *x = a, *y = b;
    return DC_CMP_BY(x, y, id, op);
}

/* Feed the ranges with the operators of the graph's root in the order of their ids: the best
 * stand-in for task order that the file has. */
static dc_status make_pass(dc_model *model, dc_models *m)
{
    const dc_graph *g = model->graph;
    task *t = malloc((g->nop + (size_t)1) * sizeof *t);
    size_t n = 0;
    dc_status st = t ? dc_select_pass_new(&model->pass, m->select, &model->name) : dc_fail_memory();
    for (uint32_t i = 0; st == DC_OK && i < g->nop; i++) {
        uint8_t flags = g->op[i].flags;
        if (!(flags & DC_GOP_NO_TASK) || flags & DC_GOP_NO_TASK_BUT_DUMP)
            t[n++] = (task){g->op[i].id, i};
    }
    if (st == DC_OK && n)
        qsort(t, n, sizeof *t, compare_tasks);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = dc_select_pass_add(model->pass, dc_graph_text(g, g->op[t[i].op].name));
    free(t);
    if (st == DC_OK)
        st =
            dc_buf_printf(m->notes, "ranges of model %s follow the ids of its graph\n", model->dir);
    return st;
}

static dc_status add_model(dc_models *m, const dc_scan_dir *dir)
{
    dc_model *model = calloc(1, sizeof *model);
    if (!model)
        return dc_fail_memory();
    dc_status st = dc_grow((void **)&m->model, &m->cap, m->n, 1, sizeof(dc_model *));
    if (st != DC_OK) {
        free(model);
        return st;
    }
    m->model[m->n++] = model;
    model->dir = strdup(dir->model_dir);
    if (!model->dir)
        return dc_fail_memory();
    if (!*model->dir)
        return DC_OK; /* all names stay unknown */
    dc_tree_model_name(model->canonical, sizeof model->canonical, model->dir, strlen(model->dir));
    model->name = (dc_select_model){.dir = model->dir, .canonical = model->canonical};
    if (m->with_graphs)
        st = find_graph(model, m, dir->device);
    model->has_ranges = dc_select_has_ranges(m->select, &model->name);
    if (st == DC_OK && model->has_ranges && model->graph)
        st = make_pass(model, m);
    else if (st == DC_OK && model->has_ranges)
        st = dc_buf_printf(m->notes,
                           "ranges of model %s follow the order in which each step's operators "
                           "were dumped (--graph gives the graph's order)\n",
                           model->dir);
    return st;
}

dc_status dc_models_find(dc_model **out, dc_models *m, const dc_scan_dir *dir)
{
    char key[600];
    uint32_t id, before = dc_pool_count(m->key);
    snprintf(key, sizeof key, "%s|%d", dir->model_dir, m->with_graphs ? dir->device : -1);
    dc_status st = dc_pool_adds(&id, m->key, key);
    if (st == DC_OK && id >= before)
        st = add_model(m, dir);
    if (st == DC_OK)
        *out = m->model[id - 1]; /* id 0 is "" */
    return st;
}

dc_gfound dc_model_ops(const dc_model *m, const char *name, bool sanitised)
{
    if (!m->graph || !*name)
        return (dc_gfound){NULL, 0};
    return sanitised ? dc_graph_by_clean_name(m->graph, name) : dc_graph_by_name(m->graph, name);
}

static dc_status add_name(const char ***name, size_t *n, size_t *cap, const char *text)
{
    dc_status st = *text ? dc_grow((void **)name, cap, *n, 1, sizeof **name) : DC_OK;
    if (st == DC_OK && *text)
        (*name)[(*n)++] = text;
    return st;
}

dc_status dc_model_originals(const char ***name, size_t *n, size_t *cap, const dc_model *m,
                             dc_gfound ops)
{
    const dc_graph *g = m->graph;
    dc_status st = DC_OK;
    for (size_t i = 0; i < ops.n; i++) {
        const dc_gop *op = &g->op[ops.op[i]];
        for (uint32_t k = 0; st == DC_OK && k < op->originals.n; k++)
            st = add_name(name, n, cap, dc_graph_text(g, g->text[op->originals.first + k]));
        for (uint32_t k = 0; st == DC_OK && k < op->out.n; k++)
            st = add_name(name, n, cap, dc_graph_text(g, g->tensor[op->out.first + k].origin_name));
    }
    return st;
}
