/* io/dtype.c - see dtype.h */
#include "io/dtype.h"

#include "io/mem.h"

#include <string.h>
#include <strings.h>

static const dc_dtype_info table[DC_DTYPE_COUNT] = {
#define X(id, number, name, bits, ge, npy, kind) [number] = {name, npy, bits, ge, DC_KIND_##kind},
    DC_DTYPES(X)
#undef X
};
static const dc_dtype_info unknown = {"unknown", NULL, 8, -1, DC_KIND_OTHER};

const dc_dtype_info *dc_dtype_get(uint32_t dtype)
{
    return dtype < DC_DTYPE_COUNT ? &table[dtype] : &unknown;
}

bool dc_dtype_known(uint32_t dtype)
{
    return dtype < DC_DTYPE_COUNT;
}

int dc_dtype_by_name(const char *name)
{
    /* spellings of CANN that differ from ours by more than the DT_ prefix and case */
    static const struct {
        const char *name;
        dc_dtype dtype;
    } alias[] = {{"FLOAT", DC_FLOAT32},
                 {"DOUBLE", DC_FLOAT64},
                 {"BF16", DC_BFLOAT16},
                 {"HALF", DC_FLOAT16},
                 {"FLOAT8_E4M3", DC_FLOAT8_E4M3FN},
                 {"INT", DC_INT32}};
    if (strncasecmp(name, "DT_", 3) == 0)
        name += 3;
    for (size_t i = 0; i < sizeof alias / sizeof *alias; i++)
        if (strcasecmp(name, alias[i].name) == 0)
            return (int)alias[i].dtype;
    for (int i = 0; i < DC_DTYPE_COUNT; i++)
        if (strcasecmp(name, table[i].name) == 0)
            return i;
    return -1;
}

int dc_dtype_by_ge(int64_t ge)
{
    for (int i = 0; i < DC_DTYPE_COUNT; i++)
        if (table[i].ge == ge)
            return i;
    return -1;
}

bool dc_dtype_bytes(uint64_t *bytes, uint32_t dtype, uint64_t n)
{
    uint64_t bits = dc_dtype_get(dtype)->bits;
    uint64_t whole, rest = n % 8 * bits; /* n*bits/8 without forming n*bits */
    return dc_mul_u64(&whole, n / 8, bits) && dc_add_u64(bytes, whole, (rest + 7) / 8);
}
