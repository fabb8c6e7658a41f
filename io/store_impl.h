/* io/store_impl.h - what io/store.c and io/store_rows.c share; nobody else includes it. */
#ifndef DC_STORE_IMPL_H
#define DC_STORE_IMPL_H
#include "io/store.h"

#define DC_SLABS 256

typedef enum dc_field_type {
    DC_FT_U8,
    DC_FT_U16,
    DC_FT_U32,
    DC_FT_I32,
    DC_FT_U64,
    DC_FT_I64,
    DC_FT_F64
} dc_field_type;
#define DC_FIELD_TYPE(type)                                                                        \
    _Generic((type)0, uint8_t                                                                      \
             : DC_FT_U8, uint16_t                                                                  \
             : DC_FT_U16, uint32_t                                                                 \
             : DC_FT_U32, int32_t                                                                  \
             : DC_FT_I32, uint64_t                                                                 \
             : DC_FT_U64, int64_t                                                                  \
             : DC_FT_I64, double                                                                   \
             : DC_FT_F64)

/* One column of a table of structs. */
typedef struct dc_field {
    const char *name;
    size_t offset, size; /* in the struct */
    dc_field_type type;
} dc_field;

extern const dc_field dc_store_plan_field[], dc_store_result_field[], dc_store_skipped_field[],
    dc_store_overflow_field[];
extern const int dc_store_plan_fields, dc_store_result_fields, dc_store_skipped_fields,
    dc_store_overflow_fields;
#define DC_MAX_FIELDS 16 /* of the result table */

struct dc_store {
    hid_t file;
    char *path;
    uint64_t rows, groups, skipped, overflows, merged;
    uint64_t size;                                    /* of the file, when it was opened */
    uint64_t slab_at[DC_SLABS], slab_bytes[DC_SLABS]; /* UINT64_MAX: none */
    uint64_t column_at[DC_MAX_FIELDS];
    dc_pool *names;
    bool complete;
};

void dc_store_silence(void); /* no HDF5 stacks on stderr: one message per fault, ours */
#define DC_HOLDER_BYTES 320  /* of the attribute, which is changed in place */
dc_status dc_store_write_u64(hid_t object, const char *name, uint64_t value) DC_MUST_CHECK;
dc_status dc_store_write_text(hid_t object, const char *name, const char *text) DC_MUST_CHECK;
hid_t dc_store_field_type(dc_field_type type);
/* DC_EIO with the HDF5 library's own reason appended to the formatted text. */
dc_status dc_store_fail(dc_status code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Write (read) elements first..first+n-1 of the 1-D dataset named table/name; independent. */
dc_status dc_store_write_part(const dc_store *s, const char *table, const char *name, hid_t type,
                              const void *data, const uint64_t range[2]) DC_MUST_CHECK;
dc_status dc_store_read_part(void *data, const dc_store *s, const char *table, const char *name,
                             hid_t type, const uint64_t range[2]) DC_MUST_CHECK;
#endif
