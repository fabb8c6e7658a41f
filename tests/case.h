/* tests/case.h - single tensors through all of dumpcmp: a dump tree, goldens, the report. */
#ifndef DC_CASE_H
#define DC_CASE_H
#include "tests/mpi_harness.h"

#define DC_CASE_STEP "20240613143502/0/net_1/1/0" /* the directory of a tree's dumps */

/* One output of an operator, and its golden. Shapes "2x3". */
typedef struct dc_case {
    const char *op;
    uint32_t dtype, format, sub_format;
    const char *shape, *original; /* original NULL: none */
    const void *data;
    uint64_t bytes;
    const char *golden, *golden_shape; /* file name; golden NULL: none */
    uint32_t golden_dtype;
    const void *values;
    int32_t origin_format; /* 0: none; else 1 + the header's */
    uint64_t later;        /* microseconds after the usual time */
    bool null_address;
} dc_case;

/* float32 in NPU and golden, ND, of any shape; file NULL: no golden. */
dc_case dc_case_plain(const char *op, const char *file, const char *shape, const float *npu,
                      const float *golden);
/* Write the dump below root/tree, on this process. A string or a null address is followed by a
 * healthy output 1 of 4 elements 1, 2, 3, 4. */
void dc_case_dump(const char *root, const char *tree, const dc_case *s);
/* Write the dump to root/dump and its golden to root/gold. Process 0 does. */
void dc_case_add(const char *root, const dc_case *s);
/* The same for tensors without a layout, whose goldens "{op}.0.1.npy" have their dims. */
typedef struct dc_case_flat {
    const char *op, *dims;
    uint32_t dtype;
    const void *data;
    uint64_t bytes;
    uint32_t golden_dtype;
    const void *values;
} dc_case_flat;
void dc_case_add_flat(const char *root, const dc_case_flat *flat, size_t n);
/* dumpcmp root/dump --golden root/golden, its summary thrown away; the text of result.csv, the
 * caller's. Collective. */
char *dc_case_run(const char *root, const char *golden);
/* The same with more arguments, 8 at most and a NULL; or NULL. */
char *dc_case_run_with(const char *root, const char *golden, const char *const *more);
/* The line of "op:output:0" (or another tensor) holds the verdict as a cell, and `part`. */
void dc_case_expect(const char *text, const char *tensor, const char *verdict, const char *part);
#endif
