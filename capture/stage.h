/* capture/stage.h - staging buffers: small tensors that follow each other in a slab are written
 * with one call. */
#ifndef DC_STAGE_H
#define DC_STAGE_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DC_STAGE_BYTES ((size_t)1 << 20)

typedef struct dc_stage { /* one slab's run of bytes that are not written yet */
    char *data;
    size_t used;
    uint64_t at; /* file offset of data[0] */
} dc_stage;

typedef struct dc_stages {
    int fd;
    const char *path; /* for messages */
    bool failed;      /* a write failed: the store's fault, not a source's */
    dc_stage slab[256];
} dc_stages;

dc_status dc_stages_init(dc_stages *s, int fd, const char *path) DC_MUST_CHECK;
void dc_stages_fini(dc_stages *s);
/* *room: where to put n <= DC_STAGE_BYTES bytes that belong at file offset `at` of a dtype's slab.
 * Earlier bytes stay staged when the new ones follow within 64 bytes (the gap becomes zeros), else
 * they are written first. Errors: as dc_stages_flush. */
dc_status dc_stage_room(char **room, dc_stages *s, uint8_t dtype, uint64_t at,
                        size_t n) DC_MUST_CHECK;
/* Write all that is staged. Errors: DC_ENOSPACE, DC_EIO, with `failed` set. */
dc_status dc_stages_flush(dc_stages *s) DC_MUST_CHECK;
/* Note a failed write made elsewhere; returns st. */
dc_status dc_stage_failed(dc_stages *s, dc_status st);
#endif
