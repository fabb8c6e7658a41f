/* tests/compare_fixture.c - see compare_fixture.h */
#include "tests/compare_fixture.h"

#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void dc_fixture_init(dc_fixture *f)
{
    memset(f, 0, sizeof *f);
    f->dir = dc_test_shared_dir();
    DC_ASSERT_OK(dc_pool_new(&f->names));
    DC_ASSERT_OK(dc_pool_new(&f->texts));
}

void dc_fixture_fini(dc_fixture *f)
{
    dc_pool_free(f->names);
    dc_pool_free(f->texts);
}

static void write_file(const char *path, const void *data, uint64_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CU_ASSERT_FATAL(fd >= 0);
    DC_ASSERT_OK(dc_pwrite(fd, data, n, 0, path));
    close(fd);
}

static uint32_t name(dc_pool *p, const char *text)
{
    uint32_t id;
    DC_ASSERT_OK(dc_pool_adds(&id, p, text));
    return id;
}

static void add_row(dc_fixture *f, const dc_fixture_pair *p, const char *file)
{
    char op[32];
    dc_tensor *t = &f->row[f->n];
    snprintf(op, sizeof op, "net/op%02zu", f->n);
    t->rank = p->rank;
    t->model = name(f->names, "ge_default_1");
    t->op = name(f->names, op);
    t->op_type = name(f->names, "Conv2D");
    t->direction = DC_OUTPUT;
    t->dump_time = 1000 + f->n;
    t->dtype = (uint8_t)p->npu_dtype;
    t->format = (uint8_t)p->npu_format;
    t->shape = name(f->names, p->npu_shape);
    t->original_shape = name(f->names, p->original_shape ? p->original_shape : "");
    t->dir = name(f->names, f->dir);
    t->file = name(f->names, file);
    t->bytes = p->npu_bytes;
}

static void add_golden(dc_fixture *f, const dc_fixture_pair *p, const char *path)
{
    char text[32];
    dc_golden *g = &f->golden[f->n];
    snprintf(text, sizeof text, "op%02zu:0", f->n);
    *g = (dc_golden){.path = name(f->texts, path),
                     .name = name(f->texts, text),
                     .dtype = (uint8_t)p->golden_dtype,
                     .big_endian = p->big_endian,
                     .fortran_order = p->fortran_order,
                     .shape = name(f->texts, p->golden_shape),
                     .bytes = p->golden_bytes};
}

void dc_fixture_add(dc_fixture *f, const dc_fixture_pair *p)
{
    char file[32], path[4200];
    CU_ASSERT_FATAL(f->n < DC_FIXTURE_MAX);
    f->pair[f->n] = *p;
    snprintf(file, sizeof file, "npu%02zu.bin", f->n);
    snprintf(path, sizeof path, "%s/%s", f->dir, file);
    if (dc_test_par()->process == 0)
        write_file(path, p->npu, p->npu_bytes);
    add_row(f, p, file);
    snprintf(path, sizeof path, "%s/%s%02zu.bin", f->dir,
             p->golden_file ? p->golden_file : "golden", f->n);
    if (dc_test_par()->process == 0 && !p->golden_file && p->share < 0)
        write_file(path, p->golden, p->golden_bytes);
    add_golden(f, p, path);
    f->pairs[f->n] = (dc_pair){.golden = (uint32_t)(p->share < 0 ? (long)f->n : (long)p->share),
                               .format = (uint8_t)p->format,
                               .pairing = DC_PAIRED,
                               .match = DC_MATCH_NAME};
    f->n++;
}

void dc_fixture_share(dc_catalog *c, dc_pairs *p, const dc_fixture *f, bool uneven,
                      const dc_par *par)
{
    size_t np = (size_t)par->processes, me = (size_t)par->process;
    size_t first = uneven ? (me + 1 == np ? 0 : f->n) : f->n * me / np;
    size_t end = uneven ? f->n : f->n * (me + 1) / np;
    *c = (dc_catalog){.names = f->names,
                      .row = (dc_tensor *)&f->row[first],
                      .first = first,
                      .n = end - first,
                      .total = f->n,
                      .runs = 1};
    *p = (dc_pairs){.pair = (dc_pair *)&f->pairs[first],
                    .n = end - first,
                    .golden = (dc_golden *)f->golden,
                    .goldens = f->n,
                    .names = f->texts};
}
