/* mpi/clash.c - see clash.h */
#include "mpi/clash.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST_KEYS 3 /* fewer say nothing */

/* Of each directory: keys, keys that are there once, latest first and earliest second execution. */
typedef struct dir_counts {
    uint64_t *keys, *once, *last_first, *first_second;
} dir_counts;

static dc_status counts_new(dir_counts *c, size_t dirs)
{
    c->keys = calloc(dirs + 1, sizeof *c->keys);
    c->once = calloc(dirs + 1, sizeof *c->once);
    c->last_first = calloc(dirs + 1, sizeof *c->last_first);
    c->first_second = malloc((dirs + 1) * sizeof *c->first_second);
    if (!c->keys || !c->once || !c->last_first || !c->first_second)
        return dc_fail_memory();
    memset(c->first_second, 0xff, (dirs + 1) * sizeof *c->first_second);
    return DC_OK;
}

static void counts_free(dir_counts *c)
{
    free(c->keys);
    free(c->once);
    free(c->last_first);
    free(c->first_second);
}

static void count_keys(dir_counts *c, const dc_run_key *key, size_t n)
{
    for (size_t i = 0, times; i < n; i += times) {
        uint64_t dir = key[i].dir;
        for (times = 1;
             i + times < n && key[i + times].key == key[i].key && key[i + times].dir == dir;)
            times++;
        c->keys[dir]++;
        c->once[dir] += times == 1;
        if (key[i].time > c->last_first[dir])
            c->last_first[dir] = key[i].time;
        if (times > 1 && key[i + 1].time < c->first_second[dir])
            c->first_second[dir] = key[i + 1].time;
    }
}

dc_status dc_clash_in_dirs(const dc_runs_ask *ask, const dc_run_key *key, size_t n,
                           const dc_par *par)
{
    dir_counts c = {0};
    size_t dirs = ask->walk->dirs;
    dc_status st = dc_par_agree(counts_new(&c, dirs), par);
    if (st == DC_OK) {
        count_keys(&c, key, n);
        dc_par_sum_u64(c.keys, dirs, par);
        dc_par_sum_u64(c.once, dirs, par);
        dc_par_max_u64(c.last_first, dirs, par);
        dc_par_min_u64(c.first_second, dirs, par);
    }
    for (size_t d = 0; st == DC_OK && d < dirs; d++)
        if (c.keys[d] >= FEWEST_KEYS && c.once[d] == 0 && c.first_second[d] < c.last_first[d])
            st = dc_fail(DC_EARG,
                         "%s holds the files of two processes: every operator is there several "
                         "times, and all at the same time. Two servers share this dump path, and "
                         "nothing in the files tells them apart: dump each server to a path of "
                         "its own. --mixed takes them as repeated executions of one rank",
                         ask->walk->dir[d].path);
    counts_free(&c);
    return st;
}

dc_status dc_clash_of_dirs(const dc_runs_ask *ask, size_t a, size_t b)
{
    const dc_walk_dir *x = &ask->walk->dir[a], *y = &ask->walk->dir[b];
    if (ask->root[x->root].group != ask->root[y->root].group)
        return dc_fail(DC_EARG,
                       "rank %d is in two trees at the same time, %s and %s. Two servers? Say "
                       "whose they are: --rank-of %s=OFFSET, or --rank-table FILE with "
                       "--server-of ROOT=ID. --mixed takes them as two runs",
                       x->rank, ask->root[x->root].path, ask->root[y->root].path,
                       ask->root[y->root].path);
    return dc_fail(DC_EARG,
                   "rank %d wrote the same operators at the same time under %s and %s. Two servers "
                   "share this dump path? Name the time directories as roots, each with --rank-of "
                   "ROOT=OFFSET. --mixed takes them as two runs",
                   x->rank, x->path, y->path);
}
