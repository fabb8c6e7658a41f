/* tests/test_dump_embedded.c - tensor bytes that stand inside the header message. */
#include "io/dtype.h"
#include "io/dump_read.h"
#include "io/format.h"
#include "tests/dump_bytes.h"
#include "tests/harness.h"

#include <string.h>

static void put_data_input(dc_buf *header, const char *data, size_t n)
{
    dc_buf in = {0};
    put_number(&in, 1, DC_INT8);
    put_shape(&in, 3, (uint64_t[]){n}, 1);
    put_field(&in, 4, data, n);
    put_message(header, 4, &in);
}

static void version_1_bytes_lie_in_the_message(void)
{
    dc_dump d;
    dc_buf h = {0}, out = {0};
    put_text(&h, 1, "1.0");
    put_data_input(&h, "abc", 3);
    put_number(&out, 1, DC_INT8);
    put_number(&out, 6, 5);
    put_shape(&out, 3, DIMS(5));
    put_field(&out, 5, "defgh", 5);
    put_message(&h, 3, &out);
    put_output(&h, DC_FORMAT_ND, DIMS(2), 4, 0); /* says 4 bytes, has none */
    put_text(&h, 6, "old");
    DC_ASSERT_OK(dc_dump_parse(&d, h.data, h.n, "dump"));
    CU_ASSERT_EQUAL(d.kind, DC_DUMP_V1);
    CU_ASSERT_STRING_EQUAL(d.op_name, "old");
    CU_ASSERT_EQUAL_FATAL(d.n, 3);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 3);
    CU_ASSERT_EQUAL(memcmp(h.data + d.tensor[0].offset, "abc", 3), 0);
    CU_ASSERT_EQUAL(d.tensor[1].bytes, 5);
    CU_ASSERT_EQUAL(memcmp(h.data + d.tensor[1].offset, "defgh", 5), 0);
    CU_ASSERT_EQUAL(d.tensor[1].flags, 0);
    CU_ASSERT_EQUAL(d.tensor[2].flags, DC_DUMP_NULL_ADDRESS);
    dc_dump_fini(&d);
    dc_buf_free(&h);
}

static void version_2_may_embed_bytes_too(void)
{
    dc_dump d;
    dc_buf h = {0}, file = {0};
    put_text(&h, 1, "2.0");
    put_input(&h, DC_INT8, DIMS(6), 6, 0);
    put_data_input(&h, "abc", 3);
    put_version2(&file, &h, 6);
    DC_ASSERT_OK(dc_dump_parse(&d, file.data, file.n, "dump"));
    CU_ASSERT_EQUAL(d.kind, DC_DUMP_V2);
    CU_ASSERT_EQUAL(d.tensor[0].offset, file.n - 6);
    CU_ASSERT_EQUAL(d.tensor[1].bytes, 3);
    CU_ASSERT_EQUAL(memcmp(file.data + d.tensor[1].offset, "abc", 3), 0);
    CU_ASSERT_EQUAL(d.tensor[1].flags, 0);
    dc_dump_fini(&d);
    dc_buf_free(&file);
}

static void embedded_bytes_with_a_size_are_found_by_the_sum(void)
{
    dc_dump d;
    dc_buf h = {0}, in = {0}, file = {0};
    put_number(&in, 1, DC_INT8);
    put_shape(&in, 3, DIMS(3));
    put_text(&in, 4, "abc");
    put_number(&in, 5, 3);
    put_message(&h, 4, &in);
    put_input(&h, DC_INT8, DIMS(6), 6, 0);
    put_version2(&file, &h, 6);
    DC_ASSERT_OK(dc_dump_parse(&d, file.data, file.n, "dump"));
    CU_ASSERT_EQUAL(memcmp(file.data + d.tensor[0].offset, "abc", 3), 0);
    CU_ASSERT_EQUAL(d.tensor[0].bytes, 3);
    CU_ASSERT_EQUAL(d.tensor[1].offset, file.n - 6);
    CU_ASSERT_EQUAL(d.tensor[0].flags | d.tensor[1].flags, 0);
    dc_dump_fini(&d);
    dc_buf_free(&file);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(version_1_bytes_lie_in_the_message),
        DC_TEST(version_2_may_embed_bytes_too),
        DC_TEST(embedded_bytes_with_a_size_are_found_by_the_sum),
    };
    return dc_test_main("dump_embedded", tests, DC_COUNT(tests));
}
