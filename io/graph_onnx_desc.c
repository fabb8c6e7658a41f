/* io/graph_onnx_desc.c - a descriptor that GE's ONNX writer put into JSON: its own fields as such,
 * its attributes each as the protobuf text of their value. Source: GE's ge_ir_utils.cc. */
#include "io/graph_build.h"

#include <string.h>

/* Run `read` with b->p on a text in memory. */
static dc_status read_inside(dc_gbuild *b, const dc_buf *text, dc_gtensor *t,
                             dc_status (*read)(dc_gbuild *, dc_gtensor *))
{
    dc_pbtext *outer = b->p;
    size_t n = text->n ? text->n - 1 : 0; /* without the NUL */
    dc_status st = dc_pbtext_open_memory(&b->p, text->data, n, b->g->path);
    if (st == DC_OK) {
        st = read(b, t);
        dc_pbtext_close(b->p);
    }
    b->p = outer;
    return st;
}

static dc_status read_value(dc_gbuild *b, dc_gtensor *t)
{
    (void)t;
    return dc_graph_read_ge_value(b);
}

static dc_status add_dim(dc_gbuild *b, dc_grange *shape)
{
    int64_t dim;
    dc_grange one;
    dc_status st = dc_pbtext_int(&dim, b->p);
    if (st == DC_OK)
        st = dc_gbuild_dims(b, &one, &dim, 1);
    if (st == DC_OK)
        *shape = (dc_grange){shape->n ? shape->first : one.first, shape->n + 1};
    return st;
}

/* A value that is a text: kept apart, since reading it fills b->value. */
static dc_status read_text(dc_gbuild *b, dc_gtensor *t, const char *name)
{
    static const struct {
        const char *name, *attr;
    } own[] = {{"origin_layout", "origin_format"}, {"origin_dtype", "origin_data_type"}};
    dc_gvalue *v = &b->value;
    dc_gvalue_clear(v);
    dc_status st = dc_gbuild_text_into(b, &v->text);
    if (st != DC_OK)
        return st;
    v->has_text = true;
    if (strcmp(name, "layout") == 0)
        return dc_gbuild_layout(b, t, v->text.data);
    if (strcmp(name, "dtype") == 0) {
        t->dtype = dc_gbuild_dtype(v->text.data);
        return DC_OK;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0)
            return dc_gattr_apply(b, dc_gattr_of_tensor(own[i].attr), t);
    const dc_gattr *row = dc_gattr_of_tensor(name);
    if (!row)
        return DC_OK;
    dc_buf text = v->text;
    v->text = (dc_buf){0};
    st = read_inside(b, &text, t, read_value);
    dc_buf_free(&text);
    return st == DC_OK ? dc_gattr_apply(b, row, t) : st;
}

static dc_status read_object(dc_gbuild *b, dc_gtensor *t)
{
    dc_pbfield f;
    dc_status st = dc_pbtext_next(&f, b->p);
    while (st == DC_OK && f.kind != DC_PB_END) {
        if (strcmp(f.name, "shape") == 0)
            st = add_dim(b, &t->shape);
        else if (strcmp(f.name, "origin_shape") == 0)
            st = add_dim(b, &t->origin_shape);
        else if (f.kind == DC_PB_SCALAR)
            st = read_text(b, t, f.name);
        if (st == DC_OK)
            st = dc_pbtext_next(&f, b->p);
    }
    return st;
}

dc_status dc_graph_read_onnx_desc(dc_gbuild *b, dc_gtensor *t)
{
    dc_buf text = b->value.text;
    b->value.text = (dc_buf){0};
    t->shape.n = t->origin_shape.n = 0;
    t->has_shape = t->has_origin_shape = true;
    dc_status st = read_inside(b, &text, t, read_object);
    dc_buf_free(&text);
    return st;
}
