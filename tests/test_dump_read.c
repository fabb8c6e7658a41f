/* tests/test_dump_read.c - sound dump files of version 2, as devices write them. */
#include "io/dtype.h"
#include "io/dump_read.h"
#include "io/format.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>

static void put_buffer(dc_buf *header, uint32_t field, uint64_t size)
{
    dc_buf in = {0};
    put_number(&in, 3, size);
    put_message(header, field, &in);
}

static dc_status parse(dc_dump *d, dc_buf *header, size_t payload)
{
    dc_buf file = {0};
    put_version2(&file, header, payload);
    dc_status st = dc_dump_parse(d, file.data, file.n, "dump");
    dc_buf_free(&file);
    return st;
}

static void outputs_stand_before_inputs_but_lie_behind(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_text(&h, 1, "2.0");
    put_number(&h, 2, 1706596912161941);
    put_output(&h, DC_FORMAT_ND, DIMS(2, 3), 12, 0);
    put_input(&h, DC_FLOAT32, DIMS(4), 16, 0);
    put_input(&h, DC_INT8, DIMS(5), 5, 0);
    put_buffer(&h, 5, 7);
    put_text(&h, 6, "scope/Conv2D.x");
    put_buffer(&h, 8, 9);
    DC_ASSERT_OK(parse(&d, &h, 16 + 5 + 12 + 7 + 9));
    CU_ASSERT_EQUAL(d.kind, DC_DUMP_V2);
    CU_ASSERT_EQUAL(d.dump_time, 1706596912161941);
    CU_ASSERT_STRING_EQUAL(d.op_name, "scope/Conv2D.x");
    CU_ASSERT_EQUAL_FATAL(d.n, 5);
    uint64_t at = d.tensor[0].offset;
    static const uint64_t bytes[] = {16, 5, 12, 7, 9};
    static const dc_direction dir[] = {DC_INPUT, DC_INPUT, DC_OUTPUT, DC_BUFFER, DC_SPACE};
    static const uint32_t slot[] = {0, 1, 0, 0, 0};
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(d.tensor[i].direction, dir[i]);
        CU_ASSERT_EQUAL(d.tensor[i].slot, slot[i]);
        CU_ASSERT_EQUAL(d.tensor[i].bytes, bytes[i]);
        CU_ASSERT_EQUAL(d.tensor[i].offset, at);
        CU_ASSERT_EQUAL(d.tensor[i].flags & ~(uint32_t)DC_DUMP_SHAPE_GUESSED, 0);
        at += bytes[i];
    }
    CU_ASSERT_EQUAL(d.tensor[1].dtype, DC_INT8);
    CU_ASSERT_EQUAL(d.tensor[2].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[2].shape.dim[1], 3);
    CU_ASSERT_STRING_EQUAL(d.tensor[2].origin_name, "");
    CU_ASSERT_EQUAL(d.tensor[2].origin_slot, DC_UNSET);
    CU_ASSERT_EQUAL(d.tensor[2].arg_index, DC_UNSET);
    CU_ASSERT_EQUAL(d.trailing, 0);
    dc_dump_fini(&d);
}

static void original_op_speaks_in_ge_numbers(void)
{
    dc_dump d;
    dc_buf h = {0}, out = {0}, op = {0};
    put_text(&op, 1, "net/conv");
    put_number(&op, 2, 1);
    put_number(&op, 3, 1);                    /* GE 1 = float16 */
    put_number(&op, 4, 0x04000000u | 0x100u); /* format NCHW with C0 and groups: not masked */
    put_message(&out, 4, &op);
    put_number(&out, 1, 99);                         /* no known dtype */
    put_number(&out, 2, 0x05000000u | 3u << 8 | 4u); /* GE's whole word */
    put_number(&out, 6, 2);
    put_shape(&out, 7, DIMS(UINT64_MAX, 3));
    put_number(&out, 12, 3);
    put_message(&h, 3, &out);
    put_output(&h, DC_FORMAT_ND, DIMS(1), 2, 0);
    DC_ASSERT_OK(parse(&d, &h, 4));
    const dc_dump_tensor *t = d.tensor;
    CU_ASSERT_STRING_EQUAL(t->origin_name, "net/conv");
    CU_ASSERT_EQUAL(t->origin_slot, 1);
    CU_ASSERT_EQUAL(t->origin_dtype, DC_FLOAT16);
    CU_ASSERT_EQUAL(t->origin_format, DC_FORMAT_NCHW);
    CU_ASSERT_EQUAL(t->dtype, 99);
    CU_ASSERT_EQUAL(t->format, DC_FORMAT_FRACTAL_Z);
    CU_ASSERT_EQUAL(t->sub_format, 3);
    CU_ASSERT_EQUAL(t->original_shape.dim[0], UINT64_MAX);
    CU_ASSERT_EQUAL(t->arg_index, 3);
    CU_ASSERT_EQUAL(t[1].arg_index, 0); /* numbered header: not there means 0 */
    dc_dump_fini(&d);
}

static void sub_format_wins_over_the_format_word(void)
{
    dc_dump d;
    dc_buf h = {0}, in = {0};
    put_number(&in, 2, 7u << 8 | 4u);
    put_number(&in, 7, 2);
    put_message(&h, 4, &in);
    DC_ASSERT_OK(parse(&d, &h, 0));
    CU_ASSERT_EQUAL(d.tensor[0].sub_format, 2);
    dc_dump_fini(&d);
}

static void unknown_fields_and_any_order_are_read(void)
{
    dc_dump d;
    dc_buf h = {0}, in = {0};
    put_number(&in, 8, 0x1000);
    put_number(&in, 200, 5);
    put_text(&in, 15, "new");
    put_number(&in, 5, 4);
    put_number(&in, 1, DC_INT32);
    put_message(&h, 4, &in);
    put_text(&h, 15, "newer");
    put_varint(&h, 200u << 3 | 5);
    put_le(&h, 7, 4);
    put_varint(&h, 201u << 3 | 1);
    put_le(&h, 7, 8);
    put_text(&h, 1, "2.0");
    DC_ASSERT_OK(parse(&d, &h, 4));
    CU_ASSERT_EQUAL(d.n, 1);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 4);
    CU_ASSERT_EQUAL(d.tensor[0].shape.rank, 0); /* one element: a scalar */
    CU_ASSERT_EQUAL(d.tensor[0].flags, 0);
    dc_dump_fini(&d);
}

static void dims_may_be_unpacked(void)
{
    dc_dump d;
    dc_buf h = {0}, in = {0}, shape = {0};
    put_number(&shape, 1, 2);
    put_number(&shape, 1, 3);
    put_message(&in, 3, &shape);
    put_number(&in, 1, DC_INT8);
    put_number(&in, 5, 6);
    put_message(&h, 4, &in);
    DC_ASSERT_OK(parse(&d, &h, 6));
    CU_ASSERT_EQUAL(d.tensor[0].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[0].shape.dim[1], 3);
    dc_dump_fini(&d);
}

static void null_addresses_take_no_bytes(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(2), 8, 0x100);
    put_input(&h, DC_FLOAT32, DIMS(3), 12, 0);
    put_output(&h, DC_FORMAT_ND, DIMS(4), 8, 0x200);
    DC_ASSERT_OK(parse(&d, &h, 16));
    CU_ASSERT_EQUAL(d.tensor[0].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[1].flags, DC_DUMP_NULL_ADDRESS);
    CU_ASSERT_EQUAL(d.tensor[1].bytes, 0);
    CU_ASSERT_EQUAL(d.tensor[1].size, 12);
    CU_ASSERT_EQUAL(d.tensor[2].offset, d.tensor[0].offset + 8);
    CU_ASSERT_EQUAL(d.tensor[2].bytes, 8);
    dc_dump_fini(&d);
}

static void sizes_that_add_up_overrule_addresses(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(2), 8, 0x100);
    put_input(&h, DC_FLOAT32, DIMS(3), 12, 0);
    DC_ASSERT_OK(parse(&d, &h, 20));
    CU_ASSERT_EQUAL(d.tensor[1].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[1].bytes, 12);
    dc_dump_fini(&d);
}

static void no_address_and_no_bytes_means_all_skipped(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(2), 8, 0);
    put_output(&h, DC_FORMAT_ND, DIMS(4), 8, 0);
    DC_ASSERT_OK(parse(&d, &h, 0));
    CU_ASSERT_EQUAL(d.tensor[0].flags, DC_DUMP_NULL_ADDRESS);
    CU_ASSERT_EQUAL(d.tensor[1].flags, DC_DUMP_NULL_ADDRESS);
    dc_dump_fini(&d);
}

static void buffers_and_spaces_may_be_missing(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(2), 8, 0x100);
    put_input(&h, DC_FLOAT32, DIMS(5), 20, 0);
    put_buffer(&h, 5, 2097152);
    put_buffer(&h, 8, 100);
    DC_ASSERT_OK(parse(&d, &h, 8));
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 8);
    for (size_t i = 1; i < 4; i++)
        CU_ASSERT_TRUE(d.tensor[i].flags & DC_DUMP_NULL_ADDRESS && d.tensor[i].bytes == 0);
    dc_dump_fini(&d);
}

static void empty_tensors_stay(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(0, 7), 0, 0x100);
    put_input(&h, DC_FLOAT32, DIMS(2), 8, 0x200);
    DC_ASSERT_OK(parse(&d, &h, 8));
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 0);
    CU_ASSERT_EQUAL(d.tensor[0].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[0].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[1].offset, d.tensor[0].offset);
    dc_dump_fini(&d);
}

static void empty_shapes_are_guessed_from_the_size(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, NULL, 0, 12, 0);
    put_input(&h, DC_INT4, NULL, 0, 3, 0);
    put_input(&h, DC_UNDEFINED, NULL, 0, 6, 0);
    put_input(&h, DC_FLOAT32, DIMS(2, UINT64_MAX), 16, 0); /* GE's unknown dim, -1 */
    put_input(&h, DC_FLOAT32, NULL, 0, 0, 0);
    put_input(&h, DC_FLOAT32, DIMS(UINT64_MAX), 0, 0);
    DC_ASSERT_OK(parse(&d, &h, 37));
    static const uint64_t count[] = {3, 6, 6, 4, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(d.tensor[i].flags, DC_DUMP_SHAPE_GUESSED);
        CU_ASSERT_EQUAL(d.tensor[i].shape.rank, 1);
        CU_ASSERT_EQUAL(d.tensor[i].shape.dim[0], count[i]);
    }
    dc_dump_fini(&d);
}

static void repeated_input_shapes_are_cut(void)
{
    dc_dump d;
    dc_buf h = {0}, in = {0};
    uint64_t many[200];
    for (size_t i = 0; i < 200; i++)
        many[i] = i % 2 ? 3 : 2;
    put_shape(&in, 3, many, 200);
    put_shape(&in, 6, many, 200);
    put_number(&in, 1, DC_FLOAT32);
    put_number(&in, 5, 24);
    put_message(&h, 4, &in);
    put_input(&h, DC_INT8, DIMS(2, 2, 2, 2), 4, 0);  /* [2,2] twice */
    put_input(&h, DC_INT8, DIMS(2, 2, 2, 2), 16, 0); /* as it stands */
    put_output(&h, DC_FORMAT_ND, DIMS(2, 2), 4, 0);  /* outputs never repeat */
    DC_ASSERT_OK(parse(&d, &h, 48));
    CU_ASSERT_EQUAL(d.tensor[0].flags, DC_DUMP_SHAPE_REPEATED);
    CU_ASSERT_EQUAL(d.tensor[0].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[0].original_shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[1].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[2].shape.rank, 4);
    CU_ASSERT_EQUAL(d.tensor[2].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[3].shape.rank, 2);
    CU_ASSERT_EQUAL(d.tensor[3].flags, DC_DUMP_SHORT);
    dc_dump_fini(&d);
}

static void padding_is_kept_and_shortness_is_flagged(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(3), 32, 0);
    put_input(&h, DC_FLOAT32, DIMS(3), 11, 0);
    put_input(&h, DC_FLOAT32, DIMS(3), 0, 0);
    put_input(&h, DC_STRING, DIMS(3), 2, 0);
    DC_ASSERT_OK(parse(&d, &h, 45));
    CU_ASSERT_EQUAL(d.tensor[0].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 32);
    CU_ASSERT_EQUAL(d.tensor[1].flags, DC_DUMP_SHORT);
    CU_ASSERT_EQUAL(d.tensor[2].flags, DC_DUMP_SHORT);
    CU_ASSERT_EQUAL(d.tensor[3].flags, 0); /* a text's size does not follow from its shape */
    dc_dump_fini(&d);
}

static void trailing_bytes_are_counted(void)
{
    dc_dump d;
    dc_buf h = {0};
    put_input(&h, DC_FLOAT32, DIMS(3), 12, 0x100);
    DC_ASSERT_OK(parse(&d, &h, 17));
    CU_ASSERT_EQUAL(d.trailing, 5);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 12);
    dc_dump_fini(&d);
}

static void attributes_and_texts_are_read(void)
{
    dc_dump d;
    dc_buf h = {0}, attr = {0};
    put_text(&attr, 1, "_sgt_json_info");
    put_text(&attr, 2, "{\"threadMode\":1}");
    put_message(&h, 7, &attr);
    put_text(&h, 9, "trouble");
    DC_ASSERT_OK(parse(&d, &h, 0));
    CU_ASSERT_EQUAL_FATAL(d.nattr, 1);
    CU_ASSERT_STRING_EQUAL(d.attr[0].name, "_sgt_json_info");
    CU_ASSERT_STRING_EQUAL(d.attr[0].value, "{\"threadMode\":1}");
    CU_ASSERT_STRING_EQUAL(d.dfx_message, "trouble");
    dc_dump_fini(&d);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(outputs_stand_before_inputs_but_lie_behind),
        DC_TEST(original_op_speaks_in_ge_numbers),
        DC_TEST(sub_format_wins_over_the_format_word),
        DC_TEST(unknown_fields_and_any_order_are_read),
        DC_TEST(dims_may_be_unpacked),
        DC_TEST(null_addresses_take_no_bytes),
        DC_TEST(sizes_that_add_up_overrule_addresses),
        DC_TEST(no_address_and_no_bytes_means_all_skipped),
        DC_TEST(buffers_and_spaces_may_be_missing),
        DC_TEST(empty_tensors_stay),
        DC_TEST(empty_shapes_are_guessed_from_the_size),
        DC_TEST(repeated_input_shapes_are_cut),
        DC_TEST(padding_is_kept_and_shortness_is_flagged),
        DC_TEST(trailing_bytes_are_counted),
        DC_TEST(attributes_and_texts_are_read),
    };
    return dc_test_main("dump_read", tests, DC_COUNT(tests));
}
