/* io/element.c - see element.h */
#include "io/element.h"

#include "io/dtype.h"
#include "io/widen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sign of a NaN says nothing. */
static void print_real(char *text, double v, int digits)
{
    if (isnan(v))
        snprintf(text, 32, "nan");
    else
        snprintf(text, 32, "%.*g", digits, v);
}

static void print_bytes(char *text, const unsigned char *at, size_t n)
{
    memcpy(text, "0x", sizeof "0x");
    for (size_t k = 0; k < n && k < 16; k++)
        snprintf(text + 2 + 2 * k, 3, "%02x", at[k]);
}

static void print_integer(char *text, const void *data, uint32_t dtype, uint64_t i)
{
    int64_t word;
    if (dc_dtype_get(dtype)->bits == 64) { /* a double does not hold it */
        memcpy(&word, (const char *)data + i * 8, sizeof word);
        if (dc_dtype_get(dtype)->kind == DC_KIND_UINT)
            snprintf(text, DC_ELEMENT_TEXT, "%" PRIu64, (uint64_t)word);
        else
            snprintf(text, DC_ELEMENT_TEXT, "%" PRId64, word);
        return;
    }
    double v;
    dc_widen(&v, data, dtype, i, 1);
    snprintf(text, DC_ELEMENT_TEXT, "%.0f", v);
}

void dc_element_print(char *text, const void *data, uint32_t dtype, uint64_t i, int digits)
{
    const dc_dtype_info *info = dc_dtype_get(dtype);
    double v[2];
    if (!dc_widen_supported(dtype)) {
        print_bytes(text, (const unsigned char *)data + i * info->bits / 8, (info->bits + 7u) / 8);
        return;
    }
    if (info->kind == DC_KIND_INT || info->kind == DC_KIND_UINT) {
        print_integer(text, data, dtype, i);
        return;
    }
    dc_widen(v, data, dtype, i, 1);
    if (info->kind == DC_KIND_BOOL) {
        snprintf(text, 32, "%s", v[0] != 0 ? "True" : "False");
        return;
    }
    print_real(text, v[0], digits);
    if (info->kind == DC_KIND_COMPLEX) {
        size_t n = strlen(text);
        text[n] = '+';
        print_real(text + n + !(v[1] < 0), v[1], digits);
        memcpy(text + strlen(text), "j", sizeof "j");
    }
}
