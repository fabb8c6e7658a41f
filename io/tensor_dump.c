/* io/tensor_dump.c - see tensor_dump.h */
#include "io/tensor_dump.h"

#include "io/dtype.h"
#include "io/tree.h"

#include <inttypes.h>
#include <stdio.h>

#define CALENDAR_DIGITS 17

static dc_status add_shape(uint32_t *id, dc_pool *names, const dc_shape *s)
{
    char text[DC_SHAPE_TEXT];
    dc_shape_print(text, s);
    return dc_pool_adds(id, names, text);
}

static uint8_t narrow(int64_t v)
{
    return v < 0 || v > 255 ? 255 : (uint8_t)v;
}

/* Exceptions have YYYYMMDDhhmmssmmm. */
uint64_t dc_dump_time(const dc_dump *d, const dc_dump_name *name)
{
    char text[32];
    if (d->dump_time || name->time == DC_NAME_NONE)
        return d->dump_time;
    if (name->kind != DC_NAME_EXCEPTION ||
        snprintf(text, sizeof text, "%" PRIu64, name->time) != CALENDAR_DIGITS)
        return name->time;
    int64_t seconds = dc_tree_seconds(text);
    return seconds < 0 ? 0 : (uint64_t)seconds * 1000000 + name->time % 1000 * 1000;
}

static dc_status add_part(uint32_t *id, dc_pool *names, dc_name_part p)
{
    return dc_pool_add(id, names, p.n ? p.at : "", p.n);
}

static uint32_t at_most(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

dc_status dc_tensor_from_file(dc_tensor *t, dc_pool *names, const dc_dump *d,
                              const dc_dump_name *name)
{
    if (name->kind == DC_NAME_EXCEPTION)
        t->flags |= DC_TENSOR_EXCEPTION;
    t->dump_time = dc_dump_time(d, name);
    t->stream = at_most(name->stream);
    t->task = at_most(name->task);
    t->context = at_most(name->context);
    t->slice = name->thread < UINT32_MAX ? (uint32_t)name->thread + 1 : 0;
    dc_status st = add_part(&t->op_type, names, name->op_type);
    if (st == DC_OK)
        st = *d->op_name ? dc_pool_adds(&t->op, names, d->op_name)
                         : add_part(&t->op, names, name->op_name);
    if (st == DC_OK && t->op == 0)
        t->op = t->op_type;
    return st;
}

dc_status dc_tensor_from_dump(dc_tensor *t, dc_pool *names, const dc_dump_tensor *d)
{
    t->direction = (uint8_t)d->direction;
    t->slot = d->slot;
    t->dtype = dc_dtype_known(d->dtype) ? (uint8_t)d->dtype : 255;
    t->format = (uint8_t)d->format;
    t->sub_format = (uint16_t)d->sub_format;
    t->origin_slot = d->origin_slot;
    t->origin_dtype = narrow(d->origin_dtype);
    t->origin_format = narrow(d->origin_format);
    t->offset = d->offset;
    t->bytes = d->bytes;
    t->flags = d->flags | (t->flags & DC_TENSOR_EXCEPTION);
    dc_status st = add_shape(&t->shape, names, &d->shape);
    if (st == DC_OK)
        st = add_shape(&t->original_shape, names, &d->original_shape);
    return st == DC_OK ? dc_pool_adds(&t->origin_op, names, d->origin_name) : st;
}

uint64_t dc_tensor_elements(dc_shape *shape, const dc_tensor *t, const dc_pool *names)
{
    dc_shape s;
    uint64_t n, bytes, bits = dc_dtype_get(t->dtype)->bits;
    uint64_t most = t->bytes / bits * 8 + t->bytes % bits * 8 / bits;
    if (dc_shape_parse(&s, dc_pool_text(names, t->shape)) != DC_OK || !dc_shape_count(&n, &s) ||
        !dc_dtype_bytes(&bytes, t->dtype, n) || bytes != t->bytes) {
        s = (dc_shape){1, {most}};
        n = most;
    }
    if (shape)
        *shape = s;
    return n;
}
