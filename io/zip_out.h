/* io/zip_out.h - ZIP archives of stored members, as NumPy's savez makes them (.npz). */
#ifndef DC_ZIP_OUT_H
#define DC_ZIP_OUT_H
#include "io/status.h"

#include <stddef.h>

typedef struct dc_zip_out {
    char *path, *part; /* owned */
    void *zip;         /* minizip's zipFile */
} dc_zip_out;

/* Begin the archive under a temporary name. Errors: DC_EIO, DC_ENOMEM. Ended by dc_zip_commit or
 * dc_zip_abandon. Nothing here is collective. */
dc_status dc_zip_begin(dc_zip_out *z, const char *path) DC_MUST_CHECK;
/* Start a member; it ends where the next one starts. Members may be larger than 4 GiB. */
dc_status dc_zip_member(dc_zip_out *z, const char *name) DC_MUST_CHECK;
/* A dc_sink.put (io/out_file.h) whose context is a dc_zip_out: bytes of the current member. */
dc_status dc_zip_put(void *zip, const void *data, size_t n) DC_MUST_CHECK;
/* Write the directory, close and rename; a file of that name is replaced. */
dc_status dc_zip_commit(dc_zip_out *z) DC_MUST_CHECK;
void dc_zip_abandon(dc_zip_out *z);
#endif
