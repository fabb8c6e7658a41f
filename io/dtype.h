/* io/dtype.h - the element types of dumps, as one table: everything known about a type stands in
 * its row. */
#ifndef DC_DTYPE_H
#define DC_DTYPE_H
#include <stdbool.h>
#include <stdint.h>

typedef enum dc_kind {
    DC_KIND_OTHER, /* strings, handles: stored, not comparable */
    DC_KIND_FLOAT,
    DC_KIND_INT,
    DC_KIND_UINT,
    DC_KIND_BOOL,
    DC_KIND_COMPLEX
} dc_kind;

/* X(id, number in dump headers, name, bits of one element, GE/ACL number or -1, npy descr or NULL,
 * kind) Numbers: OutputDataType of CANN's dump_data.proto; DataType of GE's types.h. npy descr is
 * the little-endian one NumPy itself knows. */
#define DC_DTYPES(X)                                                                               \
    X(UNDEFINED, 0, "undefined", 8, 28, NULL, OTHER)                                               \
    X(FLOAT32, 1, "float32", 32, 0, "<f4", FLOAT)                                                  \
    X(FLOAT16, 2, "float16", 16, 1, "<f2", FLOAT)                                                  \
    X(INT8, 3, "int8", 8, 2, "|i1", INT)                                                           \
    X(UINT8, 4, "uint8", 8, 4, "|u1", UINT)                                                        \
    X(INT16, 5, "int16", 16, 6, "<i2", INT)                                                        \
    X(UINT16, 6, "uint16", 16, 7, "<u2", UINT)                                                     \
    X(INT32, 7, "int32", 32, 3, "<i4", INT)                                                        \
    X(INT64, 8, "int64", 64, 9, "<i8", INT)                                                        \
    X(UINT32, 9, "uint32", 32, 8, "<u4", UINT)                                                     \
    X(UINT64, 10, "uint64", 64, 10, "<u8", UINT)                                                   \
    X(BOOL, 11, "bool", 8, 12, "|b1", BOOL)                                                        \
    X(FLOAT64, 12, "float64", 64, 11, "<f8", FLOAT)                                                \
    X(STRING, 13, "string", 8, 13, NULL, OTHER)                                                    \
    X(DUAL_SUB_INT8, 14, "dual_sub_int8", 8, 14, NULL, INT)                                        \
    X(DUAL_SUB_UINT8, 15, "dual_sub_uint8", 8, 15, NULL, UINT)                                     \
    X(COMPLEX64, 16, "complex64", 64, 16, "<c8", COMPLEX)                                          \
    X(COMPLEX128, 17, "complex128", 128, 17, "<c16", COMPLEX)                                      \
    X(QINT8, 18, "qint8", 8, 18, NULL, INT)                                                        \
    X(QINT16, 19, "qint16", 16, 19, NULL, INT)                                                     \
    X(QINT32, 20, "qint32", 32, 20, NULL, INT)                                                     \
    X(QUINT8, 21, "quint8", 8, 21, NULL, UINT)                                                     \
    X(QUINT16, 22, "quint16", 16, 22, NULL, UINT)                                                  \
    X(RESOURCE, 23, "resource", 64, 23, NULL, OTHER)                                               \
    X(STRING_REF, 24, "string_ref", 8, 24, NULL, OTHER)                                            \
    X(DUAL, 25, "dual", 40, 25, NULL, OTHER)                                                       \
    X(VARIANT, 26, "variant", 64, 26, NULL, OTHER)                                                 \
    X(BFLOAT16, 27, "bfloat16", 16, 27, NULL, FLOAT)                                               \
    X(INT4, 28, "int4", 4, 29, NULL, INT)                                                          \
    X(UINT1, 29, "uint1", 1, 30, NULL, UINT)                                                       \
    X(INT2, 30, "int2", 2, 31, NULL, INT)                                                          \
    X(UINT2, 31, "uint2", 2, 32, NULL, UINT)                                                       \
    X(COMPLEX32, 32, "complex32", 32, 33, NULL, COMPLEX)                                           \
    X(HIFLOAT8, 33, "hifloat8", 8, 34, NULL, FLOAT)                                                \
    X(FLOAT8_E5M2, 34, "float8_e5m2", 8, 35, NULL, FLOAT)                                          \
    X(FLOAT8_E4M3FN, 35, "float8_e4m3fn", 8, 36, NULL, FLOAT)                                      \
    X(FLOAT8_E8M0, 36, "float8_e8m0", 8, 37, NULL, FLOAT)                                          \
    X(FLOAT6_E3M2, 37, "float6_e3m2", 6, 38, NULL, FLOAT)                                          \
    X(FLOAT6_E2M3, 38, "float6_e2m3", 6, 39, NULL, FLOAT)                                          \
    X(FLOAT4_E2M1, 39, "float4_e2m1", 4, 40, NULL, FLOAT)                                          \
    X(FLOAT4_E1M2, 40, "float4_e1m2", 4, 41, NULL, FLOAT)                                          \
    X(HIFLOAT4, 41, "hifloat4", 4, 42, NULL, OTHER)                                                \
    X(HIFLOAT4_SCALE, 42, "hifloat4_scale", 8, 43, NULL, OTHER)

typedef enum dc_dtype {
#define X(id, number, ...) DC_##id = number,
    DC_DTYPES(X)
#undef X
        DC_DTYPE_COUNT
} dc_dtype;

typedef struct dc_dtype_info {
    const char *name; /* "float32"; "dtype99" is never here: unknown numbers have no info */
    const char *npy;  /* descr, or NULL */
    uint16_t bits;    /* of one element */
    int16_t ge;       /* the number GE, ACL and graph attributes use */
    dc_kind kind;
} dc_dtype_info;

/* The row of a dtype number, or of DC_UNDEFINED's bytes (kind OTHER, name "unknown") if there is
 * none. Never NULL. Not collective; none of these functions can fail. */
const dc_dtype_info *dc_dtype_get(uint32_t dtype);
bool dc_dtype_known(uint32_t dtype);
/* By name ("float32", "DT_FLOAT16" and the ge_proto/CANN spellings such as "DT_BF16", "FLOAT"); -1
 * if none. */
int dc_dtype_by_name(const char *name);
/* By GE/ACL number; -1 if none. */
int dc_dtype_by_ge(int64_t ge);
/* Bytes that n elements take: ceil(n*bits/8). False when that does not fit 64 bits. */
bool dc_dtype_bytes(uint64_t *bytes, uint32_t dtype, uint64_t n);
#endif
