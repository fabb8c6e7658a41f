/* compare/report.c - see report.h */
#include "compare/report.h"

#include "io/path.h"
#include "io/text_out.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file being written by process 0 under a temporary name. */
typedef struct output {
    char *path, *part;
    int fd;
} output;

static dc_status output_open(output *o, const char *dir, const char *name)
{
    dc_buf part = {0};
    dc_status st = dc_mkdirs(dir);
    if (st != DC_OK)
        return st;
    o->path = dc_path_join(dir, name);
    if (!o->path)
        return DC_ENOMEM;
    st = dc_buf_printf(&part, "%s.part%c", o->path, '\0');
    o->part = part.data;
    if (st != DC_OK)
        return st;
    o->fd = open(o->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return o->fd < 0 ? dc_fail_errno("%s", o->part) : DC_OK;
}

/* dc_par_sink */
static dc_status output_put(void *context, const char *data, size_t n)
{
    output *o = context;
    if (dc_fault("report.write"))
        return dc_fail(DC_ENOSPACE, "%s: No space left on device", o->part);
    while (n > 0) {
        ssize_t put = write(o->fd, data, n);
        if (put < 0)
            return dc_fail_errno("%s", o->part);
        data += put;
        n -= (size_t)put;
    }
    return DC_OK;
}

static dc_status output_close(output *o, dc_status st)
{
    if (o->fd >= 0 && close(o->fd) != 0 && st == DC_OK)
        st = dc_fail_errno("%s", o->part);
    free(o->path);
    free(o->part);
    *o = (output){.fd = -1};
    return st;
}

static const char *const file_name[] = {"alignment.csv", "result.json", "result.csv"};
enum { ALIGNMENT, JSON, CSV, FILES };

/* Process 0, when all files are written or one is not: give them their names, or remove them. */
static dc_status settle(const char *dir, dc_status st)
{
    dc_buf part = {0};
    for (size_t i = 0; i < FILES; i++) {
        part.n = 0;
        char *path = dc_path_join(dir, file_name[i]);
        dc_status named = path ? dc_buf_printf(&part, "%s.part%c", path, '\0') : DC_ENOMEM;
        if (named == DC_OK && st == DC_OK && rename(part.data, path) != 0)
            st = dc_fail_errno("%s", path);
        else if (named == DC_OK && st != DC_OK)
            unlink(part.data);
        free(path);
        st = st == DC_OK ? named : st;
    }
    dc_buf_free(&part);
    return st;
}

/* One file made of a head and a tail of process 0 and a body of each process. */
typedef struct parts {
    dc_buf head, body, tail;
} parts;

static void parts_free(parts *p)
{
    dc_buf_free(&p->head);
    dc_buf_free(&p->body);
    dc_buf_free(&p->tail);
}

/* Write a file under its temporary name. local: each process's status while it made its parts,
 * which are freed. Collective. */
static dc_status write_file(const char *dir, int file, parts *p, dc_status local, const dc_par *par)
{
    output o = {.fd = -1};
    bool first = par->process == 0;
    if (local == DC_OK && first)
        local = output_open(&o, dir, file_name[file]);
    if (local == DC_OK && first)
        local = output_put(&o, p->head.data, p->head.n);
    dc_status st = dc_par_agree(local, par);
    if (st == DC_OK)
        st = dc_par_concatenate(output_put, &o, p->body.data, p->body.n, par);
    if (st == DC_OK && first)
        st = output_put(&o, p->tail.data, p->tail.n);
    if (first)
        st = output_close(&o, st);
    parts_free(p);
    return dc_par_agree(st, par);
}

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

static dc_status make_csv(parts *p, const dc_report_ask *ask, uint64_t before)
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
                           ",\"not_counted\":%" PRIu64 ",\"goldens_unused\":%" PRIu64
                           "},\n\"first_bad\":",
                           o->rows, o->passed, o->failed, o->missed, o->not_counted,
                           ask->alignment->goldens_unused);
    if (st == DC_OK)
        st = o->found ? dc_json_text(out, o->first_bad) : dc_buf_puts(out, "null");
    return st == DC_OK ? dc_buf_puts(out, ",\n\"rows\":[") : st;
}

static dc_status make_json(parts *p, const dc_report_ask *ask, uint64_t before)
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

static dc_status make_alignment(parts *p, const dc_report_ask *ask)
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
    parts p = {0};
    uint64_t before = dc_par_before_u64(ask->rows->n, par);
    dc_status st = write_file(ask->dir, ALIGNMENT, &p, make_alignment(&p, ask), par);
    if (st == DC_OK)
        st = write_file(ask->dir, JSON, &p, make_json(&p, ask, before), par);
    if (st == DC_OK)
        st = write_file(ask->dir, CSV, &p, make_csv(&p, ask, before), par);
    if (par->process == 0)
        st = settle(ask->dir, st);
    return dc_par_agree(st, par);
}
