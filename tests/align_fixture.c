/* tests/align_fixture.c - see align_fixture.h */
#include "tests/align_fixture.h"

#include "io/dtype.h"
#include "io/npy.h"
#include "io/path.h"
#include "tests/mpi_harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t id_of(dc_pool *pool, const char *text)
{
    uint32_t id = 0;
    DC_ASSERT_OK(dc_pool_adds(&id, pool, text ? text : ""));
    return id;
}

static dc_tensor make_row(dc_pool *names, const dc_fix_row *r)
{
    const char *shape = r->shape ? r->shape : "2x3";
    static const uint8_t direction[] = {DC_OUTPUT, DC_INPUT, DC_BUFFER};
    return (dc_tensor){.rank = r->rank,
                       .device = r->rank % 8,
                       .run = r->run,
                       .model = id_of(names, r->model ? r->model : "net"),
                       .model_dir = id_of(names, r->model ? r->model : "net"),
                       .step = r->step,
                       .op = id_of(names, r->op),
                       .op_type = id_of(names, r->type ? r->type : "Add"),
                       .direction = direction[r->direction],
                       .slot = r->slot,
                       .occurrence = r->occurrence,
                       .dump_time = 1000 + r->occurrence,
                       .dtype = r->dtype ? r->dtype : DC_FLOAT32,
                       .format = 2,
                       .shape = id_of(names, shape),
                       .original_shape = id_of(names, shape),
                       .origin_op = id_of(names, r->origin),
                       .origin_slot = r->origin ? r->slot : DC_UNSET,
                       .origin_dtype = 255,
                       .origin_format = 255,
                       .bytes = 24};
}

void dc_fix_catalog(dc_catalog *out, const dc_fix_row *row, uint64_t n, const dc_par *par)
{
    *out = (dc_catalog){.total = n, .runs = 1};
    DC_ASSERT_OK(dc_pool_new(&out->names));
    uint64_t p = (uint64_t)par->process, processes = (uint64_t)par->processes;
    uint64_t end = n * (p + 1) / processes;
    out->first = n * p / processes;
    out->n = end - out->first;
    out->row = calloc(out->n + 1, sizeof *out->row);
    if (!out->row)
        exit(2);
    for (uint64_t i = 0; i < n; i++) { /* every process knows every text */
        dc_tensor t = make_row(out->names, &row[i]);
        if (i >= out->first && i < end)
            out->row[i - out->first] = t;
    }
}

void dc_fix_catalog_fini(dc_catalog *c)
{
    dc_pool_free(c->names);
    free(c->row);
}

void dc_fix_golden(const char *dir, const char *name, const char *shape, uint32_t dtype)
{
    dc_shape s;
    uint64_t n = 0, bytes = 0;
    char *path = dc_path_join(dir, name);
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_shape_parse(&s, shape));
    CU_ASSERT_TRUE_FATAL(path && dc_shape_count(&n, &s));
    dtype = dtype ? dtype : DC_FLOAT32;
    CU_ASSERT_TRUE_FATAL(dc_dtype_bytes(&bytes, dtype, n));
    void *zeros = calloc(bytes + 1, 1);
    DC_ASSERT_OK(dc_npy_write(path, dtype, &s, zeros));
    free(zeros);
    free(path);
}

static const char *match_name(uint8_t match)
{
    static const char *const text[] = {
#define X(id, name) name,
        DC_MATCHES(X)
#undef X
    };
    return text[match];
}

static const char *pairing_name(uint8_t pairing)
{
    static const char *const text[] = {
#define X(id, name, counts) name,
        DC_PAIRINGS(X)
#undef X
    };
    return text[pairing];
}

static void print_pair(dc_buf *out, const dc_alignment *a, const dc_catalog *c, uint64_t i)
{
    const dc_pair *p = &a->pairs.pair[i];
    const dc_pool *names = a->pairs.names;
    const dc_tensor *t = &c->row[i];
    DC_ASSERT_OK(dc_buf_printf(out, "%" PRIu64 " r%d s%" PRId64 " %s.%u#%u %s", c->first + i,
                               t->rank, t->step, dc_pool_text(c->names, t->op), t->slot,
                               t->occurrence, pairing_name(p->pairing)));
    if (p->golden != DC_UNPAIRED) {
        CU_ASSERT_TRUE_FATAL(p->golden < a->pairs.goldens);
        const dc_golden *g = &a->pairs.golden[p->golden];
        dc_buf path = {0};
        DC_ASSERT_OK(dc_pairs_path(&path, &a->pairs, g));
        DC_ASSERT_OK(dc_buf_add(&path, "", 1));
        DC_ASSERT_OK(dc_buf_printf(out, " -> %s (%s) %s %u", dc_path_base(path.data),
                                   dc_pool_text(names, g->name), dc_pool_text(names, g->shape),
                                   g->dtype));
        dc_buf_free(&path);
    }
    DC_ASSERT_OK(dc_buf_printf(out, " by '%s' format %d [%s] {%s}\n", match_name(p->match),
                               p->format == DC_FORMAT_UNSAID ? -1 : p->format,
                               dc_pool_text(names, p->reason), dc_pool_text(names, p->note)));
}

static void print_line(dc_buf *out, const dc_alignment *a, const dc_align_line *l)
{
    const dc_pool *t = a->text;
    DC_ASSERT_OK(dc_buf_printf(
        out,
        "line %s %s/%s(%s) %u.%u -> %s x%" PRIu64 " by '%s' first r%d s%" PRId64
        " [%s] {%s} near %s\n",
        l->unused ? "unused" : pairing_name(l->pairing), dc_pool_text(t, l->model),
        dc_pool_text(t, l->op), dc_pool_text(t, l->op_type), l->direction, l->slot,
        dc_pool_text(t, l->golden), l->count, match_name(l->match), l->rank, l->step,
        dc_pool_text(t, l->reason), dc_pool_text(t, l->note), dc_pool_text(t, l->nearest)));
}

static void print_totals(dc_buf *out, const dc_alignment *a)
{
    for (uint64_t i = 0; i < a->lines; i++)
        print_line(out, a, &a->line[i]);
    for (uint64_t i = 0; i < a->messages; i++)
        DC_ASSERT_OK(dc_buf_printf(out, "message %s\n", dc_pool_text(a->text, a->message[i])));
    for (int i = 0; i < DC_PAIRING_COUNT; i++)
        DC_ASSERT_OK(dc_buf_printf(out, "%s %" PRIu64 "\n", pairing_name((uint8_t)i), a->count[i]));
    DC_ASSERT_OK(dc_buf_printf(out, "unused %" PRIu64 " ignored %" PRIu64 " missing %" PRIu64 "\n",
                               a->goldens_unused, a->goldens_ignored, a->dirs_missing));
}

char *dc_fix_print(const dc_alignment *a, const dc_catalog *c, const dc_par *par)
{
    dc_buf mine = {0}, last = {0};
    char *all, *tail;
    uint64_t n, more;
    for (uint64_t i = 0; i < a->pairs.n; i++)
        print_pair(&mine, a, c, i);
    if (par->process == 0)
        print_totals(&last, a);
    DC_ASSERT_OK(dc_par_allgather(&all, &n, NULL, mine.data, mine.n, par));
    DC_ASSERT_OK(dc_par_allgather(&tail, &more, NULL, last.data, last.n, par));
    char *text = malloc(n + more + 1);
    if (!text)
        exit(2);
    memcpy(text, all, n);
    memcpy(text + n, tail, more);
    text[n + more] = '\0';
    free(all);
    free(tail);
    dc_buf_free(&mine);
    dc_buf_free(&last);
    return text;
}

void dc_fix_expect(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found && dc_test_par()->process == 0)
        printf("not found: %s\nin:\n%s", part, text);
    CU_ASSERT_TRUE(found);
}

static dc_status give_graph(void *context, const dc_graph **out, uint64_t *id, int32_t rank,
                            const char *model_dir)
{
    (void)rank, (void)model_dir;
    *out = context;
    *id = 7;
    return DC_OK;
}

dc_status dc_fix_align(char **text, const dc_fix_question *q, const dc_par *par)
{
    dc_catalog c;
    dc_alignment a;
    dc_step_map steps;
    dc_fix_catalog(&c, q->row, q->n, par);
    DC_ASSERT_OK(dc_step_map_parse(&steps, q->steps ? q->steps : ""));
    dc_align_ask ask = {.npu = &c,
                        .chosen = q->chosen ? q->chosen + c.first : NULL,
                        .golden = q->golden,
                        .steps = &steps,
                        .graphs = {(void *)q->graph, q->graph ? give_graph : NULL}};
    dc_status st = dc_align_files(&a, &ask, par);
    *text = st == DC_OK ? dc_fix_print(&a, &c, par) : NULL;
    dc_alignment_fini(&a);
    dc_step_map_fini(&steps);
    dc_fix_catalog_fini(&c);
    return st;
}

char *dc_fix_agreed(char *together, char *alone)
{
    if (!together || !alone)
        exit(2); /* the assertions have said why */
    if (strcmp(together, alone) != 0 && dc_test_par()->process == 0)
        printf("--- together\n%s--- alone\n%s", together, alone);
    CU_ASSERT_STRING_EQUAL(together, alone);
    free(alone);
    return together;
}

char *dc_fix_answer(const dc_fix_question *q)
{
    char *together = NULL, *alone = NULL;
    dc_par single;
    dc_par_single(&single);
    DC_ASSERT_OK(dc_fix_align(&together, q, dc_test_par()));
    DC_ASSERT_OK(dc_fix_align(&alone, q, &single));
    return dc_fix_agreed(together, alone);
}

const char *dc_fix_goldens(const char *const *name, size_t n)
{
    const char *dir = dc_test_shared_dir();
    for (size_t i = 0; dc_test_par()->process == 0 && i < n; i++)
        dc_fix_golden(dir, name[i], "2x3", 0);
    dc_par_barrier(dc_test_par());
    return dir;
}
