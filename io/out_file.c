/* io/out_file.c - see out_file.h */
#include "io/out_file.h"

#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *dc_out_part_name(const char *path)
{
    const char *base = dc_path_base(path);
    size_t n = (size_t)(base - path) + 64;
    char *part = malloc(n);
    if (part)
        snprintf(part, n, "%.*s.dumpcap-%ld.part", (int)(base - path), path, (long)getpid());
    else
        (void)dc_fail_memory();
    return part;
}

static void release(dc_out_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    free(f->path);
    free(f->part);
    *f = (dc_out_file){.fd = -1};
}

dc_status dc_out_begin(dc_out_file *f, const char *path)
{
    *f = (dc_out_file){.path = strdup(path), .part = dc_out_part_name(path), .fd = -1};
    if (!f->path || !f->part) {
        release(f);
        return dc_fail_memory();
    }
    f->fd = open(f->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->fd >= 0)
        return DC_OK;
    dc_status st = dc_fail_errno("%s: cannot create", f->part);
    release(f);
    return st;
}

dc_status dc_out_put(void *file, const void *data, size_t n)
{
    dc_out_file *f = file;
    dc_status st = dc_pwrite(f->fd, data, n, f->n, f->part);
    f->n += n;
    return st;
}

dc_status dc_out_commit(dc_out_file *f)
{
    dc_status st = close(f->fd) == 0 ? DC_OK : dc_fail_errno("%s: cannot close", f->part);
    f->fd = -1;
    if (st == DC_OK && rename(f->part, f->path) != 0)
        st = dc_fail_errno("%s: cannot rename", f->path);
    if (st != DC_OK)
        unlink(f->part);
    release(f);
    return st;
}

void dc_out_abandon(dc_out_file *f)
{
    if (f->part)
        unlink(f->part);
    release(f);
}
