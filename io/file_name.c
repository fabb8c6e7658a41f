/* io/file_name.c - see file_name.h */
#include "io/file_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_DIGITS 10
#define MOST_DIGITS   19 /* of these every number fits */

/* The last run of so many digits: where it starts, and *n of them; NULL without one. */
static const char *long_number(size_t *n, const char *name)
{
    for (const char *end = name + strlen(name); end > name; end--) {
        const char *start = end;
        while (start > name && isdigit((unsigned char)start[-1]))
            start--;
        *n = (size_t)(end - start);
        if (*n >= FEWEST_DIGITS && *n <= MOST_DIGITS && *start != '0')
            return start;
        if (*n)
            end = start + 1;
    }
    return NULL;
}

dc_status dc_file_name_add(uint32_t *text, uint64_t *number, dc_pool *names, const char *name)
{
    char shared[DC_FILE_NAME];
    size_t digits, all = strlen(name);
    const char *at = all < sizeof shared && !strchr(name, '/') ? long_number(&digits, name) : NULL;
    *number = 0;
    if (!at)
        return dc_pool_add(text, names, name, all);
    *number = strtoull(at, NULL, 10);
    size_t n =
        (size_t)snprintf(shared, sizeof shared, "%.*s/%s", (int)(at - name), name, at + digits);
    return dc_pool_add(text, names, shared, n);
}

const char *dc_file_name(char out[DC_FILE_NAME], const dc_pool *names, uint32_t text,
                         uint64_t number)
{
    const char *shared = dc_pool_text(names, text), *at = strchr(shared, '/');
    if (number && at)
        snprintf(out, DC_FILE_NAME, "%.*s%" PRIu64 "%s", (int)(at - shared), shared, number,
                 at + 1);
    else
        snprintf(out, DC_FILE_NAME, "%s", shared);
    return out;
}
