/* io/store_rows.c - the store's tables: columns on one side, structs on the other. See store.h. */
#include "io/store_impl.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(struct_type, type, name)                                                             \
    {                                                                                              \
#name, offsetof(struct_type, name), sizeof(type), DC_FIELD_TYPE(type)                      \
    }

const dc_field dc_store_plan_field[] = {
#define X(type, name, doc) FIELD(dc_tensor, type, name),
    DC_TENSOR_PLAN(X)
#undef X
};
const int dc_store_plan_fields = sizeof dc_store_plan_field / sizeof *dc_store_plan_field;

const dc_field dc_store_result_field[] = {
#define X(type, name, doc) FIELD(dc_result, type, name),
    DC_TENSOR_RESULT(X)
#undef X
};
const int dc_store_result_fields = sizeof dc_store_result_field / sizeof *dc_store_result_field;

const dc_field dc_store_skipped_field[] = {
#define X(type, name, doc) FIELD(dc_skipped, type, name),
    DC_SKIPPED(X)
#undef X
};
const int dc_store_skipped_fields = sizeof dc_store_skipped_field / sizeof *dc_store_skipped_field;

const dc_field dc_store_overflow_field[] = {
#define X(type, name, doc) FIELD(dc_overflow_row, type, name),
    DC_OVERFLOW_ROW(X)
#undef X
#define X(id, name, hex)                                                                           \
    {name, offsetof(dc_overflow_row, value) + sizeof(uint64_t) * DC_OVERFLOW_##id,                 \
     sizeof(uint64_t), DC_FT_U64},
        DC_OVERFLOW_FIELDS(X)
#undef X
};
const int dc_store_overflow_fields =
    sizeof dc_store_overflow_field / sizeof *dc_store_overflow_field;

hid_t dc_store_field_type(dc_field_type type)
{
    switch (type) {
    case DC_FT_U8:
        return H5T_STD_U8LE;
    case DC_FT_U16:
        return H5T_STD_U16LE;
    case DC_FT_U32:
        return H5T_STD_U32LE;
    case DC_FT_I32:
        return H5T_STD_I32LE;
    case DC_FT_U64:
        return H5T_STD_U64LE;
    case DC_FT_I64:
        return H5T_STD_I64LE;
    default:
        return H5T_IEEE_F64LE;
    }
}

typedef struct part {
    hid_t set, file_space, memory_space;
} part;

static dc_status part_open(part *p, const dc_store *s, const char *table, const char *name,
                           const uint64_t range[2])
{
    char path[256];
    snprintf(path, sizeof path, "/segment/0/%s/%s", table, name);
    hsize_t start = range[0], count = range[1], extent = 0;
    *p = (part){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
    if ((p->set = H5Dopen2(s->file, path, H5P_DEFAULT)) < 0)
        return dc_store_fail(DC_EFORMAT, "%s: has no %s", s->path, path);
    p->file_space = H5Dget_space(p->set);
    p->memory_space = H5Screate_simple(1, &count, NULL);
    if (H5Sget_simple_extent_ndims(p->file_space) != 1 ||
        H5Sget_simple_extent_dims(p->file_space, &extent, NULL) != 1 || start > extent ||
        count > extent - start)
        return dc_fail(DC_EFORMAT, "%s: %s is shorter than the store's other columns", s->path,
                       path);
    if (H5Sselect_hyperslab(p->file_space, H5S_SELECT_SET, &start, NULL, &count, NULL) < 0)
        return dc_store_fail(DC_EIO, "%s: cannot select in %s", s->path, path);
    return DC_OK;
}

static void part_close(part *p)
{
    if (p->memory_space >= 0)
        H5Sclose(p->memory_space);
    if (p->file_space >= 0)
        H5Sclose(p->file_space);
    if (p->set >= 0)
        H5Dclose(p->set);
}

dc_status dc_store_write_part(const dc_store *s, const char *table, const char *name, hid_t type,
                              const void *data, const uint64_t range[2])
{
    part p;
    if (range[1] == 0)
        return DC_OK;
    dc_status st = part_open(&p, s, table, name, range);
    if (st == DC_OK && (dc_fault("store.write") ||
                        H5Dwrite(p.set, type, p.memory_space, p.file_space, H5P_DEFAULT, data) < 0))
        st = dc_store_fail(DC_EIO, "%s: cannot write %s/%s", s->path, table, name);
    part_close(&p);
    return st;
}

dc_status dc_store_read_part(void *data, const dc_store *s, const char *table, const char *name,
                             hid_t type, const uint64_t range[2])
{
    part p;
    if (range[1] == 0)
        return DC_OK;
    dc_status st = part_open(&p, s, table, name, range);
    if (st == DC_OK && H5Dread(p.set, type, p.memory_space, p.file_space, H5P_DEFAULT, data) < 0)
        st = dc_store_fail(DC_EIO, "%s: cannot read %s/%s", s->path, table, name);
    part_close(&p);
    return st;
}

/* A table between memory (an array of structs) and the file (a dataset per field). */
typedef struct table {
    const char *name;
    const dc_field *field;
    int fields;
    size_t stride; /* of the struct */
} table;

static const table plan_table = {"index", dc_store_plan_field,
                                 sizeof dc_store_plan_field / sizeof *dc_store_plan_field,
                                 sizeof(dc_tensor)};
static const table result_table = {"index", dc_store_result_field,
                                   sizeof dc_store_result_field / sizeof *dc_store_result_field,
                                   sizeof(dc_result)};
static const table skipped_table = {"skipped", dc_store_skipped_field,
                                    sizeof dc_store_skipped_field / sizeof *dc_store_skipped_field,
                                    sizeof(dc_skipped)};

static const table overflow_table = {
    "overflow", dc_store_overflow_field,
    sizeof dc_store_overflow_field / sizeof *dc_store_overflow_field, sizeof(dc_overflow_row)};

static dc_status put_table(dc_store *s, const table *t, const void *rows, const uint64_t range[2])
{
    size_t n = range[1];
    if (n == 0)
        return DC_OK;
    char *column = malloc(n * 8 + 1);
    dc_status st = column ? DC_OK : dc_fail_memory();
    for (int f = 0; st == DC_OK && f < t->fields; f++) {
        const dc_field *field = &t->field[f];
        const char *from = (const char *)rows + field->offset;
        for (size_t i = 0; i < n; i++)
            memcpy(column + i * field->size, from + i * t->stride, field->size);
        st = dc_store_write_part(s, t->name, field->name, dc_store_field_type(field->type), column,
                                 range);
    }
    free(column);
    return st;
}

static dc_status get_table(void *rows, const dc_store *s, const table *t, const uint64_t range[2])
{
    size_t n = range[1];
    if (n == 0)
        return DC_OK;
    char *column = malloc(n * 8 + 1);
    dc_status st = column ? DC_OK : dc_fail_memory();
    memset(rows, 0, n * t->stride); /* also what pads the struct */
    for (int f = 0; st == DC_OK && f < t->fields; f++) {
        const dc_field *field = &t->field[f];
        char *to = (char *)rows + field->offset;
        st = dc_store_read_part(column, s, t->name, field->name, dc_store_field_type(field->type),
                                range);
        for (size_t i = 0; st == DC_OK && i < n; i++)
            memcpy(to + i * t->stride, column + i * field->size, field->size);
    }
    free(column);
    return st;
}

dc_status dc_store_put_rows(dc_store *s, const dc_tensor *row, uint64_t first, uint64_t n)
{
    return put_table(s, &plan_table, row, (uint64_t[2]){first, n});
}

dc_status dc_store_put_skipped(dc_store *s, const dc_skipped *row, uint64_t first, uint64_t n)
{
    return put_table(s, &skipped_table, row, (uint64_t[2]){first, n});
}

dc_status dc_store_put_overflows(dc_store *s, const dc_overflow_row *row, uint64_t first,
                                 uint64_t n)
{
    return put_table(s, &overflow_table, row, (uint64_t[2]){first, n});
}

dc_status dc_store_put_groups(dc_store *s, const uint64_t *first_row, const uint64_t *bytes,
                              uint64_t first, uint64_t n)
{
    const uint64_t range[2] = {first, n};
    dc_status st = dc_store_write_part(s, "group", "bytes", H5T_STD_U64LE, bytes, range);
    if (st == DC_OK)
        st = dc_store_write_part(s, "group", "first_row", H5T_STD_U64LE, first_row, range);
    if (st == DC_OK &&
        first + n == s->groups) /* the closing entry: one more than there are groups */
        st = dc_store_write_part(s, "group", "first_row", H5T_STD_U64LE, &s->rows,
                                 (uint64_t[2]){s->groups, 1});
    return st;
}

dc_status dc_store_put_strings(dc_store *s, const dc_pool *sorted)
{
    uint32_t n = dc_pool_count(sorted);
    uint64_t *offset = malloc((n + (size_t)1) * sizeof *offset);
    dc_buf bytes = {0};
    dc_status st = offset ? DC_OK : dc_fail_memory();
    for (uint32_t i = 0; st == DC_OK && i < n; i++) {
        offset[i] = bytes.n;
        st = dc_buf_puts(&bytes, dc_pool_text(sorted, i));
    }
    if (st == DC_OK) {
        offset[n] = bytes.n;
        st = dc_store_write_part(s, "strings", "offset", H5T_STD_U64LE, offset,
                                 (uint64_t[2]){0, n + (uint64_t)1});
    }
    if (st == DC_OK)
        st = dc_store_write_part(s, "strings", "bytes", H5T_STD_U8LE, bytes.data,
                                 (uint64_t[2]){0, bytes.n});
    dc_buf_free(&bytes);
    free(offset);
    return st;
}

dc_status dc_store_get_rows(dc_tensor *row, dc_result *result, const dc_store *s, uint64_t first,
                            uint64_t n)
{
    const uint64_t range[2] = {first, n};
    dc_status st = get_table(row, s, &plan_table, range);
    if (st == DC_OK && result)
        st = get_table(result, s, &result_table, range);
    return st;
}

dc_status dc_store_get_skipped(dc_skipped *row, const dc_store *s, uint64_t first, uint64_t n)
{
    return get_table(row, s, &skipped_table, (uint64_t[2]){first, n});
}

dc_status dc_store_get_overflows(dc_overflow_row *row, const dc_store *s, uint64_t first,
                                 uint64_t n)
{
    return get_table(row, s, &overflow_table, (uint64_t[2]){first, n});
}

dc_status dc_store_get_groups(uint64_t *first_row, uint64_t *bytes, const dc_store *s)
{
    dc_status st = dc_store_read_part(first_row, s, "group", "first_row", H5T_STD_U64LE,
                                      (uint64_t[2]){0, s->groups + 1});
    if (st == DC_OK)
        st = dc_store_read_part(bytes, s, "group", "bytes", H5T_STD_U64LE,
                                (uint64_t[2]){0, s->groups});
    return st;
}
