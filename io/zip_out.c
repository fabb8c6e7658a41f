/* io/zip_out.c - see zip_out.h */
#include "io/zip_out.h"

#include "io/out_file.h"

#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEW_YEAR_1980 ((1u << 5) | 1u) /* the earliest date: the same bytes on every day */
#define PIECE         ((size_t)1 << 30)

static void release(dc_zip_out *z)
{
    free(z->path);
    free(z->part);
    *z = (dc_zip_out){0};
}

dc_status dc_zip_begin(dc_zip_out *z, const char *path)
{
    *z = (dc_zip_out){.path = strdup(path), .part = dc_out_part_name(path)};
    dc_status st = z->path && z->part ? DC_OK : dc_fail_memory();
    if (st == DC_OK && !(z->zip = zipOpen64(z->part, APPEND_STATUS_CREATE)))
        st = dc_fail_errno("%s: cannot create", z->part);
    if (st != DC_OK)
        release(z);
    return st;
}

dc_status dc_zip_member(dc_zip_out *z, const char *name)
{
    const zip_fileinfo info = {.dosDate = (uLong)NEW_YEAR_1980 << 16};
    int bad = zipOpenNewFileInZip64(z->zip, name, &info, NULL, 0, NULL, 0, NULL, 0, 0, 1);
    return bad ? dc_fail_errno("%s: cannot add %s", z->part, name) : DC_OK;
}

dc_status dc_zip_put(void *zip, const void *data, size_t n)
{
    const dc_zip_out *z = zip;
    for (size_t i = 0; i < n; i += PIECE)
        if (zipWriteInFileInZip(z->zip, (const char *)data + i,
                                (unsigned)(n - i < PIECE ? n - i : PIECE)))
            return dc_fail_errno("%s: cannot write", z->part);
    return DC_OK;
}

dc_status dc_zip_commit(dc_zip_out *z)
{
    dc_status st = zipClose(z->zip, NULL) == 0 ? DC_OK : dc_fail_errno("%s: cannot close", z->part);
    if (st == DC_OK && rename(z->part, z->path) != 0)
        st = dc_fail_errno("%s: cannot rename", z->path);
    if (st != DC_OK)
        unlink(z->part);
    release(z);
    return st;
}

void dc_zip_abandon(dc_zip_out *z)
{
    if (z->zip)
        zipClose(z->zip, NULL);
    if (z->part)
        unlink(z->part);
    release(z);
}
