/* capture/choose_filter.c - the answers a choice gives to the scan: by directory, by file names, by
 * header. See choose.h.
 *
 * Names decide first, for all files of a directory at once and on the process that listed it: a
 * step's files lie in one directory, so ranges in the dump's own order and data nodes with the
 * operators they feed need nobody else. What names cannot tell is kept and asked again with the
 * header. */
#include "capture/choose.h"

#include "io/cmp.h"
#include "io/path.h"
#include "io/tree.h"

#include <stdlib.h>
#include <string.h>

/* dc_scan_file.mark: what the names' look found out, handed to the header's */
enum { WANTED = 1, IN_RANGE = 2, FEEDS = 4, FEEDS_NOT = 8, BY_ITSELF = 16 };
#define FFTS_PLUS     4  /* task type in a file name's suffix */
#define MOST_COMPARED 64 /* original names of one operator, beyond which doubles stay */

/* What is not noted without memory is missing in a message, no more. */
static void note_dir(dc_present *p, const dc_scan_dir *dir, const char *canonical)
{
    uint32_t id;
    dc_status st = dc_numbers_add(&p->rank, dir->rank);
    if (st == DC_OK)
        st = dc_numbers_add(&p->step, dir->step);
    if (st == DC_OK && *dir->model_dir)
        st = dc_pool_adds(&id, p->model, dir->model_dir);
    if (st == DC_OK)
        st = dc_pool_adds(&id, p->model, canonical);
    (void)st;
}

static bool want_dir(void *context, const dc_scan_dir *dir)
{
    dc_choice *c = context;
    char canonical[256];
    dc_tree_model_name(canonical, sizeof canonical, dir->model_dir, strlen(dir->model_dir));
    note_dir(&c->present, dir, canonical);
    const dc_select_model model = {.dir = dir->model_dir, .canonical = canonical};
    bool wanted = dc_select_rank(c->select, (uint64_t)dir->rank);
    if (!*dir->model_dir)
        return true; /* listed, so that the names of unwanted ranks' models are known */
    wanted = dc_select_models(c->select, &model) && wanted;
    return wanted && (dir->step < 0 || dc_select_step(c->select, (uint64_t)dir->step));
}

static dc_status note_file(dc_present *p, const dc_scan_dir *dir, const dc_scan_file *f)
{
    uint32_t id, before = dc_pool_count(p->op);
    dc_status st = dc_pool_adds(&id, p->type, f->op_type);
    if (st == DC_OK)
        st = dc_pool_adds(&id, p->op, f->op);
    if (st != DC_OK || id < before)
        return st;
    char *path = dc_path_join(dir->path, f->file);
    st = path ? dc_pool_adds(&id, p->op_file, path) : DC_ENOMEM;
    free(path);
    return st;
}

/* Leave out names that are there twice, and the operator's own: a selector matches it once. */
static void drop_repeated(dc_choice *c, const char *own)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->noriginal && c->noriginal <= MOST_COMPARED; i++) {
        bool again = strcmp(c->original[i], own) == 0;
        for (size_t k = 0; k < kept && !again; k++)
            again = strcmp(c->original[i], c->original[k]) == 0;
        if (!again)
            c->original[kept++] = c->original[i];
    }
    if (c->noriginal <= MOST_COMPARED)
        c->noriginal = kept;
}

/* Original names of an operator, from the graph and from its header (NULL: not read yet). */
static dc_status find_originals(dc_choice *c, const dc_model *model, const char *own, dc_gfound ops,
                                const dc_dump *dump)
{
    c->noriginal = 0;
    dc_status st = dc_model_originals(&c->original, &c->noriginal, &c->capnoriginal, model, ops);
    for (size_t i = 0; st == DC_OK && dump && i < dump->n; i++) {
        if (!*dump->tensor[i].origin_name)
            continue;
        st = dc_grow((void **)&c->original, &c->capnoriginal, c->noriginal, 1, sizeof *c->original);
        if (st == DC_OK)
            c->original[c->noriginal++] = dump->tensor[i].origin_name;
    }
    drop_repeated(c, own);
    return st;
}

/* The question about a file, by its name alone. */
static dc_status ask_by_name(dc_select_op *op, dc_choice *c, const dc_model *model,
                             const dc_scan_file *f)
{
    const dc_gfound ops = dc_model_ops(model, f->op, true);
    dc_status st = find_originals(c, model, f->op, ops, NULL);
    *op = (dc_select_op){.model = &model->name,
                         .pass = model->pass,
                         .name = f->op,
                         .type = f->op_type,
                         .original = c->original,
                         .noriginal = c->noriginal,
                         .sanitised = true,
                         .preview = true,
                         .original_unknown = ops.n == 0,
                         .own_names = !model->graph,
                         .range_known = !model->pass,
                         .in_range = f->mark & IN_RANGE,
                         .ignores_bans = f->name.task_type == FFTS_PLUS,
                         .feeds_selected = -1};
    return st;
}

/* The question with the header's help. */
static dc_status ask_by_header(dc_select_op *op, dc_choice *c, const dc_model *model,
                               const dc_scan_op *scan)
{
    bool sanitised = !*scan->dump->op_name;
    const dc_gfound ops = dc_model_ops(model, scan->op, sanitised);
    dc_status st = find_originals(c, model, scan->op, ops, scan->dump);
    *op = (dc_select_op){.model = &model->name,
                         .pass = model->pass,
                         .name = scan->op,
                         .type = scan->op_type,
                         .original = c->original,
                         .noriginal = c->noriginal,
                         .sanitised = sanitised,
                         .own_names = !model->graph,
                         .range_known = !model->pass,
                         .in_range = scan->mark & IN_RANGE,
                         .ignores_bans = scan->ffts || strncmp(scan->op_type, "DSA", 3) == 0,
                         .feeds_selected = scan->mark & FEEDS       ? 1
                                           : scan->mark & FEEDS_NOT ? 0
                                                                    : -1};
    return st;
}

/* ---- ranges in the dump's own order ---- */

static int by_task(const void *a, const void *b)
{
    const dc_scan_file *x = *(const dc_scan_file *const *)a, *y = *(const dc_scan_file *const *)b;
    int c = DC_CMP_BY(x, y, name.time, name.stream, name.task);
    return c ? c : strcmp(x->op, y->op);
}

/* Mark the files that a range covers, each operator at its first execution in this directory. */
static dc_status mark_ranges(dc_choice *c, const dc_model *model, dc_scan_file *file, size_t n)
{
    const dc_scan_file **order = malloc((n + 1) * sizeof(dc_scan_file *));
    dc_select_pass *pass = NULL;
    dc_pool *seen = NULL;
    uint32_t id;
    if (!order)
        return dc_fail_memory();
    dc_status st = dc_select_pass_new(&pass, c->select, &model->name);
    if (st == DC_OK)
        st = dc_pool_new(&seen);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        order[i] = &file[i];
    if (st == DC_OK)
        qsort((void *)order, n, sizeof(dc_scan_file *), by_task);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        uint32_t before = dc_pool_count(seen);
        st = dc_pool_adds(&id, seen, order[i]->op);
        if (st == DC_OK && id >= before && order[i]->name.task_type != FFTS_PLUS)
            st = dc_select_pass_add_clean(pass, order[i]->op);
    }
    for (size_t i = 0; st == DC_OK && i < n; i++)
        if (file[i].name.task_type != FFTS_PLUS && dc_select_pass_has(pass, file[i].op))
            file[i].mark |= IN_RANGE;
    dc_select_pass_free(pass);
    dc_pool_free(seen);
    free((void *)order);
    return st;
}

/* ---- data nodes ---- */

/* Whether a file's operator is selected, for sure: by its header where its name may be. */
static dc_status is_selected(bool *yes, dc_choice *c, const dc_model *model, const dc_scan_dir *dir,
                             const dc_scan_file *f)
{
    dc_select_op op;
    dc_dump dump;
    dc_status st = ask_by_name(&op, c, model, f);
    op.uncounted = true;
    *yes = st == DC_OK && dc_select_ops(c->select, &op);
    if (!*yes)
        return st;
    char *path = dc_path_join(dir->path, f->file);
    st = path ? dc_dump_open(&dump, path) : DC_ENOMEM;
    free(path);
    if (st != DC_OK)
        *yes = false;
    if (st != DC_OK) /* the scan meets the fault again and tells it */
        return st == DC_ENOMEM ? st : DC_OK;
    c->counts.peeked++;
    c->counts.peeked_bytes += dump.fetched;
    const dc_scan_op scan = {.dir = dir,
                             .op_type = f->op_type,
                             .op = *dump.op_name ? dump.op_name : f->op,
                             .dump = &dump,
                             .mark = f->mark,
                             .ffts = f->name.task_type == FFTS_PLUS};
    st = ask_by_header(&op, c, model, &scan);
    op.uncounted = true;
    *yes = st == DC_OK && dc_select_ops(c->select, &op);
    dc_dump_fini(&dump);
    return st;
}

static int by_place(const void *a, const void *b)
{
    const dc_scan_file *x = *(const dc_scan_file *const *)a, *y = *(const dc_scan_file *const *)b;
    return DC_CMP_BY(x, y, name.stream, name.task);
}

/* Mark the data nodes among the files at one task of one stream with whether the operator that
 * shares it is selected. */
static dc_status mark_fed(dc_choice *c, const dc_model *model, const dc_scan_dir *dir,
                          dc_scan_file *const *at, size_t n)
{
    size_t data = 0;
    bool fed = false;
    dc_status st = DC_OK;
    for (size_t i = 0; i < n; i++)
        data += dc_select_is_data(at[i]->op_type);
    if (!data || data == n)
        return DC_OK;
    for (size_t i = 0; st == DC_OK && i < n && !fed; i++)
        if (!dc_select_is_data(at[i]->op_type))
            st = is_selected(&fed, c, model, dir, at[i]);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        bool own = at[i]->mark & BY_ITSELF;
        if (!dc_select_is_data(at[i]->op_type))
            continue;
        if (!own)
            st = is_selected(&own, c, model, dir, at[i]); /* by an original name, perhaps */
        if (!own)
            at[i]->mark |= fed ? FEEDS : FEEDS_NOT;
    }
    return st;
}

/* Data nodes that are not selected by themselves come along with the operators they feed. */
static dc_status mark_data(dc_choice *c, const dc_model *model, const dc_scan_dir *dir,
                           dc_scan_file *file, size_t n)
{
    dc_scan_file **order = malloc((n + 1) * sizeof(dc_scan_file *));
    dc_status st = DC_OK;
    bool asked = false;
    if (!order)
        return dc_fail_memory();
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        dc_select_op op;
        order[i] = &file[i];
        if (!dc_select_is_data(file[i].op_type))
            continue;
        st = ask_by_name(&op, c, model, &file[i]);
        op.uncounted = true;
        op.original_unknown = false;
        if (st == DC_OK && dc_select_ops(c->select, &op))
            file[i].mark |= BY_ITSELF;
        else
            asked = true;
    }
    if (st == DC_OK && asked)
        qsort((void *)order, n, sizeof(dc_scan_file *), by_place);
    for (size_t i = 0, same; st == DC_OK && asked && i < n; i += same) {
        for (same = 1; i + same < n && by_place(&order[i], &order[i + same]) == 0;)
            same++;
        st = mark_fed(c, model, dir, order + i, same);
    }
    free((void *)order);
    return st;
}

/* ---- the questions ---- */

/* A model's files outside any step are dumped only where no steps are chosen. */
static bool step_unwanted(dc_choice *c, const dc_scan_dir *dir)
{
    if (dir->step >= 0)
        return !dc_select_step(c->select, (uint64_t)dir->step);
    return *dir->model_dir && !dc_select_step(c->select, UINT64_MAX);
}

static dc_status want_files(void *context, const dc_scan_dir *dir, dc_scan_file *file, size_t n)
{
    dc_choice *c = context;
    dc_model *model;
    dc_status st = dc_models_find(&model, c->models, dir);
    bool any = st == DC_OK && dc_select_rank(c->select, (uint64_t)dir->rank) &&
               dc_select_models(c->select, &model->name) && !step_unwanted(c, dir);
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        st = note_file(&c->present, dir, &file[i]);
        file[i].mark = any ? WANTED : 0;
    }
    if (st == DC_OK && any && model->has_ranges && !model->pass)
        st = mark_ranges(c, model, file, n);
    if (st == DC_OK && any)
        st = mark_data(c, model, dir, file, n);
    for (size_t i = 0; st == DC_OK && any && i < n; i++) {
        dc_select_op op;
        st = ask_by_name(&op, c, model, &file[i]);
        op.feeds_selected = file[i].mark & FEEDS ? 1 : file[i].mark & FEEDS_NOT ? 0 : -1;
        if (st == DC_OK && !dc_select_ops(c->select, &op))
            file[i].mark = 0;
    }
    return st;
}

static bool want_op(void *context, const dc_scan_op *scan)
{
    dc_choice *c = context;
    dc_model *model;
    dc_select_op op;
    dc_status st = dc_models_find(&model, c->models, scan->dir);
    if (st == DC_OK)
        st = ask_by_header(&op, c, model, scan);
    if (st == DC_OK && !dc_select_ops(c->select, &op))
        return false;
    if (st == DC_OK)
        st = dc_slots_find(&c->slots, scan->dump, model, c->select, &op);
    if (st != DC_OK)
        c->failed = st; /* told after the scan */
    bool renumbered = false, unclear = false;
    for (int d = 0; st == DC_OK && d < 2; d++) {
        renumbered = renumbered || c->slots.rule[d] == DC_SLOTS_RENUMBERED;
        unclear = unclear || c->slots.rule[d] == DC_SLOTS_UNCLEAR;
    }
    c->counts.renumbered += renumbered;
    c->counts.unclear += unclear;
    return st == DC_OK;
}

/* Follows want_op of the same operator, which has found the slots. */
static bool want_slot(void *context, const dc_scan_op *scan, size_t i, uint32_t *slot)
{
    dc_choice *c = context;
    dc_model *model;
    dc_direction direction = scan->dump->tensor[i].direction;
    if (dc_models_find(&model, c->models, scan->dir) != DC_OK)
        return false;
    bool gone = direction <= DC_OUTPUT && c->slots.rule[direction] != DC_SLOTS_WHOLE;
    const dc_select_op op = {.model = &model->name,
                             .name = scan->op,
                             .type = scan->op_type,
                             .sanitised = !*scan->dump->op_name,
                             .ignores_bans =
                                 gone || scan->ffts || strncmp(scan->op_type, "DSA", 3) == 0,
                             .feeds_selected = -1};
    *slot = c->slots.slot[i];
    return dc_select_slot(c->select, &op, direction, *slot);
}

dc_scan_filter dc_choice_filter(dc_choice *c)
{
    return (dc_scan_filter){.context = c,
                            .want_dir = want_dir,
                            .want_files = want_files,
                            .want_op = want_op,
                            .want_slot = want_slot};
}
