/* io/store_open.c - opening, closing and asking a store. See store.h. */
#include "io/dtype.h"
#include "io/store.h"
#include "io/store_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_PLAN "%s: its plan is not whole, the capture was stopped while it was made"

void dc_store_silence(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* one message per fault, ours */
}

/* Where datasets lie in the file, and their bytes; UINT64_MAX for one that is empty, not there, or
 * not wholly inside the file, which then has 0 bytes. */
static uint64_t dataset_at(const dc_store *s, const char *table, const char *name, uint64_t *bytes)
{
    char path[256];
    *bytes = 0;
    snprintf(path, sizeof path, "/segment/0/%s/%s", table, name);
    if (H5Lexists(s->file, path, H5P_DEFAULT) <= 0)
        return UINT64_MAX;
    hid_t set = H5Dopen2(s->file, path, H5P_DEFAULT);
    if (set < 0)
        return UINT64_MAX;
    haddr_t at = H5Dget_offset(set);
    uint64_t size = H5Dget_storage_size(set), end;
    H5Dclose(set);
    if (at == HADDR_UNDEF || !dc_add_u64(&end, at, size) || end > s->size)
        return UINT64_MAX;
    *bytes = size;
    return at;
}

static void locate(dc_store *s)
{
    memset(s->slab_bytes, 0, sizeof s->slab_bytes);
    for (uint32_t d = 0; d < DC_SLABS; d++) {
        s->slab_at[d] = d < DC_DTYPE_COUNT || d == 255
                            ? dataset_at(s, "slab", dc_dtype_get(d)->name, &s->slab_bytes[d])
                            : UINT64_MAX;
    }
    uint64_t bytes;
    for (int i = 0; i < dc_store_result_fields; i++)
        s->column_at[i] = dataset_at(s, "index", dc_store_result_field[i].name, &bytes);
}

static bool is_contiguous(const dc_store *s, const char *table, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "/segment/0/%s/%s", table, name);
    hid_t set = H5Lexists(s->file, path, H5P_DEFAULT) > 0 ? H5Dopen2(s->file, path, H5P_DEFAULT)
                                                          : H5I_INVALID_HID;
    if (set < 0)
        return true; /* what is missing is told elsewhere */
    hid_t plist = H5Dget_create_plist(set);
    bool yes = H5Pget_layout(plist) == H5D_CONTIGUOUS;
    H5Pclose(plist);
    H5Dclose(set);
    return yes;
}

/* Tensors are read at their place in the file: a store that h5repack has chunked must be unpacked
 * first. */
static dc_status check_contiguous(const dc_store *s)
{
    bool yes = is_contiguous(s, "strings", "offset") && is_contiguous(s, "index", "state");
    for (uint32_t d = 0; yes && d < DC_DTYPE_COUNT; d++)
        yes = is_contiguous(s, "slab", dc_dtype_get(d)->name);
    return yes ? DC_OK
               : dc_fail(DC_EFORMAT,
                         "%s: was packed in chunks; unpack it: h5repack -f NONE -l CONTI %s NEW.h5",
                         s->path, s->path);
}

static dc_status store_new(dc_store **out, const char *path)
{
    dc_store *s = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(path))) {
        free(s);
        return dc_fail_memory();
    }
    s->file = H5I_INVALID_HID;
    *out = s;
    return DC_OK;
}

static void release(dc_store *s)
{
    dc_pool_free(s->names);
    free(s->path);
    free(s);
}

dc_status dc_store_close(dc_store *s)
{
    dc_status st = DC_OK;
    if (!s)
        return DC_OK;
    if (s->file >= 0 && H5Fclose(s->file) < 0)
        st = dc_store_fail(DC_EIO, "%s: cannot close the store", s->path);
    release(s);
    return st;
}

static bool read_u64(uint64_t *value, hid_t object, const char *name)
{
    hid_t attr = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attr < 0)
        return false;
    herr_t bad = H5Aread(attr, H5T_NATIVE_UINT64, value);
    H5Aclose(attr);
    return bad >= 0;
}

char *dc_store_attribute(const dc_store *s, const char *name)
{
    hid_t attr =
        H5Aexists(s->file, name) > 0 ? H5Aopen(s->file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attr < 0)
        return NULL;
    hid_t type = H5Aget_type(attr);
    size_t n =
        H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    char *text = n ? calloc(n + 1, 1) : NULL;
    if (text && H5Aread(attr, type, text) < 0) {
        free(text);
        text = NULL;
    }
    H5Tclose(type);
    H5Aclose(attr);
    return text;
}

static dc_status load_strings(dc_store *s)
{
    uint64_t n = 0, bytes = 0;
    dataset_at(s, "strings", "offset", &n);
    dataset_at(s, "strings", "bytes", &bytes);
    n /= sizeof(uint64_t);
    if (n < 2) /* the empty string is always there */
        return dc_fail(DC_EFORMAT, "%s: has no dictionary", s->path);
    uint64_t *offset = malloc(n * sizeof *offset);
    char *text = malloc(bytes + 1);
    dc_status st = offset && text ? dc_pool_new(&s->names) : dc_fail_memory();
    if (st == DC_OK)
        st = dc_store_read_part(offset, s, "strings", "offset", H5T_STD_U64LE, (uint64_t[2]){0, n});
    if (st == DC_OK)
        st = dc_store_read_part(text, s, "strings", "bytes", H5T_STD_U8LE, (uint64_t[2]){0, bytes});
    for (uint64_t i = 0; st == DC_OK && i + 1 < n; i++) {
        uint32_t id = DC_NO_STR;
        if (offset[i] > offset[i + 1] || offset[i + 1] > bytes)
            st = dc_fail(DC_EFORMAT, "%s: its dictionary is damaged", s->path);
        else
            st = dc_pool_add(&id, s->names, text + offset[i], offset[i + 1] - offset[i]);
        if (st == DC_OK && id != i)
            st = dc_fail(DC_EFORMAT, "%s: its dictionary is damaged", s->path);
    }
    free(text);
    free(offset);
    return st;
}

/* How far a store must have come to be opened: its structure; its plan, if not marked so; all. */
typedef enum stage { EMPTY, NEW, WHOLE } stage;

static dc_status check_format(dc_store *s, stage from)
{
    uint64_t version = 0, complete = 0, whole = 0;
    char *format = dc_store_attribute(s, "format");
    bool ours = format && strcmp(format, DC_STORE_FORMAT) == 0;
    free(format);
    if (!ours || !read_u64(&version, s->file, "format_version"))
        return dc_fail(DC_EFORMAT, "%s: is an HDF5 file, but not a store made by dumpcap", s->path);
    if (version < DC_STORE_VERSION)
        return dc_fail(
            DC_EFORMAT,
            "%s: was made by an earlier dumpcap (format %llu, this one reads %d): capture "
            "it again",
            s->path, (unsigned long long)version, DC_STORE_VERSION);
    if (version > DC_STORE_VERSION)
        return dc_fail(DC_EFORMAT,
                       "%s: was made by a later dumpcap (format %llu, this one reads up to %d)",
                       s->path, (unsigned long long)version, DC_STORE_VERSION);
    s->complete = read_u64(&complete, s->file, "complete") && complete;
    if (from == WHOLE && !s->complete && !(read_u64(&whole, s->file, "planned") && whole))
        return dc_fail(DC_EFORMAT, NO_PLAN, s->path);
    hid_t segment = H5Gopen2(s->file, "/segment/0", H5P_DEFAULT);
    bool sized = segment >= 0 && read_u64(&s->rows, segment, "rows") &&
                 read_u64(&s->groups, segment, "groups") &&
                 read_u64(&s->skipped, segment, "skipped") &&
                 read_u64(&s->overflows, segment, "overflows");
    if (segment >= 0)
        H5Gclose(segment);
    if (sized)
        return DC_OK;
    return dc_fail(DC_EFORMAT, s->complete ? "%s: is damaged, its segment cannot be read" : NO_PLAN,
                   s->path);
}

/* Every column has as many values as the store has rows, inside the file: what is read or written
 * later by offset then stays there, and memory is bounded by the file's size. */
static dc_status check_columns(const dc_store *s, const char *table, const dc_field *field,
                               int fields, uint64_t rows)
{
    for (int i = 0; i < fields; i++) {
        uint64_t bytes = 0, want = 0;
        uint64_t at = dataset_at(s, table, field[i].name, &bytes);
        bool fits = dc_mul_u64(&want, rows, field[i].size) && bytes == want;
        if (!fits || (want && at == UINT64_MAX))
            return dc_fail(DC_EFORMAT, "%s: its column %s/%s is missing or damaged", s->path, table,
                           field[i].name);
    }
    return DC_OK;
}

static dc_status check_tables(const dc_store *s)
{
    const dc_field first_row = {"first_row", 0, 8, DC_FT_U64}, bytes = {"bytes", 0, 8, DC_FT_U64};
    if (s->groups == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its number of groups is damaged", s->path);
    dc_status st = check_columns(s, "index", dc_store_plan_field, dc_store_plan_fields, s->rows);
    if (st == DC_OK)
        st = check_columns(s, "index", dc_store_result_field, dc_store_result_fields, s->rows);
    if (st == DC_OK)
        st = check_columns(s, "skipped", dc_store_skipped_field, dc_store_skipped_fields,
                           s->skipped);
    if (st == DC_OK)
        st = check_columns(s, "overflow", dc_store_overflow_field, dc_store_overflow_fields,
                           s->overflows);
    if (st == DC_OK)
        st = check_columns(s, "group", &first_row, 1, s->groups + 1);
    return st == DC_OK ? check_columns(s, "group", &bytes, 1, s->groups) : st;
}

static dc_status open_file(dc_store *s, bool write, hid_t fapl)
{
    struct stat info;
    if (stat(s->path, &info) != 0 || access(s->path, R_OK | (write ? W_OK : 0)) != 0)
        return dc_fail_errno("%s: cannot open", s->path);
    if (!S_ISREG(info.st_mode))
        return dc_fail(DC_EFORMAT, "%s: is not a regular file", s->path);
    if (info.st_size == 0) /* HDF5 would make a file of it */
        return dc_fail(DC_EFORMAT, "%s: is empty", s->path);
    hid_t serial = dc_store_access(); /* before HDF5 starts */
    dc_store_silence();
    s->file = H5Fopen(s->path, write ? H5F_ACC_RDWR : H5F_ACC_RDONLY,
                      fapl == H5P_DEFAULT ? serial : fapl);
    H5Pclose(serial);
    if (s->file < 0)
        return dc_store_fail(DC_EFORMAT, "%s: is not a readable HDF5 file", s->path);
    s->size = (uint64_t)info.st_size;
    return DC_OK;
}

static dc_status open_store(dc_store **out, const char *path, bool write, stage from, hid_t fapl)
{
    dc_store *s = NULL;
    *out = NULL;
    dc_status st = store_new(&s, path);
    if (st != DC_OK)
        return st;
    st = open_file(s, write, fapl);
    if (st == DC_OK)
        st = check_format(s, from);
    if (st == DC_OK)
        st = check_contiguous(s);
    if (st == DC_OK)
        st = check_tables(s);
    if (st == DC_OK) {
        locate(s);
        st = from == EMPTY ? DC_OK : load_strings(s);
    }
    if (st == DC_OK) {
        *out = s;
        return DC_OK;
    }
    if (s->file >= 0)
        H5Fclose(s->file);
    release(s);
    return st;
}

dc_status dc_store_open(dc_store **out, const char *path, bool write)
{
    return open_store(out, path, write, WHOLE, H5P_DEFAULT);
}

dc_status dc_store_open_empty(dc_store **out, const char *path, hid_t fapl)
{
    return open_store(out, path, true, EMPTY, fapl);
}

dc_status dc_store_open_new(dc_store **out, const char *path)
{
    return open_store(out, path, true, NEW, H5P_DEFAULT);
}

dc_status dc_store_finish_plan(dc_store *s)
{
    return dc_store_write_u64(s->file, "planned", 1);
}

dc_status dc_store_finish(dc_store *s)
{
    dc_status st = dc_store_write_u64(s->file, "complete", 1);
    s->complete = st == DC_OK;
    return st;
}

uint64_t dc_store_rows(const dc_store *s)
{
    return s->rows;
}

uint64_t dc_store_groups(const dc_store *s)
{
    return s->groups;
}

uint64_t dc_store_overflows(const dc_store *s)
{
    return s->overflows;
}

uint64_t dc_store_skipped(const dc_store *s)
{
    return s->skipped;
}

bool dc_store_complete(const dc_store *s)
{
    return s->complete;
}

const char *dc_store_path(const dc_store *s)
{
    return s->path;
}

uint64_t dc_store_slab_bytes(const dc_store *s)
{
    uint64_t sum = 0;
    for (uint32_t d = 0; d < DC_SLABS; d++)
        sum += s->slab_bytes[d];
    return sum;
}

const dc_pool *dc_store_names(const dc_store *s)
{
    return s->names;
}

hid_t dc_store_hid(const dc_store *s)
{
    return s->file;
}

uint64_t dc_store_slab_at(const dc_store *s, uint32_t dtype)
{
    return dtype < DC_SLABS ? s->slab_at[dtype] : UINT64_MAX;
}

uint64_t dc_store_slab_size(const dc_store *s, uint32_t dtype)
{
    return dtype < DC_SLABS ? s->slab_bytes[dtype] : 0;
}

uint64_t dc_store_tensor_at(const dc_store *s, const dc_tensor *t)
{
    uint64_t at = s->slab_at[t->dtype], element = dc_store_element(t->dtype), offset, end;
    if (at == UINT64_MAX || t->flags & DC_TENSOR_STATISTICS ||
        !dc_mul_u64(&offset, t->slab_offset, element) || !dc_add_u64(&end, offset, t->bytes) ||
        end > s->slab_bytes[t->dtype])
        return UINT64_MAX; /* a damaged index must not lead anywhere else in the file */
    return at + offset;
}

uint64_t dc_store_column_at(const dc_store *s, int result_column)
{
    return s->column_at[result_column];
}
