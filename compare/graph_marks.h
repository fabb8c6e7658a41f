/* compare/graph_marks.h - operators of a graph whose outputs have no golden though they have
 * original names: quantised ones, and those within an L1 fusion. Source: msaccucmp's fusion rules.
 */
#ifndef DC_GRAPH_MARKS_H
#define DC_GRAPH_MARKS_H
#include "io/graph.h"

enum dc_graph_mark {
    DC_MARK_QUANTISED = 1, /* gives quantised values: a quantising operator, or one between it and
                              the operator that dequantises */
    DC_MARK_L1_INNER = 2   /* of the operators with one L1 fusion number neither the last, nor the
                              first with original names other than the last's */
};

/* *mark: malloc'd for the caller, mark[op] for g's operators; NULL where none is marked. Errors:
 * DC_ENOMEM. Not collective. */
dc_status dc_graph_marks(uint8_t **mark, const dc_graph *g) DC_MUST_CHECK;
#endif
