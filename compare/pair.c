/* compare/pair.c - see pair.h */
#include "compare/pair.h"

#include <stdlib.h>
#include <xxhash.h>

dc_status dc_pairs_begin(dc_pairs *out, uint64_t n)
{
    *out = (dc_pairs){0};
    dc_status st = dc_pool_new(&out->names);
    if (st != DC_OK)
        return st;
    out->pair = malloc((n + 1) * sizeof *out->pair);
    if (!out->pair)
        return dc_fail_memory();
    for (uint64_t i = 0; i < n; i++)
        out->pair[i] = (dc_pair){.golden = DC_UNPAIRED, .format = DC_FORMAT_UNSAID};
    out->n = n;
    return DC_OK;
}

void dc_pairs_fini(dc_pairs *p)
{
    free(p->pair);
    free(p->golden);
    free(p->rare);
    dc_pool_free(p->names);
    dc_golden_dirs_fini(&p->dirs);
    *p = (dc_pairs){0};
}

dc_status dc_pairs_add_golden(uint32_t *number, dc_pairs *p, const dc_golden *g)
{
    if (p->goldens >= DC_UNPAIRED)
        return dc_fail(DC_EUNSUP, "more than 2^32 - 1 goldens");
    dc_status st = dc_grow((void **)&p->golden, &p->golden_cap, p->goldens, 1, sizeof *p->golden);
    if (st != DC_OK)
        return st;
    p->golden[p->goldens] = *g;
    *number = (uint32_t)p->goldens++;
    return DC_OK;
}

dc_status dc_pairs_path(dc_buf *out, const dc_pairs *p, const dc_golden *g)
{
    return g->listed ? dc_golden_dirs_path(out, &p->dirs, g->path)
                     : dc_buf_puts(out, dc_pool_text(p->names, g->path));
}

dc_status dc_pairs_key(uint64_t *key, const dc_pairs *p, const dc_golden *g)
{
    dc_buf path = {0};
    dc_status st = dc_pairs_path(&path, p, g);
    *key = dc_mix64(XXH3_64bits(path.data, path.n) + g->offset);
    dc_buf_free(&path);
    return st;
}

dc_pair_rare dc_pairs_rare(const dc_pairs *p, const dc_pair *pair)
{
    return pair->rare ? p->rare[pair->rare] : (dc_pair_rare){0};
}

dc_status dc_pairs_own_rare(dc_pair_rare **rare, dc_pairs *p, dc_pair *pair)
{
    size_t at = p->rares ? p->rares : 1;
    if (!pair->rare) {
        if (at > UINT32_MAX)
            return dc_fail(DC_EUNSUP, "more than 2^32 - 1 pairs");
        dc_status st = dc_grow((void **)&p->rare, &p->rare_cap, p->rares, 2, sizeof *p->rare);
        if (st != DC_OK)
            return st;
        p->rare[0] = p->rare[at] = (dc_pair_rare){0};
        p->rares = at + 1;
        pair->rare = (uint32_t)at;
    }
    *rare = &p->rare[pair->rare];
    return DC_OK;
}
