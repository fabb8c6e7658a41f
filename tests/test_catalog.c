/* tests/test_catalog.c - trees become one catalog: the same rows whatever the number of processes.
 */
#include "io/path.h"
#include "mpi/catalog.h"
#include "tests/fixture.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All rows on every process. */
static dc_tensor *all_rows(const dc_catalog *c, uint64_t *n)
{
    char *all;
    uint64_t bytes;
    DC_ASSERT_OK(
        dc_par_allgather(&all, &bytes, NULL, c->row, c->n * sizeof *c->row, dc_test_par()));
    *n = bytes / sizeof(dc_tensor);
    CU_ASSERT_EQUAL(*n, c->total);
    return (dc_tensor *)(void *)all;
}

static dc_catalog scan(const char *root)
{
    dc_catalog c;
    const dc_scan_root r = {.path = root};
    const dc_scan_ask ask = {.root = &r, .roots = 1};
    DC_ASSERT_OK(dc_catalog_scan(&c, &ask, dc_test_par()));
    return c;
}

#define MODEL "ge_default_20240613143502_1"

/* Process 0 writes; all wait. */
static void write_ops(const char *root, const dc_fixture_op *op, size_t n)
{
    dc_status st = DC_OK;
    for (size_t i = 0; dc_test_par()->process == 0 && st == DC_OK && i < n; i++)
        st = dc_fixture_write(root, &op[i]);
    DC_ASSERT_OK(dc_par_agree(st, dc_test_par()));
}

static void rows_come_in_key_order_with_occurrences(void)
{
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"20240613143502/0/" MODEL "/7/10", "Add", "net/add", 4, 1, 1700000000000004, NULL, 3, 1},
        {"20240613143502/0/" MODEL "/7/9", "Add", "net/add", 4, 1, 1700000000000003, NULL, 3, 1},
        {"20240613143502/0/" MODEL "/7/9", "Add", "net/add", 5, 1, 1700000000000001, NULL, 3, 1},
        {"20240613143503/1/ge_default_20240613143503_1/7/9", "Mul", "net/mul", 1, 1,
         1700000000000001, "m", 3, 1},
    };
    write_ops(root, op, DC_COUNT(op));
    dc_catalog c = scan(root);
    uint64_t n;
    dc_tensor *row = all_rows(&c, &n);
    CU_ASSERT_EQUAL_FATAL(n, 8);
    CU_ASSERT_EQUAL(c.runs, 1);
    for (uint64_t i = 1; i < n; i++)
        CU_ASSERT(dc_tensor_compare(&row[i - 1], &row[i]) < 0);
    CU_ASSERT(row[0].step == 9 && row[0].direction == DC_INPUT && row[0].occurrence == 0 &&
              row[0].task == 5);
    CU_ASSERT(row[1].occurrence == 1 && row[1].task == 4);
    CU_ASSERT(row[4].step == 10 && row[4].occurrence == 0);
    CU_ASSERT(row[6].rank == 1 && row[6].device == 1);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[0].op), "net/add");
    CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[0].model), "ge_default_1");
    CU_ASSERT_EQUAL(row[0].model, row[6].model);
    CU_ASSERT(row[0].model_dir != row[6].model_dir);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[7].origin_op), "m");
    free(row);
    dc_catalog_fini(&c);
}

static void a_repeated_key_starts_the_next_run(void)
{
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"20240613143502/0/" MODEL "/7/0", "Add", "a", 4, 1, 1700000000000001, NULL, 3, 1},
        {"20240613143504/0/" MODEL "/7/0", "Add", "b", 4, 1, 1700000000000002, NULL, 3,
         1}, /* other op: same run */
        {"20240613143508/0/" MODEL "/7/0", "Add", "a", 4, 1, 1700000000000003, NULL, 3,
         1}, /* again: next run */
        {"20240613143509/1/" MODEL "/7/0", "Add", "a", 4, 1, 1700000000000004, NULL, 3, 1},
        {"20240613153509/0/" MODEL "/7/0", "Add", "c", 4, 1, 1700000000000005, NULL, 3,
         1}, /* beyond the window */
    };
    write_ops(root, op, DC_COUNT(op));
    dc_catalog c = scan(root);
    uint64_t n;
    dc_tensor *row = all_rows(&c, &n);
    CU_ASSERT_EQUAL(c.runs, 3);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t t = row[i].dump_time - 1700000000000000;
        CU_ASSERT_EQUAL(row[i].run, t <= 2 ? 0 : t <= 4 ? 1 : 2);
        CU_ASSERT_EQUAL(row[i].occurrence, 0);
    }
    free(row);
    dc_catalog_fini(&c);
}

static void model_ids_become_instances_by_first_appearance(void)
{
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"20240613143502/0/m/3/0", "Add", "a", 4, 1, 1700000000000009, NULL, 3, 1},
        {"20240613143502/0/m/8/0", "Add", "a", 4, 1, 1700000000000001, NULL, 3, 1},
        {"20240613143502/0/m/8/1", "Add", "a", 4, 1, 1700000000000010, NULL, 3, 1},
    };
    write_ops(root, op, DC_COUNT(op));
    dc_catalog c = scan(root);
    uint64_t n;
    dc_tensor *row = all_rows(&c, &n);
    for (uint64_t i = 0; i < n; i++)
        CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[i].model),
                               row[i].dump_time % 100 == 9 ? "m#2" : "m");
    free(row);
    dc_catalog_fini(&c);
}

static void bad_and_foreign_files_are_listed_not_fatal(void)
{
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"20240613143502/0/m/3/0", "Add", "a", 4, 1, 1700000000000001, NULL, 3, 1}};
    write_ops(root, op, 1);
    if (dc_test_par()->process == 0) {
        DC_ASSERT_OK(dc_fixture_bytes(root, "20240613143502/0/m/3/0/Add.cut.1.2.1700000000000002",
                                      "\x10\0\0\0\0\0\0\0x", 9));
        DC_ASSERT_OK(dc_fixture_bytes(root, "20240613143502/0/m/3/0/notes.txt", "hi", 2));
        DC_ASSERT_OK(dc_fixture_bytes(root, "20240613143502/0/m/3/0/1234567890123", "hi", 2));
    }
    dc_par_barrier(dc_test_par());
    char file[DC_FILE_NAME];
    dc_catalog c = scan(root);
    CU_ASSERT_EQUAL(c.total, 2);
    CU_ASSERT_EQUAL(c.skipped_total, 3);
    CU_ASSERT_EQUAL(c.faults, 2);
    CU_ASSERT_EQUAL(c.files, 4);
    if (dc_test_par()->process == 0) {
        static const char *const name[] = {"1234567890123", "Add.cut.1.2.1700000000000002"};
        for (size_t i = 0; i < DC_COUNT(name); i++)
            CU_ASSERT_STRING_EQUAL(
                dc_file_name(file, c.names, c.skipped[i].file, c.skipped[i].file_number), name[i]);
        CU_ASSERT_EQUAL(c.skipped[2].fault, 0);
    }
    dc_catalog_fini(&c);
}

static void long_names_come_back_through_mapping_csv(void)
{
    const char *root = dc_test_shared_dir();
    char name[301];
    memset(name, 'x', 300);
    memcpy(name, "net/long/", 9);
    name[300] = '\0';
    const dc_fixture_op op[] = {
        {"20240613143502/0/m/3/0", "Add", name, 4, 1, 1700000000000001, NULL, 3, 1}};
    write_ops(root, op, 1);
    dc_catalog c = scan(root);
    uint64_t n;
    dc_tensor *row = all_rows(&c, &n);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[0].op), name);
    CU_ASSERT_STRING_EQUAL(dc_pool_text(c.names, row[0].op_type), "Add");
    CU_ASSERT_EQUAL(row[0].task, 4);
    free(row);
    dc_catalog_fini(&c);
}

static bool outside_models(void *context, const dc_scan_dir *dir)
{
    (void)context;
    return !*dir->model_dir;
}

static void links_are_followed_once(void)
{
    static const char *const link[][2] = {
        {"..", "real/20240613143502/loop"},
        {"real", "z_again"},
        {"real/20240613143502/0/m/3/0", "a_short_cut"}, /* which does not say whose it is */
        {"../outside", "real/elsewhere"}};
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"real/20240613143502/0/m/3/0", "Add", "a", 4, 1, 1700000000000001, NULL, 3, 1},
        {"outside", "Add", "b", 4, 1, 1700000000000002, NULL, 3, 1}};
    write_ops(root, op, 2);
    for (size_t i = 0; dc_test_par()->process == 0 && i < DC_COUNT(link); i++) {
        char *path = dc_path_join(root, link[i][1]);
        CU_ASSERT_TRUE(path && symlink(link[i][0], path) == 0);
        free(path);
    }
    dc_par_barrier(dc_test_par());
    uint64_t n;
    dc_catalog c = scan(root);
    dc_tensor *row = all_rows(&c, &n);
    CU_ASSERT_EQUAL(n, 4);
    for (uint64_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(row[i].step, strcmp(dc_pool_text(c.names, row[i].op), "a") == 0 ? 0 : -1);
    free(row);
    dc_catalog_fini(&c);
    const dc_scan_root r = {.path = root};
    const dc_scan_ask ask = {.root = &r, .roots = 1, .filter = {.want_dir = outside_models}};
    DC_ASSERT_OK(dc_catalog_scan(&c, &ask, dc_test_par()));
    CU_ASSERT_EQUAL(c.total, 2); /* what is not wanted does not come in by a link */
    dc_catalog_fini(&c);
}

static void a_missing_root_ends_the_phase_for_all(void)
{
    dc_catalog c;
    const dc_scan_root r = {.path = "/nowhere/at/all"};
    const dc_scan_ask ask = {.root = &r, .roots = 1};
    CU_ASSERT_EQUAL(dc_catalog_scan(&c, &ask, dc_test_par()), DC_ENOENT);
    CU_ASSERT_STRING_EQUAL(
        dc_last_error(),
        "/nowhere/at/all: cannot open the dump directory: No such file or directory");
}

static void an_empty_tree_gives_an_empty_catalog(void)
{
    dc_catalog c = scan(dc_test_shared_dir());
    CU_ASSERT_EQUAL(c.total, 0);
    CU_ASSERT_EQUAL(c.runs, 0);
    dc_catalog_fini(&c);
}

static void one_process_out_of_memory_fails_all(void)
{
    const char *root = dc_test_shared_dir();
    const dc_fixture_op op[] = {
        {"20240613143502/0/m/3/0", "Add", "a", 4, 1, 1700000000000001, NULL, 3, 1}};
    write_ops(root, op, 1);
    const dc_scan_root r = {.path = root};
    const dc_scan_ask ask = {.root = &r, .roots = 1};
    dc_catalog c;
    DC_ASSERT_FAULT(DC_ENOMEM, "mem.grow", 1, dc_catalog_scan(&c, &ask, dc_test_par()));
}

static dc_status scan_roots(dc_catalog *c, const dc_scan_root *root, size_t n, bool mixed)
{
    const dc_scan_ask ask = {.root = root, .roots = n, .mixed = mixed};
    *c = (dc_catalog){0};
    return dc_catalog_scan(c, &ask, dc_test_par());
}

#define AT(second, device, name, task, time)                                                       \
    {                                                                                              \
        "202406131435" second "/" device "/m/3/0", "Add", name, task, 1,                           \
            1700000000000000 + (time), NULL, 3, 1                                                  \
    }

static void two_servers_are_refused_unless_told_apart(void)
{
    const char *root = dc_test_shared_dir();
    char a[600], b[600];
    const dc_fixture_op op[] = {AT("02", "0", "a", 1, 1), AT("02", "0", "b", 2, 3),
                                AT("03", "0", "a", 1, 2), AT("03", "0", "b", 2, 4)};
    dc_catalog c;
    write_ops(root, op, DC_COUNT(op));
    dc_scan_root one = {.path = root};
    CU_ASSERT_EQUAL(scan_roots(&c, &one, 1, false), DC_EARG); /* at the same time */
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "at the same time under"));
    DC_ASSERT_OK(scan_roots(&c, &one, 1, true));
    CU_ASSERT_EQUAL(c.runs, 2);
    dc_catalog_fini(&c);
    snprintf(a, sizeof a, "%s/20240613143502", root);
    snprintf(b, sizeof b, "%s/20240613143503", root);
    dc_scan_root two[2] = {{.path = a}, {.path = b, .group = 1}};
    CU_ASSERT_EQUAL(scan_roots(&c, two, 2, false), DC_EARG);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "is in two trees at the same time"));
    two[1].rank_offset = 1;
    DC_ASSERT_OK(scan_roots(&c, two, 2, false));
    CU_ASSERT_EQUAL(c.runs, 1);
    dc_catalog_fini(&c);
    two[0].has_rank = true; /* {rank}: told, whatever the device */
    two[0].rank = 7;
    DC_ASSERT_OK(scan_roots(&c, two, 1, false));
    CU_ASSERT(c.n == 0 || (c.row[0].rank == 7 && c.row[0].device == 0));
    dc_catalog_fini(&c);
}

static void executions_of_two_processes_do_not_mix_but_repeated_ones_do(void)
{
    const dc_fixture_op mixed[] = {AT("02", "0", "a", 1, 1), AT("02", "0", "b", 2, 3),
                                   AT("02", "0", "c", 3, 5), AT("02", "0", "a", 1, 2),
                                   AT("02", "0", "b", 2, 4), AT("02", "0", "c", 3, 6)};
    const dc_fixture_op again[] = {AT("02", "0", "a", 1, 1), AT("02", "0", "b", 2, 2),
                                   AT("02", "0", "c", 3, 3), AT("02", "0", "a", 1, 4),
                                   AT("02", "0", "b", 2, 5), AT("02", "0", "c", 3, 6)};
    dc_catalog c;
    dc_scan_root root = {.path = dc_test_shared_dir()};
    write_ops(root.path, mixed, DC_COUNT(mixed));
    CU_ASSERT_EQUAL(scan_roots(&c, &root, 1, false), DC_EARG);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "holds the files of two processes"));
    DC_ASSERT_OK(scan_roots(&c, &root, 1, true));
    CU_ASSERT_EQUAL(c.total, 12);
    dc_catalog_fini(&c);
    root.path = dc_test_shared_dir();
    write_ops(root.path, again, DC_COUNT(again));
    DC_ASSERT_OK(scan_roots(&c, &root, 1, false));
    CU_ASSERT_EQUAL(c.total, 12);
    dc_catalog_fini(&c);
}

static void one_process_that_fails_ends_the_scan_for_all(void)
{
    const dc_fixture_op op[] = {AT("02", "0", "a", 1, 1)};
    const dc_scan_root root = {.path = dc_test_shared_dir()};
    dc_catalog c;
    write_ops(root.path, op, DC_COUNT(op));
    DC_ASSERT_FAULT(DC_EIO, "walk.deal", 1, scan_roots(&c, &root, 1, false));
    CU_ASSERT_STRING_EQUAL(dc_last_error(), "fault injected: walk.deal");
    DC_ASSERT_OK(scan_roots(&c, &root, 1, false));
    CU_ASSERT_EQUAL(c.total, 2);
    dc_catalog_fini(&c);
}

static void exceptions_join_the_run_they_are_nearest_to(void)
{
    const char *root = dc_test_shared_dir();
    dc_fixture_op op[] = {AT("02", "0", "a", 1, 1), AT("09", "0", "a", 1, 1000),
                          AT("09", "0", "x", 1, 900)};
    op[2].dir = "extra-info/data-dump/0";
    dc_catalog c;
    uint64_t n;
    write_ops(root, op, DC_COUNT(op));
    DC_ASSERT_OK(scan_roots(&c, &(dc_scan_root){.path = root}, 1, false));
    dc_tensor *row = all_rows(&c, &n);
    CU_ASSERT_EQUAL(c.runs, 2);
    for (uint64_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(row[i].run, row[i].dump_time % 10000 >= 900);
    free(row);
    dc_catalog_fini(&c);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(rows_come_in_key_order_with_occurrences),
        DC_TEST(a_repeated_key_starts_the_next_run),
        DC_TEST(model_ids_become_instances_by_first_appearance),
        DC_TEST(bad_and_foreign_files_are_listed_not_fatal),
        DC_TEST(long_names_come_back_through_mapping_csv),
        DC_TEST(links_are_followed_once),
        DC_TEST(a_missing_root_ends_the_phase_for_all),
        DC_TEST(an_empty_tree_gives_an_empty_catalog),
        DC_TEST(one_process_out_of_memory_fails_all),
        DC_TEST(two_servers_are_refused_unless_told_apart),
        DC_TEST(executions_of_two_processes_do_not_mix_but_repeated_ones_do),
        DC_TEST(one_process_that_fails_ends_the_scan_for_all),
        DC_TEST(exceptions_join_the_run_they_are_nearest_to),
    };
    return dc_test_main_mpi("catalog", tests, DC_COUNT(tests));
}
