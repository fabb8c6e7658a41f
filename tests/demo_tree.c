/* tests/demo_tree.c - see demo_tree.h */
#include "tests/demo_tree.h"

#include "io/path.h"
#include "tests/harness.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH DC_DEMO_PATH

int dc_demo_start(const char *dir, int np, const char *options)
{
    char command[3 * PATH], launch[PATH] = "";
    if (np > 1)
        snprintf(launch, sizeof launch, "'%s' -q --oversubscribe -np %d ", TEST_MPIEXEC, np);
    snprintf(command, sizeof command, "cd '%s' && %s'%s' %s >log 2>&1", dir, launch, TEST_DEMO,
             options);
    int code = system(command); /* NOLINT: our own program, in our own directory */
    return code < 0 ? code : code >> 8;
}

void dc_demo_read(char **data, size_t *n, const char *path)
{
    DC_ASSERT_OK(dc_read_file(data, n, path, 64 << 20));
}

bool dc_demo_same_file(const char *a, const char *b)
{
    char *x, *y;
    size_t n, m;
    if (!dc_path_is_file(a) || !dc_path_is_file(b))
        return false;
    dc_demo_read(&x, &n, a);
    dc_demo_read(&y, &m, b);
    bool same = n == m && !memcmp(x, y, n);
    free(x);
    free(y);
    return same;
}

bool dc_demo_same_in(const char *a, const char *b, const char *name)
{
    char x[2 * PATH], y[2 * PATH];
    snprintf(x, sizeof x, "%s/%s", a, name);
    snprintf(y, sizeof y, "%s/%s", b, name);
    return dc_demo_same_file(x, y);
}

size_t dc_demo_walk(const char *dir, const char *sub, dc_demo_visitor visit, void *context)
{
    char top[PATH], *roots[] = {top, NULL};
    size_t files = 0;
    snprintf(top, sizeof top, "%s/%s", dir, sub);
    FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fts);
    for (FTSENT *e; (e = fts_read(fts));) {
        if (e->fts_info != FTS_F)
            continue;
        visit(context, e->fts_path);
        files++;
    }
    fts_close(fts);
    return files;
}
