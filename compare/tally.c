/* compare/tally.c - see tally.h */
#include "compare/tally.h"

#include <stdlib.h>

dc_status dc_tally_begin(dc_tally *t)
{
    *t = (dc_tally){0};
    dc_status st = dc_pool_new(&t->pool);
    if (st == DC_OK)
        st = dc_grow((void **)&t->count, &t->cap, 0, 1, sizeof *t->count);
    if (st == DC_OK)
        t->count[0] = 0; /* of "" */
    return st;
}

dc_status dc_tally_add(uint32_t *id, dc_tally *t, const char *text)
{
    uint32_t before = dc_pool_count(t->pool);
    dc_status st = dc_pool_adds(id, t->pool, text);
    if (st == DC_OK && *id >= before) {
        if ((st = dc_grow((void **)&t->count, &t->cap, *id, 1, sizeof *t->count)) != DC_OK)
            return st;
        t->count[*id] = 0;
    }
    if (st == DC_OK)
        t->count[*id]++;
    return st;
}

void dc_tally_fini(dc_tally *t)
{
    dc_pool_free(t->pool);
    free(t->count);
    *t = (dc_tally){0};
}
