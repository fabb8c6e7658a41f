/* tests/fixture.c - see fixture.h */
#include "tests/fixture.h"

#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/path.h"

#include <stdio.h>
#include <stdlib.h>

dc_status dc_fixture_write(const char *root, const dc_fixture_op *op)
{
    static const int32_t input[4] = {1, -2, 3, -4};
    float *output = malloc((op->elements + 1) * sizeof *output);
    char *dir = dc_path_join(root, op->dir), *path = NULL;
    dc_status st = output && dir ? dc_mkdirs(dir) : DC_ENOMEM;
    for (uint64_t i = 0; st == DC_OK && i < op->elements; i++)
        output[i] = op->value + (float)i;
    dc_dump_tensor tensor[2] = {
        {.direction = DC_INPUT,
         .dtype = DC_INT32,
         .format = DC_FORMAT_ND,
         .shape = {1, {4}},
         .origin_name = "",
         .origin_slot = DC_UNSET,
         .origin_dtype = -1,
         .origin_format = -1,
         .arg_index = DC_UNSET,
         .size = sizeof input,
         .bytes = sizeof input},
        {.direction = DC_OUTPUT,
         .dtype = DC_FLOAT32,
         .format = DC_FORMAT_ND,
         .shape = {1, {op->elements}},
         .origin_name = op->origin ? op->origin : "",
         .origin_slot = op->origin ? 0 : DC_UNSET,
         .origin_dtype = op->origin ? DC_FLOAT32 : -1,
         .origin_format = op->origin ? DC_FORMAT_ND : -1,
         .arg_index = DC_UNSET,
         .size = op->elements * sizeof *output,
         .bytes = op->elements * sizeof *output},
    };
    const dc_dump dump = {
        .op_name = op->op, .dump_time = op->time, .n = 2, .tensor = tensor, .dfx_message = ""};
    const void *data[2] = {input, output};
    const uint64_t ids[3] = {op->task, op->stream, op->time};
    if (st == DC_OK)
        st = dc_dump_make_path(&path, dir, op->type, op->op, ids);
    if (st == DC_OK)
        st = dc_dump_write(path, &(const dc_dump_out){.dump = &dump, .data = data, .addresses = 1});
    free(path);
    free(dir);
    free(output);
    return st;
}

dc_status dc_fixture_bytes(const char *root, const char *path, const void *data, uint64_t n)
{
    char *full = dc_path_join(root, path);
    FILE *f = full ? fopen(full, "wb") : NULL;
    dc_status st =
        f && fwrite(data, 1, n, f) == n ? DC_OK : dc_fail_errno("%s: cannot write", path);
    if (f && fclose(f) != 0)
        st = dc_fail_errno("%s: cannot write", path);
    free(full);
    return st;
}
