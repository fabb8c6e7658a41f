/* compare/across_lines.c - see across_lines.h */
#include "compare/across_lines.h"

#include "compare/rank_column.h"
#include "compare/rank_groups.h"
#include "mpi/order.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

/* A set as text; begins with its spot, which orders it. */
typedef struct line {
    dc_spot at;
    uint32_t csv, words; /* ids of a pool; words "" for what does not fail */
} line;

typedef struct lines {
    line *line;
    size_t n, cap;
    dc_pool *texts;
} lines;

static void lines_free(lines *l)
{
    free(l->line);
    dc_pool_free(l->texts);
    *l = (lines){0};
}

static dc_status add_line(lines *out, const dc_rank_line *l, bool excel)
{
    dc_buf csv = {0}, words = {0};
    dc_status st = dc_grow((void **)&out->line, &out->cap, out->n, 1, sizeof *out->line);
    if (st == DC_OK)
        st = dc_rank_csv_row(&csv, l, excel);
    if (st == DC_OK && l->judged.verdict == DC_FAIL)
        st = dc_rank_words(&words, l);
    line *to = &out->line[out->n];
    if (st == DC_OK) {
        *to = (line){.at = l->sets->member[l->set->first].at};
        st = dc_pool_add(&to->csv, out->texts, csv.data, csv.n);
    }
    if (st == DC_OK)
        st = dc_pool_add(&to->words, out->texts, words.n ? words.data : "", words.n);
    out->n += st == DC_OK;
    dc_buf_free(&csv);
    dc_buf_free(&words);
    return st;
}

/* Our sets as lines, counted. */
static dc_status make_lines(lines *out, dc_across *total, const dc_across_ask *ask,
                            const dc_across_found *found)
{
    dc_status st = dc_pool_new(&out->texts);
    bool tolerant = ask->profile.atol > 0 || ask->profile.rtol > 0;
    for (size_t i = 0; st == DC_OK && i < found->sets->n; i++) {
        const dc_rank_set *set = &found->sets->set[i];
        const dc_rank_line l = {.sets = found->sets,
                                .set = set,
                                .judged = dc_rank_sets_judge(found->sets, set, tolerant),
                                .tolerant = tolerant,
                                .metrics = ask->metrics,
                                .names = ask->npu->names,
                                .texts = found->texts};
        total->sets++;
        total->agreed += l.judged.verdict == DC_PASS;
        total->failed += l.judged.verdict == DC_FAIL;
        total->missed += l.judged.missed;
        bool all = found->sets->member[set->first].part == DC_ALL_RANKS;
        bool some_agree = set->held > 3 && set->groups < set->held;
        total->within += !all;
        total->divided += all && some_agree && l.judged.verdict == DC_FAIL && !l.judged.majority;
        st = add_line(out, &l, ask->excel);
    }
    if (st == DC_OK && out->n)
        qsort(out->line, out->n, sizeof *out->line, dc_spot_order);
    return st;
}

static dc_status post_line(dc_route *mail, int to, const lines *l, size_t i)
{
    const char *text[] = {dc_pool_text(l->texts, l->line[i].csv),
                          dc_pool_text(l->texts, l->line[i].words)};
    dc_status st = dc_route_add(mail, to, &l->line[i].at, sizeof l->line[i].at);
    for (int k = 0; st == DC_OK && k < 2; k++)
        st = dc_route_add(mail, to, text[k], strlen(text[k]) + 1);
    return st;
}

static dc_status read_lines(lines *out, const dc_arrived *in)
{
    dc_status st = dc_pool_new(&out->texts);
    for (uint64_t at = 0; st == DC_OK && at < in->total;) {
        st = dc_grow((void **)&out->line, &out->cap, out->n, 1, sizeof *out->line);
        if (st != DC_OK)
            return st;
        line *to = &out->line[out->n++];
        *to = (line){0};
        if (!dc_take(&to->at, sizeof to->at, in->data, &at, in->total))
            return dc_fail(DC_EFORMAT, "a message between processes is cut short");
        const char *csv = dc_take_text(in->data, &at, in->total);
        const char *words = dc_take_text(in->data, &at, in->total);
        st = dc_pool_adds(&to->csv, out->texts, csv ? csv : "");
        if (st == DC_OK)
            st = dc_pool_adds(&to->words, out->texts, words ? words : "");
    }
    if (st == DC_OK && out->n)
        qsort(out->line, out->n, sizeof *out->line, dc_spot_order);
    return st;
}

/* Redistribute in execution order: what process p holds comes before what p+1 holds. */
static dc_status sort_lines(lines *l, const dc_par *par)
{
    lines sorted = {0};
    dc_route mail = {0};
    dc_arrived in = {0};
    int32_t *owner = malloc((l->n + 1) * sizeof *owner);
    dc_status st = dc_par_agree(owner ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK)
        st = dc_order_owners(owner, l->line, l->n, sizeof *l->line, dc_spot_order, par);
    if (st == DC_OK) {
        st = dc_route_begin(&mail, par);
        for (size_t i = 0; st == DC_OK && owner && i < l->n; i++)
            st = post_line(&mail, owner[i], l, i);
        st = dc_route_send(&in, &mail, st, par);
    }
    if (st == DC_OK)
        st = dc_par_agree(read_lines(&sorted, &in), par);
    if (st == DC_OK) {
        lines_free(l);
        *l = sorted;
        sorted = (lines){0};
    }
    lines_free(&sorted);
    dc_arrived_free(&in);
    free(owner);
    return st;
}

/* The first failing lines of all processes, which stand in order. */
static dc_status gather_shown(dc_across *out, const lines *l, const dc_par *par)
{
    dc_buf mine = {0}, shown = {0};
    char *all = NULL;
    uint64_t bytes = 0, n = 0;
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < l->n && n < DC_ACROSS_SHOWN; i++) {
        const char *words = dc_pool_text(l->texts, l->line[i].words);
        if (*words)
            st = dc_buf_add(&mine, words, strlen(words));
        n += *words != '\0';
    }
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, mine.data, mine.n, par);
    n = 0;
    for (uint64_t at = 0, end; st == DC_OK && at < bytes && n < DC_ACROSS_SHOWN; at = end, n++) {
        const char *stop = memchr(all + at, '\n', bytes - at);
        end = stop ? (uint64_t)(stop - all) + 1 : bytes;
        st = dc_buf_printf(&shown, "  %.*s", (int)(end - at), all + at);
        if (st == DC_OK && n == 0)
            out->first = strndup(all + at, end - at - 1);
    }
    if (st == DC_OK)
        st = dc_buf_add(&shown, "", 1);
    out->shown = shown.data;
    dc_buf_free(&mine);
    free(all);
    return dc_par_agree(st, par);
}

static void sum_counts(dc_across *a, const dc_par *par)
{
    uint64_t v[] = {a->sets, a->agreed, a->failed, a->missed, a->within, a->left, a->divided};
    dc_par_sum_u64(v, sizeof v / sizeof *v, par);
    a->sets = v[0];
    a->agreed = v[1];
    a->failed = v[2];
    a->missed = v[3];
    a->within = v[4];
    a->left = v[5];
    a->divided = v[6];
}

dc_status dc_across_lines(dc_across *out, const dc_across_ask *ask, const dc_across_found *found,
                          dc_status local, const dc_par *par)
{
    lines l = {0};
    if (local == DC_OK)
        local = make_lines(&l, out, ask, found);
    dc_status st = dc_par_agree(local, par);
    if (st == DC_OK)
        st = sort_lines(&l, par);
    if (st == DC_OK) {
        sum_counts(out, par);
        st = gather_shown(out, &l, par);
    }
    if (st == DC_OK)
        st = dc_rank_csv_head(&out->file.head, ask->excel);
    for (size_t i = 0; st == DC_OK && i < l.n; i++)
        st = dc_buf_puts(&out->file.body, dc_pool_text(l.texts, l.line[i].csv));
    lines_free(&l);
    return dc_par_agree(st, par);
}
