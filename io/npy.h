/* io/npy.h - NumPy's .npy files: header of both byte orders and both element orders; writing. Data
 * stay in the file.
 *
 * Format (numpy/lib/format.py). All integers little-endian.
 *
 *   offset  size  field
 *        0     6  93 4e 55 4d 50 59
 *        6     1  major version, 1 to 3
 *        7     1  minor version, 0
 *        8  2, 4  H, length of the header (2 bytes in version 1, 4 in versions 2 and 3)
 *   10, 12     H  a Python dictionary as text, latin-1 (UTF-8 in version 3), padded with spaces and
 * a newline so that the data begin at a multiple of 64 (16 in old and Ascend's files) 10+H, 12+H
 * data, up to the end of the file
 *
 * The dictionary has exactly the keys descr, fortran_order and shape in any order, quotes of either
 * kind, a trailing comma or none. shape is a tuple of integers ("2L" from Python 2 in versions 1
 * and 2); () is one element, a zero dimension none. fortran_order: element (i0..ik) stands at
 * sum(i_j * product of the dims before j).
 * descr is [order]kind size: order < little, > big, | or = or none; kind and size f2 f4 f8, i1 to
 * i8, u1 to u8, b1, c8, c16; or one letter ("f"), or a name ("float32", "bfloat16"). bfloat16 saved
 * from ml_dtypes is V2 and its float8 types are V1 or f1: the name is lost. TensorFlow dumps by
 * tfdbg_ascend label bfloat16 as "<f2": nothing in the file tells.
 *
 * Refused: unknown, missing or repeated keys, a negative dimension, more than 32 dimensions, a size
 * beyond 64 bits, headers over 64 KiB, fewer and more data than the shape asks for, anything but a
 * regular file, and every other type (objects, structures, text, dates, long double). */
#ifndef DC_NPY_H
#define DC_NPY_H
#include "io/mem.h"
#include "io/shape.h"
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dc_npy {
    uint32_t dtype;     /* dc_dtype number */
    bool big_endian;    /* elements (halves of complex ones) are byte-swapped in the file */
    bool fortran_order; /* first index fastest */
    bool void_type;     /* descr was V1 or V2: dtype is a guess (V2: bfloat16; V1: float8_e4m3fn) */
    dc_shape shape;
    uint64_t offset; /* of the data in the file */
    uint64_t bytes;  /* of the data, packed */
} dc_npy;

/* Errors: DC_EIO, DC_ENOENT, DC_EFORMAT (damaged, cut short, trailing bytes), DC_EUNSUP (object,
 * string, structured, datetime, long double...). The message names path and the fault. Not
 * collective. */
dc_status dc_npy_open(dc_npy *out, const char *path) DC_MUST_CHECK;
/* Parse a header held in memory: data[0..n) is the file's first n bytes of file_bytes. For fuzzing
 * and archives. */
dc_status dc_npy_parse(dc_npy *out, const void *data, size_t n, uint64_t file_bytes,
                       const char *path) DC_MUST_CHECK;
/* Bytes of header to read at most (prefix and dict). */
#define DC_NPY_HEADER_MAX (65536 + 12)
/* Append the header of a C-order little-endian array (bfloat16 as V2), for writers that bring the
 * data piece by piece. Errors: DC_EUNSUP (NumPy has no such type), DC_ENOMEM. */
dc_status dc_npy_header(dc_buf *out, uint32_t dtype, const dc_shape *shape) DC_MUST_CHECK;
/* Write C-order little-endian data of a dtype NumPy knows (bfloat16 as V2) under a temporary name,
 * then rename. */
dc_status dc_npy_write(const char *path, uint32_t dtype, const dc_shape *shape,
                       const void *data) DC_MUST_CHECK;
#endif
