/* mpi/dictionary.c - see dictionary.h */
#include "mpi/dictionary.h"

#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static dc_status pack(dc_buf *out, const dc_pool *pool)
{
    dc_status st = DC_OK;
    for (uint32_t i = 0; st == DC_OK && i < dc_pool_count(pool); i++) {
        const char *text = dc_pool_text(pool, i);
        st = dc_buf_add(out, text, strlen(text) + 1);
    }
    return st;
}

/* The pool of bytes' NUL-terminated strings in strcmp order; each string once. */
static dc_status pool_of(dc_pool **sorted, const char *bytes, uint64_t n)
{
    size_t count = 0, k = 0;
    uint32_t id;
    for (uint64_t at = 0; at < n; at++)
        count += bytes[at] == '\0';
    const char **text = malloc((count + 1) * sizeof *text);
    dc_status st = text ? dc_pool_new(sorted) : dc_fail_memory();
    for (uint64_t at = 0; text && at < n; at += strlen(bytes + at) + 1)
        text[k++] = bytes + at;
    if (st == DC_OK)
        qsort(text, count, sizeof *text, compare_texts);
    for (size_t i = 0; st == DC_OK && i < count; i++)
        st = dc_pool_adds(&id, *sorted, text[i]);
    free(text);
    return st;
}

dc_status dc_dictionary_build(dc_pool **sorted, uint32_t **map, const dc_pool *local,
                              const dc_par *par)
{
    dc_buf mine = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    *sorted = NULL;
    *map = malloc((dc_pool_count(local) + (size_t)1) * sizeof **map);
    dc_status st = *map ? pack(&mine, local) : dc_fail_memory();
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, mine.data, mine.n, par);
    dc_buf_free(&mine);
    if (st == DC_OK)
        st = dc_par_agree(pool_of(sorted, all, bytes), par);
    free(all);
    for (uint32_t i = 0; st == DC_OK && i < dc_pool_count(local); i++)
        (*map)[i] = dc_pool_find(*sorted, dc_pool_text(local, i));
    if (st != DC_OK) {
        dc_pool_free(*sorted);
        free(*map);
        *sorted = NULL;
        *map = NULL;
    }
    return st;
}
