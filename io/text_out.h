/* io/text_out.h - escaping writers for the reports: cells of CSV, strings and numbers of
 * JSON, texts of HTML. */
#ifndef DC_TEXT_OUT_H
#define DC_TEXT_OUT_H
#include "io/mem.h"

/* Append text as one CSV cell, quoted by RFC 4180 where it must be. harmless: a spreadsheet must
 * not take it for a formula, so what begins like one gets an apostrophe. Errors of all: DC_ENOMEM.
 * Not collective. */
dc_status dc_csv_cell(dc_buf *out, const char *text, bool harmless) DC_MUST_CHECK;
/* Append a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD. */
dc_status dc_json_text(dc_buf *out, const char *text) DC_MUST_CHECK;
/* Append text, which is a number as C prints it, as a JSON value: "" is null; "inf" and "nan",
 * which JSON lacks, are strings. */
dc_status dc_json_number(dc_buf *out, const char *text) DC_MUST_CHECK;
/* Append text as HTML shows it, in an element or a quoted attribute. Bytes that are not UTF-8
 * become U+FFFD. */
dc_status dc_html_text(dc_buf *out, const char *text) DC_MUST_CHECK;
#endif
