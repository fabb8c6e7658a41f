/* io/acl_build.c - from a "dump" object that passed the checks to a dc_dump_config; the graph
 * engine's second verdict. */
#include "io/acl_parts.h"

#include <string.h>

#define DUMP_KEYS                                                                                  \
    "dump_path|dump_mode|dump_level|dump_op_switch|dump_data|dump_stats|dump_step|dump_debug|"     \
    "dump_scene|dump_kernel_data|dump_status|dump_list"
#define ENTRY_KEYS "model_name|layer|watcher_nodes|optype_blacklist|opname_blacklist|opname_range"

static const char *text_of(const dc_json_at *at, const char *key)
{
    dc_json_at value = dc_json_get(at, key);
    return value.node ? value.node->valuestring : NULL;
}

/* The enumerator a key has; 0, the default, when it is absent. */
static int choice_of(const dc_json_at *at, const char *key, const char *allowed)
{
    const char *text = text_of(at, key);
    return text ? dc_acl_choice(allowed, text, strlen(text)) : 0;
}

static bool is_on(const dc_json_at *at, const char *key)
{
    const char *text = text_of(at, key);
    return text && strcmp(text, "on") == 0;
}

static dc_status build_names(dc_dump_names *out, dc_dump_config *c, const dc_json_at *list)
{
    size_t n = dc_json_count(list);
    if (!n)
        return DC_OK;
    out->item = dc_acl_alloc(c, n, sizeof *out->item);
    if (!out->item)
        return DC_ENOMEM;
    for (dc_json_at it = dc_json_first(list); it.node; dc_json_next(&it))
        out->item[out->n++] = it.node->valuestring;
    return DC_OK;
}

/* "input0", "output12". *valid tells whether it is one; too large a number is refused, because CANN
 * would silently take it as 0. */
static dc_status build_pos(struct dc_dump_pos *out, bool *valid, dc_dump_config *c,
                           const dc_json_at *at)
{
    static const char *const prefixes[] = {"input", "output"};
    const char *text = at->node->valuestring;
    uint64_t slot = 0;
    *valid = false;
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], n) != 0)
            continue;
        const char *digit = text + n;
        for (; *digit >= '0' && *digit <= '9' && slot <= UINT32_MAX; digit++)
            slot = slot * 10 + (uint64_t)(*digit - '0');
        if (slot > UINT32_MAX)
            return dc_acl_refuse(c, "", at, "has a number over 4294967295");
        *valid = digit > text + n && !*digit;
        *out = (struct dc_dump_pos){.output = i == 1, .slot = (uint32_t)slot};
    }
    if (!*valid)
        return dc_acl_note(&c->warnings, at,
                           "\"%.60s\" selects nothing; write input0, output0 and so on", text);
    return DC_OK;
}

static dc_status build_ban(dc_dump_ban *out, dc_dump_config *c, const dc_json_at *at)
{
    dc_json_at list = dc_json_get(at, "pos");
    const char *name = text_of(at, "name");
    size_t n = dc_json_count(&list);
    dc_status st = dc_acl_warn_keys(c, at, "name|pos");
    out->name = name ? name : "";
    if (st == DC_OK && !*out->name)
        st = dc_acl_note(&c->warnings, at, "has no name, so it leaves nothing out");
    out->pos = n ? dc_acl_alloc(c, n, sizeof *out->pos) : NULL;
    if (n && !out->pos)
        return DC_ENOMEM;
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it)) {
        bool valid;
        st = build_pos(&out->pos[out->npos], &valid, c, &it);
        out->npos += st == DC_OK && valid;
    }
    return st;
}

static dc_status build_bans(dc_dump_ban **out, size_t *n, dc_dump_config *c, const dc_json_at *list)
{
    size_t count = dc_json_count(list);
    dc_status st = DC_OK;
    *out = count ? dc_acl_alloc(c, count, sizeof **out) : NULL;
    if (count && !*out)
        return DC_ENOMEM;
    for (dc_json_at it = dc_json_first(list); it.node && st == DC_OK; dc_json_next(&it))
        st = build_ban(&(*out)[(*n)++], c, &it);
    return st;
}

static dc_status build_ranges(dc_dump_entry *out, dc_dump_config *c, const dc_json_at *list)
{
    size_t n = dc_json_count(list);
    dc_status st = DC_OK;
    out->range = n ? dc_acl_alloc(c, n, sizeof *out->range) : NULL;
    if (n && !out->range)
        return DC_ENOMEM;
    for (dc_json_at it = dc_json_first(list); it.node && st == DC_OK; dc_json_next(&it)) {
        const char *begin = text_of(&it, "begin"), *end = text_of(&it, "end");
        if (begin && end) /* incomplete ones are there only where adump does not look */
            out->range[out->nrange++] = (dc_dump_range){begin, end};
        st = dc_acl_warn_keys(c, &it, "begin|end");
    }
    return st;
}

static dc_status build_entry(dc_dump_entry *out, dc_dump_config *c, const dc_json_at *at)
{
    dc_json_at layer = dc_json_get(at, "layer"), watcher = dc_json_get(at, "watcher_nodes");
    dc_json_at types = dc_json_get(at, "optype_blacklist");
    dc_json_at names = dc_json_get(at, "opname_blacklist");
    dc_json_at ranges = dc_json_get(at, "opname_range");
    dc_status st = dc_acl_warn_keys(c, at, ENTRY_KEYS);
    out->index = at->index;
    out->model_name = text_of(at, "model_name");
    out->has_layer = layer.node != NULL;
    out->skipped = (out->model_name && !*out->model_name) || (layer.node && !layer.node->child);
    if (st == DC_OK)
        st = build_names(&out->layer, c, &layer);
    if (st == DC_OK)
        st = build_names(&out->watcher, c, &watcher);
    if (st == DC_OK)
        st = build_bans(&out->type_ban, &out->ntype_ban, c, &types);
    if (st == DC_OK)
        st = build_bans(&out->name_ban, &out->nname_ban, c, &names);
    return st == DC_OK ? build_ranges(out, c, &ranges) : st;
}

static dc_status build_list(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at list = dc_json_get(dump, "dump_list");
    size_t n = dc_json_count(&list);
    dc_status st = DC_OK;
    c->has_list = list.node != NULL;
    if (!n)
        return DC_OK;
    c->entry = dc_acl_alloc(c, n, sizeof *c->entry);
    if (!c->entry)
        return DC_ENOMEM;
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it))
        st = build_entry(&c->entry[c->nentry++], c, &it);
    return st;
}

/* Where adump has not looked at the steps (overflow, exceptions) only the device reads them. */
static dc_status build_steps(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_json_at value = dc_json_get(dump, "dump_step");
    bool unchecked = c->debug || (c->scene && c->scene != DC_DUMP_SCENE_WATCHER);
    dc_steps_grammar grammar = unchecked ? DC_STEPS_DEVICE
                               : strict  ? DC_STEPS_STRICT
                                         : DC_STEPS_ADUMP;
    if (!value.node)
        return DC_OK;
    c->step_text = value.node->valuestring;
    dc_status st = dc_steps_parse(&c->steps, c->step_text, grammar, "dump_step");
    if (st == DC_EARG)
        st = dc_acl_note(&c->warnings, &value, "%s", dc_last_error_of("dump_step"));
    return st;
}

dc_status dc_acl_build(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_json_at stats = dc_json_get(dump, "dump_stats");
    dc_status st = dc_acl_warn_keys(c, dump, DUMP_KEYS);
    c->path = text_of(dump, "dump_path");
    c->level_given = text_of(dump, "dump_level") != NULL;
    c->mode = (dc_dump_mode)choice_of(dump, "dump_mode", DC_DUMP_ALLOWED(DC_DUMP_MODES));
    c->level = (dc_dump_level)choice_of(dump, "dump_level", DC_DUMP_ALLOWED(DC_DUMP_LEVELS));
    c->data = (dc_dump_data_kind)choice_of(dump, "dump_data", DC_DUMP_ALLOWED(DC_DUMP_DATAS));
    c->scene = (dc_dump_scene)choice_of(dump, "dump_scene", DC_DUMP_ALLOWED(DC_DUMP_SCENES));
    c->op_switch = is_on(dump, "dump_op_switch");
    c->debug = is_on(dump, "dump_debug");
    c->kernel_data = text_of(dump, "dump_kernel_data");
    if (c->debug)
        c->mode = DC_DUMP_MODE_ALL;
    for (dc_json_at it = dc_json_first(&stats); it.node; dc_json_next(&it))
        c->stats |= 1u << dc_acl_choice(DC_DUMP_STATS_ALLOWED, it.node->valuestring,
                                        strlen(it.node->valuestring));
    if (st == DC_OK)
        st = build_steps(c, dump, strict);
    if (st == DC_OK)
        st = build_list(c, dump);
    c->need_dump = c->nentry || c->op_switch || c->debug || c->scene;
    return st;
}

/* An entry that GE takes, and the one before it with the same model_name (or NULL). */
static dc_status judge_entry(dc_dump_config *c, const dc_json_at *at, const dc_dump_entry *before,
                             bool any)
{
    const dc_dump_entry *e = &c->entry[at->index];
    if (any && e->model_name && e->layer.n)
        return dc_acl_note(&c->ge, at,
                           "the graph engine would silently not use this layer list because an "
                           "entry without model_name decides for all models");
    if (before)
        return dc_acl_note(&c->ge, at,
                           "the layers given here replace those of dump_list[%zu], which has the "
                           "same model_name",
                           before->index);
    return DC_OK;
}

/* What GE does with entries that is easily overlooked. Ids of model names are dense, so last[id] -
 * 1 is the last entry taken for a name, 0 none; id 0, "", is any model. */
static dc_status judge_named(dc_dump_config *c, const dc_json_at *list, dc_pool *names)
{
    size_t *last = dc_acl_alloc(c, c->nentry + 1, sizeof *last);
    dc_status st = last ? DC_OK : DC_ENOMEM;
    bool any = false;
    size_t taken = 0;
    for (size_t i = 0; i < c->nentry; i++) {
        any = any || (!c->entry[i].model_name && !c->entry[i].skipped);
        taken += !c->entry[i].skipped;
    }
    for (dc_json_at it = dc_json_first(list); it.node && st == DC_OK; dc_json_next(&it)) {
        const dc_dump_entry *e = &c->entry[it.index];
        uint32_t id;
        st = dc_pool_adds(&id, names, e->model_name ? e->model_name : "");
        if (st == DC_OK && e->skipped) {
            st =
                dc_acl_note(&c->ge, &it, "the graph engine passes over this entry: its %s is empty",
                            e->model_name && !*e->model_name ? "model_name" : "layer");
        } else if (st == DC_OK) {
            st = judge_entry(c, &it, last[id] ? &c->entry[last[id] - 1] : NULL, any);
            last[id] = it.index + 1;
        }
    }
    c->all_models = !taken && c->op_switch;
    return st;
}

static dc_status judge_entries(dc_dump_config *c, const dc_json_at *list)
{
    dc_pool *names;
    dc_status st = dc_pool_new(&names);
    if (st != DC_OK)
        return st;
    st = judge_named(c, list, names);
    dc_pool_free(names);
    return st;
}

static dc_status judge_dump(dc_dump_config *c, const dc_json_at *dump, const dc_json_at *list)
{
    dc_json_at path = dc_json_get(dump, "dump_path"), level = dc_json_get(dump, "dump_level");
    const char *bad = c->path ? dc_acl_path_bad_char(c->path) : NULL;
    if (bad) /* behind an ip adump has refused it already */
        return dc_acl_note(&c->ge, &path,
                           "the graph engine would silently not dump because it does not take the "
                           "character at \"%.20s\"; allowed: letters, digits and "
                           "-=[];\\,./!@#$%%^&*()_+{}:?",
                           bad);
    if (c->debug && c->nentry)
        return dc_acl_note(&c->ge, list,
                           "the graph engine would silently not dump because dump_debug is on and "
                           "dump_list is not empty");
    c->model_dump = c->debug || c->level != DC_DUMP_LEVEL_KERNEL;
    if (!c->model_dump)
        return dc_acl_note(&c->ge, &level,
                           "\"kernel\" leaves operators of models out; only kernels "
                           "are dumped");
    return c->debug ? DC_OK : judge_entries(c, list);
}

dc_status dc_acl_judge_ge(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at list = dc_json_get(dump, "dump_list");
    if (!c->need_dump)
        return dc_acl_note(&c->ge, dump,
                           "nothing would be dumped: dump_list is %s and "
                           "dump_op_switch, dump_debug and dump_scene are off",
                           list.node ? "empty" : "missing");
    if (c->scene == DC_DUMP_SCENE_NONE)
        return judge_dump(c, dump, &list);
    if (c->scene != DC_DUMP_SCENE_WATCHER)
        return DC_OK;
    c->model_dump = c->nentry > 0;
    if (!c->model_dump)
        return dc_acl_note(&c->ge, &list,
                           "the graph engine would silently not dump because "
                           "dump_scene watcher needs a dump_list with watcher_nodes");
    return DC_OK;
}
