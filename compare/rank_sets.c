/* compare/rank_sets.c - see rank_sets.h */
#include "compare/rank_sets.h"

#include "io/cmp.h"
#include "mpi/route.h"

#include <math.h>
#include <stdlib.h>

int dc_rank_key_compare(const dc_tensor *x, const dc_tensor *y)
{
    return DC_CMP_BY(x, y, run, model, step, op, direction, slot, occurrence);
}

int dc_rank_owner(const dc_tensor *t, const dc_par *par)
{
    const uint64_t key[] = {(uint64_t)t->run, t->model, (uint64_t)t->step, t->op,
                            t->direction,     t->slot,  t->occurrence};
    return dc_route_owner(key, sizeof key, par);
}

/* What makes a set. */
static int by_set(const dc_rank_member *x, const dc_rank_member *y)
{
    int c = dc_rank_key_compare(&x->at.t, &y->at.t);
    return c ? c : DC_CMP(x->part, y->part);
}

static int by_member(const void *a, const void *b)
{
    const dc_rank_member *x = a, *y = b;
    int c = by_set(x, y);
    return c ? c : DC_CMP_BY(x, y, at.t.rank, at.row);
}

/* Number the groups of a set, count them, find the largest. */
static void group_set(dc_rank_set *set, dc_rank_member *m)
{
    size_t most = 0;
    for (size_t i = 0; i < set->n; i++) {
        m[i].group = DC_NO_GROUP;
        set->lost += m[i].state == DC_MEMBER_LOST;
        if (m[i].state != DC_MEMBER_HELD)
            continue;
        set->held++;
        for (size_t k = 0; k < i && m[i].group == DC_NO_GROUP; k++)
            if (m[k].group != DC_NO_GROUP && m[k].bits == m[i].bits)
                m[i].group = m[k].group;
        if (m[i].group == DC_NO_GROUP)
            m[i].group = set->groups++;
    }
    for (uint32_t g = 0; g < set->groups; g++) {
        size_t n = 0;
        for (size_t i = 0; i < set->n; i++)
            n += m[i].group == g;
        if (n > most) {
            most = n;
            set->reference = g;
        }
    }
}

dc_status dc_rank_sets_make(dc_rank_sets *out, dc_rank_member *member, size_t n)
{
    *out = (dc_rank_sets){.member = member, .members = n};
    out->answer = calloc(n + 1, sizeof *out->answer);
    out->set = malloc((n + 1) * sizeof *out->set);
    if (!out->answer || !out->set) {
        dc_rank_sets_fini(out);
        return dc_fail_memory();
    }
    if (n)
        qsort(member, n, sizeof *member, by_member);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_set(&member[i], &member[end]) == 0;)
            end++;
        dc_rank_set *set = &out->set[out->n++];
        *set = (dc_rank_set){.first = i, .n = end - i};
        group_set(set, member + i);
    }
    return DC_OK;
}

void dc_rank_sets_fini(dc_rank_sets *s)
{
    for (size_t i = 0; s->answer && i < s->members; i++)
        free(s->answer[i]);
    free(s->answer);
    free(s->member);
    free(s->set);
    *s = (dc_rank_sets){0};
}

static int find_key(const void *key, const void *item)
{
    return dc_rank_key_compare(key, &((const dc_rank_member *)item)->at.t);
}

size_t dc_rank_sets_find(const dc_rank_sets *s, const dc_tensor *t)
{
    const dc_rank_member *any =
        s->members ? bsearch(t, s->member, s->members, sizeof *any, find_key) : NULL;
    if (!any)
        return SIZE_MAX;
    size_t i = (size_t)(any - s->member);
    while (i > 0 && find_key(t, &s->member[i - 1]) == 0)
        i--;
    for (; i < s->members && find_key(t, &s->member[i]) == 0; i++)
        if (s->member[i].at.t.rank == t->rank)
            return i;
    return SIZE_MAX;
}

size_t dc_rank_sets_first(const dc_rank_sets *s, const dc_rank_set *set, uint32_t group)
{
    size_t i = set->first;
    while (i < set->first + set->n && s->member[i].group != group)
        i++;
    return i;
}

bool dc_rank_sets_agrees(const dc_rank_sets *s, const dc_rank_set *set, size_t member,
                         bool tolerant)
{
    uint32_t group = s->member[member].group;
    if (group == DC_NO_GROUP || group == set->reference)
        return group != DC_NO_GROUP;
    const dc_row *row = s->answer[dc_rank_sets_first(s, set, group)];
    return row && row->computed && (row->m.differ == 0 || (tolerant && row->verdict == DC_PASS));
}

/* How far a compared member is off: relative, infinite where that is undefined. */
static double distance(const dc_row *row)
{
    bool known = row && row->computed && row->m.valid[DC_METRIC_REL_EUCLID];
    return known ? row->m.value[DC_METRIC_REL_EUCLID] : INFINITY;
}

dc_rank_judged dc_rank_sets_judge(const dc_rank_sets *s, const dc_rank_set *set, bool tolerant)
{
    dc_rank_judged out = {.verdict = DC_PASS, .worst = SIZE_MAX};
    size_t agree = 0, deviate = 0;
    for (size_t i = set->first; i < set->first + set->n; i++) {
        uint32_t group = s->member[i].group;
        bool agrees = dc_rank_sets_agrees(s, set, i, tolerant);
        agree += agrees;
        out.relaxed = out.relaxed || (agrees && group != set->reference);
        if (group == DC_NO_GROUP || agrees)
            continue;
        deviate++;
        bool compared = dc_rank_sets_first(s, set, group) == i;
        if (compared &&
            (out.worst == SIZE_MAX || distance(s->answer[i]) > distance(s->answer[out.worst])))
            out.worst = i;
    }
    out.majority = 2 * agree > set->held;
    out.missed = !deviate && set->lost;
    if (deviate)
        out.verdict = DC_FAIL;
    else if (set->held < 2 || out.missed)
        out.verdict = DC_NOT_JUDGED;
    return out;
}
