/* tests/test_msaccucmp_files.c - what msaccucmp cannot read, numbered as in its specification's
 * list of opportunities: files and types through all of dumpcmp. */
#include "io/dtype.h"
#include "io/format.h"
#include "tests/case.h"
#include "tests/dump_bytes.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float four[] = {1, 2, 3, 4};

/* A case whose golden is written, but whose dump is `file`, of these bytes. */
static void add_file(const char *root, const char *file, const char *op, const dc_buf *b)
{
    char golden[64];
    snprintf(golden, sizeof golden, "%s.0.1718289424000000.npy", op);
    dc_case s = dc_case_plain("other", golden, "4", four, four);
    dc_case_add(root, &s);
    if (dc_test_par()->process == 0)
        DC_ASSERT_OK(dc_fixture_bytes(root, file, b->data, b->n));
}

/* An output of 4 float32; its bytes in the message or not. */
static void put_four(dc_buf *header, bool within)
{
    dc_buf out = {0};
    put_number(&out, 1, DC_FLOAT32);
    put_number(&out, 2, DC_FORMAT_ND);
    put_shape(&out, 3, DIMS(4));
    if (within)
        put_field(&out, 5, four, sizeof four);
    else
        put_number(&out, 6, sizeof four);
    put_message(header, 3, &out);
}

static void msaccucmp_17_version_1_is_read(void)
{
    const char *root = dc_test_shared_dir();
    dc_buf h = {0};
    put_text(&h, 1, "1.0");
    put_four(&h, true);
    put_text(&h, 6, "net/old");
    add_file(root, "dump/" DC_CASE_STEP "/Add.net_old.7.1.1718289424000000", "net_old", &h);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/old:output:0", "pass", "[4],float32,float32,name,4,");
    free(text);
    dc_buf_free(&h);
}

static void msaccucmp_13_an_attribute_need_not_be_json(void)
{
    const char *root = dc_test_shared_dir();
    dc_buf h = {0}, attr = {0}, file = {0};
    put_text(&h, 1, "2.0");
    put_four(&h, false);
    put_text(&h, 6, "net/attr");
    put_text(&attr, 1, "key");
    put_text(&attr, 2, "{ no json");
    put_message(&h, 7, &attr);
    put_le(&file, h.n, 8);
    put_bytes(&file, h.data, h.n);
    put_bytes(&file, four, sizeof four);
    add_file(root, "dump/" DC_CASE_STEP "/Add.net_attr.7.1.1718289424000000", "net_attr", &file);
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "net/attr:output:0", "pass", "[4],float32,float32,name,4,");
    free(text);
    dc_buf_free(&h);
    dc_buf_free(&file);
}

static void msaccucmp_16_rare_types_are_compared(void)
{
    const char *root = dc_test_shared_dir();
    const int8_t qint8[] = {1, 2, -1, 4};
    const uint16_t quint16[] = {1, 65535}, complex32[] = {0x3c00, 0x4000, 0x4200, 0x4400};
    const int32_t quint16_is[] = {1, 65535};
    const uint8_t e8m0[] = {127, 128, 126, 255}, six[] = {0, 1, 2};
    const float e8m0_is[] = {1, 2, 0.5f, NAN};
    const dc_case_flat all[] = {
        {"qint8", "4", DC_QINT8, qint8, sizeof qint8, DC_INT8, qint8},
        {"quint16", "2", DC_QUINT16, quint16, sizeof quint16, DC_INT32, quint16_is},
        {"c32", "2", DC_COMPLEX32, complex32, sizeof complex32, DC_COMPLEX64, four},
        {"e8m0", "4", DC_FLOAT8_E8M0, e8m0, sizeof e8m0, DC_FLOAT32, e8m0_is},
        {"six", "4", DC_FLOAT6_E3M2, six, sizeof six, DC_FLOAT32, four},
    };
    dc_case_add_flat(root, all, DC_COUNT(all));
    char *text = dc_case_run(root, "gold");
    dc_case_expect(text, "qint8:output:0", "pass", "qint8,int8,name,4,");
    dc_case_expect(text, "quint16:output:0", "pass", "quint16,int32,name,2,");
    dc_case_expect(text, "c32:output:0", "pass", "complex32,complex64,name,2,");
    dc_case_expect(text, "e8m0:output:0", "pass", "float8_e8m0,float32,name,4,1,1,");
    dc_case_expect(text, "six:output:0", "not judged", "is not documented");
    free(text);
}

/* Which of its dims is C nothing tells, and nobody needs to know. */
static void two_dumps_that_lie_alike_are_compared(void)
{
    enum { N = 16 * 16 * 16 };
    const char *root = dc_test_shared_dir();
    static float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    dc_case s = dc_case_plain("net/square", NULL, "1x1x16x16x16", x, NULL);
    s.original = "1x16x16x16";
    s.format = DC_FORMAT_NC1HWC0;
    if (dc_test_par()->process == 0)
        dc_case_dump(root, "other", &s);
    x[4000] += 50000;
    dc_case_add(root, &s);
    char *text = dc_case_run(root, "other");
    dc_case_expect(text, "net/square:output:0", "fail", ",50000,");
    dc_case_expect(text, "net/square:output:0", "fail", "as both lie on the device");
    free(text);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(msaccucmp_13_an_attribute_need_not_be_json),
        DC_TEST(msaccucmp_16_rare_types_are_compared),
        DC_TEST(msaccucmp_17_version_1_is_read),
        DC_TEST(two_dumps_that_lie_alike_are_compared),
    };
    return dc_test_main_mpi("msaccucmp_files", tests, DC_COUNT(tests));
}
