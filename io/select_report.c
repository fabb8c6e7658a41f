/* io/select_report.c - naming the selectors that matched nothing, with the nearest names present.
 */
#include "io/near.h"
#include "io/select_parts.h"

#include <inttypes.h>
#include <stdio.h>
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
        return dc_buf_printf(out, "%s: dump.dump_step", s->config->file);
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

static dc_status put_names(dc_buf *out, const char *text, const dc_pool *present)
{
    char want[256], hint[DC_NEAR_TEXT];
    dc_near near = {0};
    if (!present)
        return DC_OK;
    if (dc_pool_find(present, text) != DC_NO_STR)
        return dc_buf_puts(out, "; it is in the dump, but not where this selects");
    bare(want, sizeof want, text);
    for (uint32_t id = 1; id < dc_pool_count(present); id++)
        dc_near_offer(&near, want, dc_pool_text(present, id));
    dc_near_print(hint, &near);
    dc_status st = dc_buf_puts(out, hint);
    if (st != DC_OK || near.n || dc_pool_count(present) < 2)
        return st;
    st = dc_buf_puts(out, "; present:");
    uint32_t most = 6;
    for (uint32_t id = 1; id < dc_pool_count(present) && id <= most && st == DC_OK; id++)
        st = dc_buf_printf(out, "%s %.80s", id > 1 ? "," : "", dc_pool_text(present, id));
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

static dc_status put_interval(dc_buf *out, const dc_steps *set, size_t i)
{
    dc_steps one = {.n = 1, .range = &set->range[i]};
    dc_status st = dc_buf_puts(out, " ");
    if (st == DC_OK)
        st = dc_steps_print(out, &one);
    return st == DC_OK ? dc_buf_puts(out, " matched nothing") : st;
}

static dc_status put_line(dc_buf *out, const dc_select *s, const dc_selector *sel,
                          const dc_select_present *p)
{
    dc_status st = put_where(out, s, sel);
    source from = kinds[sel->kind].source;
    const dc_pool *const pools[] = {[MODELS] = p->model, [OPS] = p->op, [TYPES] = p->type};
    if (st == DC_OK && from == STEPS) {
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
            st = put_names(out, sel->text, pools[from]);
    }
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_select_unmatched(dc_buf *out, dc_select *s, const dc_select_present *present)
{
    enum { MOST_LINES = 100 };
    dc_status st = DC_OK;
    size_t n = 0;
    for (size_t i = 0; i < s->nselector && st == DC_OK; i++)
        if (!s->count[i] && ++n <= MOST_LINES)
            st = put_line(out, s, &s->selector[i], present);
    if (st == DC_OK && n > MOST_LINES)
        st = dc_buf_printf(out, "%zu more selectors matched nothing\n", n - MOST_LINES);
    return st;
}
