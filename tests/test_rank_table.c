/* tests/test_rank_table.c - rank tables: servers, devices, ranks, and what is wrong with them. */
#include "io/rank_table.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

static const char *write_table(const char *text)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/table.json", dc_test_dir());
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(fputs(text, f) >= 0);
    CU_ASSERT_EQUAL(fclose(f), 0);
    return path;
}

static int32_t rank_of(const dc_rank_table *t, const char *server, int32_t device)
{
    const dc_rank_server *s;
    int32_t rank = -1;
    if (dc_rank_table_server(&s, t, server) != DC_OK ||
        dc_rank_server_find(&rank, s, device, "x") != DC_OK)
        return -1;
    return rank;
}

static void numbers_may_be_strings(void)
{
    dc_rank_table t;
    DC_ASSERT_OK(dc_rank_table_read(
        &t, write_table("{\"server_list\": [{\"device\": [{\"rank_id\": \"9\", \"device_id\": 1}],"
                        "\"server_id\": \"s\"}, {\"server_id\": \"t\", \"device\": []}]}")));
    CU_ASSERT_EQUAL(rank_of(&t, "s", 1), 9);
    CU_ASSERT_EQUAL(rank_of(&t, "#0", 1), 9);
    CU_ASSERT_EQUAL(rank_of(&t, "s", 0), -1);
    CU_ASSERT_EQUAL(rank_of(&t, "#1", 1), -1);
    CU_ASSERT_EQUAL(rank_of(&t, "u", 1), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "no server \"u\"; it has s (#0), t (#1)"));
    dc_rank_table_fini(&t);
}

static void the_older_form_lists_processes(void)
{
    dc_rank_table t;
    DC_ASSERT_OK(dc_rank_table_read(
        &t,
        write_table("{\"group_list\": [{\"instance_list\": ["
                    "{\"devices\": [{\"device_id\": \"0\"}], \"rank_id\": \"0\", \"server_id\": "
                    "\"a\"}, {\"devices\": [{\"device_id\": \"3\"}], \"rank_id\": \"5\", "
                    "\"server_id\": \"b\"}, {\"devices\": [{\"device_id\": \"1\"}], \"rank_id\": "
                    "\"1\", \"server_id\": \"a\"}]}]}")));
    CU_ASSERT_EQUAL(t.n, 2);
    CU_ASSERT_EQUAL(rank_of(&t, "a", 1), 1);
    CU_ASSERT_EQUAL(rank_of(&t, "b", 3), 5);
    dc_rank_table_fini(&t);
}

static void refused(const char *text, const char *why)
{
    dc_rank_table t;
    CU_ASSERT_EQUAL(dc_rank_table_read(&t, write_table(text)), DC_EFORMAT);
    if (!strstr(dc_last_error(), why))
        fprintf(stderr, "%s\n", dc_last_error());
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), why));
    CU_ASSERT_PTR_NULL(t.server);
}

static void faults_name_the_key(void)
{
    refused("{}", "server_list");
    refused("[]", "must be an object");
    refused("{\"server_list\": []}", "names no server");
    refused("{\"server_list\": [{\"device\": [{\"device_id\": \"0\"}]}]}",
            "server_list[0].device[0].rank_id");
    refused("{\"server_list\": [{\"device\": [{\"device_id\": \"x\", \"rank_id\": \"0\"}]}]}",
            "server_list[0].device[0].device_id");
    refused("{\"server_list\": [{\"device\": [{\"device_id\": \"0\", \"rank_id\": \"9999999\"}]}]}",
            "is more than 1000000");
    refused("{\"group_list\": [{\"instance_list\": [{\"rank_id\": 0, \"devices\": []}]}]}",
            "must hold one device");
}

static void a_server_id_that_is_there_twice_needs_its_place(void)
{
    dc_rank_table t;
    char path[1024];
    if (!dc_test_samples()) {
        dc_test_skip("no sample data");
        return;
    }
    snprintf(path, sizeof path, "%s/rank_tables/rank_table_16pcs.json", dc_test_samples());
    DC_ASSERT_OK(dc_rank_table_read(&t, path));
    CU_ASSERT_EQUAL(rank_of(&t, "10.*.*.*", 0), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "more than one server"));
    CU_ASSERT_EQUAL(rank_of(&t, "#0", 7), 7);
    CU_ASSERT_EQUAL(rank_of(&t, "#1", 7), 15);
    dc_rank_table_fini(&t);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(numbers_may_be_strings),
        DC_TEST(the_older_form_lists_processes),
        DC_TEST(faults_name_the_key),
        DC_TEST(a_server_id_that_is_there_twice_needs_its_place),
    };
    return dc_test_main("rank_table", tests, DC_COUNT(tests));
}
