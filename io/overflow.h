/* io/overflow.h - the contents of Opdebug.Node_OpDebug files: where the device saw an overflow.
 *
 * Old layout, 2048 bytes, u64 each, little-endian: three records of model_id, stream_id, task_id,
 * task_type, pc_start, para_base at 0 (DHA atomic add), 128 (L2 atomic add) and 256 (AI core),
 * their status at 512, 768 and 1040, the AI core's kernel_code at 1024 and block_idx at 1032. New
 * layout: u32 0x5a5a5a5a, version, valid, acc_type, reserved, data_len, then from 24 on one record
 * of u64 fields in the order of its acc_type (overflow.c); the status of version 1's AI core is
 * four numbers. Sources: msaccucmp's overflow parser, CANN's aicpu. */
#ifndef DC_OVERFLOW_H
#define DC_OVERFLOW_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, name, print as hexadecimal) */
#define DC_OVERFLOW_FIELDS(X)                                                                      \
    X(MODEL_ID, "model_id", 0)                                                                     \
    X(STREAM_ID, "stream_id", 0)                                                                   \
    X(TASK_ID, "task_id", 0)                                                                       \
    X(TASK_TYPE, "task_type", 0)                                                                   \
    X(CONTEXT_ID, "context_id", 0)                                                                 \
    X(THREAD_ID, "thread_id", 0)                                                                   \
    X(PC_START, "pc_start", 1)                                                                     \
    X(PARA_BASE, "para_base", 1)                                                                   \
    X(CORE_ID, "core_id", 0)                                                                       \
    X(BLOCK_ID, "block_id", 0)                                                                     \
    X(SRC_ADDR, "src_addr", 1)                                                                     \
    X(DST_ADDR, "dst_addr", 1)                                                                     \
    X(CHANNEL_ID, "channel_id", 0)                                                                 \
    X(CPU_ID, "cpu_id", 0)                                                                         \
    X(KERNEL_CODE, "kernel_code", 1)                                                               \
    X(STATUS, "status", 0)                                                                         \
    X(STATUS_1, "status_1", 0)                                                                     \
    X(STATUS_2, "status_2", 0)                                                                     \
    X(STATUS_3, "status_3", 0)

typedef enum dc_overflow_field {
#define X(id, name, hex) DC_OVERFLOW_##id,
    DC_OVERFLOW_FIELDS(X)
#undef X
        DC_OVERFLOW_FIELD_COUNT
} dc_overflow_field;

typedef struct dc_overflow {
    const char *detector; /* "AIC", "AIV", "AICPU", "SDMA"; old: "DHA atomic add", "L2 atomic add",
                             "AI core" */
    uint32_t version;     /* of the new layout; 0 = old */
    uint32_t have;        /* bit f: value[f] is in the record */
    bool detected;        /* old: any number is not 0; new: the valid word */
    uint64_t value[DC_OVERFLOW_FIELD_COUNT];
} dc_overflow;

enum { DC_OVERFLOW_MAX = 3, DC_OVERFLOW_BYTES = 2048 };

/* Decode the payload data[0..bytes) of one output into records out[0..*n), n = 1 or 3. Errors:
 * DC_EFORMAT (of no known layout, or cut short), DC_EUNSUP (an acc_type we do not know); the
 * message names path. Not collective. */
dc_status dc_overflow_decode(dc_overflow out[DC_OVERFLOW_MAX], size_t *n, const void *data,
                             size_t bytes, const char *path) DC_MUST_CHECK;
const char *dc_overflow_field_name(dc_overflow_field field);
bool dc_overflow_field_is_hex(dc_overflow_field field);
#endif
