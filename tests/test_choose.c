/* tests/test_choose.c - what a capture chooses: a scan that looks at names first gives the same
 * tensors as asking about every header; slots and originals from a graph. */
#include "tests/choose_fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TASKS = 10, STEPS = 2, MODELS = 2 };
#define START 1718289422000000u

/* ---- the oracle: every header is asked about, nothing is looked at before ---- */

typedef struct world {
    char root[512], config[600];
    task task[MOST_TASKS];
    size_t n;
} world;

static const char *const model_dirs[MODELS] = {"m_1", "net_20240613143502_2"};
static const char *const canonical[MODELS] = {"m_1", "net_2"};

static dc_select_op ask_about(const dc_select_model *model, const dc_select_pass *pass,
                              const task *t, const char *name)
{
    return (dc_select_op){.model = model,
                          .pass = pass,
                          .name = name,
                          .type = t->type,
                          .original = &t->origin,
                          .noriginal = *t->origin != 0,
                          .sanitised = t->nameless,
                          .own_names = true,
                          .feeds_selected = -1};
}

/* The name a row gets: the header's, else the file name's. */
static void row_name(char *out, size_t n, const task *t)
{
    snprintf(out, n, "%s", t->name);
    if (t->nameless)
        dc_name_sanitise(out);
}

static bool selected(dc_select *s, const world *w, const dc_select_model *model,
                     const dc_select_pass *pass, size_t i)
{
    char name[64], fed[64];
    const task *t = &w->task[i];
    row_name(name, sizeof name, t);
    dc_select_op op = ask_about(model, pass, t, name);
    for (size_t k = 0; k < w->n && dc_select_is_data(t->type); k++) {
        const task *other = &w->task[k];
        if (dc_select_is_data(other->type) || other->task != t->task || other->stream != t->stream)
            continue;
        row_name(fed, sizeof fed, other);
        const dc_select_op consumer = ask_about(model, pass, other, fed);
        dc_select_op own = op;
        own.uncounted = true;
        if (!dc_select_ops(s, &own)) /* else it is selected by itself */
            op.feeds_selected = dc_select_ops(s, &consumer);
    }
    return dc_select_ops(s, &op);
}

static void step_lines(dc_buf *out, dc_select *s, const world *w, int model, int step)
{
    const dc_select_model m = {.dir = model_dirs[model], .canonical = canonical[model]};
    dc_select_pass *pass;
    char name[64];
    DC_ASSERT_OK(dc_select_pass_new(&pass, s, &m));
    for (size_t i = 0; i < w->n; i++)
        DC_ASSERT_OK(dc_select_pass_add(pass, w->task[i].name));
    for (size_t i = 0; i < w->n && dc_select_models(s, &m) && dc_select_step(s, (uint64_t)step);
         i++) {
        const task *t = &w->task[i];
        row_name(name, sizeof name, t);
        const dc_select_op op = ask_about(&m, pass, t, name);
        bool wanted = selected(s, w, &m, pass, i);
        for (uint32_t k = 0; wanted && k < MOST_TENSORS && t->input[k]; k++)
            if (dc_select_slot(s, &op, DC_INPUT, k))
                DC_ASSERT_OK(dc_buf_printf(out, "%s %d %s 0 %u\n", m.dir, step, name, k));
        if (wanted && dc_select_slot(s, &op, DC_OUTPUT, 0))
            DC_ASSERT_OK(dc_buf_printf(out, "%s %d %s 1 0\n", m.dir, step, name));
    }
    dc_select_pass_free(pass);
}

static char *oracle_lines(const world *w, const dc_capture_options *o)
{
    dc_choice c = {0};
    dc_buf out = {0};
    DC_ASSERT_OK(dc_choice_read_config(&c, o));
    const dc_select_extra extra = dc_choice_extra(o);
    DC_ASSERT_OK(dc_select_new(&c.select, &c.config, &extra));
    for (bool again = true; again; again = dc_select_deepen(c.select)) {
        bool deep = out.cap > 0;
        out.n = 0;
        for (int m = 0; m < MODELS; m++)
            for (int step = 0; step < STEPS; step++)
                step_lines(&out, c.select, w, m, step);
        DC_ASSERT_OK(dc_buf_add(&out, "", 1));
        if (deep)
            break;
    }
    dc_choice_fini(&c);
    return out.data;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort a text's lines in place (the texts are short). */
static void sort_lines(char *text)
{
    char *line[1024], *copy = strdup(text), *rest = NULL;
    size_t n = 0, used = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    for (char *l = strtok_r(copy, "\n", &rest); l && n < DC_COUNT(line);
         l = strtok_r(NULL, "\n", &rest))
        line[n++] = l;
    if (n)
        qsort(line, n, sizeof *line, compare_texts);
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%s\n", line[i]);
    free(copy);
}

/* ---- random worlds ---- */

static unsigned next_random(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return n ? (unsigned)(*state >> 33) % n : 0;
}

/* Operators have different names, also when sanitised; data nodes stand before what they feed. */
static void random_tasks(world *w, uint64_t *r)
{
    static const char *const names[MOST_TASKS] = {"a",   "b/c", "d.e", "f g", "h",
                                                  "i/j", "k",   "l",   "m/n", "o"};
    static const char *const types[] = {"Relu", "Conv2D", "HcomAllReduce", "Data"};
    static const char *const origins[] = {"", "", "x/y", "z", "a"};
    w->n = 3 + next_random(r, MOST_TASKS - 3);
    for (size_t i = 0; i < w->n; i++) {
        task *t = &w->task[i];
        bool fed = i && strcmp(w->task[i - 1].type, "Data") == 0;
        *t = (task){.name = names[i],
                    .type = types[next_random(r, i + 1 < w->n && !fed ? 4 : 3)],
                    .origin = origins[next_random(r, 5)],
                    .task = fed ? w->task[i - 1].task : i + 3,
                    .stream = next_random(r, 2),
                    .time = START + i * 1000,
                    .nameless = next_random(r, 6) == 0};
        t->stream = fed ? w->task[i - 1].stream : t->stream;
        for (unsigned k = 0, inputs = next_random(r, 3); k < inputs; k++)
            t->input[k] = k + 1;
    }
}

static const char *some_name(const world *w, uint64_t *r)
{
    static const char *const others[] = {"x/y", "z", "nothing"};
    return next_random(r, 3) ? w->task[next_random(r, (unsigned)w->n)].name
                             : others[next_random(r, 3)];
}

static void random_config(const world *w, uint64_t *r)
{
    static const char *const modes[] = {"input", "output", "all"};
    char text[1024];
    const char *a = some_name(w, r), *b = some_name(w, r), *c = some_name(w, r);
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"dump\":{\"dump_path\":\"/"
                                "x\",\"dump_level\":\"op\",\"dump_mode\":\"%s\",\"dump_list\":[",
                                modes[next_random(r, 3)]);
    switch (next_random(r, 4)) {
    case 0:
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"layer\":[\"%s\",\"%s\"]}", a, b);
        break;
    case 1:
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"model_name\":\"net_2\",\"layer\":[\"%s\"],\"opname_range\":"
                              "[{\"begin\":\"%s\",\"end\":\"%s\"}]}",
                              a, b, c);
        break;
    case 2:
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"model_name\":\"m_1\",\"opname_range\":[{\"begin\":\"%s\",\"end\":"
                              "\"%s\"}]},{\"model_name\":\"net_2\"}",
                              a, b);
        break;
    default:
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"opname_blacklist\":[{\"name\":\"%s\",\"pos\":[\"input0\"]}],"
                              "\"optype_blacklist\":[{\"name\":\"Relu\",\"pos\":[\"output0\"]}]}",
                              a);
        break;
    }
    snprintf(text + n, sizeof text - n, "]}}");
    write_text(w->config, text);
}

static void write_world(world *w, uint64_t seed)
{
    uint64_t r = seed;
    const char *dir = dc_test_shared_dir();
    snprintf(w->root, sizeof w->root, "%s/%llu", dir, (unsigned long long)seed);
    snprintf(w->config, sizeof w->config, "%s.json", w->root);
    random_tasks(w, &r);
    for (int m = 0; m < MODELS && dc_test_par()->process == 0; m++)
        for (int step = 0; step < STEPS; step++) {
            char path[700];
            snprintf(path, sizeof path, "%s/20240613143502/0/%s/1/%d", w->root, model_dirs[m],
                     step);
            for (size_t i = 0; i < w->n; i++)
                write_task(path, &w->task[i]);
        }
    if (dc_test_par()->process == 0)
        random_config(w, &r);
    dc_par_barrier(dc_test_par());
}

static void looking_at_names_first_changes_no_answer(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        world w;
        write_world(&w, seed);
        uint64_t r = seed * 77;
        const char *pattern = some_name(&w, &r);
        dc_capture_options o = options_for(w.root, w.config);
        if (next_random(&r, 3) == 0)
            o.op = (dc_opt_list){.item = &pattern, .n = 1};
        if (next_random(&r, 3) == 0)
            o.step = "1";
        char *got = scan_lines(&o), *want = oracle_lines(&w, &o);
        sort_lines(got);
        sort_lines(want);
        if (strcmp(got, want) != 0)
            fprintf(stderr, "seed %llu, --op %s, %s:\ngot\n%swant\n%s", (unsigned long long)seed,
                    o.op.n ? pattern : "-", w.config, got, want);
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        free(want);
    }
}

/* ---- a graph ---- */

#define DESC(dim) "desc { dtype: DT_FLOAT layout: \"ND\" shape { dim: " #dim " } }\n"
static const char graph_text[] =
    "graph { name: \"m_1\"\n"
    "op { name: \"p\" type: \"Relu\" id: 1 output_" DESC(
        3) "}\n"
           "op { name: \"q\" type: \"Relu\" id: 2 output_" DESC(
               4) "}\n"
                  "op { name: \"s/t\" type: \"Concat\" id: 3 input: \"p:0\" input: \"q:0\" input: "
                  "\"q:0\"\n"
                  "input_" DESC(3) "input_" DESC(4) "input_" DESC(5) "output_" DESC(
                      2) "attr { key: \"_datadump_original_op_names\" value { list { s: "
                         "\"deep/inside\" } } } }\n"
                         "}\n";

/* Scan one file of "s/t" with these inputs; config may be NULL. */
static char *scan_concat(const char *config, const uint64_t input[MOST_TENSORS], const char *op,
                         bool with_graph)
{
    char root[600], graph[600], json[600];
    const char *dir = dc_test_shared_dir();
    snprintf(root, sizeof root, "%s/20240613143502/0/m_1/1/0", dir);
    snprintf(graph, sizeof graph, "%s/ge_proto_00000001_graph_1_Build.txt", dir);
    snprintf(json, sizeof json, "%s/acl.json", dir);
    task t = {"s/t", "Concat", "", 3, 1, START, false, {0}};
    memcpy(t.input, input, sizeof t.input);
    if (dc_test_par()->process == 0) {
        write_task(root, &t);
        write_text(graph, graph_text);
        write_text(json, config ? config : "{}");
    }
    dc_par_barrier(dc_test_par());
    dc_capture_options o = options_for(dir, json);
    o.graph = with_graph ? graph : NULL;
    o.op = (dc_opt_list){.item = &op, .n = op != NULL};
    return scan_lines(&o);
}

static const char ban[] =
    "{\"dump\":{\"dump_path\":\"/x\",\"dump_level\":\"op\",\"dump_mode\":\"input\",\"dump_list\":"
    "[{\"opname_blacklist\":[{\"name\":\"s/t\",\"pos\":[\"input1\"]}]}]}}";

static void expect(char *got, const char *want)
{
    CU_ASSERT_STRING_EQUAL(got, want);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "got %s", got);
    free(got);
}

static void a_blacklist_that_made_the_gap_is_not_applied_again(void)
{
    expect(scan_concat(ban, (const uint64_t[MOST_TENSORS]){3, 5}, NULL, true),
           "m_1 0 s/t 0 0\nm_1 0 s/t 0 2\n");
    expect(scan_concat(ban, (const uint64_t[MOST_TENSORS]){3, 4, 5}, NULL, true),
           "m_1 0 s/t 0 0\nm_1 0 s/t 0 2\n");
    expect(scan_concat(ban, (const uint64_t[MOST_TENSORS]){3, 5}, NULL, false), "m_1 0 s/t 0 0\n");
}

static void gaps_without_a_blacklist_are_found_by_shape(void)
{
    expect(scan_concat(NULL, (const uint64_t[MOST_TENSORS]){4, 5}, NULL, true),
           "m_1 0 s/t 0 1\nm_1 0 s/t 0 2\nm_1 0 s/t 1 0\n");
    expect(scan_concat(NULL, (const uint64_t[MOST_TENSORS]){7}, NULL, true), /* fits nowhere */
           "m_1 0 s/t 0 0\nm_1 0 s/t 1 0\n");
}

static void a_graph_s_original_names_select(void)
{
    expect(scan_concat(NULL, (const uint64_t[MOST_TENSORS]){0}, "deep/*", true), "m_1 0 s/t 1 0\n");
    expect(scan_concat(NULL, (const uint64_t[MOST_TENSORS]){0}, "deep/*", false), "");
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(looking_at_names_first_changes_no_answer),
        DC_TEST(a_blacklist_that_made_the_gap_is_not_applied_again),
        DC_TEST(gaps_without_a_blacklist_are_found_by_shape),
        DC_TEST(a_graph_s_original_names_select),
    };
    return dc_test_main_mpi("choose", tests, DC_COUNT(tests));
}
