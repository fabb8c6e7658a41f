/* compare/peer.c - see peer.h */
#include "compare/peer.h"

#include "compare/bare.h"
#include "compare/peer_layout.h"
#include "mpi/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tensor on its way; name, path (or why it has no data), shape and device shape follow as texts.
 */
typedef struct wire_golden {
    uint64_t offset, bytes;
    uint16_t sub_format;
    uint8_t dtype, format, device_format;
    uint8_t bare, spare[2]; /* it has no data */
} wire_golden;

dc_status dc_peer_label(dc_buf *out, const dc_catalog *c, const dc_tensor *t)
{
    return dc_buf_printf(out, "%s:%s:%u%c", dc_pool_text(c->names, t->op),
                         t->direction == DC_INPUT ? "input" : "output", t->slot, 0);
}

dc_status dc_peer_describe(dc_buf *out, const dc_catalog *c, uint64_t i)
{
    const dc_tensor *t = &c->row[i];
    dc_pairing pairing;
    const char *bare = dc_bare_reason(&pairing, c, i);
    bare = bare ? bare : dc_bytes_missing(c, i);
    wire_golden w = {.bytes = t->bytes,
                     .dtype = t->dtype,
                     .format = t->origin_format,
                     .device_format = t->format,
                     .sub_format = t->sub_format,
                     .bare = bare != NULL};
    char *path = NULL;
    dc_status st = bare ? DC_OK : dc_catalog_place(&path, &w.offset, c, t);
    if (st != DC_OK)
        return st;
    const char *text[] = {bare ? bare : path, dc_pool_text(c->names, t->original_shape),
                          dc_pool_text(c->names, t->shape)};
    st = dc_buf_add(out, &w, sizeof w);
    if (st == DC_OK)
        st = dc_peer_label(out, c, t);
    for (int k = 0; st == DC_OK && k < 3; k++)
        st = dc_buf_add(out, text[k], strlen(text[k]) + 1);
    free(path);
    return st;
}

static dc_status say_bare(uint32_t *reason, dc_pairs *pairs, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "the other side has no data: %s", why);
    return dc_pool_adds(reason, pairs->names, text);
}

dc_status dc_peer_take(dc_pairs *pairs, uint64_t i, const dc_peer_heard *heard)
{
    dc_pair *p = &pairs->pair[i];
    const dc_tensor *t = &heard->npu->row[i];
    wire_golden w = {0};
    uint64_t at = 0;
    dc_status st = DC_OK;
    dc_take(&w, sizeof w, heard->data, &at, heard->n);
    dc_golden g = {.dtype = w.dtype,
                   .offset = w.offset,
                   .bytes = w.bytes,
                   .device = true,
                   .device_format = w.device_format,
                   .sub_format = w.sub_format};
    uint32_t *id[] = {&g.name, &g.path, &g.shape, &g.device_shape};
    for (int k = 0; st == DC_OK && k < 4; k++)
        st = dc_pool_adds(id[k], pairs->names, dc_take_text(heard->data, &at, heard->n));
    if (st == DC_OK &&
        !g.shape) /* dumped without a logical shape: that of the other side will do */
        st = dc_pool_adds(&g.shape, pairs->names,
                          dc_pool_text(heard->npu->names, t->original_shape));
    if (!g.shape)
        g.shape = g.device_shape;
    p->reason = 0;
    p->match = DC_MATCH_STORE;
    p->pairing = w.bare ? DC_NOT_COMPARABLE : DC_PAIRED;
    p->golden = DC_UNPAIRED;
    p->format = w.format;
    if (st == DC_OK && !w.bare)
        return dc_pairs_add_golden(&p->golden, pairs, &g);
    return st == DC_OK ? say_bare(&p->reason, pairs, dc_pool_text(pairs->names, g.path)) : st;
}

static dc_status read_side(dc_peer_side *s, const dc_pair_rare *rare, const char *device,
                           const char *logical)
{
    s->layout.input_size = rare->input_size;
    s->layout.hidden_size = rare->hidden_size;
    dc_status st = dc_shape_parse(&s->layout.device, device);
    return st == DC_OK ? dc_shape_parse(&s->layout.logical, logical) : st;
}

/* p->format is what the golden's header says. Shapes that cannot be read are said so when they are
 * compared. */
static dc_status settle(dc_pair *p, dc_golden *g, dc_pairs *pairs, const dc_tensor *t,
                        const dc_pool *names)
{
    const dc_pair_rare rare = dc_pairs_rare(pairs, p);
    dc_peer_side npu = {.said = t->origin_format}, golden = {.said = p->format};
    npu.layout.dtype = t->dtype;
    npu.layout.format = t->format;
    npu.layout.sub_format = t->sub_format;
    golden.layout.dtype = g->dtype;
    golden.layout.format = g->device_format;
    golden.layout.sub_format = g->sub_format;
    const char *logical = dc_pool_text(names, t->original_shape);
    const char *golden_shape = dc_pool_text(pairs->names, g->shape),
               *golden_device = dc_pool_text(pairs->names, g->device_shape);
    if (read_side(&npu, &rare, dc_pool_text(names, t->shape), *logical ? logical : golden_shape) !=
            DC_OK ||
        read_side(&golden, &rare, golden_device, golden_shape) != DC_OK)
        return DC_OK;
    const dc_peer_order o = dc_peer_layout(&npu, &golden);
    p->format = (uint8_t)o.format;
    if (!o.as_dumped)
        return DC_OK;
    char note[1024];
    snprintf(note, sizeof note, "compared as both lie on the device, padding included: %s", o.why);
    g->as_dumped = true;
    g->shape = g->device_shape;
    return dc_pool_adds(&p->note, pairs->names, note);
}

dc_status dc_peer_settle(dc_pairs *pairs, const dc_catalog *npu)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < pairs->n; i++) {
        dc_pair *p = &pairs->pair[i];
        dc_golden *g = p->golden < pairs->goldens ? &pairs->golden[p->golden] : NULL;
        if (g && g->device)
            st = settle(p, g, pairs, &npu->row[i], npu->names);
    }
    return st;
}
