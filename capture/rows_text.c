/* capture/rows_text.c - see rows_text.h */
#include "capture/rows_text.h"

#include "io/dtype.h"
#include "io/element.h"

#define WHOLE 8 /* elements of a row that is shown in full */
#define ENDS  3 /* shown at each end of others */
#define AXES  4 /* innermost ones before the last that have corners: 2^4 lines at most */

/* Append elements first..first+n-1, n <= WHOLE. A piece starts on a whole byte. */
static dc_status add_elements(dc_buf *out, const dc_origin *o, const dc_item *item, uint64_t first,
                              uint64_t n)
{
    char piece[(WHOLE + 8) * 16], text[DC_ELEMENT_TEXT];
    uint32_t bits = dc_dtype_get(item->t.dtype)->bits;
    uint64_t start = first / 8 * 8, end;
    if (bits % 8 == 0)
        start = first;
    if (!dc_dtype_bytes(&end, item->t.dtype, first + n - start))
        return dc_fail(DC_EFORMAT, "%s: a tensor's size does not fit 64 bits", o->path);
    dc_status st = dc_origin_read(o, item, piece, end, start / 8 * bits + start % 8 * bits / 8);
    for (uint64_t i = 0; st == DC_OK && i < n; i++) {
        dc_element_print(text, piece, item->t.dtype, first - start + i, 6);
        st = dc_buf_printf(out, " %s", text);
    }
    return st;
}

static dc_status add_row(dc_buf *out, const dc_origin *o, const dc_item *item, uint64_t first,
                         uint64_t length)
{
    dc_status st = DC_OK;
    if (length <= WHOLE) {
        st = add_elements(out, o, item, first, length);
    } else {
        st = add_elements(out, o, item, first, ENDS);
        if (st == DC_OK)
            st = dc_buf_puts(out, " ...");
        if (st == DC_OK)
            st = add_elements(out, o, item, first + length - ENDS, ENDS);
    }
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

/* Which outer axes have two ends, innermost first (it turns fastest); returns how many. */
static int cornered(uint32_t axis[AXES], const dc_shape *s)
{
    int n = 0;
    for (uint32_t a = s->rank - 1; a-- > 0 && n < AXES;)
        if (s->dim[a] > 1)
            axis[n++] = a;
    return n;
}

/* The row at corner `ends`: bit i set = the last index of axis[i]. */
static dc_status add_corner(dc_buf *out, const dc_origin *o, const dc_item *item, const dc_shape *s,
                            const uint32_t axis[AXES], unsigned ends)
{
    uint64_t at = 0;
    dc_status st = dc_buf_puts(out, "  [");
    for (uint32_t a = 0; st == DC_OK && a + 1 < s->rank; a++) {
        bool last = false;
        for (int i = 0; i < AXES; i++)
            last = last || ((ends >> i & 1) && axis[i] == a);
        at = (at + (last ? s->dim[a] - 1 : 0)) * s->dim[a + 1];
        st = dc_buf_puts(out, last ? "-1," : "0,");
    }
    if (st == DC_OK)
        st = dc_buf_puts(out, ":]");
    return st == DC_OK ? add_row(out, o, item, at, s->dim[s->rank - 1]) : st;
}

dc_status dc_rows_text(dc_buf *out, const dc_origin *o, const dc_item *item)
{
    dc_shape s;
    uint32_t axis[AXES] = {0};
    uint64_t n = dc_origin_elements(&s, o, &item->t);
    dc_status st = DC_OK;
    if (n == 0)
        return dc_buf_puts(out, "  no elements\n");
    if (s.rank == 0) {
        st = dc_buf_puts(out, " ");
        return st == DC_OK ? add_row(out, o, item, 0, 1) : st;
    }
    int corners = cornered(axis, &s);
    for (unsigned ends = 0; st == DC_OK && ends < 1u << corners; ends++)
        st = add_corner(out, o, item, &s, axis, ends);
    return st;
}
