/* compare/chosen.c - see chosen.h */
#include "compare/chosen.h"

#include "compare/newest.h"
#include "io/log.h"
#include "io/numbers.h"
#include "io/select.h"
#include "io/tree.h"
#include "io/word.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void dc_chosen_fini(dc_chosen *c)
{
    free(c->npu);
    free(c->golden);
    free(c->said);
    *c = (dc_chosen){0};
}

static dc_status make_select(dc_select **out, const dc_settings *s)
{
    const dc_select_extra extra = {
        .op = s->op.item,
        .nop = s->op.n,
        .type = s->type.item,
        .ntype = s->type.n,
        .exclude = s->exclude.item,
        .nexclude = s->exclude.n,
        .exclude_type = s->exclude_type.item,
        .nexclude_type = s->exclude_type.n,
        .step = s->step,
        .rank = s->rank,
    };
    return dc_select_new(out, NULL, &extra);
}

static bool wants(dc_select *select, const dc_catalog *c, const dc_tensor *t)
{
    const char *original = dc_pool_text(c->names, t->origin_op);
    const dc_select_model model = {.dir = dc_pool_text(c->names, t->model_dir),
                                   .canonical = dc_pool_text(c->names, t->model)};
    const dc_select_op op = {
        .model = &model,
        .name = dc_pool_text(c->names, t->op),
        .type = dc_pool_text(c->names, t->op_type),
        .original = &original,
        .noriginal = *original ? 1 : 0,
        .feeds_selected = -1,
    };
    return dc_select_rank(select, (uint64_t)t->rank) && dc_select_step(select, (uint64_t)t->step) &&
           dc_select_ops(select, &op);
}

/* 1 for each row of c that is of the run and selected (select NULL: all are); *n counts them. */
static dc_status mark(uint8_t **out, uint64_t *n, const dc_catalog *c, int32_t run,
                      dc_select *select)
{
    *n = 0;
    *out = calloc(c->n + 1, 1);
    if (!*out)
        return dc_fail_memory();
    for (uint64_t i = 0; i < c->n; i++) {
        bool yes = c->row[i].run == run && (!select || wants(select, c, &c->row[i]));
        (*out)[i] = yes;
        *n += yes;
    }
    return DC_OK;
}

/* Faulty dump files and operators of the selected ranks and steps; the list is on process 0. */
static uint64_t count_unreadable(const dc_catalog *c, dc_select *select)
{
    uint64_t n = 0;
    for (uint64_t i = 0; c->faults && i < c->nskipped; i++) {
        dc_tree_place place;
        dc_tree_place_parse(&place, dc_pool_text(c->names, c->skipped[i].dir));
        bool rank = place.device < 0 || dc_select_rank(select, (uint64_t)place.device);
        bool step = place.step < 0 || dc_select_step(select, (uint64_t)place.step);
        n += rank && step && c->skipped[i].fault != DC_SKIPPED_OTHER;
    }
    return n;
}

/* The texts of a column of all processes' rows, as a pool; for near misses. Collective. */
static dc_status gather_names(dc_pool **out, const dc_catalog *c, size_t column, const dc_par *par)
{
    uint32_t n = dc_pool_count(c->names), id;
    uint64_t *seen = calloc(n + 1, sizeof *seen);
    dc_status st = dc_par_agree(seen ? dc_pool_new(out) : dc_fail_memory(), par);
    for (uint64_t i = 0; st == DC_OK && seen && i < c->n; i++) {
        memcpy(&id, (const char *)&c->row[i] + column, sizeof id);
        seen[id < n ? id : n] = 1;
    }
    if (st == DC_OK)
        dc_par_max_u64(seen, n, par);
    for (uint32_t i = 0; st == DC_OK && seen && i < n; i++)
        if (seen[i])
            st = dc_pool_adds(&id, *out, dc_pool_text(c->names, i));
    free(seen);
    return dc_par_agree(st, par);
}

/* Add all processes' numbers to the set. Collective. */
static dc_status share_numbers(dc_numbers *set, const dc_par *par)
{
    char *all;
    uint64_t bytes;
    dc_status st = dc_par_allgather(&all, &bytes, NULL, set->item, set->n * sizeof *set->item, par);
    if (st != DC_OK)
        return st;
    for (size_t i = 0; st == DC_OK && i < bytes / sizeof *set->item; i++)
        st = dc_numbers_add(set, ((const int64_t *)(const void *)all)[i]);
    free(all);
    return dc_par_agree(st, par);
}

/* The steps and ranks of all processes' rows. Collective. */
static dc_status gather_numbers(dc_numbers *step, dc_numbers *rank, const dc_catalog *c,
                                const dc_par *par)
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++) {
        st = dc_numbers_add(step, c->row[i].step);
        if (st == DC_OK)
            st = dc_numbers_add(rank, c->row[i].rank);
    }
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = share_numbers(step, par);
    return st == DC_OK ? share_numbers(rank, par) : st;
}

/* Warn, from process 0, of selectors that matched nothing anywhere. Collective. */
static dc_status tell_unmatched(dc_select *select, const dc_catalog *c, const dc_par *par)
{
    dc_pool *op = NULL, *type = NULL;
    dc_numbers step = {0}, rank = {0};
    size_t n = 0, missing = 0;
    uint64_t *counts = dc_select_counts(select, &n);
    dc_par_sum_u64(counts, n, par);
    for (size_t i = 0; i < n; i++)
        missing += counts[i] == 0;
    if (missing == 0)
        return DC_OK;
    dc_status st = gather_names(&op, c, offsetof(dc_tensor, op), par);
    if (st == DC_OK)
        st = gather_names(&type, c, offsetof(dc_tensor, op_type), par);
    if (st == DC_OK)
        st = gather_numbers(&step, &rank, c, par);
    const dc_select_present present = {.op = op,
                                       .type = type,
                                       .step = step.item,
                                       .nstep = step.n,
                                       .rank = rank.item,
                                       .nrank = rank.n};
    if (st == DC_OK && par->process == 0)
        st = dc_select_warn(select, &present);
    dc_pool_free(op);
    dc_pool_free(type);
    dc_numbers_fini(&step);
    dc_numbers_fini(&rank);
    return dc_par_agree(st, par);
}

static dc_status say_run(char **said, const dc_run_choice *r, const dc_catalog *c,
                         const dc_settings *s)
{
    dc_buf text = {0};
    const char *how = s->run != DC_NEWEST ? ""
                      : r->complete       ? ", the newest complete one"
                                          : ", the newest; none is complete";
    dc_status st = dc_buf_printf(&text, "run %" PRId32 " of %" PRId32 "%s\n", r->run, c->runs, how);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    *said = text.data;
    return st;
}

static dc_status choose_run(dc_run_choice *r, const dc_catalog *c, uint64_t asked,
                            const dc_par *par)
{
    int32_t run = asked == DC_NEWEST ? -1 : asked > INT32_MAX ? INT32_MAX : (int32_t)asked;
    dc_status st = dc_newest_run(r, run, c, par);
    if (st == DC_OK && r->odd && par->process == 0)
        dc_warn("run %" PRId32 ": %" PRIu64 " %s odd (warm-up, cut off?): %s%s", r->run, r->odd,
                dc_word(r->odd, "step is", "steps are"), r->odd_text, r->odd > 3 ? "..." : "");
    return st;
}

static dc_status choose_golden(dc_chosen *out, const dc_sources *in, const dc_par *par)
{
    dc_run_choice run;
    uint64_t n;
    dc_status st = choose_run(&run, &in->golden, DC_NEWEST, par);
    if (st != DC_OK)
        return st;
    st = dc_par_agree(mark(&out->golden, &n, &in->golden, run.run, NULL), par);
    dc_run_choice_fini(&run);
    return st;
}

static dc_status choose_npu(dc_chosen *out, const dc_sources *in, const dc_settings *s,
                            const dc_par *par)
{
    dc_select *select = NULL;
    dc_run_choice run = {0};
    uint64_t n = 0;
    dc_status st = choose_run(&run, &in->npu, s->run, par);
    if (st != DC_OK)
        return st;
    st = make_select(&select, s);
    if (st == DC_OK)
        st = mark(&out->npu, &n, &in->npu, run.run, select);
    if (st == DC_OK)
        st = say_run(&out->said, &run, &in->npu, s);
    dc_run_choice_fini(&run);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = tell_unmatched(select, &in->npu, par);
    if (st == DC_OK) {
        out->unreadable = count_unreadable(&in->npu, select);
        dc_par_bcast(&out->unreadable, sizeof out->unreadable, 0, par);
        dc_par_sum_u64(&n, 1, par);
        if (n == 0)
            st = dc_fail(DC_ENOENT, "no tensor is selected: nothing to compare");
    }
    dc_select_free(select);
    return st;
}

dc_status dc_chosen_make(dc_chosen *out, const dc_sources *in, const dc_settings *s,
                         const dc_par *par)
{
    *out = (dc_chosen){0};
    dc_status st = choose_npu(out, in, s, par);
    if (st == DC_OK && in->golden_is_catalog)
        st = choose_golden(out, in, par);
    if (st != DC_OK)
        dc_chosen_fini(out);
    return st;
}
