/* io/acl_check.c - adump's judgement of a "dump" object: types, then values, then constraints, the
 * first failure wins. */
#include "io/acl_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 512, LONGEST_BLACKLIST = 100, IPV4_NUMBERS = 4 };

static const struct enum_key {
    const char *name, *allowed;
} enum_keys[] = {
    /* in the order in which adump looks at values */
    {"dump_mode", DC_DUMP_ALLOWED(DC_DUMP_MODES)},
    {"dump_data", DC_DUMP_ALLOWED(DC_DUMP_DATAS)},
    {"dump_op_switch", "on|off"},
    {"dump_level", DC_DUMP_ALLOWED(DC_DUMP_LEVELS)},
    {"dump_debug", "on|off"},
    {"dump_scene", DC_DUMP_ALLOWED(DC_DUMP_SCENES) + 1}, /* without the empty first one */
};

/* The string a key has, or `otherwise` when it is absent. Types are checked before. */
static const char *text_of(const dc_json_at *at, const char *key, const char *otherwise)
{
    dc_json_at value = dc_json_get(at, key);
    return value.node ? value.node->valuestring : otherwise;
}

static bool is(const dc_json_at *at, const char *key, const char *text)
{
    return strcmp(text_of(at, key, ""), text) == 0;
}

static dc_status check_string(dc_dump_config *c, const dc_json_at *at, const char *key)
{
    dc_json_at value = dc_json_get(at, key);
    if (value.node && !cJSON_IsString(value.node))
        return dc_acl_refuse(c, "EP0001", &value, "must be a string");
    return DC_OK;
}

static dc_status check_strings(dc_dump_config *c, const dc_json_at *at, const char *key)
{
    dc_json_at value = dc_json_get(at, key);
    if (value.node && !cJSON_IsArray(value.node))
        return dc_acl_refuse(c, "EP0001", &value, "must be an array of strings");
    for (dc_json_at it = dc_json_first(&value); it.node; dc_json_next(&it))
        if (!cJSON_IsString(it.node))
            return dc_acl_refuse(c, "EP0001", &it, "must be a string");
    return DC_OK;
}

static dc_status check_objects(dc_dump_config *c, const dc_json_at *value)
{
    if (value->node && !cJSON_IsArray(value->node))
        return dc_acl_refuse(c, "EP0001", value, "must be an array of objects");
    for (dc_json_at it = dc_json_first(value); it.node; dc_json_next(&it))
        if (!cJSON_IsObject(it.node))
            return dc_acl_refuse(c, "EP0001", &it, "must be an object");
    return DC_OK;
}

static dc_status check_blacklist_types(dc_dump_config *c, const dc_json_at *entry, const char *key)
{
    dc_json_at list = dc_json_get(entry, key);
    dc_status st = check_objects(c, &list);
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it)) {
        st = check_string(c, &it, "name");
        if (st == DC_OK)
            st = check_strings(c, &it, "pos");
    }
    return st;
}

static dc_status check_range_types(dc_dump_config *c, const dc_json_at *entry)
{
    dc_json_at list = dc_json_get(entry, "opname_range");
    dc_status st = check_objects(c, &list);
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it)) {
        st = check_string(c, &it, "begin");
        if (st == DC_OK)
            st = check_string(c, &it, "end");
    }
    return st;
}

static dc_status check_entry_types(dc_dump_config *c, const dc_json_at *entry)
{
    if (!cJSON_IsObject(entry->node))
        return dc_acl_refuse(c, "EP0001", entry, "must be an object");
    dc_status st = check_string(c, entry, "model_name");
    if (st == DC_OK)
        st = check_strings(c, entry, "layer");
    if (st == DC_OK)
        st = check_strings(c, entry, "watcher_nodes");
    if (st == DC_OK)
        st = check_blacklist_types(c, entry, "optype_blacklist");
    if (st == DC_OK)
        st = check_blacklist_types(c, entry, "opname_blacklist");
    return st == DC_OK ? check_range_types(c, entry) : st;
}

static dc_status check_types(dc_dump_config *c, const dc_json_at *dump)
{
    static const char *const strings[] = {"dump_path",  "dump_mode",        "dump_op_switch",
                                          "dump_level", "dump_scene",       "dump_data",
                                          "dump_debug", "dump_kernel_data", "dump_step"};
    dc_status st = DC_OK;
    for (size_t i = 0; i < sizeof strings / sizeof *strings && st == DC_OK; i++)
        st = check_string(c, dump, strings[i]);
    if (st == DC_OK)
        st = check_strings(c, dump, "dump_stats");
    dc_json_at list = dc_json_get(dump, "dump_list");
    if (st == DC_OK && list.node && !cJSON_IsArray(list.node))
        st = dc_acl_refuse(c, "EP0001", &list, "must be an array of objects");
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it))
        st = check_entry_types(c, &it);
    return st;
}

static dc_status check_choice(dc_dump_config *c, const dc_json_at *at, const char *allowed,
                              const char *text, size_t n)
{
    if (!n)
        return dc_acl_refuse(c, "EP0001", at, "must not be empty; allowed: %s", allowed);
    if (dc_acl_choice(allowed, text, n) < 0)
        return dc_acl_refuse(c, "EP0002", at, "\"%.*s\" is not allowed; allowed: %s",
                             n > 100 ? 100 : (int)n, text, allowed);
    return DC_OK;
}

static dc_status check_kernel_data(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at value = dc_json_get(dump, "dump_kernel_data");
    for (const char *at = value.node ? value.node->valuestring : NULL; at;) {
        size_t n = strcspn(at, ",");
        dc_status st = check_choice(c, &value, DC_DUMP_KERNEL_DATA_ALLOWED, at, n);
        if (st != DC_OK)
            return st;
        at = at[n] ? at + n + 1 : NULL;
    }
    return DC_OK;
}

static dc_status check_values(dc_dump_config *c, const dc_json_at *dump)
{
    dc_status st = DC_OK;
    for (size_t i = 0; i < sizeof enum_keys / sizeof *enum_keys && st == DC_OK; i++) {
        dc_json_at value = dc_json_get(dump, enum_keys[i].name);
        if (value.node)
            st = check_choice(c, &value, enum_keys[i].allowed, value.node->valuestring,
                              strlen(value.node->valuestring));
    }
    if (st == DC_OK)
        st = check_kernel_data(c, dump);
    dc_json_at stats = dc_json_get(dump, "dump_stats");
    for (dc_json_at it = dc_json_first(&stats); it.node && st == DC_OK; dc_json_next(&it))
        st = check_choice(c, &it, DC_DUMP_STATS_ALLOWED, it.node->valuestring,
                          strlen(it.node->valuestring));
    return st;
}

static dc_status check_scene(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at scene = dc_json_get(dump, "dump_scene"), debug = dc_json_get(dump, "dump_debug");
    dc_json_at single = dc_json_get(dump, "dump_op_switch"), mode = dc_json_get(dump, "dump_mode");
    if (!scene.node)
        return DC_OK;
    const char *name = scene.node->valuestring;
    if (is(dump, "dump_debug", "on"))
        return dc_acl_refuse(c, "EP0005", &debug, "must not be on together with dump_scene %s",
                             name);
    if (is(dump, "dump_op_switch", "on"))
        return dc_acl_refuse(c, "EP0005", &single, "must not be on together with dump_scene %s",
                             name);
    if (strcmp(name, "watcher") == 0 && strcmp(text_of(dump, "dump_mode", "output"), "output") != 0)
        return dc_acl_refuse(c, "EP0005", &mode, "must be output with dump_scene watcher");
    return DC_OK;
}

/* A number as C++'s stoi reads it: blanks before and anything behind are passed over. */
static bool lax_byte(const char *text)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    return end != text && !errno && v >= 0 && v <= 255;
}

const char *dc_acl_path_after_ip(const char *path)
{
    const char *colon = strchr(path, ':'), *at = path;
    if (!colon || !colon[1])
        return NULL;
    for (int i = 0; i < IPV4_NUMBERS; i++) {
        size_t n = strcspn(at, ".:");
        char end = i + 1 < IPV4_NUMBERS ? '.' : ':';
        if (at[n] != end || !lax_byte(at))
            return NULL;
        at += n + 1;
    }
    return colon + 1;
}

const char *dc_acl_path_bad_char(const char *path)
{
    size_t good = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-=[];\\,./!@#$%^&*()_+{}:?");
    return path[good] ? path + good : NULL;
}

static dc_status check_path(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at path = dc_json_get(dump, "dump_path");
    if (!path.node)
        return dc_acl_refuse(c, "EP0001", &path, "is missing (the directory to dump to)");
    const char *text = path.node->valuestring;
    if (!*text)
        return dc_acl_refuse(c, "EP0001", &path, "must not be empty");
    if (strlen(text) > LONGEST_PATH)
        return dc_acl_refuse(c, "EP0003", &path, "has %zu characters; at most %d are allowed",
                             strlen(text), LONGEST_PATH);
    const char *after = dc_acl_path_after_ip(text),
               *bad = after ? dc_acl_path_bad_char(after) : NULL;
    if (bad)
        return dc_acl_refuse(c, "EP0003", &path,
                             "has a character behind the ip that is not allowed, at \"%.20s\"; "
                             "allowed: letters, digits and -=[];\\,./!@#$%%^&*()_+{}:?",
                             bad);
    return DC_OK;
}

static dc_status check_steps(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_json_at value = dc_json_get(dump, "dump_step");
    dc_steps steps;
    if (!value.node)
        return DC_OK;
    dc_status st = dc_steps_parse(&steps, value.node->valuestring,
                                  strict ? DC_STEPS_STRICT : DC_STEPS_ADUMP, "dump_step");
    dc_steps_fini(&steps);
    if (st == DC_EARG)
        st = dc_acl_refuse(c, "EP0003", &value, "%s", dc_last_error_of("dump_step"));
    return st;
}

static dc_status check_names(dc_dump_config *c, const dc_json_at *entry)
{
    dc_json_at name = dc_json_get(entry, "model_name"), layer = dc_json_get(entry, "layer");
    if (name.node && !*name.node->valuestring)
        return dc_acl_refuse(c, "EP0001", &name, "must not be empty; leave it out for any model");
    if (layer.node && !layer.node->child)
        return dc_acl_refuse(c, "EP0001", &layer,
                             "must not be empty; leave it out for the whole model");
    return DC_OK;
}

static dc_status check_watcher(dc_dump_config *c, const dc_json_at *dump, const dc_json_at *entry)
{
    dc_json_at nodes = dc_json_get(entry, "watcher_nodes"), name = dc_json_get(entry, "model_name");
    bool watcher = is(dump, "dump_scene", "watcher"), some = nodes.node && nodes.node->child;
    if (watcher && !some)
        return dc_acl_refuse(c, "EP0001", &nodes, "must name operators with dump_scene watcher");
    if (watcher && name.node && *name.node->valuestring)
        return dc_acl_refuse(c, "EP0005", &name, "must not be given with dump_scene watcher");
    if (!watcher && some)
        return dc_acl_refuse(c, "EP0005", &nodes, "needs \"dump_scene\": \"watcher\"");
    return DC_OK;
}

static dc_status check_blacklists(dc_dump_config *c, const dc_json_at *dump,
                                  const dc_json_at *entry)
{
    dc_json_at lists[] = {dc_json_get(entry, "optype_blacklist"),
                          dc_json_get(entry, "opname_blacklist")};
    for (size_t i = 0; i < 2; i++)
        if (dc_json_count(&lists[i]) > LONGEST_BLACKLIST)
            return dc_acl_refuse(c, "EP0003", &lists[i], "has %zu entries; at most %d are allowed",
                                 dc_json_count(&lists[i]), LONGEST_BLACKLIST);
    for (size_t i = 0; i < 2; i++)
        if (dc_json_count(&lists[i]) && !is(dump, "dump_level", "op"))
            return dc_acl_refuse(c, "EP0005", &lists[i], "needs \"dump_level\": \"op\"");
    return DC_OK;
}

static dc_status check_ranges(dc_dump_config *c, const dc_json_at *dump, const dc_json_at *entry)
{
    dc_json_at list = dc_json_get(entry, "opname_range"), name = dc_json_get(entry, "model_name");
    if (!dc_json_count(&list))
        return DC_OK;
    if (!is(dump, "dump_level", "op"))
        return dc_acl_refuse(c, "EP0005", &list, "needs \"dump_level\": \"op\"");
    if (!name.node || !*name.node->valuestring)
        return dc_acl_refuse(c, "EP0001", &name, "is needed with opname_range");
    for (dc_json_at it = dc_json_first(&list); it.node; dc_json_next(&it))
        if (!*text_of(&it, "begin", "") || !*text_of(&it, "end", ""))
            return dc_acl_refuse(c, "EP0003", &it, "needs begin and end, both not empty");
    return DC_OK;
}

static dc_status check_list(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at list = dc_json_get(dump, "dump_list");
    dc_status st = DC_OK;
    for (dc_json_at it = dc_json_first(&list); it.node && st == DC_OK; dc_json_next(&it)) {
        if (!is(dump, "dump_op_switch", "on"))
            st = check_names(c, &it);
        if (st == DC_OK)
            st = check_watcher(c, dump, &it);
        if (st == DC_OK)
            st = check_blacklists(c, dump, &it);
        if (st == DC_OK)
            st = check_ranges(c, dump, &it);
    }
    return st;
}

static dc_status check_stats(dc_dump_config *c, const dc_json_at *dump)
{
    dc_json_at stats = dc_json_get(dump, "dump_stats");
    if (stats.node && !stats.node->child)
        return dc_acl_refuse(c, "EP0001", &stats, "must not be empty; allowed: %s",
                             DC_DUMP_STATS_ALLOWED);
    if (stats.node && !is(dump, "dump_data", "stats"))
        return dc_acl_refuse(c, "EP0005", &stats, "needs \"dump_data\": \"stats\"");
    return DC_OK;
}

static dc_status check_constraints(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_status st = check_scene(c, dump);
    dc_json_at single = dc_json_get(dump, "dump_op_switch");
    const char *scene = text_of(dump, "dump_scene", "");
    if (st != DC_OK || (*scene && strcmp(scene, "watcher") != 0))
        return st; /* an exception scene: nothing else counts */
    st = check_path(c, dump);
    if (st != DC_OK)
        return st;
    if (is(dump, "dump_debug", "on"))
        return is(dump, "dump_op_switch", "on")
                   ? dc_acl_refuse(c, "EP0005", &single,
                                   "must not be on together with dump_debug on")
                   : DC_OK;
    st = check_steps(c, dump, strict);
    if (st == DC_OK)
        st = check_list(c, dump);
    return st == DC_OK ? check_stats(c, dump) : st;
}

dc_status dc_acl_check(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_status st = check_types(c, dump);
    if (st == DC_OK)
        st = check_values(c, dump);
    return st == DC_OK ? check_constraints(c, dump, strict) : st;
}
