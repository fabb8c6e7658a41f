/* io/dump_read.h - reader of Ascend dump files: the header only; tensor bytes stay in the file.
 *
 * (format specification goes here) */
#ifndef DC_DUMP_READ_H
#define DC_DUMP_READ_H
#include "io/shape.h"
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum dc_direction { DC_INPUT, DC_OUTPUT, DC_BUFFER, DC_SPACE } dc_direction;

typedef enum dc_dump_kind { DC_DUMP_V2, DC_DUMP_V1, DC_DUMP_NANO } dc_dump_kind;

enum { /* dc_dump_tensor.flags */
       DC_DUMP_NULL_ADDRESS =
           1, /* the device had no address for it: size says so much, but no bytes are there */
       DC_DUMP_SHAPE_REPEATED =
           2, /* the header repeated the shape (no-tiling inputs); cut to one repetition */
       DC_DUMP_SHAPE_GUESSED =
           4 /* the header had no shape: one dim of as many elements as fit the size */
};

#define DC_UNSET UINT32_MAX /* origin_slot, arg_index: not in the header */

typedef struct dc_dump_tensor {
    dc_direction direction;
    uint32_t slot;                      /* position in the header's list of its direction */
    uint32_t dtype, format, sub_format; /* dump-header numbers; a number of no known type is kept;
                                           format is masked with 0xff */
    dc_shape shape, original_shape;
    const char *origin_name; /* original_op.name, "" when absent; owned by the dc_dump */
    uint32_t origin_slot;    /* original_op.output_index or DC_UNSET */
    int32_t origin_dtype;    /* original_op.data_type turned into dump numbering, -1 when absent */
    int32_t origin_format;   /* masked, -1 when absent */
    uint32_t arg_index;      /* or DC_UNSET */
    uint32_t flags;
    uint64_t offset; /* of the tensor's bytes in the file */
    uint64_t bytes;  /* there; 0 for an empty or skipped tensor */
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
    void *memory;            /* owns all of the above */
} dc_dump;

/* Read the header of the dump file at path. Errors: DC_EIO/DC_ENOENT (cannot open or read),
 * DC_EFORMAT (not a dump file, damaged or cut short; the message names path and the fault),
 * DC_ENOMEM. On error nothing is to be freed. Not collective. */
dc_status dc_dump_open(dc_dump *out, const char *path) DC_MUST_CHECK;
/* The same for an open file of file_bytes bytes; fd stays the caller's. */
dc_status dc_dump_read(dc_dump *out, int fd, uint64_t file_bytes, const char *path) DC_MUST_CHECK;
void dc_dump_fini(dc_dump *d);
#endif
