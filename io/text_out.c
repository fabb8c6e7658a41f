/* io/text_out.c - see text_out.h */
#include "io/text_out.h"

#include <string.h>

dc_status dc_csv_cell(dc_buf *out, const char *text, bool harmless)
{
    const char *mark = harmless && *text && strchr("=+-@\t\r", *text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        dc_status st = dc_buf_puts(out, mark);
        return st == DC_OK ? dc_buf_puts(out, text) : st;
    }
    dc_status st = dc_buf_puts(out, "\"");
    if (st == DC_OK)
        st = dc_buf_puts(out, mark);
    for (const char *at = text; st == DC_OK && *at; at++)
        st = dc_buf_add(out, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    return st == DC_OK ? dc_buf_puts(out, "\"") : st;
}

/* Bytes of the UTF-8 sequence at text, 0 if it is none. Overlong forms and surrogates are none. */
static size_t utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, low, high; /* lead bytes; range of the second byte */
        size_t n;
    } form[] = {
        {0x20, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        if (text[0] < form[i].first || text[0] > form[i].last)
            continue;
        if (form[i].n > 1 && (text[1] < form[i].low || text[1] > form[i].high))
            return 0;
        for (size_t k = 2; k < form[i].n; k++)
            if (text[k] < 0x80 || text[k] > 0xbf)
                return 0;
        return form[i].n;
    }
    return 0;
}

dc_status dc_json_text(dc_buf *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    dc_status st = dc_buf_puts(out, "\"");
    while (st == DC_OK && *at) {
        size_t n = utf8_length(at);
        if (*at == '"' || *at == '\\')
            st = dc_buf_printf(out, "\\%c", *at);
        else if (n)
            st = dc_buf_add(out, at, n);
        else if (*at < 0x20)
            st = dc_buf_printf(out, "\\u%04x", *at);
        else
            st = dc_buf_puts(out, "\\ufffd");
        at += n ? n : 1;
    }
    return st == DC_OK ? dc_buf_puts(out, "\"") : st;
}

dc_status dc_json_number(dc_buf *out, const char *text)
{
    if (!*text)
        return dc_buf_puts(out, "null");
    if (strpbrk(text, "infa"))
        return dc_json_text(out, text);
    return dc_buf_puts(out, text);
}

dc_status dc_html_text(dc_buf *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    dc_status st = DC_OK;
    while (st == DC_OK && *at) {
        size_t n = utf8_length(at);
        if (strchr("<>&\"'", *at))
            st = dc_buf_printf(out, "&#%d;", *at);
        else if (n || *at == '\n' || *at == '\t')
            st = dc_buf_add(out, at, n ? n : 1);
        else
            st = dc_buf_puts(out, "\xef\xbf\xbd");
        at += n ? n : 1;
    }
    return st;
}
