/* tests/test_std_hash.c - libstdc++'s string hash, value for value. */
#include "io/std_hash.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made with g++ 12: std::hash<std::string>{}(std::string("0123456789abcdefg", n)). */
static const uint64_t by_length[] = {
    0x553e93901e462a6eu, 0x1fe2f4e72b63d536u, 0xeb1466c7481c0ec5u, 0x1ffc3afb65e64cf7u,
    0x445134be9d06e145u, 0xcc73c68c30dbf1cbu, 0x32e946421aa545dcu, 0x56bc3c5604731717u,
    0xf3f0cdb8cc0b5038u, 0x80ec2df2473772bbu, 0xd11d90479b4b6215u, 0xce2f482e5f0c11b4u,
    0xa9fa4ae4c34e669cu, 0xb7a6724f01e753a4u, 0xddeead268817cc15u, 0x83c59a3f62a3e14bu,
    0x934b0d760642ed86u, 0x1e959b991607e7f0u,
};

static void every_tail_length_agrees(void)
{
    for (size_t n = 0; n < DC_COUNT(by_length); n++)
        CU_ASSERT_EQUAL(dc_std_hash("0123456789abcdefg", n), by_length[n]);
}

static void bytes_are_unsigned(void)
{
    CU_ASSERT_EQUAL(dc_std_hash("\xff\x80\x00\xfe", 4), 0xecbd305c0acd252bu);
    CU_ASSERT_EQUAL(dc_std_hash("\xe7\xae\x97\xe5\xad\x90\xff\xff\xff", 9), 0xd0055a660ae36f8u);
}

static void sample_vectors_agree(void)
{
    char path[4096], line[4096];
    size_t seen = 0;
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/hash/libstdcpp_string_hash_vectors.txt", dc_test_samples());
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file)) {
        char *text;
        uint64_t want = strtoull(line, &text, 10);
        line[strcspn(line, "\n")] = '\0';
        text += *text == ' ';
        CU_ASSERT_EQUAL(dc_std_hash(text, strlen(text)), want);
        seen++;
    }
    fclose(file);
    CU_ASSERT(seen >= 5);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_tail_length_agrees),
        DC_TEST(bytes_are_unsigned),
        DC_TEST(sample_vectors_agree),
    };
    return dc_test_main("std_hash", tests, DC_COUNT(tests));
}
