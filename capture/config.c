/* capture/config.c - see config.h */
#include "capture/config.h"

#include "capture/choose.h"
#include "capture/job.h"
#include "io/acl_merge.h"
#include "io/log.h"
#include "io/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of a buffer, each with a word before it. */
static void print_lines(const char *word, const dc_buf *lines)
{
    for (size_t at = 0; at < lines->n;) {
        const char *end = memchr(lines->data + at, '\n', lines->n - at);
        size_t n = end ? (size_t)(end - lines->data) - at : lines->n - at;
        printf("%s: %.*s\n", word, (int)n, lines->data + at);
        at += n + 1;
    }
}

static void print_verdict(const dc_dump_config *c, const char *file, dc_status st)
{
    const char *message = dc_last_error();
    if (st == DC_OK)
        printf("%s: accepted%s\n", file,
               !c->has_dump                  ? "; it has no dump object, so nothing is dumped"
               : !c->need_dump               ? "; nothing would be dumped"
               : !c->model_dump && !c->scene ? "; no model would be dumped"
                                             : "");
    else if (*c->code && !strstr(message, c->code))
        printf("refused: %s [%s]\n", message, c->code);
    else
        printf("refused: %s\n", message);
}

int dc_config_check(const dc_capture_options *o)
{
    const dc_acl_options ask = {o->strict, o->set.item, o->set.n};
    dc_dump_config c;
    dc_buf path = {0};
    dc_status st = dc_acl_config_read(&c, o->check_config, &ask);
    print_verdict(&c, o->check_config, st);
    print_lines("mended (CANN refuses the text as it stands, EP0004)", &c.mended);
    print_lines("warning", &c.warnings);
    print_lines("graph engine", &c.ge);
    if (st == DC_OK && c.need_dump && dc_acl_config_path_notes(&path, &c) == DC_OK)
        print_lines("path", &path);
    dc_buf_free(&path);
    dc_acl_config_fini(&c);
    return st == DC_OK ? DC_EXIT_OK : DC_EXIT_FAILED;
}

static void tell_lines(const dc_buf *lines)
{
    for (size_t at = 0; at < lines->n;) {
        size_t n = strcspn(lines->data + at, "\n");
        dc_warn("not in acl.json: %.*s", (int)n, lines->data + at);
        at += n + 1;
    }
}

/* Whether CANN would take what was printed. */
static dc_status judge_again(const dc_buf *text)
{
    static const dc_acl_options strict = {.strict = true};
    dc_dump_config c;
    dc_status st = dc_acl_config_parse(&c, text->data, text->n, "the printed acl.json", &strict);
    if (st == DC_OK && c.ge.n)
        dc_warn("%.*s", (int)strcspn(c.ge.data, "\n"), c.ge.data);
    dc_acl_config_fini(&c);
    return st;
}

int dc_config_print(const dc_capture_options *o)
{
    dc_choice c = {0};
    dc_buf left = {0}, text = {0};
    char *root = o->rest.n ? dc_path_normal(o->rest.argument[0]) : NULL;
    dc_status st = dc_choice_read_config(&c, o);
    dc_select_extra extra = dc_choice_extra(o);
    if (st == DC_OK)
        dc_choice_tell_config(&c.config);
    if (st == DC_OK)
        st = dc_acl_config_merge(&c.config, &left, &extra, root);
    if (st == DC_OK)
        st = dc_buf_add(&left, "", 1);
    if (st == DC_OK)
        st = dc_acl_config_print(&text, &c.config);
    if (st == DC_OK) {
        fwrite(text.data, 1, text.n, stdout);
        left.n--;
        tell_lines(&left);
        st = judge_again(&text);
    }
    if (st != DC_OK)
        dc_error("%s", dc_last_error());
    int code = st != DC_OK ? DC_EXIT_FAILED : left.n ? DC_EXIT_PART : DC_EXIT_OK;
    dc_buf_free(&left);
    dc_buf_free(&text);
    dc_choice_fini(&c);
    free(root);
    return code;
}
