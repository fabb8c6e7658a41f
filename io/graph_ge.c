/* io/graph_ge.c - GE's ModelDef, as protobuf text (ge_proto_*.txt) or as the JSON that ATC makes of
 * it: the same fields, so the same reader. */
#include "io/graph_build.h"

#include <string.h>

/* AttrDef.ListValue */
static dc_status list_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    if (strcmp(f->name, "s") == 0)
        return dc_gbuild_text_into(b, &b->value.texts);
    if (strcmp(f->name, "i") == 0)
        return dc_gbuild_int_into(b);
    return DC_OK;
}

/* AttrDef, the value of an attribute */
static dc_status value_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    dc_gvalue *v = &b->value;
    bool flag = false;
    (void)ctx;
    if (strcmp(f->name, "list") == 0)
        return dc_gbuild_message(b, list_field, NULL);
    if (strcmp(f->name, "s") == 0) {
        v->has_text = true;
        v->text.n = 0;
        return dc_gbuild_text_into(b, &v->text);
    }
    if (strcmp(f->name, "i") == 0) {
        v->has_int = true;
        return dc_pbtext_int(&v->i, b->p);
    }
    if (strcmp(f->name, "b") != 0)
        return DC_OK;
    dc_status st = dc_pbtext_bool(&flag, b->p);
    v->has_int = true;
    v->i = flag;
    return st;
}

dc_status dc_graph_read_ge_value(dc_gbuild *b)
{
    dc_pbfield f;
    dc_gvalue_clear(&b->value);
    dc_status st = dc_pbtext_next(&f, b->p);
    while (st == DC_OK && f.kind != DC_PB_END) {
        st = value_field(b, &f, NULL);
        if (st == DC_OK)
            st = dc_pbtext_next(&f, b->p);
    }
    return st;
}

struct attr { /* one entry of a map<string, AttrDef> */
    const dc_gattr *(*find)(const char *key);
    const dc_gattr *row;
    bool has_key;
};

static dc_status attr_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    struct attr *a = ctx;
    const char *text;
    size_t n;
    if (strcmp(f->name, "key") == 0) {
        dc_status st = dc_pbtext_text(&text, &n, b->p);
        a->has_key = true;
        a->row = st == DC_OK ? a->find(text) : NULL;
        return st;
    }
    if (strcmp(f->name, "value") == 0 && (a->row || !a->has_key))
        return dc_gbuild_message(b, value_field, NULL);
    return DC_OK;
}

static dc_status read_attr(dc_gbuild *b, const dc_gattr *(*find)(const char *), void *target)
{
    struct attr a = {.find = find};
    dc_gvalue_clear(&b->value);
    dc_status st = dc_gbuild_message(b, attr_field, &a);
    return st == DC_OK && a.row ? dc_gattr_apply(b, a.row, target) : st;
}

static dc_status shape_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    return strcmp(f->name, "dim") == 0 ? dc_gbuild_int_into(b) : DC_OK;
}

static dc_status read_shape(dc_gbuild *b, dc_gtensor *t)
{
    dc_gvalue_clear(&b->value);
    t->has_shape = true;
    dc_status st = dc_gbuild_message(b, shape_field, NULL);
    return st == DC_OK ? dc_gbuild_dims(b, &t->shape, b->value.ints, b->value.nints) : st;
}

/* TensorDescriptor */
static dc_status desc_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    dc_gtensor *t = ctx;
    const char *text;
    size_t n;
    if (strcmp(f->name, "attr") == 0)
        return read_attr(b, dc_gattr_of_tensor, t);
    if (strcmp(f->name, "shape") == 0)
        return read_shape(b, t);
    bool dtype = strcmp(f->name, "dtype") == 0;
    if (!dtype && strcmp(f->name, "layout") != 0)
        return DC_OK;
    dc_status st = dc_pbtext_text(&text, &n, b->p);
    if (st != DC_OK)
        return st;
    if (!dtype)
        return dc_gbuild_layout(b, t, text);
    t->dtype = dc_gbuild_dtype(text);
    return DC_OK;
}

static dc_status read_desc(dc_gbuild *b, dc_gdescs *descs)
{
    dc_gtensor *t;
    dc_status st = dc_gbuild_desc(&t, descs);
    return st == DC_OK ? dc_gbuild_message(b, desc_field, t) : st;
}

/* OpDef */
static dc_status op_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    if (strcmp(f->name, "attr") == 0)
        return read_attr(b, dc_gattr_of_op, &b->op);
    if (strcmp(f->name, "name") == 0)
        return dc_gbuild_text(b, &b->op.name);
    if (strcmp(f->name, "type") == 0)
        return dc_gbuild_text(b, &b->op.type);
    if (strcmp(f->name, "input") == 0)
        return dc_gbuild_edge(b, dc_gbuild_input);
    if (strcmp(f->name, "subgraph_name") == 0)
        return dc_gbuild_edge(b, dc_gbuild_call);
    if (strcmp(f->name, "id") == 0)
        return dc_pbtext_int(&b->op.id, b->p);
    if (strcmp(f->name, "stream_id") == 0)
        return dc_pbtext_int(&b->op.stream_id, b->p);
    if (strcmp(f->name, "input_desc") == 0)
        return read_desc(b, &b->in);
    if (strcmp(f->name, "output_desc") == 0)
        return read_desc(b, &b->out);
    return DC_OK;
}

/* An option: an entry of the NamedAttrs that GraphDef's attributes GlobalOptions, SessionOptions
 * and GraphOptions are. */
struct option {
    bool wanted;
};

static dc_status option_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    struct option *o = ctx;
    const char *text;
    size_t n;
    if (strcmp(f->name, "key") == 0) {
        dc_status st = dc_pbtext_text(&text, &n, b->p);
        o->wanted = st == DC_OK && strcmp(text, "ge.exec.hcomGrouplist") == 0;
        return st;
    }
    return o->wanted && strcmp(f->name, "value") == 0 ? dc_gbuild_message(b, value_field, NULL)
                                                      : DC_OK;
}

static dc_status options_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    struct option o = {0};
    dc_gvalue *v = &b->value;
    (void)ctx;
    if (strcmp(f->name, "attr") != 0)
        return DC_OK;
    dc_gvalue_clear(v);
    dc_status st = dc_gbuild_message(b, option_field, &o);
    if (st == DC_OK && v->has_text && *v->text.data)
        st = dc_pool_adds(&b->g->rank_groups, b->g->pool, v->text.data);
    return st;
}

static dc_status func_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    return strcmp(f->name, "func") == 0 ? dc_gbuild_message(b, options_field, NULL) : DC_OK;
}

/* An attribute of a graph. */
static dc_status graph_attr_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    return strcmp(f->name, "value") == 0 ? dc_gbuild_message(b, func_field, NULL) : DC_OK;
}

/* GraphDef, and ONNX's GraphProto, which calls its operators "node" */
static dc_status graph_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    (void)ctx;
    if (strcmp(f->name, "name") == 0)
        return dc_gbuild_text(b, &b->g->sub[b->g->nsub - 1].name);
    if (strcmp(f->name, "attr") == 0)
        return dc_gbuild_message(b, graph_attr_field, NULL);
    bool node = strcmp(f->name, "node") == 0;
    if (!node && strcmp(f->name, "op") != 0)
        return DC_OK;
    dc_gbuild_op(b);
    if (node)
        b->g->kind = DC_GRAPH_ONNX;
    dc_status st = node ? dc_graph_read_onnx_node(b) : dc_gbuild_message(b, op_field, NULL);
    return st == DC_OK ? dc_gbuild_end_op(b) : st;
}

dc_status dc_graph_read_ge_graph(dc_gbuild *b)
{
    dc_status st = dc_gbuild_sub(b);
    return st == DC_OK ? dc_gbuild_message(b, graph_field, NULL) : st;
}
