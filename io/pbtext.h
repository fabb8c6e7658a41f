/* io/pbtext.h - protobuf text format, and JSON of the same messages, as a stream of fields in
 * bounded memory.
 *
 * A file is read in blocks of 1 MiB. The caller pulls fields: what it neither enters nor reads is
 * skipped without being kept, so that weights of gigabytes cost no memory. Accepted: C escapes,
 * adjacent strings, '#' comments, <...> messages, [a, b] lists, optional , and ; - and JSON, told
 * by its first '{', where a list is a repeated field and null an absent one. Source: protobuf's
 * text format specification; RFC 8259. Nothing here is collective. */
#ifndef DC_PBTEXT_H
#define DC_PBTEXT_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DC_PBTEXT_DEPTH 256           /* messages in messages; deeper is refused */
#define DC_PBTEXT_ENTER 32            /* of these, how deep a caller may enter */
#define DC_PBTEXT_TEXT  (16u << 20)   /* bytes of one text that a caller may read */
#define DC_PBTEXT_NAME  128           /* longer field names are cut */
#define DC_PBTEXT_BLOCK (1024 * 1024) /* bytes per read */

typedef struct dc_pbtext dc_pbtext;
typedef enum dc_pbkind { DC_PB_SCALAR, DC_PB_MESSAGE, DC_PB_END } dc_pbkind;
typedef struct dc_pbfield {
    char name[DC_PBTEXT_NAME]; /* NUL-terminated; "" at DC_PB_END */
    dc_pbkind kind;
} dc_pbfield;

/* Start reading a file, or n bytes that stay the caller's; path is for messages. Errors: DC_ENOENT,
 * DC_EIO, DC_ENOMEM. */
dc_status dc_pbtext_open(dc_pbtext **out, const char *path) DC_MUST_CHECK;
dc_status dc_pbtext_open_memory(dc_pbtext **out, const void *data, size_t n,
                                const char *path) DC_MUST_CHECK;
void dc_pbtext_close(dc_pbtext *p);
bool dc_pbtext_is_json(const dc_pbtext *p);

/* The next field of the message we are in: a repeated field comes once per element. A field that
 * was not consumed is skipped first. DC_PB_END leaves the message that was entered last; at the
 * outermost level it is the end of the file and comes again. Errors: DC_EFORMAT "path:line: what",
 * DC_EIO. */
dc_status dc_pbtext_next(dc_pbfield *f, dc_pbtext *p) DC_MUST_CHECK;
/* Go into the message just reported. */
dc_status dc_pbtext_enter(dc_pbtext *p) DC_MUST_CHECK;
/* The scalar just reported: a string with its escapes resolved (n bytes and a NUL, may hold NULs),
 * or a number, true, false or enumeration name as written. Valid until the next call. */
dc_status dc_pbtext_text(const char **text, size_t *n, dc_pbtext *p) DC_MUST_CHECK;
/* As a whole number (decimal, 0x, leading 0 = octal; quoted too, as JSON writes 64 bits); values of
 * 2^63 and more come as the same 64 bits. */
dc_status dc_pbtext_int(int64_t *v, dc_pbtext *p) DC_MUST_CHECK;
dc_status dc_pbtext_bool(bool *v, dc_pbtext *p) DC_MUST_CHECK;

/* DC_EFORMAT (or the reading error that came first) with "path:line: " before the text. */
dc_status dc_pbtext_fail(dc_pbtext *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
