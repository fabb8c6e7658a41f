/* io/tensor.h - one dumped tensor: who it is, what it is, where its bytes are. The columns of this
 * table are the fields of the struct, the datasets of the store's index, and what processes
 * exchange. */
#ifndef DC_TENSOR_H
#define DC_TENSOR_H
#include "io/dump_read.h"
#include "io/file_name.h"

#include <stdbool.h>
#include <stdint.h>

/* X(C type, column, meaning). "string" columns are ids in the dictionary that goes with the table;
 * the dictionary is sorted, so that comparing ids compares texts. A shape is a string:
 * "1x4x112x112x16", "" for a scalar. Fields stand by size, an even number of 4 bytes first, so that
 * none is padded. */
#define DC_TENSOR_PLAN(X)                                                                          \
    /* 4 bytes: who it is */                                                                       \
    X(int32_t, rank, "training rank")                                                              \
    X(int32_t, device, "number of the device directory")                                           \
    X(int32_t, run, "run, from 0 in time order")                                                   \
    X(uint32_t, model, "string: model without its time stamp; #2 for a second instance")           \
    X(uint32_t, model_dir, "string: model directory as dumped")                                    \
    X(uint32_t, op, "string: operator, unsanitised where the header has it")                       \
    X(uint32_t, op_type, "string: operator type as in the file name")                              \
    X(uint32_t, slot, "index in the file's list of that direction")                                \
    X(uint32_t, occurrence, "k-th execution with an otherwise equal key, by dump time")            \
    X(uint32_t, stream, "stream id, 2^32-1 unknown")                                               \
    X(uint32_t, task, "task id")                                                                   \
    /* its part of an operator that FFTS+ cut */                                                   \
    X(uint32_t, context, "FFTS+ context id, 2^32-1 without one")                                   \
    X(uint32_t, slice, "FFTS+: 1 + the thread that did this part; 0: not in parts")                \
    X(uint32_t, slices, "FFTS+: parts that the operator has, 0 not told")                          \
    X(uint32_t, cut, "string: FFTS+: the part's range of each dim, '0-4x8-16'; empty not told")    \
    /* what it is and where */                                                                     \
    X(uint32_t, shape, "string: device shape")                                                     \
    X(uint32_t, original_shape, "string: logical shape as the header has it")                      \
    X(uint32_t, origin_op, "string: original_op.name, empty without one")                          \
    X(uint32_t, origin_slot, "original_op.output_index, 2^32-1 unset")                             \
    X(uint32_t, dir, "string: directory of the source file")                                       \
    X(uint32_t, file, "string: name of the source file, / for its long number: io/file_name.h")    \
    X(uint32_t, flags, "DC_DUMP_* of io/dump_read.h and DC_TENSOR_* below")                        \
    /* 8 bytes */                                                                                  \
    X(int64_t, step, "data_index, -1 without one")                                                 \
    X(uint64_t, dump_time, "microseconds since the epoch")                                         \
    X(uint64_t, file_number, "the file name's long number, 0 without one")                         \
    X(uint64_t, offset, "of the bytes in the source file")                                         \
    X(uint64_t, bytes, "of the tensor, whether they are stored or not")                            \
    X(uint64_t, slab_offset,                                                                       \
      "of the tensor in /segment/{k}/slab/{dtype}, in that slab's elements")                       \
    /* 2 bytes and 1 */                                                                            \
    X(uint16_t, sub_format, "groups of FRACTAL_Z, else 0")                                         \
    X(uint8_t, direction, "0 input, 1 output, 2 buffer, 3 space")                                  \
    X(uint8_t, dtype, "number in dump headers, io/dtype.h; 255 for one that is not known")         \
    X(uint8_t, format, "number in dump headers, io/format.h")                                      \
    X(uint8_t, origin_dtype, "original_op.data_type in dump numbering, 255 none")                  \
    X(uint8_t, origin_format, "original_op.format, 255 none")

typedef struct dc_tensor {
#define X(type, name, doc) type name;
    DC_TENSOR_PLAN(X)
#undef X
} dc_tensor;

/* A job holds one for every tensor, millions of them: a new column is to be worth its bytes. */
_Static_assert(sizeof(dc_tensor) == 144, "the columns' 143 bytes, rounded up to 8");

/* More bits of dc_tensor.flags. */
enum {
    /* Only statistics are kept: no bytes in a slab, wherever slab_offset points. */
    DC_TENSOR_STATISTICS = 1 << 16,
    /* ... and they come from a statistics file (io/stats_csv.h); offset is that of its row. */
    DC_TENSOR_CSV = 1 << 17,
    /* From an exception dump: what the operator held when the device failed. */
    DC_TENSOR_EXCEPTION = 1 << 18
};

/* Bytes that a tensor takes in its slab. */
static inline uint64_t dc_tensor_stored(const dc_tensor *t)
{
    return t->flags & DC_TENSOR_STATISTICS ? 0 : t->bytes;
}

/* A count that the producer of the statistics did not tell. */
#define DC_NOT_TOLD UINT64_MAX

/* What became of it; written group by group after the bytes, state last. Statistics are of the
 * stored elements; those read from a file are as it has them (over all elements, as a rule), NaN
 * and DC_NOT_TOLD where it has none. */
#define DC_TENSOR_RESULT(X)                                                                        \
    X(uint64_t, hash, "XXH3-64 of the bytes")                                                      \
    X(double, min, "smallest finite element, NaN without one")                                     \
    X(double, max, "largest finite element, NaN without one")                                      \
    X(double, mean, "of the finite elements, NaN without one")                                     \
    X(double, l2, "Euclidean norm of the finite elements")                                         \
    X(uint64_t, nan, "NaN elements")                                                               \
    X(uint64_t, pos_inf, "+Inf elements")                                                          \
    X(uint64_t, neg_inf, "-Inf elements")                                                          \
    X(uint64_t, zero, "zero elements")                                                             \
    X(uint8_t, state,                                                                              \
      "0 not stored yet, 1 stored, 2 its source could not be read, 3 only its statistics are")

typedef struct dc_result {
#define X(type, name, doc) type name;
    DC_TENSOR_RESULT(X)
#undef X
} dc_result;

enum { DC_PENDING, DC_STORED, DC_UNREADABLE, DC_STATISTICS }; /* dc_result.state */

/* A file or directory that gave no tensors, or an operator that is not complete, and why. */
#define DC_SKIPPED(X)                                                                              \
    X(uint32_t, dir, "string: directory")                                                          \
    X(uint32_t, file, "string: file name, as a tensor's; empty for the directory itself")          \
    X(uint64_t, file_number, "its long number")                                                    \
    X(uint32_t, reason, "string: why it was skipped")                                              \
    X(uint8_t, fault,                                                                              \
      "0: a file of another kind; 1: it should have given tensors; 2: it gave some, others of "    \
      "the operator are missing")
typedef struct dc_skipped {
#define X(type, name, doc) type name;
    DC_SKIPPED(X)
#undef X
} dc_skipped;

enum { DC_SKIPPED_OTHER, DC_SKIPPED_FAULT, DC_SKIPPED_PARTLY }; /* dc_skipped.fault */

/* Key order: (rank, run, model, step, op, direction, slot, slice), then (dump_time, stream, task,
 * dir, file), which orders occurrences. identity leaves the second part out: 0 means equal but for
 * the occurrence. For qsort-like use. */
int dc_tensor_compare(const dc_tensor *a, const dc_tensor *b);
int dc_tensor_compare_identity(const dc_tensor *a, const dc_tensor *b);
/* Execution order: (step, dump_time, stream, task, op, direction, slot) within one rank, then rank.
 */
int dc_tensor_compare_execution(const dc_tensor *a, const dc_tensor *b);
/* By directory, then file. */
void dc_skipped_sort(dc_skipped *row, size_t n);
#endif
