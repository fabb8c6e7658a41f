/* tests/test_tree.c - what paths of dump trees say; listing. */
#include "io/path.h"
#include "io/tree.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void model_is(const char *dir, const char *want)
{
    dc_tree_place p;
    dc_tree_place_parse(&p, dir);
    CU_ASSERT_EQUAL(p.model_length, strlen(want));
    CU_ASSERT(strncmp(p.model, want, strlen(want)) == 0);
}

static void static_model_path_is_read_whole(void)
{
    dc_tree_place p;
    const char *dir = "/data/output//20240613143502/3/ge_default_20240613143502_1/11/10";
    dc_tree_place_parse(&p, dir);
    CU_ASSERT_STRING_EQUAL(p.time, "20240613143502");
    CU_ASSERT_EQUAL(p.device, 3);
    CU_ASSERT_EQUAL(p.model_id, 11);
    CU_ASSERT_EQUAL(p.step, 10);
    CU_ASSERT_EQUAL(p.rank, -1);
    model_is(dir, "ge_default_20240613143502_1");
}

static void other_layouts_are_understood(void)
{
    dc_tree_place p;
    dc_tree_place_parse(&p, "x/20240613143502/20240613143503/1/m/7");
    CU_ASSERT_STRING_EQUAL(p.time, "20240613143503");
    CU_ASSERT(p.device == 1 && p.model_id == 7 && p.step == -1);
    dc_tree_place_parse(&p, "x/20240613143502/5");
    CU_ASSERT(p.device == 5 && p.model_length == 0 && p.step == -1);
    dc_tree_place_parse(&p, "x/rank_4/20240613143502/step_2");
    CU_ASSERT(p.rank == 4 && p.step == 2 && p.device == -1);
    dc_tree_place_parse(&p, "x/step3/20200808163566/0");
    CU_ASSERT(p.step == 3 && p.device == 0);
    dc_tree_place_parse(&p, "x/20240613143502/0/pid123/m/1/0/9");
    CU_ASSERT(p.model_id == 1 && p.step == 9);
    model_is("x/20240613143502/0/pid123/m/1/0/9", "m");
    dc_tree_place_parse(&p, "nothing/of/that");
    CU_ASSERT(p.time[0] == '\0' && p.device == -1 && p.step == -1);
}

static void unnumbered_is(const char *dir, const char *want)
{
    dc_tree_place p;
    dc_tree_place_parse(&p, dir);
    CU_ASSERT_EQUAL(p.unnumbered_length, strlen(want));
    CU_ASSERT(p.unnumbered_length == 0 || strncmp(p.unnumbered, want, p.unnumbered_length) == 0);
}

static void levels_without_a_number_are_told(void)
{
    unnumbered_is("x/rankX/20240613143502/0", "rankX");
    unnumbered_is("x/rank_/20240613143502/0", "rank_");
    unnumbered_is("x/rank_99999999999999999999/20240613143502/0", "rank_99999999999999999999");
    unnumbered_is("x/stepabc/20240613143502/0", "stepabc");
    unnumbered_is("x/rank_1/20240613143502/stepabc", "stepabc");
    unnumbered_is("x/rank_1/step_2/20240613143502/0", "");
    unnumbered_is("x/rankX/rank_1/20240613143502/0", "");  /* another level tells it */
    unnumbered_is("x/stepabc/20240613143502/0/m/1/4", ""); /* data_index does */
    unnumbered_is("x/20240613143502/0/rankings/1/4", "");  /* a model */
    unnumbered_is("x/rank/step/20240613143502/0", "");     /* not the beginning of a name */
}

static void root_is(const char *path, const char *want)
{
    char *root = dc_tree_root(path);
    CU_ASSERT_PTR_NOT_NULL(root);
    if (root)
        CU_ASSERT_STRING_EQUAL(root, want);
    free(root);
}

static void roots_inside_a_tree_are_known_by_their_real_path(void)
{
    char here[4096], full[8192];
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(dc_test_dir(), here));
    CU_ASSERT_FATAL(chdir(here) == 0);
    snprintf(full, sizeof full, "%s/t/20240613143502/3", here);
    DC_ASSERT_OK(dc_mkdirs("t/20240613143502/3"));
    root_is("t/", "t");
    root_is("t//20240613143502", "t/20240613143502");
    root_is("missing/20240613143502", "missing/20240613143502");
    CU_ASSERT_FATAL(chdir("t/20240613143502/3") == 0);
    root_is(".", full);
    root_is("../3/", full);
    root_is("../..", "../.."); /* nothing is told there */
    root_is("missing", "missing");
    CU_ASSERT_FATAL(chdir(here) == 0);
    CU_ASSERT_FATAL(symlink("t/20240613143502/3", "link") == 0);
    root_is("link", full);
}

static void levels_of_other_peoples_are_passed_over(void)
{
    dc_tree_place p;
    dc_tree_place_parse(&p, "x/20240613143502/tmp/3/m_1/7/2");
    CU_ASSERT(p.device == 3 && p.model_id == 7 && p.step == 2);
    model_is("x/20240613143502/tmp/3/m_1/7/2", "m_1");
    dc_tree_place_parse(&p, "x/20240613143502/3/tmp/m_1/7/2/");
    CU_ASSERT(p.device == 3 && p.model_id == 7 && p.step == 2);
    model_is("x/20240613143502/3/tmp/m_1/7/2/", "m_1");
    model_is("x/20240613143502/3/12/7/2", "12");
    model_is("x/20240613143502/3/m_1/7/2/old", "m_1");
    dc_tree_place_parse(&p, "x/20240613143502/tmp");
    CU_ASSERT(p.device == -1 && p.model_length == 0);
}

static void times_count_even_when_impossible(void)
{
    CU_ASSERT_EQUAL(dc_tree_seconds("20240613143503") - dc_tree_seconds("20240613143502"), 1);
    CU_ASSERT_EQUAL(dc_tree_seconds("20200808163566") - dc_tree_seconds("20200808163606"), 0);
    CU_ASSERT_EQUAL(dc_tree_seconds(""), 0);
}

static void model_names_lose_their_time(void)
{
    char text[64];
    dc_tree_model_name(text, sizeof text, "ge_default_20240613143502_1", 27);
    CU_ASSERT_STRING_EQUAL(text, "ge_default_1");
    dc_tree_model_name(text, sizeof text, "resnet50", 8);
    CU_ASSERT_STRING_EQUAL(text, "resnet50");
    dc_tree_model_name(text, sizeof text, "m_20240613143502", 16);
    CU_ASSERT_STRING_EQUAL(text, "m");
    dc_tree_model_name(text, 4, "abcdefgh", 8);
    CU_ASSERT_STRING_EQUAL(text, "abc");
}

static void captured_names_and_exceptions_have_their_places(void)
{
    dc_tree_place p;
    dc_tree_place_parse(&p, "/d/20240613143502/3/Relu.net/scope");
    CU_ASSERT(p.device == 3 && p.model_length == 0 && p.step == -1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p.captured);
    CU_ASSERT_STRING_EQUAL(p.captured, "Relu.net/scope");
    dc_tree_place_parse(&p, "/d/20240613143502/3/dotted.model/1/0");
    CU_ASSERT(!p.captured && p.model_length == 12 && p.step == 0);
    dc_tree_place_parse(&p, "/d/extra-info/data-dump/5");
    CU_ASSERT(p.device == 5 && p.time[0] == '\0' && !p.captured);
}

static void listing_is_sorted_and_sees_through_links(void)
{
    const char *dir = dc_test_dir();
    char path[4096], link[4096];
    dc_tree_list l;
    for (int i = 3; i > 0; i--) {
        snprintf(path, sizeof path, "%s/f%d", dir, i);
        fclose(fopen(path, "w"));
    }
    snprintf(path, sizeof path, "%s/sub", dir);
    DC_ASSERT_OK(dc_mkdirs(path));
    snprintf(link, sizeof link, "%s/link", dir);
    CU_ASSERT_EQUAL(symlink(path, link), 0);
    snprintf(link, sizeof link, "%s/dangling", dir);
    CU_ASSERT_EQUAL(symlink("/nowhere/at/all", link), 0);
    DC_ASSERT_OK(dc_tree_list_dir(&l, dir));
    CU_ASSERT_EQUAL_FATAL(l.n, 5);
    CU_ASSERT_STRING_EQUAL(l.entry[0].name, "f1");
    CU_ASSERT_STRING_EQUAL(l.entry[3].name, "link");
    CU_ASSERT_TRUE(l.entry[3].is_dir && l.entry[4].is_dir);
    CU_ASSERT_EQUAL(l.entry[3].ino, l.entry[4].ino);
    dc_tree_list_free(&l);
    CU_ASSERT_EQUAL(dc_tree_list_dir(&l, "/nowhere/at/all"), DC_ENOENT);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(static_model_path_is_read_whole),
        DC_TEST(other_layouts_are_understood),
        DC_TEST(levels_without_a_number_are_told),
        DC_TEST(roots_inside_a_tree_are_known_by_their_real_path),
        DC_TEST(levels_of_other_peoples_are_passed_over),
        DC_TEST(times_count_even_when_impossible),
        DC_TEST(model_names_lose_their_time),
        DC_TEST(listing_is_sorted_and_sees_through_links),
        DC_TEST(captured_names_and_exceptions_have_their_places),
    };
    return dc_test_main("tree", tests, DC_COUNT(tests));
}
