/* io/pbtext.c - see pbtext.h */
#include "io/pbtext.h"

#include "io/pblex.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dc_status skip_pending(dc_pbtext *p)
{
    dc_pbpending what = p->pending;
    p->pending = DC_PB_NOTHING;
    return what == DC_PB_NOTHING      ? DC_OK
           : what == DC_PB_HAS_SCALAR ? dc_pblex_scalar(p, true)
                                      : dc_pblex_nested(p);
}

/* [pkg.extension] or an identifier, into the level's name. */
static dc_status read_bare_name(dc_pbtext *p, dc_pblevel *l)
{
    size_t n = 0;
    int c = dc_pblex_peek(p);
    bool bracket = c == '[';
    if (!bracket && !(c == '_' || (c >= 0 && isalpha(c))))
        return dc_pblex_unexpected(p, l->close ? "a field name or the end of the message"
                                               : "a field name");
    do {
        if (n + 1 < sizeof l->name)
            l->name[n++] = (char)c;
        p->at++;
        int last = c;
        c = dc_pblex_peek(p);
        if (bracket && last == ']')
            break;
        if (bracket && (c < 0 || c == '\n'))
            return dc_pblex_unexpected(p, "the ']' of an extension's name");
    } while (bracket || c == '_' || (c >= 0 && isalnum(c)));
    l->name[n] = '\0';
    return DC_OK;
}

static dc_status read_quoted_name(dc_pbtext *p, dc_pblevel *l)
{
    p->text.n = 0;
    if (dc_pblex_peek(p) != '"')
        return dc_pblex_unexpected(p, "a \"key\" or the end of the object");
    dc_status st = dc_pblex_string(p, false);
    if (st != DC_OK)
        return st;
    size_t n = p->text.n < sizeof l->name ? p->text.n : sizeof l->name - 1;
    if (n)
        memcpy(l->name, p->text.data, n);
    l->name[n] = '\0';
    return DC_OK;
}

/* The name of a field and what stands between it and its value. */
static dc_status read_name(dc_pbtext *p, dc_pblevel *l)
{
    dc_status st = p->json ? read_quoted_name(p, l) : read_bare_name(p, l);
    if (st != DC_OK)
        return st;
    int c = dc_pblex_space(p);
    if (c == ':')
        p->at++;
    else if (p->json || !(c == '{' || c == '<' || c == '['))
        return dc_pblex_unexpected(p, p->json ? "':'" : "':' or '{'");
    if (dc_pblex_space(p) == '[') {
        p->at++;
        l->list = true;
    }
    return DC_OK;
}

/* The message ends here: leave it. */
static dc_status leave(dc_pbtext *p)
{
    if (p->level[p->depth].close)
        p->at++;
    if (p->depth) {
        p->depth--;
        return DC_OK;
    }
    p->done = true;
    return dc_pblex_space(p) < 0 && p->io == DC_OK ? DC_OK
                                                   : dc_pblex_unexpected(p, "the end of the file");
}

static int skip_separators(dc_pbtext *p)
{
    int c = dc_pblex_space(p);
    while (c == ',' || (c == ';' && !p->json)) {
        p->at++;
        c = dc_pblex_space(p);
    }
    return c;
}

/* To the next value of the level, past separators and names; *end when there is none. */
static dc_status find_value(bool *end, dc_pbtext *p)
{
    dc_pblevel *l = &p->level[p->depth];
    *end = false;
    for (;;) {
        int c = skip_separators(p);
        if (l->list && c != ']')
            return c < 0 ? dc_pblex_unexpected(p, "']'") : DC_OK;
        if (l->list) {
            l->list = false;
            p->at++;
            continue;
        }
        if (c == (l->close ? l->close : -1)) {
            *end = true;
            return leave(p);
        }
        dc_status st = read_name(p, l);
        if (st != DC_OK || !l->list)
            return st;
    }
}

/* JSON's null, which stands for an absent field, is consumed. */
static dc_status skip_null(bool *was_null, dc_pbtext *p)
{
    *was_null = p->json && dc_pblex_peek(p) == 'n';
    return *was_null ? dc_pblex_scalar(p, true) : DC_OK;
}

dc_status dc_pbtext_next(dc_pbfield *f, dc_pbtext *p)
{
    bool end = p->done, unusable = true;
    dc_status st = skip_pending(p);
    while (st == DC_OK && !end && unusable) {
        st = find_value(&end, p);
        if (st != DC_OK || end)
            break;
        if (dc_pblex_space(p) == '[') /* a list in a list: no field of ours */
            st = dc_pblex_nested(p);
        else
            st = skip_null(&unusable, p);
    }
    if (st != DC_OK)
        return st;
    f->kind = DC_PB_END;
    f->name[0] = '\0';
    if (end)
        return DC_OK;
    int c = dc_pblex_peek(p);
    if (c < 0)
        return dc_pblex_unexpected(p, "a value");
    bool message = c == '{' || (c == '<' && !p->json);
    f->kind = message ? DC_PB_MESSAGE : DC_PB_SCALAR;
    p->pending = message ? DC_PB_HAS_MESSAGE : DC_PB_HAS_SCALAR;
    memcpy(f->name, p->level[p->depth].name, sizeof f->name);
    return DC_OK;
}

dc_status dc_pbtext_enter(dc_pbtext *p)
{
    if (p->pending != DC_PB_HAS_MESSAGE)
        return dc_pblex_unexpected(p, "a message");
    if (p->depth + 1 >= DC_PBTEXT_ENTER)
        return dc_pbtext_fail(p, "messages are nested deeper than %d", DC_PBTEXT_ENTER);
    p->pending = DC_PB_NOTHING;
    dc_pblevel *l = &p->level[++p->depth];
    l->close = *p->at++ == '<' ? '>' : '}';
    l->list = false;
    return DC_OK;
}

dc_status dc_pbtext_text(const char **text, size_t *n, dc_pbtext *p)
{
    *text = "";
    *n = 0;
    if (p->pending != DC_PB_HAS_SCALAR)
        return dc_pblex_unexpected(p, "a text or number");
    p->pending = DC_PB_NOTHING;
    dc_status st = dc_pblex_scalar(p, false);
    if (st != DC_OK)
        return st;
    *text = p->text.data;
    *n = p->text.n;
    return DC_OK;
}

dc_status dc_pbtext_int(int64_t *v, dc_pbtext *p)
{
    const char *text;
    size_t n;
    char *end;
    dc_status st = dc_pbtext_text(&text, &n, p);
    if (st != DC_OK)
        return st;
    errno = 0;
    *v = strtoll(text, &end, 0);
    if (errno == ERANGE && text[0] != '-') {
        errno = 0;
        *v = (int64_t)strtoull(text, &end, 0);
    }
    if (n == 0 || errno || end != text + n)
        return dc_pbtext_fail(p, "\"%.40s\" where a whole number is expected", text);
    return DC_OK;
}

dc_status dc_pbtext_bool(bool *v, dc_pbtext *p)
{
    static const char *const word[] = {"false", "true", "False", "True", "f", "t", "0", "1"};
    const char *text;
    size_t n;
    dc_status st = dc_pbtext_text(&text, &n, p);
    if (st != DC_OK)
        return st;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(text, word[i]) == 0) {
            *v = i & 1;
            return DC_OK;
        }
    return dc_pbtext_fail(p, "\"%.40s\" where true or false is expected", text);
}

bool dc_pbtext_is_json(const dc_pbtext *p)
{
    return p->json;
}

static dc_status new_reader(dc_pbtext **out, const char *path)
{
    dc_pbtext *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path))) {
        free(p);
        (void)dc_fail_memory();
        return DC_ENOMEM;
    }
    p->fd = -1;
    p->line = 1;
    *out = p;
    return DC_OK;
}

dc_status dc_pbtext_open(dc_pbtext **out, const char *path)
{
    dc_pbtext *p;
    dc_status st = new_reader(&p, path);
    if (st != DC_OK)
        return st;
    p->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (p->fd < 0)
        st = dc_fail_errno("%s: cannot open", path);
    else if (!(p->block = malloc(DC_PBTEXT_BLOCK)))
        st = dc_fail_memory();
    if (st == DC_OK) {
        p->at = p->end = p->counted = (unsigned char *)p->block;
        dc_pblex_start(p);
        st = p->io;
    }
    if (st != DC_OK) {
        dc_pbtext_close(p);
        return st;
    }
    *out = p;
    return DC_OK;
}

dc_status dc_pbtext_open_memory(dc_pbtext **out, const void *data, size_t n, const char *path)
{
    dc_status st = new_reader(out, path);
    if (st != DC_OK)
        return st;
    dc_pbtext *p = *out;
    p->at = p->counted = n ? data : (const void *)"";
    p->end = p->at + n;
    dc_pblex_start(p);
    return DC_OK;
}

void dc_pbtext_close(dc_pbtext *p)
{
    if (!p)
        return;
    if (p->fd >= 0)
        close(p->fd);
    free(p->block);
    free(p->path);
    dc_buf_free(&p->text);
    free(p);
}
