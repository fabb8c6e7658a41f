/* compare/report_file.c - see report_file.h */
#include "compare/report_file.h"

#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file being written by process 0 under a temporary name. */
typedef struct output {
    char *path, *part;
    int fd;
} output;

static dc_status output_open(output *o, const char *dir, const char *name)
{
    dc_buf part = {0};
    dc_status st = dc_mkdirs(dir);
    if (st != DC_OK)
        return st;
    o->path = dc_path_join(dir, name);
    if (!o->path)
        return DC_ENOMEM;
    st = dc_buf_printf(&part, "%s.part%c", o->path, '\0');
    o->part = part.data;
    if (st != DC_OK)
        return st;
    o->fd = open(o->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return o->fd < 0 ? dc_fail_errno("%s", o->part) : DC_OK;
}

/* dc_par_sink */
static dc_status output_put(void *context, const char *data, size_t n)
{
    output *o = context;
    if (dc_fault("report.write"))
        return dc_fail(DC_ENOSPACE, "%s: No space left on device", o->part);
    while (n > 0) {
        ssize_t put = write(o->fd, data, n);
        if (put < 0)
            return dc_fail_errno("%s", o->part);
        data += put;
        n -= (size_t)put;
    }
    return DC_OK;
}

static dc_status output_close(output *o, dc_status st)
{
    if (o->fd >= 0 && close(o->fd) != 0 && st == DC_OK)
        st = dc_fail_errno("%s", o->part);
    free(o->path);
    free(o->part);
    *o = (output){.fd = -1};
    return st;
}

static dc_status settle(const char *dir, const char *const *name, size_t n, dc_status st)
{
    dc_buf part = {0};
    for (size_t i = 0; i < n; i++) {
        part.n = 0;
        char *path = dc_path_join(dir, name[i]);
        dc_status named = path ? dc_buf_printf(&part, "%s.part%c", path, '\0') : DC_ENOMEM;
        if (named == DC_OK && st == DC_OK && rename(part.data, path) != 0)
            st = dc_fail_errno("%s", path);
        else if (named == DC_OK && st != DC_OK)
            unlink(part.data);
        free(path);
        st = st == DC_OK ? named : st;
    }
    dc_buf_free(&part);
    return st;
}

static void parts_free(dc_report_parts *p)
{
    dc_buf_free(&p->head);
    dc_buf_free(&p->body);
    dc_buf_free(&p->tail);
}

dc_status dc_report_file(const char *dir, const char *name, dc_report_parts *p, dc_status local,
                         const dc_par *par)
{
    output o = {.fd = -1};
    bool first = par->process == 0;
    if (local == DC_OK && first)
        local = output_open(&o, dir, name);
    if (local == DC_OK && first)
        local = output_put(&o, p->head.data, p->head.n);
    dc_status st = dc_par_agree(local, par);
    if (st == DC_OK)
        st = dc_par_concatenate(output_put, &o, p->body.data, p->body.n, par);
    if (st == DC_OK && first)
        st = output_put(&o, p->tail.data, p->tail.n);
    if (first)
        st = output_close(&o, st);
    parts_free(p);
    return dc_par_agree(st, par);
}

dc_status dc_report_settle(const char *dir, const char *const *name, size_t n, dc_status st,
                           const dc_par *par)
{
    if (par->process == 0)
        st = settle(dir, name, n, st);
    return dc_par_agree(st, par);
}
