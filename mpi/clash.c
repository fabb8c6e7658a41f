/* mpi/clash.c - see clash.h */
#include "mpi/clash.h"

#include "io/cmp.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST_KEYS 3 /* operators; fewer say nothing */

static int compare_keys(const dc_scan_file *x, const dc_scan_file *y)
{
    int c = DC_CMP_BY(x, y, name.stream, name.task, name.context, name.thread);
    if (!c)
        c = strcmp(x->op, y->op);
    return c ? c : strcmp(x->op_type, y->op_type);
}

static int by_key(const void *a, const void *b)
{
    const dc_scan_file *x = *(const dc_scan_file *const *)a, *y = *(const dc_scan_file *const *)b;
    int c = compare_keys(x, y);
    return c ? c : DC_CMP(x->name.time, y->name.time);
}

/* order[0..n) by key and time: are two processes in there? */
static bool mixed(const dc_scan_file *const *order, size_t n)
{
    uint64_t last_first = 0, first_second = UINT64_MAX;
    size_t keys = 0;
    for (size_t i = 0, times; i < n; i += times, keys++) {
        for (times = 1; i + times < n && compare_keys(order[i], order[i + times]) == 0;)
            times++;
        if (times == 1)
            return false;
        if (order[i]->name.time > last_first)
            last_first = order[i]->name.time;
        if (order[i + 1]->name.time < first_second)
            first_second = order[i + 1]->name.time;
    }
    return keys >= FEWEST_KEYS && first_second < last_first;
}

dc_status dc_clash_in_dir(const char *path, const dc_scan_file *file, size_t n)
{
    const dc_scan_file **order = malloc((n + 1) * sizeof *order);
    size_t dumps = 0;
    if (!order)
        return dc_fail_memory();
    for (size_t i = 0; i < n; i++)
        if (file[i].name.kind == DC_NAME_DUMP)
            order[dumps++] = &file[i];
    if (dumps)
        qsort((void *)order, dumps, sizeof *order, by_key);
    bool bad = mixed(order, dumps);
    free((void *)order);
    if (!bad)
        return DC_OK;
    return dc_fail(DC_EARG,
                   "%s holds the files of two processes: every operator is there several times, "
                   "and all at the same time. Two servers share this dump path, and nothing in the "
                   "files tells them apart: dump each server to a path of its own. --mixed takes "
                   "them as repeated executions of one rank",
                   path);
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
    if (x->place.device != y->place.device)
        return dc_fail(DC_EARG,
                       "rank %d is told of two devices, %s and %s: {device} in the ROOT, --rank-of "
                       "or --rank-table FILE tells them apart. --mixed takes them as two runs",
                       x->rank, x->path, y->path);
    return dc_fail(DC_EARG,
                   "rank %d wrote the same operators at the same time under %s and %s. Two servers "
                   "share this dump path? Name the time directories as roots, each with --rank-of "
                   "ROOT=OFFSET. --mixed takes them as two runs",
                   x->rank, x->path, y->path);
}
