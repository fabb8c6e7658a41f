/* io/acl_config.c - see acl_config.h; reading and the memory of a configuration. */
#include "io/acl_config.h"

#include "io/acl_parts.h"
#include "io/near.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    max_align_t data[];
} block;

typedef struct memory {
    dc_json doc;
    block *blocks;
} memory;

enum { MOST_UNKNOWN = 20 }; /* lines about unknown keys of one object */

int dc_acl_choice(const char *allowed, const char *text, size_t n)
{
    for (int index = 0;; index++) {
        size_t length = strcspn(allowed, "|");
        if (length == n && memcmp(allowed, text, n) == 0)
            return index;
        if (!allowed[length])
            return -1;
        allowed += length + 1;
    }
}

void *dc_acl_alloc(dc_dump_config *c, size_t n, size_t size)
{
    memory *m = c->memory;
    uint64_t bytes;
    block *b = NULL;
    if (dc_mul_u64(&bytes, n, size) && bytes < PTRDIFF_MAX / 2)
        b = calloc(1, sizeof *b + bytes);
    if (!b) {
        (void)dc_fail_memory();
        return NULL;
    }
    b->next = m->blocks;
    m->blocks = b;
    return b->data;
}

char *dc_acl_strndup(dc_dump_config *c, const char *text, size_t n)
{
    char *copy = dc_acl_alloc(c, n + 1, 1);
    if (copy)
        memcpy(copy, text, n);
    return copy;
}

dc_status dc_acl_refuse(dc_dump_config *c, const char *code, const dc_json_at *at,
                        const char *format, ...)
{
    char path[256], text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dc_json_path(path, sizeof path, at);
    c->code = code;
    return dc_fail(DC_EARG, "%s: %s: %s%s%s%s", c->file, path, text, *code ? " [" : "", code,
                   *code ? "]" : "");
}

dc_status dc_acl_note(dc_buf *lines, const dc_json_at *at, const char *format, ...)
{
    char path[256], text[768];
    va_list args;
    if (lines->n > DC_ACL_NOTES_BYTES)
        return DC_OK; /* a hostile file could make a note of every byte */
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dc_json_path(path, sizeof path, at);
    return dc_buf_printf(lines, "%s: %s: %s\n", at->doc->name, path, text);
}

static dc_status warn_unknown(dc_dump_config *c, const dc_json_at *member, const char *known)
{
    dc_near near = {0};
    char hint[DC_NEAR_TEXT], names[32][32];
    size_t n = 0;
    if (c->warnings.n > DC_ACL_NOTES_BYTES)
        return DC_OK;
    for (const char *at = known; n < 32; at += strcspn(at, "|") + 1) {
        size_t length = strcspn(at, "|");
        snprintf(names[n], sizeof names[n], "%.*s", (int)length, at);
        dc_near_offer(&near, member->key, names[n++]);
        if (!at[length])
            break;
    }
    dc_near_print(hint, &near);
    return dc_acl_note(&c->warnings, member, "unknown key, ignored by CANN%s", hint);
}

static dc_status warn_repeated(dc_dump_config *c, const dc_json_at *at, const char *known)
{
    size_t times[32] = {0};
    dc_status st = DC_OK;
    for (dc_json_at it = dc_json_first(at); it.node && st == DC_OK; dc_json_next(&it)) {
        int index = dc_acl_choice(known, it.key, strlen(it.key));
        if (index >= 0 && index < 32 && ++times[index] == 2)
            st = dc_acl_note(&c->warnings, &it, "given several times; the last one counts");
    }
    return st;
}

dc_status dc_acl_warn_keys(dc_dump_config *c, const dc_json_at *at, const char *known)
{
    size_t unknown = 0;
    dc_status st = warn_repeated(c, at, known);
    for (dc_json_at it = dc_json_first(at); it.node && st == DC_OK; dc_json_next(&it))
        if (dc_acl_choice(known, it.key, strlen(it.key)) < 0 && ++unknown <= MOST_UNKNOWN)
            st = warn_unknown(c, &it, known);
    if (st == DC_OK && unknown > MOST_UNKNOWN)
        st = dc_acl_note(&c->warnings, at, "%zu more unknown keys", unknown - MOST_UNKNOWN);
    return st;
}

static dc_status judge_acl(dc_dump_config *c, const dc_json_at *dump, bool strict)
{
    dc_status st = dc_acl_check(c, dump, strict);
    if (st == DC_OK)
        st = dc_acl_build(c, dump, strict);
    return st == DC_OK ? dc_acl_judge_ge(c, dump) : st;
}

/* Keys that somebody forgot to put into "dump". */
static dc_status warn_outside(dc_dump_config *c, const dc_json_at *root)
{
    dc_status st = DC_OK;
    for (dc_json_at it = dc_json_first(root); it.node && st == DC_OK; dc_json_next(&it))
        if (it.key && (strncmp(it.key, "dump_", 5) == 0 || strncmp(it.key, "enable_dump", 11) == 0))
            st = dc_acl_note(&c->warnings, &it,
                             "stands outside the \"dump\" object, where CANN does not look");
    return st;
}

static dc_status judge(dc_dump_config *c, const dc_json *doc, const dc_acl_options *options)
{
    dc_json_at root = dc_json_root(doc), dump = dc_json_get(&root, "dump");
    dc_status st = cJSON_IsObject(root.node) ? warn_repeated(c, &root, "dump") : DC_OK;
    if (st == DC_OK)
        st = warn_outside(c, &root);
    if (st == DC_OK && dump.node && !cJSON_IsObject(dump.node))
        return dc_acl_refuse(c, "EP0001", &dump, "must be an object");
    c->has_dump = dump.node && dump.node->child;
    bool tf = c->has_dump && dc_acl_is_tf(&dump);
    if (st == DC_OK && c->has_dump && !tf)
        st = judge_acl(c, &dump, options->strict);
    if (st == DC_OK && (tf || options->nset))
        st = dc_acl_apply_tf(c, tf ? &dump : NULL, options);
    if (st == DC_OK && options->strict && c->warnings.n)
        st = dc_fail(DC_EARG, "%.*s (--strict)", (int)strcspn(c->warnings.data, "\n"),
                     c->warnings.data);
    return st;
}

/* What is left of a configuration that was refused: its code and the mended commas. */
static void empty(dc_dump_config *c)
{
    dc_dump_config left = {.file = c->file, .mended = c->mended, .code = c->code};
    left.memory = c->memory;
    dc_steps_fini(&c->steps);
    dc_buf_free(&c->warnings);
    dc_buf_free(&c->ge);
    *c = left;
}

static dc_status start(dc_dump_config *c, const char *name)
{
    *c = (dc_dump_config){.exception_dump = -1, .code = ""};
    c->memory = calloc(1, sizeof(memory));
    c->file = strdup(name);
    return c->memory && c->file ? DC_OK : dc_fail_memory();
}

/* Judge the document in c->memory, if reading it went well. */
static dc_status finish(dc_dump_config *c, dc_status st, const dc_acl_options *options)
{
    memory *m = c->memory;
    if (st == DC_EFORMAT)
        c->code = "EP0004";
    if (st != DC_OK)
        return st;
    c->mended = m->doc.mended;
    m->doc.mended = (dc_buf){0};
    st = judge(c, &m->doc, options);
    if (st != DC_OK)
        empty(c);
    return st;
}

dc_status dc_acl_config_parse(dc_dump_config *out, const char *text, size_t n, const char *name,
                              const dc_acl_options *options)
{
    dc_json_rules rules = dc_json_acl;
    rules.strict = options->strict;
    dc_status st = start(out, name);
    if (st != DC_OK)
        return st;
    memory *m = out->memory;
    return finish(out, dc_json_parse(&m->doc, text, n, name, &rules), options);
}

dc_status dc_acl_config_read(dc_dump_config *out, const char *file, const dc_acl_options *options)
{
    dc_json_rules rules = dc_json_acl;
    if (!file)
        return dc_acl_config_parse(out, "", 0, "", options);
    rules.strict = options->strict;
    dc_status st = start(out, file);
    if (st != DC_OK)
        return st;
    memory *m = out->memory;
    return finish(out, dc_json_open(&m->doc, file, &rules), options);
}

void dc_acl_config_fini(dc_dump_config *c)
{
    memory *m = c->memory;
    while (m && m->blocks) {
        block *b = m->blocks;
        m->blocks = b->next;
        free(b);
    }
    if (m)
        dc_json_fini(&m->doc);
    free(m);
    free(c->file);
    dc_steps_fini(&c->steps);
    dc_buf_free(&c->mended);
    dc_buf_free(&c->warnings);
    dc_buf_free(&c->ge);
    *c = (dc_dump_config){.code = ""};
}
