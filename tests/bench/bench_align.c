/* tests/bench/bench_align.c - time and memory of aligning many ranks with goldens, and of comparing
 * them but for the tensors' bytes.
 *
 *   mpirun -q --oversubscribe -np 8 bench_align [-r] [-p|-c] [-m MIB] [RANKS [OPERATORS [DIR]]]
 *
 * 1024 ranks of 10000 operators by default, one output each. DIR keeps the goldens for another run;
 * without it they are made under /tmp and left there. All ranks share them; -r: every rank has a
 * directory of its own, with as many files of other time stamps, which is made up from DIR's
 * listing (this program is linked with --wrap) since ten million files would take an hour to make.
 * -p: rows and the plan of their comparison are made as well. -c: tasks and answers too; no byte is
 * read, every task is answered with the same metrics.
 *
 * Memory is the sum over processes of the most each ever had resident (VmHWM), in which pages of
 * libraries and of MPI's shared memory count once for every process; beside it, the same with such
 * pages shared out among those that map them (PSS), which is what the machine must have. -m: exit
 * with 1 if the first, larger sum exceeds MIB. */
#include "compare/align.h"
#include "compare/run_plan.h"
#include "io/dtype.h"
#include "io/npy.h"
#include "io/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The sum of a field's values, in KiB. */
static uint64_t memory_kib(const char *path, const char *field)
{
    char line[256];
    uint64_t kib = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0)
            kib += strtoull(line + strlen(field), NULL, 10);
    if (f)
        fclose(f);
    return kib;
}

enum { WITH_CATALOG, ALIGNED, BEFORE_PLAN, PLANNED, COMPARED, AT_MOST_SHARED_OUT, MEMORIES };

static uint64_t memory[MEMORIES]; /* KiB; but for the first the most until then */
static double planning;           /* seconds */
static bool plan_only;

static uint64_t at_most(void)
{
    return memory_kib("/proc/self/status", "VmHWM:");
}

/* With -p and -c: what is measured on the way, and what stands for the bytes. */
dc_status __real_dc_run_plan(dc_run_legs *out, dc_rows *rows, const dc_run_batch *batch,
                             const dc_run_ask *ask, const dc_par *par);
dc_status __wrap_dc_run_plan(dc_run_legs *out, dc_rows *rows, const dc_run_batch *batch,
                             const dc_run_ask *ask, const dc_par *par);
dc_status __wrap_dc_work_all(dc_route *answers, const dc_task *task, size_t n,
                             const dc_work_ask *ask);

dc_status __wrap_dc_run_plan(dc_run_legs *out, dc_rows *rows, const dc_run_batch *batch,
                             const dc_run_ask *ask, const dc_par *par)
{
    if (batch->at == 0)
        memory[BEFORE_PLAN] = at_most();
    dc_par_barrier(par);
    double start = now();
    dc_status st = __real_dc_run_plan(out, rows, batch, ask, par);
    planning += now() - start;
    if (batch->at == 0)
        memory[PLANNED] = at_most();
    out->n = plan_only ? 0 : out->n;
    return st;
}

dc_status __wrap_dc_work_all(dc_route *answers, const dc_task *task, size_t n,
                             const dc_work_ask *ask)
{
    enum { N = 6 };
    const float same[N] = {1, 2, 3, 4, 5, 6};
    const dc_pair_data pair = {.data = {same, same}, .dtype = {DC_FLOAT32, DC_FLOAT32}};
    dc_answer a = {.kind = DC_ANSWER_METRICS, .golden_dtype = DC_FLOAT32};
    dc_metric_pair(&a.of.metrics, &pair, N, true);
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        a.row = task[i].row;
        dc_progress_add(ask->progress, dc_work_cost(&task[i]));
        st = dc_answer_post(answers, task[i].home, &a, "");
    }
    return st;
}

static dc_status compare(const dc_catalog *c, const dc_pairs *pairs, const dc_par *par)
{
    dc_rows rows;
    const dc_run_ask ask = {
        .npu = c, .pairs = pairs, .golden_dtype = -1, .progress = DC_PROGRESS_OFF};
    dc_status st = dc_run_compare(&rows, &ask, par);
    memory[COMPARED] = at_most();
    dc_rows_fini(&rows);
    return st;
}

/* With -r: the directory whose listing and first header stand for all. */
static const char *model_path;
static dc_golden_dir model;
static dc_npy model_head;

dc_status __real_dc_golden_scan(dc_golden_dir *out, const char *path, dc_pool *pool);
dc_status __wrap_dc_golden_scan(dc_golden_dir *out, const char *path, dc_pool *pool);
dc_status __real_dc_golden_describe(dc_npy *out, dc_golden_kind kind, const char *path);
dc_status __wrap_dc_golden_describe(dc_npy *out, dc_golden_kind kind, const char *path);

static dc_status read_model(dc_pool *pool)
{
    char path[2048], name[DC_FILE_NAME];
    dc_status st = __real_dc_golden_scan(&model, model_path, pool);
    if (st != DC_OK || !model.n)
        return st;
    snprintf(path, sizeof path, "%s/%s", model_path,
             dc_golden_file_name(name, &model, &model.file[0]));
    return __real_dc_golden_describe(&model_head, model.file[0].kind, path);
}

dc_status __wrap_dc_golden_scan(dc_golden_dir *out, const char *path, dc_pool *pool)
{
    static uint64_t later;
    if (!model_path)
        return __real_dc_golden_scan(out, path, pool);
    dc_status st = model.n ? DC_OK : read_model(pool);
    if (st != DC_OK)
        return st;
    *out = model;
    out->path = strdup(path);
    out->file = malloc(model.n * sizeof *out->file);
    if (!out->path || !out->file)
        return dc_fail_memory();
    memcpy(out->file, model.file, model.n * sizeof *out->file);
    later++;
    for (size_t i = 0; i < out->n; i++)
        out->file[i].time += later;
    return DC_OK;
}

dc_status __wrap_dc_golden_describe(dc_npy *out, dc_golden_kind kind, const char *path)
{
    if (!model_path)
        return __real_dc_golden_describe(out, kind, path);
    *out = model_head;
    return DC_OK;
}

static void op_text(char *text, size_t n, uint64_t i)
{
    snprintf(text, n, "bert/encoder/layer_%" PRIu64 "/attention/self/MatMul_%" PRIu64, i % 24, i);
}

static dc_status make_goldens(const char *dir, uint64_t ops)
{
    const dc_shape shape = {2, {2, 3}};
    const float zeros[6] = {0};
    dc_status st = dc_mkdirs(dir);
    for (uint64_t i = 0; st == DC_OK && i < ops; i++) {
        char op[128], path[512];
        op_text(op, sizeof op, i);
        for (char *c = op; *c; c++)
            *c = *c == '/' ? '_' : *c;
        snprintf(path, sizeof path, "%s/%s.0.1733000000300000.npy", dir, op);
        if (!dc_path_is_file(path))
            st = dc_npy_write(path, DC_FLOAT32, &shape, zeros);
    }
    return st;
}

/* This process's share of ranks x ops rows, in key order. */
static dc_status make_catalog(dc_catalog *c, uint64_t ranks, uint64_t ops, const dc_par *par)
{
    uint32_t net, type, shape, op;
    char text[128];
    *c = (dc_catalog){.total = ranks * ops, .runs = 1};
    dc_status st = dc_pool_new(&c->names);
    c->first = ranks * (uint64_t)par->process / (uint64_t)par->processes * ops;
    c->n = ranks * (uint64_t)(par->process + 1) / (uint64_t)par->processes * ops - c->first;
    c->row = calloc(c->n + 1, sizeof *c->row);
    if (st != DC_OK || !c->row)
        return dc_fail_memory();
    if ((st = dc_pool_adds(&net, c->names, "ge_default_1")) != DC_OK ||
        (st = dc_pool_adds(&type, c->names, "MatMul")) != DC_OK ||
        (st = dc_pool_adds(&shape, c->names, "2x3")) != DC_OK)
        return st;
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++) {
        uint64_t number = (c->first + i) % ops;
        op_text(text, sizeof text, number);
        st = dc_pool_adds(&op, c->names, text);
        c->row[i] = (dc_tensor){.rank = (int32_t)((c->first + i) / ops),
                                .model = net,
                                .model_dir = net,
                                .op = op,
                                .op_type = type,
                                .direction = DC_OUTPUT,
                                .dtype = DC_FLOAT32,
                                .shape = shape,
                                .original_shape = shape,
                                .origin_dtype = 255,
                                .origin_format = 255,
                                .origin_slot = DC_UNSET,
                                .bytes = 24};
    }
    return st;
}

typedef struct setting {
    uint64_t ranks, ops, limit; /* limit in MiB, 0 = none */
    const char *dir;
    bool each, compare;
} setting;

static bool parse(setting *s, int argc, char **argv)
{
    *s = (setting){.ranks = 1024, .ops = 10000, .dir = "/tmp/bench_align_golden"};
    for (int c; (c = getopt(argc, argv, "rpcm:")) != -1;) {
        if (c == 'r')
            s->each = true;
        else if (c == 'p' || c == 'c')
            s->compare = true, plan_only = c == 'p';
        else if (c == 'm')
            s->limit = strtoull(optarg, NULL, 10);
        else
            return false;
    }
    if (optind < argc)
        s->ranks = strtoull(argv[optind++], NULL, 10);
    if (optind < argc)
        s->ops = strtoull(argv[optind++], NULL, 10);
    if (optind < argc)
        s->dir = argv[optind++];
    return true;
}

static double mib(int which)
{
    return (double)memory[which] / 1024;
}

/* Process 0's lines; the exit code of the limit. */
static int report(const setting *s, const dc_alignment *a, const double seconds[3],
                  const dc_par *par)
{
    uint64_t rows = s->ranks * s->ops;
    double most = mib(s->compare ? COMPARED : ALIGNED);
    bool over = s->limit && most > (double)s->limit, bad = over || a->count[DC_PAIRED] != rows;
    if (par->process != 0)
        return bad;
    printf("%" PRIu64 " ranks x %" PRIu64 " operators, %s, %d processes: %" PRIu64 " of %" PRIu64
           " paired in %.2f s; all processes together %.0f MiB with the catalog, %.0f MiB at most",
           s->ranks, s->ops, s->each ? "a golden directory each" : "one golden directory",
           par->processes, a->count[DC_PAIRED], rows, seconds[0], mib(WITH_CATALOG), mib(ALIGNED));
    if (s->compare)
        printf("; %s in %.2f s, %.2f s of it planning; %.0f MiB before the plan, %.0f MiB "
               "with it, %.0f MiB at most",
               plan_only ? "planned" : "compared", seconds[1], seconds[2], mib(BEFORE_PLAN),
               mib(PLANNED), mib(COMPARED));
    printf(" (%.0f MiB with shared pages shared out)\n", mib(AT_MOST_SHARED_OUT));
    if (over)
        printf("that is more than %" PRIu64 " MiB\n", s->limit);
    return bad;
}

static int run(const setting *s, const dc_par *par)
{
    char pattern[2048];
    dc_catalog c = {0};
    dc_alignment a = {0};
    const dc_step_map steps = {0};
    double seconds[3] = {0}, start;
    snprintf(pattern, sizeof pattern, "%s%s", s->dir, s->each ? "/rank_{rank}" : "");
    model_path = s->each ? s->dir : NULL;
    dc_status st = dc_par_agree(par->process == 0 ? make_goldens(s->dir, s->ops) : DC_OK, par);
    if (st == DC_OK)
        st = dc_par_agree(make_catalog(&c, s->ranks, s->ops, par), par);
    memory[WITH_CATALOG] = memory_kib("/proc/self/status", "VmRSS:");
    const dc_align_ask ask = {.npu = &c, .golden = pattern, .steps = &steps};
    start = now();
    if (st == DC_OK)
        st = dc_align_files(&a, &ask, par);
    seconds[0] = now() - start;
    memory[ALIGNED] = at_most();
    start = now();
    if (st == DC_OK && s->compare)
        st = compare(&c, &a.pairs, par);
    seconds[1] = now() - start;
    seconds[2] = planning;
    memory[AT_MOST_SHARED_OUT] = at_most() - memory_kib("/proc/self/smaps_rollup", "Rss:") +
                                 memory_kib("/proc/self/smaps_rollup", "Pss:");
    for (int i = 0; i < 3; i++) {
        uint64_t microseconds = (uint64_t)(seconds[i] * 1e6);
        dc_par_max_u64(&microseconds, 1, par);
        seconds[i] = (double)microseconds / 1e6;
    }
    dc_par_sum_u64(memory, MEMORIES, par);
    if (st != DC_OK && par->process == 0)
        fprintf(stderr, "%s\n", dc_last_error());
    int code = st == DC_OK ? report(s, &a, seconds, par) : 2;
    dc_alignment_fini(&a);
    dc_golden_fini(&model);
    dc_pool_free(c.names);
    free(c.row);
    return code;
}

int main(int argc, char **argv)
{
    setting s;
    dc_par par;
    if (!parse(&s, argc, argv) || dc_par_begin(&par) != DC_OK)
        return 2;
    return dc_par_end(&par, run(&s, &par));
}
