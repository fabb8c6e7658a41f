/* capture/source.c - see source.h */
#include "capture/source.h"

#include "io/log.h"
#include "io/path.h"
#include "io/store_result.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dc_source_init(dc_source *s, const dc_merge *stores)
{
    *s = (dc_source){.fd = -1, .dir = DC_NO_STR, .file = DC_NO_STR, .stores = stores};
}

static void forget(dc_source *s)
{
    const dc_merge_from *from = s->from;
    if (s->fd >= 0)
        close(s->fd);
    dc_stats_free(s->csv);
    free(s->path);
    free(s->message);
    dc_source_init(s, s->stores);
    s->from = from;
    s->message = s->path = NULL; /* again, for an analyser that loses sight of the line above */
}

void dc_source_fini(dc_source *s)
{
    forget(s);
}

static dc_status source_failed(dc_source *s, dc_status st)
{
    char *message = strdup(dc_last_error());
    free(s->message);
    s->message = message;
    s->failed = st;
    return st;
}

/* Turn to another file; DC_OK also where it is the current one already. */
static dc_status name_file(bool *same, dc_source *s, const dc_pool *names, const dc_tensor *t)
{
    char file[DC_FILE_NAME];
    *same = s->dir == t->dir && s->file == t->file && s->file_number == t->file_number;
    if (*same)
        return s->failed == DC_OK ? DC_OK
                                  : dc_set_error(s->failed, s->message ? s->message : "unreadable");
    forget(s);
    s->dir = t->dir;
    s->file = t->file;
    s->file_number = t->file_number;
    s->path = dc_path_join(dc_pool_text(names, t->dir),
                           dc_file_name(file, names, t->file, t->file_number));
    return s->path ? DC_OK : DC_ENOMEM;
}

static dc_status turn_to(dc_source *s, const dc_pool *names, const dc_tensor *t)
{
    bool same;
    dc_status st = name_file(&same, s, names, t);
    if (st != DC_OK || same)
        return st;
    s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
    return s->fd >= 0 ? DC_OK : source_failed(s, dc_fail_errno("%s: cannot open", s->path));
}

dc_status dc_source_result(dc_result *r, dc_source *s)
{
    const dc_merge *m = s->stores;
    const dc_merge_from *from = s->from;
    forget(s);
    return dc_store_get_result(r, m->store[from->store], m->fd[from->store], from->row);
}

static dc_status read_store(dc_source *s, void *out, size_t n, uint64_t skip)
{
    const dc_merge *m = s->stores;
    const dc_merge_from *from = s->from;
    dc_status st =
        dc_pread(m->fd[from->store], out, n, from->at + skip, dc_store_path(m->store[from->store]));
    return st == DC_OK ? DC_OK : source_failed(s, st);
}

dc_status dc_source_read(dc_source *s, const dc_pool *names, const dc_tensor *t, void *out,
                         size_t n, uint64_t skip)
{
    if (s->from)
        return read_store(s, out, n, skip);
    dc_status st = turn_to(s, names, t);
    if (st != DC_OK)
        return st;
    st = dc_fault("source.read") ? dc_fail(DC_EIO, "%s: cannot read (injected)", s->path)
                                 : dc_pread(s->fd, out, n, t->offset + skip, s->path);
    return st == DC_OK ? DC_OK : source_failed(s, st);
}

void dc_source_complain(dc_source *s)
{
    if (!s->said)
        dc_warn("%s; its tensors are marked unreadable", s->message ? s->message : dc_last_error());
    s->said = true;
}

dc_status dc_source_damaged(dc_source *s)
{
    const dc_merge_from *from = s->from;
    forget(s);
    return source_failed(s, dc_fail(DC_EFORMAT,
                                    "%s: row %" PRIu64 ": its bytes are not what was stored",
                                    dc_store_path(s->stores->store[from->store]), from->row));
}

dc_status dc_source_statistics(dc_result *r, dc_source *s, const dc_pool *names, const dc_tensor *t)
{
    bool same, more = false;
    dc_stats_row row;
    uint64_t at = t->offset;
    dc_status st = name_file(&same, s, names, t);
    if (st == DC_OK && !same)
        st = dc_stats_open(&s->csv, s->path);
    if (st == DC_OK)
        st = dc_stats_next(&row, &more, s->csv, &at);
    if (st == DC_OK && (!more || row.offset != t->offset))
        st = dc_fail(DC_EFORMAT, "%s: changed since it was scanned", s->path);
    if (st != DC_OK)
        return s->failed == DC_OK ? source_failed(s, st) : st;
    *r = row.result;
    return DC_OK;
}
