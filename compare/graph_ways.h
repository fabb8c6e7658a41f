/* compare/graph_ways.h - ways through a graph: past operators that the graph engine inserted, and
 * to the one of several operators that gives what they stand for. Nothing here is collective. */
#ifndef DC_GRAPH_WAYS_H
#define DC_GRAPH_WAYS_H
#include "io/graph.h"

/* Did the graph engine put the operator in? */
bool dc_graph_inserted(const dc_graph *g, const dc_gop *op);
/* An edge that leads on to another one: through an inserted operator that only hands its input on,
 * and from a sub-graph's Data to the caller's input. NULL at the end of the way. */
const dc_gedge *dc_graph_upstream(const dc_graph *g, const dc_gedge *e);
/* One of a framework's operators may become several, and the graph not say which of them gives its
 * output. Is it op: the only one whose single output none of the others takes? */
bool dc_graph_gives(const dc_graph *g, const dc_gop *op, const char *original);
#endif
