/* io/overflow.c - see overflow.h */
#include "io/overflow.h"

#include "io/endian.h"
#include "io/word.h"

#include <inttypes.h>

#define MAGIC 0x5a5a5a5au
enum { HEADER_BYTES = 24, MAX_LAYOUT = 14 };

#define F(id) DC_OVERFLOW_##id

typedef struct layout {
    const char *detector;
    size_t n;
    uint8_t field[MAX_LAYOUT];
} layout;

#define AI_CORE_FIELDS                                                                             \
    F(MODEL_ID), F(STREAM_ID), F(TASK_ID), F(TASK_TYPE), F(CONTEXT_ID), F(THREAD_ID), F(PC_START), \
        F(PARA_BASE), F(CORE_ID), F(BLOCK_ID), F(STATUS), F(STATUS_1), F(STATUS_2), F(STATUS_3)

/* By acc_type. */
static const layout layouts[] = {
    {"AIC", 11, {AI_CORE_FIELDS}},
    {"AIV", 11, {AI_CORE_FIELDS}},
    {"AICPU",
     8,
     {F(MODEL_ID), F(STREAM_ID), F(TASK_ID), F(TASK_TYPE), F(CONTEXT_ID), F(CPU_ID), F(THREAD_ID),
      F(STATUS)}},
    {"SDMA",
     10,
     {F(MODEL_ID), F(STREAM_ID), F(TASK_ID), F(TASK_TYPE), F(CONTEXT_ID), F(THREAD_ID), F(SRC_ADDR),
      F(DST_ADDR), F(CHANNEL_ID), F(STATUS)}},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts, AIV = 1, MORE_STATUS = 3 };

const char *dc_overflow_field_name(dc_overflow_field field)
{
    static const char *const name[] = {
#define X(id, text, hex) text,
        DC_OVERFLOW_FIELDS(X)
#undef X
    };
    return name[field];
}

bool dc_overflow_field_is_hex(dc_overflow_field field)
{
    static const bool is_hex[] = {
#define X(id, text, hex) hex,
        DC_OVERFLOW_FIELDS(X)
#undef X
    };
    return is_hex[field];
}

static void set(dc_overflow *out, dc_overflow_field field, const uint8_t *at)
{
    out->value[field] = dc_little_endian(at, 8);
    out->have |= 1u << field;
}

static void decode_old(dc_overflow out[DC_OVERFLOW_MAX], const uint8_t *data)
{
    static const struct {
        const char *detector;
        size_t at, status;
    } part[DC_OVERFLOW_MAX] = {
        {"DHA atomic add", 0, 512}, {"L2 atomic add", 128, 768}, {"AI core", 256, 1040}};
    static const uint8_t field[] = {F(MODEL_ID),  F(STREAM_ID), F(TASK_ID),
                                    F(TASK_TYPE), F(PC_START),  F(PARA_BASE)};
    for (size_t i = 0; i < DC_OVERFLOW_MAX; i++) {
        out[i] = (dc_overflow){.detector = part[i].detector};
        for (size_t k = 0; k < sizeof field; k++)
            set(&out[i], field[k], data + part[i].at + 8 * k);
        set(&out[i], F(STATUS), data + part[i].status);
    }
    set(&out[2], F(KERNEL_CODE), data + 1024);
    set(&out[2], F(BLOCK_ID), data + 1032);
    for (size_t i = 0; i < DC_OVERFLOW_MAX; i++)
        for (size_t f = 0; f < DC_OVERFLOW_FIELD_COUNT; f++)
            out[i].detected = out[i].detected || out[i].value[f];
}

static dc_status decode_new(dc_overflow *out, const uint8_t *data, size_t bytes, const char *path)
{
    uint32_t version = (uint32_t)dc_little_endian(data + 4, 4);
    uint64_t acc_type = dc_little_endian(data + 12, 4);
    if (acc_type >= LAYOUTS)
        return dc_fail(DC_EUNSUP, "%s: an overflow record of the unknown kind %" PRIu64, path,
                       acc_type);
    const layout *l = &layouts[acc_type];
    size_t n = l->n + (version == 1 && acc_type <= AIV ? MORE_STATUS : 0);
    if (bytes < HEADER_BYTES + 8 * n)
        return dc_fail(DC_EFORMAT, "%s: an overflow record of %zu %s, %s needs %zu", path, bytes,
                       dc_word(bytes, "byte", "bytes"), l->detector, HEADER_BYTES + 8 * n);
    *out = (dc_overflow){.detector = l->detector,
                         .version = version,
                         .detected = dc_little_endian(data + 8, 4) != 0};
    for (size_t i = 0; i < n; i++)
        set(out, l->field[i], data + HEADER_BYTES + 8 * i);
    return DC_OK;
}

dc_status dc_overflow_decode(dc_overflow out[DC_OVERFLOW_MAX], size_t *n, const void *data,
                             size_t bytes, const char *path)
{
    *n = 1;
    if (bytes >= HEADER_BYTES && dc_little_endian(data, 4) == MAGIC)
        return decode_new(out, data, bytes, path);
    if (bytes != DC_OVERFLOW_BYTES)
        return dc_fail(DC_EFORMAT, "%s: overflow data of %zu %s, neither %d nor of the new kind",
                       path, bytes, dc_word(bytes, "byte", "bytes"), DC_OVERFLOW_BYTES);
    decode_old(out, data);
    *n = DC_OVERFLOW_MAX;
    return DC_OK;
}
