/* io/dump_name.c - see dump_name.h */
#include "io/dump_name.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_FIELDS = 512, FFTS = 4 };

static const dc_dump_name nothing = {.kind = DC_NAME_OTHER,
                                     .task = DC_NAME_NONE,
                                     .stream = DC_NAME_NONE,
                                     .time = DC_NAME_NONE,
                                     .number = DC_NAME_NONE,
                                     .task_type = DC_NAME_NONE,
                                     .context = DC_NAME_NONE,
                                     .thread = DC_NAME_NONE,
                                     .device = DC_NAME_NONE};

void dc_name_sanitise(char *text)
{
    for (; *text; text++)
        if (strchr(" ./\\", *text))
            *text = '_';
}

static bool is(dc_name_part p, const char *text)
{
    return p.n == strlen(text) && memcmp(p.at, text, p.n) == 0;
}

/* p as a decimal number; false for anything else, also for one that does not fit. */
static bool number(uint64_t *out, dc_name_part p)
{
    uint64_t v = 0;
    if (p.n == 0)
        return false;
    for (size_t i = 0; i < p.n; i++) {
        uint64_t digit = (uint64_t)(unsigned char)p.at[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, digit, &v))
            return false;
    }
    *out = v;
    return v != DC_NAME_NONE;
}

static bool is_number(dc_name_part p)
{
    uint64_t v;
    return number(&v, p);
}

static bool is_time(dc_name_part p)
{
    return p.n >= 10 && is_number(p);
}

/* YYYYMMDDhhmmssmmm, which as microseconds would be later than the year 2600. */
static bool is_calendar(dc_name_part p)
{
    static const struct {
        size_t at, n;
        uint64_t low, high;
    } part[] = {{0, 4, 2000, 2099}, {4, 2, 1, 12},  {6, 2, 1, 31},
                {8, 2, 0, 23},      {10, 2, 0, 59}, {12, 2, 0, 60}};
    uint64_t v;
    if (p.n != 17 || !is_number(p))
        return false;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!number(&v, (dc_name_part){p.at + part[i].at, part[i].n}) || v < part[i].low ||
            v > part[i].high)
            return false;
    return true;
}

/* The dot-separated fields of name[0..n); 0 if one is empty or there are too many. */
static size_t split(dc_name_part *field, const char *name, size_t n)
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && name[i] != '.')
            continue;
        if (i == start || count == MAX_FIELDS)
            return 0;
        field[count++] = (dc_name_part){name + start, i - start};
        start = i + 1;
    }
    return count;
}

/* Take task type, context, thread and device off the end of fields; how many fields remain. */
static size_t take_ffts(dc_dump_name *out, const dc_name_part *field, size_t n)
{
    for (size_t more = 4; more >= 3; more--) {
        if (n < more + 2 || !is_time(field[n - more - 1]))
            continue;
        const dc_name_part *f = field + n - more;
        uint64_t v[4] = {FFTS, 0, 0, DC_NAME_NONE};
        bool fits = is(f[0], "FFTSPLUS") || number(&v[0], f[0]);
        for (size_t i = 1; i < more; i++)
            fits = fits && number(&v[i], f[i]);
        if (!fits)
            continue;
        out->task_type = v[0];
        out->context = v[1];
        out->thread = v[2];
        out->device = v[3];
        return n - more;
    }
    return n;
}

static dc_name_part join(const dc_name_part *field, size_t n)
{
    return (dc_name_part){field[0].at, (size_t)(field[n - 1].at - field[0].at) + field[n - 1].n};
}

/* op_type[.op_name][.number].task[.stream], n fields before the time. */
static bool take_ids(dc_dump_name *out, const dc_name_part *field, size_t n)
{
    size_t ids = 0; /* numeric fields at the end, the type not counted */
    while (ids + 1 < n && is_number(field[n - 1 - ids]))
        ids++;
    bool captured =
        n >= 5 && ids >= 3; /* the name, of any number of fields, ends before three ids */
    if (captured)
        ids = 3;
    else if (n == 4 && ids == 3)
        ids = 2; /* an operator whose name is a number */
    if (ids == 0 || ids > 3 || (ids == 3 && !captured) || (ids == 1 && n > 3))
        return false;
    const dc_name_part *id = field + n - ids;
    out->op_type = field[0];
    if (n - ids > 1)
        out->op_name = join(field + 1, n - ids - 1);
    if (captured)
        number(&out->number, *id++);
    number(&out->task, id[0]);
    if (ids > 1)
        number(&out->stream, id[1]);
    return true;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n > m && memcmp(text + n - m, with, m) == 0;
}

/* Any of the forms with a time, name[0..n). */
static bool parse_timed(dc_dump_name *out, const char *name, size_t n)
{
    dc_name_part field[MAX_FIELDS];
    size_t all = split(field, name, n), fields = take_ffts(out, field, all);
    if (fields < 3 || !is_time(field[fields - 1]) || !take_ids(out, field, fields - 1)) {
        *out = nothing;
        return false;
    }
    (void)number(&out->time, field[fields - 1]);
    out->kind = is_calendar(field[fields - 1]) ? DC_NAME_EXCEPTION : DC_NAME_DUMP;
    if (starts(name, "Opdebug.Node_OpDebug."))
        out->kind = DC_NAME_OVERFLOW;
    return true;
}

/* exception_info.{stream}.{task}.{time}: stream before task. */
static bool parse_brief_exception(dc_dump_name *out, const char *name, size_t n)
{
    dc_name_part field[MAX_FIELDS];
    if (!starts(name, "exception_info.") || split(field, name, n) != 4)
        return false;
    if (!number(&out->stream, field[1]) || !number(&out->task, field[2]) ||
        !number(&out->time, field[3])) {
        *out = nothing;
        return false;
    }
    out->op_type = field[0];
    out->kind = DC_NAME_EXCEPTION;
    return true;
}

/* {anything}.input.N... or .output.N..., or a NumPy file: made from a dump by another tool. */
static bool is_converted(const char *name, size_t n)
{
    dc_name_part field[MAX_FIELDS];
    size_t fields = split(field, name, n);
    for (size_t i = 2; i + 1 < fields; i++)
        if ((is(field[i], "input") || is(field[i], "output")) && is_number(field[i + 1]) &&
            is_time(field[i - 1]))
            return true;
    return ends(name, n, ".npy");
}

static bool is_other_exception(const char *name, size_t n)
{
    dc_name_part field[MAX_FIELDS];
    size_t fields = split(field, name, n);
    if (ends(name, n, ".core"))
        return fields >= 5;
    return fields >= 3 && is(field[fields - 2], "custom") && is_time(field[fields - 1]);
}

/* CANN's hash has up to 20 digits and no suffix, msprobe's own 32 and the suffix. */
static bool is_hashed(const char *name, size_t n)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && digits <= 32 && (digits == n || strcmp(name + digits, ".csv") == 0);
}

void dc_dump_name_parse(dc_dump_name *out, const char *name)
{
    size_t n = strlen(name);
    *out = nothing;
    if (strcmp(name, "mapping.csv") == 0)
        out->kind = DC_NAME_MAPPING;
    else if (is_hashed(name, n))
        out->kind = DC_NAME_HASHED;
    else if (parse_brief_exception(out, name, n))
        return;
    else if (is_converted(name, n))
        out->kind = DC_NAME_CONVERTED;
    else if (is_other_exception(name, n))
        out->kind = DC_NAME_EXCEPTION;
    else if (!ends(name, n, ".csv"))
        (void)parse_timed(out, name, n);
    else if (strcmp(name, "statistic.csv") == 0 || parse_timed(out, name, n - 4))
        out->kind = DC_NAME_STATISTICS;
}
