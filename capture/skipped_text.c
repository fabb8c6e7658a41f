/* capture/skipped_text.c - see skipped_text.h */
#include "capture/skipped_text.h"

#include "io/cmp.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMED        3  /* examples per reason */
#define MOST_REASONS 20 /* lines of a kind */
#define DIGITS       "0123456789"

typedef enum kind { FILES, DIRECTORIES, OPERATORS, KINDS } kind;

static const struct {
    const char *one, *many, *what;
} said[KINDS] = {{"file", "files", "gave no tensors"},
                 {"directory", "directories", "could not be read"},
                 {"operator", "operators", "not complete"}};

typedef struct by_reason {
    const dc_skipped *row;
    const char *text; /* of the reason */
    kind kind;
    uint64_t order;
} by_reason;

static kind kind_of(const dc_skipped *row, const dc_pool *names)
{
    if (row->fault == DC_SKIPPED_PARTLY)
        return OPERATORS;
    return *dc_pool_text(names, row->file) ? FILES : DIRECTORIES;
}

/* Reasons that differ in numbers alone are one. */
static int compare_forms(const char *a, const char *b)
{
    for (;; a++, b++) {
        size_t m = strspn(a, DIGITS), n = strspn(b, DIGITS);
        a += m;
        b += n;
        if (!m != !n)
            return m ? 1 : -1;
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    }
}

static int compare_reasons(const void *a, const void *b)
{
    const by_reason *x = a, *y = b;
    int c = DC_CMP(x->kind, y->kind);
    if (!c)
        c = compare_forms(x->text, y->text);
    return c ? c : DC_CMP(x->order, y->order);
}

/* A reason's text, with N for numbers where they differ. */
static dc_status add_form(dc_buf *out, const char *text, bool differ)
{
    dc_status st = DC_OK;
    while (st == DC_OK && *text) {
        size_t digits = strspn(text, DIGITS), n = digits ? digits : strcspn(text, DIGITS);
        st = digits && differ ? dc_buf_puts(out, "N") : dc_buf_add(out, text, n);
        text += n;
    }
    return st;
}

static dc_status add_reason(dc_buf *out, const by_reason *r, uint64_t n, const dc_pool *names)
{
    char file[DC_FILE_NAME];
    bool differ = false;
    for (uint64_t i = 1; i < n; i++)
        differ = differ || r[i].row->reason != r[0].row->reason;
    dc_status st = dc_buf_printf(out, "  %" PRIu64 " ", n);
    if (st == DC_OK)
        st = add_form(out, r->text, differ);
    for (uint64_t i = 0; st == DC_OK && i < n && i < NAMED; i++)
        st = dc_buf_printf(out, "%s%s/%s", i ? ", " : ": ", dc_pool_text(names, r[i].row->dir),
                           dc_file_name(file, names, r[i].row->file, r[i].row->file_number));
    if (st == DC_OK)
        st = dc_buf_puts(out, n > NAMED ? ", ...\n" : "\n");
    return st;
}

/* The line about n > 0 rows of a kind. */
static dc_status add_number(dc_buf *out, kind k, uint64_t n, uint64_t files)
{
    dc_status st = dc_buf_printf(out, "%" PRIu64 " ", n);
    if (st == DC_OK && k == FILES && files)
        st = dc_buf_printf(out, "of %" PRIu64 " %s ", files,
                           dc_word(files, said[k].one, said[k].many));
    else if (st == DC_OK)
        st = dc_buf_printf(out, "%s ", dc_word(n, said[k].one, said[k].many));
    if (st == DC_OK && k == OPERATORS)
        st = dc_buf_puts(out, dc_word(n, "is ", "are "));
    return st == DC_OK ? dc_buf_printf(out, "%s%s", said[k].what, files ? ":\n" : "\n") : st;
}

static dc_status add_kind(dc_buf *out, const by_reason *r, uint64_t n, const dc_pool *names,
                          uint64_t files)
{
    uint64_t i = 0, lines = 0;
    dc_status st = add_number(out, r->kind, n, files);
    for (uint64_t same; st == DC_OK && files && i < n && lines < MOST_REASONS; i += same, lines++) {
        for (same = 1; i + same < n && compare_forms(r[i + same].text, r[i].text) == 0;)
            same++;
        st = add_reason(out, &r[i], same, names);
    }
    return st == DC_OK && files && i < n
               ? dc_buf_printf(out, "  %" PRIu64 " more: dumpcap ls --skipped lists them\n", n - i)
               : st;
}

dc_status dc_skipped_text(dc_buf *out, const dc_skipped *row, uint64_t n, const dc_pool *names,
                          uint64_t files)
{
    by_reason *r = malloc((n + 1) * sizeof *r);
    dc_status st = r ? DC_OK : dc_fail_memory();
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        r[i] = (by_reason){&row[i], dc_pool_text(names, row[i].reason), kind_of(&row[i], names), i};
    if (st == DC_OK && n)
        qsort(r, n, sizeof *r, compare_reasons);
    for (uint64_t i = 0, same; st == DC_OK && i < n; i += same) {
        for (same = 1; i + same < n && r[i + same].kind == r[i].kind;)
            same++;
        st = add_kind(out, &r[i], same, names, files);
    }
    free(r);
    return st;
}

dc_status dc_skipped_load(dc_skipped **row, const dc_store *s)
{
    uint64_t n = dc_store_skipped(s);
    *row = malloc((n + 1) * sizeof **row);
    return *row ? dc_store_get_skipped(*row, s, 0, n) : dc_fail_memory();
}

static uint64_t count_faults(const dc_skipped *row, uint64_t n)
{
    uint64_t faults = 0;
    for (uint64_t i = 0; i < n; i++)
        faults += row[i].fault != DC_SKIPPED_OTHER;
    return faults;
}

dc_status dc_skipped_recall(dc_buf *out, uint64_t *faults, const dc_store *s)
{
    dc_skipped *row = NULL;
    dc_status st = dc_skipped_load(&row, s);
    if (st == DC_OK) {
        *faults = count_faults(row, dc_store_skipped(s));
        st = dc_skipped_text(out, row, dc_store_skipped(s), dc_store_names(s), 0);
    }
    free(row);
    return st;
}
