/* tests/dump_bytes.h - hand-made dump files: protobuf fields byte by byte, so that tests of the
 * reader do not rest on our writer. */
#ifndef DC_DUMP_BYTES_H
#define DC_DUMP_BYTES_H
#include "io/mem.h"

/* The arguments dim, n of a shape. */
#define DIMS(...) ((const uint64_t[]){__VA_ARGS__}), sizeof((const uint64_t[]){__VA_ARGS__}) / 8

/* Append to b; out of memory ends the test program. */
void put_bytes(dc_buf *b, const void *bytes, size_t n);
void put_le(dc_buf *b, uint64_t v, size_t n); /* n bytes, little-endian */
void put_varint(dc_buf *b, uint64_t v);
void put_number(dc_buf *b, uint32_t field, uint64_t v); /* varint field */
void put_field(dc_buf *b, uint32_t field, const void *bytes, size_t n);
void put_text(dc_buf *b, uint32_t field, const char *text);
void put_message(dc_buf *b, uint32_t field, dc_buf *inner); /* empties inner */
void put_shape(dc_buf *b, uint32_t field, const uint64_t *dim, size_t n);
/* An OpInput of format ND; an OpOutput of float16; a field is left out where n or address is 0. */
void put_input(dc_buf *header, uint64_t dtype, const uint64_t *dim, size_t n, uint64_t size,
               uint64_t address);
void put_output(dc_buf *header, uint64_t format, const uint64_t *dim, size_t n, uint64_t size,
                uint64_t address);
/* Length in front of header, n payload bytes 0, 1, 2... behind; empties header. */
void put_version2(dc_buf *b, dc_buf *header, size_t n);
#endif
