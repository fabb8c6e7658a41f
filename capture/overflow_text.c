/* capture/overflow_text.c - see overflow_text.h */
#include "capture/overflow_text.h"

#include "capture/view.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 256

/* "rank0/ge_default_1/step3: AI core saw an overflow in conv1 (Conv2D)" */
static dc_status add_place(dc_buf *out, const dc_overflow_row *o, const dc_pool *names,
                           int32_t runs)
{
    const dc_tensor where = {.rank = o->rank, .run = o->run, .model = o->model, .step = o->step};
    dc_status st = dc_view_place(out, &where, names, runs);
    if (st == DC_OK)
        out->n--; /* without the last slash */
    if (st == DC_OK)
        st = dc_buf_printf(out, ": %s saw an overflow in ", dc_pool_text(names, o->detector));
    if (st == DC_OK && o->op)
        st = dc_buf_printf(out, "%s (%s)", dc_pool_text(names, o->op),
                           dc_pool_text(names, o->op_type));
    else if (st == DC_OK)
        st = dc_buf_printf(out, "stream %" PRIu64 " task %" PRIu64 ", of which nothing was dumped",
                           o->value[DC_OVERFLOW_STREAM_ID], o->value[DC_OVERFLOW_TASK_ID]);
    return st;
}

static dc_status add_values(dc_buf *out, const dc_overflow_row *o)
{
    dc_status st = DC_OK;
    for (int f = 0; st == DC_OK && f < DC_OVERFLOW_FIELD_COUNT; f++)
        if (o->have >> f & 1)
            st = dc_buf_printf(out,
                               dc_overflow_field_is_hex((dc_overflow_field)f) ? " %s 0x%" PRIx64
                                                                              : " %s %" PRIu64,
                               dc_overflow_field_name((dc_overflow_field)f), o->value[f]);
    return st;
}

static dc_status print_row(const dc_overflow_row *o, const dc_pool *names, int32_t runs)
{
    dc_buf line = {0};
    dc_status st = add_place(&line, o, names, runs);
    if (st == DC_OK)
        st = dc_buf_puts(&line, "\n   ");
    if (st == DC_OK)
        st = add_values(&line, o);
    if (st == DC_OK)
        printf("%.*s\n    from %s/%s\n", (int)line.n, line.data, dc_pool_text(names, o->dir),
               dc_pool_text(names, o->file));
    dc_buf_free(&line);
    return st;
}

dc_status dc_overflow_list(const dc_store *s)
{
    dc_overflow_row *row = malloc(BATCH * sizeof *row);
    uint64_t n = dc_store_overflows(s), detected = 0;
    int32_t runs = 0;
    dc_status st = row ? dc_view_runs(&runs, s) : dc_fail_memory();
    for (uint64_t first = 0; st == DC_OK && first < n; first += BATCH) {
        uint64_t count = n - first < BATCH ? n - first : BATCH;
        st = dc_store_get_overflows(row, s, first, count);
        for (uint64_t i = 0; st == DC_OK && row && i < count; i++)
            if (row[i].detected) {
                st = print_row(&row[i], dc_store_names(s), runs);
                detected++;
            }
    }
    if (st == DC_OK)
        printf("%" PRIu64 " %s in %" PRIu64 " %s\n", detected,
               dc_word(detected, "overflow", "overflows"), n, dc_word(n, "record", "records"));
    free(row);
    return st;
}

dc_status dc_overflow_summary(dc_buf *out, const dc_catalog *c)
{
    const dc_overflow_row *first = NULL;
    uint64_t n = 0;
    for (uint64_t i = 0; c->overflow && i < c->overflows; i++) {
        const dc_overflow_row *o = &c->overflow[i];
        if (!o->detected)
            continue;
        if (!first || o->dump_time < first->dump_time)
            first = o;
        n++;
    }
    if (!first)
        return c->overflows ? dc_buf_printf(out, "no overflow in %" PRIu64 " %s\n", c->overflows,
                                            dc_word(c->overflows, "record", "records"))
                            : DC_OK;
    dc_status st =
        dc_buf_printf(out, "%" PRIu64 " %s; the first: ", n, dc_word(n, "overflow", "overflows"));
    if (st == DC_OK)
        st = add_place(out, first, c->names, c->runs);
    return st == DC_OK ? dc_buf_puts(out, "; dumpcap ls --overflow lists all\n") : st;
}
