/* tests/bench/bench_align.c - time and memory of aligning many ranks with one golden directory.
 *
 *   mpirun -q --oversubscribe -np 8 bench_align [RANKS [OPERATORS [DIR]]]
 *
 * 1024 ranks of 10000 operators by default, one output each. DIR keeps the goldens for another run;
 * without it they are made under /tmp and left there. */
#include "compare/align.h"
#include "io/dtype.h"
#include "io/npy.h"
#include "io/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t memory_kib(const char *field)
{
    char line[256];
    uint64_t kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0)
            kib = strtoull(line + strlen(field), NULL, 10);
    if (f)
        fclose(f);
    return kib;
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

int main(int argc, char **argv)
{
    uint64_t ranks = argc > 1 ? strtoull(argv[1], NULL, 10) : 1024;
    uint64_t ops = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
    const char *dir = argc > 3 ? argv[3] : "/tmp/bench_align_golden";
    dc_par par;
    dc_catalog c = {0};
    dc_alignment a = {0};
    const dc_step_map steps = {0};
    if (dc_par_begin(&par) != DC_OK)
        return 2;
    dc_status st = par.process == 0 ? make_goldens(dir, ops) : DC_OK;
    st = dc_par_agree(st, &par);
    if (st == DC_OK)
        st = dc_par_agree(make_catalog(&c, ranks, ops, &par), &par);
    uint64_t before = memory_kib("VmRSS:");
    double start = now();
    const dc_align_ask ask = {.npu = &c, .golden = dir, .steps = &steps};
    if (st == DC_OK)
        st = dc_align_files(&a, &ask, &par);
    double seconds = now() - start;
    uint64_t sum[2] = {before, memory_kib("VmHWM:")};
    dc_par_max_double(&seconds, 1, &par);
    dc_par_sum_u64(sum, 2, &par);
    if (st != DC_OK && par.process == 0)
        fprintf(stderr, "%s\n", dc_last_error());
    if (st == DC_OK && par.process == 0)
        printf("%" PRIu64 " ranks x %" PRIu64 " operators, %d processes: %" PRIu64 " of %" PRIu64
               " paired in %.2f s; all processes together %.0f MiB with the catalog, %.0f MiB at "
               "most\n",
               ranks, ops, par.processes, a.count[DC_PAIRED], c.total, seconds,
               (double)sum[0] / 1024, (double)sum[1] / 1024);
    dc_alignment_fini(&a);
    dc_pool_free(c.names);
    free(c.row);
    return dc_par_end(&par, st == DC_OK ? 0 : 2);
}
