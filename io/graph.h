/* io/graph.h - a compiled graph in memory: operators, their edges, and where each output came from.
 *
 * Read from the files GE and ATC write: ge_proto_*.txt (protobuf text of ge.proto.ModelDef),
 * ge_onnx_*.pbtxt, and the JSON of `atc --mode=1|5`. One flat array per kind of thing, ranges by
 * (first, count), every text an id of `pool`. Source of the field and attribute names: GE's
 * ge.proto and om.proto, msaccucmp's fusion rule parser. Nothing here is collective. */
#ifndef DC_GRAPH_H
#define DC_GRAPH_H
#include "io/mem.h"
#include "io/shape.h"

#define DC_NO_OP UINT32_MAX

/* A range of one of the graph's arrays. */
typedef struct dc_grange {
    uint32_t first, n;
} dc_grange;

/* One descriptor of an operator's input or output. Texts are DC_NO_STR, numbers -1, where the file
 * says nothing. */
typedef struct dc_gtensor {
    int16_t dtype;         /* dc_dtype; DC_UNDEFINED if left out, -1 if the name is not known */
    int16_t format;        /* dc_format of "layout" ("FRACTAL_Z:4" is FRACTAL_Z); -1 unknown */
    int16_t origin_format; /* attribute origin_format */
    int16_t origin_dtype;  /* attribute origin_data_type */
    int16_t dump_format;   /* _datadump_origin_format: the layout in the original framework */
    int16_t dump_dtype;    /* _datadump_origin_data_type */
    uint32_t sub_format;   /* the number after ':' in "layout" (groups of FRACTAL_Z); 0 none */
    uint32_t origin_name;  /* _datadump_origin_name; 0 ("") if there but empty */
    int32_t origin_index;  /* _datadump_origin_output_index; also -1 for 2^32-1 */
    uint32_t fusion_name;  /* _fusion_origin_name (UB fusion) */
    int32_t fusion_index;  /* _fusion_origin_output_index */
    uint32_t ref;          /* _datadump_ref, "node:input|output:idx" */
    uint32_t layout;       /* the text of "layout" */
    dc_grange shape;       /* into dim; a dim may be negative (unknown) */
    dc_grange origin_shape;
    bool has_shape, has_origin_shape; /* false: not in the file (n 0 and true = a scalar) */
} dc_gtensor;

/* One data edge into an operator. Control edges ("name:-1") and "" are not here: input i of an
 * operator is the i-th entry left, as in a dump's header. */
typedef struct dc_gedge {
    uint32_t producer; /* operator of the same sub-graph, DC_NO_OP if the file has none */
    uint32_t name;     /* the producer's name as written */
    uint32_t output;   /* which of its outputs */
    uint32_t slot;     /* place among the op's input descriptors: counts "" but no control edges */
} dc_gedge;

typedef enum dc_originals {
    DC_ORIGINALS_ABSENT, /* no _datadump_original_op_names: the operator is its own original */
    DC_ORIGINALS_EMPTY,  /* there, but without a name: GE inserted it */
    DC_ORIGINALS_NAMES
} dc_originals;

enum dc_gflag {
    DC_GOP_NO_TASK = 1,          /* _no_task */
    DC_GOP_NO_TASK_BUT_DUMP = 2, /* _no_task_and_dump_needed */
    DC_GOP_MULTI = 4,            /* _datadump_is_multiop */
    DC_GOP_UNKNOWN_SHAPE = 8,    /* _is_unknown_shape */
    DC_GOP_OWNER_UNKNOWN = 16    /* OwnerGraphIsUnknown: its sub-graph has unknown shapes */
};

typedef struct dc_gop {
    uint32_t name, type;
    uint32_t clean; /* the name with space . / \ replaced by _ : as in dump file names */
    uint32_t sub;   /* index into sub */
    int64_t id;     /* topological id */
    int64_t stream_id;
    dc_grange in;             /* into edge */
    dc_grange in_desc;        /* into tensor */
    dc_grange out;            /* into tensor; output k is entry k */
    dc_grange originals;      /* into text: _datadump_original_op_names */
    dc_grange original_types; /* into text: _datadump_original_op_types */
    uint32_t l1_fusion;       /* _L1_fusion_sub_graph_no, DC_NO_STR if absent */
    uint32_t group;           /* of a collective operator: "group", DC_NO_STR if absent */
    int32_t parent_index;     /* _parent_node_index of a sub-graph's Data: the caller's input; -1 */
    int64_t input_size, hidden_size, groups; /* 0 if absent */
    uint8_t original_state;                  /* dc_originals */
    uint8_t flags;                           /* dc_gflag */
} dc_gop;

typedef struct dc_gsub {
    uint32_t name;
    dc_grange ops;   /* into op, in file order */
    uint32_t parent; /* the operator that names it in subgraph_name, or DC_NO_OP */
} dc_gsub;

typedef struct dc_gindex { /* operators by text: op[first[id] .. first[id+1]) */
    uint32_t *first, *op;
    uint32_t ids;
} dc_gindex;

/* What the file is. ONNX files are poorer: an empty list is left out of them, so their
 * DC_ORIGINALS_ABSENT may be DC_ORIGINALS_EMPTY, and texts (original names among them) are there
 * only if they were written with DUMP_GE_GRAPH=1. */
typedef enum dc_gkind { DC_GRAPH_GE, DC_GRAPH_ONNX, DC_GRAPH_ATC } dc_gkind;

/* Everything is owned by the graph; callers read. sub[0] is the root graph. */
typedef struct dc_graph {
    char *path;
    dc_gkind kind;
    dc_pool *pool;
    dc_gsub *sub;
    dc_gop *op;
    dc_gedge *edge;
    dc_gtensor *tensor;
    int64_t *dim;
    uint32_t *text; /* ids of the names in the op's lists */
    uint32_t nsub, nop, nedge, ntensor, ndim, ntext;
    uint32_t rank_groups; /* option ge.exec.hcomGrouplist (io/group_list.h), DC_NO_STR if absent */
    dc_gindex by_name, by_clean, by_original;
} dc_graph;

/* Read a graph file of any of the kinds above; the kind is told by its contents. Caller frees *out.
 * Errors: DC_ENOENT/DC_EIO, DC_EFORMAT ("path:line: what"), DC_EUNSUP (more than 2^32 things),
 * DC_ENOMEM. A file that holds no graph at all is DC_EFORMAT. */
dc_status dc_graph_load(dc_graph **out, const char *path) DC_MUST_CHECK;
/* As dc_graph_load, from bytes; path is for messages. */
dc_status dc_graph_parse(dc_graph **out, const void *data, size_t n,
                         const char *path) DC_MUST_CHECK;
void dc_graph_free(dc_graph *g);

static inline const char *dc_graph_text(const dc_graph *g, uint32_t id)
{
    return dc_pool_text(g->pool, id);
}

/* In place: space . / \ become _, as the runtime does to names of files and directories. */
void dc_graph_clean(char *name);

/* Operators found for a text, in file order; valid until the graph is freed. n is 0 if none, more
 * than 1 if sub-graphs repeat a name or sanitising made two equal. */
typedef struct dc_gfound {
    const uint32_t *op;
    size_t n;
} dc_gfound;
dc_gfound dc_graph_by_name(const dc_graph *g, const char *name);
/* name may be sanitised or not. */
dc_gfound dc_graph_by_clean_name(const dc_graph *g, const char *name);
/* Operators that carry an original name: in their list, as an output's _datadump_origin_name, or by
 * being called so themselves where the list is absent. */
dc_gfound dc_graph_by_original(const dc_graph *g, const char *original);

/* The shape (or original shape) of a tensor. False if it is not given, has unknown (negative) dims
 * or more than DC_MAX_RANK; *out is then untouched. */
bool dc_graph_shape(dc_shape *out, const dc_graph *g, const dc_gtensor *t);
bool dc_graph_origin_shape(dc_shape *out, const dc_graph *g, const dc_gtensor *t);
#endif
