/* capture/models.h - what the graph files say of the dumped models: original names, task order,
 * and the operators' own slots. */
#ifndef DC_MODELS_H
#define DC_MODELS_H
#include "io/graph.h"
#include "io/select.h"
#include "mpi/catalog.h"

typedef struct dc_model {
    char *dir; /* directory's name, "" outside a model */
    char canonical[256];
    dc_select_model name;  /* as selectors know it; points into this struct */
    const dc_graph *graph; /* or NULL */
    dc_select_pass *pass;  /* ranges by the graph's order; NULL without graph or ranges */
    bool has_ranges;
} dc_model;

typedef struct dc_models dc_models;

/* graphs: a file or a directory of *_Build.txt, or NULL. Lines for the user are appended to
 * *notes, each at most once per process. Not collective, nothing here is. Errors: those of
 * dc_graph_find_files. */
dc_status dc_models_new(dc_models **out, const char *graphs, dc_select *s,
                        dc_buf *notes) DC_MUST_CHECK;
void dc_models_free(dc_models *m);
/* The model of a directory; its graph is read when it is first met, by name alone: the same choice
 * on every process. A graph that does not fit or cannot be read is a note. Errors: DC_ENOMEM. */
dc_status dc_models_find(dc_model **out, dc_models *m, const dc_scan_dir *dir) DC_MUST_CHECK;

/* The graph's operators of a name, sanitised or not; none without a graph. */
dc_gfound dc_model_ops(const dc_model *m, const char *name, bool sanitised);
/* Append the original names of operators found: texts of the graph. Errors: DC_ENOMEM. */
dc_status dc_model_originals(const char ***name, size_t *n, size_t *cap, const dc_model *m,
                             dc_gfound ops) DC_MUST_CHECK;
#endif
