/* tests/bench/bench_align.c - time and memory of aligning many ranks with goldens.
 *
 *   mpirun -q --oversubscribe -np 8 bench_align [-r] [-m MIB] [RANKS [OPERATORS [DIR]]]
 *
 * 1024 ranks of 10000 operators by default, one output each. DIR keeps the goldens for another run;
 * without it they are made under /tmp and left there. All ranks share them; -r: every rank has a
 * directory of its own, with as many files of other time stamps, which is made up from DIR's
 * listing (this program is linked with --wrap) since ten million files would take an hour to make.
 *
 * Memory is the sum over processes of the most each ever had resident (VmHWM), in which pages of
 * libraries and of MPI's shared memory count once for every process; beside it, the same with such
 * pages shared out among those that map them (PSS), which is what the machine must have. -m: exit
 * with 1 if the first, larger sum exceeds MIB. */
#include "compare/align.h"
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

enum { WITH_CATALOG, AT_MOST, AT_MOST_SHARED_OUT, MEMORIES };

static void measure(uint64_t memory[MEMORIES])
{
    memory[AT_MOST] = memory_kib("/proc/self/status", "VmHWM:");
    memory[AT_MOST_SHARED_OUT] = memory[AT_MOST] - memory_kib("/proc/self/smaps_rollup", "Rss:") +
                                 memory_kib("/proc/self/smaps_rollup", "Pss:");
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
    bool each;
} setting;

static bool parse(setting *s, int argc, char **argv)
{
    *s = (setting){.ranks = 1024, .ops = 10000, .dir = "/tmp/bench_align_golden"};
    for (int c; (c = getopt(argc, argv, "rm:")) != -1;) {
        if (c == 'r')
            s->each = true;
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

/* Process 0's line; the exit code of the limit. */
static int report(const setting *s, const dc_alignment *a, double seconds,
                  const uint64_t memory[MEMORIES], const dc_par *par)
{
    uint64_t rows = s->ranks * s->ops;
    bool over = s->limit && memory[AT_MOST] > s->limit * 1024;
    if (par->process != 0)
        return over || a->count[DC_PAIRED] != rows;
    printf("%" PRIu64 " ranks x %" PRIu64 " operators, %s, %d processes: %" PRIu64 " of %" PRIu64
           " paired in %.2f s; all processes together %.0f MiB with the catalog, %.0f MiB at most "
           "(%.0f MiB with shared pages shared out)\n",
           s->ranks, s->ops, s->each ? "a golden directory each" : "one golden directory",
           par->processes, a->count[DC_PAIRED], rows, seconds, (double)memory[WITH_CATALOG] / 1024,
           (double)memory[AT_MOST] / 1024, (double)memory[AT_MOST_SHARED_OUT] / 1024);
    if (over)
        printf("that is more than %" PRIu64 " MiB\n", s->limit);
    return over || a->count[DC_PAIRED] != rows;
}

int main(int argc, char **argv)
{
    setting s;
    char pattern[2048];
    dc_par par;
    dc_catalog c = {0};
    dc_alignment a = {0};
    uint64_t memory[MEMORIES];
    const dc_step_map steps = {0};
    if (!parse(&s, argc, argv) || dc_par_begin(&par) != DC_OK)
        return 2;
    snprintf(pattern, sizeof pattern, "%s%s", s.dir, s.each ? "/rank_{rank}" : "");
    model_path = s.each ? s.dir : NULL;
    dc_status st = dc_par_agree(par.process == 0 ? make_goldens(s.dir, s.ops) : DC_OK, &par);
    if (st == DC_OK)
        st = dc_par_agree(make_catalog(&c, s.ranks, s.ops, &par), &par);
    memory[WITH_CATALOG] = memory_kib("/proc/self/status", "VmRSS:");
    double start = now();
    const dc_align_ask ask = {.npu = &c, .golden = pattern, .steps = &steps};
    if (st == DC_OK)
        st = dc_align_files(&a, &ask, &par);
    double seconds = now() - start;
    measure(memory);
    dc_par_sum_u64(memory, MEMORIES, &par);
    if (st != DC_OK && par.process == 0)
        fprintf(stderr, "%s\n", dc_last_error());
    int code = st == DC_OK ? report(&s, &a, seconds, memory, &par) : 2;
    dc_alignment_fini(&a);
    dc_golden_fini(&model);
    dc_pool_free(c.names);
    free(c.row);
    return dc_par_end(&par, code);
}
