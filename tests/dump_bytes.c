/* tests/dump_bytes.c - see dump_bytes.h */
#include "tests/dump_bytes.h"

#include "io/dtype.h"
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

void put_bytes(dc_buf *b, const void *bytes, size_t n)
{
    if (dc_buf_add(b, bytes, n) != DC_OK)
        abort();
}

void put_le(dc_buf *b, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)(v >> (8 * i));
        put_bytes(b, &byte, 1);
    }
}

void put_varint(dc_buf *b, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        put_le(b, v | 0x80, 1);
    put_le(b, v, 1);
}

void put_number(dc_buf *b, uint32_t field, uint64_t v)
{
    put_varint(b, (uint64_t)field << 3);
    put_varint(b, v);
}

void put_field(dc_buf *b, uint32_t field, const void *bytes, size_t n)
{
    put_varint(b, (uint64_t)field << 3 | 2);
    put_varint(b, n);
    put_bytes(b, bytes, n);
}

void put_text(dc_buf *b, uint32_t field, const char *text)
{
    put_field(b, field, text, strlen(text));
}

void put_message(dc_buf *b, uint32_t field, dc_buf *inner)
{
    put_field(b, field, inner->data, inner->n);
    dc_buf_free(inner);
}

void put_shape(dc_buf *b, uint32_t field, const uint64_t *dim, size_t n)
{
    dc_buf packed = {0}, shape = {0};
    for (size_t i = 0; i < n; i++)
        put_varint(&packed, dim[i]);
    put_message(&shape, 1, &packed);
    put_message(b, field, &shape);
}

/* Fields of OpInput: 1 dtype, 2 format, 3 shape, 4 data, 5 size, 6 original_shape, 7 sub_format,
 * 8 address, 10 arg_index; of OpOutput: 3 shape, 4 original_op, 5 data, 6 size, 7 original_shape,
 * 8 sub_format, 9 address. */
void put_input(dc_buf *header, uint64_t dtype, const uint64_t *dim, size_t n, uint64_t size,
               uint64_t address)
{
    dc_buf in = {0};
    put_number(&in, 1, dtype);
    put_number(&in, 2, DC_FORMAT_ND);
    if (n)
        put_shape(&in, 3, dim, n);
    put_number(&in, 5, size);
    if (address)
        put_number(&in, 8, address);
    put_message(header, 4, &in);
}

void put_output(dc_buf *header, uint64_t format, const uint64_t *dim, size_t n, uint64_t size,
                uint64_t address)
{
    dc_buf out = {0};
    put_number(&out, 1, DC_FLOAT16);
    put_number(&out, 2, format);
    if (n)
        put_shape(&out, 3, dim, n);
    put_number(&out, 6, size);
    if (address)
        put_number(&out, 9, address);
    put_message(header, 3, &out);
}

void put_version2(dc_buf *b, dc_buf *header, size_t n)
{
    put_le(b, header->n, 8);
    put_bytes(b, header->data, header->n);
    for (size_t i = 0; i < n; i++)
        put_le(b, i & 0xff, 1);
    dc_buf_free(header);
}
