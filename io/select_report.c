/* io/select_report.c - naming the selectors that matched nothing, with the nearest names present.
 */
#include "io/log.h"
#include "io/near.h"
#include "io/select_parts.h"
#include "io/word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum source { MODELS, OPS, TYPES, STEPS, RANKS } source;

static const struct kind {
    const char *where;
    source source;
    bool in_file;
} kinds[] = {
#define X(id, where, source, in_file) {where, source, in_file},
    DC_SELECTORS(X)
#undef X
};

uint64_t *dc_select_counts(dc_select *s, size_t *n)
{
    *n = s->nselector;
    return s->count;
}

/* "acl.json: dump.dump_list[0].layer[1]" or "--op". */
static dc_status put_where(dc_buf *out, const dc_select *s, const dc_selector *sel)
{
    const struct kind *k = &kinds[sel->kind];
    if (sel->kind == DC_SELECTOR_STEP && !s->extra.step)
        return *s->config->file ? dc_buf_printf(out, "%s: dump.dump_step", s->config->file)
                                : dc_buf_puts(out, "--set dump_step");
    if (sel->kind == DC_SELECTOR_STEP)
        return dc_buf_puts(out, "--step");
    if (!k->in_file)
        return dc_buf_puts(out, k->where);
    if (s->config->from_tf)
        return dc_buf_puts(out, "dump_layer");
    if (sel->kind == DC_SELECTOR_MODEL_NAME)
        return dc_buf_printf(out, "%s: dump.dump_list[%zu].%s", s->config->file, sel->entry,
                             k->where);
    size_t name = strcspn(k->where, " ");
    const char *part = k->where[name] ? k->where + name + 1 : "";
    return dc_buf_printf(out, "%s: dump.dump_list[%zu].%.*s[%zu]%s%s", s->config->file, sel->entry,
                         (int)name, k->where, sel->item, *part ? "." : "", part);
}

/* What is looked for, without a pattern's special characters. */
static void bare(char *out, size_t n, const char *text)
{
    size_t used = 0;
    if (strncmp(text, "re:", 3) == 0)
        text += 3;
    for (; *text && used + 1 < n; text++)
        if (!strchr("*?[]^$()+\\", *text))
            out[used++] = *text;
    out[used] = '\0';
}

/* A name as it should be shown. */
static const char *shown(const dc_select_present *p, const dc_pool *pool, const char *name)
{
    return p->real_op && pool == p->op ? p->real_op(p->context, name) : name;
}

static void show_each_once(dc_near *near, const dc_select_present *p, const dc_pool *pool)
{
    size_t kept = 0;
    for (size_t i = 0; i < near->n; i++) {
        const char *name = shown(p, pool, near->name[i]);
        bool again = false;
        for (size_t k = 0; k < kept; k++)
            again = again || strcmp(near->name[k], name) == 0;
        if (!again)
            near->name[kept++] = name;
    }
    near->n = kept;
}

static bool is_present(const dc_pool *present, const char *text)
{
    char *clean = dc_select_clean(text);
    bool there = dc_pool_find(present, text) != DC_NO_STR ||
                 (clean && dc_pool_find(present, clean) != DC_NO_STR);
    free(clean);
    return there;
}

static dc_status put_names(dc_buf *out, const char *text, const dc_pool *present,
                           const dc_select_present *p)
{
    char want[256], hint[DC_NEAR_TEXT];
    dc_near near = {0};
    if (!present)
        return DC_OK;
    if (is_present(present, text))
        return dc_buf_puts(out, "; it is in the dump, but not where this selects");
    bare(want, sizeof want, text);
    for (char *c = want; *c && p->real_op && present == p->op; c++)
        if (strchr(" ./", *c))
            *c = '_'; /* as the names it is compared with */
    for (uint32_t id = 1; id < dc_pool_count(present); id++)
        dc_near_offer(&near, want, dc_pool_text(present, id));
    show_each_once(&near, p, present);
    dc_near_print(hint, &near);
    dc_status st = dc_buf_puts(out, hint);
    if (st != DC_OK || near.n || dc_pool_count(present) < 2)
        return st;
    st = dc_buf_puts(out, "; present:");
    uint32_t most = 6;
    for (uint32_t id = 1; id < dc_pool_count(present) && id <= most && st == DC_OK; id++)
        st = dc_buf_printf(out, "%s %.80s", id > 1 ? "," : "",
                           shown(p, present, dc_pool_text(present, id)));
    if (st == DC_OK && dc_pool_count(present) > most + 1)
        st = dc_buf_printf(out, ", ... (%" PRIu32 " in all)", dc_pool_count(present) - 1);
    return st;
}

/* "; ranks present: 0-3,8", at most a line's worth. */
static dc_status put_numbers(dc_buf *out, const char *what, const uint64_t *v, size_t n)
{
    enum { MOST = 20 };
    dc_status st = v ? dc_buf_printf(out, "; %s present: %s", what, n ? "" : "none") : DC_OK;
    size_t shown = 0;
    for (size_t i = 0, last; v && i < n && st == DC_OK; i = last + 1) {
        for (last = i; last + 1 < n && v[last + 1] == v[last] + 1;)
            last++;
        if (shown++ == MOST)
            return dc_buf_puts(out, ",...");
        st = dc_buf_printf(out, "%s%" PRIu64, i ? "," : "", v[i]);
        if (st == DC_OK && last > i)
            st = dc_buf_printf(out, "-%" PRIu64, v[last]);
    }
    return st;
}

/* " 4-7" */
static dc_status put_number(dc_buf *out, const dc_steps *set, size_t i)
{
    const dc_steps one = {.n = 1, .range = &set->range[i]};
    dc_status st = dc_buf_puts(out, " ");
    return st == DC_OK ? dc_steps_print(out, &one) : st;
}

static dc_status put_interval(dc_buf *out, const dc_steps *set, size_t i)
{
    dc_status st = put_number(out, set, i);
    return st == DC_OK ? dc_buf_puts(out, " matched nothing") : st;
}

/* A range whose ends are both there and that covers nothing all the same. */
static dc_status put_range(dc_buf *out, const dc_selector *sel)
{
    return dc_buf_printf(out,
                         " covers nothing: its end, \"%.200s\", comes before its begin, \"%.200s\"",
                         sel[-1].text, sel[-2].text);
}

static dc_status put_line(dc_buf *out, const dc_select *s, const dc_selector *sel,
                          const dc_select_present *p)
{
    dc_status st = put_where(out, s, sel);
    source from = kinds[sel->kind].source;
    const dc_pool *const pools[] = {[MODELS] = p->model, [OPS] = p->op, [TYPES] = p->type};
    if (st == DC_OK && sel->kind == DC_SELECTOR_RANGE) {
        st = put_range(out, sel);
    } else if (st == DC_OK && from == STEPS) {
        st = put_interval(out, &s->steps, sel->item);
        if (st == DC_OK)
            st = put_numbers(out, "steps", p->step, p->nstep);
    } else if (st == DC_OK && from == RANKS) {
        st = put_interval(out, &s->ranks, sel->item);
        if (st == DC_OK)
            st = put_numbers(out, "ranks", p->rank, p->nrank);
    } else if (st == DC_OK) {
        st = dc_buf_printf(out, "%s \"%.200s\" matched nothing",
                           kinds[sel->kind].in_file ? ":" : "", sel->text);
        if (st == DC_OK)
            st = put_names(out, sel->text, pools[from], p);
    }
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_select_unmatched(dc_buf *out, dc_select *s, const dc_select_present *present)
{
    enum { MOST_LINES = 100 };
    dc_status st = DC_OK;
    size_t n = 0;
    bool no_files = present->type && dc_pool_count(present->type) == 1; /* but "" */
    for (size_t i = 0; i < s->nselector && st == DC_OK; i++) {
        source from = kinds[s->selector[i].kind].source;
        bool unseen =
            no_files && (from == OPS || from == TYPES || (from == STEPS && !present->nstep));
        if (s->selector[i].kind == DC_SELECTOR_RANGE) /* an end that is not there is told itself */
            unseen = unseen || !s->count[i - 1] || !s->count[i - 2];
        if (!s->count[i] && !unseen && ++n <= MOST_LINES)
            st = put_line(out, s, &s->selector[i], present);
    }
    if (st == DC_OK && n > MOST_LINES)
        st = dc_buf_printf(out, "%zu more %s matched nothing\n", n - MOST_LINES,
                           dc_word(n - MOST_LINES, "selector", "selectors"));
    return st;
}

dc_status dc_select_warn(dc_select *s, const dc_select_present *present)
{
    dc_buf text = {0};
    char *rest = NULL;
    dc_status st = dc_select_unmatched(&text, s, present);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    for (char *line = st == DC_OK ? strtok_r(text.data, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        dc_warn("%s", line);
    dc_buf_free(&text);
    return st;
}

dc_status dc_select_matches(dc_buf *out, dc_select *s)
{
    dc_status st = DC_OK;
    for (size_t i = 0; i < s->nselector && st == DC_OK; i++) {
        const dc_selector *sel = &s->selector[i];
        const struct kind *k = &kinds[sel->kind];
        bool executions = (k->source == OPS || k->source == TYPES) &&
                          sel->kind != DC_SELECTOR_BEGIN && sel->kind != DC_SELECTOR_END;
        if (!s->count[i] || sel->kind == DC_SELECTOR_RANGE)
            continue; /* dc_select_unmatched tells about it */
        st = put_where(out, s, sel);
        if (st == DC_OK && sel->text)
            st = dc_buf_printf(out, "%s \"%.200s\"", k->in_file ? ":" : "", sel->text);
        else if (st == DC_OK)
            st = put_number(out, k->source == STEPS ? &s->steps : &s->ranks, sel->item);
        if (st == DC_OK && executions)
            st = dc_buf_printf(out, " matched %" PRIu64 " operator %s\n", s->count[i],
                               dc_word(s->count[i], "execution", "executions"));
        else if (st == DC_OK)
            st = dc_buf_puts(out, " matched\n");
    }
    return st;
}
