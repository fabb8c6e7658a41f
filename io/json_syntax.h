/* io/json_syntax.h - JSON's syntax, checked strictly with line and column; forgotten commas mended
 * on the way. Used by json.c. */
#ifndef DC_JSON_SYNTAX_H
#define DC_JSON_SYNTAX_H
#include "io/json.h"

/* Check text[0..n), an RFC 8259 document without NUL characters. Where commas were mended (rules
 * allowing) the mended document is appended to *clean and doc->mended tells; else *clean stays
 * empty and the text is good as it is. doc->name names the file. Errors: DC_EFORMAT, DC_EUNSUP (too
 * deep), DC_ENOMEM. Not collective. */
dc_status dc_json_check(dc_buf *clean, dc_json *doc, const char *text, size_t n,
                        const dc_json_rules *rules) DC_MUST_CHECK;
#endif
