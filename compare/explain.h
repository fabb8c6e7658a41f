/* compare/explain.h - why goldens were left over, in the words of a graph. */
#ifndef DC_EXPLAIN_H
#define DC_EXPLAIN_H
#include "compare/align.h"

/* Set the reason of every line of a left-over golden that has none: fused into which operator, an
 * operator that never dumps, in the graph but not in the dump. Lines the graph says nothing about
 * are left alone. Names are compared in their canonical form. Not collective. Errors: DC_ENOMEM. */
dc_status dc_explain_unused(dc_alignment *a, const dc_graph *graph) DC_MUST_CHECK;
#endif
