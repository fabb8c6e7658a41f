/* capture/choose_report.c - what a choice tells after the scan: how ranges and slots were found,
 * and which selectors matched nothing, with the nearest names that are there. See choose.h. */
#include "capture/choose.h"

#include "io/log.h"
#include "io/word.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NOTES 12 /* lines */

/* Names gathered on process 0. */
typedef struct gathered {
    dc_pool *op, *op_file, *type; /* op and op_file have the same ids */
    dc_pool *real;                /* owns the names that are shown */
} gathered;

bool dc_choice_again(dc_choice *c, const dc_par *par)
{
    size_t n;
    uint64_t *count = dc_select_counts(c->select, &n);
    dc_par_sum_u64(count, n, par);
    bool again = dc_select_deepen(c->select);
    if (!again && par->process != 0)
        memset(count, 0, n * sizeof *count); /* they will be added up again */
    if (again)
        c->counts = (dc_choice_counts){0};
    return again;
}

/* A name and, for operators, a file of it. */
typedef struct sighting {
    const char *name, *file;
} sighting;

static int compare_sightings(const void *a, const void *b)
{
    const sighting *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : strcmp(x->file, y->file);
}

/* Pairs "name NUL file NUL" to pools without doubles, in the order of names: what is shown of them
 * must not depend on who saw which first. */
static dc_status sort_names(dc_pool *names, dc_pool *files, const char *bytes, uint64_t n)
{
    sighting *s = NULL;
    size_t all = 0, cap = 0;
    dc_status st = DC_OK;
    uint32_t id;
    for (uint64_t at = 0; st == DC_OK && at < n;) {
        const char *name = bytes + at, *file = name + strlen(name) + 1;
        st = dc_grow((void **)&s, &cap, all, 1, sizeof *s);
        if (st == DC_OK)
            s[all++] = (sighting){name, file};
        at = (uint64_t)(file - bytes) + strlen(file) + 1;
    }
    if (all)
        qsort(s, all, sizeof *s, compare_sightings);
    for (size_t i = 0; st == DC_OK && i < all; i++) {
        if (i && strcmp(s[i].name, s[i - 1].name) == 0)
            continue;
        st = dc_pool_adds(&id, names, s[i].name);
        if (st == DC_OK && files)
            st = dc_pool_adds(&id, files, s[i].file);
    }
    free(s);
    return st;
}

/* A pool of all processes' names on process 0. files runs in step with names, or is NULL. */
static dc_status gather_pool(dc_pool *all_names, dc_pool *all_files, const dc_pool *names,
                             const dc_pool *files, const dc_par *par)
{
    dc_buf mine = {0};
    char *all = NULL;
    uint64_t bytes = 0;
    dc_status st = DC_OK;
    for (uint32_t i = 1; st == DC_OK && i < dc_pool_count(names); i++) {
        const char *name = dc_pool_text(names, i), *file = files ? dc_pool_text(files, i) : "";
        st = dc_buf_add(&mine, name, strlen(name) + 1);
        if (st == DC_OK)
            st = dc_buf_add(&mine, file, strlen(file) + 1);
    }
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_par_allgather(&all, &bytes, NULL, mine.data, mine.n, par);
    dc_buf_free(&mine);
    if (st == DC_OK)
        st = dc_par_agree(par->process == 0 ? sort_names(all_names, all_files, all, bytes) : DC_OK,
                          par);
    free(all);
    return st;
}

static dc_status gather_names(gathered *g, const dc_present *p, const dc_par *par)
{
    dc_status st = dc_pool_new(&g->op);
    if (st == DC_OK)
        st = dc_pool_new(&g->op_file);
    if (st == DC_OK)
        st = dc_pool_new(&g->type);
    if (st == DC_OK)
        st = dc_pool_new(&g->real);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = gather_pool(g->op, g->op_file, p->op, p->op_file, par);
    return st == DC_OK ? gather_pool(g->type, NULL, p->type, NULL, par) : st;
}

static void gathered_fini(gathered *g)
{
    dc_pool_free(g->op);
    dc_pool_free(g->op_file);
    dc_pool_free(g->type);
    dc_pool_free(g->real);
}

/* The unsanitised name of an operator, from the header of a file of its. */
static const char *real_op(void *context, const char *op)
{
    gathered *g = context;
    dc_dump dump;
    uint32_t real, id = dc_pool_find(g->op, op);
    if (id == DC_NO_STR || dc_dump_open(&dump, dc_pool_text(g->op_file, id)) != DC_OK)
        return op;
    const char *name = op;
    if (*dump.op_name && dc_pool_adds(&real, g->real, dump.op_name) == DC_OK)
        name = dc_pool_text(g->real, real);
    dc_dump_fini(&dump);
    return name;
}

/* Every line is ended. */
static void warn_lines(const char *before, const dc_buf *text)
{
    for (size_t at = 0; at < text->n;) {
        const char *end = memchr(text->data + at, '\n', text->n - at);
        dc_warn("%s%.*s", before, (int)(end - text->data - (ptrdiff_t)at), text->data + at);
        at = (size_t)(end - text->data) + 1;
    }
}

static void warn_some(const char *before, const dc_buf *text)
{
    dc_buf some = *text;
    size_t lines = 0;
    for (size_t at = 0; at < text->n; at++)
        if (text->data[at] == '\n' && ++lines == MOST_NOTES)
            some.n = at + 1;
    warn_lines(before, &some);
    if (lines > MOST_NOTES)
        dc_warn("%zu more such lines; --check-config tells them all", lines - MOST_NOTES);
}

void dc_choice_tell_config(const dc_dump_config *config)
{
    warn_some("mended, CANN refuses it as it stands: ", &config->mended);
    warn_some("", &config->warnings);
    warn_some("", &config->ge);
}

static dc_status say_unmatched(dc_choice *c, gathered *g)
{
    static const uint64_t none[1];
    const dc_present *p = &c->present;
    const dc_select_present present = {.op = g->op,
                                       .type = g->type,
                                       .model = p->model,
                                       .real_op = real_op,
                                       .context = g,
                                       .step = p->step.n ? p->step.item : none,
                                       .nstep = p->step.n,
                                       .rank = p->rank.n ? p->rank.item : none,
                                       .nrank = p->rank.n};
    return dc_select_warn(c->select, &present);
}

/* Collective. */
static dc_status report_unmatched(dc_choice *c, const dc_par *par)
{
    gathered g = {0};
    size_t n, unmatched = 0;
    uint64_t *count = dc_select_counts(c->select, &n);
    dc_par_sum_u64(count, n, par);
    for (size_t i = 0; i < n; i++)
        unmatched += count[i] == 0;
    if (!unmatched)
        return DC_OK;
    dc_status st = gather_names(&g, &c->present, par);
    if (st == DC_OK)
        st = dc_par_agree(par->process == 0 ? say_unmatched(c, &g) : DC_OK, par);
    gathered_fini(&g);
    return st;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lines of all processes, each once, in order. Cuts text up. */
static dc_status say_lines(char *text, uint64_t bytes)
{
    const char **line = malloc((bytes + 1) * sizeof *line);
    size_t n = 0, told = 0;
    if (!line)
        return dc_fail_memory();
    for (uint64_t at = 0; at < bytes;) {
        line[n++] = text + at;
        char *end = memchr(text + at, '\n', bytes - at);
        *end = '\0'; /* every note is a whole line */
        at = (uint64_t)(end - text) + 1;
    }
    if (n)
        qsort((void *)line, n, sizeof *line, compare_lines);
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || strcmp(line[i], line[i - 1]) != 0) && told++ < MOST_NOTES)
            dc_info("%s", line[i]);
    if (told > MOST_NOTES)
        dc_info("%zu more such %s", told - MOST_NOTES, dc_word(told - MOST_NOTES, "line", "lines"));
    free((void *)line);
    return DC_OK;
}

/* Collective. */
static dc_status report_notes(dc_choice *c, const dc_par *par)
{
    char *all = NULL;
    uint64_t bytes;
    dc_status st = dc_par_allgather(&all, &bytes, NULL, c->notes.data, c->notes.n, par);
    if (st == DC_OK)
        st = dc_par_agree(par->process == 0 ? say_lines(all, bytes) : DC_OK, par);
    free(all);
    return st;
}

/* What was taken for granted about blacklists. */
static dc_status put_assumed(dc_buf *out, const dc_choice *c, const dc_choice_counts *n)
{
    dc_status st = DC_OK;
    if (n->renumbered)
        st = dc_buf_printf(out,
                           "blacklist: %" PRIu64 " %s fewer tensors than the graph's "
                           "operators; slots renumbered, nothing left out again\n",
                           n->renumbered, dc_word(n->renumbered, "file holds", "files hold"));
    if (st == DC_OK && n->unclear)
        st = dc_buf_printf(out,
                           "blacklist: %" PRIu64 " %s fewer tensors than the graph's "
                           "operators, and it is not clear which; slots are positions there\n",
                           n->unclear, dc_word(n->unclear, "file holds", "files hold"));
    if (st == DC_OK && c->blacklist_applied)
        return dc_buf_puts(out, "blacklist: taken as applied when the dump was made; slots are "
                                "positions in the files where no graph tells them\n");
    if (st == DC_OK && dc_select_has_bans(c->select) && !c->has_graph)
        st = dc_buf_puts(out, "blacklist: assumed not applied when the dump was made, and applied "
                              "now (else: --graph or --blacklist-applied)\n");
    return st;
}

dc_status dc_choice_report(dc_buf *assumed, dc_choice *c, const dc_par *par)
{
    dc_status st = dc_par_agree(c->failed == DC_OK ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK && par->process == 0)
        dc_choice_tell_config(&c->config);
    if (st == DC_OK)
        st = report_notes(c, par);
    if (st == DC_OK)
        st = report_unmatched(c, par);
    uint64_t n[4] = {c->counts.renumbered, c->counts.unclear, c->counts.peeked,
                     c->counts.peeked_bytes};
    dc_par_sum_u64(n, 4, par);
    const dc_choice_counts all = {n[0], n[1], n[2], n[3]};
    if (st == DC_OK && par->process == 0 && n[2])
        dc_debug("%" PRIu64 " more %s to find out what data nodes feed, %" PRIu64 " %s", n[2],
                 dc_word(n[2], "header", "headers"), n[3], dc_word(n[3], "byte", "bytes"));
    return st == DC_OK
               ? dc_par_agree(par->process == 0 ? put_assumed(assumed, c, &all) : DC_OK, par)
               : st;
}
