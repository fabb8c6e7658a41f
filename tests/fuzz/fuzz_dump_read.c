/* tests/fuzz/fuzz_dump_read.c - any bytes as a dump file, an overflow record and a file name. */
#include "io/dump_name.h"
#include "io/dump_read.h"
#include "io/overflow.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int fact)
{
    if (!fact)
        abort();
}

static void check_tensor(const dc_dump_tensor *t, size_t file_bytes)
{
    check(t->bytes <= file_bytes && t->offset <= file_bytes - t->bytes);
    check(t->shape.rank <= DC_MAX_RANK && t->original_shape.rank <= DC_MAX_RANK);
    check(t->format <= 0xff && t->origin_name);
}

static void read_dump(const uint8_t *data, size_t size)
{
    dc_dump d;
    if (dc_dump_parse(&d, data, size, "fuzz") != DC_OK)
        return;
    for (size_t i = 0; i < d.n; i++)
        check_tensor(&d.tensor[i], size);
    for (size_t i = 0; i < d.nattr; i++)
        check(d.attr[i].name && d.attr[i].value);
    check(d.op_name && d.dfx_message);
    dc_dump_fini(&d);
}

static void read_name(const uint8_t *data, size_t size)
{
    dc_dump_name n;
    char *name = malloc(size + 1);
    if (!name)
        return;
    if (size)
        memcpy(name, data, size);
    name[size] = '\0';
    dc_dump_name_parse(&n, name);
    check(n.op_type.n == 0 || (n.op_type.at >= name && n.op_type.n <= size));
    check(n.op_name.n == 0 || (n.op_name.at >= name && n.op_name.n <= size));
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dc_overflow r[DC_OVERFLOW_MAX];
    size_t n;
    read_dump(data, size);
    read_name(data, size);
    if (dc_overflow_decode(r, &n, data, size, "fuzz") == DC_OK)
        check(n <= DC_OVERFLOW_MAX);
    return 0;
}
