/* io/steps.c - see steps.h */
#include "io/steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What one reader takes beyond "D" and "D-D" with first <= last. */
typedef struct rules {
    const char *whose;
    bool blanks;       /* around numbers */
    bool empty_piece;  /* skipped */
    bool final_bar;    /* one '|' at the end is dropped */
    bool empty_number; /* "-5", "5-" and an empty piece: the missing side is 0 */
    bool open_end;     /* "5-" is 5 */
    bool equal;        /* "5-5" */
    bool reversed;     /* order not checked (GE_JSON) or the pair swapped (DEVICE): same set */
    uint64_t largest;  /* number accepted */
    uint64_t clamp;    /* what a number that does not fit becomes */
} rules;

static const rules grammars[] = {
    [DC_STEPS_ADUMP] = {.equal = true, .largest = UINT64_MAX, .clamp = INT64_MAX},
    [DC_STEPS_GE_JSON] = {.empty_number = true,
                          .equal = true,
                          .reversed = true,
                          .largest = UINT64_MAX,
                          .clamp = UINT64_MAX},
    [DC_STEPS_GE_OPTION] = {.largest = INT32_MAX, .clamp = UINT64_MAX},
    [DC_STEPS_TF] = {.final_bar = true,
                     .open_end = true,
                     .largest = INT32_MAX,
                     .clamp = UINT64_MAX},
    [DC_STEPS_TF_OLD] = {.largest = UINT64_MAX, .clamp = UINT64_MAX},
    [DC_STEPS_DEVICE] = {.blanks = true,
                         .empty_piece = true,
                         .equal = true,
                         .reversed = true,
                         .largest = UINT64_MAX,
                         .clamp = UINT64_MAX},
    [DC_STEPS_STRICT] = {.largest = INT32_MAX, .clamp = UINT64_MAX},
};
static const char *const readers[] = {
#define X(id, whose) [DC_STEPS_##id] = whose,
    DC_STEPS_GRAMMARS(X)
#undef X
};

typedef struct piece {
    const char *what, *text;
    size_t n, index;
    dc_steps_grammar grammar;
} piece;

static dc_status refuse(const piece *p, const char *why)
{
    return dc_fail(DC_EARG, "%s: piece %zu, \"%.*s\", %s (rules of %s; example: 0|3-5|10)", p->what,
                   p->index + 1, p->n > 60 ? 60 : (int)p->n, p->text, why, readers[p->grammar]);
}

static bool blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* One number from text[0..n): false when something else than digits is there. */
static bool number(uint64_t *out, bool *empty, const char *text, size_t n, const rules *r)
{
    while (r->blanks && n && blank(text[0]))
        text++, n--;
    while (r->blanks && n && blank(text[n - 1]))
        n--;
    uint64_t v = 0;
    bool fits = true;
    *empty = n == 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        fits = fits && dc_mul_u64(&v, v, 10) && dc_add_u64(&v, v, (uint64_t)(text[i] - '0'));
    }
    *out = !fits || v > r->clamp ? r->clamp : v;
    return true;
}

static dc_status check_order(struct dc_steps_range *range, const piece *p, const rules *r)
{
    if (range->first > r->largest || range->last > r->largest)
        return refuse(p, "has a number over 2147483647");
    if (range->first == range->last && !r->equal)
        return refuse(p, "must go up: its two numbers are equal");
    if (range->first <= range->last)
        return DC_OK;
    if (!r->reversed)
        return refuse(p, "is reversed: the first number must not be larger than the second");
    uint64_t first = range->first;
    range->first = range->last;
    range->last = first;
    return DC_OK;
}

static dc_status parse_piece(struct dc_steps_range *range, const piece *p, const rules *r)
{
    const char *dash = memchr(p->text, '-', p->n);
    size_t nfirst = dash ? (size_t)(dash - p->text) : p->n;
    bool no_first, no_last;
    if (!number(&range->first, &no_first, p->text, nfirst, r))
        return refuse(p, "is not a number or a range of two numbers");
    if (no_first && !r->empty_number)
        return refuse(p, dash ? "begins with '-'" : "is empty");
    if (!dash) {
        range->last = range->first;
        return range->first > r->largest ? refuse(p, "is over 2147483647") : DC_OK;
    }
    size_t nlast = p->n - nfirst - 1;
    if (memchr(dash + 1, '-', nlast))
        return refuse(p, "has more than two numbers");
    if (!number(&range->last, &no_last, dash + 1, nlast, r))
        return refuse(p, "is not a number or a range of two numbers");
    if (no_last && !r->empty_number) {
        if (!r->open_end)
            return refuse(p, "ends with '-'");
        range->last = range->first;
        return range->first > r->largest ? refuse(p, "is over 2147483647") : DC_OK;
    }
    return check_order(range, p, r);
}

static bool all_blank(const piece *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!blank(p->text[i]))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct dc_steps_range *l = a, *r = b;
    return (l->first > r->first) - (l->first < r->first);
}

static void merge(dc_steps *s)
{
    size_t n = 0;
    if (!s->n)
        return;
    qsort(s->range, s->n, sizeof *s->range, compare);
    for (size_t i = 1; i < s->n; i++) {
        struct dc_steps_range *last = &s->range[n], *next = &s->range[i];
        if (next->first > last->last && next->first - last->last > 1)
            s->range[++n] = *next;
        else if (next->last > last->last)
            last->last = next->last;
    }
    s->n = n + 1;
}

dc_status dc_steps_parse(dc_steps *out, const char *text, dc_steps_grammar grammar,
                         const char *what)
{
    const rules *r = &grammars[grammar];
    size_t n = strlen(text);
    dc_status st = DC_OK;
    *out = (dc_steps){0};
    if (r->final_bar && n > 1 && text[n - 1] == '|')
        n--;
    if (!n)
        return DC_OK;
    size_t pieces = 1;
    for (size_t i = 0; i < n; i++)
        pieces += text[i] == '|';
    if (pieces > DC_STEPS_MAX_PIECES)
        return dc_fail(DC_EARG, "%s: has %zu pieces; at most %d are allowed", what, pieces,
                       DC_STEPS_MAX_PIECES);
    out->range = calloc(pieces, sizeof *out->range);
    if (!out->range)
        return dc_fail_memory();
    piece p = {.what = what, .text = text, .grammar = grammar};
    for (; st == DC_OK && p.index < pieces; p.index++, p.text += p.n + 1) {
        size_t left = n - (size_t)(p.text - text);
        const char *bar = memchr(p.text, '|', left);
        p.n = bar ? (size_t)(bar - p.text) : left;
        if (r->empty_piece && all_blank(&p))
            continue;
        st = parse_piece(&out->range[out->n++], &p, r);
    }
    if (st != DC_OK)
        dc_steps_fini(out);
    else
        merge(out);
    return st;
}

void dc_steps_fini(dc_steps *s)
{
    free(s->range);
    *s = (dc_steps){0};
}

dc_status dc_steps_print(dc_buf *out, const dc_steps *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct dc_steps_range *r = &s->range[i];
        dc_status st = dc_buf_printf(out, "%s%" PRIu64, i ? "|" : "", r->first);
        if (st == DC_OK && r->last > r->first)
            st = dc_buf_printf(out, "-%" PRIu64, r->last);
        if (st != DC_OK)
            return st;
    }
    return DC_OK;
}
