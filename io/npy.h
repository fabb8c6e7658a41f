/* io/npy.h - NumPy's .npy files: header of both byte orders and both element orders; writing. Data
 * stay in the file.
 *
 * (format specification goes here) */
#ifndef DC_NPY_H
#define DC_NPY_H
#include "io/shape.h"
#include "io/status.h"

#include <stdbool.h>
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
/* Write C-order little-endian data of a dtype NumPy knows (bfloat16 as V2) under a temporary name,
 * then rename. */
dc_status dc_npy_write(const char *path, uint32_t dtype, const dc_shape *shape,
                       const void *data) DC_MUST_CHECK;
#endif
