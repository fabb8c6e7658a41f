/* io/pblex.c - see pblex.h */
#include "io/pblex.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void count_lines(dc_pbtext *p)
{
    for (; p->counted < p->at; p->counted++)
        p->line += *p->counted == '\n';
}

dc_status dc_pbtext_fail(dc_pbtext *p, const char *format, ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (p->io != DC_OK)
        return p->io; /* its message stands */
    count_lines(p);
    return dc_fail(DC_EFORMAT, "%s:%llu: %s", p->path, (unsigned long long)p->line, what);
}

bool dc_pblex_fill(dc_pbtext *p)
{
    if (p->fd < 0 || p->io != DC_OK)
        return false;
    count_lines(p);
    ssize_t got;
    do
        got = read(p->fd, p->block, DC_PBTEXT_BLOCK);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        p->io = dc_fail_errno("%s: cannot read", p->path);
    p->at = p->counted = (unsigned char *)p->block;
    p->end = p->at + (got > 0 ? got : 0);
    return got > 0;
}

dc_status dc_pblex_unexpected(dc_pbtext *p, const char *wanted)
{
    int c = dc_pblex_peek(p);
    if (c < 0)
        return dc_pbtext_fail(p, "the file ends where %s is expected", wanted);
    if (isprint(c))
        return dc_pbtext_fail(p, "'%c' where %s is expected", c, wanted);
    return dc_pbtext_fail(p, "byte 0x%02x where %s is expected", (unsigned)c, wanted);
}

static void skip_line(dc_pbtext *p)
{
    while (dc_pblex_peek(p) >= 0) {
        const void *nl = memchr(p->at, '\n', (size_t)(p->end - p->at));
        p->at = nl ? nl : p->end;
        if (nl)
            return;
    }
}

int dc_pblex_space(dc_pbtext *p)
{
    for (;;) {
        int c = dc_pblex_peek(p);
        if (c == '#' && !p->json)
            skip_line(p);
        else if (c == ' ' || (c >= '\t' && c <= '\r'))
            p->at++;
        else
            return c;
    }
}

static dc_status keep(dc_pbtext *p, const void *bytes, size_t n)
{
    if (n > DC_PBTEXT_TEXT - p->text.n)
        return dc_pbtext_fail(p, "a text of more than %u bytes where a name is expected",
                              DC_PBTEXT_TEXT);
    return dc_buf_add(&p->text, bytes, n);
}

static dc_status keep_code_point(dc_pbtext *p, uint32_t u)
{
    unsigned char out[4];
    size_t n = u < 0x80 ? 1 : u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; u >>= 6)
        out[i] = (unsigned char)(0x80 | (u & 0x3f));
    out[0] = (unsigned char)(lead[n] | u);
    return keep(p, out, n);
}

/* Up to max digits of the base as *v; how many there were. */
static int read_digits(uint32_t *v, dc_pbtext *p, int max, uint32_t base)
{
    int n = 0;
    for (*v = 0; n < max; n++) {
        int c = dc_pblex_peek(p);
        if (base == 8 ? c < '0' || c > '7' : c < 0 || !isxdigit(c))
            break;
        uint32_t digit = (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        *v = *v * base + digit;
        p->at++;
    }
    return n;
}

static dc_status read_unicode(dc_pbtext *p, int digits)
{
    uint32_t u, low;
    if (read_digits(&u, p, digits, 16) != digits)
        return dc_pbtext_fail(p, "\\u or \\U without its %d hexadecimal digits", digits);
    if (u >= 0xd800 && u < 0xdc00 && digits == 4) { /* a pair, as JSON writes beyond 2^16 */
        if (dc_pblex_peek(p) != '\\')
            return dc_pbtext_fail(p, "half of a surrogate pair");
        p->at++;
        if (dc_pblex_peek(p) != 'u')
            return dc_pbtext_fail(p, "half of a surrogate pair");
        p->at++;
        if (read_digits(&low, p, 4, 16) != 4 || low < 0xdc00 || low > 0xdfff)
            return dc_pbtext_fail(p, "half of a surrogate pair");
        u = 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
    }
    if (u > 0x10ffff)
        return dc_pbtext_fail(p, "\\U%08x is no character", u);
    return keep_code_point(p, u);
}

/* After the backslash. */
static dc_status read_escape(dc_pbtext *p)
{
    static const char from[] = "nrtabfv\\'\"?/", to[] = "\n\r\t\a\b\f\v\\'\"?/";
    int c = dc_pblex_peek(p);
    if (c < 0)
        return dc_pblex_unexpected(p, "the rest of an escape");
    uint32_t v;
    if (c >= '0' && c <= '7') {
        (void)read_digits(&v, p, 3, 8);
        return keep(p, &(unsigned char){(unsigned char)v}, 1);
    }
    p->at++;
    if (c == 'u' || c == 'U')
        return read_unicode(p, c == 'u' ? 4 : 8);
    if (c == 'x' || c == 'X') {
        if (read_digits(&v, p, 2, 16) == 0)
            return dc_pbtext_fail(p, "\\x without a hexadecimal digit");
        return keep(p, &(unsigned char){(unsigned char)v}, 1);
    }
    const char *hit = c ? strchr(from, c) : NULL;
    if (!hit)
        return dc_pbtext_fail(p, "unknown escape (backslash, then byte 0x%02x)", (unsigned)c);
    return keep(p, to + (hit - from), 1);
}

dc_status dc_pblex_string(dc_pbtext *p, bool skip)
{
    int quote = *p->at++;
    for (;;) {
        if (dc_pblex_peek(p) < 0)
            return dc_pblex_unexpected(p, "the end of a string");
        const unsigned char *run = p->at;
        while (p->at < p->end && *p->at != quote && *p->at != '\\' && *p->at != '\n')
            p->at++;
        dc_status st = skip ? DC_OK : keep(p, run, (size_t)(p->at - run));
        if (st != DC_OK)
            return st;
        if (p->at == p->end)
            continue;
        int c = *p->at;
        if (c == '\n')
            return dc_pbtext_fail(p, "a string is not closed before the end of its line");
        p->at++;
        if (c == quote)
            return DC_OK;
        if (!skip)
            st = read_escape(p);
        else if (dc_pblex_peek(p) >= 0)
            p->at++; /* whatever is escaped, a quote above all */
        if (st != DC_OK)
            return st;
    }
}

static bool is_quote(const dc_pbtext *p, int c)
{
    return c == '"' || (c == '\'' && !p->json);
}

static bool is_bare(int c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '+' || c == '-';
}

/* A number or a word; "- 1" is one too. */
static dc_status read_bare(dc_pbtext *p)
{
    do {
        const unsigned char *run = p->at;
        while (p->at < p->end && is_bare(*p->at))
            p->at++;
        dc_status st = keep(p, run, (size_t)(p->at - run));
        if (st != DC_OK)
            return st;
        if (p->text.n == 1 && p->text.data[0] == '-')
            (void)dc_pblex_space(p);
    } while (dc_pblex_peek(p) >= 0 && is_bare(*p->at));
    return p->text.n ? DC_OK : dc_pblex_unexpected(p, "a value");
}

dc_status dc_pblex_scalar(dc_pbtext *p, bool skip)
{
    dc_status st = DC_OK;
    p->text.n = 0;
    if (is_quote(p, dc_pblex_space(p))) {
        do
            st = dc_pblex_string(p, skip);
        while (st == DC_OK && !p->json && is_quote(p, dc_pblex_space(p)));
    } else {
        st = read_bare(p);
    }
    if (st == DC_OK)
        st = dc_buf_add(&p->text, "", 1);
    if (st == DC_OK)
        p->text.n--;
    return st;
}

static char closer(int open)
{
    return (char)(open == '{' ? '}' : open == '<' ? '>' : ']');
}

void dc_pblex_start(dc_pbtext *p)
{
    if (dc_pblex_peek(p) == 0xef && p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0)
        p->at += 3; /* a byte order mark */
    p->json = dc_pblex_space(p) == '{';
    for (const char *s = p->json ? "\"{}[]" : "\"'{}[]<>#"; *s; s++)
        p->special[(unsigned char)*s] = true;
    if (p->json) {
        p->level[0].close = '}';
        p->at++;
    }
}

dc_status dc_pblex_nested(dc_pbtext *p)
{
    char stack[DC_PBTEXT_DEPTH];
    uint32_t n = 0, room = DC_PBTEXT_DEPTH - p->depth;
    do {
        while (p->at < p->end && !p->special[*p->at])
            p->at++;
        int c = dc_pblex_peek(p);
        if (c < 0)
            return dc_pbtext_fail(p, "the file ends inside a message (%u '%c' are missing)",
                                  n + p->depth, n ? stack[n - 1] : '}');
        if (is_quote(p, c)) {
            dc_status st = dc_pblex_string(p, true);
            if (st != DC_OK)
                return st;
        } else if (c == '#' && !p->json) {
            skip_line(p);
        } else if (!p->special[c]) {
            continue; /* a new block begins */
        } else if (c == '{' || c == '[' || c == '<') {
            if (n >= room)
                return dc_pbtext_fail(p, "nested deeper than %d", DC_PBTEXT_DEPTH);
            stack[n++] = closer(c);
            p->at++;
        } else {
            if (n == 0 || stack[n - 1] != c)
                return dc_pblex_unexpected(p,
                                           n ? (char[]){'\'', stack[n - 1], '\'', 0} : "a value");
            n--;
            p->at++;
        }
    } while (n);
    return DC_OK;
}
