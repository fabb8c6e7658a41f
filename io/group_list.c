/* io/group_list.c - see group_list.h */
#include "io/group_list.h"

#include "io/cmp.h"
#include "io/json.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static dc_status add_group(dc_group_list *l, const char *name)
{
    dc_status st = dc_grow((void **)&l->group, &l->cap, l->n, 1, sizeof *l->group);
    if (st != DC_OK)
        return st;
    l->group[l->n] = (dc_rank_group){.name = strdup(name)};
    return l->group[l->n++].name ? DC_OK : dc_fail_memory();
}

static dc_status add_rank(dc_rank_group *g, uint64_t rank)
{
    if (rank > INT32_MAX || g->n >= DC_GROUP_LIST_RANKS)
        return dc_fail(DC_EUNSUP, "a group of ranks has more than %d, or rank %" PRIu64,
                       DC_GROUP_LIST_RANKS, rank);
    if ((g->n & (g->n - 1)) == 0) { /* a power of two, or none yet: full */
        int32_t *more = realloc(g->rank, (g->n ? 2 * g->n : 1) * sizeof *more);
        if (!more)
            return dc_fail_memory();
        g->rank = more;
    }
    g->rank[g->n++] = (int32_t)rank;
    return DC_OK;
}

static int by_rank(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return DC_CMP(x, y);
}

static void sort_ranks(dc_rank_group *g)
{
    size_t kept = 0;
    if (g->n)
        qsort(g->rank, g->n, sizeof *g->rank, by_rank);
    for (size_t i = 0; i < g->n; i++)
        if (i == 0 || g->rank[i] != g->rank[kept - 1])
            g->rank[kept++] = g->rank[i];
    g->n = kept;
}

/* A number at *at, which moves behind it. */
static bool take_number(uint64_t *v, const char **at)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *v = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0 && *v <= INT32_MAX;
}

/* "3", "0-7" or "0-6:2" at *at. */
static dc_status take_range(dc_rank_group *g, const char **at)
{
    const char *from = *at;
    uint64_t first = 0, last, by = 1;
    bool good = take_number(&first, at);
    last = first;
    if (good && **at == '-') {
        ++*at;
        good = take_number(&last, at) && first <= last;
        if (good && **at == ':') {
            ++*at;
            good = take_number(&by, at) && by > 0;
        }
    }
    if (!good)
        return dc_fail(DC_EARG,
                       "'%s': give groups of ranks as in 0-3,4-7 or 0+2,1+3 or 0-6:2,1-7:2", from);
    dc_status st = DC_OK;
    for (uint64_t r = first; st == DC_OK && r <= last; r += by)
        st = add_rank(g, r);
    return st;
}

static dc_status read_text(dc_group_list *l, const char *at)
{
    dc_status st = DC_OK;
    for (bool more = true; st == DC_OK && more; at++) {
        st = add_group(l, "");
        dc_rank_group *g = st == DC_OK ? &l->group[l->n - 1] : NULL;
        while (st == DC_OK) {
            st = take_range(g, &at);
            if (st != DC_OK || *at != '+')
                break;
            at++;
        }
        if (st == DC_OK && *at != ',' && *at != '\0')
            st = dc_fail(DC_EARG, "'%s' follows a group of ranks; a comma should", at);
        more = *at == ',';
        if (st == DC_OK)
            sort_ranks(g);
    }
    for (size_t i = 0; st == DC_OK && i < l->n; i++)
        for (size_t k = 0; st == DC_OK && k < l->group[i].n; k++)
            if (!dc_group_list_of(l, l->group[i].rank[k]))
                st = dc_fail(DC_EARG, "rank %" PRId32 " is in two groups", l->group[i].rank[k]);
    return st;
}

static dc_status read_ranks(dc_rank_group *g, const dc_json_at *at)
{
    dc_status st = DC_OK;
    if (cJSON_IsString(at->node)) { /* "[0, 1]" */
        const char *text = at->node->valuestring;
        uint64_t rank;
        for (text += strspn(text, "[ "); st == DC_OK && *text && *text != ']';
             text += strspn(text, ", "))
            st = take_number(&rank, &text) ? add_rank(g, rank)
                                           : dc_json_fail(at, "is no list of ranks");
        return st;
    }
    st = dc_json_array(at);
    if (st != DC_OK)
        return st;
    for (dc_json_at it = dc_json_first(at); st == DC_OK && it.node; dc_json_next(&it)) {
        uint64_t rank;
        st = dc_json_u64(&rank, &it);
        if (st == DC_OK)
            st = add_rank(g, rank);
    }
    return st;
}

static dc_status read_document(dc_group_list *l, const dc_json *doc)
{
    const dc_json_at root = dc_json_root(doc);
    const dc_json_at member = dc_json_get(&root, "comm_group");
    const dc_json_at *all = cJSON_IsObject(root.node) ? &member : &root;
    dc_status st = dc_json_array(all);
    if (st != DC_OK)
        return st;
    for (dc_json_at it = dc_json_first(all); st == DC_OK && it.node; dc_json_next(&it)) {
        const dc_json_at name = dc_json_get(&it, "group_name");
        const dc_json_at ranks = dc_json_get(&it, "group_rank_list");
        const char *text;
        st = dc_json_string(&text, &name);
        if (st == DC_OK)
            st = add_group(l, text);
        if (st == DC_OK)
            st = read_ranks(&l->group[l->n - 1], &ranks);
        if (st == DC_OK)
            sort_ranks(&l->group[l->n - 1]);
    }
    return st;
}

static dc_status finish(dc_group_list *l, dc_json *doc, dc_status st)
{
    if (st == DC_OK)
        st = read_document(l, doc);
    dc_json_fini(doc);
    if (st != DC_OK)
        dc_group_list_fini(l);
    return st;
}

dc_status dc_group_list_json(dc_group_list *out, const char *text, size_t n, const char *name)
{
    dc_json doc = {0};
    const dc_json_rules rules = {0};
    *out = (dc_group_list){0};
    return finish(out, &doc, dc_json_parse(&doc, text, n, name, &rules));
}

dc_status dc_group_list_read(dc_group_list *out, const char *spec)
{
    size_t n = strlen(spec);
    *out = (dc_group_list){0};
    if (n > 5 && strcmp(spec + n - 5, ".json") == 0) {
        dc_json doc = {0};
        const dc_json_rules rules = {0};
        return finish(out, &doc, dc_json_open(&doc, spec, &rules));
    }
    dc_status st = read_text(out, spec);
    if (st != DC_OK)
        dc_group_list_fini(out);
    return st;
}

void dc_group_list_fini(dc_group_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->group[i].name);
        free(l->group[i].rank);
    }
    free(l->group);
    *l = (dc_group_list){0};
}

bool dc_rank_group_has(const dc_rank_group *g, int32_t rank)
{
    return g->n && bsearch(&rank, g->rank, g->n, sizeof rank, by_rank);
}

const dc_rank_group *dc_group_list_of(const dc_group_list *l, int32_t rank)
{
    const dc_rank_group *found = NULL;
    for (size_t i = 0; i < l->n; i++) {
        if (!dc_rank_group_has(&l->group[i], rank))
            continue;
        if (found)
            return NULL;
        found = &l->group[i];
    }
    return found;
}

/* Equal but for their digits? */
static bool alike(const char *a, const char *b)
{
    while (*a || *b) {
        while (isdigit((unsigned char)*a))
            a++;
        while (isdigit((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (*a) {
            a++;
            b++;
        }
    }
    return true;
}

const dc_rank_group *dc_group_list_named(const dc_group_list *l, const char *name, int32_t rank)
{
    const dc_rank_group *called = NULL, *found = NULL;
    for (size_t i = 0; i < l->n && !called; i++)
        if (strcmp(l->group[i].name, name) == 0)
            called = &l->group[i];
    if (!called || dc_rank_group_has(called, rank))
        return called;
    for (size_t i = 0; i < l->n; i++) {
        const dc_rank_group *g = &l->group[i];
        if (g->n != called->n || !alike(g->name, name) || !dc_rank_group_has(g, rank))
            continue;
        if (found)
            return NULL;
        found = g;
    }
    return found;
}
