/* tests/test_dump_nano.c - dump files with the nano header. */
#include "io/dtype.h"
#include "io/dump_read.h"
#include "io/format.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <string.h>

static void put_tlv(dc_buf *b, uint64_t tag, dc_buf *contents)
{
    put_le(b, tag, 4);
    put_le(b, contents->n, 4);
    put_bytes(b, contents->data, contents->n);
    dc_buf_free(contents);
}

static void put_dims(dc_buf *b, uint64_t tag, const uint64_t *dim, size_t n)
{
    dc_buf dims = {0};
    for (size_t i = 0; i < n; i++)
        put_le(&dims, dim[i], 8);
    put_tlv(b, tag, &dims);
}

/* data_type, format, address_type, then (outputs) the original's index, data_type and format. */
static void put_numbers(dc_buf *b, const uint32_t *v, size_t n, uint64_t size)
{
    for (size_t i = 0; i < n; i++)
        put_le(b, v[i], 4);
    put_le(b, 0x1000, 8);
    put_le(b, 0, 8);
    put_le(b, size, 8);
}

/* One float16 input [2,3] and one int32 output [5] of the original "net/add". */
static void put_nano(dc_buf *file)
{
    dc_buf header = {0}, part = {0}, list = {0}, name = {0};
    put_le(&header, 0x5a5a5a5a, 4);
    put_le(&header, 1, 4);
    put_le(&part, 1, 4);
    put_numbers(&part, (uint32_t[]){1, DC_FORMAT_NCHW, 0}, 3, 12);
    put_dims(&list, 0, DIMS(2, 3));
    put_dims(&list, 1, DIMS(6));
    put_le(&part, list.n, 4);
    put_bytes(&part, list.data, list.n);
    dc_buf_free(&list);
    put_tlv(&header, 4, &part);
    put_dims(&header, 9, DIMS(1)); /* a tag of a later version */
    put_le(&part, 1, 4);
    put_numbers(&part, (uint32_t[]){3, DC_FORMAT_ND, 0, 2, 0, DC_FORMAT_NHWC}, 6, 20);
    put_bytes(&name, "net/add", 7);
    put_tlv(&list, 2, &name); /* the name before the shape */
    put_dims(&list, 0, DIMS(5));
    put_le(&part, list.n, 4);
    put_bytes(&part, list.data, list.n);
    dc_buf_free(&list);
    put_tlv(&header, 5, &part);
    put_version2(file, &header, 32);
}

static void inputs_and_outputs_are_read(void)
{
    dc_dump d;
    dc_buf file = {0};
    put_nano(&file);
    DC_ASSERT_OK(dc_dump_parse(&d, file.data, file.n, "nano"));
    CU_ASSERT_EQUAL(d.kind, DC_DUMP_NANO);
    CU_ASSERT_EQUAL_FATAL(d.n, 2);
    const dc_dump_tensor *in = &d.tensor[0], *out = &d.tensor[1];
    CU_ASSERT_EQUAL(in->direction, DC_INPUT);
    CU_ASSERT_EQUAL(in->dtype, DC_FLOAT16); /* GE 1 */
    CU_ASSERT(in->shape.rank == 2 && in->shape.dim[1] == 3);
    CU_ASSERT(in->original_shape.rank == 1 && in->original_shape.dim[0] == 6);
    CU_ASSERT_EQUAL(in->offset, file.n - 32);
    CU_ASSERT_EQUAL(in->bytes, 12);
    CU_ASSERT_EQUAL(out->direction, DC_OUTPUT);
    CU_ASSERT_EQUAL(out->slot, 0);
    CU_ASSERT_EQUAL(out->dtype, DC_INT32); /* GE 3 */
    CU_ASSERT_STRING_EQUAL(out->origin_name, "net/add");
    CU_ASSERT_EQUAL(out->origin_slot, 2);
    CU_ASSERT_EQUAL(out->origin_dtype, DC_FLOAT32); /* GE 0 */
    CU_ASSERT_EQUAL(out->origin_format, DC_FORMAT_NHWC);
    CU_ASSERT(out->shape.rank == 1 && out->shape.dim[0] == 5);
    CU_ASSERT_EQUAL(out->offset, file.n - 20);
    CU_ASSERT_EQUAL(in->flags | out->flags, 0);
    dc_dump_fini(&d);
    dc_buf_free(&file);
}

static void sizes_must_add_up_exactly(void)
{
    dc_dump d;
    dc_buf file = {0};
    put_nano(&file);
    put_le(&file, 0, 1);
    CU_ASSERT_EQUAL(dc_dump_parse(&d, file.data, file.n, "nano"), DC_EFORMAT);
    CU_ASSERT_STRING_EQUAL(dc_last_error(),
                           "nano: the header says 32 bytes of tensors, the file has 33");
    dc_buf_free(&file);
}

static void cut_anywhere_it_is_refused(void)
{
    dc_buf file = {0};
    put_nano(&file);
    for (size_t n = 0; n < file.n; n++) {
        dc_dump d;
        CU_ASSERT_EQUAL(dc_dump_parse(&d, file.data, n, "nano"), DC_EFORMAT);
    }
    dc_buf_free(&file);
}

/* Every length and count of the header, one after the other, is set to too much. */
static void lying_lengths_are_refused(void)
{
    dc_buf file = {0};
    put_nano(&file);
    uint64_t end = file.n - 32;
    size_t refused = 0;
    for (size_t at = 0; at + 4 <= end; at++) {
        char keep[4];
        dc_dump d;
        memcpy(keep, file.data + at, 4);
        memset(file.data + at, 0xff, 4);
        if (dc_dump_parse(&d, file.data, file.n, "nano") == DC_OK)
            dc_dump_fini(&d);
        else
            refused++;
        memcpy(file.data + at, keep, 4);
    }
    CU_ASSERT(refused > 40);
    dc_buf_free(&file);
}

static void unknown_dtypes_are_kept_apart(void)
{
    dc_dump d;
    dc_buf header = {0}, part = {0}, file = {0};
    put_le(&header, 0x5a5a5a5a, 4);
    put_le(&header, 1, 4);
    put_le(&part, 1, 4);
    put_numbers(&part, (uint32_t[]){99, 2, 0}, 3, 4);
    put_le(&part, 0, 4);
    put_tlv(&header, 4, &part);
    put_version2(&file, &header, 4);
    DC_ASSERT_OK(dc_dump_parse(&d, file.data, file.n, "nano"));
    CU_ASSERT_EQUAL(d.tensor[0].dtype, UINT32_MAX);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 4);
    dc_dump_fini(&d);
    dc_buf_free(&file);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(inputs_and_outputs_are_read),   DC_TEST(sizes_must_add_up_exactly),
        DC_TEST(cut_anywhere_it_is_refused),    DC_TEST(lying_lengths_are_refused),
        DC_TEST(unknown_dtypes_are_kept_apart),
    };
    return dc_test_main("dump_nano", tests, DC_COUNT(tests));
}
