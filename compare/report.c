/* compare/report.c - see report.h */
#include "compare/report.h"

#include "compare/page.h"

#include "compare/report_file.h"
#include "io/text_out.h"

#include <inttypes.h>

static dc_line line_of(const dc_report_ask *ask, uint64_t before, uint64_t i)
{
    dc_line l = {&ask->rows->row[i], ask->rows, before + i, ask->metrics};
    return l;
}

static dc_status csv_head(dc_buf *out, const dc_report_ask *ask)
{
    dc_status st = dc_buf_puts(out, ask->excel ? "\xef\xbb\xbf" : "");
    for (size_t c = 0; st == DC_OK && c < dc_column_count(); c++)
        st = dc_buf_printf(out, "%s%s", c ? "," : "", dc_column_name(c));
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

static dc_status csv_row(dc_buf *out, const dc_report_ask *ask, const dc_line *l, dc_buf *cell)
{
    dc_status st = DC_OK;
    for (size_t c = 0; st == DC_OK && c < dc_column_count(); c++) {
        cell->n = 0;
        bool text = dc_column_kind_of(c) == DC_COLUMN_TEXT;
        st = dc_column_cell(cell, c, l);
        if (st == DC_OK)
            st = dc_buf_add(cell, "", 1);
        if (st == DC_OK && c)
            st = dc_buf_puts(out, ",");
        if (st == DC_OK)
            st = dc_csv_cell(out, cell->data, text && ask->excel);
    }
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

static dc_status json_row(dc_buf *out, const dc_line *l, dc_buf *cell)
{
    dc_status st = dc_buf_puts(out, l->index ? ",\n{" : "\n{");
    for (size_t c = 0; st == DC_OK && c < dc_column_count(); c++) {
        cell->n = 0;
        st = dc_column_cell(cell, c, l);
        if (st == DC_OK)
            st = dc_buf_add(cell, "", 1);
        if (st == DC_OK)
            st = dc_buf_printf(out, "%s\"%s\":", c ? "," : "", dc_column_name(c));
        if (st == DC_OK)
            st = dc_column_kind_of(c) == DC_COLUMN_TEXT ? dc_json_text(out, cell->data)
                                                        : dc_json_number(out, cell->data);
    }
    return st == DC_OK ? dc_buf_puts(out, "}") : st;
}

static dc_status make_csv(dc_report_parts *p, const dc_report_ask *ask, uint64_t before)
{
    dc_buf cell = {0};
    dc_status st = dc_fault("report.csv") ? dc_fail_memory() : csv_head(&p->head, ask);
    for (uint64_t i = 0; st == DC_OK && i < ask->rows->n; i++) {
        dc_line l = line_of(ask, before, i);
        st = csv_row(&p->body, ask, &l, &cell);
    }
    dc_buf_free(&cell);
    return st;
}

static dc_status json_head(dc_buf *out, const dc_report_ask *ask)
{
    const dc_outcome *o = ask->outcome;
    dc_status st = dc_buf_printf(out,
                                 "{\"format\":\"%s\",\"version\":%d,\"tool_version\":\"%s\",\n"
                                 "\"command_line\":",
                                 DC_REPORT_FORMAT, DC_REPORT_VERSION, DUMPCAP_VERSION);
    if (st == DC_OK)
        st = dc_json_text(out, ask->command);
    if (st == DC_OK)
        st = dc_buf_printf(out,
                           ",\n\"summary\":{\"rows\":%" PRIu64 ",\"passed\":%" PRIu64
                           ",\"failed\":%" PRIu64 ",\"not_judged\":%" PRIu64
                           ",\"not_counted\":%" PRIu64 ",\"goldens_unused\":",
                           o->rows, o->passed, o->failed, o->missed, o->not_counted);
    if (st == DC_OK)
        st = ask->alignment->unused_unknown
                 ? dc_buf_puts(out, "null")
                 : dc_buf_printf(out, "%" PRIu64, ask->alignment->goldens_unused);
    if (st == DC_OK)
        st = dc_buf_puts(out, "},\n\"first_bad\":");
    if (st == DC_OK)
        st = o->found ? dc_json_text(out, o->first_bad) : dc_buf_puts(out, "null");
    return st == DC_OK ? dc_buf_puts(out, ",\n\"rows\":[") : st;
}

static dc_status make_json(dc_report_parts *p, const dc_report_ask *ask, uint64_t before)
{
    dc_buf cell = {0};
    dc_status st = json_head(&p->head, ask);
    for (uint64_t i = 0; st == DC_OK && i < ask->rows->n; i++) {
        dc_line l = line_of(ask, before, i);
        st = json_row(&p->body, &l, &cell);
    }
    dc_buf_free(&cell);
    return st == DC_OK ? dc_buf_puts(&p->tail, "\n]}\n") : st;
}

/* One line of alignment.csv: texts first, numbers after them. */
static dc_status alignment_row(dc_buf *out, const dc_report_ask *ask, const dc_align_line *l)
{
    const dc_pool *p = ask->alignment->text;
    const char *pairing = l->unused ? "unused golden" : dc_pairing_name(l->pairing);
    const char *direction = l->unused ? "" : dc_column_direction(l->direction);
    const char *const text[] = {
        pairing,
        dc_pool_text(p, l->model),
        dc_pool_text(p, l->op_type),
        dc_pool_text(p, l->op),
        direction,
        NULL, /* slot */
        dc_pool_text(p, l->golden),
        dc_match_name(l->match),
        dc_pool_text(p, l->reason),
        dc_pool_text(p, l->note),
        dc_pool_text(p, l->nearest),
    };
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < sizeof text / sizeof *text; i++) {
        if (text[i])
            st = dc_csv_cell(out, text[i], ask->excel);
        else if (!l->unused)
            st = dc_buf_printf(out, "%" PRIu32, l->slot);
        if (st == DC_OK)
            st = dc_buf_puts(out, ",");
    }
    if (st == DC_OK)
        st = dc_buf_printf(out, "%" PRIu64 ",", l->count);
    if (st == DC_OK && l->rank >= 0)
        st = dc_buf_printf(out, "%" PRId32, l->rank);
    if (st == DC_OK)
        st = dc_buf_puts(out, ",");
    if (st == DC_OK && l->step >= 0)
        st = dc_buf_printf(out, "%" PRId64, l->step);
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

static dc_status make_alignment(dc_report_parts *p, const dc_report_ask *ask)
{
    dc_status st = dc_buf_printf(&p->head,
                                 "%sPairing,Model,OpType,NPUDump,Direction,Slot,GroundTruth,"
                                 "MatchedBy,Reason,Note,Nearest,Count,Rank,Step\n",
                                 ask->excel ? "\xef\xbb\xbf" : "");
    for (uint64_t i = 0; st == DC_OK && i < ask->alignment->lines; i++)
        st = alignment_row(&p->body, ask, &ask->alignment->line[i]);
    return st;
}

dc_status dc_report_write(const dc_report_ask *ask, const dc_par *par)
{
    static const char *const name[] = {"ranks.csv", "alignment.csv", "report.html", "result.json",
                                       "result.csv"};
    const size_t n = sizeof name / sizeof *name;
    dc_report_parts p = {0};
    dc_status st = DC_OK;
    if (ask->ranks)
        st = dc_report_file(ask->dir, name[0], ask->ranks, DC_OK, par);
    if (!ask->rows)
        return dc_report_settle(ask->dir, name, ask->ranks ? 1 : 0, st, par);
    uint64_t before = dc_par_before_u64(ask->rows->n, par);
    if (st == DC_OK)
        st = dc_report_file(ask->dir, name[1], &p, make_alignment(&p, ask), par);
    if (st == DC_OK)
        st = dc_report_file(ask->dir, name[2], &p, dc_page_make(&p, ask, par), par);
    if (st == DC_OK)
        st = dc_report_file(ask->dir, name[3], &p, make_json(&p, ask, before), par);
    if (st == DC_OK)
        st = dc_report_file(ask->dir, name[4], &p, make_csv(&p, ask, before), par);
    const size_t first = ask->ranks ? 0 : 1;
    return dc_report_settle(ask->dir, name + first, n - first, st, par);
}
