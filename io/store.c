/* io/store.c - making a store: its structure, empty. See store.h. */
#include "io/store.h"

#include "io/dtype.h"
#include "io/store_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGN_THRESHOLD ((hsize_t)64 << 10) /* datasets of at least this start on ALIGN_START */
#define ALIGN_START     ((hsize_t)1 << 20)
#define TEXT_LIMIT      ((size_t)60000) /* an attribute takes 64 KiB at most */

static herr_t innermost(unsigned n, const H5E_error2_t *error, void *out)
{
    if (n == 0)
        snprintf(out, 256, "%s", error->desc ? error->desc : "");
    return 0;
}

dc_status dc_store_fail(dc_status code, const char *format, ...)
{
    char text[1024], reason[256] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, reason);
    H5Eclear2(H5E_DEFAULT);
    return *reason ? dc_fail(code, "%s (HDF5: %s)", text, reason) : dc_fail(code, "%s", text);
}

static const char *slab_name(uint32_t dtype)
{
    return dc_dtype_get(dtype)->name;
}

/* One contiguous dataset of n elements: allocated at once, never filled. */
static dc_status make_dataset(hid_t group, const char *name, hid_t type, uint64_t n,
                              const char *path)
{
    hsize_t dim = n;
    hid_t space = H5Screate_simple(1, &dim, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(dcpl, H5D_CONTIGUOUS);
    H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    if (set < 0)
        return dc_store_fail(DC_EIO, "%s: cannot create the column %s", path, name);
    H5Dclose(set);
    return DC_OK;
}

static dc_status make_columns(hid_t group, const dc_field *field, int fields, uint64_t n,
                              const char *path)
{
    dc_status st = DC_OK;
    for (int i = 0; st == DC_OK && i < fields; i++)
        st = make_dataset(group, field[i].name, dc_store_field_type(field[i].type), n, path);
    return st;
}

dc_status dc_store_write_u64(hid_t object, const char *name, uint64_t value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attr = H5Aexists(object, name) > 0
                     ? H5Aopen(object, name, H5P_DEFAULT)
                     : H5Acreate2(object, name, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t bad = attr < 0 ? -1 : H5Awrite(attr, H5T_NATIVE_UINT64, &value);
    if (attr >= 0)
        H5Aclose(attr);
    H5Sclose(space);
    return bad < 0 ? dc_store_fail(DC_EIO, "cannot write the attribute %s", name) : DC_OK;
}

/* Fixed-length, NUL-padded UTF-8 of `size` bytes; longer text is cut between characters. */
static dc_status write_padded(hid_t object, const char *name, const char *text, size_t size)
{
    size_t n = strlen(text);
    char *copy = calloc(size, 1);
    if (!copy)
        return dc_fail_memory();
    for (n = n < size ? n : size - 1; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
        n--;
    snprintf(copy, size, "%.*s", (int)n, text);
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t attr = H5Aexists(object, name) > 0
                     ? H5Aopen(object, name, H5P_DEFAULT)
                     : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t bad = attr < 0 ? -1 : H5Awrite(attr, type, copy);
    if (attr >= 0)
        H5Aclose(attr);
    H5Tclose(type);
    H5Sclose(space);
    free(copy);
    return bad < 0 ? dc_store_fail(DC_EIO, "cannot write the attribute %s", name) : DC_OK;
}

dc_status dc_store_write_text(hid_t object, const char *name, const char *text)
{
    size_t n = strlen(text) + 1;
    return write_padded(object, name, text, n < TEXT_LIMIT ? n : TEXT_LIMIT);
}

dc_status dc_store_set_holder(dc_store *s, const char *holder)
{
    return write_padded(s->file, "holder", holder, DC_HOLDER_BYTES);
}

static dc_status make_attributes(hid_t file, hid_t segment, const dc_store_plan *plan)
{
    const struct {
        const char *name, *text;
    } text[] = {{"format", DC_STORE_FORMAT},
                {"tool_version", DUMPCAP_VERSION},
                {"command_line", plan->command_line ? plan->command_line : ""},
                {"configuration", plan->configuration ? plan->configuration : ""}};
    const struct {
        hid_t object;
        const char *name;
        uint64_t value;
    } number[] = {{file, "format_version", DC_STORE_VERSION},
                  {file, "planned", 0},
                  {file, "complete", 0},
                  {file, "merged", plan->merged},
                  {segment, "align", plan->align},
                  {segment, "group_tensors", plan->group_tensors},
                  {segment, "group_bytes", plan->group_bytes},
                  {segment, "rows", plan->rows},
                  {segment, "groups", plan->groups},
                  {segment, "skipped", plan->skipped},
                  {segment, "overflows", plan->overflows}};
    dc_status st = write_padded(file, "holder", plan->holder ? plan->holder : "", DC_HOLDER_BYTES);
    for (size_t i = 0; st == DC_OK && i < sizeof text / sizeof *text; i++)
        st = dc_store_write_text(file, text[i].name, text[i].text);
    for (size_t i = 0; st == DC_OK && i < sizeof number / sizeof *number; i++)
        st = dc_store_write_u64(number[i].object, number[i].name, number[i].value);
    return st;
}

static dc_status make_slabs(hid_t group, const dc_store_plan *plan, const char *path)
{
    dc_status st = DC_OK;
    for (uint32_t d = 0; st == DC_OK && d < DC_SLABS; d++) {
        if (!plan->slab[d])
            continue;
        uint64_t element = dc_store_element(d);
        hid_t type = dc_store_type(d);
        st = make_dataset(group, slab_name(d), type,
                          dc_round_up(plan->slab[d] * element, ALIGN_THRESHOLD) / element, path);
        H5Tclose(type);
    }
    return st;
}

static dc_status make_structure(hid_t file, const dc_store_plan *plan, const char *path)
{
    static const char *const name[] = {
        "/segment",           "/segment/0",          "/segment/0/slab",
        "/segment/0/index",   "/segment/0/group",    "/segment/0/skipped",
        "/segment/0/strings", "/segment/0/overflow", "/tensors"};
    enum { SEGMENT = 1, SLAB, INDEX, GROUP, SKIPPED, STRINGS, OVERFLOWS, TENSORS, COUNT };
    hid_t group[COUNT];
    dc_status st = dc_fault("store.structure") ? dc_fail(DC_EIO, "%s: injected", path) : DC_OK;
    for (int i = 0; i < COUNT; i++)
        if ((group[i] = H5Gcreate2(file, name[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) < 0 &&
            st == DC_OK)
            st = dc_store_fail(DC_EIO, "%s: cannot create %s", path, name[i]);
    const struct {
        int group;
        const dc_field *field;
        int fields;
        uint64_t n;
    } table[] = {{INDEX, dc_store_plan_field, dc_store_plan_fields, plan->rows},
                 {INDEX, dc_store_result_field, dc_store_result_fields, plan->rows},
                 {SKIPPED, dc_store_skipped_field, dc_store_skipped_fields, plan->skipped},
                 {OVERFLOWS, dc_store_overflow_field, dc_store_overflow_fields, plan->overflows}};
    if (st == DC_OK)
        st = make_attributes(file, group[SEGMENT], plan);
    for (size_t i = 0; st == DC_OK && i < sizeof table / sizeof *table; i++)
        st = make_columns(group[table[i].group], table[i].field, table[i].fields, table[i].n, path);
    if (st == DC_OK)
        st = make_dataset(group[GROUP], "first_row", H5T_STD_U64LE, plan->groups + 1, path);
    if (st == DC_OK)
        st = make_dataset(group[GROUP], "bytes", H5T_STD_U64LE, plan->groups, path);
    if (st == DC_OK)
        st = make_dataset(group[STRINGS], "offset", H5T_STD_U64LE, plan->strings + 1, path);
    if (st == DC_OK)
        st = make_dataset(group[STRINGS], "bytes", H5T_STD_U8LE, plan->string_bytes, path);
    if (st == DC_OK)
        st = make_slabs(group[SLAB], plan, path);
    for (int i = 0; i < COUNT; i++)
        if (group[i] >= 0)
            H5Gclose(group[i]);
    return st;
}

hid_t dc_store_access(void)
{
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* HDF5 prefers it to the property */
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(fapl, false, true); /* we hold a flock of our own */
    H5Pset_alignment(fapl, ALIGN_THRESHOLD, ALIGN_START);
    return fapl;
}

dc_status dc_store_create(const char *path, const dc_store_plan *plan)
{
    hid_t access = dc_store_access(); /* before HDF5 starts */
    dc_store_silence();
    hid_t file =
        dc_fault("store.create") ? -1 : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file < 0)
        return dc_store_fail(DC_EIO, "%s: cannot create the store", path);
    dc_status st = make_structure(file, plan, path);
    if (st == DC_OK && (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || dc_fault("store.flush")))
        st = dc_store_fail(DC_EIO, "%s: cannot flush the store", path);
    if (H5Fclose(file) < 0 && st == DC_OK)
        st = dc_store_fail(DC_EIO, "%s: cannot close the store", path);
    return st;
}
