/* capture/choose.c - see choose.h */
#include "capture/choose.h"

#include "io/log.h"
#include "io/path.h"
#include "io/tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_LIMIT ((size_t)10 << 20) /* bytes; what ACL itself reads */

static dc_status read_config(dc_choice *c, const dc_capture_options *o)
{
    const char *file = o->config ? o->config : access("acl.json", R_OK) == 0 ? "acl.json" : NULL;
    const dc_acl_options ask = {o->strict, o->set.item, o->set.n};
    char *text = NULL;
    size_t n = 0;
    dc_status st = dc_acl_config_read(&c->config, file, &ask);
    if (st == DC_OK && file)
        st = dc_read_file(&text, &n, file, CONFIG_LIMIT);
    if (st == DC_OK)
        st = dc_buf_add(&c->configuration, text ? text : "", n);
    free(text);
    return st == DC_OK ? dc_buf_add(&c->configuration, "", 1) : st;
}

static dc_status compile(dc_choice *c, const dc_capture_options *o)
{
    dc_select_extra extra = {
        .op = o->op.item,
        .nop = o->op.n,
        .type = o->type.item,
        .ntype = o->type.n,
        .exclude = o->exclude.item,
        .nexclude = o->exclude.n,
        .model = o->model.item,
        .nmodel = o->model.n,
        .step = o->step,
        .rank = o->rank,
        .strict = o->strict,
        .has_mode = o->mode != 0,
    };
    static const dc_dump_mode mode[] = {DC_DUMP_MODE_ALL, DC_DUMP_MODE_INPUT, DC_DUMP_MODE_OUTPUT,
                                        DC_DUMP_MODE_ALL};
    extra.mode = mode[o->mode];
    return dc_select_new(&c->select, c->config.has_dump ? &c->config : NULL, &extra);
}

/* ROOT=OFFSET of --rank-of: the offset of root, 0 if it is not named. */
static dc_status rank_offset(int32_t *offset, const char *root, const dc_opt_list *rank_of)
{
    *offset = 0;
    for (size_t i = 0; i < rank_of->n; i++) {
        const char *equal = strrchr(rank_of->item[i], '=');
        uint64_t value;
        if (!equal || dc_opt_u64(&value, equal + 1) != DC_OK || value > 1000000)
            return dc_fail(DC_EARG, "--rank-of: '%s' is not ROOT=OFFSET", rank_of->item[i]);
        size_t n = (size_t)(equal - rank_of->item[i]);
        if (strlen(root) == n && strncmp(root, rank_of->item[i], n) == 0)
            *offset = (int32_t)value;
    }
    return DC_OK;
}

static dc_status find_roots(dc_choice *c, const dc_capture_options *o)
{
    size_t n = o->rest.n ? o->rest.n : 1;
    c->root = calloc(n, sizeof *c->root);
    c->text = calloc(n, sizeof *c->text);
    dc_status st = c->root && c->text ? DC_OK : dc_fail_memory();
    if (st == DC_OK && o->rest.n == 0 && !c->config.path)
        return dc_fail(
            DC_EARG,
            "nothing to capture: give a ROOT (a dump_path), or -c acl.json with a dump_path");
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        if (o->rest.n)
            c->text[i] = dc_path_normal(o->rest.argument[i]);
        else
            st = dc_acl_config_dir(&c->text[i], &c->config);
        if (st == DC_OK && !c->text[i])
            st = DC_ENOMEM;
        if (st == DC_OK)
            st = rank_offset(&c->root[i].rank_offset, c->text[i], &o->rank_of);
        c->texts = i + 1;
        c->root[i].path = c->text[i];
    }
    c->roots = n;
    return st;
}

dc_status dc_choice_make(dc_choice *out, const dc_capture_options *o)
{
    memset(out, 0, sizeof *out);
    dc_status st = read_config(out, o);
    if (st == DC_OK)
        st = compile(out, o);
    return st == DC_OK ? find_roots(out, o) : st;
}

void dc_choice_fini(dc_choice *c)
{
    dc_acl_config_fini(&c->config);
    dc_select_free(c->select);
    for (size_t i = 0; i < c->texts; i++)
        free(c->text[i]);
    free(c->text);
    free(c->root);
    dc_buf_free(&c->configuration);
}

/* A model by the names its directory gives. canonical holds 256 bytes. */
static dc_select_model model_of(const char *model_dir, char *canonical)
{
    dc_tree_model_name(canonical, 256, model_dir, strlen(model_dir));
    return *model_dir ? (dc_select_model){.dir = model_dir, .canonical = canonical}
                      : (dc_select_model){0};
}

static bool want_dir(void *context, int32_t rank, const char *model_dir, int64_t step)
{
    dc_choice *c = context;
    char canonical[256];
    const dc_select_model model = model_of(model_dir, canonical);
    return (rank < 0 || dc_select_rank(c->select, (uint64_t)rank)) &&
           (step < 0 || dc_select_step(c->select, (uint64_t)step)) &&
           dc_select_models(c->select, &model);
}

static bool want_op(void *context, const dc_scan_op *op)
{
    dc_choice *c = context;
    char canonical[256];
    const dc_select_model model = model_of(op->model_dir, canonical);
    const dc_select_op ask = {.model = &model,
                              .name = op->op,
                              .type = op->op_type,
                              .original = op->original,
                              .noriginal = op->noriginal,
                              .feeds_selected = -1};
    return dc_select_ops(c->select, &ask);
}

static bool want_slot(void *context, const dc_scan_op *op, dc_direction direction, uint32_t slot)
{
    dc_choice *c = context;
    char canonical[256];
    const dc_select_model model = model_of(op->model_dir, canonical);
    const dc_select_op ask = {.model = &model,
                              .name = op->op,
                              .type = op->op_type,
                              .original = op->original,
                              .noriginal = op->noriginal,
                              .feeds_selected = -1};
    return dc_select_slot(c->select, &ask, direction, slot);
}

dc_scan_filter dc_choice_filter(dc_choice *c)
{
    return (dc_scan_filter){
        .context = c, .want_dir = want_dir, .want_op = want_op, .want_slot = want_slot};
}

static dc_status pool_column(dc_pool **out, const dc_catalog *found, size_t column)
{
    uint32_t id;
    dc_status st = dc_pool_new(out);
    for (uint64_t i = 0; st == DC_OK && i < found->n; i++) {
        uint32_t text;
        memcpy(&text, (const char *)&found->row[i] + column, sizeof text);
        st = dc_pool_adds(&id, *out, dc_pool_text(found->names, text));
    }
    return st;
}

static dc_status say_unmatched(dc_choice *c, const dc_catalog *found)
{
    dc_pool *op = NULL, *type = NULL, *model = NULL;
    dc_buf text = {0};
    dc_status st = pool_column(&op, found, offsetof(dc_tensor, op));
    if (st == DC_OK)
        st = pool_column(&type, found, offsetof(dc_tensor, op_type));
    if (st == DC_OK)
        st = pool_column(&model, found, offsetof(dc_tensor, model_dir));
    const dc_select_present present = {.op = op, .type = type, .model = model};
    if (st == DC_OK)
        st = dc_select_unmatched(&text, c->select, &present);
    for (size_t at = 0; st == DC_OK && at < text.n;) {
        const char *end = memchr(text.data + at, '\n', text.n - at);
        size_t n = end ? (size_t)(end - text.data) - at : text.n - at;
        dc_warn("%.*s", (int)n, text.data + at);
        at += n + 1;
    }
    dc_pool_free(op);
    dc_pool_free(type);
    dc_pool_free(model);
    dc_buf_free(&text);
    return st;
}

dc_status dc_choice_unmatched(dc_choice *c, const dc_catalog *found, const dc_par *par)
{
    size_t n;
    uint64_t *count = dc_select_counts(c->select, &n);
    dc_par_sum_u64(count, n, par);
    return dc_par_agree(par->process == 0 ? say_unmatched(c, found) : DC_OK, par);
}
