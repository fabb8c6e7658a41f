/* capture/export_layout.c - see export_layout.h */
#include "capture/export_layout.h"

#include "io/format.h"

#include <string.h>

#define NO_FORMAT 255

/* Formats whose letters are axes of the framework's tensors. */
static const uint32_t lettered[] = {DC_FORMAT_NCHW,  DC_FORMAT_NHWC,  DC_FORMAT_HWCN,
                                    DC_FORMAT_CHWN,  DC_FORMAT_NCDHW, DC_FORMAT_NDHWC,
                                    DC_FORMAT_DHWCN, DC_FORMAT_DHWNC};
enum { LETTERED = sizeof lettered / sizeof *lettered };

static bool is_lettered(uint32_t format)
{
    for (size_t i = 0; i < LETTERED; i++)
        if (lettered[i] == format)
            return true;
    return false;
}

/* Dims named by `from` in the order of `to`; false if the letters are not the same ones. */
static bool permute(dc_shape *out, const dc_shape *in, uint32_t from, uint32_t to)
{
    const char *have = dc_format_name(from), *want = dc_format_name(to);
    if (!is_lettered(from) || !is_lettered(to) || strlen(have) != strlen(want) ||
        strlen(have) != in->rank)
        return false;
    out->rank = in->rank;
    for (uint32_t i = 0; i < in->rank; i++) {
        const char *at = strchr(have, want[i]);
        if (!at)
            return false;
        out->dim[i] = in->dim[at - have];
    }
    return true;
}

static dc_status known(dc_relayout *map, dc_shape *shape, dc_relayout_ask *ask, uint32_t format)
{
    dc_shape turned;
    if (permute(&turned, &ask->logical, ask->golden_format, format)) {
        ask->logical = turned;
        ask->golden_format = format;
    }
    *shape = ask->logical;
    return dc_relayout_init(map, ask);
}

/* Inputs do not say what their logical dims mean: take the only meaning that fits. */
static dc_status guessed(dc_relayout *map, dc_shape *shape, dc_relayout_ask *ask, uint32_t format)
{
    dc_shape turned;
    uint32_t fits = NO_FORMAT;
    int n = 0;
    for (size_t i = 0; i < LETTERED; i++) {
        ask->golden_format = lettered[i];
        if (permute(&turned, &ask->logical, lettered[i], format) &&
            dc_relayout_init(map, ask) == DC_OK) {
            fits = lettered[i];
            n++;
        }
    }
    if (n > 1)
        return dc_fail(DC_EUNSUP, "layout ambiguous: several original formats fit");
    ask->golden_format = n ? fits : DC_FORMAT_ND;
    return known(map, shape, ask, format);
}

dc_status dc_export_layout(dc_relayout *map, dc_shape *shape, const dc_origin *o,
                           const dc_tensor *t, uint32_t format)
{
    dc_relayout_ask ask = {.dtype = t->dtype,
                           .format = t->format,
                           .sub_format = t->sub_format,
                           .golden_format = t->origin_format};
    const char *original = dc_pool_text(o->names, t->original_shape);
    bool plain = t->format == DC_FORMAT_ND || is_lettered(t->format);
    dc_status st = dc_shape_parse(&ask.device, dc_pool_text(o->names, t->shape));
    if (st == DC_OK)
        st = dc_shape_parse(&ask.logical, *original ? original : dc_pool_text(o->names, t->shape));
    if (st != DC_OK)
        return st;
    if (!*original && !plain && ask.device.rank)
        return dc_fail(DC_EUNSUP, "the dump has no original shape for its %s",
                       dc_format_name(t->format));
    if (!*original)
        ask.golden_format = t->format;
    if (ask.golden_format != NO_FORMAT)
        return known(map, shape, &ask, format);
    if (t->format == DC_FORMAT_ND || format == DC_FORMAT_ND) {
        ask.golden_format = DC_FORMAT_ND;
        return known(map, shape, &ask, format);
    }
    return guessed(map, shape, &ask, format);
}
