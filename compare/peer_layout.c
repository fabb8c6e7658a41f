/* compare/peer_layout.c - see peer_layout.h */
#include "compare/peer_layout.h"

#include "compare/pair.h"
#include "io/format.h"

#include <string.h>

static const uint32_t orders[] = {DC_FORMAT_NCHW,  DC_FORMAT_NHWC,  DC_FORMAT_HWCN,
                                  DC_FORMAT_CHWN,  DC_FORMAT_NCDHW, DC_FORMAT_NDHWC,
                                  DC_FORMAT_DHWCN, DC_FORMAT_DHWNC};

/* The device format, if its name tells what the logical dims are. */
static uint32_t plain_format(const dc_peer_side *s)
{
    const dc_relayout_ask *l = &s->layout;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (l->format == orders[i] && strlen(dc_format_name(l->format)) == l->logical.rank &&
            dc_shape_equal(&l->device, &l->logical))
            return l->format;
    return DC_FORMAT_UNSAID;
}

/* Can the side's elements be had in the order of dims `logical`, which mean `format`? */
static bool fits(const dc_peer_side *s, const dc_shape *logical, uint32_t format)
{
    dc_relayout m;
    dc_relayout_ask ask = s->layout;
    ask.logical = *logical;
    ask.golden_format = format == DC_FORMAT_UNSAID ? DC_FORMAT_ND : format;
    return dc_relayout_init(&m, &ask) == DC_OK;
}

static uint32_t only_order(const dc_peer_side *s)
{
    uint32_t found = DC_FORMAT_UNSAID;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (strlen(dc_format_name(orders[i])) != s->layout.logical.rank ||
            !fits(s, &s->layout.logical, orders[i]))
            continue;
        if (found != DC_FORMAT_UNSAID)
            return DC_FORMAT_UNSAID;
        found = orders[i];
    }
    return found;
}

static uint32_t meaning(const dc_peer_side *npu, const dc_peer_side *golden)
{
    bool same = dc_shape_equal(&npu->layout.logical, &golden->layout.logical);
    uint32_t f = golden->said;
    if (f == DC_FORMAT_UNSAID)
        f = plain_format(golden);
    if (f == DC_FORMAT_UNSAID && same)
        f = npu->said;
    if (f == DC_FORMAT_UNSAID && same)
        f = plain_format(npu);
    if (f == DC_FORMAT_UNSAID && !same && plain_format(npu) != DC_FORMAT_UNSAID)
        f = only_order(golden);
    return f;
}

static bool lie_alike(const dc_relayout_ask *a, const dc_relayout_ask *b)
{
    return a->format == b->format && a->sub_format == b->sub_format &&
           dc_shape_equal(&a->device, &b->device) && dc_shape_equal(&a->logical, &b->logical);
}

dc_peer_order dc_peer_layout(const dc_peer_side *npu, const dc_peer_side *golden)
{
    const dc_shape *logical = &golden->layout.logical;
    dc_peer_order o = {.format = meaning(npu, golden)};
    if (!lie_alike(&npu->layout, &golden->layout) ||
        (fits(npu, logical, o.format) && fits(golden, logical, o.format)))
        return o;
    o.as_dumped = true;
    o.why = dc_last_error();
    return o;
}
