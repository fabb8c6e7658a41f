/* capture/stage.c - see stage.h */
#include "capture/stage.h"

#include "io/path.h"

#include <stdlib.h>
#include <string.h>

#define GAP 64 /* bytes: what the plan leaves between tensors of a group at most */

dc_status dc_stages_init(dc_stages *s, int fd, const char *path)
{
    memset(s, 0, sizeof *s);
    s->fd = fd;
    s->path = path;
    return DC_OK;
}

void dc_stages_fini(dc_stages *s)
{
    for (int d = 0; d < 256; d++)
        free(s->slab[d].data);
}

dc_status dc_stage_failed(dc_stages *s, dc_status st)
{
    s->failed = true;
    return st;
}

static dc_status flush_one(dc_stages *s, dc_stage *g)
{
    if (g->used == 0)
        return DC_OK;
    dc_status st = dc_fault("stage.write")
                       ? dc_fail(DC_ENOSPACE, "%s: cannot write (injected)", s->path)
                       : dc_pwrite(s->fd, g->data, g->used, g->at, s->path);
    g->used = 0;
    return st == DC_OK ? DC_OK : dc_stage_failed(s, st);
}

dc_status dc_stage_room(char **room, dc_stages *s, uint8_t dtype, uint64_t at, size_t n)
{
    dc_stage *g = &s->slab[dtype];
    if (!g->data && !(g->data = malloc(DC_STAGE_BYTES)))
        return dc_fail_memory();
    uint64_t end = g->at + g->used;
    bool follows = g->used && at >= end && at - end < GAP && at + n - g->at <= DC_STAGE_BYTES;
    if (!follows) {
        dc_status st = flush_one(s, g);
        if (st != DC_OK)
            return st;
        g->at = end = at;
    }
    memset(g->data + g->used, 0, at - end);
    g->used = at + n - g->at;
    *room = g->data + (at - g->at);
    return DC_OK;
}

dc_status dc_stages_flush(dc_stages *s)
{
    dc_status st = DC_OK;
    for (int d = 0; d < 256; d++) {
        dc_status one = flush_one(s, &s->slab[d]);
        if (st == DC_OK)
            st = one;
    }
    return st;
}
