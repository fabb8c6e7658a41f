/* io/relayout.c - choosing the reading of a layout that fits; see relayout.h */
#include "io/relayout.h"

#include "io/dtype.h"
#include "io/format.h"
#include "io/relayout_form.h"

#include <string.h>

static dc_status give_up(dc_relayout *m, const dc_relayout_ask *ask, dc_relayout_outcome outcome,
                         const char *reason)
{
    char device[DC_SHAPE_TEXT], logical[DC_SHAPE_TEXT];
    dc_shape_print_list(device, &ask->device);
    dc_shape_print_list(logical, &ask->logical);
    m->outcome = outcome;
    return dc_fail(outcome == DC_RELAYOUT_MISFIT ? DC_EFORMAT : DC_EUNSUP,
                   "dumped %s %s, wanted %s %s: %s", dc_format_name(ask->format), device,
                   dc_format_name(ask->golden_format), logical, reason);
}

static dc_status misfit(dc_relayout *m, const dc_relayout_ask *ask)
{
    return give_up(m, ask, DC_RELAYOUT_MISFIT, "the shapes do not fit each other");
}

static dc_status ambiguous(dc_relayout *m, const dc_relayout_ask *ask)
{
    return give_up(m, ask, DC_RELAYOUT_AMBIGUOUS, "layout ambiguous");
}

/* The dims of a format that is named after them ("NCHW"), if there are as many as the shape has;
 * else NULL. */
static const char *letters_of(uint32_t format, const dc_shape *s)
{
    const char *name = dc_format_name(format);
    bool named = format != DC_FORMAT_ND && strspn(name, "NCDHWL") == strlen(name);
    return named && strlen(name) == s->rank ? name : NULL;
}

/* Try each order of the list that has as many letters as the logical shape has dims. */
static dc_status try_orders(dc_relayout *m, const dc_relayout_ask *ask,
                            const dc_relayout_form *form)
{
    dc_relayout other;
    bool found = false;
    for (const char *at = form->orders; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        char letters[8] = "";
        memcpy(letters, at, n);
        at += n;
        if (n != ask->logical.rank || !dc_relayout_try(&other, ask, form, letters, 0))
            continue;
        if (found && !dc_relayout_same(m, &other))
            return ambiguous(m, ask);
        *m = other;
        found = true;
    }
    return found ? DC_OK : misfit(m, ask);
}

/* The last two logical dims are n and c whatever they are called; one dim is c of n = 1. */
static dc_status try_matrix(dc_relayout *m, const dc_relayout_ask *ask,
                            const dc_relayout_form *form)
{
    uint32_t rank = ask->logical.rank;
    if (dc_relayout_try(m, ask, form,
                        rank == 1   ? "C"
                        : rank == 0 ? ""
                                    : "NC",
                        rank < 2 ? 0 : rank - 2))
        return DC_OK;
    if (rank == 1 &&
        dc_relayout_try(m, ask, form, "N", 0)) /* FE's rule of shapes, not GE's order */
        return ambiguous(m, ask);
    return misfit(m, ask);
}

/* Both sides are named after their dims, or the device has its dims in logical order. */
static dc_status try_plain(dc_relayout *m, const dc_relayout_ask *ask)
{
    const char *from = letters_of(ask->format, &ask->device);
    const char *to = letters_of(ask->golden_format, &ask->logical);
    char words[2 * DC_MAX_RANK + 1] = "";
    dc_relayout_form form = {ask->format, words, ""};
    bool named = from && to;
    for (uint32_t i = 0; named && i < ask->device.rank; i++) {
        words[2 * i] = from[i];
        words[2 * i + 1] = i + 1 < ask->device.rank ? ' ' : '\0';
    }
    if (!dc_relayout_try(m, ask, &form, named ? to : "", named ? 0 : ask->logical.rank))
        return misfit(m, ask);
    return DC_OK;
}

/* Why the format cannot be read at all, or NULL. */
static const char *refusal(const dc_relayout_ask *ask, const dc_relayout_form *form)
{
    const char *name = dc_format_name(ask->format);
    bool named = strspn(name, "NCDHWL") == strlen(name);
    bool grouped = ask->sub_format > 1;
    switch (ask->format) {
    case DC_FORMAT_FRACTAL_Z_C04:
    case DC_FORMAT_FRACTAL_Z_3D:
    case DC_FORMAT_FRACTAL_Z_3D_TRANSPOSE:
        return grouped ? "the element order of groups in this format is not verified" : NULL;
    case DC_FORMAT_FRACTAL_ZN_RNN:
        return ask->input_size && ask->hidden_size ? NULL
                                                   : "needs the graph's input_size and hidden_size";
    case DC_FORMAT_ND_RNN_BIAS:
        return ask->hidden_size ? NULL : "needs the graph's hidden_size";
    default:
        return form || named ? NULL : "the element order of this format is not verified";
    }
}

static bool copies(size_t item)
{
    return item == 1 || item == 2 || item == 4 || item == 8 || item == 16;
}

dc_status dc_relayout_init(dc_relayout *m, const dc_relayout_ask *ask)
{
    const dc_relayout_form *form = dc_relayout_form_find(ask->format);
    const char *reason = refusal(ask, form), *letters;
    dc_status st;
    dc_relayout_start(m, ask->dtype);
    if (reason)
        return give_up(m, ask, DC_RELAYOUT_UNSUPPORTED, reason);
    if (!form)
        st = try_plain(m, ask);
    else if (*form->orders == '*')
        st = try_matrix(m, ask, form);
    else if ((letters = letters_of(ask->golden_format, &ask->logical)) != NULL)
        st = dc_relayout_try(m, ask, form, letters, 0) ? DC_OK : misfit(m, ask);
    else
        st = try_orders(m, ask, form);
    if (st == DC_OK && !copies(m->item) && !dc_relayout_is_identity(m))
        st = give_up(m, ask, DC_RELAYOUT_UNSUPPORTED, "elements of this type are not reordered");
    if (st == DC_OK)
        m->outcome = DC_RELAYOUT_FITS;
    return st;
}

uint64_t dc_relayout_stride(const dc_shape *whole, uint32_t axis, bool fortran)
{
    uint64_t stride = 1;
    for (uint32_t a = 0; a < whole->rank; a++)
        if (fortran ? a < axis : a > axis)
            stride *= whole->dim[a];
    return stride;
}

dc_status dc_relayout_box(dc_relayout *m, uint32_t dtype, const dc_shape *whole,
                          const dc_shape *shape, bool fortran)
{
    uint64_t count, bytes, last = 0;
    bool inside = whole->rank == shape->rank;
    dc_relayout_start(m, dtype);
    for (uint32_t a = 0; inside && a < shape->rank; a++)
        inside = shape->dim[a] <= whole->dim[a];
    if (!inside || !dc_shape_count(&count, whole) || !dc_dtype_bytes(&bytes, dtype, count) ||
        !dc_shape_count(&m->count, shape))
        return dc_fail(DC_EFORMAT, "a part of an array is larger than the array, or that than 2^64 "
                                   "bytes");
    for (uint32_t a = 0; a < shape->rank; a++) {
        uint64_t stride = dc_relayout_stride(whole, a, fortran);
        dc_relayout_add_axis(m, shape->dim[a], stride, 0, 0);
        last += m->count ? (shape->dim[a] - 1) * stride : 0;
    }
    m->device_count = m->count ? last + 1 : 0;
    dc_relayout_simplify(m);
    if (!copies(m->item) && !dc_relayout_is_identity(m))
        return dc_fail(DC_EUNSUP, "elements of type %s are not reordered",
                       dc_dtype_get(dtype)->name);
    m->outcome = DC_RELAYOUT_FITS;
    return DC_OK;
}

dc_status dc_relayout_fortran(dc_relayout *m, uint32_t dtype, const dc_shape *shape)
{
    return dc_relayout_box(m, dtype, shape, shape, true);
}

bool dc_relayout_same(const dc_relayout *a, const dc_relayout *b)
{
    return a->axes == b->axes && a->item == b->item &&
           memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->digit, b->digit, sizeof a->digit) == 0;
}

bool dc_relayout_is_identity(const dc_relayout *m)
{
    return m->axes == 0 ||
           (m->axes == 1 && m->axis[0].stride == 1 && !m->axis[0].into[0] && !m->axis[0].into[1]);
}
