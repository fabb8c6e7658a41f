/* io/format.h - the memory formats of Ascend tensors, as one table of names. Their geometry is
 * io/relayout. */
#ifndef DC_FORMAT_H
#define DC_FORMAT_H
#include <stdint.h>

/* X(id, number in dump headers and in GE). The name is the id. Source: CANN's
 * dump_data.proto (OutputFormat) and GE's types.h (Format). */
/* clang-format off */
#define DC_FORMATS(X)                                                                              \
    X(NCHW, 0) X(NHWC, 1) X(ND, 2) X(NC1HWC0, 3) X(FRACTAL_Z, 4) X(NC1C0HWPAD, 5) X(NHWC1C0, 6)    \
    X(FSR_NCHW, 7) X(FRACTAL_DECONV, 8) X(C1HWNC0, 9) X(FRACTAL_DECONV_TRANSPOSE, 10)              \
    X(FRACTAL_DECONV_SP_STRIDE_TRANS, 11) X(NC1HWC0_C04, 12) X(FRACTAL_Z_C04, 13) X(CHWN, 14)      \
    X(FRACTAL_DECONV_SP_STRIDE8_TRANS, 15) X(HWCN, 16) X(NC1KHKWHWC0, 17) X(BN_WEIGHT, 18)         \
    X(FILTER_HWCK, 19) X(HASHTABLE_LOOKUP_LOOKUPS, 20) X(HASHTABLE_LOOKUP_KEYS, 21)                \
    X(HASHTABLE_LOOKUP_VALUE, 22) X(HASHTABLE_LOOKUP_OUTPUT, 23) X(HASHTABLE_LOOKUP_HITS, 24)      \
    X(C1HWNCoC0, 25) X(MD, 26) X(NDHWC, 27) X(FRACTAL_ZZ, 28) X(FRACTAL_NZ, 29) X(NCDHW, 30)       \
    X(DHWCN, 31) X(NDC1HWC0, 32) X(FRACTAL_Z_3D, 33) X(CN, 34) X(NC, 35) X(DHWNC, 36)              \
    X(FRACTAL_Z_3D_TRANSPOSE, 37) X(FRACTAL_ZN_LSTM, 38) X(FRACTAL_Z_G, 39) X(RESERVED, 40)        \
    X(ALL, 41) X(NULL, 42) X(ND_RNN_BIAS, 43) X(FRACTAL_ZN_RNN, 44) X(NYUV, 45) X(NYUV_A, 46)      \
    X(NCL, 47) X(FRACTAL_Z_WINO, 48) X(C1HWC0, 49) X(FRACTAL_NZ_C0_16, 50)                         \
    X(FRACTAL_NZ_C0_32, 51) X(FRACTAL_NZ_C0_2, 52) X(FRACTAL_NZ_C0_4, 53) X(FRACTAL_NZ_C0_8, 54)   \
    X(MAX, 255)
/* clang-format on */

typedef enum dc_format {
#define X(id, number) DC_FORMAT_##id = number,
    DC_FORMATS(X)
#undef X
} dc_format;

/* "NC1HWC0"; "unknown" for a number that is not in the table. Never NULL. */
const char *dc_format_name(uint32_t format);
/* By name, with or without the prefix "FORMAT_"; -1 if none. */
int dc_format_by_name(const char *name);
#endif
