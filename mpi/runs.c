/* mpi/runs.c - see runs.h */
#include "io/cmp.h"
#include "mpi/clash.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

#define NO_STAMP UINT32_MAX

/* A process's directory: one time stamp of one rank and device in one tree. */
typedef struct stamp {
    const char *time;
    int32_t rank, run, device;
    uint32_t group;
    size_t dir;           /* one that holds dump files */
    uint64_t first, last; /* dump times */
} stamp;

static int compare_stamps(const void *a, const void *b)
{
    const stamp *x = a, *y = b;
    int c = strcmp(x->time, y->time);
    if (c)
        return c;
    return DC_CMP_BY(x, y, rank, device, group);
}

static stamp stamp_of(const dc_runs_ask *ask, size_t d)
{
    const dc_walk_dir *dir = &ask->walk->dir[d];
    return (stamp){.time = dir->place.time,
                   .rank = dir->rank,
                   .device = dir->place.device,
                   .group = ask->root[dir->root].group,
                   .dir = d,
                   .first = ask->first_time[d],
                   .last = ask->last_time[d]};
}

static void join_stamps(stamp *s, const stamp *more)
{
    s->first = more->first < s->first ? more->first : s->first;
    s->last = more->last > s->last ? more->last : s->last;
    s->dir = more->dir < s->dir ? more->dir : s->dir;
}

/* *of[d] = index of directory d's stamp in *list, which is sorted by time, then rank; directories
 * without dump files have none. */
static dc_status list_stamps(stamp **list, uint32_t *count, uint32_t *of, const dc_runs_ask *ask)
{
    const dc_walk *w = ask->walk;
    stamp *s = calloc(w->dirs + 1, sizeof *s);
    uint32_t all = 0, n = 0;
    if (!s)
        return dc_fail_memory();
    for (size_t d = 0; d < w->dirs; d++)
        if (ask->first_time[d] != UINT64_MAX)
            s[all++] = stamp_of(ask, d);
    if (all)
        qsort(s, all, sizeof *s, compare_stamps);
    for (uint32_t i = 0; i < all; i++) {
        if (n && compare_stamps(&s[n - 1], &s[i]) == 0)
            join_stamps(&s[n - 1], &s[i]);
        else
            s[n++] = s[i];
    }
    for (size_t d = 0; d < w->dirs; d++) {
        const stamp key = stamp_of(ask, d);
        const stamp *at = n ? bsearch(&key, s, n, sizeof *s, compare_stamps) : NULL;
        of[d] = at ? (uint32_t)(at - s) : NO_STAMP;
    }
    *list = s;
    *count = n;
    return DC_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const dc_run_key *x = a, *y = b;
    return DC_CMP_BY(x, y, key, dir);
}

/* Send each key to the process that owns its hash. */
static dc_status exchange_keys(dc_run_key **in, size_t *n_in, const dc_run_key *key, size_t n,
                               const dc_par *par)
{
    dc_route mail = {0};
    dc_arrived all = {0};
    dc_status st = dc_route_begin(&mail, par);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = dc_route_add(&mail, (int)(dc_mix64(key[i].key) % (uint64_t)par->processes), &key[i],
                          sizeof *key);
    st = dc_route_send(&all, &mail, st, par);
    *in = (dc_run_key *)(void *)all.data;
    *n_in = all.total / sizeof **in;
    all.data = NULL;
    dc_arrived_free(&all);
    return st;
}

/* Pairs (earlier stamp, later stamp) that hold a common key: this process's share, possibly
 * repeated. Afterwards the keys' dir is the stamp. */
static dc_status find_conflicts(dc_buf *pairs, const uint32_t *stamp_of, dc_run_key *key, size_t n)
{
    dc_status st = DC_OK;
    uint32_t last[2] = {UINT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < n; i++)
        key[i].dir = stamp_of[key[i].dir];
    if (n)
        qsort(key, n, sizeof *key, compare_keys);
    for (size_t i = 1; st == DC_OK && i < n; i++) {
        if (key[i].key != key[i - 1].key || key[i].dir == key[i - 1].dir)
            continue;
        const uint32_t pair[2] = {(uint32_t)key[i - 1].dir, (uint32_t)key[i].dir};
        if (memcmp(pair, last, sizeof pair) != 0)
            st = dc_buf_add(pairs, pair, sizeof pair);
        memcpy(last, pair, sizeof last);
    }
    return st;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    int c = DC_CMP(x[1], y[1]);
    return c ? c : DC_CMP(x[0], y[0]);
}

/* Two servers rather than two runs? See clash.h. */
static bool is_clash(const stamp *a, const stamp *b, uint64_t window)
{
    if (!*a->time && (*b->time || a->group == b->group))
        return false; /* exception dumps repeat what was dumped before */
    if (a->first <= b->last && b->first <= a->last)
        return true;
    int64_t apart = dc_tree_seconds(b->time) - dc_tree_seconds(a->time);
    bool elsewhere = a->group != b->group || a->device != b->device;
    return elsewhere && apart <= (int64_t)window;
}

static dc_status find_clash(const dc_runs_ask *ask, const stamp *s, const uint32_t (*pair)[2],
                            size_t pairs)
{
    for (size_t i = 0; i < pairs && !ask->mixed; i++) {
        const stamp *a = &s[pair[i][0]], *b = &s[pair[i][1]];
        if (is_clash(a, b, ask->window))
            return dc_clash_of_dirs(ask, a->dir, b->dir);
    }
    return DC_OK;
}

/* Dumps without a time stamp (of exceptions) belong to the run whose dump times are nearest. */
static void place_timeless(stamp *s, uint32_t timeless, uint32_t n)
{
    for (uint32_t i = 0; i < timeless; i++) {
        uint64_t best = UINT64_MAX;
        for (uint32_t k = timeless; k < n; k++) {
            uint64_t apart = s[k].first > s[i].last   ? s[k].first - s[i].last
                             : s[i].first > s[k].last ? s[i].first - s[k].last
                                                      : 0;
            if (apart < best || s[i].run < 0)
                s[i].run = s[k].run;
            best = apart < best ? apart : best;
        }
    }
}

/* Number the runs in one sweep over the stamps in time order. pair[] is sorted by its later stamp.
 */
static int32_t sweep(stamp *s, uint32_t n, const uint32_t (*pair)[2], size_t pairs, uint64_t window)
{
    int32_t run = -1;
    int64_t start = 0;
    size_t p = 0;
    uint32_t timeless = 0; /* "" sorts first; where there is nothing else, it is a time like any */
    while (timeless < n && !*s[timeless].time && *s[n - 1].time)
        timeless++;
    for (uint32_t i = 0; i < n; i++)
        s[i].run = -1;
    for (uint32_t i = 0; i < n; i++) {
        bool next = run < 0 || dc_tree_seconds(s[i].time) - start > (int64_t)window;
        for (; p < pairs && pair[p][1] == i; p++)
            next = next || s[pair[p][0]].run == run;
        if (i < timeless)
            continue;
        if (next) {
            run++;
            start = dc_tree_seconds(s[i].time);
        }
        s[i].run = run;
    }
    place_timeless(s, timeless, n);
    return run + 1;
}

dc_status dc_runs_assign(int32_t *run, int32_t *runs, const dc_runs_ask *ask, const dc_par *par)
{
    stamp *s = NULL;
    uint32_t stamps = 0, *of = malloc((ask->walk->dirs + 1) * sizeof *of);
    dc_run_key *mine = NULL;
    dc_buf pairs = {0};
    char *all = NULL;
    size_t n_mine = 0;
    uint64_t bytes = 0;
    dc_status st = dc_par_agree(of ? list_stamps(&s, &stamps, of, ask) : dc_fail_memory(), par);
    if (st == DC_OK)
        st = exchange_keys(&mine, &n_mine, ask->key, ask->n, par);
    if (st == DC_OK)
        st = dc_par_agree(find_conflicts(&pairs, of, mine, n_mine), par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, pairs.data, pairs.n, par);
    size_t n_pairs = stamps > 1 ? bytes / sizeof(uint32_t[2]) : 0; /* one cannot conflict */
    if (st == DC_OK) {
        if (n_pairs)
            qsort(all, n_pairs, sizeof(uint32_t[2]), compare_pairs);
        st = find_clash(ask, s, (const uint32_t(*)[2])(const void *)all, n_pairs);
    }
    if (st == DC_OK) {
        *runs = sweep(s, stamps, (const uint32_t(*)[2])(const void *)all, n_pairs, ask->window);
        for (size_t d = 0; d < ask->walk->dirs; d++)
            run[d] = of[d] == NO_STAMP ? 0 : s[of[d]].run;
    }
    free(all);
    dc_buf_free(&pairs);
    free(mine);
    free(of);
    free(s);
    return st;
}

/* A model_id of a model in a run of a rank. */
typedef struct instance_key {
    int32_t rank, run;
    char model[256];
    int64_t model_id;
    uint64_t first_time;
    size_t dir;
} instance_key;

static int compare_models(const instance_key *x, const instance_key *y)
{
    int c = DC_CMP_BY(x, y, rank, run);
    return c ? c : strcmp(x->model, y->model);
}

static int by_model_id(const void *a, const void *b)
{
    const instance_key *x = a, *y = b;
    int c = compare_models(x, y);
    if (c)
        return c;
    return DC_CMP(x->model_id, y->model_id);
}

static int by_first_time(const void *a, const void *b)
{
    const instance_key *x = a, *y = b;
    int c = compare_models(x, y);
    if (c)
        return c;
    return DC_CMP_BY(x, y, first_time, model_id);
}

dc_status dc_runs_instances(uint32_t *instance, const dc_walk *w, const int32_t *run,
                            const uint64_t *first_time)
{
    instance_key *k = malloc((w->dirs + 1) * sizeof *k);
    if (!k)
        return dc_fail_memory();
    for (size_t d = 0; d < w->dirs; d++) {
        const dc_walk_dir *dir = &w->dir[d];
        k[d] = (instance_key){.rank = dir->rank,
                              .run = run[d],
                              .model_id = dir->place.model_id,
                              .first_time = first_time[d],
                              .dir = d};
        dc_tree_model_name(k[d].model, sizeof k[d].model, dir->place.model,
                           dir->place.model_length);
    }
    if (w->dirs)
        qsort(k, w->dirs, sizeof *k, by_model_id);
    for (size_t i = w->dirs;
         i-- > 1;) /* every directory of a model_id gets its earliest time: back to front, */
        if (by_model_id(&k[i - 1], &k[i]) == 0 && k[i].first_time < k[i - 1].first_time)
            k[i - 1].first_time = k[i].first_time;
    for (size_t i = 1; i < w->dirs; i++) /* then front to back */
        if (by_model_id(&k[i - 1], &k[i]) == 0)
            k[i].first_time = k[i - 1].first_time;
    if (w->dirs)
        qsort(k, w->dirs, sizeof *k, by_first_time);
    for (size_t i = 0; i < w->dirs; i++) {
        uint32_t before = i ? instance[k[i - 1].dir] : 0;
        bool same_model = i && compare_models(&k[i - 1], &k[i]) == 0;
        bool counts = k[i].first_time != UINT64_MAX;
        if (!same_model || !counts)
            instance[k[i].dir] = 0;
        else
            instance[k[i].dir] = before + (k[i - 1].model_id != k[i].model_id);
    }
    free(k);
    return DC_OK;
}
