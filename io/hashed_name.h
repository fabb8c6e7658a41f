/* io/hashed_name.h - does the name of a hashed file fit the path it was dumped to?
 *
 * CANN names a file whose own name is too long after the hash (std_hash.h) of its whole path as it
 * was put together, {dump_path}/{time}/{device}/.../{name}, where the dump_path's last slash and
 * the one after {device} may be doubled. An exception's files are named after the hash of the name
 * alone. Source: CANN's aicpu dump writer. */
#ifndef DC_HASHED_NAME_H
#define DC_HASHED_NAME_H
#include "io/status.h"

#include <stdbool.h>

/* Is `hash` a name that CANN could have made: decimal, of at most 20 digits? msprobe's 32 random
 * digits are not. Not collective; cannot fail. */
bool dc_hashed_is(const char *hash);
/* *fits: `hash` is that of `original_path`, any number of the last levels of `dir` (where the file
 * is now), and the original name; or of the name alone, for an exception's file. Errors: DC_ENOMEM.
 * Not collective. */
dc_status dc_hashed_fits(bool *fits, const char *hash, const char *original_path, const char *dir,
                         const char *name) DC_MUST_CHECK;
#endif
