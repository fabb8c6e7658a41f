/* io/graph_onnx.c - the nodes of ge_onnx_*.pbtxt: GE's operators dressed as ONNX's, everything that
 * is no edge being an attribute; descriptors as "output_desc_FIELD:INDEX", or from 20 descriptors
 * on as JSON in "output_desc_INDEX". Source: GE's writer, graph_metadef ge_ir_utils.cc (attributes
 * sorted by name, empty lists left out). */
#include "io/graph_build.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DESCS = 4096 };

typedef enum target_kind {
    UNKNOWN,
    ID,
    STREAM,
    OP_ATTR,
    LAYOUT,
    DTYPE,
    SHAPE,
    DESC_ATTR,
    JSON
} target_kind;

/* Where the value of one attribute goes. */
struct target {
    target_kind kind;
    bool named; /* the name was read; before, values are collected in case it is one of ours */
    dc_gdescs *descs;
    uint32_t index;
    const dc_gattr *row;
};

/* What "FIELD" of a descriptor is; GE's attributes are written as "attr_NAME". */
static void find_field(struct target *t, const char *field)
{
    static const struct {
        const char *field, *attr;
        target_kind kind;
    } table[] = {{"layout", NULL, LAYOUT},
                 {"dtype", NULL, DTYPE},
                 {"shape", NULL, SHAPE},
                 {"origin_layout", "origin_format", DESC_ATTR},
                 {"origin_shape", "origin_shape", DESC_ATTR},
                 {"origin_dtype", "origin_data_type", DESC_ATTR}};
    const char *attr = strncmp(field, "attr_", 5) == 0 ? field + 5 : NULL;
    for (size_t i = 0; !attr && i < sizeof table / sizeof *table; i++)
        if (strcmp(field, table[i].field) == 0) {
            t->kind = table[i].kind;
            attr = table[i].attr;
        }
    if (!attr)
        return;
    t->row = dc_gattr_of_tensor(attr);
    t->kind = t->row ? DESC_ATTR : UNKNOWN;
}

/* "dtype:0" after "output_desc_", or only the "0". */
static dc_status find_desc(struct target *t, dc_gbuild *b, const char *rest)
{
    char field[64];
    const char *colon = strrchr(rest, ':'), *digits = colon ? colon + 1 : rest;
    size_t n = colon ? (size_t)(colon - rest) : 0;
    if (n >= sizeof field || !*digits || strspn(digits, "0123456789") != strlen(digits))
        return DC_OK;
    memcpy(field, rest, n);
    field[n] = '\0';
    if (colon)
        find_field(t, field);
    else
        t->kind = JSON;
    unsigned long index = strtoul(digits, NULL, 10);
    if (t->kind != UNKNOWN && index >= MAX_DESCS)
        return dc_pbtext_fail(b->p, "descriptor %lu of one operator (at most %d are read)", index,
                              MAX_DESCS);
    t->index = (uint32_t)index;
    return DC_OK;
}

static dc_status find_target(struct target *t, dc_gbuild *b, const char *name)
{
    *t = (struct target){.named = true};
    if (strncmp(name, "input_desc_", 11) == 0) {
        t->descs = &b->in;
        return find_desc(t, b, name + 11);
    }
    if (strncmp(name, "output_desc_", 12) == 0) {
        t->descs = &b->out;
        return find_desc(t, b, name + 12);
    }
    t->row = dc_gattr_of_op(name);
    t->kind = t->row                           ? OP_ATTR
              : strcmp(name, "id") == 0        ? ID
              : strcmp(name, "stream_id") == 0 ? STREAM
                                               : UNKNOWN;
    return DC_OK;
}

static dc_status store_desc(dc_gbuild *b, const struct target *t)
{
    const dc_gvalue *v = &b->value;
    dc_gtensor *desc;
    dc_status st = DC_OK;
    while (st == DC_OK && t->descs->n <= t->index)
        st = dc_gbuild_desc(&desc, t->descs);
    if (st != DC_OK)
        return st;
    desc = &t->descs->t[t->index];
    if (t->kind == DESC_ATTR)
        return dc_gattr_apply(b, t->row, desc);
    if (t->kind == JSON)
        return dc_graph_read_onnx_desc(b, desc);
    if (t->kind == LAYOUT)
        return v->has_text ? dc_gbuild_layout(b, desc, v->text.data) : DC_OK;
    if (t->kind == DTYPE) {
        desc->dtype = v->has_text ? dc_gbuild_dtype(v->text.data) : -1;
        return DC_OK;
    }
    desc->has_shape = true;
    return dc_gbuild_dims(b, &desc->shape, v->ints, v->nints);
}

static dc_status store(dc_gbuild *b, const struct target *t)
{
    if (t->descs)
        return store_desc(b, t);
    if (t->kind == OP_ATTR)
        return dc_gattr_apply(b, t->row, &b->op);
    *(t->kind == ID ? &b->op.id : &b->op.stream_id) = b->value.i;
    return DC_OK;
}

struct node {
    struct target target; /* of the attribute being read */
    size_t described;     /* attributes of descriptors so far */
};

static dc_status attribute_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    struct target *t = ctx;
    dc_gvalue *v = &b->value;
    const char *text;
    size_t n;
    if (strcmp(f->name, "name") == 0) {
        dc_status st = dc_pbtext_text(&text, &n, b->p);
        return st == DC_OK ? find_target(t, b, text) : st;
    }
    if (t->named && t->kind == UNKNOWN)
        return DC_OK;
    if (strcmp(f->name, "type") == 0) { /* ONNX leaves out i when it is 0 */
        dc_status st = dc_pbtext_text(&text, &n, b->p);
        v->has_int |= st == DC_OK && strcmp(text, "INT") == 0;
        return st;
    }
    if (strcmp(f->name, "s") == 0) {
        v->has_text = true;
        v->text.n = 0;
        return dc_gbuild_text_into(b, &v->text);
    }
    if (strcmp(f->name, "i") == 0)
        return dc_pbtext_int(&v->i, b->p);
    if (strcmp(f->name, "ints") == 0)
        return dc_gbuild_int_into(b);
    return strcmp(f->name, "strings") == 0 ? dc_gbuild_text_into(b, &v->texts) : DC_OK;
}

static dc_status read_attribute(dc_gbuild *b, struct node *node)
{
    node->target = (struct target){0};
    dc_gvalue_clear(&b->value);
    dc_status st = dc_gbuild_message(b, attribute_field, &node->target);
    node->described += node->target.descs != NULL;
    return st == DC_OK && node->target.kind != UNKNOWN ? store(b, &node->target) : st;
}

static dc_status set_type(dc_gbuild *b, const char *type)
{
    return dc_pool_adds(&b->op.type, b->g->pool, strncmp(type, "ge:", 3) == 0 ? type + 3 : type);
}

static dc_status node_field(dc_gbuild *b, const dc_pbfield *f, void *ctx)
{
    if (strcmp(f->name, "attribute") == 0)
        return read_attribute(b, ctx);
    if (strcmp(f->name, "input") == 0)
        return dc_gbuild_edge(b, dc_gbuild_input);
    if (strcmp(f->name, "op_type") == 0)
        return dc_gbuild_edge(b, set_type);
    return strcmp(f->name, "name") == 0 ? dc_gbuild_text(b, &b->op.name) : DC_OK;
}

dc_status dc_graph_read_onnx_node(dc_gbuild *b)
{
    struct node node = {.described = 0};
    dc_status st = dc_gbuild_message(b, node_field, &node);
    if (st == DC_OK && b->in.n + b->out.n > node.described)
        st = dc_pbtext_fail(b->p, "an operator's descriptors are not numbered one after another");
    return st;
}
