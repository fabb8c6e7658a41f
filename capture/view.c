/* capture/view.c - see view.h */
#include "capture/view.h"

#include "io/dtype.h"
#include "io/format.h"
#include "io/log.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 4096 /* rows read at once */

static const char *const direction_name[] = {"input", "output", "buffer", "space"};

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

static dc_status add_component(dc_buf *out, const char *text, size_t n)
{
    if (n == 0)
        return dc_buf_puts(out, "%");
    if (n == 1 && text[0] == '.')
        return dc_buf_puts(out, "%2E");
    if (n == 2 && memcmp(text, "..", 2) == 0)
        return dc_buf_puts(out, "%2E%2E");
    dc_status st = DC_OK;
    for (size_t i = 0, plain; st == DC_OK && i < n; i += plain) {
        for (plain = 0; i + plain < n && !is_control(text[i + plain]);)
            plain++;
        if (plain)
            st = dc_buf_add(out, text + i, plain);
        else
            st = dc_buf_printf(out, "%%%02X", (unsigned char)text[i + plain++]);
    }
    return st;
}

static dc_status add_name(dc_buf *out, const char *name)
{
    dc_status st = DC_OK;
    for (const char *at = name; st == DC_OK; at++) {
        size_t n = strcspn(at, "/");
        st = add_component(out, at, n);
        at += n;
        if (!*at)
            break;
        if (st == DC_OK)
            st = dc_buf_puts(out, "/");
    }
    return st;
}

dc_status dc_view_slot(dc_buf *out, const dc_tensor *t)
{
    return dc_buf_printf(out, "%s:%u", direction_name[t->direction & 3], t->slot);
}

dc_status dc_view_place(dc_buf *out, const dc_tensor *t, const dc_pool *names, int32_t runs)
{
    const char *model = dc_pool_text(names, t->model);
    dc_status st = runs > 1 ? dc_buf_printf(out, "run%d/", t->run) : DC_OK;
    if (st == DC_OK)
        st = dc_buf_printf(out, "rank%d/", t->rank);
    if (st == DC_OK && *model) {
        st = add_name(out, model);
        if (st == DC_OK)
            st = dc_buf_puts(out, "/");
    }
    return st == DC_OK && t->step >= 0 ? dc_buf_printf(out, "step%lld/", (long long)t->step) : st;
}

dc_status dc_view_name(dc_buf *out, const dc_tensor *t, const dc_pool *names)
{
    dc_status st = add_name(out, dc_pool_text(names, t->op));
    if (st == DC_OK)
        st = dc_buf_puts(out, ":");
    if (st == DC_OK)
        st = dc_view_slot(out, t);
    if (st == DC_OK && t->slice)
        st = dc_buf_printf(out, "@%u", t->slice - 1);
    return st == DC_OK && t->occurrence ? dc_buf_printf(out, "#%u", t->occurrence) : st;
}

dc_status dc_view_path(dc_buf *out, const dc_tensor *t, const dc_pool *names, int32_t runs)
{
    dc_status st = dc_view_place(out, t, names, runs);
    return st == DC_OK ? dc_view_name(out, t, names) : st;
}

/* The view's dims: the tensor's shape, or one dim of the slab's elements where shape and bytes do
 * not agree. */
static bool view_shape(dc_shape *shape, const dc_tensor *t, const dc_pool *names)
{
    uint64_t n, element = dc_store_element(t->dtype);
    bool packed = dc_dtype_get(t->dtype)->bits != element * 8;
    if (dc_shape_parse(shape, dc_pool_text(names, t->shape)) == DC_OK && !packed &&
        dc_shape_count(&n, shape) && n == t->bytes / element && t->bytes % element == 0)
        return true;
    *shape = (dc_shape){1, {t->bytes / element}};
    return false;
}

static void add_attribute(hid_t set, const char *name, const char *text)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    hid_t attr = H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attr >= 0) {
        H5Awrite(attr, type, text);
        H5Aclose(attr);
    }
    H5Tclose(type);
    H5Sclose(space);
}

/* Property list that maps the view's whole extent onto its piece of the slab; H5P_DEFAULT for an
 * empty tensor. */
static hid_t mapping(const dc_store *s, const dc_tensor *t, hid_t view_space, uint64_t elements)
{
    char slab[64];
    if (elements == 0)
        return H5Pcreate(H5P_DATASET_CREATE);
    snprintf(slab, sizeof slab, "/segment/0/slab/%s", dc_dtype_get(t->dtype)->name);
    hsize_t extent = dc_store_slab_size(s, t->dtype) / dc_store_element(t->dtype),
            start = t->slab_offset, count = elements;
    hid_t from = H5Screate_simple(1, &extent, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, NULL, &count, NULL);
    if (H5Pset_virtual(dcpl, view_space, ".", slab, from) < 0) {
        H5Pclose(dcpl);
        dcpl = H5I_INVALID_HID;
    }
    H5Sclose(from);
    return dcpl;
}

/* Whether HDF5 shows integers for want of the dtype itself. */
static bool stands_for_another(uint32_t dtype, hid_t type)
{
    return H5Tget_class(type) == H5T_INTEGER && !dc_dtype_get(dtype)->npy;
}

static dc_status make_view(dc_store *s, const dc_tensor *t, const char *path, hid_t links)
{
    dc_shape shape;
    const dc_pool *names = dc_store_names(s);
    bool whole = view_shape(&shape, t, names);
    hsize_t dim[DC_MAX_RANK + 1];
    for (uint32_t i = 0; i < shape.rank; i++)
        dim[i] = shape.dim[i];
    hid_t space = shape.rank ? H5Screate_simple((int)shape.rank, dim, NULL) : H5Screate(H5S_SCALAR);
    hid_t dcpl = mapping(s, t, space, t->bytes / dc_store_element(t->dtype)),
          type = dc_store_type(t->dtype);
    hid_t set = dcpl >= 0 ? H5Dcreate2(dc_store_hid(s), path, type, space, links, dcpl, H5P_DEFAULT)
                          : H5I_INVALID_HID;
    dc_status st = DC_OK;
    if (set < 0) {
        st = dc_fail(DC_EIO, "%s: cannot make the view %s", dc_store_path(s), path);
    } else {
        if (t->format != DC_FORMAT_ND)
            add_attribute(set, "format", dc_format_name(t->format));
        if (!whole || stands_for_another(t->dtype, type))
            add_attribute(set, "dtype", dc_dtype_get(t->dtype)->name);
        if (!whole)
            add_attribute(set, "shape", dc_pool_text(names, t->shape));
        H5Dclose(set);
    }
    H5Tclose(type);
    if (dcpl >= 0)
        H5Pclose(dcpl);
    H5Sclose(space);
    return st;
}

typedef struct maker {
    dc_store *s;
    const char *glob;
    int32_t runs;
    hid_t links; /* creates missing groups */
    dc_buf path;
    uint64_t made, blocked;
} maker;

/* The full path of a tensor's view, into m->path. */
static dc_status full_path(maker *m, const dc_tensor *t)
{
    m->path.n = 0;
    dc_status st = dc_buf_puts(&m->path, "/tensors/");
    if (st == DC_OK)
        st = dc_view_path(&m->path, t, dc_store_names(m->s), m->runs);
    return st == DC_OK ? dc_buf_add(&m->path, "", 1) : st;
}

static bool is_there(const maker *m)
{
    hid_t there = H5Oopen(dc_store_hid(m->s), m->path.data, H5P_DEFAULT);
    if (there >= 0)
        H5Oclose(there);
    return there >= 0;
}

static dc_status consider(maker *m, const dc_tensor *t, const dc_result *r)
{
    if (r->state == DC_UNREADABLE || t->flags & DC_TENSOR_STATISTICS)
        return DC_OK;
    dc_status st = full_path(m, t);
    if (st != DC_OK || is_there(m))
        return st;
    if (m->glob && fnmatch(m->glob, m->path.data + strlen("/tensors/"), 0) != 0)
        return DC_OK;
    if (dc_fault("view.make"))
        return dc_fail(DC_EIO, "%s: cannot make a view (injected)", dc_store_path(m->s));
    st = make_view(m->s, t, m->path.data, m->links);
    m->made += st == DC_OK;
    if (st != DC_EIO)
        return st;
    if (m->blocked++ == 0)
        dc_warn("%s; the tensor itself is stored", dc_last_error());
    return DC_OK;
}

static dc_status drop(maker *m, const dc_tensor *t, const dc_result *r)
{
    if (r->state != DC_UNREADABLE)
        return DC_OK;
    dc_status st = full_path(m, t);
    if (st == DC_OK && is_there(m) && H5Ldelete(dc_store_hid(m->s), m->path.data, H5P_DEFAULT) < 0)
        st = dc_fail(DC_EIO, "%s: cannot remove the view %s", dc_store_path(m->s), m->path.data);
    return st;
}

/* Rows in batches: memory does not grow with the store. */
static dc_status
each_row(dc_store *s, dc_status (*call)(maker *, const dc_tensor *, const dc_result *), maker *m)
{
    dc_tensor *row = malloc(BATCH * sizeof *row);
    dc_result *result = malloc(BATCH * sizeof *result);
    dc_status st = row && result ? DC_OK : dc_fail_memory();
    for (uint64_t first = 0; st == DC_OK && first < dc_store_rows(s); first += BATCH) {
        uint64_t n = dc_store_rows(s) - first < BATCH ? dc_store_rows(s) - first : BATCH;
        st = dc_store_get_rows(row, result, s, first, n);
        for (uint64_t i = 0; st == DC_OK && i < n; i++)
            st = call(m, &row[i], &result[i]);
    }
    free(result);
    free(row);
    return st;
}

static dc_status count_runs(maker *m, const dc_tensor *t, const dc_result *r)
{
    (void)r;
    if (t->run >= m->runs && t->run < INT32_MAX)
        m->runs = t->run + 1;
    return DC_OK;
}

dc_status dc_view_runs(int32_t *runs, const dc_store *s)
{
    maker m = {0};
    dc_status st = each_row((dc_store *)(uintptr_t)s, count_runs, &m);
    *runs = m.runs;
    return st;
}

dc_status dc_view_make(uint64_t *made, dc_store *s, const char *glob)
{
    maker m = {.s = s, .glob = glob};
    dc_status st = dc_view_runs(&m.runs, s);
    m.links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(m.links, 1);
    if (st == DC_OK)
        st = each_row(s, consider, &m);
    H5Pclose(m.links);
    dc_buf_free(&m.path);
    *made = m.made;
    return st;
}

dc_status dc_view_drop_unreadable(dc_store *s)
{
    maker m = {.s = s};
    dc_status st = dc_view_runs(&m.runs, s);
    if (st == DC_OK)
        st = each_row(s, drop, &m);
    dc_buf_free(&m.path);
    return st;
}
