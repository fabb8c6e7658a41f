/* io/path.c - see path.h */
#include "io/path.h"

#include "io/cmp.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *dc_path_normal(const char *path)
{
    char *out = strdup(path), *w = out;
    if (!out) {
        (void)dc_fail_memory();
        return NULL;
    }
    for (const char *r = path; *r; r++)
        if (*r != '/' || w == out || w[-1] != '/')
            *w++ = *r;
    if (w > out + 1 && w[-1] == '/')
        w--;
    *w = '\0';
    return out;
}

char *dc_path_join(const char *dir, const char *name)
{
    size_t n = strlen(dir) + strlen(name) + 2;
    char *joined = malloc(n);
    if (!joined) {
        (void)dc_fail_memory();
        return NULL;
    }
    snprintf(joined, n, "%s/%s", dir, name);
    char *out = dc_path_normal(joined);
    free(joined);
    return out;
}

const char *dc_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int compare_numbers(const char **a, const char **b)
{
    const char *x = *a, *y = *b;
    while (*x == '0')
        x++;
    while (*y == '0')
        y++;
    size_t n = strspn(x, "0123456789"), m = strspn(y, "0123456789");
    *a = x + n;
    *b = y + m;
    return n == m ? strncmp(x, y, n) : DC_CMP(n, m);
}

int dc_path_compare(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        int c;
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            c = compare_numbers(&x, &y);
        } else {
            c = (unsigned char)*x - (unsigned char)*y;
            x++;
            y++;
        }
        if (c)
            return c;
    }
    if (*x || *y)
        return *x ? 1 : -1;
    return strcmp(a, b);
}

bool dc_path_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool dc_path_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

dc_status dc_pread(int fd, void *out, size_t n, uint64_t offset, const char *path)
{
    char *at = out;
    while (n) {
        ssize_t got = pread(fd, at, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return dc_fail_errno("%s: cannot read", path);
        if (got == 0)
            return dc_fail(DC_EFORMAT, "%s: is shorter than expected", path);
        at += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    return DC_OK;
}

dc_status dc_pwrite(int fd, const void *data, size_t n, uint64_t offset, const char *path)
{
    const char *at = data;
    while (n) {
        ssize_t put = pwrite(fd, at, n, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return dc_fail_errno("%s: cannot write", path);
        at += put;
        n -= (size_t)put;
        offset += (uint64_t)put;
    }
    return DC_OK;
}

dc_status dc_read_file(char **data, size_t *n, const char *path, size_t limit)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dc_fail_errno("%s: cannot open", path);
    dc_status status = DC_OK;
    char *text = NULL;
    if (fstat(fd, &st) != 0)
        status = dc_fail_errno("%s: cannot stat", path);
    else if (!S_ISREG(st.st_mode))
        status = dc_fail(DC_EARG, "%s: is not a regular file", path);
    else if ((uint64_t)st.st_size > limit)
        status = dc_fail(DC_EUNSUP, "%s: is larger than %zu bytes", path, limit);
    else if (!(text = malloc((size_t)st.st_size + 1)))
        status = dc_fail_memory();
    else
        status = dc_pread(fd, text, (size_t)st.st_size, 0, path);
    close(fd);
    if (!text || status != DC_OK) {
        free(text);
        return status;
    }
    text[st.st_size] = '\0';
    *data = text;
    *n = (size_t)st.st_size;
    return DC_OK;
}

dc_status dc_mkdirs(const char *path)
{
    char *copy = dc_path_normal(path);
    dc_status st = DC_OK;
    if (!copy)
        return DC_ENOMEM;
    for (char *at = copy + 1; st == DC_OK; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char keep = *at;
        *at = '\0';
        int failed = *copy && mkdir(copy, 0777) != 0 ? errno : 0;
        if (failed && !(failed == EEXIST && dc_path_is_dir(copy))) {
            errno = failed == EEXIST ? ENOTDIR : failed;
            st = dc_fail_errno("%s: cannot make the directory", copy);
        }
        *at = keep;
        if (!keep)
            break;
    }
    free(copy);
    return st;
}
