/* capture/choose.c - making a choice; its filter is in choose_filter.c, what it has to say in
 * choose_report.c. See choose.h. */
#include "capture/choose.h"

#include "io/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_LIMIT ((size_t)10 << 20) /* bytes; what ACL itself reads */

dc_status dc_choice_read_config(dc_choice *c, const dc_capture_options *o)
{
    const char *file = o->config ? o->config : access("acl.json", R_OK) == 0 ? "acl.json" : NULL;
    const dc_acl_options ask = {o->strict, o->set.item, o->set.n};
    char *text = NULL;
    size_t n = 0;
    dc_status st = dc_acl_config_read(&c->config, file, &ask);
    if (st == DC_OK && file)
        st = dc_read_file(&text, &n, file, CONFIG_LIMIT);
    if (st == DC_OK)
        st = dc_buf_add(&c->configuration, text ? text : "", n);
    free(text);
    return st == DC_OK ? dc_buf_add(&c->configuration, "", 1) : st;
}

dc_select_extra dc_choice_extra(const dc_capture_options *o)
{
    static const dc_dump_mode mode[] = {DC_DUMP_MODE_ALL, DC_DUMP_MODE_INPUT, DC_DUMP_MODE_OUTPUT,
                                        DC_DUMP_MODE_ALL};
    return (dc_select_extra){
        .op = o->op.item,
        .nop = o->op.n,
        .type = o->type.item,
        .ntype = o->type.n,
        .exclude = o->exclude.item,
        .nexclude = o->exclude.n,
        .exclude_type = o->exclude_type.item,
        .nexclude_type = o->exclude_type.n,
        .model = o->model.item,
        .nmodel = o->model.n,
        .step = o->step,
        .rank = o->rank,
        .strict = o->strict,
        .has_mode = o->mode != 0,
        .mode = mode[o->mode],
        .blacklist_applied = o->blacklist_applied,
    };
}

static dc_status compile(dc_choice *c, const dc_capture_options *o)
{
    const dc_select_extra extra = dc_choice_extra(o);
    c->has_graph = o->graph != NULL;
    c->blacklist_applied = o->blacklist_applied;
    return dc_select_new(&c->select, c->config.has_dump ? &c->config : NULL, &extra);
}

static dc_status start_present(dc_present *p)
{
    dc_pool **const pool[] = {&p->op, &p->type, &p->op_file, &p->model};
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < sizeof pool / sizeof *pool; i++)
        st = dc_pool_new(pool[i]);
    return st;
}

dc_status dc_choice_make(dc_choice *out, const dc_capture_options *o)
{
    memset(out, 0, sizeof *out);
    dc_status st = dc_choice_read_config(out, o);
    if (st == DC_OK)
        st = compile(out, o);
    if (st == DC_OK)
        st = dc_roots_find(&out->roots, o, &out->config);
    if (st == DC_OK)
        st = start_present(&out->present);
    return st == DC_OK ? dc_models_new(&out->models, o->graph, out->select, &out->notes) : st;
}

void dc_choice_fini(dc_choice *c)
{
    dc_models_free(c->models);
    dc_select_free(c->select);
    dc_acl_config_fini(&c->config);
    dc_roots_fini(&c->roots);
    dc_buf_free(&c->configuration);
    dc_buf_free(&c->notes);
    dc_slots_fini(&c->slots);
    free((void *)c->original);
    dc_pool_free(c->present.op);
    dc_pool_free(c->present.type);
    dc_pool_free(c->present.op_file);
    dc_pool_free(c->present.model);
    dc_numbers_fini(&c->present.rank);
    dc_numbers_fini(&c->present.step);
}
