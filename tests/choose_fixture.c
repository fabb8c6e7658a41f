/* tests/choose_fixture.c - see choose_fixture.h */
#include "tests/choose_fixture.h"

#include "io/dtype.h"
#include "io/dump_write.h"
#include "io/format.h"
#include "io/path.h"
#include "tests/mpi_harness.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- writing dumps ---- */

static dc_dump_tensor tensor(dc_direction direction, uint64_t elements, const char *origin)
{
    return (dc_dump_tensor){.direction = direction,
                            .dtype = DC_FLOAT32,
                            .format = DC_FORMAT_ND,
                            .shape = {1, {elements}},
                            .origin_name = origin,
                            .origin_slot = *origin ? 0 : DC_UNSET,
                            .origin_dtype = -1,
                            .origin_format = -1,
                            .arg_index = DC_UNSET,
                            .size = elements * 4,
                            .bytes = elements * 4};
}

void write_task(const char *dir, const task *t)
{
    static const float zero[16];
    dc_dump_tensor list[MOST_TENSORS + 1];
    const void *data[MOST_TENSORS + 1];
    size_t n = 0;
    for (; n < MOST_TENSORS && t->input[n]; n++)
        list[n] = tensor(DC_INPUT, t->input[n], "");
    list[n++] = tensor(DC_OUTPUT, 2, t->origin);
    for (size_t i = 0; i < n; i++)
        data[i] = zero;
    const dc_dump dump = {.op_name = t->nameless ? "" : t->name,
                          .dump_time = t->time,
                          .n = n,
                          .tensor = list,
                          .dfx_message = ""};
    const uint64_t ids[3] = {t->task, t->stream, t->time};
    char *path = NULL;
    DC_ASSERT_OK(dc_mkdirs(dir));
    DC_ASSERT_OK(dc_dump_make_path(&path, dir, t->type, t->name, ids));
    DC_ASSERT_OK(dc_dump_write(path, &(dc_dump_out){&dump, data, 1}));
    free(path);
}

void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(fputs(text, f) >= 0);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

/* ---- scanning ---- */

char *scan_lines(const dc_capture_options *o)
{
    const dc_par *par = dc_test_par();
    dc_choice c;
    dc_catalog found;
    dc_buf lines = {0}, assumed = {0};
    char *all;
    uint64_t bytes;
    DC_ASSERT_OK(dc_choice_make(&c, o));
    const dc_scan_ask ask = {
        .root = c.roots.root, .roots = c.roots.n, .filter = dc_choice_filter(&c)};
    DC_ASSERT_OK(dc_catalog_scan(&found, &ask, par));
    if (dc_choice_again(&c, par)) {
        dc_catalog_fini(&found);
        DC_ASSERT_OK(dc_catalog_scan(&found, &ask, par));
    }
    DC_ASSERT_OK(dc_choice_report(&assumed, &c, par));
    for (uint64_t i = 0; i < found.n; i++)
        DC_ASSERT_OK(dc_buf_printf(
            &lines, "%s %d %s %d %u\n", dc_pool_text(found.names, found.row[i].model_dir),
            (int)found.row[i].step, dc_pool_text(found.names, found.row[i].op),
            found.row[i].direction, found.row[i].slot));
    DC_ASSERT_OK(dc_par_allgather(&all, &bytes, NULL, lines.data, lines.n, par));
    all = realloc(all, bytes + 1);
    if (!all)
        abort();
    all[bytes] = '\0';
    dc_buf_free(&lines);
    dc_buf_free(&assumed);
    dc_catalog_fini(&found);
    dc_choice_fini(&c);
    return all;
}

dc_capture_options options_for(const char *root, const char *config)
{
    static char *arguments[1];
    arguments[0] = (char *)(uintptr_t)root;
    return (dc_capture_options){.config = config,
                                .rest = {.command = -1, .n = 1, .argument = arguments}};
}
