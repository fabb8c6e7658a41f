/* tests/test_npy.c - NumPy files: what is read, what is refused, what is written. */
#include "io/dtype.h"
#include "io/npy.h"
#include "io/path.h"
#include "io/widen.h"
#include "tests/harness.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void failed(const char *what)
{
    fprintf(stderr, "failed: %s\n", what);
    CU_FAIL("see above");
}

/* Parse a file of the given version made of this dictionary and so many bytes of data. */
static dc_status parse(dc_npy *out, int major, const char *dict, uint64_t data_bytes)
{
    char file[70000];
    size_t size = strlen(dict), begin = major == 1 ? 10 : 12;
    memset(file, 0, begin);
    memcpy(file, "\x93NUMPY", 6); /* NOLINT(bugprone-not-null-terminated-result) */
    file[6] = (char)major;
    file[8] = (char)(size & 0xff);
    file[9] = (char)(size >> 8);
    memcpy(file + begin, dict, size); /* NOLINT(bugprone-not-null-terminated-result) */
    memset(out, 0, sizeof *out);
    return dc_npy_parse(out, file, begin + size, begin + size + data_bytes, "x.npy");
}

static dc_status parse_shape(dc_npy *out, const char *shape, uint64_t data_bytes)
{
    char dict[4096];
    snprintf(dict, sizeof dict, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n", shape);
    return parse(out, 1, dict, data_bytes);
}

static dc_status parse_descr(dc_npy *out, const char *descr, uint64_t data_bytes)
{
    char dict[256];
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (), }\n", descr);
    return parse(out, 1, dict, data_bytes);
}

static void dictionaries_may_be_written_freely(void)
{
    dc_npy npy;
    DC_ASSERT_OK(
        parse(&npy, 1, "{\"shape\":(2 ,3),'fortran_order'  :True,\n\"descr\":\t\">f8\"}   \n", 48));
    CU_ASSERT_EQUAL(npy.dtype, DC_FLOAT64);
    CU_ASSERT(npy.big_endian && npy.fortran_order && !npy.void_type);
    CU_ASSERT(npy.shape.rank == 2 && npy.shape.dim[0] == 2 && npy.shape.dim[1] == 3);
    CU_ASSERT_EQUAL(npy.bytes, 48);
    for (int version = 1; version <= 3; version++) {
        DC_ASSERT_OK(
            parse(&npy, version, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", 12));
        CU_ASSERT_EQUAL(npy.offset, (version == 1 ? 10u : 12u) + 57);
    }
}

static void odd_dictionaries_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4',, 'fortran_order': False, 'shape': ()}",
        "{'descr' '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x",
        "{'descr': <f4, 'fortran_order': False, 'shape': ()}",
        "{'descr",
        "{'de\\x73cr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': __import__('os')}",
    };
    dc_npy npy;
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        CU_ASSERT_EQUAL(parse(&npy, 1, bad[i], 4), DC_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "x.npy: "));
    }
}

static void shapes_are_tuples_of_sizes(void)
{
    static const char *const bad[] = {"(-6,)",    "(-2, 5)", "3",      "(3)",    "[3]",     "(,)",
                                      "(3,,)",    "(3 4)",   "(3, )4", "(1.0,)", "(True,)", "(03,)",
                                      "(+3,)",    "(3",      "(3,",    "(1_0,)", "(0x3,)",  "(L,)",
                                      "(3, -1L)", "(3LL,)",  "(3l,)",  "('3',)"};
    dc_npy npy;
    DC_ASSERT_OK(parse_shape(&npy, "()", 4));
    CU_ASSERT_EQUAL(npy.shape.rank, 0);
    DC_ASSERT_OK(parse_shape(&npy, "(7,)", 28));
    DC_ASSERT_OK(parse_shape(&npy, "( 2 , 3 , )", 24));
    DC_ASSERT_OK(parse_shape(&npy, "(2L, 3L)", 24));
    CU_ASSERT_EQUAL(npy.shape.dim[1], 3);
    CU_ASSERT_EQUAL(parse(&npy, 3, "{'descr': '<f4', 'fortran_order': False, 'shape': (2L,), }", 8),
                    DC_EFORMAT);
    for (size_t i = 0; i < DC_COUNT(bad); i++)
        if (parse_shape(&npy, bad[i], 12) != DC_EFORMAT)
            failed(bad[i]);
}

static void sizes_beyond_64_bits_are_refused(void)
{
    dc_npy npy;
    CU_ASSERT_EQUAL(parse_shape(&npy, "(4294967296, 4294967296)", 0), DC_EFORMAT);
    CU_ASSERT_EQUAL(parse_shape(&npy, "(9223372036854775807,)", 0), DC_EFORMAT);
    CU_ASSERT_EQUAL(parse_shape(&npy, "(18446744073709551616,)", 0), DC_EFORMAT);
    DC_ASSERT_OK(parse_shape(&npy, "(0, 9223372036854775807, 9223372036854775807)", 0));
    CU_ASSERT_EQUAL(npy.bytes, 0);
}

static void rank_32_is_the_limit(void)
{
    char shape[32 * 3 + 4] = "";
    dc_npy npy;
    shape[0] = '(';
    for (int i = 0; i < 32; i++)
        snprintf(shape + 1 + 3 * i, 4, "1, ");
    shape[97] = ')';
    DC_ASSERT_OK(parse_shape(&npy, shape, 4));
    CU_ASSERT_EQUAL(npy.shape.rank, 32);
    shape[97] = '1';
    shape[98] = ')';
    CU_ASSERT_EQUAL(parse_shape(&npy, shape, 4), DC_EUNSUP);
}

static void types_are_known_by_code_letter_and_name(void)
{
    static const struct {
        const char *descr;
        uint32_t dtype;
        unsigned bytes;
    } good[] = {{"<f2", DC_FLOAT16, 2},       {"f4", DC_FLOAT32, 4},
                {"|f4", DC_FLOAT32, 4},       {"=f8", DC_FLOAT64, 8},
                {"f", DC_FLOAT32, 4},         {"float32", DC_FLOAT32, 4},
                {"<b1", DC_BOOL, 1},          {"?", DC_BOOL, 1},
                {"|i1", DC_INT8, 1},          {"<u8", DC_UINT64, 8},
                {">c16", DC_COMPLEX128, 16},  {"<c8", DC_COMPLEX64, 8},
                {"bfloat16", DC_BFLOAT16, 2}, {"<V2", DC_BFLOAT16, 2},
                {"|V2", DC_BFLOAT16, 2},      {"|V1", DC_FLOAT8_E4M3FN, 1},
                {"<f1", DC_FLOAT8_E4M3FN, 1}, {"float8_e5m2", DC_FLOAT8_E5M2, 1}};
    static const char *const bad[] = {"<f3",  "|O",     "<U4",  "|S4", "|a4",  "<M8[s]", "<m8",
                                      "<f16", "<c32",   "|V4",  "<b2", "<b4",  "",       "<",
                                      "<<f4", "string", "int4", ">V2", "dual", "f4 "};
    dc_npy npy;
    for (size_t i = 0; i < DC_COUNT(good); i++) {
        DC_ASSERT_OK(parse_descr(&npy, good[i].descr, good[i].bytes));
        CU_ASSERT_EQUAL(npy.dtype, good[i].dtype);
        CU_ASSERT_EQUAL(npy.big_endian, good[i].descr[0] == '>');
        CU_ASSERT_EQUAL(npy.void_type, strchr(good[i].descr, 'V') != NULL ||
                                           strstr(good[i].descr, "f1") == good[i].descr + 1);
    }
    for (size_t i = 0; i < DC_COUNT(bad); i++)
        if (parse_descr(&npy, bad[i], 4) != DC_EUNSUP)
            failed(bad[i]);
    CU_ASSERT_EQUAL(
        parse(&npy, 1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", 4),
        DC_EUNSUP);
}

static void size_must_match_the_shape(void)
{
    dc_npy npy;
    CU_ASSERT_EQUAL(parse_shape(&npy, "(2, 3)", 23), DC_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "cut short"));
    CU_ASSERT_EQUAL(parse_shape(&npy, "(2, 3)", 25), DC_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "trailing bytes"));
}

static void write_bytes(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(data, 1, n, f), n);
    fclose(f);
}

static void files_cut_anywhere_are_refused(void)
{
    char *path = dc_path_join(dc_test_dir(), "a.npy"), *bytes;
    static const int32_t values[6] = {1, 2, 3, 4, 5, 6};
    const dc_shape shape = {2, {2, 3}};
    dc_npy npy;
    size_t n;
    DC_ASSERT_OK(dc_npy_write(path, DC_INT32, &shape, values));
    DC_ASSERT_OK(dc_read_file(&bytes, &n, path, 4096));
    CU_ASSERT_EQUAL(n, 128 + sizeof values);
    for (size_t cut = 0; cut < n; cut++) {
        char *part = malloc(cut + !cut); /* exact size, so that a sanitizer sees every overrun */
        memcpy(part, bytes, cut);
        CU_ASSERT_EQUAL(dc_npy_parse(&npy, part, cut, cut, "cut"), DC_EFORMAT);
        write_bytes(path, part, cut);
        CU_ASSERT_EQUAL(dc_npy_open(&npy, path), DC_EFORMAT);
        free(part);
    }
    DC_ASSERT_OK(dc_npy_parse(&npy, bytes, n, n, "whole"));
    CU_ASSERT_EQUAL(memcmp(bytes + npy.offset, values, sizeof values), 0);
    free(bytes);
    free(path);
}

static void headers_of_4000_bytes_are_read_from_files(void)
{
    char *path = dc_path_join(dc_test_dir(), "a.npy"), file[4010 + 4] = "\x93NUMPY\x01";
    dc_npy npy;
    memset(file + 10, ' ', 4000);
    file[8] = (char)(4000 & 0xff);
    file[9] = 4000 >> 8;
    static const char dict[] = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 1)}";
    memcpy(file + 4009 - sizeof dict, dict, sizeof dict - 1);
    file[4009] = '\n';
    write_bytes(path, file, sizeof file);
    DC_ASSERT_OK(dc_npy_open(&npy, path));
    CU_ASSERT_EQUAL(npy.offset, 4010);
    CU_ASSERT(npy.dtype == DC_INT16 && npy.big_endian && npy.fortran_order);
    file[6] = 2; /* two more bytes of length, which are now "  ": half a gigabyte */
    write_bytes(path, file, sizeof file);
    CU_ASSERT_EQUAL(dc_npy_open(&npy, path), DC_EFORMAT);
    file[6] = 4;
    write_bytes(path, file, sizeof file);
    CU_ASSERT_EQUAL(dc_npy_open(&npy, path), DC_EUNSUP);
    free(path);
}

static void what_is_written_is_read_back(void)
{
    char *path = dc_path_join(dc_test_dir(), "a.npy"), *bytes;
    static const unsigned char data[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const dc_shape shapes[] = {{0, {0}}, {1, {2}}, {3, {1, 2, 2}}, {2, {0, 5}}};
    for (uint32_t d = 0; d < DC_DTYPE_COUNT; d++)
        for (size_t s = 0; s < DC_COUNT(shapes); s++) {
            dc_npy npy;
            size_t n;
            if (d != DC_BFLOAT16 && !dc_dtype_get(d)->npy) {
                CU_ASSERT_EQUAL(dc_npy_write(path, d, &shapes[s], data), DC_EUNSUP);
                continue;
            }
            DC_ASSERT_OK(dc_npy_write(path, d, &shapes[s], data));
            DC_ASSERT_OK(dc_npy_open(&npy, path));
            CU_ASSERT(npy.dtype == d && !npy.big_endian && !npy.fortran_order);
            CU_ASSERT(npy.offset % 64 == 0 && dc_shape_equal(&npy.shape, &shapes[s]));
            DC_ASSERT_OK(dc_read_file(&bytes, &n, path, 4096));
            CU_ASSERT_EQUAL(memcmp(bytes + npy.offset, data, npy.bytes), 0);
            CU_ASSERT_EQUAL(bytes[npy.offset - 1], '\n');
            free(bytes);
        }
    free(path);
}

static void unusable_paths_are_told(void)
{
    const char *dir = dc_test_dir();
    char *path = dc_path_join(dir, "no/a.npy"), *fifo = dc_path_join(dir, "fifo");
    const dc_shape shape = {1, {1}};
    dc_npy npy;
    CU_ASSERT_EQUAL(dc_npy_open(&npy, path), DC_ENOENT);
    CU_ASSERT_EQUAL(dc_npy_write(path, DC_UINT8, &shape, "x"), DC_ENOENT);
    CU_ASSERT_EQUAL(dc_npy_open(&npy, dir), DC_EFORMAT);
    CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
    CU_ASSERT_EQUAL(dc_npy_open(&npy, fifo), DC_EFORMAT);
    free(path);
    free(fifo);
}

/* The file's data as row-major little-endian bytes, malloc'd. */
static char *load(const dc_npy *npy, const char *path)
{
    char *file, *out = malloc(npy->bytes + 1);
    size_t n, item = dc_dtype_get(npy->dtype)->bits / 8;
    DC_ASSERT_OK(dc_read_file(&file, &n, path, 1 << 20));
    char *data = file + npy->offset;
    for (uint64_t i = 0; item && i < npy->bytes / item; i++) {
        uint64_t from = 0, rest = i, step = npy->bytes / item;
        for (uint32_t a = npy->shape.rank; a-- > 0; rest /= npy->shape.dim[a]) {
            step /= npy->shape.dim[a]; /* NOLINT: no dim is 0 where there are bytes */
            from += rest % npy->shape.dim[a] * step;
        }
        memcpy(out + i * item, data + (npy->fortran_order ? from : i) * item, item);
    }
    if (npy->big_endian && item)
        dc_swap_elements(out, npy->bytes / item, npy->dtype);
    free(file);
    return out;
}

static void check_hash(const void *data, size_t n, const char *expected, const char *what)
{
    char *path = dc_path_join(dc_test_dir(), "bytes"), command[2048], got[65] = "";
    write_bytes(path, data, n);
    snprintf(command, sizeof command, "sha256sum '%s'", path);
    FILE *p = popen(command, "r"); /* NOLINT(cert-env33-c): coreutils on our own file */
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(fread(got, 1, 64, p), 64);
    pclose(p);
    if (strcmp(got, expected) != 0)
        failed(what);
    free(path);
}

static void check_sample(const char *dir, const cJSON *entry)
{
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "file"));
    const char *hash = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "sha256"));
    const cJSON *shape = cJSON_GetObjectItem(entry, "shape"), *dim;
    char *path = dc_path_join(dir, file);
    dc_npy npy;
    if (!hash) {
        dc_status st = dc_npy_open(&npy, path);
        if (st != DC_EFORMAT && st != DC_EUNSUP)
            failed(file);
        free(path);
        return;
    }
    DC_ASSERT_OK(dc_npy_open(&npy, path));
    uint32_t i = 0;
    cJSON_ArrayForEach(dim, shape)
    {
        CU_ASSERT_EQUAL((double)npy.shape.dim[i], dim->valuedouble);
        i++;
    }
    CU_ASSERT(!shape || i == npy.shape.rank);
    char *bytes = load(&npy, path);
    check_hash(bytes, npy.bytes, hash, file);
    free(bytes);
    free(path);
}

static void samples_match_their_manifest(void)
{
    const char *samples = dc_test_samples();
    size_t n, checked = 0;
    char *text, *dir = samples ? dc_path_join(samples, "golden") : NULL;
    char *path = dir ? dc_path_join(dir, "manifest.json") : NULL;
    if (!path || dc_read_file(&text, &n, path, 64 << 20) != DC_OK) {
        dc_test_skip("no samples");
        free(dir);
        free(path);
        return;
    }
    cJSON *all = cJSON_Parse(text), *entry;
    cJSON_ArrayForEach(entry, all)
    {
        const char *set = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "set"));
        if (set && strcmp(set, "npy") == 0) {
            check_sample(dir, entry);
            checked++;
        }
    }
    CU_ASSERT(checked >= 40);
    cJSON_Delete(all);
    free(text);
    free(path);
    free(dir);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(dictionaries_may_be_written_freely),
        DC_TEST(odd_dictionaries_are_refused),
        DC_TEST(shapes_are_tuples_of_sizes),
        DC_TEST(sizes_beyond_64_bits_are_refused),
        DC_TEST(rank_32_is_the_limit),
        DC_TEST(types_are_known_by_code_letter_and_name),
        DC_TEST(size_must_match_the_shape),
        DC_TEST(files_cut_anywhere_are_refused),
        DC_TEST(headers_of_4000_bytes_are_read_from_files),
        DC_TEST(what_is_written_is_read_back),
        DC_TEST(unusable_paths_are_told),
        DC_TEST(samples_match_their_manifest),
    };
    return dc_test_main("npy", tests, DC_COUNT(tests));
}
