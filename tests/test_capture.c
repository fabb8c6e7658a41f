/* tests/test_capture.c - whole captures: the same store whatever the number of processes, one line
 * and no hang when a process fails, resuming, verifying. */
#include "capture/job.h"
#include "capture/verify.h"
#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/log.h"
#include "io/path.h"
#include "tests/fixture.h"
#include "tests/mpi_harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODEL "20240613143502/0/ge_default_20240613143502_1/7/"
#define OPS   100
#define MOST  "--exclude net/op50" /* all but the one that takes the time */

static char tree[4096], reference[4160], most[4200]; /* the same on every process */
static const char *fault;                            /* armed during captures */

/* Run dumpcap's capture with arguments parted by blanks, by `par`. Returns its exit code. */
static int capture(const dc_par *par, const char *format, const char *a, const char *b)
{
    char line[16384], *argv[16] = {"dumpcap"};
    int argc = 1, code = -1;
    snprintf(line, sizeof line, format, a, b);
    for (char *at = strtok(line, " "); at && argc < 15; at = strtok(NULL, " "))
        argv[argc++] = at;
    dc_capture_options o;
    DC_ASSERT_OK(dc_capture_options_parse(&o, argc, argv));
    dc_fault_arm(fault);
    code = dc_job_capture(&o, par);
    dc_fault_arm(NULL);
    dc_capture_options_fini(&o);
    return code;
}

/* Empty, scalar, packed and zero-dim tensors in one file. */
static dc_status write_odd(const char *root)
{
    static const char bytes[64] = {1, 2, 3};
    static const struct {
        uint32_t dtype;
        dc_shape shape;
        uint64_t bytes;
    } odd[] = {{DC_FLOAT32, {.rank = 0, .dim = {0}}, 4},
               {DC_FLOAT32, {.rank = 3, .dim = {4, 0, 7}}, 0},
               {DC_FLOAT16, {.rank = 1, .dim = {0}}, 0},
               {DC_INT4, {.rank = 2, .dim = {2, 3}}, 3},
               {DC_BFLOAT16, {.rank = 2, .dim = {2, 4}}, 16},
               {DC_BOOL, {.rank = 1, .dim = {3}}, 3},
               {DC_COMPLEX64, {.rank = 1, .dim = {2}}, 16},
               {DC_FLOAT8_E4M3FN, {.rank = 1, .dim = {5}}, 5}};
    dc_dump_tensor t[DC_COUNT(odd)];
    const void *data[DC_COUNT(odd)];
    for (size_t i = 0; i < DC_COUNT(odd); i++) {
        t[i] = (dc_dump_tensor){.direction = DC_OUTPUT,
                                .dtype = odd[i].dtype,
                                .format = DC_FORMAT_ND,
                                .shape = odd[i].shape,
                                .origin_slot = DC_UNSET,
                                .origin_dtype = -1,
                                .origin_format = -1,
                                .arg_index = DC_UNSET,
                                .size = odd[i].bytes,
                                .bytes = odd[i].bytes};
        data[i] = bytes;
    }
    const dc_dump dump = {.op_name = "odd/./shapes",
                          .dump_time = 1700000000000009,
                          .n = DC_COUNT(odd),
                          .tensor = t,
                          .dfx_message = ""};
    char *path = NULL, *dir = dc_path_join(root, MODEL "0");
    dc_status st = dir ? dc_mkdirs(dir) : DC_ENOMEM;
    if (st == DC_OK)
        st = dc_dump_make_path(&path, dir, "Odd", dump.op_name,
                               (const uint64_t[3]){1, 2, 1700000000000009});
    if (st == DC_OK)
        st = dc_dump_write(path, &(const dc_dump_out){.dump = &dump, .data = data, .addresses = 1});
    free(path);
    free(dir);
    return st;
}

static dc_status write_tree(const char *root)
{
    dc_status st = write_odd(root);
    for (uint64_t i = 0; st == DC_OK && i < OPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "net/op%llu", (unsigned long long)i);
        const dc_fixture_op op = {.dir = i % 2 ? MODEL "1" : MODEL "0",
                                  .type = "Add",
                                  .op = name,
                                  .task = i,
                                  .stream = 1,
                                  .time = 1700000000000000 + i,
                                  .elements = i == 50 ? (uint64_t)5 << 20 : i * 700,
                                  .value = (float)i};
        st = dc_fixture_write(root, &op);
    }
    return st;
}

/* The tree, and what one process without MPI makes of it. */
static void prepare(void)
{
    const dc_par *par = dc_test_par();
    snprintf(tree, sizeof tree, "%s", dc_test_shared_dir());
    snprintf(reference, sizeof reference, "%s/reference.h5", dc_test_shared_dir());
    snprintf(most, sizeof most, "%s.most", reference);
    dc_status st = DC_OK;
    if (par->process == 0) {
        dc_par alone;
        dc_par_single(&alone);
        st = write_tree(tree);
        if (st == DC_OK && capture(&alone, "-q -o %s %s", reference, tree) != 0)
            st = dc_fail(DC_EIO, "the serial capture failed");
        if (st == DC_OK && capture(&alone, "-q -o %s " MOST " %s", most, tree) != 0)
            st = dc_fail(DC_EIO, "the serial capture failed");
    }
    DC_ASSERT_OK(dc_par_agree(st, par));
}

static const char *fresh(char *path, size_t size)
{
    snprintf(path, size, "%s/x.h5", dc_test_shared_dir());
    return path;
}

typedef struct contents {
    dc_store *s;
    dc_tensor *row;
    dc_result *result;
    uint64_t n;
} contents;

static void load(contents *c, const char *path)
{
    DC_ASSERT_OK(dc_store_open(&c->s, path, false));
    c->n = dc_store_rows(c->s);
    c->row = calloc(c->n + 1, sizeof *c->row);
    c->result = calloc(c->n + 1, sizeof *c->result);
    DC_ASSERT_OK(dc_store_get_rows(c->row, c->result, c->s, 0, c->n));
}

static void unload(contents *c)
{
    free(c->row);
    free(c->result);
    DC_ASSERT_OK(dc_store_close(c->s));
}

static char *slab_of(const contents *c, uint32_t dtype)
{
    uint64_t n = dc_store_slab_size(c->s, dtype);
    char *bytes = calloc(n + 1, 1);
    int fd = open(dc_store_path(c->s), O_RDONLY);
    if (n)
        DC_ASSERT_OK(dc_pread(fd, bytes, n, dc_store_slab_at(c->s, dtype), "store"));
    close(fd);
    return bytes;
}

/* Process 0: rows, results and every byte of every slab, gaps included. */
static void expect_store(const char *path, const char *want)
{
    contents a, b;
    if (dc_test_par()->process != 0)
        return;
    load(&a, want);
    load(&b, path);
    CU_ASSERT_EQUAL_FATAL(a.n, b.n);
    CU_ASSERT_EQUAL(memcmp(a.row, b.row, a.n * sizeof *a.row), 0);
    CU_ASSERT_EQUAL(memcmp(a.result, b.result, a.n * sizeof *a.result), 0);
    CU_ASSERT_TRUE(dc_store_complete(b.s));
    for (uint32_t d = 0; d < 256; d++) {
        CU_ASSERT_EQUAL_FATAL(dc_store_slab_size(a.s, d), dc_store_slab_size(b.s, d));
        char *x = slab_of(&a, d), *y = slab_of(&b, d);
        CU_ASSERT_EQUAL(memcmp(x, y, dc_store_slab_size(a.s, d)), 0);
        free(x);
        free(y);
    }
    unload(&a);
    unload(&b);
}

static void the_store_is_that_of_one_process(void)
{
    char path[4160];
    prepare();
    CU_ASSERT_EQUAL(capture(dc_test_par(), "-q --verify -o %s %s", fresh(path, sizeof path), tree),
                    0);
    expect_store(path, reference);
}

/* Groups cover the rows, are cut where the rule says, and their parts of a slab neither overlap nor
 * start off a page. */
static void groups_are_closed_and_aligned_as_specified(void)
{
    contents c;
    uint64_t end[256] = {0};
    if (dc_test_par()->process != 0)
        return;
    load(&c, reference);
    uint64_t groups = dc_store_groups(c.s), *first = calloc(groups + 1, sizeof *first),
             *bytes = calloc(groups + 1, sizeof *bytes);
    DC_ASSERT_OK(dc_store_get_groups(first, bytes, c.s));
    CU_ASSERT(groups > 4);
    CU_ASSERT_EQUAL(first[groups], c.n);
    for (uint64_t g = 0; g < groups; g++) {
        uint64_t sum = 0, n = first[g + 1] - first[g];
        bool seen[256] = {false};
        CU_ASSERT(n >= 1 && n <= DC_GROUP_TENSORS);
        for (uint64_t i = first[g]; i < first[g + 1]; i++) {
            const dc_tensor *t = &c.row[i];
            uint64_t at = t->slab_offset * dc_store_element(t->dtype);
            CU_ASSERT_EQUAL(at % (seen[t->dtype] ? DC_STORE_ALIGN_TENSOR : DC_PLAN_ALIGN), 0);
            CU_ASSERT(at >= end[t->dtype]);
            end[t->dtype] = at + t->bytes;
            seen[t->dtype] = true;
            sum += t->bytes;
        }
        CU_ASSERT_EQUAL(sum, bytes[g]);
        CU_ASSERT(n == 1 || sum <= DC_GROUP_BYTES);
        if (g + 1 < groups) /* not closed too early */
            CU_ASSERT(n == DC_GROUP_TENSORS || sum + c.row[first[g + 1]].bytes > DC_GROUP_BYTES);
    }
    free(bytes);
    free(first);
    unload(&c);
}

/* stderr of all processes into a file of this process until it is read back. */
static int divert(int *saved, char *path, size_t size)
{
    snprintf(path, size, "%s/stderr", dc_test_dir());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    *saved = dup(STDERR_FILENO);
    dup2(fd, STDERR_FILENO);
    return fd;
}

static uint64_t lines_since(int fd, int saved)
{
    char text[16384];
    uint64_t lines = 0;
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(fd);
    for (ssize_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    dc_par_sum_u64(&lines, 1, dc_test_par());
    return lines;
}

/* One fault: exit code 2 everywhere and one line, or no effect at all; then the capture is finished
 * from what is left. */
static void fail_once(const char *path, const char *spec)
{
    const dc_par *par = dc_test_par();
    char log[4160], part[4200];
    int saved, fd = divert(&saved, log, sizeof log);
    fault = spec;
    int code = capture(par, "-q -o %s " MOST " %s", path, tree);
    fault = NULL;
    uint64_t lines = lines_since(fd, saved), codes[2] = {(uint64_t)code, (uint64_t)code};
    dc_par_min_u64(codes, 1, par);
    dc_par_max_u64(codes + 1, 1, par);
    CU_ASSERT_EQUAL(codes[0], codes[1]);
    CU_ASSERT(code == 0 || code == 2);
    if (lines != (code ? 1 : 0) && par->process == 0)
        printf("%s: exit code %d, %llu lines\n", spec, code, (unsigned long long)lines);
    CU_ASSERT_EQUAL(lines, code ? 1 : 0);
    snprintf(part, sizeof part, "%s.part", path);
    bool left = code && dc_path_is_file(part);
    dc_par_barrier(par);
    if (code)
        CU_ASSERT_EQUAL(
            capture(par, left ? "-q --resume -o %s" : "-q -o %s " MOST " %s", path, tree), 0);
    expect_store(path, most);
    if (par->process == 0)
        CU_ASSERT_EQUAL(unlink(path), 0);
    dc_par_barrier(par);
}

static void any_process_may_fail_anywhere(void)
{
    static const char *const site[] = {
        "pstore.claim",  "pstore.open",      "store.write",    "store.write:30",
        "par.buffer",    "par.buffer:4",     "mem.grow",       "mem.grow:9",
        "mem.grow:40",   "ingest.interrupt", "ingest.write:2", "stage.write",
        "stage.write:3", "store.mark",       "store.mark:2",   "pstore.sync"};
    static const char *const alone[] = {"store.create",   "store.structure", "store.flush",
                                        "pstore.reserve", "view.make:50",    "pstore.sync@0:2",
                                        "pstore.publish"}; /* process 0 works, the others wait */
    const dc_par *par = dc_test_par();
    char path[4160], spec[64];
    fresh(path, sizeof path);
    for (size_t i = 0; i < DC_COUNT(alone); i++)
        fail_once(path, alone[i]);
    for (size_t i = 0; i < DC_COUNT(site); i++)
        for (int p = 0; p < par->processes; p++) {
            const char *colon = strchr(site[i], ':');
            int n = colon ? (int)(colon - site[i]) : (int)strlen(site[i]);
            if (par->processes > 3 && p != (int)i % par->processes)
                continue; /* each in turn at up to 3 processes */
            snprintf(spec, sizeof spec, "%.*s@%d%s", n, site[i], p, colon ? colon : "");
            fail_once(path, spec);
        }
}

/* A source that is shorter than when the plan was made: its tensor alone is lost, and is said. */
static void a_file_that_shrinks_loses_only_its_tensors(void)
{
    const dc_par *par = dc_test_par();
    char path[4160], part[4200], victim[8500], log[4160];
    contents c;
    uint64_t shrunk = 0;
    char file[DC_FILE_NAME];
    snprintf(part, sizeof part, "%s.part", fresh(path, sizeof path));
    int saved, fd = divert(&saved, log, sizeof log);
    fault = "ingest.interrupt";
    CU_ASSERT_EQUAL(capture(par, "-q -o %s " MOST " %s", path, tree), 2);
    fault = NULL;
    if (par->process == 0) {
        load(&c, part);
        while (c.row[shrunk].bytes < 40000)
            shrunk++;
        snprintf(
            victim, sizeof victim, "%s/%s", dc_pool_text(dc_store_names(c.s), c.row[shrunk].dir),
            dc_file_name(file, dc_store_names(c.s), c.row[shrunk].file, c.row[shrunk].file_number));
        CU_ASSERT_EQUAL(truncate(victim, (off_t)c.row[shrunk].offset + 100), 0);
        unload(&c);
    }
    dc_par_barrier(par);
    CU_ASSERT_EQUAL(capture(par, "-q --resume -o %s", path, ""), 1);
    CU_ASSERT_EQUAL(lines_since(fd, saved), 2); /* interrupted; the file is shorter */
    if (par->process == 0) {
        load(&c, path);
        for (uint64_t i = 0; i < c.n; i++)
            CU_ASSERT_EQUAL(c.result[i].state, i == shrunk ? DC_UNREADABLE : DC_STORED);
        unload(&c);
    }
    dc_par_barrier(par);
}

static void verify_finds_a_flipped_byte(void)
{
    dc_par alone;
    contents c;
    dc_plan plan;
    dc_verify_count count;
    char byte;
    int saved;
    char log[4160];
    uint64_t at, bad = 0;
    if (dc_test_par()->process != 0)
        return;
    dc_par_single(&alone);
    load(&c, reference);
    while (c.row[bad].bytes < 3000)
        bad++;
    at = dc_store_tensor_at(c.s, &c.row[bad]) + 2999;
    int fd = open(reference, O_RDWR);
    CU_ASSERT_EQUAL(pread(fd, &byte, 1, (off_t)at), 1);
    byte ^= 4;
    CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, (off_t)at), 1);
    close(fd);
    DC_ASSERT_OK(dc_plan_load(&plan, c.s, 0, &alone));
    int err = divert(&saved, log, sizeof log);
    DC_ASSERT_OK(dc_verify_run(&count, c.s, &plan, -1, DC_PROGRESS_OFF, &alone));
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(err);
    CU_ASSERT_EQUAL(count.bad, 1);
    CU_ASSERT_EQUAL(count.good, c.n - 1);
    dc_plan_fini(&plan);
    unload(&c);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(the_store_is_that_of_one_process),
        DC_TEST(groups_are_closed_and_aligned_as_specified),
        DC_TEST(any_process_may_fail_anywhere),
        DC_TEST(a_file_that_shrinks_loses_only_its_tensors),
        DC_TEST(verify_finds_a_flipped_byte),
    };
    dc_log_setup("dumpcap", 0, 1, DC_LOG_WARN);
    return dc_test_main_mpi("capture", tests, DC_COUNT(tests));
}
