/* io/acl_merge.c - see acl_merge.h */
#include "io/acl_merge.h"

#include "io/acl_parts.h"

#include <string.h>

/* Whether a pattern of the command line is a plain name. */
static bool is_name(const char *pattern)
{
    return strncmp(pattern, "re:", 3) != 0 && !strpbrk(pattern, "*?[\\");
}

/* The plain names of an option; patterns get a line each. */
static dc_status take_names(dc_dump_names *out, dc_dump_config *c, dc_buf *left, const char *option,
                            const dc_dump_names *given)
{
    dc_status st = DC_OK;
    *out = (dc_dump_names){.item = dc_acl_alloc(c, given->n + 1, sizeof *out->item)};
    if (!out->item)
        return DC_ENOMEM;
    for (size_t i = 0; i < given->n && st == DC_OK; i++) {
        if (is_name(given->item[i]))
            out->item[out->n++] = given->item[i];
        else
            st = dc_buf_printf(left, "%s \"%s\": acl.json knows no patterns\n", option,
                               given->item[i]);
    }
    return st;
}

static dc_status refuse_all(dc_buf *left, const char *option, const char *const *text, size_t n,
                            const char *why)
{
    dc_status st = DC_OK;
    for (size_t i = 0; i < n && st == DC_OK; i++)
        st = dc_buf_printf(left, "%s \"%s\": %s\n", option, text[i], why);
    return st;
}

/* dump_list with at least one entry, and none that the graph engine passes over. */
static dc_status own_entries(dc_dump_config *c)
{
    dc_dump_entry *entry = dc_acl_alloc(c, c->nentry + 1, sizeof *entry);
    size_t n = 0;
    if (!entry)
        return DC_ENOMEM;
    for (size_t i = 0; i < c->nentry; i++)
        if (!c->entry[i].skipped)
            entry[n++] = c->entry[i];
    if (n == 0)
        n = 1; /* all zero: every operator of every model */
    c->entry = entry;
    c->nentry = n;
    c->has_list = true;
    return DC_OK;
}

/* --op: add to an entry's layers; where it takes whole models, they alone select. */
static dc_status add_layers(dc_dump_config *c, const dc_dump_names *op)
{
    for (size_t i = 0; op->n && i < c->nentry; i++) {
        dc_dump_names *layer = &c->entry[i].layer;
        const char **item = dc_acl_alloc(c, layer->n + op->n, sizeof *item);
        if (!item)
            return DC_ENOMEM;
        if (layer->n)
            memcpy((void *)item, (const void *)layer->item, layer->n * sizeof *item);
        memcpy((void *)(item + layer->n), (const void *)op->item, op->n * sizeof *item);
        *layer = (dc_dump_names){item, layer->n + op->n};
        c->entry[i].has_layer = true;
    }
    return DC_OK;
}

static bool names_model(const dc_dump_entry *e, const char *model)
{
    return e->model_name && strcmp(e->model_name, model) == 0;
}

/* --model: for each one the entries that the file has for it, else a copy of what it says of any
 * model, else the whole model. */
static dc_status set_models(dc_dump_config *c, const dc_dump_names *model)
{
    dc_dump_entry *entry = dc_acl_alloc(c, (c->nentry + 1) * (model->n + 1), sizeof *entry);
    size_t n = 0;
    if (!entry || model->n == 0)
        return entry ? DC_OK : DC_ENOMEM;
    for (size_t m = 0; m < model->n; m++) {
        size_t before = n;
        for (size_t i = 0; i < c->nentry; i++)
            if (names_model(&c->entry[i], model->item[m]))
                entry[n++] = c->entry[i];
        for (size_t i = 0; n == before && i < c->nentry; i++)
            if (!c->entry[i].model_name)
                entry[n] = c->entry[i];
        if (n == before)
            entry[n++].model_name = model->item[m];
    }
    c->entry = entry;
    c->nentry = n;
    return DC_OK;
}

/* What the adapter's options say, in acl.json's words. */
static dc_status leave_tf(dc_dump_config *c, dc_buf *left)
{
    const struct {
        const char *key;
        bool there;
    } own[] = {{"dump_debug_mode", c->debug_mode != NULL},
               {"quant_dumpable", c->quant_dumpable != NULL},
               {"enable_exception_dump", c->exception_dump >= 0},
               {"fusion_switch_file", c->fusion_switch_file != NULL}};
    dc_status st = DC_OK;
    if (!c->from_tf)
        return DC_OK;
    c->from_tf = false;
    for (size_t i = 0; i < sizeof own / sizeof *own && st == DC_OK; i++)
        if (own[i].there)
            st = dc_buf_printf(left, "%s: an option of the TensorFlow adapter only\n", own[i].key);
    return st;
}

static dc_status merge_list(dc_dump_config *c, dc_buf *left, const dc_select_extra *e)
{
    const dc_dump_names op_given = {(const char **)(void *)e->op, e->nop},
                        model_given = {(const char **)(void *)e->model, e->nmodel};
    dc_dump_names op, model;
    dc_status st = take_names(&op, c, left, "--op", &op_given);
    if (st == DC_OK)
        st = take_names(&model, c, left, "--model", &model_given);
    if (st == DC_OK && (op.n || model.n || c->all_models))
        st = own_entries(c);
    if (st == DC_OK && model.n)
        st = set_models(c, &model);
    return st == DC_OK ? add_layers(c, &op) : st;
}

static dc_status merge_step(dc_dump_config *c, const dc_select_extra *e)
{
    dc_steps steps;
    if (!e->step)
        return DC_OK;
    dc_status st =
        dc_steps_parse(&steps, e->step, e->strict ? DC_STEPS_STRICT : DC_STEPS_ADUMP, "--step");
    if (st != DC_OK)
        return st;
    dc_steps_fini(&c->steps);
    c->steps = steps;
    return DC_OK;
}

static dc_status say_left(dc_buf *left, const dc_select_extra *e)
{
    dc_status st =
        refuse_all(left, "--type", e->type, e->ntype, "acl.json does not select by type");
    if (st == DC_OK)
        st = refuse_all(left, "--exclude", e->exclude, e->nexclude,
                        "acl.json leaves out tensors (blacklists), not operators");
    if (st == DC_OK)
        st = refuse_all(left, "--exclude-type", e->exclude_type, e->nexclude_type,
                        "acl.json leaves out tensors (blacklists), not operators");
    return st == DC_OK ? refuse_all(left, "--rank", &e->rank, e->rank != NULL,
                                    "each rank reads an acl.json of its own")
                       : st;
}

dc_status dc_acl_config_merge(dc_dump_config *c, dc_buf *left, const dc_select_extra *extra,
                              const char *path)
{
    bool from_nothing = !c->has_dump;
    c->has_dump = true;
    dc_status st = leave_tf(c, left);
    if (st == DC_OK && from_nothing)
        st = own_entries(c);
    if (st == DC_OK)
        st = merge_list(c, left, extra);
    if (st == DC_OK)
        st = merge_step(c, extra);
    if (from_nothing)
        c->mode = DC_DUMP_MODE_ALL; /* what a capture without configuration takes */
    if (extra->has_mode)
        c->mode = extra->mode;
    if (path)
        c->path = path;
    return st == DC_OK ? say_left(left, extra) : st;
}
