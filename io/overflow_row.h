/* io/overflow_row.h - one overflow record of a run, with the operator it speaks of: a row of the
 * store's table /segment/{k}/overflow. */
#ifndef DC_OVERFLOW_ROW_H
#define DC_OVERFLOW_ROW_H
#include "io/overflow.h"

/* X(C type, column, meaning); strings are ids in the store's dictionary. */
#define DC_OVERFLOW_ROW(X)                                                                         \
    X(int32_t, rank, "training rank")                                                              \
    X(int32_t, device, "number of the device directory")                                           \
    X(int32_t, run, "run, from 0 in time order")                                                   \
    X(uint32_t, model, "string: model without its time stamp")                                     \
    X(int64_t, step, "data_index, -1 without one")                                                 \
    X(uint64_t, dump_time, "microseconds since the epoch")                                         \
    X(uint32_t, dir, "string: directory of the record's file")                                     \
    X(uint32_t, file, "string: its name")                                                          \
    X(uint32_t, record, "which of the file's records")                                             \
    X(uint32_t, detector, "string: what saw it: AIC, AIV, AICPU, SDMA, AI core...")                \
    X(uint32_t, version, "of the record's layout, 0 = the old one")                                \
    X(uint8_t, detected, "1: there was an overflow")                                               \
    X(uint32_t, have, "bit f: the record has the f-th of the columns model_id ... status_3")       \
    X(uint32_t, op,                                                                                \
      "string: operator whose file beside the record has its stream and task, nearest in time, "   \
      "stored or not; else of the same run, model and step; empty if none was dumped")             \
    X(uint32_t, op_type, "string: its type")

/* And a column for each field of io/overflow.h, 0 where `have` lacks it. */
typedef struct dc_overflow_row {
#define X(type, name, doc) type name;
    DC_OVERFLOW_ROW(X)
#undef X
    uint64_t value[DC_OVERFLOW_FIELD_COUNT];
} dc_overflow_row;
#endif
