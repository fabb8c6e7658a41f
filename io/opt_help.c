/* io/opt_help.c - the --help and --version texts of opt.h's tables. */
#include "io/opt.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 2, HELP_COLUMN = 30 };

/* Append words of text, wrapped at WIDTH, continued lines starting at column `left`; `used` is the
 * column where the text begins. Newlines in the text stay. */
static dc_status wrap(dc_buf *out, const char *text, int left, int used)
{
    dc_status st = DC_OK;
    bool fresh = true; /* nothing on this line yet */
    while (st == DC_OK && *text) {
        if (*text == '\n') {
            st = dc_buf_printf(out, "\n%*s", left, "");
            used = left;
            fresh = true;
            text++;
            continue;
        }
        int n = (int)strcspn(text, " \n");
        if (!fresh && used + 1 + n > WIDTH) {
            st = dc_buf_printf(out, "\n%*s", left, "");
            used = left;
            fresh = true;
        }
        if (st == DC_OK)
            st = dc_buf_printf(out, "%s%.*s", fresh ? "" : " ", n, text);
        used += n + !fresh;
        fresh = false;
        text += n + (text[n] == ' ');
    }
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

/* A term and, from HELP_COLUMN on, its explanation. */
static dc_status entry(dc_buf *out, const char *term, const char *help)
{
    int used = INDENT + (int)strlen(term);
    dc_status st = dc_buf_printf(out, "%*s%s", INDENT, "", term);
    if (st == DC_OK && used + 2 > HELP_COLUMN)
        st = dc_buf_printf(out, "\n%*s", HELP_COLUMN, "");
    else if (st == DC_OK)
        st = dc_buf_printf(out, "%*s", HELP_COLUMN - used, "");
    return st == DC_OK ? wrap(out, help, HELP_COLUMN, HELP_COLUMN) : st;
}

static dc_status option(dc_buf *out, const dc_opt *o)
{
    char term[256], letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c%s", o->letter, o->name ? ", " : "  ");
    const char *value = o->value ? o->value : o->choices;
    bool valued = o->kind > DC_OPT_STOP;
    snprintf(term, sizeof term, "%s%s%s%s%s", letter, o->name ? "--" : "", o->name ? o->name : "",
             valued ? " " : "", valued ? value : "");
    return entry(out, term, o->help);
}

static dc_status paragraph(dc_buf *out, const char *text)
{
    dc_status st = DC_OK;
    while (st == DC_OK && *text) {
        int n = (int)strcspn(text, "\n");
        st = dc_buf_printf(out, "%*s%.*s\n", n ? INDENT : 0, "", n, text);
        text += n + (text[n] == '\n');
    }
    return st;
}

static dc_status row(dc_buf *out, const dc_opt *o)
{
    switch (o->kind) {
    case DC_OPT_GROUP:
        return dc_buf_printf(out, "\n%s\n", o->name);
    case DC_OPT_TEXT:
        return paragraph(out, o->help);
    default:
        return option(out, o);
    }
}

static dc_status usage(dc_buf *out, const dc_opt_table *table)
{
    dc_status st = dc_buf_puts(out, "Usage:\n");
    for (const char *line = table->usage; st == DC_OK && *line;) {
        int n = (int)strcspn(line, "\n");
        st = dc_buf_printf(out, "  %s %.*s\n", table->program, n, line);
        line += n + (line[n] == '\n');
    }
    return st;
}

static dc_status commands(dc_buf *out, const dc_opt_table *table)
{
    dc_status st = table->ncommand ? dc_buf_puts(out, "\nCommands\n") : DC_OK;
    for (size_t i = 0; st == DC_OK && i < table->ncommand; i++) {
        const dc_opt_command *c = &table->command[i];
        char term[256];
        snprintf(term, sizeof term, "%s %s", c->name, c->arguments);
        st = entry(out, term, c->help);
    }
    return st;
}

dc_status dc_opt_help(dc_buf *out, const dc_opt_table *table)
{
    dc_status st = usage(out, table);
    if (st == DC_OK)
        st = dc_buf_puts(out, "\n");
    if (st == DC_OK)
        st = wrap(out, table->summary, 0, 0);
    if (st == DC_OK)
        st = commands(out, table);
    for (size_t i = 0; st == DC_OK && i < table->nopt; i++)
        st = row(out, &table->opt[i]);
    return st;
}

dc_status dc_opt_version(dc_buf *out, const char *program, const char *mpi, const char *hdf5)
{
    dc_status st = dc_buf_printf(out, "%s %s\n", program, DUMPCAP_VERSION);
    if (st == DC_OK && mpi)
        st = dc_buf_printf(out, "MPI: %s\n", mpi);
    if (st == DC_OK && hdf5)
        st = dc_buf_printf(out, "HDF5: %s\n", hdf5);
    return st;
}
