/* tests/test_group_list.c - groups of ranks as users and HCCL write them. */
#include "io/group_list.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

/* "tp0=0,1 =2,3": names and ranks of all groups. */
static void print(char *out, size_t room, const dc_group_list *l)
{
    size_t n = 0;
    *out = '\0';
    for (size_t i = 0; i < l->n; i++) {
        n += (size_t)snprintf(out + n, room - n, "%s%s=", i ? " " : "", l->group[i].name);
        for (size_t k = 0; k < l->group[i].n; k++)
            n += (size_t)snprintf(out + n, room - n, "%s%d", k ? "," : "", l->group[i].rank[k]);
    }
}

static void expect_text(const char *spec, const char *want)
{
    dc_group_list l;
    char got[256];
    DC_ASSERT_OK(dc_group_list_read(&l, spec));
    print(got, sizeof got, &l);
    CU_ASSERT_STRING_EQUAL(got, want);
    dc_group_list_fini(&l);
}

static void expect_refused(const char *spec, const char *part)
{
    dc_group_list l;
    CU_ASSERT_NOT_EQUAL(dc_group_list_read(&l, spec), DC_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), part));
    CU_ASSERT_EQUAL(l.n, 0);
}

static void users_write_ranges_sums_and_steps(void)
{
    expect_text("0-1,2-3", "=0,1 =2,3");
    expect_text("3+1,0+2", "=1,3 =0,2");
    expect_text("0-6:2,1-7:2", "=0,2,4,6 =1,3,5,7");
    expect_text("0-1+4-5,7", "=0,1,4,5 =7");
    expect_text("1+1", "=1");
    expect_refused("", "give groups");
    expect_refused("0-1,", "give groups");
    expect_refused("3-1", "give groups");
    expect_refused("0-4:0", "give groups");
    expect_refused("-1", "give groups");
    expect_refused("0;1", "a comma should");
    expect_refused("0-2,2-3", "rank 2 is in two groups");
    expect_refused("0-99999999", "more than");
    expect_refused("99999999999999999999", "give groups");
    expect_refused("nowhere.json", "nowhere.json");
}

static dc_status from_json(dc_group_list *l, const char *text)
{
    return dc_group_list_json(l, text, strlen(text), "option");
}

static void hccl_writes_json(void)
{
    static const char *const bad[] = {
        "[",
        "7",
        "{}",
        "[7]",
        "[{\"group_name\": \"a\"}]",
        "[{\"group_rank_list\": [0]}]",
        "[{\"group_name\": \"a\", \"group_rank_list\": [-1]}]",
        "[{\"group_name\": \"a\", \"group_rank_list\": [4294967296]}]",
        "[{\"group_name\": \"a\", \"group_rank_list\": \"[0, x]\"}]",
    };
    dc_group_list l;
    char got[256];
    DC_ASSERT_OK(from_json(&l, "[{\"group_name\": \"tp0\", \"group_rank_list\": [1, 0]},"
                               "{\"group_name\": \"e\", \"group_rank_list\": []}]"));
    print(got, sizeof got, &l);
    CU_ASSERT_STRING_EQUAL(got, "tp0=0,1 e=");
    CU_ASSERT_FALSE(dc_rank_group_has(&l.group[1], 0));
    dc_group_list_fini(&l);
    DC_ASSERT_OK(from_json(&l, "{\"comm_group\": [{\"group_name\": \"g\", \"group_rank_list\": "
                               "\"[2, 3]\"}], \"rank_table\": []}"));
    print(got, sizeof got, &l);
    CU_ASSERT_STRING_EQUAL(got, "g=2,3");
    dc_group_list_fini(&l);
    for (size_t i = 0; i < DC_COUNT(bad); i++) {
        CU_ASSERT_NOT_EQUAL(from_json(&l, bad[i]), DC_OK);
        CU_ASSERT_EQUAL(l.n, 0);
    }
}

static const char *name_of(const dc_rank_group *g)
{
    return g ? g->name : "none";
}

static void another_ranks_name_stands_for_ones_own(void)
{
    dc_group_list l;
    DC_ASSERT_OK(from_json(&l, "[{\"group_name\": \"tp_0\", \"group_rank_list\": [0, 1]},"
                               "{\"group_name\": \"tp_10\", \"group_rank_list\": [2, 3]},"
                               "{\"group_name\": \"dp_0\", \"group_rank_list\": [0, 2]},"
                               "{\"group_name\": \"dp_1\", \"group_rank_list\": [1, 3]},"
                               "{\"group_name\": \"odd\", \"group_rank_list\": [5]}]"));
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_named(&l, "tp_0", 1)), "tp_0");
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_named(&l, "tp_0", 2)), "tp_10");
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_named(&l, "dp_0", 3)), "dp_1");
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_named(&l, "dp_0", 5)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_named(&l, "pp_0", 0)), "none");
    CU_ASSERT_STRING_EQUAL(name_of(dc_group_list_of(&l, 5)), "odd");
    CU_ASSERT_PTR_NULL(dc_group_list_of(&l, 0)); /* in two */
    CU_ASSERT_PTR_NULL(dc_group_list_of(&l, 9));
    dc_group_list_fini(&l);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(users_write_ranges_sums_and_steps),
        DC_TEST(hccl_writes_json),
        DC_TEST(another_ranks_name_stands_for_ones_own),
    };
    return dc_test_main("group_list", tests, DC_COUNT(tests));
}
