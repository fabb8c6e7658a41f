/* tests/test_dump_hostile.c - damaged and malicious dump files are refused with one clear message.
 */
#include "io/dtype.h"
#include "io/dump_read.h"
#include "io/path.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_floats(dc_buf *header, uint64_t n, uint64_t size, uint64_t address)
{
    put_input(header, DC_FLOAT32, &n, 1, size, address);
}

/* Parsing header with n bytes behind it fails with code and a message that holds `says`. */
static void refuse(dc_buf *header, size_t n, dc_status code, const char *says)
{
    dc_dump d;
    dc_buf file = {0};
    put_version2(&file, header, n);
    dc_status st = dc_dump_parse(&d, file.data, file.n, "some/file");
    CU_ASSERT_EQUAL(st, code);
    if (st == DC_OK)
        dc_dump_fini(&d);
    else if (!strstr(dc_last_error(), says) || strncmp(dc_last_error(), "some/file: ", 11) != 0)
        CU_FAIL(fprintf(stderr, "'%s' does not say '%s'\n", dc_last_error(), says) && "message");
    dc_buf_free(&file);
}

static void too_few_bytes_are_counted(void)
{
    dc_buf h = {0};
    put_floats(&h, 4, 16, 0);
    refuse(&h, 15, DC_EFORMAT, "the header says 16 bytes of tensors, the file has 15");
    put_floats(&h, 4, 16, 0x100);
    put_floats(&h, 4, 16, 0x200);
    refuse(&h, 0, DC_EFORMAT, "the header says 32 bytes of tensors, the file has 0");
}

static void it_must_be_clear_whose_bytes_they_are(void)
{
    dc_buf h = {0};
    put_floats(&h, 1, 4, 0x100);
    put_floats(&h, 2, 8, 0);
    put_floats(&h, 4, 16, 0x200);
    refuse(&h, 21, DC_EFORMAT, "the header says 28 bytes of tensors, the file has 21");
    put_floats(&h, 1, 4, 0x100);
    put_floats(&h, 2, 8, 0);
    refuse(&h, 13, DC_EFORMAT, "the header says 12 bytes of tensors, the file has 13");
}

static void sizes_that_overflow_are_refused(void)
{
    dc_buf h = {0};
    put_floats(&h, 1, UINT64_MAX, 0);
    put_floats(&h, 1, 2, 0);
    refuse(&h, 1, DC_EFORMAT, "add up to more than 2^64");
    put_floats(&h, 1, UINT64_MAX, 0);
    refuse(&h, 1, DC_EFORMAT, "the header says 18446744073709551615 bytes");
    put_floats(&h, 1, (uint64_t)1 << 40, 0);
    refuse(&h, 100, DC_EFORMAT, "the header says 1099511627776 bytes");
}

static void shapes_that_overflow_are_refused(void)
{
    dc_buf h = {0};
    uint64_t dims[40];
    put_input(&h, DC_FLOAT32, DIMS(1u << 31, 1u << 31, 4), 4, 0);
    refuse(&h, 4, DC_EFORMAT, "the shape of input 0 multiplies to more than 2^64");
    put_floats(&h, INT64_MAX, 4, 0); /* the count fits, its bytes do not */
    refuse(&h, 4, DC_EFORMAT, "the shape of input 0 multiplies to more than 2^64");
    for (uint64_t i = 0; i < 40; i++)
        dims[i] = i + 1;
    put_input(&h, DC_INT8, dims, 33, 4, 0);
    refuse(&h, 4, DC_EFORMAT, "the shape of input 0 has more than 32 dimensions");
}

static void header_lengths_are_checked(void)
{
    static const struct {
        uint64_t length;
        const char *says;
    } bad[] = {
        {0, "a header of no bytes"},
        {5, "the header says it has 5 bytes, the file has 4"},
        {((uint64_t)1 << 32) + 5, "the header says it has 4294967301 bytes, the file has 4"},
        {UINT64_MAX, "not a protobuf message"},
        {UINT64_MAX / 2, "not a protobuf message"},
        {(uint64_t)1 << 40, "not a protobuf message"},
    };
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        dc_dump d;
        dc_buf file = {0};
        put_le(&file, bad[i].length, 8);
        put_le(&file, 0x0a0a0a0a, 4);
        CU_ASSERT_EQUAL(dc_dump_parse(&d, file.data, file.n, "f"), DC_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), bad[i].says));
        dc_buf_free(&file);
    }
}

static void small_and_foreign_files_are_refused(void)
{
    static const char elf[64] = "\x7f"
                                "ELF\x02\x01\x01";
    static const char *const texts[] = {"",
                                        "x",
                                        "12345678",
                                        "Input/Output,Index,Data Size\n",
                                        "{\"dump\": {\"dump_path\": \"/x\"}}",
                                        "\x93NUMPY\x01\x00v\x00{'descr': '<f4'}"};
    dc_dump d;
    for (size_t i = 0; i < DC_COUNT(texts); i++)
        CU_ASSERT_EQUAL(dc_dump_parse(&d, texts[i], strlen(texts[i]), "f"), DC_EFORMAT);
    CU_ASSERT_EQUAL(dc_dump_parse(&d, elf, sizeof elf, "f"), DC_EFORMAT);
    char *zeros = calloc(1, 4096);
    CU_ASSERT_EQUAL(dc_dump_parse(&d, zeros, 4096, "f"), DC_EFORMAT);
    free(zeros);
}

static void wrong_wire_types_are_refused(void)
{
    dc_buf h = {0};
    put_text(&h, 2, "a text for a number");
    refuse(&h, 0, DC_EFORMAT, "no DumpData message");
    put_number(&h, 6, 5);
    refuse(&h, 0, DC_EFORMAT, "no DumpData message");
}

/* The header of one entry of each kind, every field used. */
static void put_full_header(dc_buf *h, int embedded)
{
    dc_buf in = {0}, out = {0}, op = {0}, extra = {0};
    put_text(h, 1, "2.0");
    put_number(h, 2, 1706596912161941);
    put_number(&out, 1, DC_INT8);
    put_shape(&out, 3, (uint64_t[]){4}, 1);
    put_text(&op, 1, "net/op");
    put_message(&out, 4, &op);
    if (embedded)
        put_text(&out, 5, "wxyz");
    put_number(&out, 6, 4);
    put_message(h, 3, &out);
    put_number(&in, 1, DC_INT8);
    put_shape(&in, 3, (uint64_t[]){3}, 1);
    if (embedded)
        put_text(&in, 4, "abc");
    put_number(&in, 5, 3);
    put_message(h, 4, &in);
    put_number(&extra, 3, 2);
    if (embedded)
        put_text(&extra, 2, "uv");
    put_message(h, 5, &extra);
    put_text(h, 6, "op");
}

static void version_2_cut_anywhere_is_refused(void)
{
    dc_buf h = {0}, file = {0};
    put_full_header(&h, 0);
    put_version2(&file, &h, 9);
    dc_dump d;
    DC_ASSERT_OK(dc_dump_parse(&d, file.data, file.n, "f"));
    dc_dump_fini(&d);
    for (size_t n = 0; n < file.n; n++) {
        dc_status st = dc_dump_parse(&d, file.data, n, "f");
        if (st ==
            DC_OK) { /* exactly the buffer's 2 bytes, or all 9, are gone: said to be skipped */
            CU_ASSERT(n == file.n - 2 || n == file.n - 9);
            CU_ASSERT_EQUAL(d.tensor[2].flags & DC_DUMP_NULL_ADDRESS, DC_DUMP_NULL_ADDRESS);
            dc_dump_fini(&d);
        } else {
            CU_ASSERT_EQUAL(st, DC_EFORMAT);
        }
    }
    dc_buf_free(&file);
}

static void version_1_cut_anywhere_gives_no_wrong_bytes(void)
{
    dc_buf file = {0};
    size_t whole = 0;
    put_full_header(&file, 1);
    for (size_t n = 0; n <= file.n; n++) {
        dc_dump d;
        dc_status st = dc_dump_parse(&d, file.data, n, "f");
        if (st != DC_OK) {
            CU_ASSERT_EQUAL(st, DC_EFORMAT);
            continue;
        }
        whole++; /* cut between two fields: what is there is right */
        for (size_t i = 0; i < d.n; i++) {
            static const char *const want[] = {"abc", "wxyz", "uv", ""};
            const dc_dump_tensor *t = &d.tensor[i];
            CU_ASSERT_FATAL(t->offset + t->bytes <= n);
            CU_ASSERT_EQUAL(t->bytes, strlen(want[t->direction]));
            CU_ASSERT_EQUAL(memcmp(file.data + t->offset, want[t->direction], t->bytes), 0);
        }
        dc_dump_fini(&d);
    }
    CU_ASSERT_EQUAL(whole, 4); /* after output, input, buffer, op_name */
    dc_buf_free(&file);
}

/* Every byte of a small file takes every value: never a crash, never bytes outside the file. */
static void any_damaged_byte_is_survived(void)
{
    dc_buf h = {0}, file = {0};
    put_full_header(&h, 0);
    put_version2(&file, &h, 9);
    for (size_t at = 0; at < file.n; at++) {
        char keep = file.data[at];
        for (int v = 0; v < 256; v++) {
            dc_dump d;
            file.data[at] = (char)v;
            if (dc_dump_parse(&d, file.data, file.n, "f") != DC_OK)
                continue;
            for (size_t i = 0; i < d.n; i++)
                CU_ASSERT(d.tensor[i].offset + d.tensor[i].bytes <= file.n);
            dc_dump_fini(&d);
        }
        file.data[at] = keep;
    }
    dc_buf_free(&file);
}

static void memory_is_bounded(void)
{
    enum { MANY = DC_DUMP_MAX_TENSORS + 1, SHAPES = 3000000 };
    dc_buf h = {0}, in = {0};
    for (int i = 0; i < MANY; i++)
        put_field(&h, 4, "", 0);
    refuse(&h, 0, DC_EUNSUP, "65537 tensors in one dump file");
    for (int i = 0; i < SHAPES; i++)
        put_field(&h, 7, "", 0); /* two bytes of header, a hundred of memory */
    refuse(&h, 0, DC_EUNSUP, "MiB of memory");
    char *large = calloc(1, DC_DUMP_MAX_HEADER + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(large);
    put_field(&h, 9, large, DC_DUMP_MAX_HEADER + 1);
    refuse(&h, 0, DC_EUNSUP, "a header of more than 64 MiB");
    put_field(&in, 4, large, DC_DUMP_MAX_HEADER + 1); /* tensor bytes do not count */
    put_message(&h, 4, &in);
    refuse(&h, 0, DC_OK, "");
    free(large);
}

/* Without memory at any point: the status says so, and nothing leaks (address sanitizer). */
static void running_out_of_memory_is_survived(void)
{
    dc_buf file = {0};
    char spec[32];
    dc_status st = DC_ENOMEM;
    int passage = 0;
    put_full_header(&file, 1);
    while (st == DC_ENOMEM && passage < 1000) {
        dc_dump d;
        snprintf(spec, sizeof spec, "mem.grow:%d", ++passage);
        dc_fault_arm(spec);
        st = dc_dump_parse(&d, file.data, file.n, "f");
        if (st == DC_OK)
            dc_dump_fini(&d);
    }
    dc_fault_arm(NULL);
    CU_ASSERT_EQUAL(st, DC_OK);
    CU_ASSERT(passage > 5);
    dc_buf_free(&file);
}

static void what_is_no_file_is_refused(void)
{
    dc_dump d;
    char path[4096];
    const char *dir = dc_test_dir();
    CU_ASSERT_EQUAL(dc_dump_open(&d, dir), DC_EFORMAT);
    snprintf(path, sizeof path, "%s/none", dir);
    CU_ASSERT_EQUAL(dc_dump_open(&d, path), DC_ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), path));
}

/* A version-1 file of which gigabytes are a hole: the payload is never read. */
static void large_payloads_stay_in_the_file(void)
{
    const uint64_t bytes = (uint64_t)3 << 30;
    char path[4096];
    dc_buf start = {0}, inner = {0};
    dc_dump d;
    put_number(&inner, 1, DC_INT8);
    put_shape(&inner, 3, &bytes, 1);
    put_varint(&inner, 4u << 3 | 2);
    put_varint(&inner, bytes);
    put_text(&start, 6, "op");
    put_varint(&start, 4u << 3 | 2);
    put_varint(&start, inner.n + bytes);
    put_bytes(&start, inner.data, inner.n);
    snprintf(path, sizeof path, "%s/large", dc_test_dir());
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    CU_ASSERT_FATAL(fd >= 0);
    DC_ASSERT_OK(dc_pwrite(fd, start.data, start.n, 0, path));
    if (ftruncate(fd, (off_t)(start.n + bytes)) != 0) {
        dc_test_skip("no sparse files here");
    } else {
        DC_ASSERT_OK(dc_dump_read(&d, fd, start.n + bytes, path));
        CU_ASSERT_EQUAL(d.tensor[0].offset, start.n);
        CU_ASSERT_EQUAL(d.tensor[0].bytes, bytes);
        CU_ASSERT_EQUAL(d.tensor[0].flags, 0);
        dc_dump_fini(&d);
    }
    close(fd);
    dc_buf_free(&start);
    dc_buf_free(&inner);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(too_few_bytes_are_counted),
        DC_TEST(it_must_be_clear_whose_bytes_they_are),
        DC_TEST(sizes_that_overflow_are_refused),
        DC_TEST(shapes_that_overflow_are_refused),
        DC_TEST(header_lengths_are_checked),
        DC_TEST(small_and_foreign_files_are_refused),
        DC_TEST(wrong_wire_types_are_refused),
        DC_TEST(version_2_cut_anywhere_is_refused),
        DC_TEST(version_1_cut_anywhere_gives_no_wrong_bytes),
        DC_TEST(any_damaged_byte_is_survived),
        DC_TEST(memory_is_bounded),
        DC_TEST(running_out_of_memory_is_survived),
        DC_TEST(what_is_no_file_is_refused),
        DC_TEST(large_payloads_stay_in_the_file),
    };
    return dc_test_main("dump_hostile", tests, DC_COUNT(tests));
}
