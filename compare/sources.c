/* compare/sources.c - see sources.h */
#include "compare/sources.h"

#include "io/golden.h"
#include "io/path.h"
#include "io/tree.h"

#include <stdlib.h>

#define DEFAULT_STORE "dump.h5"
#define LOOK_DEPTH    4 /* levels below a directory where a dump tree's time stamps are looked for */

enum { MISSING, STORE, TREE, FILES };

/* Is there a directory of a dump tree (its path has a time stamp and a device) at most `depth`
 * levels down? */
static bool holds_tree(const char *dir, int depth)
{
    dc_tree_list list;
    dc_tree_place place;
    bool found = false;
    dc_tree_place_parse(&place, dir);
    if (*place.time && place.device >= 0)
        return true;
    if (depth == 0 || dc_tree_list_dir(&list, dir) != DC_OK)
        return false;
    for (size_t i = 0; !found && i < list.n; i++) {
        char *sub = list.entry[i].is_dir ? dc_path_join(dir, list.entry[i].name) : NULL;
        found = sub && holds_tree(sub, depth - 1);
        free(sub);
    }
    dc_tree_list_free(&list);
    return found;
}

static int golden_kind(const char *path)
{
    dc_golden_dir dir;
    char *root;
    if (dc_path_is_file(path))
        return STORE;
    if (!dc_path_is_dir(path))
        return FILES; /* a template, or missing: alignment says which */
    size_t n = 0;
    dc_pool *names = NULL;
    if (dc_pool_new(&names) == DC_OK && dc_golden_scan(&dir, path, names) == DC_OK) {
        n = dir.n;
        dc_golden_fini(&dir);
    }
    dc_pool_free(names);
    root = n == 0 ? dc_tree_root(path) : NULL;
    bool tree = root && holds_tree(root, LOOK_DEPTH);
    free(root);
    return tree ? TREE : FILES;
}

static int npu_kind(const char *path)
{
    return dc_path_is_file(path) ? STORE : dc_path_is_dir(path) ? TREE : MISSING;
}

static dc_status open_catalog(dc_catalog *out, const char *path, int kind, const dc_par *par)
{
    const dc_scan_root root = {.path = path};
    const dc_scan_ask ask = {.root = &root, .roots = 1};
    dc_status st =
        kind == STORE ? dc_catalog_load(out, path, par) : dc_catalog_scan(out, &ask, par);
    if (st != DC_OK)
        return st;
    uint64_t n = out->n;
    dc_par_sum_u64(&n, 1, par);
    if (n)
        return DC_OK;
    dc_catalog_fini(out);
    return dc_fail(DC_ENOENT, "%s: holds no dumped tensors: nothing to compare", path);
}

/* Neither a store nor a tree. */
static dc_status fail_missing(const char *npu)
{
    dc_buf part = {0};
    bool begun =
        dc_buf_printf(&part, "%s.part%c", npu, '\0') == DC_OK && dc_path_is_file(part.data);
    dc_buf_free(&part);
    if (begun)
        return dc_fail(DC_ENOENT,
                       "%s: is not there, but %s.part of an interrupted capture is; dumpcap "
                       "--resume -o %s completes it, and what it has can be compared by its name",
                       npu, npu, npu);
    return dc_fail(DC_ENOENT,
                   "%s: no such store or dump tree; name the store that dumpcap wrote, or the "
                   "dump_path",
                   npu);
}

dc_status dc_sources_open(dc_sources *out, const dc_settings *s, const dc_par *par)
{
    const char *npu = s->rest.n ? s->rest.argument[0] : DEFAULT_STORE;
    int kind[2] = {MISSING, MISSING};
    *out = (dc_sources){0};
    if (par->process == 0) {
        kind[0] = npu_kind(npu);
        kind[1] = s->golden ? golden_kind(s->golden) : FILES;
    }
    dc_par_bcast(kind, sizeof kind, 0, par);
    if (kind[0] == MISSING)
        return fail_missing(npu);
    dc_status st = open_catalog(&out->npu, npu, kind[0], par);
    out->golden_is_catalog = st == DC_OK && kind[1] != FILES;
    if (out->golden_is_catalog) {
        st = open_catalog(&out->golden, s->golden, kind[1], par);
        if (st != DC_OK)
            dc_catalog_fini(&out->npu);
        out->golden_is_catalog = st == DC_OK;
    }
    return st;
}

void dc_sources_fini(dc_sources *in)
{
    if (in->golden_is_catalog)
        dc_catalog_fini(&in->golden);
    dc_catalog_fini(&in->npu);
    *in = (dc_sources){0};
}
