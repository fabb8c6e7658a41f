/* io/stats_write.c - rows of statistics files. See stats_csv.h. */
#include "io/dtype.h"
#include "io/format.h"
#include "io/stats_csv.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char dc_stats_header[] =
    "Input/Output,Index,Data Size,Data Type,Format,Shape,Count,Max Value,Min Value,Avg Value,"
    "Nan Count,Negative Inf Count,Positive Inf Count,l2norm\n";

/* CANN's names: DT_FLOAT, DT_DOUBLE, DT_BF16, else DT_ and the name in capitals. */
static void print_dtype(char *text, size_t size, uint32_t dtype)
{
    const char *name = dtype == DC_FLOAT32    ? "float"
                       : dtype == DC_FLOAT64  ? "double"
                       : dtype == DC_BFLOAT16 ? "bf16"
                                              : dc_dtype_get(dtype)->name;
    if (!dc_dtype_known(dtype)) {
        snprintf(text, size, "UNKNOW");
        return;
    }
    snprintf(text, size, "DT_%s", name);
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

static dc_status add_real(dc_buf *out, double v)
{
    return isnan(v) ? dc_buf_puts(out, ",NA") : dc_buf_printf(out, ",%.9g", v);
}

static dc_status add_count(dc_buf *out, uint64_t v)
{
    return v == DC_NOT_TOLD ? dc_buf_puts(out, ",NA") : dc_buf_printf(out, ",%" PRIu64, v);
}

dc_status dc_stats_write(dc_buf *out, const dc_tensor *t, const dc_result *r, const char *shape,
                         uint64_t count)
{
    char dtype[32];
    print_dtype(dtype, sizeof dtype, t->dtype);
    const double real[] = {r->max, r->min, r->mean};
    const uint64_t number[] = {r->nan, r->neg_inf, r->pos_inf};
    dc_status st = dc_buf_printf(out, "%s,%u,%" PRIu64 ",%s,%s,%s",
                                 t->direction == DC_INPUT ? "Input" : "Output", t->slot, t->bytes,
                                 dtype, dc_format_name(t->format), *shape ? shape : "-");
    if (st == DC_OK)
        st = add_count(out, count);
    for (int i = 0; st == DC_OK && i < 3; i++)
        st = add_real(out, real[i]);
    for (int i = 0; st == DC_OK && i < 3; i++)
        st = add_count(out, number[i]);
    if (st == DC_OK)
        st = add_real(out, r->l2);
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}
