/* io/path.h - paths: joining, splitting, walking; whole-range reads and writes that carry errno's
 * reason. */
#ifndef DC_PATH_H
#define DC_PATH_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* malloc'd "dir/name" without doubled or trailing slashes; NULL without memory (dc_last_error says
 * so). */
char *dc_path_join(const char *dir, const char *name);
/* The last component of path (a pointer into it). */
const char *dc_path_base(const char *path);
/* malloc'd copy with repeated and trailing slashes removed ("/" stays); NULL without memory. */
char *dc_path_normal(const char *path);
/* Order of names with embedded numbers by value: "rank_2" before "rank_10"; ties by strcmp. */
int dc_path_compare(const char *a, const char *b);
bool dc_path_is_dir(const char *path);
bool dc_path_is_file(const char *path);

/* Read exactly n bytes at offset; a shorter file is DC_EFORMAT "... is shorter than expected". path
 * is for the message. */
dc_status dc_pread(int fd, void *out, size_t n, uint64_t offset, const char *path) DC_MUST_CHECK;
/* Write exactly n bytes at offset. Errors: DC_ENOSPACE (disk full, quota, file-size limit), DC_EIO.
 */
dc_status dc_pwrite(int fd, const void *data, size_t n, uint64_t offset,
                    const char *path) DC_MUST_CHECK;
/* Whole file to memory: *data malloc'd, NUL-terminated beyond n. Errors: DC_EUNSUP over limit
 * bytes. */
dc_status dc_read_file(char **data, size_t *n, const char *path, size_t limit) DC_MUST_CHECK;
/* Make path and its parents like mkdir -p. */
dc_status dc_mkdirs(const char *path) DC_MUST_CHECK;
#endif
