/* io/select_build.c - making and freeing a dc_select. */
#include "io/select_parts.h"

#include <stdlib.h>
#include <string.h>

static dc_status parse_steps(dc_select *s)
{
    const dc_dump_config *c = s->config;
    const dc_select_extra *e = &s->extra;
    if (e->step)
        return dc_steps_parse(&s->steps, e->step, e->strict ? DC_STEPS_STRICT : DC_STEPS_ADUMP,
                              "--step");
    if (!c || !c->steps.n)
        return DC_OK;
    s->steps.range = calloc(c->steps.n, sizeof *s->steps.range);
    if (!s->steps.range)
        return dc_fail_memory();
    s->steps.n = c->steps.n;
    memcpy(s->steps.range, c->steps.range, c->steps.n * sizeof *s->steps.range);
    return DC_OK;
}

static dc_status parse_ranks(dc_select *s)
{
    if (!s->extra.rank)
        return DC_OK;
    char *text = strdup(s->extra.rank);
    if (!text)
        return dc_fail_memory();
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '|';
    dc_status st = dc_steps_parse(&s->ranks, text, DC_STEPS_ADUMP, "--rank");
    free(text);
    if (st == DC_EARG || (st == DC_OK && !s->ranks.n))
        st = dc_fail(DC_EARG, "--rank \"%s\": write numbers and ranges that go up, such as 0,4-7",
                     s->extra.rank);
    return st;
}

static dc_status register_intervals(size_t *first, dc_select *s, dc_selector_kind kind,
                                    const dc_steps *set)
{
    dc_status st = DC_OK;
    *first = s->nselector;
    for (size_t i = 0; i < set->n && st == DC_OK; i++) {
        size_t index;
        st = dc_select_register(&index, s, (dc_selector){kind, NULL, 0, i});
    }
    return st;
}

static dc_status build(dc_select *s)
{
    const dc_select_extra *e = &s->extra;
    const struct {
        dc_select_patterns *out;
        dc_selector_kind kind;
        const char *const *text;
        size_t n;
    } options[] = {
        {&s->op, DC_SELECTOR_OP, e->op, e->nop},
        {&s->type, DC_SELECTOR_TYPE, e->type, e->ntype},
        {&s->exclude, DC_SELECTOR_EXCLUDE, e->exclude, e->nexclude},
        {&s->exclude_type, DC_SELECTOR_EXCLUDE_TYPE, e->exclude_type, e->nexclude_type},
        {&s->model, DC_SELECTOR_MODEL, e->model, e->nmodel},
    };
    dc_status st = dc_select_build_tables(s);
    for (size_t i = 0; i < sizeof options / sizeof *options && st == DC_OK; i++)
        st = dc_select_build_patterns(options[i].out, s, options[i].kind, options[i].text,
                                      options[i].n);
    if (st == DC_OK)
        st = parse_steps(s);
    if (st == DC_OK)
        st = parse_ranks(s);
    if (st == DC_OK)
        st = register_intervals(&s->step_selector, s, DC_SELECTOR_STEP, &s->steps);
    if (st == DC_OK)
        st = register_intervals(&s->rank_selector, s, DC_SELECTOR_RANK, &s->ranks);
    if (st != DC_OK)
        return st;
    s->count = calloc(s->nselector + 1, sizeof *s->count);
    return s->count ? DC_OK : dc_fail_memory();
}

/* Exception files hold inputs and outputs whatever dump_mode says. */
static dc_dump_mode mode_of(const dc_dump_config *c)
{
    bool exception = c && c->scene && c->scene != DC_DUMP_SCENE_WATCHER;
    return !c || exception ? DC_DUMP_MODE_ALL : c->mode;
}

dc_status dc_select_new(dc_select **out, const dc_dump_config *config, const dc_select_extra *extra)
{
    dc_select *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return dc_fail_memory();
    s->config = config && config->has_dump ? config : NULL;
    s->extra = *extra;
    s->mode = extra->has_mode ? extra->mode : mode_of(s->config);
    dc_status st = build(s);
    if (st == DC_OK)
        *out = s;
    else
        dc_select_free(s);
    return st;
}

void dc_select_free(dc_select *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->ntable; i++) {
        dc_select_names_fini(&s->table[i].layer);
        dc_select_names_fini(&s->table[i].type_ban);
        dc_select_names_fini(&s->table[i].name_ban);
    }
    dc_select_names_fini(&s->watcher);
    enum { OPTIONS = 5 };
    dc_select_patterns *const patterns[OPTIONS] = {&s->op, &s->type, &s->exclude, &s->exclude_type,
                                                   &s->model};
    for (size_t i = 0; i < OPTIONS; i++)
        dc_select_patterns_fini(patterns[i]);
    dc_steps_fini(&s->steps);
    dc_steps_fini(&s->ranks);
    dc_pool_free(s->exact);
    dc_pool_free(s->clean);
    free(s->table);
    free(s->clean_table);
    free(s->selector);
    free(s->count);
    free(s);
}
