/* io/stats_csv.c - reading statistics files. See stats_csv.h. */
#include "io/stats_csv.h"

#include "io/dtype.h"
#include "io/format.h"
#include "io/path.h"
#include "io/word.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_FIELDS 64
#define MOST_BYTES  ((size_t)256 << 20)

static const struct {
    const char *name, *other;
} column_name[] = {
#define X(id, name, other) {name, other},
    DC_STATS_COLUMNS(X)
#undef X
};

typedef struct header {
    uint64_t offset; /* of its line */
    int fields;
    int counts;                        /* columns called Count */
    int first_count;                   /* the first of them, if it follows Shape; else -1 */
    int column[DC_STATS_COLUMN_COUNT]; /* field of each, -1 without */
} header;

struct dc_stats_csv {
    char *text, *path;
    size_t n;
    header *head;
    size_t heads, caphead;
};

/* A line as fields, quotes taken off. */
typedef struct line {
    dc_stats_text field[MOST_FIELDS];
    int fields;   /* MOST_FIELDS + 1: too many */
    uint64_t end; /* offset of the next line */
} line;

/* A NUL may stand between rows: CANN counts its texts' ends as part of them. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '"' || c == '\r' || c == '\0';
}

static dc_stats_text trim(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    while (at < end && is_blank(end[-1]))
        end--;
    return (dc_stats_text){at, (size_t)(end - at)};
}

static void split(line *l, const dc_stats_csv *c, uint64_t start)
{
    const char *at = c->text + start, *stop = memchr(at, '\n', c->n - start);
    const char *end = stop ? stop : c->text + c->n, *from = at;
    bool quoted = false;
    l->fields = 0;
    l->end = (uint64_t)(end - c->text) + (stop ? 1 : 0);
    for (; at <= end && l->fields <= MOST_FIELDS; at++) {
        if (at < end && *at == '"')
            quoted = !quoted;
        if (at < end && (*at != ',' || quoted))
            continue;
        if (l->fields < MOST_FIELDS)
            l->field[l->fields] = trim(from, at);
        l->fields++;
        from = at + 1;
    }
}

static bool is(dc_stats_text t, const char *text)
{
    return text && strlen(text) == t.n && strncasecmp(t.at, text, t.n) == 0;
}

static bool is_header(const line *l)
{
    return l->fields > 2 && (is(l->field[0], "Input/Output") || is(l->field[0], "Op Type"));
}

static void read_header(header *h, const line *l, uint64_t offset)
{
    *h = (header){.offset = offset, .fields = l->fields, .first_count = -1};
    for (int k = 0; k < DC_STATS_COLUMN_COUNT; k++) {
        h->column[k] = -1;
        for (int f = 0; f < l->fields && f < MOST_FIELDS; f++)
            if (is(l->field[f], column_name[k].name) || is(l->field[f], column_name[k].other))
                h->column[k] = f;
    }
    for (int f = 0; f < l->fields && f < MOST_FIELDS; f++)
        if (is(l->field[f], column_name[DC_STATS_COUNT].name) && h->counts++ == 0 &&
            f == h->column[DC_STATS_SHAPE] + 1)
            h->first_count = f;
}

static dc_status find_headers(dc_stats_csv *c)
{
    line l;
    for (uint64_t at = 0; at < c->n; at = l.end) {
        split(&l, c, at);
        if (!is_header(&l) || l.fields >= MOST_FIELDS)
            continue;
        dc_status st = dc_grow((void **)&c->head, &c->caphead, c->heads, 1, sizeof *c->head);
        if (st != DC_OK)
            return st;
        read_header(&c->head[c->heads++], &l, at);
    }
    const header *h = c->head;
    if (c->heads == 0 || h->column[DC_STATS_IO] < 0 || h->column[DC_STATS_SLOT] < 0)
        return dc_fail(DC_EFORMAT, "%s: no header of a statistics file", c->path);
    return DC_OK;
}

static dc_status begin(dc_stats_csv **out, char *text, size_t n, const char *path)
{
    dc_stats_csv *c = calloc(1, sizeof *c);
    if (!c || !text || !(c->path = strdup(path))) {
        free(c);
        free(text);
        return dc_fail_memory();
    }
    c->text = text;
    c->n = n;
    dc_status st = find_headers(c);
    if (st != DC_OK)
        dc_stats_free(c);
    else
        *out = c;
    return st;
}

dc_status dc_stats_open(dc_stats_csv **out, const char *path)
{
    char *text;
    size_t n;
    dc_status st = dc_read_file(&text, &n, path, MOST_BYTES);
    return st == DC_OK ? begin(out, text, n, path) : st;
}

dc_status dc_stats_parse(dc_stats_csv **out, const char *text, size_t n, const char *path)
{
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = '\0'; /* numbers at the end of the text must end */
    }
    return begin(out, copy, n, path);
}

void dc_stats_free(dc_stats_csv *c)
{
    if (!c)
        return;
    free(c->text);
    free(c->path);
    free(c->head);
    free(c);
}

/* The header in force at a row. */
static const header *header_of(const dc_stats_csv *c, uint64_t offset)
{
    size_t lo = 0, hi = c->heads;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (c->head[mid].offset <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return &c->head[lo];
}

/* Put a short row in step with its header: what is missing is its first Count. */
static dc_status straighten(line *l, const header *h, const dc_stats_csv *c, uint64_t offset)
{
    bool trailing =
             l->fields == h->fields + 1 && h->fields < MOST_FIELDS && l->field[h->fields].n == 0,
         headless = l->fields == h->fields - 1 && h->first_count >= 0;
    if (l->fields <= MOST_FIELDS && (l->fields == h->fields || trailing))
        return DC_OK;
    if (!headless) {
        size_t number = 1;
        for (uint64_t i = 0; i < offset; i++)
            number += c->text[i] == '\n';
        return dc_fail(DC_EFORMAT, "%s: line %zu has %d %s, its header %d", c->path, number,
                       l->fields, dc_word((uint64_t)l->fields, "field", "fields"), h->fields);
    }
    for (int f = l->fields; f > h->first_count; f--)
        l->field[f] = l->field[f - 1];
    l->field[h->first_count] = (dc_stats_text){"", 0};
    l->fields++;
    return DC_OK;
}

static dc_stats_text field(const line *l, const header *h, dc_stats_column k)
{
    return h->column[k] < 0 ? (dc_stats_text){"", 0} : l->field[h->column[k]];
}

/* Text of a field as a string. */
static bool copy_text(char *out, size_t size, dc_stats_text t)
{
    if (t.n == 0 || t.n >= size)
        return false;
    memcpy(out, t.at, t.n);
    out[t.n] = '\0';
    return true;
}

static double real(dc_stats_text t)
{
    char text[64], *end;
    if (!copy_text(text, sizeof text, t))
        return NAN;
    if (is(t, "true") || is(t, "false")) /* MindSpore's extrema of bool */
        return is(t, "true");
    double v = strtod(text, &end);
    return *end ? NAN : v;
}

static uint64_t whole(dc_stats_text t)
{
    char text[32], *end;
    if (!copy_text(text, sizeof text, t) || strspn(text, "0123456789") != t.n || t.n > 19)
        return DC_NOT_TOLD;
    return strtoull(text, &end, 10);
}

/* "4x50x16" or "(4, 50, 16)"; false if there is none, or none that is one. */
static bool read_shape(dc_shape *s, dc_stats_text t)
{
    char text[DC_SHAPE_TEXT];
    size_t n = 0;
    bool listed = t.n && t.at[0] == '(';
    for (size_t i = 0; i < t.n && n + 1 < sizeof text; i++) {
        char ch = t.at[i] == ',' ? 'x' : t.at[i];
        if (listed && strchr("() ", ch))
            continue;
        text[n++] = ch;
    }
    if (listed && n && text[n - 1] == 'x') /* (4,) */
        n--;
    text[n] = '\0';
    *s = (dc_shape){0};
    return (listed || n) && dc_shape_parse(s, text) == DC_OK;
}

static void read_tensor(dc_dump_tensor *t, const line *l, const header *h, uint64_t offset)
{
    char name[64] = "";
    dc_stats_text shape = field(l, h, DC_STATS_SHAPE), format = field(l, h, DC_STATS_FORMAT);
    uint64_t count = whole(field(l, h, DC_STATS_COUNT)), slot = whole(field(l, h, DC_STATS_SLOT));
    *t = (dc_dump_tensor){.direction = is(field(l, h, DC_STATS_IO), "input") ? DC_INPUT : DC_OUTPUT,
                          .slot = slot > UINT32_MAX ? DC_UNSET : (uint32_t)slot,
                          .origin_name = "",
                          .origin_slot = DC_UNSET,
                          .origin_dtype = -1,
                          .origin_format = -1,
                          .arg_index = DC_UNSET,
                          .size = whole(field(l, h, DC_STATS_BYTES))};
    t->offset = offset;
    int dtype =
        copy_text(name, sizeof name, field(l, h, DC_STATS_DTYPE)) ? dc_dtype_by_name(name) : -1;
    t->dtype = dtype < 0 ? 255 : (uint32_t)dtype;
    int number = copy_text(name, sizeof name, format) ? dc_format_by_name(name) : DC_FORMAT_ND;
    t->format = is(format, "-") ? DC_FORMAT_ND : number < 0 ? DC_STATS_NO_FORMAT : (uint32_t)number;
    if (t->size == DC_NOT_TOLD)
        t->size = 0;
    t->bytes = t->size;
    if (!read_shape(&t->shape, shape) && count != DC_NOT_TOLD && count != 1) {
        t->shape = (dc_shape){1, {count}};
        t->flags |= DC_DUMP_SHAPE_GUESSED;
    }
}

static void read_result(dc_result *r, const line *l, const header *h)
{
    *r = (dc_result){.min = real(field(l, h, DC_STATS_MIN)),
                     .max = real(field(l, h, DC_STATS_MAX)),
                     .mean = real(field(l, h, DC_STATS_MEAN)),
                     .l2 = real(field(l, h, DC_STATS_L2)),
                     .nan = whole(field(l, h, DC_STATS_NAN)),
                     .pos_inf = whole(field(l, h, DC_STATS_POS_INF)),
                     .neg_inf = whole(field(l, h, DC_STATS_NEG_INF)),
                     .zero = whole(field(l, h, DC_STATS_ZERO)),
                     .state = DC_STATISTICS};
}

dc_status dc_stats_next(dc_stats_row *row, bool *more, const dc_stats_csv *c, uint64_t *at)
{
    line l = {.fields = 0};
    *more = false;
    *row = (dc_stats_row){0};
    while (*at < c->n) {
        uint64_t offset = *at;
        split(&l, c, offset);
        *at = l.end;
        if ((l.fields == 1 && l.field[0].n == 0) || is_header(&l) || offset < c->head[0].offset)
            continue;
        *more = true;
        const header *h = header_of(c, offset);
        dc_status st = straighten(&l, h, c, offset);
        if (st != DC_OK)
            return st;
        *row = (dc_stats_row){.offset = offset,
                              .type = field(&l, h, DC_STATS_OP_TYPE),
                              .name = field(&l, h, DC_STATS_OP_NAME),
                              .task = whole(field(&l, h, DC_STATS_TASK)),
                              .stream = whole(field(&l, h, DC_STATS_STREAM)),
                              .time = whole(field(&l, h, DC_STATS_TIME))};
        read_tensor(&row->tensor, &l, h, offset);
        read_result(&row->result, &l, h);
        if (!is(field(&l, h, DC_STATS_IO), "input") && !is(field(&l, h, DC_STATS_IO), "output"))
            return dc_fail(DC_EFORMAT, "%s: a row is neither of an input nor of an output",
                           c->path);
        if (row->tensor.slot == DC_UNSET)
            return dc_fail(DC_EFORMAT, "%s: a row has no index", c->path);
        return DC_OK;
    }
    return DC_OK;
}

dc_dump_name dc_stats_name(const dc_stats_row *row)
{
    return (dc_dump_name){.kind = DC_NAME_STATISTICS,
                          .op_type = {row->type.at, row->type.n},
                          .op_name = {row->name.at, row->name.n},
                          .task = row->task,
                          .stream = row->stream,
                          .time = row->time,
                          .number = DC_NAME_NONE,
                          .task_type = DC_NAME_NONE,
                          .context = DC_NAME_NONE,
                          .thread = DC_NAME_NONE,
                          .device = DC_NAME_NONE};
}
