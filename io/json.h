/* io/json.h - JSON documents: strict syntax with line and column, mending of forgotten commas, and
 * lookups that fail with the file and the key path. cJSON holds the tree. */
#ifndef DC_JSON_H
#define DC_JSON_H
#include "io/mem.h"
#include "io/status.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dc_json_rules {
    bool strict;          /* refuse what would be mended: a missing comma between two members or
                             elements, a comma before a closing bracket */
    size_t max_bytes;     /* 0 = 1 GiB */
    unsigned max_nesting; /* most '{' and most '[' open at once, each kind counted by itself in the
                             raw text, strings included, as ACL does; 0 = 1000 of both together */
} dc_json_rules;
/* What ACL checks before adump sees the text: at most 10 MiB, nesting at most 10. */
extern const dc_json_rules dc_json_acl;

#define DC_JSON_MENDS_TOLD 100

typedef struct dc_json {
    char *name;     /* of the file, for messages; owned */
    cJSON *root;    /* owned; NULL for an empty (or all-blank) text */
    dc_buf mended;  /* a line per mend, the first DC_JSON_MENDS_TOLD: "acl.json:7:21: ...\n" */
    size_t nmended; /* mends made */
} dc_json;

/* Read and parse a regular file. Strings are checked to be UTF-8; keys may repeat (the last one
 * counts, as in CANN). Errors: DC_ENOENT, DC_EIO, DC_EUNSUP (too big, too deep, not a regular
 * file), DC_EFORMAT "acl.json:7:21: expected ..." (line and column from 1, columns in characters),
 * DC_ENOMEM. On error *out is empty. Not collective. */
dc_status dc_json_open(dc_json *out, const char *path, const dc_json_rules *rules) DC_MUST_CHECK;
/* The same for text[0..n); name is for messages. */
dc_status dc_json_parse(dc_json *out, const char *text, size_t n, const char *name,
                        const dc_json_rules *rules) DC_MUST_CHECK;
void dc_json_fini(dc_json *doc);

/* A place in a document; the chain of parents gives the key path, so a parent must outlive its
 * children (they live on the stack of the reader). node is NULL where the key is absent. */
typedef struct dc_json_at {
    const dc_json *doc;
    const struct dc_json_at *parent; /* NULL: the root */
    const cJSON *node;
    const char *key; /* in an object; NULL in an array */
    size_t index;    /* in an array */
} dc_json_at;

dc_json_at dc_json_root(const dc_json *doc);
/* The last member of that name (case-sensitive); node NULL when absent or parent is no object. */
dc_json_at dc_json_get(const dc_json_at *parent, const char *key);
/* for (dc_json_at it = dc_json_first(&p); it.node; dc_json_next(&it)): members or elements. */
dc_json_at dc_json_first(const dc_json_at *parent);
void dc_json_next(dc_json_at *it);
size_t dc_json_count(const dc_json_at *at); /* members or elements */

/* "dump.dump_list[2].layer"; "the document" for the root; cut at n bytes. */
void dc_json_path(char *text, size_t n, const dc_json_at *at);
/* DC_EFORMAT with "FILE: PATH: " before the message. */
dc_status dc_json_fail(const dc_json_at *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Values. Errors: DC_EFORMAT "FILE: PATH: must be a string", "... is missing". Strings are borrowed
 * from the document. */
dc_status dc_json_string(const char **out, const dc_json_at *at) DC_MUST_CHECK;
/* A whole number below 2^53, or the same as a string ("rank_id": "7"). */
dc_status dc_json_u64(uint64_t *out, const dc_json_at *at) DC_MUST_CHECK;
dc_status dc_json_array(const dc_json_at *at) DC_MUST_CHECK;
dc_status dc_json_object(const dc_json_at *at) DC_MUST_CHECK;
#endif
