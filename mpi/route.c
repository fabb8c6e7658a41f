/* mpi/route.c - see route.h */
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

dc_status dc_route_begin(dc_route *r, const dc_par *par)
{
    *r = (dc_route){calloc((size_t)par->processes, sizeof *r->to), par->processes};
    return r->to ? DC_OK : dc_fail_memory();
}

dc_status dc_route_add(dc_route *r, int p, const void *bytes, size_t n)
{
    return dc_buf_add(&r->to[p], bytes, n);
}

int dc_route_owner(const void *bytes, size_t n, const dc_par *par)
{
    return (int)(XXH3_64bits(bytes, n) % (uint64_t)par->processes);
}

static void empty(dc_route *r)
{
    for (int p = 0; r->to && p < r->processes; p++)
        dc_buf_free(&r->to[p]);
    free(r->to);
    *r = (dc_route){0};
}

dc_status dc_route_send(dc_arrived *out, dc_route *r, dc_status local, const dc_par *par)
{
    *out = (dc_arrived){.got = calloc((size_t)par->processes, sizeof *out->got)};
    dc_status st = local;
    if (st == DC_OK && (!out->got || dc_fault("route.send")))
        st = dc_fail_memory();
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_exchange(&out->data, &out->total, out->got, r->to, par);
    empty(r);
    if (st != DC_OK)
        dc_arrived_free(out);
    return st;
}

void dc_arrived_free(dc_arrived *a)
{
    free(a->data);
    free(a->got);
    *a = (dc_arrived){0};
}

bool dc_take(void *out, size_t n, const char *data, uint64_t *at, uint64_t end)
{
    if (end - *at < n)
        return false;
    memcpy(out, data + *at, n);
    *at += n;
    return true;
}

const char *dc_take_text(const char *data, uint64_t *at, uint64_t end)
{
    const char *text = data + *at, *nul = *at < end ? memchr(text, 0, end - *at) : NULL;
    if (!nul)
        return NULL;
    *at += (uint64_t)(nul - text) + 1;
    return text;
}
