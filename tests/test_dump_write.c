/* tests/test_dump_write.c - what we write is read back; names longer than file systems take. */
#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/mapping_csv.h"
#include "io/path.h"
#include "tests/harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static dc_dump_tensor tensor(dc_direction direction, uint32_t dtype, uint64_t n)
{
    dc_dump_tensor t = {.direction = direction,
                        .dtype = dtype,
                        .format = DC_FORMAT_ND,
                        .shape = {1, {n}},
                        .original_shape = {1, {n}},
                        .origin_slot = DC_UNSET,
                        .origin_dtype = -1,
                        .origin_format = -1,
                        .arg_index = DC_UNSET};
    if (!dc_dtype_bytes(&t.bytes, dtype, n))
        abort();
    return t;
}

static const char *file_in(const char *dir, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void check_content(const char *path, const dc_dump_tensor *t, const void *want)
{
    char *file;
    size_t n;
    DC_ASSERT_OK(dc_read_file(&file, &n, path, 1u << 20));
    CU_ASSERT_FATAL(t->offset + t->bytes <= n);
    CU_ASSERT_EQUAL(memcmp(file + t->offset, want, t->bytes), 0);
    free(file);
}

static void every_dtype_comes_back(void)
{
    static const uint32_t dtypes[] = {
#define X(id, number, ...) number,
        DC_DTYPES(X)
#undef X
    };
    const char *path = file_in(dc_test_dir(), "dump");
    unsigned char data[160];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7 + 1);
    for (size_t i = 0; i < DC_COUNT(dtypes); i++) {
        dc_dump_tensor t[2] = {tensor(DC_INPUT, dtypes[i], 5), tensor(DC_OUTPUT, dtypes[i], 3)};
        t[1].origin_name = "net/x";
        t[1].origin_slot = 2;
        t[1].origin_dtype = (int32_t)dtypes[i];
        t[1].origin_format = DC_FORMAT_NHWC;
        t[1].sub_format = 6;
        dc_dump in = {.op_name = "scope/op", .dump_time = 1700000000000000, .n = 2, .tensor = t};
        dc_dump out;
        DC_ASSERT_OK(
            dc_dump_write(path, &(dc_dump_out){&in, (const void *[]){data, data + 80}, 1}));
        DC_ASSERT_OK(dc_dump_open(&out, path));
        CU_ASSERT_STRING_EQUAL(out.op_name, "scope/op");
        CU_ASSERT_EQUAL(out.dump_time, 1700000000000000);
        CU_ASSERT_EQUAL_FATAL(out.n, 2);
        for (size_t k = 0; k < 2; k++) {
            const dc_dump_tensor *r = &out.tensor[k];
            CU_ASSERT_EQUAL(r->direction, t[k].direction);
            CU_ASSERT_EQUAL(r->dtype, dtypes[i]);
            CU_ASSERT_TRUE(dc_shape_equal(&r->shape, &t[k].shape));
            CU_ASSERT_TRUE(dc_shape_equal(&r->original_shape, &t[k].original_shape));
            CU_ASSERT_EQUAL(r->bytes, t[k].bytes);
            CU_ASSERT_EQUAL(r->sub_format, t[k].sub_format);
            CU_ASSERT_EQUAL(r->origin_slot, t[k].origin_slot);
            CU_ASSERT_EQUAL(r->origin_dtype, t[k].origin_dtype);
            CU_ASSERT_EQUAL(r->origin_format, t[k].origin_format);
            CU_ASSERT_NOT_EQUAL(r->address, 0);
            CU_ASSERT_EQUAL(r->flags, 0);
            check_content(path, r, data + 80 * k);
        }
        CU_ASSERT_STRING_EQUAL(out.tensor[1].origin_name, "net/x");
        dc_dump_fini(&out);
    }
}

static void null_addresses_buffers_and_attributes_come_back(void)
{
    const char *path = file_in(dc_test_dir(), "dump");
    dc_dump_tensor t[4] = {tensor(DC_INPUT, DC_FLOAT32, 4), tensor(DC_INPUT, DC_INT8, 6),
                           tensor(DC_BUFFER, DC_UINT8, 5), tensor(DC_SPACE, DC_UINT8, 3)};
    t[0].flags = DC_DUMP_NULL_ADDRESS;
    t[1].arg_index = 7;
    dc_dump_attr attr = {"key", "value"};
    dc_dump in = {.n = 4, .tensor = t, .nattr = 1, .attr = &attr, .dfx_message = "text"}, out;
    DC_ASSERT_OK(dc_dump_write(
        path, &(dc_dump_out){&in, (const void *[]){NULL, "abcdef", "12345", "xyz"}, 1}));
    DC_ASSERT_OK(dc_dump_open(&out, path));
    CU_ASSERT_EQUAL_FATAL(out.n, 4);
    CU_ASSERT_EQUAL(out.tensor[0].flags, DC_DUMP_NULL_ADDRESS);
    CU_ASSERT_EQUAL(out.tensor[0].size, 16);
    CU_ASSERT_EQUAL(out.tensor[1].arg_index, 7);
    check_content(path, &out.tensor[1], "abcdef");
    check_content(path, &out.tensor[2], "12345");
    check_content(path, &out.tensor[3], "xyz");
    CU_ASSERT_STRING_EQUAL(out.attr[0].value, "value");
    CU_ASSERT_STRING_EQUAL(out.dfx_message, "text");
    dc_dump_fini(&out);
}

static size_t entries(const char *dir)
{
    DIR *d = opendir(dir);
    size_t n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    return n;
}

static void failures_leave_nothing_behind(void)
{
    const char *dir = dc_test_dir();
    dc_dump_tensor t[2] = {tensor(DC_OUTPUT, DC_INT8, 1), tensor(DC_INPUT, DC_INT8, 1)};
    dc_dump in = {.n = 2, .tensor = t};
    dc_dump_out out = {&in, (const void *[]){"a", "b"}, 0};
    CU_ASSERT_EQUAL(dc_dump_write(file_in(dir, "dump"), &out), DC_EARG);
    in.n = 1;
    CU_ASSERT_EQUAL(dc_dump_write(file_in(dir, "none/dump"), &out), DC_ENOENT);
    CU_ASSERT_EQUAL(mkdir(file_in(dir, "taken"), 0777), 0);
    CU_ASSERT_NOT_EQUAL(dc_dump_write(file_in(dir, "taken"), &out), DC_OK);
    CU_ASSERT_EQUAL(entries(dir), 1);
}

static void names_are_sanitised(void)
{
    char *path;
    DC_ASSERT_OK(dc_dump_make_path(&path, "/d//e/", "My Op", "a/b.c\\d:0", (uint64_t[]){3, 4, 5}));
    CU_ASSERT_STRING_EQUAL(path, "/d/e/My_Op.a_b_c_d:0.3.4.5");
    free(path);
}

static void long_names_become_hashes(void)
{
    const char *dir = dc_test_dir();
    char op[300], name[400], *path, *again, *text;
    size_t n, skipped;
    memset(op, 'x', 299);
    op[299] = '\0';
    snprintf(name, sizeof name, "Conv2D.%s.3.4.1700000000000000", op);
    const uint64_t ids[3] = {3, 4, 1700000000000000};
    DC_ASSERT_OK(dc_dump_make_path(&path, dir, "Conv2D", op, ids));
    DC_ASSERT_OK(dc_dump_make_path(&again, dir, "Conv2D", op, ids));
    CU_ASSERT_STRING_EQUAL(path, again);
    const char *base = dc_path_base(path);
    CU_ASSERT_EQUAL(strspn(base, "0123456789"), strlen(base));
    dc_mapping *m;
    DC_ASSERT_OK(dc_mapping_open(&m, &skipped, file_in(dir, "mapping.csv")));
    CU_ASSERT_PTR_NOT_NULL_FATAL(dc_mapping_find(m, base));
    CU_ASSERT_STRING_EQUAL(dc_mapping_find(m, base), name);
    dc_mapping_free(m);
    DC_ASSERT_OK(dc_read_file(&text, &n, file_in(dir, "mapping.csv"), 1u << 20));
    CU_ASSERT_PTR_EQUAL(strchr(text, '\n'), text + n - 1); /* one line only */
    free(text);
    free(path);
    free(again);
}

static void the_longest_name_stays(void)
{
    char op[300], *path;
    const char *dir = dc_test_dir();
    size_t n = 255 - strlen("T..3.4.5");
    memset(op, 'x', n);
    op[n] = '\0';
    DC_ASSERT_OK(dc_dump_make_path(&path, dir, "T", op, (uint64_t[]){3, 4, 5}));
    CU_ASSERT_EQUAL(strlen(dc_path_base(path)), 255);
    dc_dump_tensor t = tensor(DC_INPUT, DC_INT8, 1);
    dc_dump in = {.n = 1, .tensor = &t};
    DC_ASSERT_OK(dc_dump_write(path, &(dc_dump_out){&in, (const void *[]){"a"}, 0}));
    CU_ASSERT_EQUAL(entries(dir), 1);
    free(path);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_dtype_comes_back),
        DC_TEST(null_addresses_buffers_and_attributes_come_back),
        DC_TEST(failures_leave_nothing_behind),
        DC_TEST(names_are_sanitised),
        DC_TEST(long_names_become_hashes),
        DC_TEST(the_longest_name_stays),
    };
    return dc_test_main("dump_write", tests, DC_COUNT(tests));
}
