/* tests/bench/bench_graph.c - MB/s of reading a large graph, beside read() of the same bytes.
 * bench_graph [SAMPLE [MEGABYTES]]: repeats SAMPLE (else a generated graph) up to MEGABYTES (JSON:
 * 0, once). */
#include "io/graph.h"
#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A convolution as GE writes it, with attributes that are skipped. */
static dc_status generate(dc_buf *b)
{
    dc_status st = dc_buf_puts(b, "graph {\n  name: \"bench\"\n");
    for (int i = 0; st == DC_OK && i < 2000; i++) {
        st = dc_buf_printf(
            b, "  op {\n    name: \"conv%d\"\n    type: \"Conv2D\"\n    input: \"conv%d:0\"\n", i,
            i - 1);
        for (int k = 0; st == DC_OK && k < 12; k++)
            st = dc_buf_printf(b,
                               "    attr {\n      key: \"_some_attribute_%d\"\n      value {\n     "
                               "   s: \"{\\\"x\\\": %d}\"\n      }\n    }\n",
                               k, i);
        if (st == DC_OK)
            st = dc_buf_printf(b,
                               "    attr {\n      key: \"_datadump_original_op_names\"\n      "
                               "value {\n        list {\n"
                               "          s: \"scale%d\"\n          s: \"bn%d\"\n        }\n      "
                               "}\n    }\n    id: %d\n"
                               "    output_desc {\n      dtype: DT_FLOAT16\n      shape {\n        "
                               "dim: 1\n        dim: 4\n"
                               "        dim: 112\n        dim: 112\n        dim: 16\n      }\n     "
                               " layout: \"NC1HWC0\"\n    }\n  }\n",
                               i, i, i);
    }
    return st == DC_OK ? dc_buf_puts(b, "}\n") : st;
}

static dc_status write_repeated(const char *path, const char *text, size_t n, size_t bytes)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return dc_fail_errno("%s: cannot write", path);
    size_t done = 0;
    do
        done += fwrite(text, 1, n, f);
    while (done < bytes && !ferror(f));
    return fclose(f) == 0 ? DC_OK : dc_fail_errno("%s: cannot write", path);
}

static dc_status time_read(double *seconds, uint64_t *bytes, const char *path)
{
    static char block[1 << 20];
    int fd = open(path, O_RDONLY);
    ssize_t n;
    if (fd < 0)
        return dc_fail_errno("%s: cannot open", path);
    double start = now();
    for (*bytes = 0; (n = read(fd, block, sizeof block)) > 0;)
        *bytes += (uint64_t)n;
    *seconds = now() - start;
    close(fd);
    return DC_OK;
}

static dc_status measure(const char *path)
{
    double read_s = 0, best = 1e9;
    uint64_t bytes = 0;
    uint32_t nop = 0;
    struct rusage use;
    for (int i = 0; i < 3; i++) {
        dc_graph *g;
        dc_status st = time_read(&read_s, &bytes, path);
        double start = now();
        if (st == DC_OK)
            st = dc_graph_load(&g, path);
        if (st != DC_OK)
            return st;
        double s = now() - start;
        best = s < best ? s : best;
        nop = g->nop;
        dc_graph_free(g);
    }
    getrusage(RUSAGE_SELF, &use);
    printf("%.1f MB, %u operators: %.0f MB/s, %.1f times as long as read() (%.0f MB/s), peak %ld "
           "MiB\n",
           (double)bytes / 1e6, nop, (double)bytes / 1e6 / best, best / read_s,
           (double)bytes / 1e6 / read_s, use.ru_maxrss / 1024);
    return DC_OK;
}

int main(int argc, char **argv)
{
    static const char path[] = "bench_graph.tmp";
    size_t megabytes = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 64;
    dc_buf b = {0};
    dc_status st = argc > 1 ? dc_read_file(&b.data, &b.n, argv[1], SIZE_MAX) : generate(&b);
    if (st == DC_OK)
        st = write_repeated(path, b.data, b.n, megabytes * 1000000);
    if (st == DC_OK)
        st = measure(path);
    unlink(path);
    dc_buf_free(&b);
    if (st != DC_OK)
        fprintf(stderr, "bench_graph: %s\n", dc_last_error());
    return st == DC_OK ? 0 : 1;
}
