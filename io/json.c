/* io/json.c - see json.h */
#include "io/json.h"

#include "io/json_syntax.h"
#include "io/path.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dc_json_rules dc_json_acl = {.max_bytes = 10 << 20, .max_nesting = 10};

enum { PATH_TEXT = 256, ANY_BYTES = 1 << 30 };

/* ACL counts brackets before it parses, those in strings too. */
static dc_status check_nesting(const char *text, size_t n, const char *name, unsigned most)
{
    long curly = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        curly += (text[i] == '{') - (text[i] == '}');
        square += (text[i] == '[') - (text[i] == ']');
        if (curly > (long)most || square > (long)most)
            return dc_fail(DC_EUNSUP, "%s: more than %u '%c' open at once; ACL refuses the file",
                           name, most, curly > (long)most ? '{' : '[');
    }
    return DC_OK;
}

static bool all_blank(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!text[i] || !strchr(" \t\r\n", text[i]))
            return false;
    return true;
}

static dc_status parse(dc_json *out, const char *text, size_t n, const dc_json_rules *rules)
{
    dc_buf clean = {0};
    dc_status st = DC_OK;
    if (rules->max_nesting)
        st = check_nesting(text, n, out->name, rules->max_nesting);
    if (st == DC_OK)
        st = dc_json_check(&clean, out, text, n, rules);
    if (st == DC_OK) {
        out->root = out->nmended ? cJSON_ParseWithLength(clean.data, clean.n)
                                 : cJSON_ParseWithLength(text, n);
        if (!out->root)
            st = dc_fail_memory(); /* the syntax is known to be good */
    }
    dc_buf_free(&clean);
    return st;
}

dc_status dc_json_parse(dc_json *out, const char *text, size_t n, const char *name,
                        const dc_json_rules *rules)
{
    size_t most = rules->max_bytes ? rules->max_bytes : ANY_BYTES;
    *out = (dc_json){0};
    if (n > most)
        return dc_fail(DC_EUNSUP, "%s: more than %zu bytes of JSON", name, most);
    out->name = strdup(name);
    if (!out->name)
        return dc_fail_memory();
    if (all_blank(text, n))
        return DC_OK;
    dc_status st = parse(out, text, n, rules);
    if (st != DC_OK)
        dc_json_fini(out);
    return st;
}

dc_status dc_json_open(dc_json *out, const char *path, const dc_json_rules *rules)
{
    char *text;
    size_t n;
    *out = (dc_json){0};
    if (dc_path_is_dir(path))
        return dc_fail(DC_EUNSUP, "%s: is a directory, not a JSON file", path);
    dc_status st = dc_read_file(&text, &n, path, rules->max_bytes ? rules->max_bytes : ANY_BYTES);
    if (st != DC_OK)
        return st;
    st = dc_json_parse(out, text, n, path, rules);
    free(text);
    return st;
}

void dc_json_fini(dc_json *doc)
{
    cJSON_Delete(doc->root);
    dc_buf_free(&doc->mended);
    free(doc->name);
    *doc = (dc_json){0};
}

dc_json_at dc_json_root(const dc_json *doc)
{
    return (dc_json_at){.doc = doc, .node = doc->root};
}

dc_json_at dc_json_get(const dc_json_at *parent, const char *key)
{
    dc_json_at at = {.doc = parent->doc, .parent = parent, .key = key};
    if (!cJSON_IsObject(parent->node))
        return at;
    for (const cJSON *child = parent->node->child; child; child = child->next)
        if (strcmp(child->string, key) == 0)
            at.node = child;
    return at;
}

dc_json_at dc_json_first(const dc_json_at *parent)
{
    dc_json_at at = {.doc = parent->doc, .parent = parent};
    if (cJSON_IsObject(parent->node) || cJSON_IsArray(parent->node))
        at.node = parent->node->child;
    if (at.node)
        at.key = at.node->string;
    return at;
}

void dc_json_next(dc_json_at *it)
{
    it->node = it->node->next;
    it->index++;
    it->key = it->node ? it->node->string : NULL;
}

size_t dc_json_count(const dc_json_at *at)
{
    size_t n = 0;
    for (dc_json_at it = dc_json_first(at); it.node; dc_json_next(&it))
        n++;
    return n;
}

/* Keys come from hostile files: they are cut, so that the path keeps its end. */
static size_t put_path(char *text, size_t n, size_t used, const dc_json_at *at)
{
    if (!at->parent)
        return used;
    used = put_path(text, n, used, at->parent);
    if (used >= n)
        return used;
    int more = at->key ? snprintf(text + used, n - used, "%s%.60s", used ? "." : "", at->key)
                       : snprintf(text + used, n - used, "[%zu]", at->index);
    return used + (size_t)more;
}

void dc_json_path(char *text, size_t n, const dc_json_at *at)
{
    if (at->parent)
        put_path(text, n, 0, at);
    else
        snprintf(text, n, "the document");
}

dc_status dc_json_fail(const dc_json_at *at, const char *format, ...)
{
    char path[PATH_TEXT], text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dc_json_path(path, sizeof path, at);
    return dc_fail(DC_EFORMAT, "%s: %s: %s", at->doc->name, path, text);
}

static dc_status must_be(const dc_json_at *at, bool is, const char *what)
{
    if (!at->node)
        return dc_json_fail(at, "is missing (must be %s)", what);
    return is ? DC_OK : dc_json_fail(at, "must be %s", what);
}

dc_status dc_json_string(const char **out, const dc_json_at *at)
{
    dc_status st = must_be(at, cJSON_IsString(at->node), "a string");
    if (st == DC_OK)
        *out = at->node->valuestring;
    return st;
}

static bool whole_number(uint64_t *out, const cJSON *node)
{
    if (cJSON_IsNumber(node)) {
        double v = node->valuedouble;
        if (!(v >= 0 && v < 9007199254740992.0 && floor(v) == v))
            return false;
        *out = (uint64_t)v;
        return true;
    }
    if (!cJSON_IsString(node) || !*node->valuestring)
        return false;
    uint64_t v = 0;
    for (const char *c = node->valuestring; *c; c++)
        if (*c < '0' || *c > '9' || !dc_mul_u64(&v, v, 10) ||
            !dc_add_u64(&v, v, (uint64_t)(*c - '0')))
            return false;
    *out = v;
    return true;
}

dc_status dc_json_u64(uint64_t *out, const dc_json_at *at)
{
    uint64_t v = 0;
    dc_status st = must_be(at, at->node && whole_number(&v, at->node), "a whole number");
    if (st == DC_OK)
        *out = v;
    return st;
}

dc_status dc_json_array(const dc_json_at *at)
{
    return must_be(at, cJSON_IsArray(at->node), "an array");
}

dc_status dc_json_object(const dc_json_at *at)
{
    return must_be(at, cJSON_IsObject(at->node), "an object");
}
