/* io/graph_build.h - putting a dc_graph together, operator by operator; shared by the readers of
 * graph files. */
#ifndef DC_GRAPH_BUILD_H
#define DC_GRAPH_BUILD_H
#include "io/graph.h"
#include "io/pbtext.h"

/* The value of one attribute, whatever its type; reused, so that lists cost no allocation. */
typedef struct dc_gvalue {
    bool has_text, has_int;
    int64_t i;     /* b is 0 or 1 */
    dc_buf text;   /* s */
    dc_buf texts;  /* list of s, each with its NUL */
    int64_t *ints; /* list of i */
    size_t nints, cap_ints;
} dc_gvalue;

typedef struct dc_gdescs { /* descriptors of the operator being read */
    dc_gtensor *t;
    size_t n, cap;
} dc_gdescs;

typedef struct dc_gcall { /* operator `op` runs the sub-graph called `name` */
    uint32_t op, name;
} dc_gcall;

/* All-zero but for p and g; dc_gbuild_fini frees everything but these two. */
typedef struct dc_gbuild {
    dc_pbtext *p;
    dc_graph *g;
    size_t cap_sub, cap_op, cap_edge, cap_tensor, cap_dim, cap_text;
    dc_gop op; /* being read, with slot, in and out */
    uint32_t slot;
    dc_gdescs in, out;
    dc_gvalue value;
    dc_buf clean;
    dc_gcall *call;
    size_t ncall, cap_call;
} dc_gbuild;

/* What we keep of an attribute: one row per key. */
typedef struct dc_gattr dc_gattr;
/* The row of an operator's (a descriptor's) attribute, NULL if we have no use for it. */
const dc_gattr *dc_gattr_of_op(const char *key);
const dc_gattr *dc_gattr_of_tensor(const char *key);

/* Errors of all: DC_ENOMEM; DC_EUNSUP over 2^32 things; DC_EFORMAT with path and line. */
dc_status dc_gbuild_sub(dc_gbuild *b) DC_MUST_CHECK; /* a graph begins; its ops follow */
void dc_gbuild_op(dc_gbuild *b);                     /* an operator begins */
dc_status dc_gbuild_input(dc_gbuild *b, const char *text) DC_MUST_CHECK;
dc_status dc_gbuild_call(dc_gbuild *b, const char *sub) DC_MUST_CHECK;
/* A new descriptor at the end of descs, everything unknown; valid until the next one. */
dc_status dc_gbuild_desc(dc_gtensor **t, dc_gdescs *descs) DC_MUST_CHECK;
dc_status dc_gbuild_end_op(dc_gbuild *b) DC_MUST_CHECK;
/* Resolve names, build the look-ups, give spare memory back. */
dc_status dc_gbuild_finish(dc_gbuild *b) DC_MUST_CHECK;
void dc_gbuild_fini(dc_gbuild *b);

void dc_gvalue_clear(dc_gvalue *v);
/* Put b->value where the row says: into the dc_gop (dc_gtensor) at target. A value of another type
 * than the row's is ignored. */
dc_status dc_gattr_apply(dc_gbuild *b, const dc_gattr *a, void *target) DC_MUST_CHECK;
/* Fields of a descriptor that are no attributes. */
dc_status dc_gbuild_layout(dc_gbuild *b, dc_gtensor *t, const char *text) DC_MUST_CHECK;
int16_t dc_gbuild_dtype(const char *text);
dc_status dc_gbuild_dims(dc_gbuild *b, dc_grange *out, const int64_t *dim, size_t n) DC_MUST_CHECK;

/* Reads the field at hand if its name is one of ours, else leaves it to be skipped. */
typedef dc_status (*dc_gfield)(dc_gbuild *b, const dc_pbfield *f, void *ctx);
/* Enter the message just reported and hand all its fields to `field`. */
dc_status dc_gbuild_message(dc_gbuild *b, dc_gfield field, void *ctx) DC_MUST_CHECK;
/* The scalar just reported: as an id; added to *out with its NUL; added to value.ints; to `add`. */
dc_status dc_gbuild_text(dc_gbuild *b, uint32_t *id) DC_MUST_CHECK;
dc_status dc_gbuild_text_into(dc_gbuild *b, dc_buf *out) DC_MUST_CHECK;
dc_status dc_gbuild_int_into(dc_gbuild *b) DC_MUST_CHECK;
dc_status dc_gbuild_edge(dc_gbuild *b, dc_status (*add)(dc_gbuild *, const char *)) DC_MUST_CHECK;

/* The readers. */
dc_status dc_graph_read_ge_graph(dc_gbuild *b) DC_MUST_CHECK;  /* one GraphDef, just reported */
dc_status dc_graph_read_ge_value(dc_gbuild *b) DC_MUST_CHECK;  /* a whole text is one AttrDef */
dc_status dc_graph_read_onnx_node(dc_gbuild *b) DC_MUST_CHECK; /* one NodeProto, just reported */
/* The JSON of one descriptor, in value.text, which is used up. */
dc_status dc_graph_read_onnx_desc(dc_gbuild *b, dc_gtensor *t) DC_MUST_CHECK;
#endif
