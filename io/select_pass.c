/* io/select_pass.c - opname_range: which operators of a model lie between begin and end, in task
 * order. */
#include "io/select_parts.h"

#include <stdlib.h>
#include <string.h>

typedef enum range_state { INIT, STARTED, STOPPED, BROKEN } range_state;
typedef enum range_event { IS_BEGIN, IS_END, IS_OTHER } range_event;

struct dc_select_pass {
    dc_select *select;
    const dc_select_table *table;
    range_state *state; /* [table->ranges->nrange] */
    dc_pool *inside;    /* names of operators in any range; more than one range may hold it */
    dc_pool *clean;     /* the same sanitised */
};

/* GE's transitions: an end seen first, or a second begin right after an end, breaks a range for the
 * rest of the model; what it has covered so far stays. */
static range_state next_state(range_state state, range_event event)
{
    static const range_state table[][3] = {
        [INIT] = {STARTED, BROKEN, INIT},
        [STARTED] = {STARTED, STOPPED, STARTED},
        [STOPPED] = {BROKEN, STOPPED, INIT},
        [BROKEN] = {BROKEN, BROKEN, BROKEN},
    };
    return table[state][event];
}

bool dc_select_has_ranges(const dc_select *s, const dc_select_model *model)
{
    return dc_select_table_of(s, model, true) != NULL;
}

dc_status dc_select_pass_new(dc_select_pass **out, dc_select *s, const dc_select_model *model)
{
    dc_select_pass *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return dc_fail_memory();
    p->select = s;
    p->table = dc_select_table_of(s, model, true);
    dc_status st = dc_pool_new(&p->inside);
    if (st == DC_OK)
        st = dc_pool_new(&p->clean);
    if (st == DC_OK && p->table) {
        p->state = calloc(p->table->ranges->nrange, sizeof *p->state);
        if (!p->state)
            st = dc_fail_memory();
    }
    if (st == DC_OK)
        *out = p;
    else
        dc_select_pass_free(p);
    return st;
}

static bool step(dc_select_pass *p, size_t i, const char *op_name)
{
    const dc_dump_range *range = &p->table->ranges->range[i];
    bool begins = strcmp(op_name, range->begin) == 0, ends = strcmp(op_name, range->end) == 0;
    uint64_t *count = p->select->count + p->table->range_selector + 2 * i;
    count[0] += begins;
    count[1] += ends;
    p->state[i] = next_state(p->state[i], begins ? IS_BEGIN : ends ? IS_END : IS_OTHER);
    bool inside = p->state[i] == STARTED || p->state[i] == STOPPED;
    if (inside && begins && ends)
        p->state[i] = STOPPED; /* one operator: begin == end */
    return inside;
}

dc_status dc_select_pass_add(dc_select_pass *p, const char *op_name)
{
    bool inside = false;
    uint32_t id;
    for (size_t i = 0; p->table && i < p->table->ranges->nrange; i++)
        inside |= step(p, i, op_name);
    if (!inside)
        return DC_OK;
    char *clean = dc_select_clean(op_name);
    dc_status st = clean ? dc_pool_adds(&id, p->inside, op_name) : DC_ENOMEM;
    if (st == DC_OK)
        st = dc_pool_adds(&id, p->clean, clean);
    free(clean);
    return st;
}

static bool has(const dc_pool *pool, const char *name)
{
    return *name && dc_pool_find(pool, name) != DC_NO_STR; /* "" is in every pool */
}

bool dc_select_pass_has(const dc_select_pass *p, const char *op_name)
{
    return has(p->inside, op_name);
}

bool dc_select_pass_has_clean(const dc_select_pass *p, const char *op_name)
{
    return has(p->clean, op_name);
}

void dc_select_pass_free(dc_select_pass *p)
{
    if (!p)
        return;
    dc_pool_free(p->inside);
    dc_pool_free(p->clean);
    free(p->state);
    free(p);
}
