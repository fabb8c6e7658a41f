/* io/mapping_csv.c - see mapping_csv.h */
#include "io/mapping_csv.h"

#include "io/mem.h"
#include "io/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 8192 }; /* NUL included */
#define NAMES_MAX ((size_t)256 << 20)

struct dc_mapping {
    dc_pool *text;      /* hashes and names */
    const char **name;  /* by id of the hash; NULL for an id that is none */
    size_t cap, filled; /* of name: allocated, and set to something */
    size_t rows, bytes; /* different hashes; bytes of text */
};

/* name[id] = text, growing the array. */
static dc_status set_name(dc_mapping *m, uint32_t id, const char *text)
{
    dc_status st = dc_grow((void **)&m->name, &m->cap, 0, (size_t)id + 1, sizeof *m->name);
    if (st != DC_OK)
        return st;
    while (m->filled <= id)
        m->name[m->filled++] = NULL;
    m->rows += !m->name[id];
    m->name[id] = text;
    return DC_OK;
}

/* A line without its end. *skipped counts those that are no row. */
static dc_status add_line(dc_mapping *m, size_t *skipped, char *line, const char *path)
{
    char *comma = strchr(line, ',');
    if (!comma || comma == line || !comma[1]) {
        *skipped += *line != '\0';
        return DC_OK;
    }
    uint32_t hash, name, before = dc_pool_count(m->text);
    *comma = '\0';
    dc_status st = dc_pool_adds(&hash, m->text, line);
    if (st == DC_OK)
        st = dc_pool_adds(&name, m->text, comma + 1);
    if (st != DC_OK)
        return st;
    if (dc_pool_count(m->text) > before)
        m->bytes += strlen(line) + strlen(comma + 1);
    if (m->bytes > NAMES_MAX)
        return dc_fail(DC_EUNSUP, "%s: more than %zu MiB of names", path, NAMES_MAX >> 20);
    return set_name(m, hash, dc_pool_text(m->text, name));
}

/* The next line of file without its end; false at the end. *whole: it fitted. */
static bool next_line(char line[LINE_MAX_BYTES], bool *whole, FILE *file)
{
    int c;
    size_t n = 0;
    *whole = true;
    while ((c = getc(file)) != EOF && c != '\n') {
        if (n < LINE_MAX_BYTES - 1)
            line[n++] = (char)c;
        else
            *whole = false;
    }
    if (c == EOF && n == 0)
        return false;
    if (n && line[n - 1] == '\r')
        n--;
    line[n] = '\0';
    return true;
}

static dc_status read_lines(dc_mapping *m, size_t *skipped, FILE *file, const char *path)
{
    char line[LINE_MAX_BYTES];
    bool whole;
    dc_status st = DC_OK;
    while (st == DC_OK && next_line(line, &whole, file)) {
        if (whole)
            st = add_line(m, skipped, line, path);
        else
            ++*skipped;
    }
    if (st == DC_OK && ferror(file))
        st = dc_fail_errno("%s: cannot read", path);
    return st;
}

dc_status dc_mapping_open(dc_mapping **out, size_t *skipped, const char *path)
{
    size_t none = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return dc_fail_errno("%s: cannot open", path);
    dc_mapping *m = calloc(1, sizeof *m);
    if (!m) {
        fclose(file);
        return dc_fail_memory();
    }
    dc_status st = dc_pool_new(&m->text);
    if (st == DC_OK)
        st = read_lines(m, &none, file, path);
    fclose(file);
    if (st != DC_OK) {
        dc_mapping_free(m);
        return st;
    }
    if (skipped)
        *skipped = none;
    *out = m;
    return DC_OK;
}

const char *dc_mapping_find(const dc_mapping *m, const char *hash)
{
    uint32_t id = dc_pool_find(m->text, hash);
    return id < m->filled ? m->name[id] : NULL;
}

size_t dc_mapping_count(const dc_mapping *m)
{
    return m->rows;
}

void dc_mapping_free(dc_mapping *m)
{
    if (!m)
        return;
    dc_pool_free(m->text);
    free(m->name);
    free(m);
}

/* Does the file at path have this row? A file that is not there has none. */
static dc_status has_row(bool *found, const char *path, const char *hash, const char *name)
{
    dc_mapping *m = NULL;
    dc_status st = dc_mapping_open(&m, NULL, path);
    *found = false;
    if (!m)
        return st == DC_ENOENT ? DC_OK : st;
    const char *have = dc_mapping_find(m, hash);
    *found = have && strcmp(have, name) == 0;
    dc_mapping_free(m);
    return DC_OK;
}

static dc_status append_row(const char *path, const char *hash, const char *name)
{
    dc_buf line = {0};
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return dc_fail_errno("%s: cannot open", path);
    dc_status st = dc_buf_printf(&line, "%s,%s\n", hash, name);
    if (st == DC_OK && write(fd, line.data, line.n) != (ssize_t)line.n)
        st = dc_fail_errno("%s: cannot write", path);
    if (close(fd) != 0 && st == DC_OK)
        st = dc_fail_errno("%s: cannot write", path);
    dc_buf_free(&line);
    return st;
}

dc_status dc_mapping_append(const char *dir, const char *hash, const char *name)
{
    bool found;
    char *path = dc_path_join(dir, "mapping.csv");
    if (!path)
        return DC_ENOMEM;
    dc_status st = has_row(&found, path, hash, name);
    if (st == DC_OK && !found)
        st = append_row(path, hash, name);
    free(path);
    return st;
}
