/* io/json_syntax.c - see json_syntax.h */
#include "io/json_syntax.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 1000 }; /* cJSON's own limit */

typedef enum state {
    VALUE,          /* a value must follow: at the start, after ':' */
    VALUE_OR_CLOSE, /* after '[' */
    VALUE_AGAIN,    /* after ',' in an array */
    KEY_OR_CLOSE,   /* after '{' */
    KEY_AGAIN,      /* after ',' in an object */
    COLON,
    NEXT, /* ',' or the closing bracket */
    END
} state;

static const char *const wanted[] = {
    [VALUE] = "a value",
    [VALUE_OR_CLOSE] = "a value or ']'",
    [VALUE_AGAIN] = "a value",
    [KEY_OR_CLOSE] = "a key in double quotes or '}'",
    [KEY_AGAIN] = "a key in double quotes",
    [COLON] = "':'",
    [NEXT] = "',' or a closing bracket",
    [END] = "nothing more",
};

typedef struct place {
    size_t at, line, column; /* line and column from 1; columns count characters */
} place;

static void advance(place *p, const char *text, size_t at)
{
    for (; p->at < at; p->at++) {
        if (text[p->at] == '\n')
            ++p->line, p->column = 1;
        else if (((unsigned char)text[p->at] & 0xc0) != 0x80)
            ++p->column;
    }
}

typedef struct scan {
    const char *text;
    size_t n, at;
    size_t copied;    /* text before it is in clean already */
    size_t comma;     /* the last comma */
    size_t token_end; /* after the last token */
    unsigned depth;
    char open[DEEPEST]; /* '{' or '[' */
    state state;
    place told; /* of the last mend */
    dc_buf *clean;
    dc_json *doc;
    const dc_json_rules *rules;
} scan;

static dc_status fault(const scan *s, size_t at, const char *what)
{
    place p = {.line = 1, .column = 1};
    advance(&p, s->text, at);
    return dc_fail(DC_EFORMAT, "%s:%zu:%zu: %s", s->doc->name, p.line, p.column, what);
}

static dc_status unexpected(const scan *s)
{
    char what[160], found[16];
    unsigned char c = s->at < s->n ? (unsigned char)s->text[s->at] : 0;
    if (s->at >= s->n)
        snprintf(found, sizeof found, "the end");
    else if (c > ' ' && c < 0x7f)
        snprintf(found, sizeof found, "'%c'", c);
    else
        snprintf(found, sizeof found, "byte 0x%02x", c);
    snprintf(what, sizeof what, "expected %s, found %s", wanted[s->state], found);
    return fault(s, s->at, what);
}

static dc_status tell_mend(scan *s, size_t at, const char *what)
{
    if (++s->doc->nmended > DC_JSON_MENDS_TOLD)
        return DC_OK;
    advance(&s->told, s->text, at); /* mends come in the text's order */
    return dc_buf_printf(&s->doc->mended, "%s:%zu:%zu: %s\n", s->doc->name, s->told.line,
                         s->told.column, what);
}

/* Bring clean up to `end`, then go on copying from `from`. */
static dc_status copy_to(scan *s, size_t end, size_t from)
{
    dc_status st = dc_buf_add(s->clean, s->text + s->copied, end - s->copied);
    s->copied = from;
    return st;
}

static dc_status add_comma(scan *s)
{
    if (s->rules->strict)
        return fault(s, s->token_end, "',' is missing here");
    dc_status st = tell_mend(s, s->token_end, "missing ',' added");
    if (st == DC_OK)
        st = copy_to(s, s->token_end, s->token_end);
    if (st == DC_OK)
        st = dc_buf_puts(s->clean, ",");
    s->state = s->open[s->depth - 1] == '{' ? KEY_AGAIN : VALUE_AGAIN;
    return st;
}

static dc_status drop_comma(scan *s)
{
    if (s->rules->strict)
        return fault(s, s->comma, "',' before a closing bracket");
    dc_status st = tell_mend(s, s->comma, "',' before a closing bracket dropped");
    if (st == DC_OK)
        st = copy_to(s, s->comma, s->comma + 1);
    s->state = NEXT;
    return st;
}

static bool hex4(unsigned *out, const scan *s, size_t at)
{
    *out = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = i < s->n ? s->text[i] : ' ';
        unsigned digit;
        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            digit = (unsigned)((c | 32) - 'a' + 10);
        else
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* text[at] is the 'u' of an escape; *at moves behind it. */
static dc_status unicode_escape(const scan *s, size_t *at)
{
    unsigned code, low;
    size_t start = *at - 1;
    if (!hex4(&code, s, *at + 1))
        return fault(s, start, "\\u must be followed by four hexadecimal digits");
    *at += 5;
    if (code == 0)
        return fault(s, start, "NUL characters are not supported");
    if (code < 0xd800 || code > 0xdfff)
        return DC_OK;
    if (code > 0xdbff || *at + 1 >= s->n || s->text[*at] != '\\' || s->text[*at + 1] != 'u' ||
        !hex4(&low, s, *at + 2) || low < 0xdc00 || low > 0xdfff)
        return fault(s, start, "half of a surrogate pair");
    *at += 6;
    return DC_OK;
}

/* Bytes of the UTF-8 character at text[at], 0 if it is none (overlong, surrogate, cut short). */
static size_t utf8_length(const scan *s, size_t at)
{
    const unsigned char *c = (const unsigned char *)s->text + at;
    size_t left = s->n - at, n = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (n == 1)
        return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4 || left < n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    return n;
}

static dc_status string(scan *s)
{
    size_t at = s->at + 1;
    while (at < s->n && s->text[at] != '"') {
        dc_status st = DC_OK;
        size_t length = utf8_length(s, at);
        if ((unsigned char)s->text[at] < ' ')
            return fault(s, at, "control character in a string (closing '\"' forgotten?)");
        if (!length)
            return fault(s, at, "not UTF-8");
        if (s->text[at] != '\\') {
            at += length;
        } else if (at + 1 < s->n && s->text[at + 1] == 'u') {
            at++;
            st = unicode_escape(s, &at);
        } else if (at + 1 < s->n && s->text[at + 1] && strchr("\"\\/bfnrt", s->text[at + 1])) {
            at += 2;
        } else {
            return fault(s, at, "unknown escape in a string");
        }
        if (st != DC_OK)
            return st;
    }
    if (at >= s->n)
        return fault(s, s->at, "string without closing '\"'");
    s->at = at + 1;
    return DC_OK;
}

static size_t digits(const scan *s, size_t at)
{
    while (at < s->n && s->text[at] >= '0' && s->text[at] <= '9')
        at++;
    return at;
}

static dc_status number(scan *s)
{
    size_t at = s->at + (s->text[s->at] == '-'), start = at;
    at = digits(s, at);
    if (at == start || (s->text[start] == '0' && at > start + 1))
        return fault(s, s->at, "not a number");
    if (at < s->n && s->text[at] == '.') {
        start = at + 1;
        at = digits(s, start);
        if (at == start)
            return fault(s, s->at, "not a number");
    }
    if (at < s->n && (s->text[at] | 32) == 'e') {
        start = at + 1;
        start += start < s->n && (s->text[start] == '+' || s->text[start] == '-');
        at = digits(s, start);
        if (at == start)
            return fault(s, s->at, "not a number");
    }
    s->at = at;
    return DC_OK;
}

static dc_status literal(scan *s)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (s->n - s->at >= length && memcmp(s->text + s->at, words[i], length) == 0) {
            s->at += length;
            return DC_OK;
        }
    }
    return unexpected(s);
}

static dc_status open_bracket(scan *s, char c)
{
    if (s->depth == DEEPEST)
        return dc_fail(DC_EUNSUP, "%s: brackets nested deeper than %d", s->doc->name, DEEPEST);
    s->open[s->depth++] = c;
    s->state = c == '{' ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
    s->at++;
    return DC_OK;
}

static dc_status value(scan *s)
{
    char c = s->text[s->at];
    if (c == '{' || c == '[')
        return open_bracket(s, c);
    dc_status st = c == '"'                             ? string(s)
                   : c == '-' || (c >= '0' && c <= '9') ? number(s)
                                                        : literal(s);
    if (st == DC_OK)
        s->state = s->depth ? NEXT : END;
    return st;
}

static bool starts_value(char c)
{
    return c && (strchr("{[\"-tfn", c) || (c >= '0' && c <= '9'));
}

static bool closes(const scan *s, char c)
{
    return s->depth && c == (s->open[s->depth - 1] == '{' ? '}' : ']');
}

static dc_status close_bracket(scan *s)
{
    s->depth--;
    s->at++;
    s->state = s->depth ? NEXT : END;
    return DC_OK;
}

/* After a complete member or element. */
static dc_status next(scan *s, char c)
{
    bool object = s->open[s->depth - 1] == '{';
    if (closes(s, c))
        return close_bracket(s);
    if (c == ',') {
        s->comma = s->at++;
        s->state = object ? KEY_AGAIN : VALUE_AGAIN;
        return DC_OK;
    }
    if (object ? c == '"' : starts_value(c))
        return add_comma(s);
    return unexpected(s);
}

static dc_status key(scan *s, char c)
{
    if (c != '"')
        return unexpected(s);
    s->state = COLON;
    return string(s);
}

static dc_status token(scan *s)
{
    char c = s->text[s->at];
    bool again = s->state == VALUE_AGAIN || s->state == KEY_AGAIN;
    if (again && closes(s, c))
        return drop_comma(s);
    switch (s->state) {
    case VALUE_OR_CLOSE:
    case KEY_OR_CLOSE:
        if (closes(s, c))
            return close_bracket(s);
        break;
    case COLON:
        if (c != ':')
            return unexpected(s);
        s->at++;
        s->state = VALUE;
        return DC_OK;
    case NEXT:
        return next(s, c);
    case END:
        return unexpected(s);
    default:
        break;
    }
    if (s->state == KEY_OR_CLOSE || s->state == KEY_AGAIN)
        return key(s, c);
    return starts_value(c) ? value(s) : unexpected(s);
}

dc_status dc_json_check(dc_buf *clean, dc_json *doc, const char *text, size_t n,
                        const dc_json_rules *rules)
{
    scan s = {.text = text, .n = n, .clean = clean, .doc = doc, .rules = rules};
    s.told = (place){.line = 1, .column = 1};
    dc_status st = DC_OK;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        s.at = 3; /* a byte-order mark, which cJSON skips too */
    while (st == DC_OK) {
        s.token_end = s.at;
        while (s.at < n && s.text[s.at] && strchr(" \t\r\n", s.text[s.at]))
            s.at++;
        if (s.at == n)
            break;
        st = token(&s);
    }
    if (st == DC_OK && s.state != END)
        st = unexpected(&s);
    if (st == DC_OK && doc->nmended)
        st = copy_to(&s, n, n);
    return st;
}
