/* compare/page.c - see page.h */
#include "compare/page.h"

#include "compare/heat.h"
#include "io/text_out.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>dumpcmp</title>\n"
    "<style>\n"
    "body{font:14px/1.4 sans-serif;margin:1.5em;color:#222}\n"
    "h2{font-size:1.1em;margin-top:1.8em}\n"
    ".answer{font-size:1.15em;border-left:6px solid #d55e00;padding:.4em .8em;"
    "white-space:pre-wrap}\n"
    ".answer.good{border-color:#0072b2}\n"
    "pre{white-space:pre-wrap}\n"
    "table{border-collapse:collapse}\n"
    "th,td{border:1px solid #ccc;padding:2px 6px;text-align:left;vertical-align:top}\n"
    "th{background:#f2f2f2;position:sticky;top:0}\n"
    "td.n{text-align:right}\n"
    "td.bad{background:#d55e00;color:#fff;font-weight:bold}\n"
    "td.some{background:#f6c9a3}\n"
    "td.name{word-break:break-all}\n"
    "</style></head><body>\n<h1>dumpcmp</h1>\n";

static const char page_tail[] =
    "</tbody></table>\n"
    "<script>\n"
    "var box=document.getElementById('find'),rows=document.querySelectorAll('#rows tr');\n"
    "box.oninput=function(){var w=box.value.toLowerCase();rows.forEach(function(r){\n"
    "r.style.display=r.textContent.toLowerCase().indexOf(w)<0?'none':''})};\n"
    "</script>\n</body></html>\n";

/* Columns of result.csv that a failing tensor is shown with. */
static const char *const shown[] = {"Step",
                                    "Rank",
                                    "OpType",
                                    "TensorIndex",
                                    "GroundTruth",
                                    "Shape",
                                    "NPUDataType",
                                    "GoldenDataType",
                                    "CosineSimilarity",
                                    "RelativeEuclideanDistance",
                                    "MaxAbsoluteError",
                                    "Differing",
                                    "Elements",
                                    "Reason"};

enum { SHOWN = sizeof shown / sizeof *shown };

static size_t column_of(const char *name)
{
    size_t c = 0;
    while (c < dc_column_count() && strcmp(dc_column_name(c), name) != 0)
        c++;
    return c;
}

static dc_status put_element(dc_buf *out, const char *open, const char *text, const char *close)
{
    dc_status st = dc_buf_puts(out, open);
    if (st == DC_OK)
        st = dc_html_text(out, text);
    return st == DC_OK ? dc_buf_puts(out, close) : st;
}

static dc_status put_answer(dc_buf *out, const dc_outcome *o)
{
    dc_buf text = {0};
    const bool good = dc_outcome_code(o, false) == 0;
    dc_status st = dc_outcome_answer(&text, o);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    if (st == DC_OK)
        st = put_element(out, good ? "<div class=\"answer good\">" : "<div class=\"answer\">",
                         text.data, "</div>\n");
    dc_buf_free(&text);
    return st;
}

static dc_status put_summary(dc_buf *out, const dc_report_ask *ask)
{
    dc_buf text = {0};
    dc_status st = dc_outcome_print(&text, ask->outcome, ask->alignment);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    if (st == DC_OK)
        st = put_element(out, "<h2>Summary</h2>\n<pre>", text.data, "</pre>\n");
    if (st == DC_OK)
        st = put_element(out, "<p><code>", ask->command, "</code></p>\n");
    dc_buf_free(&text);
    return st;
}

/* -- operators by step -- */

static int compare_steps(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The steps of all cells, each once, ascending: *n of them. */
static dc_status list_steps(int64_t **out, size_t *n, const dc_heat *h)
{
    int64_t *step = malloc((h->n + 1) * sizeof *step);
    *n = 0;
    *out = step;
    if (!step)
        return dc_fail_memory();
    for (size_t i = 0; i < h->n; i++)
        step[i] = h->cell[i].step;
    if (h->n)
        qsort(step, h->n, sizeof *step, compare_steps);
    for (size_t i = 0; i < h->n; i++)
        if (i == 0 || step[i] != step[i - 1])
            step[(*n)++] = step[i];
    *n = *n < DC_PAGE_STEPS ? *n : DC_PAGE_STEPS;
    return DC_OK;
}

static dc_status put_cell(dc_buf *out, const dc_heat_cell *c)
{
    if (!c)
        return dc_buf_puts(out, "<td></td>");
    const char *kind = c->failed == 0 ? "n" : c->failed < c->judged ? "n some" : "n bad";
    return dc_buf_printf(out, "<td class=\"%s\">%" PRIu64 "/%" PRIu64 "</td>", kind, c->failed,
                         c->judged);
}

/* One operator's cells, cell[0..n) by step. */
static dc_status put_line(dc_buf *out, const dc_heat_cell *cell, size_t n, const dc_pool *names,
                          const int64_t *step, size_t steps)
{
    size_t at = 0;
    dc_status st = put_element(out, "<tr><td>", dc_pool_text(names, cell->op_type), "</td>");
    if (st == DC_OK)
        st = put_element(out, "<td class=\"name\">", dc_pool_text(names, cell->op), "</td>");
    for (size_t s = 0; st == DC_OK && s < steps; s++) {
        while (at < n && cell[at].step < step[s])
            at++;
        st = put_cell(out, at < n && cell[at].step == step[s] ? &cell[at] : NULL);
    }
    return st == DC_OK ? dc_buf_puts(out, "</tr>\n") : st;
}

static dc_status put_heat(dc_buf *out, const dc_heat *h, const dc_pool *names)
{
    int64_t *step = NULL;
    size_t steps = 0;
    if (h->lines == 0)
        return DC_OK;
    dc_status st = list_steps(&step, &steps, h);
    if (st != DC_OK || !step)
        return st;
    st = dc_buf_printf(
        out,
        "<h2>Failing tensors by operator and step</h2>\n<p>Failed of judged, over all "
        "ranks; operators in order of execution%s.</p>\n<table><thead><tr><th>Type</th>"
        "<th>Operator</th>",
        h->lines > DC_PAGE_LINES || steps == DC_PAGE_STEPS ? "; of many the first" : "");
    for (size_t s = 0; st == DC_OK && s < steps; s++)
        st = step[s] < 0 ? dc_buf_puts(out, "<th></th>")
                         : dc_buf_printf(out, "<th>step %" PRId64 "</th>", step[s]);
    if (st == DC_OK)
        st = dc_buf_puts(out, "</tr></thead><tbody>\n");
    for (size_t i = 0, end; st == DC_OK && i < h->n && h->cell[i].line < DC_PAGE_LINES; i = end) {
        for (end = i + 1; end < h->n && h->cell[end].line == h->cell[i].line;)
            end++;
        st = put_line(out, &h->cell[i], end - i, names, step, steps);
    }
    free(step);
    return st == DC_OK ? dc_buf_puts(out, "</tbody></table>\n") : st;
}

/* -- failing tensors -- */

static dc_status put_rows_head(dc_buf *out, const dc_report_ask *ask)
{
    uint64_t n = ask->outcome->failed;
    dc_status st = dc_buf_printf(
        out,
        "<h2>Failing tensors</h2>\n<p>%s%" PRIu64 " %s in order of execution; all tensors "
        "are in <a href=\"result.csv\">result.csv</a>, what was paired with what in <a "
        "href=\"alignment.csv\">alignment.csv</a>. <input id=\"find\" "
        "placeholder=\"show rows with...\"></p>\n<table><thead><tr>",
        n > DC_PAGE_ROWS ? "The first 1000 of " : "", n,
        dc_word(n, "failing tensor", "failing tensors"));
    for (size_t c = 0; st == DC_OK && c < SHOWN; c++)
        st = dc_buf_printf(out, "<th>%s</th>", shown[c]);
    return st == DC_OK ? dc_buf_puts(out, "</tr></thead><tbody id=\"rows\">\n") : st;
}

static dc_status put_row(dc_buf *out, const dc_line *l)
{
    dc_buf cell = {0};
    dc_status st = dc_buf_puts(out, "<tr>");
    for (size_t c = 0; st == DC_OK && c < SHOWN; c++) {
        size_t column = column_of(shown[c]);
        bool text = dc_column_kind_of(column) == DC_COLUMN_TEXT;
        cell.n = 0;
        st = dc_column_cell(&cell, column, l);
        if (st == DC_OK)
            st = dc_buf_add(&cell, "", 1);
        if (st == DC_OK)
            st = put_element(out, text ? "<td class=\"name\">" : "<td class=\"n\">", cell.data,
                             "</td>");
    }
    dc_buf_free(&cell);
    return st == DC_OK ? dc_buf_puts(out, "</tr>\n") : st;
}

/* Ours of the first failing rows; `before`: failing rows of the processes before this one. */
static dc_status put_rows(dc_buf *out, const dc_report_ask *ask, uint64_t before)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < ask->rows->n && before < DC_PAGE_ROWS; i++) {
        const dc_line l = {.row = &ask->rows->row[i], .rows = ask->rows, .metrics = ask->metrics};
        if (!dc_row_failed(l.row))
            continue;
        before++;
        st = put_row(out, &l);
    }
    return st;
}

dc_status dc_page_make(dc_report_parts *p, const dc_report_ask *ask, const dc_par *par)
{
    dc_heat heat = {0};
    uint64_t failed = 0;
    for (uint64_t i = 0; i < ask->rows->n; i++)
        failed += dc_row_failed(&ask->rows->row[i]);
    const uint64_t before = dc_par_before_u64(failed, par);
    dc_status st = dc_heat_make(&heat, ask->rows, par);
    if (st == DC_OK && par->process == 0) {
        st = dc_buf_puts(&p->head, page_head);
        if (st == DC_OK)
            st = put_answer(&p->head, ask->outcome);
        if (st == DC_OK)
            st = put_summary(&p->head, ask);
        if (st == DC_OK)
            st = put_heat(&p->head, &heat, ask->rows->catalog);
        if (st == DC_OK)
            st = put_rows_head(&p->head, ask);
        if (st == DC_OK)
            st = dc_buf_puts(&p->tail, page_tail);
    }
    if (st == DC_OK)
        st = put_rows(&p->body, ask, before);
    dc_heat_fini(&heat);
    return dc_par_agree(st, par);
}
