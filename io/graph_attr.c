/* io/graph_attr.c - the attributes we keep, as two tables, and how their values are stored. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/graph_build.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum attr_kind { FLAG, INT, INDEX, TEXT, NAMES, FORMAT, DTYPE, SHAPE } attr_kind;

struct dc_gattr {
    const char *key;
    attr_kind kind;
    uint8_t flag; /* for FLAG */
    size_t at;    /* of the field in dc_gop or dc_gtensor */
};

#define OP(field) offsetof(dc_gop, field)
static const dc_gattr op_attr[] = {
    {"_datadump_original_op_names", NAMES, 0, OP(originals)},
    {"_datadump_original_op_types", NAMES, 0, OP(original_types)},
    {"_datadump_is_multiop", FLAG, DC_GOP_MULTI, OP(flags)},
    {"_no_task", FLAG, DC_GOP_NO_TASK, OP(flags)},
    {"_no_task_and_dump_needed", FLAG, DC_GOP_NO_TASK_BUT_DUMP, OP(flags)},
    {"_is_unknown_shape", FLAG, DC_GOP_UNKNOWN_SHAPE, OP(flags)},
    {"OwnerGraphIsUnknown", FLAG, DC_GOP_OWNER_UNKNOWN, OP(flags)},
    {"_L1_fusion_sub_graph_no", TEXT, 0, OP(l1_fusion)},
    {"group", TEXT, 0, OP(group)},
    {"_parent_node_index", INDEX, 0, OP(parent_index)},
    {"input_size", INT, 0, OP(input_size)},
    {"hidden_size", INT, 0, OP(hidden_size)},
    {"groups", INT, 0, OP(groups)},
};

#define TENSOR(field) offsetof(dc_gtensor, field)
static const dc_gattr tensor_attr[] = {
    {"origin_format", FORMAT, 0, TENSOR(origin_format)},
    {"origin_shape", SHAPE, 0, TENSOR(origin_shape)},
    {"origin_data_type", DTYPE, 0, TENSOR(origin_dtype)},
    {"_datadump_origin_name", TEXT, 0, TENSOR(origin_name)},
    {"_datadump_origin_output_index", INDEX, 0, TENSOR(origin_index)},
    {"_datadump_origin_format", FORMAT, 0, TENSOR(dump_format)},
    {"_datadump_origin_data_type", DTYPE, 0, TENSOR(dump_dtype)},
    {"_fusion_origin_name", TEXT, 0, TENSOR(fusion_name)},
    {"_fusion_origin_output_index", INDEX, 0, TENSOR(fusion_index)},
    {"_datadump_ref", TEXT, 0, TENSOR(ref)},
};

static const dc_gattr *find(const dc_gattr *table, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    return NULL;
}

const dc_gattr *dc_gattr_of_op(const char *key)
{
    return find(op_attr, sizeof op_attr / sizeof *op_attr, key);
}

const dc_gattr *dc_gattr_of_tensor(const char *key)
{
    return find(tensor_attr, sizeof tensor_attr / sizeof *tensor_attr, key);
}

void dc_gvalue_clear(dc_gvalue *v)
{
    v->has_text = v->has_int = false;
    v->i = 0;
    v->text.n = v->texts.n = v->nints = 0;
}

/* "FRACTAL_Z:4" is FRACTAL_Z with sub-format 4; a second number (C0) is not kept. */
static int16_t format_of(const char *text, uint32_t *sub)
{
    char name[64];
    size_t n = strcspn(text, ":");
    *sub = 0;
    if (n >= sizeof name)
        return -1;
    memcpy(name, text, n);
    name[n] = '\0';
    if (text[n] == ':') {
        unsigned long v = strtoul(text + n + 1, NULL, 10);
        *sub = v <= UINT16_MAX ? (uint32_t)v : 0; /* GE keeps it in 16 bits */
    }
    return (int16_t)dc_format_by_name(name);
}

dc_status dc_gbuild_layout(dc_gbuild *b, dc_gtensor *t, const char *text)
{
    t->format = format_of(text, &t->sub_format);
    return dc_pool_adds(&t->layout, b->g->pool, text);
}

int16_t dc_gbuild_dtype(const char *text)
{
    return (int16_t)dc_dtype_by_name(text);
}

static dc_status store_names(dc_gbuild *b, dc_grange *out, const dc_gvalue *v)
{
    dc_graph *g = b->g;
    *out = (dc_grange){g->ntext, 0};
    if (v->texts.n && v->texts.n > UINT32_MAX - 1 - g->ntext)
        return dc_pbtext_fail(b->p, "too many names in one graph");
    for (size_t at = 0; at < v->texts.n; at += strlen(v->texts.data + at) + 1) {
        if (!v->texts.data[at])
            continue; /* "" names nothing */
        dc_status st = dc_grow((void **)&g->text, &b->cap_text, g->ntext, 1, sizeof *g->text);
        if (st == DC_OK)
            st = dc_pool_adds(&g->text[g->ntext], g->pool, v->texts.data + at);
        if (st != DC_OK)
            return st;
        g->ntext++;
        out->n++;
    }
    return DC_OK;
}

static dc_status store_text(dc_gbuild *b, uint32_t *out, const dc_gvalue *v)
{
    return v->has_text ? dc_pool_add(out, b->g->pool, v->text.data, v->text.n) : DC_OK;
}

static int16_t format_value(const dc_gvalue *v, const char *text)
{
    uint32_t sub;
    return v->has_text ? format_of(text, &sub) : (int16_t)(v->has_int ? v->i & 0xff : -1);
}

static int16_t dtype_value(const dc_gvalue *v, const char *text)
{
    return v->has_text ? dc_gbuild_dtype(text) : (int16_t)(v->has_int ? dc_dtype_by_ge(v->i) : -1);
}

dc_status dc_gattr_apply(dc_gbuild *b, const dc_gattr *a, void *target)
{
    const dc_gvalue *v = &b->value;
    void *at = (char *)target + a->at;
    const char *text = v->has_text ? v->text.data : ""; /* NUL-terminated by the reader */
    switch (a->kind) {
    case FLAG:
        *(uint8_t *)at = (uint8_t)((*(uint8_t *)at & ~a->flag) | (v->i ? a->flag : 0));
        return DC_OK;
    case INT:
        *(int64_t *)at = v->i;
        return DC_OK;
    case INDEX:
        *(int32_t *)at = v->has_int && v->i >= 0 && v->i <= INT32_MAX ? (int32_t)v->i : -1;
        return DC_OK;
    case TEXT:
        return store_text(b, at, v);
    case FORMAT:
        *(int16_t *)at = format_value(v, text);
        return DC_OK;
    case DTYPE:
        *(int16_t *)at = dtype_value(v, text);
        return DC_OK;
    case SHAPE:
        ((dc_gtensor *)target)->has_origin_shape = true; /* the only shape among attributes */
        return dc_gbuild_dims(b, at, v->ints, v->nints);
    case NAMES:
        break;
    }
    dc_status st = store_names(b, at, v);
    if (a->at == OP(originals))
        ((dc_gop *)target)->original_state =
            ((dc_grange *)at)->n ? DC_ORIGINALS_NAMES : DC_ORIGINALS_EMPTY;
    return st;
}
