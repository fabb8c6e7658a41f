/* io/acl_print.c - a configuration as canonical acl.json, and its directory. */
#include "io/acl_parts.h"
#include "io/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cJSON's adders give NULL without memory; that is remembered here and asked once. */
typedef struct printer {
    bool failed;
} printer;

static void put_text(printer *p, cJSON *object, const char *key, const char *text)
{
    if (text && !cJSON_AddStringToObject(object, key, text))
        p->failed = true;
}

static void put_choice(printer *p, cJSON *object, const char *key, const char *allowed,
                       unsigned index)
{
    for (; index > 0; index--)
        allowed += strcspn(allowed, "|") + 1;
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(allowed, "|"), allowed);
    put_text(p, object, key, text);
}

static cJSON *put_array(printer *p, cJSON *object, const char *key)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);
    if (!array)
        p->failed = true;
    return array;
}

static void put_item(printer *p, cJSON *array, cJSON *item)
{
    if (!item || !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        p->failed = true;
    }
}

static cJSON *put_object(printer *p, cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    put_item(p, array, object);
    return p->failed ? NULL : object;
}

static void put_names(printer *p, cJSON *object, const char *key, const dc_dump_names *names)
{
    cJSON *array = put_array(p, object, key);
    for (size_t i = 0; i < names->n && !p->failed; i++)
        put_item(p, array, cJSON_CreateString(names->item[i]));
}

static void put_bans(printer *p, cJSON *object, const char *key, const dc_dump_ban *ban, size_t n)
{
    cJSON *array = n ? put_array(p, object, key) : NULL;
    for (size_t i = 0; i < n && !p->failed; i++) {
        cJSON *one = put_object(p, array);
        if (!one)
            return;
        put_text(p, one, "name", ban[i].name);
        cJSON *pos = put_array(p, one, "pos");
        for (size_t k = 0; k < ban[i].npos && !p->failed; k++) {
            char text[32];
            snprintf(text, sizeof text, "%s%u", ban[i].pos[k].output ? "output" : "input",
                     ban[i].pos[k].slot);
            put_item(p, pos, cJSON_CreateString(text));
        }
    }
}

static void put_ranges(printer *p, cJSON *object, const dc_dump_entry *e)
{
    cJSON *array = e->nrange ? put_array(p, object, "opname_range") : NULL;
    for (size_t i = 0; i < e->nrange && !p->failed; i++) {
        cJSON *one = put_object(p, array);
        if (!one)
            return;
        put_text(p, one, "begin", e->range[i].begin);
        put_text(p, one, "end", e->range[i].end);
    }
}

static void put_list(printer *p, cJSON *object, const dc_dump_config *c)
{
    cJSON *array = c->has_list ? put_array(p, object, "dump_list") : NULL;
    for (size_t i = 0; i < c->nentry && !p->failed; i++) {
        const dc_dump_entry *e = &c->entry[i];
        cJSON *one = put_object(p, array);
        if (!one)
            return;
        put_text(p, one, "model_name", e->model_name);
        if (e->has_layer)
            put_names(p, one, "layer", &e->layer);
        if (e->watcher.n)
            put_names(p, one, "watcher_nodes", &e->watcher);
        put_bans(p, one, "optype_blacklist", e->type_ban, e->ntype_ban);
        put_bans(p, one, "opname_blacklist", e->name_ban, e->nname_ban);
        put_ranges(p, one, e);
    }
}

static void put_stats(printer *p, cJSON *object, uint32_t stats)
{
    cJSON *array = stats ? put_array(p, object, "dump_stats") : NULL;
    const char *name = DC_DUMP_STATS_ALLOWED;
    for (int bit = 0; array && stats >> bit && !p->failed; bit++) {
        size_t n = strcspn(name, "|");
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)n, name);
        if (stats >> bit & 1)
            put_item(p, array, cJSON_CreateString(text));
        name += n + 1;
    }
}

static void put_acl(printer *p, cJSON *object, const dc_dump_config *c, const char *steps)
{
    put_text(p, object, "dump_path", c->path);
    put_choice(p, object, "dump_mode", DC_DUMP_ALLOWED(DC_DUMP_MODES), c->mode);
    put_choice(p, object, "dump_level", DC_DUMP_ALLOWED(DC_DUMP_LEVELS), c->level);
    put_text(p, object, "dump_op_switch", c->op_switch ? "on" : "off");
    put_choice(p, object, "dump_data", DC_DUMP_ALLOWED(DC_DUMP_DATAS), c->data);
    put_stats(p, object, c->stats);
    put_text(p, object, "dump_step", steps);
    put_text(p, object, "dump_debug", c->debug ? "on" : "off");
    if (c->scene)
        put_choice(p, object, "dump_scene", DC_DUMP_ALLOWED(DC_DUMP_SCENES), c->scene);
    put_text(p, object, "dump_kernel_data", c->kernel_data);
    put_list(p, object, c);
}

static void put_layer(printer *p, cJSON *object, const dc_dump_config *c)
{
    dc_buf b = {0};
    dc_status st = DC_OK;
    for (size_t i = 0; c->nentry && i < c->entry[0].layer.n && st == DC_OK; i++)
        st = dc_buf_printf(&b, "%s%s", i ? " " : "", c->entry[0].layer.item[i]);
    if (st == DC_OK && b.n)
        st = dc_buf_add(&b, "", 1);
    if (st != DC_OK)
        p->failed = true;
    else
        put_text(p, object, "dump_layer", b.data);
    dc_buf_free(&b);
}

static void put_tf(printer *p, cJSON *object, const dc_dump_config *c, const char *steps)
{
    bool dump = c->need_dump && !c->debug;
    if (!cJSON_AddBoolToObject(object, "enable_dump", dump) ||
        !cJSON_AddBoolToObject(object, "enable_dump_debug", c->debug))
        p->failed = true;
    put_text(p, object, "dump_path", c->path);
    put_text(p, object, "dump_step", steps);
    if (!c->debug)
        put_choice(p, object, "dump_mode", DC_DUMP_ALLOWED(DC_DUMP_MODES), c->mode);
    put_text(p, object, "dump_debug_mode", c->debug_mode);
    put_choice(p, object, "dump_data", DC_DUMP_ALLOWED(DC_DUMP_DATAS), c->data);
    put_layer(p, object, c);
    put_text(p, object, "quant_dumpable", c->quant_dumpable);
    if (c->exception_dump >= 0)
        put_choice(p, object, "enable_exception_dump", "0|1|2", (unsigned)c->exception_dump);
    put_text(p, object, "fusion_switch_file", c->fusion_switch_file);
}

static dc_status print(dc_buf *out, const cJSON *root)
{
    char *text = cJSON_Print(root);
    if (!text)
        return dc_fail_memory();
    dc_status st = dc_buf_printf(out, "%s\n", text);
    cJSON_free(text);
    return st;
}

dc_status dc_acl_config_print(dc_buf *out, const dc_dump_config *c)
{
    printer p = {0};
    dc_buf steps = {0};
    cJSON *root = cJSON_CreateObject();
    cJSON *dump = root ? cJSON_AddObjectToObject(root, "dump") : NULL;
    dc_status st = dc_steps_print(&steps, &c->steps);
    if (st == DC_OK && steps.n)
        st = dc_buf_add(&steps, "", 1);
    if (st == DC_OK && !dump)
        st = dc_fail_memory();
    if (st == DC_OK && c->has_dump)
        (c->from_tf ? put_tf : put_acl)(&p, dump, c, steps.data);
    if (st == DC_OK)
        st = p.failed ? dc_fail_memory() : print(out, root);
    cJSON_Delete(root);
    dc_buf_free(&steps);
    return st;
}

static char *directory(const dc_dump_config *c)
{
    const char *after = dc_acl_path_after_ip(c->path);
    return after ? dc_path_join(".", after) : dc_path_normal(c->path);
}

dc_status dc_acl_config_dir(char **dir, const dc_dump_config *c)
{
    if (!c->path || !*c->path)
        return dc_fail(DC_EARG,
                       "%s%sdump_path is not set; name the dump's directory on the "
                       "command line",
                       c->file, *c->file ? ": " : "");
    *dir = directory(c);
    if (!*dir)
        return DC_ENOMEM;
    if (dc_path_is_dir(*dir))
        return DC_OK;
    dc_status st = dc_fail(DC_ENOENT,
                           "%s%sdump_path: %s is not a directory on this machine; name "
                           "the dump's directory on the command line",
                           c->file, *c->file ? ": " : "", *dir);
    free(*dir);
    *dir = NULL;
    return st;
}

dc_status dc_acl_config_path_notes(dc_buf *out, const dc_dump_config *c)
{
    const char *colon = c->path ? strchr(c->path, ':') : NULL;
    if (!c->path || !*c->path)
        return DC_OK;
    char *dir = directory(c);
    if (!dir)
        return DC_ENOMEM;
    const char *what = NULL;
    if (!dc_path_is_dir(dir))
        what = colon && !colon[1] ? "has nothing behind the ip" : "is not a directory here";
    else if (access(dir, R_OK | W_OK) != 0)
        what = "is not readable and writable for this user";
    dc_status st = DC_OK;
    if (what)
        st = dc_buf_printf(out, "%s: dump.dump_path: %s %s; CANN would refuse it [EP0003]\n",
                           c->file, c->path, what);
    free(dir);
    return st;
}
