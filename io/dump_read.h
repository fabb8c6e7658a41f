/* io/dump_read.h - reader of Ascend dump files: the header only; tensor bytes stay in the file.
 *
 * Version 2 (all integers little-endian):
 *   0    u64 H, the header's length
 *   8    H bytes, a protobuf message DumpData (dump_data.proto)
 *   8+H  the bytes of all inputs, then outputs, buffers and spaces, each in header order, packed
 * An entry takes `size` bytes. The device writer skips entries whose `address` is 0 but leaves
 * their size; old headers carry no addresses at all. So sizes are taken as they stand if they add
 * up to the file's rest; else entries without address are left out (if any entry has one), then
 * buffers and spaces, which never have one; the first of these that fits exactly is right. If none
 * fits and there are more bytes than tensors, the rest is `trailing`, unless an entry without
 * address leaves it open which bytes belong to whom: that is an error.
 * Version 1: DumpData alone, the bytes in the entries' `data` fields (output 5, input 4, buffer 2,
 * space 2). Such fields may stand in a version-2 header too and count where `size` is 0. A file is
 * of version 1 if the number in its first 8 bytes is 2^40 or more. Cut off exactly between two
 * entries, it cannot be told from a whole file.
 * Nano: u64 L, then u32 0x5a5a5a5a, u32 version and (u32 tag, u32 length, contents) with tag 4 =
 * inputs, 5 = outputs: u32 count and as many descriptors:
 *   i32 data_type (GE number), format, address_type; outputs only: i32 original index, data_type,
 *   format; u64 address, offset, size; u32 length of a list of (tag, length, contents) with tag 0
 *   = shape, 1 = original shape (u64 each), 2 = original name
 * and the bytes from 8+L on, which must add up exactly.
 * Formats: one byte; adump's exception writer stores GE's whole word (bits 8-23 sub-format).
 * Sources: CANN's dump_data.proto, aicpu dump writer and adump; msaccucmp's dump parsers. */
#ifndef DC_DUMP_READ_H
#define DC_DUMP_READ_H
#include "io/shape.h"
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum dc_direction { DC_INPUT, DC_OUTPUT, DC_BUFFER, DC_SPACE } dc_direction;
enum { DC_DIRECTIONS = 4 };

typedef enum dc_dump_kind { DC_DUMP_V2, DC_DUMP_V1, DC_DUMP_NANO } dc_dump_kind;

/* dc_dump_tensor.flags */
enum {
    /* No address on the device: size says so much, but no bytes are there. */
    DC_DUMP_NULL_ADDRESS = 1,
    /* The header repeated the shape (no-tiling inputs); cut to one repetition. */
    DC_DUMP_SHAPE_REPEATED = 2,
    /* No shape in the header, or an unknown dim: one dim of as many elements as fit the size. */
    DC_DUMP_SHAPE_GUESSED = 4,
    /* Shape and dtype need more bytes than are there: the tensor must not be used. */
    DC_DUMP_SHORT = 8
};

#define DC_UNSET            UINT32_MAX /* origin_slot, arg_index: not in the header */
#define DC_DUMP_MAX_TENSORS 65536
#define DC_DUMP_MAX_HEADER  ((size_t)64 << 20) /* bytes, embedded tensor bytes not counted */

typedef struct dc_dump_tensor {
    dc_direction direction;
    uint32_t slot;                      /* position in the header's list of its direction */
    uint32_t dtype, format, sub_format; /* dump-header numbers; a number of no known type is kept
                                           (nano: UINT32_MAX); format is masked with 0xff;
                                           sub_format = groups of FRACTAL_Z. Buffers and spaces:
                                           uint8, ND */
    uint32_t flags;
    dc_shape shape;          /* rank 0 with the bytes of one element: a scalar */
    dc_shape original_shape; /* as it stands, dims of 2^64-1 (unknown) included; rank 0 = absent */
    const char *origin_name; /* original_op.name, "" when absent; owned by the dc_dump */
    uint32_t origin_slot;    /* original_op.output_index or DC_UNSET */
    int32_t origin_dtype;    /* original_op.data_type, a GE number, turned into dump numbering; -1
                                when absent or unknown */
    int32_t origin_format;   /* masked, -1 when absent */
    uint32_t arg_index;      /* or DC_UNSET */
    uint64_t address;        /* on the device, 0 when absent */
    uint64_t size;           /* what the header says, in bytes */
    uint64_t offset;         /* of the tensor's bytes in the file */
    uint64_t bytes;          /* there; 0 for an empty or skipped tensor */
} dc_dump_tensor;

typedef struct dc_dump_attr {
    const char *name, *value;
} dc_dump_attr;

typedef struct dc_dump {
    dc_dump_kind kind;
    uint64_t dump_time;  /* microseconds since the epoch, 0 when absent */
    const char *op_name; /* unsanitised; "" when absent */
    size_t n;            /* tensors: inputs, outputs, buffers, spaces, each in header order */
    dc_dump_tensor *tensor;
    size_t nattr;
    dc_dump_attr *attr;
    const char *dfx_message; /* exception dumps' text, "" when absent */
    uint64_t fetched;        /* bytes read from the file to learn all this */
    uint64_t trailing;       /* bytes after the last tensor that the header does not speak of */
    void *memory;            /* owns the texts */
} dc_dump;

/* Read the header of the dump file at path. Errors: DC_EIO/DC_ENOENT (cannot open or read),
 * DC_EFORMAT (not a dump file, damaged or cut short; the message names path and the fault),
 * DC_EUNSUP (header above the limits), DC_ENOMEM. On error nothing is to be freed. Not collective.
 */
dc_status dc_dump_open(dc_dump *out, const char *path) DC_MUST_CHECK;
/* The same for an open file of file_bytes bytes; fd stays the caller's. */
dc_status dc_dump_read(dc_dump *out, int fd, uint64_t file_bytes, const char *path) DC_MUST_CHECK;
/* The same for a file that is in memory; data is not kept. */
dc_status dc_dump_parse(dc_dump *out, const void *data, size_t n, const char *path) DC_MUST_CHECK;
void dc_dump_fini(dc_dump *d);
#endif
