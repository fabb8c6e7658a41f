/* tests/graph_check.h - short ways to ask a graph in tests. */
#ifndef DC_GRAPH_CHECK_H
#define DC_GRAPH_CHECK_H
#include "io/graph.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

static inline const char *gc_text(const dc_graph *g, uint32_t id)
{
    return id == DC_NO_STR ? "(none)" : dc_graph_text(g, id);
}

static inline dc_graph *gc_parse(const char *bytes)
{
    dc_graph *g = NULL;
    DC_ASSERT_OK(dc_graph_parse(&g, bytes, strlen(bytes), "g.txt"));
    return g;
}

static inline const dc_gop *gc_op(const dc_graph *g, const char *name)
{
    dc_gfound f = dc_graph_by_name(g, name);
    CU_ASSERT_FATAL(f.n > 0);
    return &g->op[f.op[0]];
}

static inline const dc_gtensor *gc_out(const dc_graph *g, const char *name, uint32_t i)
{
    const dc_gop *o = gc_op(g, name);
    CU_ASSERT_FATAL(i < o->out.n);
    return &g->tensor[o->out.first + i];
}

static inline bool gc_shape_is(const dc_graph *g, const dc_gtensor *t, const char *want)
{
    dc_shape s;
    char print[DC_SHAPE_TEXT];
    if (!dc_graph_shape(&s, g, t))
        return false;
    dc_shape_print_list(print, &s);
    return strcmp(print, want) == 0;
}
#endif
