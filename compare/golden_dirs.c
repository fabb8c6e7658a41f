/* compare/golden_dirs.c - see golden_dirs.h */
#include "compare/golden_dirs.h"

#include <stdlib.h>
#include <string.h>

dc_status dc_golden_dirs_begin(dc_golden_dirs *out, const char *pattern, const dc_step_map *steps)
{
    *out =
        (dc_golden_dirs){.pattern = pattern, .uses = dc_golden_path_uses(pattern), .steps = steps};
    dc_status st = dc_pool_new(&out->paths);
    return st == DC_OK ? dc_pool_new(&out->names) : st;
}

void dc_golden_dirs_fini(dc_golden_dirs *d)
{
    for (size_t i = 0; i < d->n; i++) {
        dc_golden_fini(&d->dir[i].list);
        free(d->dir[i].error);
    }
    free(d->dir);
    dc_pool_free(d->paths);
    dc_pool_free(d->names);
    *d = (dc_golden_dirs){0};
}

static dc_status list(dc_golden_dirs *d, const char *path)
{
    dc_status st = dc_grow((void **)&d->dir, &d->cap, d->n, 1, sizeof *d->dir);
    if (st != DC_OK)
        return st;
    dc_listed_dir *dir = &d->dir[d->n];
    *dir = (dc_listed_dir){.base = d->files};
    dir->status = dc_golden_scan(&dir->list, path, d->names);
    if (dir->status == DC_ENOMEM)
        return DC_ENOMEM;
    d->n++;
    if (dir->status != DC_OK) {
        dir->error = strdup(dc_last_error());
        dir->list.path = strdup(path);
        return dir->error && dir->list.path ? DC_OK : dc_fail_memory();
    }
    d->files += dir->list.n;
    return d->files < UINT32_MAX ? DC_OK : dc_fail(DC_EUNSUP, "more than 2^32 - 1 golden files");
}

static dc_status find(uint32_t *dir, dc_golden_dirs *d, const char *path)
{
    uint32_t id;
    dc_status st = dc_pool_adds(&id, d->paths, path);
    if (st == DC_OK && id > d->n)
        st = list(d, path);
    *dir = id - 1;
    return st;
}

dc_status dc_golden_dirs_place(uint32_t *dir, dc_golden_dirs *d, int32_t rank, int32_t device,
                               int64_t step)
{
    if (d->last.known && d->last.rank == rank && d->last.device == device && d->last.step == step) {
        *dir = d->last.dir;
        return DC_OK;
    }
    int64_t golden;
    char *path = NULL;
    dc_status st = DC_OK;
    *dir = DC_NO_DIR;
    if (dc_step_map_get(&golden, d->steps, step) && (golden >= 0 || !d->uses.step)) {
        st = dc_golden_path(&path, d->pattern, rank, device, golden);
        if (st == DC_OK)
            st = find(dir, d, path);
    }
    free(path);
    d->last.known = st == DC_OK;
    d->last.rank = rank;
    d->last.device = device;
    d->last.step = step;
    d->last.dir = *dir;
    return st;
}

uint32_t dc_golden_dirs_of(size_t *at, const dc_golden_dirs *d, uint64_t file)
{
    size_t low = 0, high = d->n; /* the last directory whose base is not beyond file */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (d->dir[middle].base <= file)
            low = middle;
        else
            high = middle;
    }
    *at = (size_t)(file - d->dir[low].base);
    return (uint32_t)low;
}

dc_status dc_golden_dirs_path(dc_buf *out, const dc_golden_dirs *d, uint64_t file)
{
    size_t at;
    const dc_golden_dir *dir = &d->dir[dc_golden_dirs_of(&at, d, file)].list;
    char name[DC_FILE_NAME];
    const char *slash = strcmp(dir->path, "/") == 0 ? "" : "/";
    return dc_buf_printf(out, "%s%s%s", dir->path, slash,
                         dc_golden_file_name(name, dir, &dir->file[at]));
}
