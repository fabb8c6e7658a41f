/* tests/case.c - see case.h */
#include "tests/case.h"

#include "compare/session.h"
#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/npy.h"
#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *path_of(const char *dir, const char *name)
{
    char *path = dc_path_join(dir, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    return path;
}

static dc_dump_tensor tensor_of(const dc_case *s)
{
    dc_dump_tensor t = {.direction = DC_OUTPUT,
                        .dtype = s->dtype,
                        .format = s->format,
                        .sub_format = s->sub_format,
                        .origin_name = s->origin_format ? s->op : "",
                        .origin_slot = s->origin_format ? 0 : DC_UNSET,
                        .origin_dtype = -1,
                        .origin_format = s->origin_format ? s->origin_format - 1 : -1,
                        .arg_index = DC_UNSET,
                        .size = s->bytes,
                        .bytes = s->bytes};
    DC_ASSERT_OK(dc_shape_parse(&t.shape, s->shape));
    if (s->original)
        DC_ASSERT_OK(dc_shape_parse(&t.original_shape, s->original));
    return t;
}

void dc_case_dump(const char *root, const char *tree, const dc_case *s)
{
    char *top = path_of(root, tree), *dir = path_of(top, DC_CASE_STEP), *path = NULL;
    static const float more[4] = {1, 2, 3, 4};
    dc_dump_tensor t[2] = {tensor_of(s)};
    t[1] = t[0]; /* a null address has a healthy output after it */
    t[1].dtype = DC_FLOAT32;
    t[1].format = DC_FORMAT_ND;
    t[1].shape = (dc_shape){1, {4}};
    t[1].original_shape = t[1].shape;
    t[1].size = t[1].bytes = sizeof more;
    if (s->null_address)
        t[0].flags = DC_DUMP_NULL_ADDRESS;
    const void *data[] = {s->data, more};
    const uint64_t time = 1718289424000000 + s->later;
    const uint64_t ids[] = {1, 2, time};
    const dc_dump d = {.op_name = s->op,
                       .dump_time = time,
                       .n = s->null_address || s->dtype == DC_STRING ? 2 : 1,
                       .tensor = t,
                       .dfx_message = ""};
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_dump_make_path(&path, dir, "Any", s->op, ids));
    DC_ASSERT_OK(
        dc_dump_write(path, &(const dc_dump_out){.dump = &d, .data = data, .addresses = 1}));
    free(path);
    free(dir);
    free(top);
}

static void write_golden(const char *root, const dc_case *s)
{
    char *dir = path_of(root, "gold"), *path = path_of(dir, s->golden);
    dc_shape shape;
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_shape_parse(&shape, s->golden_shape));
    DC_ASSERT_OK(dc_npy_write(path, s->golden_dtype, &shape, s->values));
    free(path);
    free(dir);
}

void dc_case_add(const char *root, const dc_case *s)
{
    if (dc_test_par()->process != 0)
        return;
    dc_case_dump(root, "dump", s);
    if (s->golden)
        write_golden(root, s);
}

dc_case dc_case_plain(const char *op, const char *file, const char *shape, const float *npu,
                      const float *golden)
{
    dc_shape s;
    uint64_t n = 0;
    DC_ASSERT_OK(dc_shape_parse(&s, shape));
    CU_ASSERT_TRUE(dc_shape_count(&n, &s));
    return (dc_case){.op = op,
                     .dtype = DC_FLOAT32,
                     .format = DC_FORMAT_ND,
                     .shape = shape,
                     .original = shape,
                     .data = npu,
                     .bytes = 4 * n,
                     .golden = file,
                     .golden_shape = shape,
                     .golden_dtype = DC_FLOAT32,
                     .values = golden};
}

void dc_case_add_flat(const char *root, const dc_case_flat *flat, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const dc_case_flat *f = &flat[i];
        char golden[64];
        snprintf(golden, sizeof golden, "%s.0.1.npy", f->op);
        dc_case s = dc_case_plain(f->op, golden, f->dims, f->data, f->values);
        s.dtype = f->dtype;
        s.bytes = f->bytes;
        s.golden_dtype = f->golden_dtype;
        dc_case_add(root, &s);
    }
}

char *dc_case_run(const char *root, const char *golden)
{
    return dc_case_run_with(root, golden, NULL);
}

char *dc_case_run_with(const char *root, const char *golden, const char *const *more)
{
    char *dump = path_of(root, "dump"), *gold = path_of(root, golden), *text = NULL;
    char *out = path_of(root, "report"), *csv = path_of(out, "result.csv");
    char *argv[16] = {(char[]){"dumpcmp"}, dump, (char[]){"-q"}, (char[]){"-g"}, gold,
                      (char[]){"-o"},      out};
    char *copy[8]; /* parsing moves what argv has */
    int copies = 0;
    for (; more && more[copies] && copies < 8; copies++)
        argv[7 + copies] = copy[copies] = strdup(more[copies]);
    dc_settings s;
    size_t n = 0;
    dc_par_barrier(dc_test_par());
    DC_ASSERT_OK(dc_settings_parse(&s, 7 + copies, argv));
    fflush(stdout);
    int saved = dup(1), null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dc_session_run(&s, dc_test_par());
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    close(null);
    dc_settings_fini(&s);
    FILE *f = fopen(csv, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(getdelim(&text, &n, '\0', f) > 0);
    fclose(f);
    while (copies > 0)
        free(copy[--copies]);
    free(csv);
    free(out);
    free(gold);
    free(dump);
    return text;
}

void dc_case_expect(const char *text, const char *tensor, const char *verdict, const char *part)
{
    char key[512], line[4096];
    snprintf(key, sizeof key, ",%s,", tensor);
    const char *at = strstr(text, key);
    CU_ASSERT_PTR_NOT_NULL(at);
    if (!at) {
        printf("no %s in\n%s", tensor, text);
        return;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    snprintf(key, sizeof key, ",%s,", verdict);
    bool good = strstr(line, key) && strstr(line, part);
    CU_ASSERT(good);
    if (!good)
        printf("not %s with '%s': %s\n", verdict, part, line);
}
