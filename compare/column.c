/* compare/column.c - see column.h */
#include "compare/column.h"

#include "compare/element.h"

#include "io/dtype.h"
#include "io/widen.h"

#include <inttypes.h>

typedef dc_status (*writer)(dc_buf *out, const dc_line *l);

const char *dc_column_direction(uint8_t direction)
{
    static const char *const name[] = {"input", "output", "buffer", "space"};
    return direction < sizeof name / sizeof *name ? name[direction] : "unknown";
}

const char *dc_match_name(uint8_t match)
{
    static const char *const name[] = {
#define X(id, text) text,
        DC_MATCHES(X)
#undef X
    };
    return match < sizeof name / sizeof *name ? name[match] : "";
}

const char *dc_pairing_name(uint8_t pairing)
{
    static const char *const name[] = {
#define X(id, text, counts) text,
        DC_PAIRINGS(X)
#undef X
    };
    return pairing < sizeof name / sizeof *name ? name[pairing] : "";
}

static const char *dtype_name(uint32_t dtype)
{
    return dc_dtype_known(dtype) ? dc_dtype_get(dtype)->name : "unknown";
}

static const char *catalog_text(const dc_line *l, uint32_t id)
{
    return dc_pool_text(l->rows->catalog, id);
}

static const char *own_text(const dc_line *l, uint32_t id)
{
    return dc_pool_text(l->rows->names, id);
}

/* A cell that is empty where nothing was computed. */
static dc_status count(dc_buf *out, const dc_line *l, uint64_t n)
{
    return l->row->computed ? dc_buf_printf(out, "%" PRIu64, n) : DC_OK;
}

static dc_status write_index(dc_buf *out, const dc_line *l)
{
    return dc_buf_printf(out, "%" PRIu64, l->index);
}

static dc_status write_rank(dc_buf *out, const dc_line *l)
{
    return dc_buf_printf(out, "%" PRId32, l->row->at.t.rank);
}

static dc_status write_run(dc_buf *out, const dc_line *l)
{
    return dc_buf_printf(out, "%" PRId32, l->row->at.t.run);
}

static dc_status write_model(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, catalog_text(l, l->row->at.t.model));
}

static dc_status write_step(dc_buf *out, const dc_line *l)
{
    return l->row->at.t.step < 0 ? DC_OK : dc_buf_printf(out, "%" PRId64, l->row->at.t.step);
}

static dc_status write_op_type(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, catalog_text(l, l->row->at.t.op_type));
}

static dc_status write_op(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, catalog_text(l, l->row->at.t.op));
}

static dc_status write_golden(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, own_text(l, l->row->golden));
}

static dc_status write_tensor(dc_buf *out, const dc_line *l)
{
    const dc_tensor *t = &l->row->at.t;
    return dc_buf_printf(out, "%s:%s:%" PRIu32, catalog_text(l, t->op),
                         dc_column_direction(t->direction), t->slot);
}

static dc_status write_occurrence(dc_buf *out, const dc_line *l)
{
    return dc_buf_printf(out, "%" PRIu32, l->row->at.t.occurrence);
}

static dc_status write_shape(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, own_text(l, l->row->shape));
}

static dc_status write_npu_dtype(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, dtype_name(l->row->at.t.dtype));
}

static dc_status write_golden_dtype(dc_buf *out, const dc_line *l)
{
    uint8_t dtype = l->row->golden_dtype;
    return dtype == 255 ? DC_OK : dc_buf_puts(out, dtype_name(dtype));
}

static dc_status write_match(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, dc_match_name(l->row->match));
}

static dc_status write_elements(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.n / dc_widen_parts(l->row->at.t.dtype));
}

static dc_status write_nan_left(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.nan[0]);
}

static dc_status write_nan_right(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.nan[1]);
}

static dc_status write_inf_left(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.inf[0]);
}

static dc_status write_inf_right(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.inf[1]);
}

static dc_status write_verdict(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, dc_verdict_name((dc_verdict)l->row->verdict));
}

static dc_status write_reason(dc_buf *out, const dc_line *l)
{
    return dc_buf_puts(out, own_text(l, l->row->reason));
}

static uint64_t parts(const dc_row *row)
{
    uint64_t npu = dc_widen_parts(row->at.t.dtype), golden = dc_widen_parts(row->golden_dtype);
    return npu > golden ? npu : golden;
}

static const dc_element *worst(const dc_row *row)
{
    return row->computed && row->m.worst.at ? &row->m.worst : NULL;
}

static dc_status write_differing(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.differ);
}

static dc_status write_over(dc_buf *out, const dc_line *l)
{
    return count(out, l, l->row->m.over);
}

static dc_status write_worst_index(dc_buf *out, const dc_line *l)
{
    const dc_element *e = worst(l->row);
    char text[DC_SHAPE_TEXT];
    dc_shape shape;
    if (!e || dc_shape_parse_list(&shape, own_text(l, l->row->shape)) != DC_OK)
        return DC_OK;
    dc_element_position(text, e, &shape, (uint32_t)parts(l->row));
    return dc_buf_puts(out, text);
}

static dc_status put_worst(dc_buf *out, const dc_row *row, int side)
{
    const dc_element *e = worst(row);
    char text[DC_ELEMENT_VALUE];
    if (!e)
        return DC_OK;
    dc_element_value(text, e, side, side ? row->golden_dtype : row->at.t.dtype, row->m.integral);
    return dc_buf_puts(out, text);
}

static dc_status write_worst_npu(dc_buf *out, const dc_line *l)
{
    return put_worst(out, l->row, 0);
}

static dc_status write_worst_golden(dc_buf *out, const dc_line *l)
{
    return put_worst(out, l->row, 1);
}

dc_status dc_column_metric(dc_buf *out, const dc_row *row, dc_metric_id id, uint32_t metrics)
{
    const dc_figures *m = &row->m;
    char text[DC_FIGURES_TEXT];
    if (!row->computed || !m->valid[id] || !(metrics >> id & 1))
        return DC_OK;
    if (id == DC_METRIC_MAX_ABS && m->exact_fits)
        return dc_buf_printf(out, "%" PRIu64, m->exact);
    if (id != DC_METRIC_STD)
        return dc_buf_printf(out, "%.9g", m->value[id]);
    dc_figures_print(text, m, id);
    return dc_buf_puts(out, text);
}

static const struct {
    const char *name;
    writer write; /* NULL: metric `metric` */
    dc_column_kind kind;
    dc_metric_id metric;
} columns[] = {
#define X(name, kind, cell) {#name, write_##cell, DC_COLUMN_##kind, DC_METRIC_COUNT},
    DC_COLUMNS_BEFORE(X)
#undef X
#define X(id, name)                                                                                \
    {name, NULL, DC_METRIC_##id == DC_METRIC_STD ? DC_COLUMN_TEXT : DC_COLUMN_NUMBER,              \
     DC_METRIC_##id},
        DC_METRICS(X)
#undef X
#define X(name, kind, cell) {#name, write_##cell, DC_COLUMN_##kind, DC_METRIC_COUNT},
            DC_COLUMNS_AFTER(X)
#undef X
};

size_t dc_column_count(void)
{
    return sizeof columns / sizeof *columns;
}

const char *dc_column_name(size_t column)
{
    return columns[column].name;
}

dc_column_kind dc_column_kind_of(size_t column)
{
    return columns[column].kind;
}

dc_status dc_column_cell(dc_buf *out, size_t column, const dc_line *line)
{
    if (columns[column].write)
        return columns[column].write(out, line);
    return dc_column_metric(out, line->row, columns[column].metric, line->metrics);
}
