/* compare/graphs.h - the graphs of a comparison: chosen and read when a model first asks for one,
 * kept until the end. */
#ifndef DC_GRAPHS_H
#define DC_GRAPHS_H
#include "compare/align.h"
#include "compare/first_bad.h"
#include "io/graph_find.h"

typedef struct dc_graphs_model {
    uint32_t model_dir; /* id in names */
    size_t file;        /* index into files */
} dc_graphs_model;

typedef struct dc_graphs {
    dc_gfiles files;
    dc_graph **graph;       /* [files.n], NULL until needed */
    dc_graphs_model *model; /* chosen so far */
    size_t models, cap;
    const char **op; /* every text of the catalog: the same everywhere, so every process chooses
                        alike */
    size_t ops;
    dc_pool *names; /* of models */
    bool speaks;    /* this process tells which graphs were chosen */
} dc_graphs;

/* path: a graph file or a directory of them; NULL: no graphs. names is the catalog's dictionary,
 * borrowed. speaks: one process does, it tells on stderr which graph was chosen, and why. Errors:
 * DC_ENOENT, DC_EIO, DC_ENOMEM. On error *out is empty. Not collective. */
dc_status dc_graphs_init(dc_graphs *out, const char *path, const dc_pool *names,
                         bool speaks) DC_MUST_CHECK;
void dc_graphs_fini(dc_graphs *g);
/* To hand to alignment; find is NULL without graphs. */
dc_align_graphs dc_graphs_finder(dc_graphs *g);
/* To hand to dc_first_bad_find; inputs is NULL without graphs. */
dc_feeds dc_graphs_feeds(dc_graphs *g);
/* The operator called op (sanitised or not) in a graph, or NULL. */
const dc_gop *dc_graphs_op(const dc_graph *g, const char *op);
#endif
