/* io/dump_read.c - see dump_read.h */
#include "io/dump_read.h"

#include "io/dump_layout.h"
#include "io/endian.h"
#include "io/mem.h"
#include "io/word.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NANO_MAGIC   0x5a5a5a5au
#define LENGTH_LIMIT ((uint64_t)1 << 40) /* of a version-2 header; version 1 starts with more */

static dc_status read_v1(dc_dump *d, dc_pbwire *w)
{
    d->kind = DC_DUMP_V1;
    dc_status st = dc_dump_header_decode(d, w, 0, w->bytes);
    if (st == DC_EFORMAT)
        return dc_fail(st, "%s (no length in front of it, so read as version 1)", dc_last_error());
    if (st == DC_OK && d->n == 0)
        return dc_fail(DC_EFORMAT, "%s: not a dump file: a version-1 message without tensors",
                       w->path);
    return st == DC_OK ? dc_dump_place(d, 0, w->bytes, w->path) : st;
}

static dc_status read_any(dc_dump *d, dc_pbwire *w)
{
    uint8_t head[12] = {0};
    if (w->bytes <= 8)
        return dc_fail(DC_EFORMAT, "%s: %" PRIu64 " %s too few for a dump file", w->path, w->bytes,
                       dc_word(w->bytes, "byte is", "bytes are"));
    dc_status st = dc_pbwire_read(head, w, 0, w->bytes < 12 ? (size_t)w->bytes : 12);
    if (st != DC_OK)
        return st;
    uint64_t length = dc_little_endian(head, 8);
    if (length >= LENGTH_LIMIT)
        return read_v1(d, w);
    if (length > w->bytes - 8)
        return dc_fail(DC_EFORMAT,
                       "%s: the header says it has %" PRIu64 " %s, the file has %" PRIu64, w->path,
                       length, dc_word(length, "byte", "bytes"), w->bytes - 8);
    if (length == 0)
        return dc_fail(DC_EFORMAT, "%s: not a dump file: a header of no bytes", w->path);
    bool nano = dc_little_endian(head + 8, 4) == NANO_MAGIC && length >= 8;
    d->kind = nano ? DC_DUMP_NANO : DC_DUMP_V2;
    st = nano ? dc_dump_nano_decode(d, w, 8, 8 + length)
              : dc_dump_header_decode(d, w, 8, 8 + length);
    return st == DC_OK ? dc_dump_place(d, 8 + length, w->bytes, w->path) : st;
}

static dc_status read_to(dc_dump *out, dc_pbwire *w)
{
    dc_dump d = {.op_name = "", .dfx_message = ""};
    dc_pool *pool = NULL;
    dc_status st = dc_pool_new(&pool);
    d.memory = pool;
    if (st == DC_OK)
        st = read_any(&d, w);
    d.fetched = w->fetched;
    if (st == DC_OK)
        *out = d;
    else
        dc_dump_fini(&d);
    return st;
}

dc_status dc_dump_read(dc_dump *out, int fd, uint64_t file_bytes, const char *path)
{
    dc_pbwire w;
    dc_pbwire_file(&w, fd, file_bytes, path);
    return read_to(out, &w);
}

dc_status dc_dump_parse(dc_dump *out, const void *data, size_t n, const char *path)
{
    dc_pbwire w;
    dc_pbwire_memory(&w, data, n, path);
    return read_to(out, &w);
}

dc_status dc_dump_open(dc_dump *out, const char *path)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return dc_fail_errno("%s: cannot open", path);
    dc_status st;
    if (fstat(fd, &s) != 0)
        st = dc_fail_errno("%s: cannot stat", path);
    else if (!S_ISREG(s.st_mode))
        st = dc_fail(DC_EFORMAT, "%s: not a regular file", path);
    else
        st = dc_dump_read(out, fd, (uint64_t)s.st_size, path);
    close(fd);
    return st;
}

void dc_dump_fini(dc_dump *d)
{
    dc_pool_free(d->memory);
    free(d->tensor);
    free(d->attr);
    *d = (dc_dump){.op_name = "", .dfx_message = ""};
}
