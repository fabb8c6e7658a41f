/* io/graph_find.c - see graph_find.h: listing the candidates */
#include "io/graph_find.h"

#include "io/path.h"
#include "io/pbtext.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4096, DEPTH = 4, BLOCK = 1 << 20, LONGEST = 64 };

static ssize_t read_some(int fd, char *at, size_t n)
{
    ssize_t got;
    do
        got = read(fd, at, n);
    while (got < 0 && errno == EINTR);
    return got;
}

dc_status dc_graph_find_text(bool *holds, const char *path, const char *text)
{
    size_t n = strlen(text), kept = 0;
    ssize_t got;
    if (n == 0 || n > LONGEST)
        return dc_fail(DC_EARG, "\"%s\": a text of 1 to %d bytes can be searched", text, LONGEST);
    char *block = malloc(BLOCK + LONGEST);
    if (!block)
        return dc_fail_memory();
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    dc_status st = fd < 0 ? dc_fail_errno("%s: cannot open", path) : DC_OK;
    *holds = false;
    while (st == DC_OK && !*holds) {
        got = read_some(fd, block + kept, BLOCK);
        if (got < 0)
            st = dc_fail_errno("%s: cannot read", path);
        if (got <= 0)
            break;
        size_t have = kept + (size_t)got;
        *holds = memmem(block, have, text, n) != NULL;
        kept = have < n - 1 ? have : n - 1; /* a match may lie across two blocks */
        memmove(block, block + have - kept, kept);
    }
    if (fd >= 0)
        close(fd);
    free(block);
    return st;
}

/* The name of the first graph in the head of a file; "" if it is not there. Broken text is no
 * error here: the file may still be told by its contents. */
static dc_status first_graph(char **name, const char *head, size_t n, const char *path)
{
    dc_pbtext *p;
    dc_pbfield f;
    const char *text = "";
    size_t length;
    dc_status st = dc_pbtext_open_memory(&p, head, n, path);
    if (st != DC_OK)
        return st;
    do
        st = dc_pbtext_next(&f, p);
    while (st == DC_OK && f.kind != DC_PB_END &&
           !(f.kind == DC_PB_MESSAGE && strcmp(f.name, "graph") == 0));
    if (st == DC_OK && f.kind == DC_PB_MESSAGE)
        st = dc_pbtext_enter(p);
    if (st == DC_OK)
        st = dc_pbtext_next(&f, p);
    if (st == DC_OK && f.kind == DC_PB_SCALAR && strcmp(f.name, "name") == 0 &&
        dc_pbtext_text(&text, &length, p) != DC_OK)
        text = "";
    *name = strdup(text);
    dc_pbtext_close(p);
    return *name ? DC_OK : dc_fail_memory();
}

/* .../pid_12_deviceid_3/...: the last such directory counts. */
static void read_device(dc_gfile *f)
{
    const char *last = strrchr(f->path, '/');
    for (const char *at = f->path; (at = strstr(at, "pid_")) && at < last; at++) {
        char *end;
        if (at != f->path && at[-1] != '/')
            continue;
        long long pid = strtoll(at + 4, &end, 10), device;
        if (end == at + 4 || strncmp(end, "_deviceid_", 10) != 0)
            continue;
        const char *digits = end + 10;
        device = strtoll(digits, &end, 10);
        if (end == digits || *end != '/')
            continue;
        f->pid = pid;
        f->device = device;
    }
}

static dc_status add_file(dc_gfiles *out, char *path)
{
    char head[HEAD];
    dc_gfile f = {.path = path, .pid = -1, .device = -1, .iterator = -1};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read_some(fd, head, sizeof head);
    dc_status st = got < 0 ? dc_fail_errno("%s: cannot read", path) : DC_OK;
    if (fd >= 0)
        close(fd);
    if (st == DC_OK)
        st = dc_grow((void **)&out->file, &out->cap, out->n, 1, sizeof *out->file);
    if (st == DC_OK)
        st = first_graph(&f.graph, head, (size_t)got, path);
    if (st != DC_OK)
        return st;
    const char *base = dc_path_base(path);
    if (strncmp(base, "ge_proto_", 9) == 0)
        f.number = strtoull(base + 9, NULL, 10);
    read_device(&f);
    out->file[out->n++] = f;
    return DC_OK;
}

static bool is_build(const char *name)
{
    size_t n = strlen(name);
    return n >= 10 && strcmp(name + n - 10, "_Build.txt") == 0;
}

/* What an entry is, without following links to directories (they may lead round in circles). */
static void kind_of(bool *file, bool *dir, const char *path)
{
    struct stat st;
    *file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    *dir = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static dc_status walk(dc_gfiles *out, const char *path, int depth);

static dc_status visit(dc_gfiles *out, const char *dir, const struct dirent *e, int depth)
{
    bool file, sub, named = is_build(e->d_name);
    if (e->d_name[0] == '.' || (e->d_type == DT_REG && !named))
        return DC_OK;
    char *path = dc_path_join(dir, e->d_name);
    if (!path)
        return DC_ENOMEM;
    dc_status st = DC_OK;
    kind_of(&file, &sub, path);
    if (sub && depth < DEPTH)
        st = walk(out, path, depth + 1);
    if (file && named) {
        st = add_file(out, path);
        path = st == DC_OK ? NULL : path; /* now the list's */
    }
    free(path);
    if (st == DC_OK || st == DC_ENOMEM)
        return st;
    out->unreadable++;
    return DC_OK;
}

static dc_status walk(dc_gfiles *out, const char *path, int depth)
{
    DIR *d = opendir(path);
    if (!d)
        return dc_fail_errno("%s: cannot list", path);
    dc_status st = DC_OK;
    struct dirent *e;
    while (st == DC_OK && (errno = 0, e = readdir(d)) != NULL)
        st = visit(out, path, e, depth);
    if (st == DC_OK && errno)
        st = dc_fail_errno("%s: cannot list", path);
    closedir(d);
    return st;
}

static int by_path(const void *a, const void *b)
{
    return dc_path_compare(((const dc_gfile *)a)->path, ((const dc_gfile *)b)->path);
}

dc_status dc_graph_find_files(dc_gfiles *out, const char *path)
{
    dc_status st;
    *out = (dc_gfiles){.given = !dc_path_is_dir(path)};
    if (out->given) {
        char *copy = strdup(path);
        st = copy ? add_file(out, copy) : dc_fail_memory();
        if (st != DC_OK)
            free(copy);
    } else {
        st = walk(out, path, 0);
        if (st == DC_OK && out->n == 0)
            st = dc_fail(DC_ENOENT,
                         "%s: no *_Build.txt here (run the training with DUMP_GE_GRAPH=2)", path);
    }
    if (st != DC_OK) {
        dc_graph_find_free(out);
        return st;
    }
    qsort(out->file, out->n, sizeof *out->file, by_path);
    return DC_OK;
}

void dc_graph_find_free(dc_gfiles *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->file[i].path);
        free(files->file[i].graph);
    }
    free(files->file);
    *files = (dc_gfiles){0};
}
