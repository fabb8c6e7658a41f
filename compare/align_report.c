/* compare/align_report.c - see align_report.h */
#include "compare/align_report.h"

#include "compare/explain.h"
#include "io/near.h"
#include "mpi/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MESSAGES 5

void dc_alignment_fini(dc_alignment *a)
{
    dc_pairs_fini(&a->pairs);
    free(a->line);
    dc_pool_free(a->text);
    free(a->message);
    *a = (dc_alignment){0};
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Process 0: the texts of all processes, each once, in order; of many only the first. */
static dc_status take_messages(dc_alignment *out, const dc_arrived *in)
{
    size_t n = 0, at_most = 0;
    for (uint64_t i = 0; i < in->total; i++)
        at_most += in->data[i] == '\0';
    const char **text = malloc((at_most + 1) * sizeof *text);
    out->message = malloc((at_most + 2) * sizeof *out->message);
    dc_status st = text && out->message ? DC_OK : dc_fail_memory();
    for (uint64_t at = 0; st == DC_OK && at < in->total;)
        text[n++] = dc_take_text(in->data, &at, in->total);
    if (st == DC_OK)
        qsort(text, n, sizeof *text, compare_texts);
    size_t kept = 0;
    for (size_t i = 0; st == DC_OK && i < n; i++)
        if (i == 0 || strcmp(text[i], text[i - 1]) != 0)
            text[kept++] = text[i];
    for (size_t i = 0; st == DC_OK && i < kept && i < MOST_MESSAGES; i++)
        st = dc_pool_adds(&out->message[out->messages++], out->text, text[i]);
    if (st == DC_OK && kept > MOST_MESSAGES) {
        char more[96];
        snprintf(more, sizeof more, "and the like of %zu more golden directories",
                 kept - MOST_MESSAGES);
        st = dc_pool_adds(&out->message[out->messages++], out->text, more);
    }
    free(text);
    return st;
}

static dc_status merge_messages(dc_alignment *out, const dc_buf *messages, const dc_par *par)
{
    dc_route route;
    dc_arrived in = {0};
    dc_status st = dc_route_begin(&route, par);
    if (st == DC_OK)
        st = dc_route_add(&route, 0, messages->data, messages->n);
    st = dc_route_send(&in, &route, st, par);
    if (st == DC_OK && par->process == 0)
        st = take_messages(out, &in);
    dc_arrived_free(&in);
    return st;
}

/* Names to be near to, in order of their letters, forwards or backwards. */
typedef struct near_list {
    const char **name;
    size_t n;
    bool backwards;
} near_list;

static int compare_backwards(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    while (na && nb && a[na - 1] == b[nb - 1])
        na--, nb--;
    if (!na || !nb)
        return na ? 1 : nb ? -1 : 0;
    return (unsigned char)a[na - 1] < (unsigned char)b[nb - 1] ? -1 : 1;
}

static int compare_names(const void *left, const void *right, void *backwards)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    return *(const bool *)backwards ? compare_backwards(a, b) : strcmp(a, b);
}

#define NEIGHBOURS 16 /* on either side: those that share the longest beginning, or end */

/* The nearest of the neighbours of `want` in the list. Comparing with all would take the square of
 * the number of operators. */
static void look_near(dc_near *best, near_list *l, const char *want)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_names(&l->name[middle], &want, &l->backwards) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t from = low > NEIGHBOURS ? low - NEIGHBOURS : 0;
    size_t to = low + NEIGHBOURS < l->n ? low + NEIGHBOURS : l->n;
    for (size_t i = from; i < to; i++)
        dc_near_offer(best, want, l->name[i]);
}

static dc_status name_nearest(dc_alignment *out, bool unused, near_list list[2])
{
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < out->lines; i++) {
        dc_align_line *line = &out->line[i];
        if (line->unused != unused || (!unused && line->pairing != DC_NO_GOLDEN) || line->nearest)
            continue;
        dc_near best = {0};
        for (int k = 0; k < 2; k++)
            look_near(&best, &list[k], dc_pool_text(out->text, line->golden));
        if (best.n)
            st = dc_pool_adds(&line->nearest, out->text, best.name[0]);
    }
    return st;
}

/* The nearest missing golden to each unused one, and the other way round. */
static dc_status find_nearest(dc_alignment *out)
{
    dc_status st = DC_OK;
    for (int unused = 0; st == DC_OK && unused < 2; unused++) {
        near_list list[2] = {{.backwards = false}, {.backwards = true}};
        for (int k = 0; st == DC_OK && k < 2; k++) {
            list[k].name = malloc((out->lines + 1) * sizeof *list[k].name);
            if (!list[k].name)
                st = dc_fail_memory();
            for (uint64_t i = 0; st == DC_OK && i < out->lines; i++)
                if (out->line[i].unused != (bool)unused &&
                    (out->line[i].unused || out->line[i].pairing == DC_NO_GOLDEN))
                    list[k].name[list[k].n++] = dc_pool_text(out->text, out->line[i].golden);
            if (st == DC_OK)
                qsort_r(list[k].name, list[k].n, sizeof *list[k].name, compare_names,
                        &list[k].backwards);
        }
        if (st == DC_OK)
            st = name_nearest(out, unused, list);
        free(list[0].name);
        free(list[1].name);
    }
    return st;
}

/* The model directories of the lowest rank: *model[0..*n), malloc'd, the same on every process but
 * for repetitions. Collective. */
static dc_status first_models(uint32_t **model, uint64_t *n, int32_t *rank, const dc_catalog *c,
                              const dc_par *par)
{
    uint64_t lowest = UINT64_MAX, bytes = 0;
    dc_buf mine = {0};
    dc_status st = DC_OK;
    for (uint64_t i = 0; i < c->n; i++)
        if ((uint64_t)c->row[i].rank < lowest)
            lowest = (uint64_t)c->row[i].rank;
    dc_par_min_u64(&lowest, 1, par);
    *rank = (int32_t)lowest;
    uint32_t last = DC_NO_STR;
    for (uint64_t i = 0; st == DC_OK && i < c->n; i++)
        if (c->row[i].rank == *rank && c->row[i].model_dir != last) {
            last = c->row[i].model_dir;
            st = dc_buf_add(&mine, &last, sizeof last);
        }
    st = dc_par_agree(st, par);
    *model = NULL;
    if (st == DC_OK)
        st = dc_par_allgather((char **)model, &bytes, NULL, mine.data, mine.n, par);
    *n = bytes / sizeof **model;
    dc_buf_free(&mine);
    return st;
}

/* Process 0: by the graphs of those models, why unused goldens have no NPU tensor. */
static dc_status explain(dc_alignment *out, const dc_align_ask *ask, const uint32_t *model,
                         uint64_t n, int32_t rank)
{
    const dc_graph *graph;
    uint64_t id;
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < n; i++) {
        if (i && model[i] == model[i - 1])
            continue;
        st = ask->graphs.find(ask->graphs.context, &graph, &id, rank,
                              dc_pool_text(ask->npu->names, model[i]));
        if (st == DC_OK && graph)
            st = dc_explain_unused(out, graph);
    }
    return st;
}

dc_status dc_align_report(dc_alignment *out, const dc_lines *lines, const dc_buf *messages,
                          const dc_align_ask *ask, const dc_par *par)
{
    dc_status st = dc_lines_merge(out, lines, ask->npu->names, DC_OK, par);
    if (st != DC_OK)
        return st;
    dc_par_sum_u64(out->count, DC_PAIRING_COUNT, par);
    st = dc_par_agree(merge_messages(out, messages, par), par);
    uint32_t *model = NULL;
    uint64_t n = 0;
    int32_t rank;
    if (st == DC_OK && ask->graphs.find)
        st = first_models(&model, &n, &rank, ask->npu, par);
    if (st == DC_OK && par->process == 0 && n)
        st = explain(out, ask, model, n, rank);
    if (st == DC_OK && par->process == 0)
        st = find_nearest(out);
    free(model);
    return dc_par_agree(st, par);
}
