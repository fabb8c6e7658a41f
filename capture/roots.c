/* capture/roots.c - see roots.h */
#include "capture/roots.h"

#include "io/path.h"
#include "io/tree.h"

#include <stdlib.h>
#include <string.h>

#define TIME_DIGITS   14
#define NUMBER_DIGITS 9
#define MOST_OFFSET   1000000

/* What a template's places have stood for. */
typedef struct told {
    bool has_rank, has_device;
    int32_t rank, device;
} told;

static bool is_template(const char *path)
{
    return strstr(path, "{rank}") || strstr(path, "{device}") || strstr(path, "{time}");
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* How many digits stand at text; *value is their number (0 for more than nine). */
static size_t take_digits(int32_t *value, const char *text)
{
    size_t n = strspn(text, "0123456789");
    *value = n <= NUMBER_DIGITS ? (int32_t)strtol(text, NULL, 10) : 0;
    return n;
}

/* Whether a directory's name fits pattern[0..n), one component of a template. */
static bool fits(told *t, const char *pattern, size_t n, const char *name)
{
    const char *end = pattern + n;
    while (pattern < end) {
        bool rank = starts(pattern, "{rank}"), device = starts(pattern, "{device}");
        int32_t value;
        size_t digits = take_digits(&value, name);
        if (starts(pattern, "{time}")) {
            if (digits != TIME_DIGITS)
                return false;
            pattern += strlen("{time}");
            name += digits;
        } else if (rank || device) {
            if (!digits || digits > NUMBER_DIGITS)
                return false;
            *(rank ? &t->rank : &t->device) = value;
            *(rank ? &t->has_rank : &t->has_device) = true;
            pattern += strlen(rank ? "{rank}" : "{device}");
            name += digits;
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    return !*name;
}

/* Takes path over. */
static dc_status add_root(dc_roots *r, char *path, const told *t, uint32_t group)
{
    if (!path)
        return DC_ENOMEM;
    dc_status st = dc_grow((void **)&r->root, &r->cap, r->n, 1, sizeof *r->root);
    if (st == DC_OK)
        st = dc_grow((void **)&r->text, &r->captext, r->n, 1, sizeof *r->text);
    if (st != DC_OK) {
        free(path);
        return st;
    }
    r->text[r->n] = path;
    r->root[r->n++] = (dc_scan_root){.path = path,
                                     .has_rank = t->has_rank,
                                     .has_device = t->has_device,
                                     .rank = t->rank,
                                     .device = t->device,
                                     .group = group};
    return DC_OK;
}

static char *below(const char *base, const char *name)
{
    return strcmp(base, ".") == 0 ? dc_path_normal(name) : dc_path_join(base, name);
}

/* Expand `rest` of a template below the directory `base`; unreadable directories fit nothing. */
static dc_status expand(dc_roots *r, const char *base, const char *rest, const told *t,
                        uint32_t group)
{
    size_t n;
    rest += strspn(rest, "/");
    n = strcspn(rest, "/");
    if (!n)
        return add_root(r, strdup(base), t, group);
    char *part = strndup(rest, n);
    dc_tree_list l = {0};
    dc_status st = part ? DC_OK : dc_fail_memory();
    if (st == DC_OK && !is_template(part)) {
        char *path = below(base, part);
        if (!path)
            st = DC_ENOMEM;
        else if (dc_path_is_dir(path))
            st = expand(r, path, rest + n, t, group);
        free(path);
        free(part);
        return st;
    }
    if (st == DC_OK)
        st = dc_tree_list_dir(&l, base);
    if (st == DC_EIO || st == DC_ENOENT)
        st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < l.n; i++) {
        told more = *t;
        if (!l.entry[i].is_dir || !fits(&more, part, n, l.entry[i].name))
            continue;
        char *path = below(base, l.entry[i].name);
        st = path ? expand(r, path, rest + n, &more, group) : DC_ENOMEM;
        free(path);
    }
    dc_tree_list_free(&l);
    free(part);
    return st;
}

static dc_status add_argument(dc_roots *r, const char *argument, uint32_t group)
{
    const told nothing = {0};
    size_t before = r->n;
    if (!is_template(argument))
        return add_root(r, dc_path_normal(argument), &nothing, group);
    dc_status st = expand(r, *argument == '/' ? "/" : ".", argument, &nothing, group);
    if (st == DC_OK && r->n == before)
        st = dc_fail(DC_ENOENT, "%s: no directory fits this template", argument);
    return st;
}

/* The value in ROOT=VALUE of the option for a root (or for the argument it came from), or NULL. */
static dc_status value_for(const char **value, const dc_opt_list *list, const char *option,
                           const char *path, const char *argument)
{
    *value = NULL;
    for (size_t i = 0; i < list->n; i++) {
        const char *equal = strrchr(list->item[i], '=');
        if (!equal || equal == list->item[i] || !equal[1])
            return dc_fail(DC_EARG, "%s: '%s' is not ROOT=%s", option, list->item[i],
                           strcmp(option, "--rank-of") == 0 ? "OFFSET" : "ID");
        char *root = strndup(list->item[i], (size_t)(equal - list->item[i]));
        char *normal = root ? dc_path_normal(root) : NULL;
        if (!normal) {
            free(root);
            return dc_fail_memory();
        }
        if (strcmp(normal, path) == 0 || strcmp(root, argument) == 0)
            *value = equal + 1;
        free(normal);
        free(root);
    }
    return DC_OK;
}

/* Every ROOT=... must name a root: a mistyped one would give wrong ranks without a word. */
static dc_status check_named(const dc_roots *r, const dc_opt_list *list, const char *option,
                             const dc_capture_options *o)
{
    for (size_t i = 0; i < list->n; i++) {
        const dc_opt_list one = {.item = &list->item[i], .n = 1};
        const char *value = NULL;
        dc_status st = DC_OK;
        for (size_t k = 0; st == DC_OK && !value && k < r->n; k++) {
            uint32_t group = r->root[k].group;
            st = value_for(&value, &one, option, r->text[k],
                           group < o->rest.n ? o->rest.argument[group] : "");
        }
        if (st == DC_OK && !value)
            st = dc_fail(DC_EARG, "%s %s: there is no such root; the first one is %s", option,
                         list->item[i], r->n ? r->text[0] : "-");
        if (st != DC_OK)
            return st;
    }
    return DC_OK;
}

static dc_status set_offset(dc_scan_root *root, const dc_opt_list *rank_of, const char *argument)
{
    const char *value;
    uint64_t offset;
    dc_status st = value_for(&value, rank_of, "--rank-of", root->path, argument);
    if (st != DC_OK || !value)
        return st;
    if (dc_opt_u64(&offset, value) != DC_OK || offset > MOST_OFFSET)
        return dc_fail(DC_EARG, "--rank-of: '%s' is not a rank", value);
    root->rank_offset = (int32_t)offset;
    return DC_OK;
}

static dc_status set_server(dc_scan_root *root, const dc_roots *r, const dc_capture_options *o,
                            const char *argument)
{
    const char *id;
    dc_status st = value_for(&id, &o->server_of, "--server-of", root->path, argument);
    if (st != DC_OK || root->has_rank || !r->table.n)
        return st;
    if (!id)
        id = o->server ? o->server : r->table.n == 1 ? "#0" : NULL;
    if (!id)
        return dc_fail(DC_EARG,
                       "%s: the rank table has %zu servers: say which of them dumped to %s, with "
                       "--server ID or --server-of %s=ID (ID: %s ... or #0 ...)",
                       r->table.path, r->table.n, root->path, root->path, r->table.server[0].id);
    return dc_rank_table_server(&root->server, &r->table, id);
}

static dc_status find_paths(dc_roots *r, const dc_capture_options *o, const dc_dump_config *config)
{
    const told nothing = {0};
    dc_status st = DC_OK;
    char *dir = NULL;
    for (size_t i = 0; st == DC_OK && i < o->rest.n; i++)
        st = add_argument(r, o->rest.argument[i], (uint32_t)i);
    if (st != DC_OK || o->rest.n)
        return st;
    if (!config->path)
        return dc_fail(
            DC_EARG,
            "nothing to capture: give a ROOT (a dump_path), or -c acl.json with a dump_path");
    st = dc_acl_config_dir(&dir, config);
    return st == DC_OK ? add_root(r, dir, &nothing, 0) : st;
}

dc_status dc_roots_find(dc_roots *out, const dc_capture_options *o, const dc_dump_config *config)
{
    dc_roots *r = out;
    *r = (dc_roots){0};
    dc_status st = find_paths(r, o, config);
    if (st == DC_OK && o->rank_table)
        st = dc_rank_table_read(&r->table, o->rank_table);
    else if (st == DC_OK && (o->server || o->server_of.n))
        st = dc_fail(DC_EARG, "--server and --server-of need --rank-table FILE");
    if (st == DC_OK)
        st = check_named(r, &o->rank_of, "--rank-of", o);
    if (st == DC_OK)
        st = check_named(r, &o->server_of, "--server-of", o);
    for (size_t i = 0; st == DC_OK && i < r->n; i++) {
        uint32_t group = r->root[i].group;
        const char *argument = group < o->rest.n ? o->rest.argument[group] : "";
        st = set_offset(&r->root[i], &o->rank_of, argument);
        if (st == DC_OK)
            st = set_server(&r->root[i], r, o, argument);
    }
    return st;
}

void dc_roots_fini(dc_roots *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->text[i]);
    free(r->text);
    free(r->root);
    dc_rank_table_fini(&r->table);
    *r = (dc_roots){0};
}
