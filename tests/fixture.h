/* tests/fixture.h - small dump trees made by code. */
#ifndef DC_FIXTURE_H
#define DC_FIXTURE_H
#include "io/status.h"

#include <stdint.h>

/* One dump file of one output (float32, `elements` ascending values from `value`) and one int32
 * input of 4 elements. */
typedef struct dc_fixture_op {
    const char
        *dir; /* {time}/{device}/{model}/{model_id}/{step} below the root, or any directory */
    const char *type, *op;
    uint64_t task, stream, time;
    const char *origin; /* original_op name of the output, NULL for none */
    uint64_t elements;
    float value;
} dc_fixture_op;

/* Write it below root, making directories. */
dc_status dc_fixture_write(const char *root, const dc_fixture_op *op) DC_MUST_CHECK;
/* A file of arbitrary bytes. */
dc_status dc_fixture_bytes(const char *root, const char *path, const void *data,
                           uint64_t n) DC_MUST_CHECK;
#endif
