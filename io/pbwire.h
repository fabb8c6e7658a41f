/* io/pbwire.h - a bounds-checked cursor over the fields of a protobuf message in a file or in
 * memory; it says where embedded bytes lie and never copies them.
 *
 * Wire format: a field is a varint tag (number << 3 | type) and a value: type 0 a varint (7 bits a
 * byte, least significant first, top bit = more), 1 eight bytes, 5 four bytes, 2 a varint length
 * and that many bytes. Groups (3, 4) are refused. Source: protobuf.dev, "Encoding". */
#ifndef DC_PBWIRE_H
#define DC_PBWIRE_H
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

enum { DC_PB_VARINT = 0, DC_PB_FIXED64 = 1, DC_PB_LENGTH = 2, DC_PB_FIXED32 = 5 };

/* What is read from; open struct only so that it can live on the stack. */
typedef struct dc_pbwire {
    const char *path; /* for messages; borrowed */
    int fd;           /* borrowed; -1 = memory */
    uint64_t bytes;   /* of the file or of the memory */
    const uint8_t *data;
    uint64_t at; /* data[0..n) are bytes at.. of the file */
    size_t n;
    uint64_t fetched; /* bytes read from the file so far */
    uint8_t window[8192];
} dc_pbwire;

typedef struct dc_pbfield {
    uint32_t number, type;
    uint64_t value;  /* of a varint or fixed field */
    uint64_t start;  /* offset of the tag */
    uint64_t offset; /* of the contents: the bytes after the length, or the value */
    uint64_t length; /* of the contents; offset + length never passes the message's end */
} dc_pbfield;

/* Not collective; the first two cannot fail. fd, path and data must outlive w. */
void dc_pbwire_file(dc_pbwire *w, int fd, uint64_t bytes, const char *path);
void dc_pbwire_memory(dc_pbwire *w, const void *data, uint64_t bytes, const char *path);
/* The field at *pos of a message that ends at `end` (*pos < end <= w->bytes); *pos moves to the
 * next. Errors: DC_EFORMAT (not protobuf, or a field passes the end; names path and offset),
 * DC_EIO. */
dc_status dc_pbwire_next(dc_pbfield *f, dc_pbwire *w, uint64_t *pos, uint64_t end) DC_MUST_CHECK;
/* Copy bytes offset..offset+n to out. Errors: DC_EFORMAT (beyond the end), DC_EIO. */
dc_status dc_pbwire_read(void *out, dc_pbwire *w, uint64_t offset, size_t n) DC_MUST_CHECK;
#endif
