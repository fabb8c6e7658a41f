/* io/graph_choose.c - see graph_find.h: choosing among the candidates */
#include "io/graph.h"
#include "io/graph_find.h"
#include "io/word.h"

#include <ctype.h>
#include <string.h>

static int clean(int c)
{
    return c && strchr(" ./\\", c) ? '_' : c;
}

/* Whether s begins with the 14 digits of a time and the name goes on with '_' or ends. */
static bool is_time(const char *s)
{
    for (int i = 0; i < 14; i++)
        if (!isdigit((unsigned char)s[i]))
            return false;
    return s[14] == '_' || s[14] == '\0';
}

/* Equal when sanitised; if `times` may differ, ge_default_20240613143502_1 is also
 * ge_default_20240613143503_1. */
static bool same_name(const char *a, const char *b, bool times)
{
    for (bool start = true; *a || *b; a++, b++) {
        if (times && start && is_time(a) && is_time(b)) {
            a += 13;
            b += 13;
            start = false;
            continue;
        }
        if (clean(*a) != clean(*b))
            return false;
        start = *a == '_';
    }
    return true;
}

/* How well a candidate fits; fields in order of weight. */
typedef struct fit {
    dc_gmatch how;
    bool iterator;
    uint64_t hits, nop; /* when contents decide: dumped operators it holds, operators in all */
    bool device;        /* is of the wanted device */
    uint64_t number;
} fit;

static int better(const fit *a, const fit *b)
{
    if (a->how != b->how)
        return a->how > b->how;
    if (a->iterator != b->iterator)
        return a->iterator;
    if (a->hits != b->hits)
        return a->hits > b->hits;
    if (a->device != b->device)
        return a->device;
    if (a->nop != b->nop)
        return a->nop > b->nop;
    return a->number > b->number;
}

/* A file that cannot be read holds nothing. */
static bool holds_iterator(dc_gfile *file, size_t *unreadable)
{
    bool holds = file->iterator == 1;
    if (file->iterator < 0 && dc_graph_find_text(&holds, file->path, "Iterator") != DC_OK)
        ++*unreadable;
    file->iterator = holds;
    return holds;
}

static dc_status fit_by_contents(fit *f, const dc_gfile *file, const dc_gwant *want)
{
    dc_graph *g;
    dc_status st = dc_graph_load(&g, file->path);
    if (st != DC_OK)
        return st;
    f->nop = g->nop;
    for (size_t i = 0; i < want->nops; i++)
        f->hits += dc_graph_by_clean_name(g, want->ops[i]).n > 0;
    f->how = f->hits ? DC_GMATCH_DUMPED : DC_GMATCH_OPERATORS;
    dc_graph_free(g);
    return DC_OK;
}

/* The best candidate so far and how many are as good but for device and number. */
struct search {
    fit best;
    size_t file, equals, read, unreadable;
    bool any;
};

static void offer(struct search *s, const fit *f, size_t i)
{
    bool equal = s->any && f->how == s->best.how && f->iterator == s->best.iterator &&
                 f->hits == s->best.hits && f->nop == s->best.nop;
    s->equals = !s->any ? 1 : equal ? s->equals + 1 : better(f, &s->best) ? 1 : s->equals;
    s->read++;
    if (s->any && !better(f, &s->best))
        return;
    s->best = *f;
    s->file = i;
    s->any = true;
}

static fit blank(const dc_gfile *file, const dc_gwant *want)
{
    return (fit){.device = want->device >= 0 && file->device == want->device,
                 .number = file->number};
}

static void search_names(struct search *s, dc_gfiles *files, const dc_gwant *want, bool times)
{
    for (size_t i = 0; i < files->n; i++) {
        dc_gfile *file = &files->file[i];
        if (!same_name(file->graph, want->model, times))
            continue;
        fit f = blank(file, want);
        f.iterator = holds_iterator(file, &s->unreadable);
        f.how = times ? DC_GMATCH_TIME : f.iterator ? DC_GMATCH_ITERATOR : DC_GMATCH_NAME;
        offer(s, &f, i);
    }
}

/* Files that cannot be read are passed over as long as one can. */
static dc_status search_contents(struct search *s, const dc_gfiles *files, const dc_gwant *want)
{
    dc_status last = DC_OK;
    for (size_t i = 0; i < files->n; i++) {
        fit f = blank(&files->file[i], want);
        dc_status st = fit_by_contents(&f, &files->file[i], want);
        if (st == DC_ENOMEM)
            return st;
        if (st == DC_OK)
            offer(s, &f, i);
        else
            last = st;
        s->unreadable += st != DC_OK;
    }
    return s->any ? DC_OK : last;
}

static dc_status say_rule(dc_buf *why, const struct search *s, const dc_gfile *f,
                          const dc_gwant *want)
{
    switch (s->best.how) {
    case DC_GMATCH_GIVEN:
        return dc_buf_printf(why, "%s: the file given", f->path);
    case DC_GMATCH_ITERATOR:
        return dc_buf_printf(why,
                             "%s: holds Iterator and its first graph has the name of the "
                             "model's directory, %s",
                             f->path, want->model);
    case DC_GMATCH_NAME:
        return dc_buf_printf(why,
                             "%s: its first graph has the name of the model's directory, %s "
                             "(no file with that name holds Iterator)",
                             f->path, want->model);
    case DC_GMATCH_TIME:
        return dc_buf_printf(why,
                             "%s: its first graph %s is the model %s but for the time in the "
                             "name (no graph is named exactly so)",
                             f->path, f->graph, want->model);
    case DC_GMATCH_DUMPED:
        return dc_buf_printf(why,
                             "%s: a guess, it holds %llu of the dumped operators, the most of %zu "
                             "%s (no graph is named %s)",
                             f->path, (unsigned long long)s->best.hits, s->read,
                             dc_word(s->read, "file", "files"), want->model);
    case DC_GMATCH_OPERATORS:
        break;
    }
    return dc_buf_printf(why,
                         "%s: a guess, it has the most operators (%llu) of %zu %s (no graph "
                         "is named %s%s)",
                         f->path, (unsigned long long)s->best.nop, s->read,
                         dc_word(s->read, "file", "files"), want->model,
                         want->nops ? ", none holds a dumped operator" : "");
}

static dc_status say_why(char **out, const struct search *s, const dc_gfile *f,
                         const dc_gwant *want)
{
    dc_buf why = {0};
    dc_status st = say_rule(&why, s, f, want);
    if (st == DC_OK && s->equals > 1)
        st = dc_buf_printf(&why, "; %zu files fit so, this is the one of %s", s->equals,
                           s->best.device ? "its device" : "the highest number");
    if (st == DC_OK && want->device >= 0 && f->device >= 0 && !s->best.device)
        st = dc_buf_printf(&why, "; it is of device %lld, none of device %lld fits",
                           (long long)f->device, (long long)want->device);
    if (st == DC_OK && s->unreadable)
        st = dc_buf_printf(&why, "; %zu %s could not be read", s->unreadable,
                           dc_word(s->unreadable, "file", "files"));
    if (st == DC_OK)
        st = dc_buf_add(&why, "", 1);
    if (st != DC_OK) {
        dc_buf_free(&why);
        return st;
    }
    *out = why.data;
    return DC_OK;
}

dc_status dc_graph_find_choose(dc_gchoice *out, dc_gfiles *files, const dc_gwant *want)
{
    struct search s = {.unreadable = files->unreadable};
    dc_status st = DC_OK;
    if (files->n == 0)
        return dc_fail(DC_ENOENT, "no graph file for model %s", want->model);
    if (files->given)
        s = (struct search){.best = {.how = DC_GMATCH_GIVEN, .device = true}, .any = true};
    if (!s.any)
        search_names(&s, files, want, false);
    if (!s.any)
        search_names(&s, files, want, true);
    if (!s.any && want->names_only)
        return dc_fail(DC_ENOENT, "no graph is named %s; the first of %zu %s, %s, holds %s",
                       want->model, files->n, dc_word(files->n, "file", "files"),
                       files->file[0].path, files->file[0].graph);
    if (!s.any)
        st = search_contents(&s, files, want);
    if (st == DC_OK)
        st = say_why(&out->why, &s, &files->file[s.file], want);
    if (st != DC_OK)
        return st;
    out->file = s.file;
    out->how = s.best.how;
    return DC_OK;
}
