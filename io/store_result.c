/* io/store_result.c - see store_result.h */
#include "io/store_result.h"

#include "io/path.h"
#include "io/store_impl.h"

#include <string.h>

#define MAX_ROWS 64

dc_status dc_store_put_results(const dc_store *s, int fd, const dc_result *r, uint64_t first,
                               size_t n)
{
    char column[MAX_ROWS * 8];
    dc_status st = DC_OK;
    if (dc_fault("store.mark"))
        return dc_fail(DC_EIO, "%s: cannot mark (injected)", s->path);
    if (n > MAX_ROWS)
        return dc_fail(DC_EARG, "%zu results at once, %d is the limit", n, MAX_ROWS);
    for (int f = 0; st == DC_OK && f < dc_store_result_fields;
         f++) { /* state is the table's last */
        const dc_field *field = &dc_store_result_field[f];
        for (size_t i = 0; i < n; i++)
            memcpy(column + i * field->size, (const char *)&r[i] + field->offset, field->size);
        st = dc_pwrite(fd, column, n * field->size, s->column_at[f] + first * field->size, s->path);
    }
    return st;
}

dc_status dc_store_put_pending(const dc_store *s, int fd, uint64_t row)
{
    const uint8_t state = DC_PENDING;
    return dc_pwrite(fd, &state, 1, s->column_at[dc_store_result_fields - 1] + row, s->path);
}

dc_status dc_store_get_states(uint8_t *state, const dc_store *s, int fd, uint64_t first, size_t n)
{
    return dc_pread(fd, state, n, s->column_at[dc_store_result_fields - 1] + first, s->path);
}

dc_status dc_store_get_result(dc_result *r, const dc_store *s, int fd, uint64_t row)
{
    char value[8];
    dc_status st = DC_OK;
    for (int f = 0; st == DC_OK && f < dc_store_result_fields; f++) {
        const dc_field *field = &dc_store_result_field[f];
        if (s->column_at[f] == UINT64_MAX)
            return dc_fail(DC_EFORMAT, "%s: has no column %s", s->path, field->name);
        st = dc_pread(fd, value, field->size, s->column_at[f] + row * field->size, s->path);
        memcpy((char *)r + field->offset, value, field->size);
    }
    return st;
}
