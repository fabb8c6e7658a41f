/* tests/test_select_rules.c - selection against a slow oracle written from GE's rules, over random
 * graphs and configurations. */
#include "tests/select_setup.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the oracle: GE's rules, entry by entry, no tables ---- */

enum { MOST_TASKS = 12, MOST_ORIGINAL = 2 };

typedef struct task {
    const char *name, *type;
    const char *original[MOST_ORIGINAL];
    size_t noriginal;
} task;

typedef struct graph {
    dc_select_model model;
    task task[MOST_TASKS];
    size_t n;
} graph;

static bool is_key(const dc_dump_entry *e, const char *key)
{
    return key && e->model_name && strcmp(e->model_name, key) == 0;
}

static const dc_dump_entry *last_entry(const dc_dump_config *c, const char *key, bool with_ranges)
{
    const dc_dump_entry *last = NULL;
    for (size_t i = 0; i < c->nentry; i++)
        if (is_key(&c->entry[i], key) && (!with_ranges || c->entry[i].nrange))
            last = &c->entry[i];
    return last;
}

static const dc_dump_entry *ranges_of(const dc_dump_config *c, const char *om, const char *name)
{
    const dc_dump_entry *e = last_entry(c, om, true);
    return e ? e : last_entry(c, name, true);
}

static bool listed(const dc_dump_names *names, const char *op)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->item[i], op) == 0)
            return true;
    return false;
}

static bool need(const dc_dump_config *c, const char *om, const char *model, const char *op)
{
    const dc_dump_entry *any = NULL;
    for (size_t i = 0; i < c->nentry; i++)
        if (!c->entry[i].model_name)
            any = &c->entry[i];
    if (any)
        return !any->layer.n || listed(&any->layer, op);
    const dc_dump_entry *e = last_entry(c, om, false);
    if (!e)
        e = last_entry(c, model, false);
    if (!e)
        return false;
    if (!e->layer.n && !ranges_of(c, om, model))
        return true;
    return listed(&e->layer, op);
}

/* "closed interval in task order": written as a walk, not as a table of transitions. */
static bool range_covers(const dc_dump_range *r, const graph *g, const char *op)
{
    bool open = false, just_closed = false;
    for (size_t i = 0; i < g->n; i++) {
        const char *name = g->task[i].name;
        bool begin = strcmp(name, r->begin) == 0, end = strcmp(name, r->end) == 0;
        bool inside;
        if (begin && end) {
            if (just_closed)
                return false; /* begin again right after the end breaks the range */
            inside = true;
            just_closed = true;
        } else if (begin) {
            if (just_closed)
                return false;
            inside = open = true;
        } else if (end) {
            if (!open && !just_closed)
                return false; /* an end without a begin breaks it */
            inside = true;
            open = false;
            just_closed = true;
        } else {
            inside = open;
            just_closed = false;
        }
        if (inside && strcmp(name, op) == 0)
            return true;
    }
    return false;
}

static bool in_range_set(const dc_dump_config *c, const graph *g, const char *op)
{
    const dc_dump_entry *e = ranges_of(c, g->model.om, g->model.graph);
    for (size_t i = 0; e && i < e->nrange; i++)
        if (range_covers(&e->range[i], g, op))
            return true;
    return false;
}

static bool needed(const dc_dump_config *c, const graph *g, const char *op)
{
    const dc_select_model *m = &g->model;
    return (m->root && need(c, m->om, m->root, op)) || need(c, m->om, m->graph, op);
}

static bool oracle(const dc_dump_config *c, const graph *g, const task *t)
{
    bool collective = strncmp(t->type, "Hcom", 4) == 0;
    if (needed(c, g, t->name) || in_range_set(c, g, t->name))
        return true;
    for (size_t i = 0; i < t->noriginal && !collective; i++)
        if (needed(c, g, t->original[i]))
            return true;
    return false;
}

static bool ban_has(const dc_dump_ban *ban, size_t n, const char *what, bool output, uint32_t slot)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < ban[i].npos; k++)
            if (*ban[i].name && strcmp(ban[i].name, what) == 0 && ban[i].pos[k].output == output &&
                ban[i].pos[k].slot == slot)
                return true;
    return false;
}

static bool oracle_banned(const dc_dump_config *c, const graph *g, const task *t, bool output,
                          uint32_t slot)
{
    const dc_select_model *m = &g->model;
    for (size_t i = 0; i < c->nentry; i++) {
        const dc_dump_entry *e = &c->entry[i];
        if (e->model_name && !is_key(e, m->om) && !is_key(e, m->graph) && !is_key(e, m->root))
            continue;
        if (ban_has(e->type_ban, e->ntype_ban, t->type, output, slot) ||
            ban_has(e->name_ban, e->nname_ban, t->name, output, slot))
            return true;
    }
    return false;
}

/* ---- random graphs and configurations ---- */

static const char *const ops[] = {"a/b", "a_b", "c.d", "c", "e f", "g", "Hc/1"};
static const char *const originals[] = {"tf/x", "tf/y", "a/b", "g"};
static const char *const types[] = {"Conv2D", "Relu", "HcomAllReduce"};
static const char *const models[] = {"m1", "m/2", "om3", "root"};

static uint64_t state;

static size_t below(size_t n)
{
    state += 0x9e3779b97f4a7c15u;
    return (size_t)(dc_mix64(state) % n);
}

#define PICK(array) array[below(DC_COUNT(array))]

static void random_graph(graph *g)
{
    memset(g, 0, sizeof *g);
    g->model.graph = PICK(models);
    g->model.om = below(3) ? NULL : "om3";
    g->model.root = below(3) ? NULL : "root";
    g->n = 1 + below(MOST_TASKS);
    for (size_t i = 0; i < g->n; i++) {
        task *t = &g->task[i];
        size_t which = below(DC_COUNT(ops));
        t->name = ops[which];
        t->type = types[which % DC_COUNT(types)];
        t->noriginal = below(MOST_ORIGINAL + 1);
        for (size_t k = 0; k < t->noriginal; k++)
            t->original[k] = PICK(originals);
    }
}

static void put(dc_buf *b, const char *text)
{
    DC_ASSERT_OK(dc_buf_puts(b, text));
}

static void random_names(dc_buf *b, const char *key, size_t n)
{
    DC_ASSERT_OK(dc_buf_printf(b, ",\"%s\":[", key));
    for (size_t i = 0; i < n; i++)
        DC_ASSERT_OK(
            dc_buf_printf(b, "%s\"%s\"", i ? "," : "", below(2) ? PICK(ops) : PICK(originals)));
    put(b, "]");
}

static void random_bans(dc_buf *b, const char *key, bool by_type)
{
    DC_ASSERT_OK(dc_buf_printf(b, ",\"%s\":[", key));
    for (size_t i = 0, n = 1 + below(2); i < n; i++)
        DC_ASSERT_OK(dc_buf_printf(b, "%s{\"name\":\"%s\",\"pos\":[\"%s%zu\",\"%s%zu\"]}",
                                   i ? "," : "", by_type ? PICK(types) : PICK(ops),
                                   below(2) ? "input" : "output", below(2),
                                   below(2) ? "input" : "output", below(2)));
    put(b, "]");
}

static void random_entry(dc_buf *b)
{
    bool named = below(4) > 0;
    put(b, "{\"x\":0");
    if (named)
        DC_ASSERT_OK(dc_buf_printf(b, ",\"model_name\":\"%s\"", PICK(models)));
    if (below(2))
        random_names(b, "layer", 1 + below(3));
    if (named && !below(3)) {
        DC_ASSERT_OK(dc_buf_printf(b, ",\"opname_range\":[{\"begin\":\"%s\",\"end\":\"%s\"}",
                                   PICK(ops), PICK(ops)));
        if (below(2))
            DC_ASSERT_OK(
                dc_buf_printf(b, ",{\"begin\":\"%s\",\"end\":\"%s\"}", PICK(ops), PICK(ops)));
        put(b, "]");
    }
    if (!below(3))
        random_bans(b, "optype_blacklist", true);
    if (!below(3))
        random_bans(b, "opname_blacklist", false);
    put(b, "}");
}

static void random_config(dc_buf *b)
{
    b->n = 0;
    put(b, "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\",\"dump_mode\":\"all\","
           "\"dump_list\":[");
    for (size_t i = 0, n = 1 + below(4); i < n; i++) {
        put(b, i ? "," : "");
        random_entry(b);
    }
    put(b, "]}}");
    DC_ASSERT_OK(dc_buf_add(b, "", 1));
}

static dc_select_pass *pass_over(setup *t, const graph *g)
{
    dc_select_pass *p;
    DC_ASSERT_OK(dc_select_pass_new(&p, t->s, &g->model));
    for (size_t i = 0; i < g->n; i++)
        DC_ASSERT_OK(dc_select_pass_add(p, g->task[i].name));
    return p;
}

static char *cleaned(const char *text)
{
    char *copy = strdup(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    for (char *c = copy; c && *c; c++)
        if (strchr(" ./\\", *c))
            *c = '_';
    return copy;
}

/* The first look at a file name, and at a model known by its directory alone, keeps whatever the
 * last look takes. */
static bool preview_keeps(setup *t, const graph *g, const task *k)
{
    char *name = cleaned(k->name), *dir = cleaned(g->model.graph);
    dc_select_model by_dir = {.dir = dir, .om = g->model.om, .root = g->model.root};
    dc_select_op op = {.model = &by_dir,
                       .name = name,
                       .type = k->type,
                       .sanitised = true,
                       .preview = true,
                       .original_unknown = true,
                       .feeds_selected = -1};
    bool kept = dc_select_ops(t->s, &op);
    op.name = ""; /* a file whose name holds no operator */
    op.original_unknown = false;
    kept = kept && dc_select_ops(t->s, &op);
    free(name);
    free(dir);
    return kept;
}

static bool graph_agrees(setup *t, const graph *g)
{
    dc_select_pass *pass = pass_over(t, g);
    bool good = true;
    for (size_t i = 0; i < g->n; i++) {
        const task *k = &g->task[i];
        dc_select_op op = {.model = &g->model,
                           .pass = pass,
                           .name = k->name,
                           .type = k->type,
                           .original = k->original,
                           .noriginal = k->noriginal,
                           .feeds_selected = -1};
        bool want = oracle(&t->c, g, k);
        good = good && dc_select_ops(t->s, &op) == want && (!want || preview_keeps(t, g, k));
        for (uint32_t slot = 0; slot < 4; slot++)
            good = good && dc_select_slot(t->s, &op, slot & 1 ? DC_OUTPUT : DC_INPUT, slot / 2) !=
                               oracle_banned(&t->c, g, k, slot & 1, slot / 2);
    }
    dc_select_pass_free(pass);
    return good;
}

static void random_selections_equal_the_oracle(void)
{
    dc_buf b = {0};
    graph g;
    state = 1;
    for (int i = 0; i < 8000; i++) {
        setup t;
        random_config(&b);
        random_graph(&g);
        g.model.dir = "elsewhere"; /* names known exactly must not need it */
        start(&t, b.data, &nothing);
        bool good = graph_agrees(&t, &g);
        finish(&t);
        CU_ASSERT_TRUE(good);
        if (!good) {
            fprintf(stderr, "case %d: %s\n", i, b.data);
            break;
        }
    }
    dc_buf_free(&b);
}

/* Every allocation of the growing kind fails once; whatever is there by then is given back. */
static void running_out_of_memory_is_an_error_like_others(void)
{
    static const char json[] =
        "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\",\"dump_lst\":1,\"dump_step\":\"3\","
        "\"dump_list\":[{\"model_name\":\"m\",\"layer\":[\"a\" \"b\"],\"opname_range\":[{\"begin\":"
        "\"a\",\"end\":\"b\"}],\"optype_blacklist\":[{\"name\":\"c\",\"pos\":[\"input0\"]}]}]}}";
    static const char *const op[] = {"a*"};
    const dc_select_extra extra = {.op = op, .nop = 1, .rank = "0"};
    size_t failed = 0;
    for (int k = 1; k < 100; k++) {
        char site[32];
        setup t = {0};
        snprintf(site, sizeof site, "mem.grow:%d", k);
        dc_fault_arm(site);
        dc_status st = dc_acl_config_parse(&t.c, json, sizeof json - 1, "acl.json", &lenient);
        if (st == DC_OK)
            st = dc_select_new(&t.s, &t.c, &extra);
        dc_fault_arm(NULL);
        CU_ASSERT(st == DC_OK || st == DC_ENOMEM);
        failed += st == DC_ENOMEM;
        finish(&t);
    }
    CU_ASSERT(failed > 10 && failed < 99);
}

int main(void)
{
    static const dc_test tests[] = {DC_TEST(random_selections_equal_the_oracle),
                                    DC_TEST(running_out_of_memory_is_an_error_like_others)};
    return dc_test_main("select_rules", tests, DC_COUNT(tests));
}
