/* io/tensor_dump.c - see tensor_dump.h */
#include "io/tensor_dump.h"

#include "io/dtype.h"

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
