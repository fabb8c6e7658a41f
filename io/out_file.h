/* io/out_file.h - a file that appears whole or not at all: written under a temporary name beside
 * it, then renamed. */
#ifndef DC_OUT_FILE_H
#define DC_OUT_FILE_H
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

/* Where bytes go, one after another. */
typedef struct dc_sink {
    dc_status (*put)(void *context, const void *data, size_t n);
    void *context;
} dc_sink;

typedef struct dc_out_file {
    char *path, *part; /* owned */
    int fd;
    uint64_t n; /* bytes written */
} dc_out_file;

/* ".dumpcap-{pid}.part" in path's directory, malloc'd: one at a time in a process. NULL without
 * memory. */
char *dc_out_part_name(const char *path);
/* Begin path's temporary file. Errors: DC_EIO, DC_ENOENT, DC_ENOSPACE, DC_ENOMEM. Ended by
 * dc_out_commit or dc_out_abandon; nothing here is collective. */
dc_status dc_out_begin(dc_out_file *f, const char *path) DC_MUST_CHECK;
/* A dc_sink.put whose context is a dc_out_file. Errors: DC_EIO, DC_ENOSPACE. */
dc_status dc_out_put(void *file, const void *data, size_t n) DC_MUST_CHECK;
/* Close and rename; a file of that name is replaced. On error nothing is left behind. */
dc_status dc_out_commit(dc_out_file *f) DC_MUST_CHECK;
/* Close and remove. */
void dc_out_abandon(dc_out_file *f);
#endif
