/* io/hashed_name.c - see hashed_name.h */
#include "io/hashed_name.h"

#include "io/dump_name.h"
#include "io/mem.h"
#include "io/std_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 20 };

bool dc_hashed_is(const char *hash)
{
    size_t n = strspn(hash, "0123456789");
    return n > 0 && n <= DIGITS_MAX && hash[n] == '\0';
}

static bool hash_is(const char *hash, const char *text, size_t n)
{
    char made[DIGITS_MAX + 1];
    snprintf(made, sizeof made, "%" PRIu64, dc_std_hash(text, n));
    return strcmp(made, hash) == 0;
}

/* One spelling: head, then tail with the slash at `twice` doubled (at its end: none). */
static dc_status try_one(bool *fits, dc_buf *text, const char *hash, dc_name_part head,
                         const char *tail, size_t twice)
{
    text->n = 0;
    dc_status st = dc_buf_add(text, head.at, head.n);
    if (st == DC_OK)
        st = dc_buf_add(text, tail, twice);
    if (st == DC_OK && tail[twice])
        st = dc_buf_add(text, "/", 1);
    if (st == DC_OK)
        st = dc_buf_puts(text, tail + twice);
    *fits = st == DC_OK && hash_is(hash, text->data, text->n);
    return st;
}

/* The tail as it is, then with each of its slashes doubled, those of the name's own left out. */
static dc_status try_tail(bool *fits, dc_buf *text, const char *hash, dc_name_part head,
                          const char *tail, const char *name)
{
    dc_status st = try_one(fits, text, hash, head, tail, strlen(tail));
    for (const char *s = tail; st == DC_OK && !*fits && s < name; s++)
        if (*s == '/')
            st = try_one(fits, text, hash, head, tail, (size_t)(s - tail));
    return st;
}

/* All tails of now, the file's path today, from the longest on; name points into it. */
static dc_status try_tails(bool *fits, const char *hash, dc_name_part head, const char *now,
                           const char *name)
{
    dc_buf text = {0};
    dc_status st = DC_OK;
    for (const char *s = now; st == DC_OK && !*fits && s < name; s++)
        if (s == now || s[-1] == '/')
            st = try_tail(fits, &text, hash, head, s, name);
    if (st == DC_OK && !*fits)
        st = try_one(fits, &text, hash, head, name, strlen(name));
    dc_buf_free(&text);
    return st;
}

dc_status dc_hashed_fits(bool *fits, const char *hash, const char *original_path, const char *dir,
                         const char *name)
{
    dc_dump_name parsed;
    dc_buf head = {0}, now = {0};
    size_t n = strlen(original_path);
    dc_dump_name_parse(&parsed, name);
    *fits = parsed.kind == DC_NAME_EXCEPTION && hash_is(hash, name, strlen(name));
    if (*fits)
        return DC_OK;
    while (n && original_path[n - 1] == '/')
        n--;
    dc_status st = dc_buf_printf(&head, "%.*s//", (int)n, original_path);
    if (st == DC_OK)
        st = dc_buf_printf(&now, "%s/%s", dir, name);
    for (size_t slashes = 1; st == DC_OK && !*fits && slashes <= 2; slashes++)
        st = try_tails(fits, hash, (dc_name_part){head.data, n + slashes}, now.data,
                       now.data + now.n - strlen(name));
    dc_buf_free(&head);
    dc_buf_free(&now);
    return st;
}
