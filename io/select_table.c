/* io/select_table.c - compiling selectors: the configuration's entries by model, name sets,
 * patterns. */
#include "io/dump_name.h"
#include "io/select_parts.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

char *dc_select_clean(const char *text)
{
    char *copy = strdup(text);
    if (!copy) {
        (void)dc_fail_memory();
        return NULL;
    }
    dc_name_sanitise(copy);
    return copy;
}

bool dc_select_clean_model(char *out, const char *name)
{
    size_t n = strlen(name);
    if (n >= DC_SELECT_MODEL)
        return false;
    memcpy(out, name, n + 1);
    dc_name_sanitise(out);
    return true;
}

dc_status dc_select_register(size_t *index, dc_select *s, dc_selector selector)
{
    dc_status st =
        dc_grow((void **)&s->selector, &s->selector_cap, s->nselector, 1, sizeof *s->selector);
    if (st == DC_OK) {
        *index = s->nselector++;
        s->selector[*index] = selector;
    }
    return st;
}

dc_status dc_select_names_add(dc_select_names *names, const char *name, size_t selector,
                              const dc_dump_ban *ban)
{
    dc_status st = dc_grow((void **)&names->item, &names->cap, names->n, 1, sizeof *names->item);
    char *clean = st == DC_OK ? dc_select_clean(name) : NULL;
    if (!clean)
        return DC_ENOMEM;
    names->item[names->n++] = (dc_select_name){name, clean, selector, ban};
    return DC_OK;
}

static int by_name(const void *a, const void *b)
{
    const dc_select_name *const *l = a, *const *r = b;
    return strcmp((*l)->name, (*r)->name);
}

static int by_clean(const void *a, const void *b)
{
    const dc_select_name *const *l = a, *const *r = b;
    return strcmp((*l)->clean, (*r)->clean);
}

dc_status dc_select_names_sort(dc_select_names *names)
{
    size_t n = names->n;
    if (!n)
        return DC_OK;
    names->by_name = calloc(n, sizeof(dc_select_name *));
    names->by_clean = calloc(n, sizeof(dc_select_name *));
    if (!names->by_name || !names->by_clean)
        return dc_fail_memory();
    for (size_t i = 0; i < n; i++)
        names->by_name[i] = names->by_clean[i] = &names->item[i];
    qsort(names->by_name, n, sizeof(dc_select_name *), by_name);
    qsort(names->by_clean, n, sizeof(dc_select_name *), by_clean);
    return DC_OK;
}

void dc_select_names_fini(dc_select_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->item[i].clean);
    free(names->item);
    free((void *)names->by_name);
    free((void *)names->by_clean);
    *names = (dc_select_names){0};
}

static const char *text_of(const dc_select_name *name, bool clean)
{
    return clean ? name->clean : name->name;
}

dc_select_name *const *dc_select_names_find(size_t *n, const dc_select_names *names,
                                            const char *text, bool sanitised)
{
    dc_select_name *const *sorted = sanitised ? names->by_clean : names->by_name;
    size_t low = 0, high = names->n;
    while (low < high) { /* the first that is not less */
        size_t middle = low + (high - low) / 2;
        if (strcmp(text_of(sorted[middle], sanitised), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *n = 0;
    while (low + *n < names->n && strcmp(text_of(sorted[low + *n], sanitised), text) == 0)
        ++*n;
    return *n ? sorted + low : NULL;
}

/* The last entry of a model decides; beside an any-model entry no other layers are asked for. */
static dc_status add_layers(dc_select_table *t, dc_select *s)
{
    const dc_dump_entry *e = t->layers;
    dc_status st = DC_OK;
    if (!e || (t->model && s->has_any))
        return DC_OK;
    for (size_t i = 0; i < e->layer.n && st == DC_OK; i++) {
        size_t index;
        st = dc_select_register(&index, s,
                                (dc_selector){DC_SELECTOR_LAYER, e->layer.item[i], e->index, i});
        if (st == DC_OK)
            st = dc_select_names_add(&t->layer, e->layer.item[i], index, NULL);
    }
    return st;
}

static dc_status add_bans(dc_select_names *names, dc_select *s, dc_selector kind,
                          const dc_dump_ban *ban, size_t n)
{
    dc_status st = DC_OK;
    for (size_t i = 0; i < n && st == DC_OK; i++) {
        size_t index;
        if (!*ban[i].name || !ban[i].npos)
            continue; /* leaves nothing out; the configuration's reader has said so */
        kind.text = ban[i].name;
        kind.item = i;
        st = dc_select_register(&index, s, kind);
        if (st == DC_OK)
            st = dc_select_names_add(names, ban[i].name, index, &ban[i]);
    }
    return st;
}

static dc_status add_ranges(dc_select_table *t, dc_select *s)
{
    const dc_dump_entry *e = t->ranges;
    dc_status st = DC_OK;
    t->range_selector = s->nselector;
    for (size_t i = 0; e && i < e->nrange && st == DC_OK; i++) {
        size_t index;
        st = dc_select_register(&index, s,
                                (dc_selector){DC_SELECTOR_BEGIN, e->range[i].begin, e->index, i});
        if (st == DC_OK)
            st = dc_select_register(&index, s,
                                    (dc_selector){DC_SELECTOR_END, e->range[i].end, e->index, i});
        if (st == DC_OK)
            st = dc_select_register(&index, s, (dc_selector){DC_SELECTOR_RANGE, NULL, e->index, i});
    }
    return st;
}

static dc_status add_watchers(dc_select *s, const dc_dump_entry *e)
{
    dc_status st = DC_OK;
    for (size_t i = 0; i < e->watcher.n && st == DC_OK; i++) {
        size_t index;
        st = dc_select_register(
            &index, s, (dc_selector){DC_SELECTOR_WATCHER, e->watcher.item[i], e->index, i});
        if (st == DC_OK)
            st = dc_select_names_add(&s->watcher, e->watcher.item[i], index, NULL);
    }
    return st;
}

/* The table of an entry's model; the entry's name is registered with the table. */
static dc_status table_for(dc_select_table **out, dc_select *s, const dc_dump_entry *e)
{
    uint32_t id;
    dc_status st = dc_pool_adds(&id, s->exact, e->model_name ? e->model_name : "");
    if (st != DC_OK)
        return st;
    *out = &s->table[id]; /* ids are dense, and there are no more names than entries */
    if (id == 0) {
        s->has_any = true;
        return DC_OK;
    }
    if (id < s->ntable)
        return DC_OK;
    s->ntable = id + 1;
    (*out)->model = e->model_name;
    return dc_select_register(&(*out)->selector, s,
                              (dc_selector){DC_SELECTOR_MODEL_NAME, e->model_name, e->index, 0});
}

static dc_status add_entry(dc_select *s, const dc_dump_entry *e)
{
    dc_select_table *t;
    dc_status st = table_for(&t, s, e);
    if (st != DC_OK)
        return st;
    t->layers = e; /* a later entry replaces the layers, and the ranges if it has any */
    if (e->nrange && e->model_name)
        t->ranges = e;
    if (!s->extra.blacklist_applied) {
        st = add_bans(&t->type_ban, s, (dc_selector){DC_SELECTOR_TYPE_BAN, NULL, e->index, 0},
                      e->type_ban, e->ntype_ban);
        if (st == DC_OK)
            st = add_bans(&t->name_ban, s, (dc_selector){DC_SELECTOR_NAME_BAN, NULL, e->index, 0},
                          e->name_ban, e->nname_ban);
    }
    return st == DC_OK ? add_watchers(s, e) : st;
}

static dc_status finish_table(dc_select_table *t, dc_select *s)
{
    dc_status st = add_layers(t, s);
    if (st == DC_OK)
        st = add_ranges(t, s);
    if (st == DC_OK)
        st = dc_select_names_sort(&t->layer);
    if (st == DC_OK)
        st = dc_select_names_sort(&t->type_ban);
    return st == DC_OK ? dc_select_names_sort(&t->name_ban) : st;
}

/* Sanitised forms of the model names, for directories. */
static dc_status index_clean(dc_select *s)
{
    dc_status st = DC_OK;
    for (size_t i = 1; i < s->ntable && st == DC_OK; i++) {
        uint32_t id, before = dc_pool_count(s->clean);
        char *clean = dc_select_clean(s->table[i].model);
        st = clean ? dc_pool_adds(&id, s->clean, clean) : DC_ENOMEM;
        if (st == DC_OK && id >= before)
            s->clean_table[id] = i;
        free(clean);
    }
    return st;
}

dc_status dc_select_build_tables(dc_select *s)
{
    const dc_dump_config *c = s->config;
    dc_status st = dc_pool_new(&s->exact);
    if (st == DC_OK)
        st = dc_pool_new(&s->clean);
    if (st != DC_OK || !c)
        return st;
    s->table = calloc(c->nentry + 1, sizeof *s->table);
    s->clean_table = calloc(c->nentry + 2, sizeof *s->clean_table);
    if (!s->table || !s->clean_table)
        return dc_fail_memory();
    s->ntable = 1;
    for (size_t i = 0; i < c->nentry && st == DC_OK; i++)
        if (!c->entry[i].skipped)
            st = add_entry(s, &c->entry[i]);
    for (size_t i = 0; i < s->ntable && st == DC_OK; i++)
        st = finish_table(&s->table[i], s);
    if (st == DC_OK)
        st = dc_select_names_sort(&s->watcher);
    return st == DC_OK ? index_clean(s) : st;
}

const dc_select_table *dc_select_table_named(const dc_select *s, const char *name)
{
    uint32_t id = name && *name && s->ntable ? dc_pool_find(s->exact, name) : DC_NO_STR;
    return id == DC_NO_STR || id == 0 ? NULL : &s->table[id];
}

/* CANN's host executor leaves spaces in directories' names: they are cleaned too. */
static const dc_select_table *table_cleaned(const dc_select *s, const char *name)
{
    char clean[DC_SELECT_MODEL];
    uint32_t id = name && *name && s->ntable > 1 && dc_select_clean_model(clean, name)
                      ? dc_pool_find(s->clean, clean)
                      : DC_NO_STR;
    return id == DC_NO_STR || id == 0 ? NULL : &s->table[s->clean_table[id]];
}

const dc_select_table *dc_select_table_of(const dc_select *s, const dc_select_model *model,
                                          bool with_ranges)
{
    enum { NAMES = 4 };
    const dc_select_table *found[NAMES] = {
        dc_select_table_named(s, model->om), dc_select_table_named(s, model->graph),
        table_cleaned(s, model->dir), table_cleaned(s, model->canonical)};
    for (size_t i = 0; i < NAMES; i++)
        if (found[i] && (found[i]->ranges || !with_ranges))
            return found[i];
    return NULL;
}

static dc_status compile(dc_select_pattern *p, const char *option)
{
    char why[200];
    p->is_regex = strncmp(p->text, "re:", 3) == 0;
    if (p->is_regex) {
        int failed = regcomp(&p->regex, p->text + 3, REG_EXTENDED | REG_NOSUB);
        if (!failed)
            return DC_OK;
        regerror(failed, &p->regex, why, sizeof why);
        p->is_regex = false; /* nothing to free */
        return dc_fail(DC_EARG, "%s \"%s\": not a regular expression: %s", option, p->text, why);
    }
    if (!*p->text)
        return dc_fail(DC_EARG, "%s \"\": an empty pattern matches nothing", option);
    p->clean = strdup(p->text);
    if (!p->clean)
        return dc_fail_memory();
    for (char *c = p->clean; *c; c++)
        if (strchr(" ./", *c)) /* '\\' escapes in a glob */
            *c = '_';
    return DC_OK;
}

dc_status dc_select_build_patterns(dc_select_patterns *out, dc_select *s, dc_selector_kind kind,
                                   const char *const *text, size_t n)
{
    static const char *const options[] = {
#define X(id, name, ...) [DC_SELECTOR_##id] = name,
        DC_SELECTORS(X)
#undef X
    };
    dc_status st = DC_OK;
    out->item = n ? calloc(n, sizeof *out->item) : NULL;
    if (n && !out->item)
        return dc_fail_memory();
    for (size_t i = 0; i < n && st == DC_OK; i++) {
        dc_select_pattern *p = &out->item[out->n++];
        p->text = text[i];
        st = compile(p, options[kind]);
        if (st == DC_OK)
            st = dc_select_register(&p->selector, s, (dc_selector){kind, text[i], 0, i});
    }
    return st;
}

void dc_select_patterns_fini(dc_select_patterns *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->item[i].is_regex)
            regfree(&p->item[i].regex);
        free(p->item[i].clean);
    }
    free(p->item);
    *p = (dc_select_patterns){0};
}

bool dc_select_pattern_match(const dc_select_pattern *p, const char *text, bool sanitised)
{
    if (p->is_regex)
        return regexec(&p->regex, text, 0, NULL, 0) == 0;
    return fnmatch(sanitised ? p->clean : p->text, text, 0) == 0;
}
