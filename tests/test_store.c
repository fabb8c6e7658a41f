/* tests/test_store.c - the store without MPI: every dtype's slab reads back through HDF5, views
 * have the tensors' shapes, damaged offsets are refused. */
#include "capture/view.h"
#include "io/dtype.h"
#include "io/path.h"
#include "io/store.h"
#include "io/store_result.h"
#include "tests/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 6 /* elements of each tensor */

static dc_pool *pool_of(const char *const *text, size_t n)
{
    dc_pool *p;
    uint32_t id;
    DC_ASSERT_OK(dc_pool_new(&p));
    for (size_t i = 0; i < n; i++)
        DC_ASSERT_OK(dc_pool_adds(&id, p, text[i]));
    return p;
}

/* A store of the given rows in one group each; slabs as large as the rows need. */
static void make(const char *path, dc_tensor *row, uint64_t n, const dc_pool *names)
{
    dc_store *s;
    dc_store_plan plan = {.rows = n, .groups = n, .strings = dc_pool_count(names), .holder = "me"};
    uint64_t first[64], bytes[64];
    for (uint64_t i = 0; i < n; i++) {
        first[i] = i;
        bytes[i] = row[i].bytes;
        plan.slab[row[i].dtype] += dc_round_up(row[i].bytes, 64) / dc_store_element(row[i].dtype);
    }
    for (uint32_t i = 0; i < plan.strings; i++)
        plan.string_bytes += strlen(dc_pool_text(names, i));
    DC_ASSERT_OK(dc_store_create(path, &plan));
    DC_ASSERT_OK(dc_store_open_empty(&s, path, H5P_DEFAULT));
    DC_ASSERT_OK(dc_store_put_rows(s, row, 0, n));
    DC_ASSERT_OK(dc_store_put_groups(s, first, bytes, 0, n));
    DC_ASSERT_OK(dc_store_put_strings(s, names));
    DC_ASSERT_OK(dc_store_close(s));
}

static void mark_planned(const char *path)
{
    dc_store *s;
    DC_ASSERT_OK(dc_store_open_new(&s, path));
    DC_ASSERT_OK(dc_store_finish_plan(s));
    DC_ASSERT_OK(dc_store_close(s));
}

static const char *store_path(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/x.h5", dc_test_dir());
    return path;
}

static void every_dtype_reads_back_through_hdf5(void)
{
    const char *path = store_path(), *const text[] = {"", "op"};
    dc_pool *names = pool_of(text, DC_COUNT(text));
    dc_tensor row[DC_DTYPE_COUNT] = {{0}};
    dc_store *s;
    for (uint32_t d = 0; d < DC_DTYPE_COUNT; d++) {
        row[d] = (dc_tensor){.op = 1, .slot = d, .dtype = (uint8_t)d};
        CU_ASSERT_TRUE(dc_dtype_bytes(&row[d].bytes, d, N));
    }
    make(path, row, DC_DTYPE_COUNT, names);
    mark_planned(path);
    DC_ASSERT_OK(dc_store_open(&s, path, true));
    int fd = open(path, O_RDWR);
    for (uint32_t d = 0; d < DC_DTYPE_COUNT; d++) {
        char in[N * 16], out[4096] = {0}, name[64];
        for (size_t i = 0; i < sizeof in; i++)
            in[i] = (char)(d == DC_BOOL ? i % 2 : i * 7 + d);
        DC_ASSERT_OK(dc_pwrite(fd, in, row[d].bytes, dc_store_tensor_at(s, &row[d]), path));
        snprintf(name, sizeof name, "/segment/0/slab/%s", dc_dtype_get(d)->name);
        hid_t set = H5Dopen2(dc_store_hid(s), name, H5P_DEFAULT), type = H5Dget_type(set);
        hid_t want = dc_store_type(d), space = H5Dget_space(set);
        hsize_t count = row[d].bytes / dc_store_element(d), start = 0;
        hid_t memory = H5Screate_simple(1, &count, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
        CU_ASSERT(H5Tequal(type, want) > 0);
        CU_ASSERT_EQUAL(H5Tget_size(type), dc_store_element(d));
        CU_ASSERT(H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0);
        CU_ASSERT_EQUAL(memcmp(in, out, row[d].bytes), 0);
        H5Sclose(memory);
        H5Sclose(space);
        H5Tclose(want);
        H5Tclose(type);
        H5Dclose(set);
    }
    close(fd);
    DC_ASSERT_OK(dc_store_close(s));
    dc_pool_free(names);
}

/* The dims of a view, -1 if it is not there. */
static int view_rank(const dc_store *s, const char *path, hsize_t *dim)
{
    hid_t set = H5Dopen2(dc_store_hid(s), path, H5P_DEFAULT);
    if (set < 0)
        return -1;
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, dim, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return rank;
}

static void views_have_the_shapes_of_their_tensors(void)
{

    const char *path = store_path();
    const char *const text[] = {"",      "a/../s",     "",  "2x3",         "5",
                                "4x0x7", "x:output:5", "x", "x:output:5/y"};
    dc_pool *names = pool_of(text, DC_COUNT(text));
    const uint32_t shape_2x3 = dc_pool_find(names, "2x3"), shape_5 = dc_pool_find(names, "5"),
                   shape_0 = dc_pool_find(names, "4x0x7"), op = dc_pool_find(names, "a/../s"),
                   x = dc_pool_find(names, "x"), below = dc_pool_find(names, "x:output:5/y");
    dc_tensor row[] = {
        {.op = op, .direction = 1, .step = 0, .dtype = DC_FLOAT32, .bytes = 4},
        {.op = op,
         .direction = 1,
         .slot = 1,
         .dtype = DC_FLOAT32,
         .shape = shape_0,
         .slab_offset = 16},
        {.op = op, .direction = 1, .slot = 2, .dtype = DC_FLOAT16, .shape = shape_2x3, .bytes = 12},
        {.op = op, .direction = 1, .slot = 3, .dtype = DC_INT4, .shape = shape_5, .bytes = 3},
        {.op = op, .direction = 1, .slot = 4, .dtype = DC_INT32, .shape = shape_2x3, .bytes = 20},
        {.op = x, .direction = 1, .slot = 5, .dtype = DC_INT8, .shape = shape_5, .bytes = 5},
        {.op = below, .direction = 1, .slot = 0, .dtype = DC_UINT8, .shape = shape_5, .bytes = 5},
    };
    dc_store *s;
    uint64_t made;
    hsize_t dim[DC_MAX_RANK] = {9, 9, 9};
    make(path, row, DC_COUNT(row), names);
    DC_ASSERT_OK(dc_store_open_new(&s, path));
    DC_ASSERT_OK(dc_view_make(&made, s, NULL));
    CU_ASSERT_EQUAL(made, DC_COUNT(row) - 1); /* the last one's path is blocked by the one before */
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/a/%2E%2E/s:output:0", dim), 0);
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/a/%2E%2E/s:output:1", dim), 3);
    CU_ASSERT(dim[0] == 4 && dim[1] == 0 && dim[2] == 7);
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/a/%2E%2E/s:output:2", dim), 2);
    CU_ASSERT(dim[0] == 2 && dim[1] == 3);
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/a/%2E%2E/s:output:3", dim), 1);
    CU_ASSERT_EQUAL(dim[0], 3); /* packed bytes */
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/a/%2E%2E/s:output:4", dim), 1);
    CU_ASSERT_EQUAL(dim[0], 5); /* bytes do not agree with the shape */
    DC_ASSERT_OK(dc_view_make(&made, s, NULL));
    CU_ASSERT_EQUAL(made, 0);
    DC_ASSERT_OK(dc_store_close(s));
    dc_pool_free(names);
}

static void views_of_unreadable_sources_are_dropped(void)
{
    const char *path = store_path(), *const text[] = {"", "op", "5"};
    dc_pool *names = pool_of(text, DC_COUNT(text));
    dc_tensor row[] = {
        {.op = 1, .shape = 2, .dtype = DC_INT8, .bytes = 5},
        {.op = 1, .slot = 1, .shape = 2, .dtype = DC_INT8, .bytes = 5, .slab_offset = 64}};
    const dc_result result[] = {{.state = DC_STORED}, {.state = DC_UNREADABLE}};
    dc_store *s;
    uint64_t made;
    hsize_t dim[DC_MAX_RANK];
    make(path, row, DC_COUNT(row), names);
    DC_ASSERT_OK(dc_store_open_new(&s, path));
    DC_ASSERT_OK(dc_view_make(&made, s, NULL));
    int fd = open(path, O_RDWR);
    DC_ASSERT_OK(dc_store_put_results(s, fd, result, 0, DC_COUNT(result)));
    close(fd);
    DC_ASSERT_OK(dc_store_close(s));
    DC_ASSERT_OK(dc_store_open_new(&s, path));
    DC_ASSERT_OK(dc_view_drop_unreadable(s));
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/op:input:0", dim), 1);
    CU_ASSERT_EQUAL(view_rank(s, "/tensors/rank0/step0/op:input:1", dim), -1);
    DC_ASSERT_OK(dc_store_close(s));
    dc_pool_free(names);
}

static void a_store_opens_only_once_its_plan_is_whole(void)
{
    const char *path = store_path(), *const text[] = {"", "op"};
    dc_pool *names = pool_of(text, DC_COUNT(text));
    dc_tensor row[] = {{.op = 1, .dtype = DC_INT8, .bytes = 5}};
    dc_store *s;
    make(path, row, DC_COUNT(row), names);
    CU_ASSERT_EQUAL(dc_store_open(&s, path, false), DC_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(dc_last_error(), "plan is not whole"));
    mark_planned(path);
    DC_ASSERT_OK(dc_store_open(&s, path, true));
    DC_ASSERT_OK(dc_store_set_holder(s, "somebody else"));
    CU_ASSERT_FALSE(dc_store_complete(s));
    DC_ASSERT_OK(dc_store_finish(s));
    DC_ASSERT_OK(dc_store_close(s));
    DC_ASSERT_OK(dc_store_open(&s, path, false));
    char *holder = dc_store_attribute(s, "holder");
    CU_ASSERT_STRING_EQUAL(holder, "somebody else");
    CU_ASSERT_TRUE(dc_store_complete(s));
    free(holder);
    DC_ASSERT_OK(dc_store_close(s));
    dc_pool_free(names);
}

static void damaged_offsets_lead_nowhere(void)
{
    const char *path = store_path(), *const text[] = {"", "op"};
    dc_pool *names = pool_of(text, DC_COUNT(text));
    dc_tensor row[] = {{.op = 1, .dtype = DC_INT32, .bytes = 20}};
    dc_store *s;
    make(path, row, DC_COUNT(row), names);
    mark_planned(path);
    DC_ASSERT_OK(dc_store_open(&s, path, false));
    uint64_t size = dc_store_slab_size(s, DC_INT32);
    const struct {
        uint8_t dtype;
        uint64_t offset, bytes;
        bool good;
    } at[] = {{DC_INT32, 0, 20, true},
              {DC_INT32, size / 4, 0, true},
              {DC_INT32, size / 4, 1, false},
              {DC_INT32, size / 4 - 1, 5, false},
              {DC_INT32, (uint64_t)1 << 62, 0, false},
              {DC_INT32, 1, UINT64_MAX, false},
              {DC_FLOAT64, 0, 0, false},
              {200, 0, 0, false}};
    for (size_t i = 0; i < DC_COUNT(at); i++) {
        const dc_tensor t = {
            .dtype = at[i].dtype, .slab_offset = at[i].offset, .bytes = at[i].bytes};
        CU_ASSERT_EQUAL(dc_store_tensor_at(s, &t) != UINT64_MAX, at[i].good);
    }
    DC_ASSERT_OK(dc_store_close(s));
    dc_pool_free(names);
}

int main(void)
{
    static const dc_test tests[] = {
        DC_TEST(every_dtype_reads_back_through_hdf5),
        DC_TEST(views_have_the_shapes_of_their_tensors),
        DC_TEST(views_of_unreadable_sources_are_dropped),
        DC_TEST(a_store_opens_only_once_its_plan_is_whole),
        DC_TEST(damaged_offsets_lead_nowhere),
    };
    return dc_test_main("store", tests, DC_COUNT(tests));
}
