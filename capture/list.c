/* capture/list.c - see list.h */
#include "capture/list.h"

#include "capture/overflow_text.h"
#include "capture/skipped_text.h"
#include "capture/unmatched.h"
#include "capture/view.h"
#include "io/dtype.h"
#include "io/format.h"
#include "io/select.h"
#include "io/word.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 1024

typedef struct lister {
    const dc_store *s;
    const dc_pool *names;
    const char *glob;
    dc_select *select;
    bool long_list;
    int32_t runs;
    uint64_t shown, bytes;
    dc_buf path;
} lister;

static const char *const state_name[] = {"not stored", "stored", "source unreadable",
                                         "statistics only"};

static dc_status add_count(dc_buf *out, const char *name, uint64_t v)
{
    return v == DC_NOT_TOLD ? dc_buf_printf(out, " %s -", name)
                            : dc_buf_printf(out, " %s %" PRIu64, name, v);
}

static dc_status add_real(dc_buf *out, const char *name, double v)
{
    return isnan(v) ? dc_buf_printf(out, "%s -", name) : dc_buf_printf(out, "%s %.6g", name, v);
}

dc_status dc_list_statistics(dc_buf *out, const dc_result *r)
{
    dc_status st = add_real(out, "min", r->min);
    if (st == DC_OK)
        st = add_real(out, " max", r->max);
    if (st == DC_OK)
        st = add_real(out, " mean", r->mean);
    if (st == DC_OK)
        st = add_real(out, " l2", r->l2);
    if (st == DC_OK)
        st = add_count(out, "nan", r->nan);
    if (st == DC_OK)
        st = add_count(out, "+inf", r->pos_inf);
    if (st == DC_OK)
        st = add_count(out, "-inf", r->neg_inf);
    return st == DC_OK ? add_count(out, "zero", r->zero) : st;
}

static const char *remark(const dc_tensor *t)
{
    if (t->flags & DC_DUMP_NULL_ADDRESS)
        return " (null address: no bytes)";
    return t->flags & DC_DUMP_SHORT ? " (damaged: fewer bytes than its shape needs)" : "";
}

static dc_status print_statistics(const dc_result *r)
{
    dc_buf text = {0};
    if (r->state != DC_STORED && r->state != DC_STATISTICS) {
        printf("    %s\n", state_name[r->state < 3 ? r->state : 0]);
        return DC_OK;
    }
    dc_status st = dc_list_statistics(&text, r);
    if (st == DC_OK)
        printf("    %.*s", (int)text.n, text.data);
    if (st == DC_OK && r->state == DC_STATISTICS)
        printf(" (%s)", state_name[r->state]);
    if (r->hash)
        printf(" hash %016" PRIx64, r->hash);
    printf("\n");
    dc_buf_free(&text);
    return st;
}

void dc_list_line(const dc_tensor *t, const dc_pool *names, const char *path)
{
    dc_shape shape;
    char text[DC_SHAPE_TEXT];
    if (dc_shape_parse(&shape, dc_pool_text(names, t->shape)) != DC_OK)
        shape.rank = 0;
    dc_shape_print_list(text, &shape);
    printf("%s  %s %s %s %" PRIu64 " B%s\n", path, dc_dtype_get(t->dtype)->name, text,
           dc_format_name(t->format), t->bytes, remark(t));
}

static dc_status print_row(const lister *l, const dc_tensor *t, const dc_result *r)
{
    dc_list_line(t, l->names, l->path.data);
    char file[DC_FILE_NAME];
    if (!l->long_list)
        return DC_OK;
    dc_status st = print_statistics(r);
    printf("    %s of %s, from %s/%s\n", dc_pool_text(l->names, t->op_type),
           t->origin_op ? dc_pool_text(l->names, t->origin_op) : "-",
           dc_pool_text(l->names, t->dir), dc_file_name(file, l->names, t->file, t->file_number));
    return st;
}

static dc_status consider(lister *l, const dc_tensor *t, const dc_result *r)
{
    const dc_select_model model = {0};
    const dc_select_op op = {.model = &model,
                             .name = dc_pool_text(l->names, t->op),
                             .type = dc_pool_text(l->names, t->op_type),
                             .feeds_selected = -1};
    if (!dc_select_rank(l->select, t->rank < 0 ? 0 : (uint64_t)t->rank) ||
        (t->step >= 0 && !dc_select_step(l->select, (uint64_t)t->step)) ||
        !dc_select_ops(l->select, &op))
        return DC_OK;
    l->path.n = 0;
    dc_status st = dc_view_path(&l->path, t, l->names, l->runs);
    if (st == DC_OK)
        st = dc_buf_add(&l->path, "", 1);
    if (st != DC_OK || (l->glob && fnmatch(l->glob, l->path.data, 0) != 0))
        return st;
    l->shown++;
    l->bytes += t->bytes;
    return print_row(l, t, r);
}

static dc_status list_rows(lister *l)
{
    dc_tensor *row = malloc(BATCH * sizeof *row);
    dc_result *result = malloc(BATCH * sizeof *result);
    uint64_t total = dc_store_rows(l->s);
    dc_status st = row && result ? dc_view_runs(&l->runs, l->s) : dc_fail_memory();
    for (uint64_t first = 0; st == DC_OK && first < total; first += BATCH) {
        uint64_t n = total - first < BATCH ? total - first : BATCH;
        st = dc_store_get_rows(row, result, l->s, first, n);
        for (uint64_t i = 0; st == DC_OK && i < n; i++)
            st = consider(l, &row[i], &result[i]);
    }
    if (st == DC_OK)
        st = dc_unmatched_selectors(l->select, l->s);
    if (st == DC_OK)
        printf("%" PRIu64 " of %" PRIu64 " %s, %.3f MB%s\n", l->shown, total,
               dc_word(total, "tensor", "tensors"), (double)l->bytes / 1e6,
               dc_store_complete(l->s)
                   ? ""
                   : "; the capture was interrupted, continue it with --resume");
    free(result);
    free(row);
    return st;
}

static dc_status list_skipped(const dc_store *s)
{
    uint64_t n = dc_store_skipped(s);
    const dc_pool *names = dc_store_names(s);
    char file[DC_FILE_NAME];
    dc_skipped *row = NULL;
    dc_buf text = {0};
    dc_status st = dc_skipped_load(&row, s);
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        printf("%s/%s: %s\n", dc_pool_text(names, row[i].dir),
               dc_file_name(file, names, row[i].file, row[i].file_number),
               dc_pool_text(names, row[i].reason));
    if (st == DC_OK)
        st = dc_skipped_text(&text, row, n, names, 0);
    if (st == DC_OK && n == 0)
        st = dc_buf_puts(&text, "0 files gave no tensors\n");
    if (st == DC_OK)
        printf("%.*s", (int)text.n, text.data);
    dc_buf_free(&text);
    free(row);
    return st;
}

dc_status dc_list_store(const char *store, const char *glob, const dc_capture_options *o)
{
    dc_store *s = NULL;
    const dc_select_extra extra = {
        .op = o->op.item, .nop = o->op.n, .step = o->step, .rank = o->rank};
    lister l = {.glob = glob, .long_list = o->long_list};
    dc_status st = dc_select_new(&l.select, NULL, &extra);
    if (st == DC_OK)
        st = dc_store_open(&s, store, false);
    if (st == DC_OK) {
        l.s = s;
        l.names = dc_store_names(s);
        st = o->overflow ? dc_overflow_list(s) : o->skipped ? list_skipped(s) : list_rows(&l);
    }
    bool none = st == DC_OK && s && l.shown == 0 && !o->overflow && !o->skipped;
    bool selected = glob || o->op.n || o->step || o->rank;
    dc_select_free(l.select);
    dc_buf_free(&l.path);
    dc_status closed = dc_store_close(s);
    st = st == DC_OK ? closed : st;
    if (st == DC_OK && none && glob)
        st = dc_unmatched(store, glob);
    return st == DC_OK && none && selected ? dc_fail(DC_ENOENT, "%s: no tensor is selected", store)
                                           : st;
}
