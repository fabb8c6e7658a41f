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
    bool by_clean;      /* fed with sanitised names: `inside` stays empty */
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

/* Whether op_name, sanitised or not as the pass is fed, is `name`. */
static bool same(const dc_select_pass *p, const char *op_name, const char *name)
{
    if (!p->by_clean)
        return strcmp(op_name, name) == 0;
    for (; *name && *op_name; name++, op_name++)
        if (*op_name != (strchr(" ./\\", *name) ? '_' : *name))
            return false;
    return *name == *op_name;
}

static bool step(dc_select_pass *p, size_t i, const char *op_name)
{
    const dc_dump_range *range = &p->table->ranges->range[i];
    bool begins = same(p, op_name, range->begin), ends = same(p, op_name, range->end);
    uint64_t *count = p->select->count + p->table->range_selector + 3 * i;
    count[0] += begins;
    count[1] += ends;
    p->state[i] = next_state(p->state[i], begins ? IS_BEGIN : ends ? IS_END : IS_OTHER);
    bool inside = p->state[i] == STARTED || p->state[i] == STOPPED;
    count[2] += inside;
    if (inside && begins && ends)
        p->state[i] = STOPPED; /* one operator: begin == end */
    return inside;
}

static bool any_range(dc_select_pass *p, const char *op_name)
{
    bool inside = false;
    for (size_t i = 0; p->table && i < p->table->ranges->nrange; i++)
        inside |= step(p, i, op_name);
    return inside;
}

dc_status dc_select_pass_add_clean(dc_select_pass *p, const char *op_name)
{
    uint32_t id;
    p->by_clean = true;
    return any_range(p, op_name) ? dc_pool_adds(&id, p->clean, op_name) : DC_OK;
}

dc_status dc_select_pass_add(dc_select_pass *p, const char *op_name)
{
    uint32_t id;
    if (!any_range(p, op_name))
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

bool dc_select_pass_has_clean(const dc_select_pass *p, const char *op_name)
{
    return has(p->clean, op_name);
}

bool dc_select_pass_has(const dc_select_pass *p, const char *op_name)
{
    if (!p->by_clean)
        return has(p->inside, op_name);
    char *clean = dc_select_clean(op_name);
    bool inside = clean && has(p->clean, clean);
    free(clean);
    return inside;
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
