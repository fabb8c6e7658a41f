/* io/opt.c - see opt.h; help text is in opt_help.c */
#include "io/opt.h"

#include "io/near.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_BASE = 256 }; /* getopt_long's val of options: above all letters */

typedef struct parser {
    const dc_opt_table *table;
    void *options;
    struct option *long_options;
    char *letters;
    bool *given; /* [nopt] */
} parser;

static bool is_option(const dc_opt *o)
{
    return o->kind > DC_OPT_TEXT;
}

static bool takes_value(const dc_opt *o)
{
    return o->kind > DC_OPT_STOP;
}

void dc_opt_list_fini(dc_opt_list *list)
{
    free(list->item);
    *list = (dc_opt_list){0};
}

dc_status dc_opt_u64(uint64_t *out, const char *text)
{
    uint64_t v = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++)
        if (!dc_mul_u64(&v, v, 10) || !dc_add_u64(&v, v, (uint64_t)(*c - '0')))
            return dc_fail(DC_EARG, "\"%s\" is too large", text);
    if (c == text || *c)
        return dc_fail(DC_EARG, "\"%s\" is not a whole number", text);
    *out = v;
    return DC_OK;
}

dc_status dc_opt_size(uint64_t *out, const char *text)
{
    static const char units[] = "KMGT";
    size_t n = strspn(text, "0123456789");
    char digits[32];
    const char *unit = text[n] ? strchr(units, text[n] & ~32) : NULL;
    if (n == 0 || n >= sizeof digits || (text[n] && (!unit || text[n + 1])))
        return dc_fail(DC_EARG, "\"%s\" is not a size; write bytes, or a number with K, M, G or T",
                       text);
    memcpy(digits, text, n);
    digits[n] = '\0';
    uint64_t v = 0, factor = unit ? UINT64_C(1) << (10 * (unit - units + 1)) : 1;
    dc_status st = dc_opt_u64(&v, digits);
    if (st == DC_OK && !dc_mul_u64(&v, v, factor))
        st = dc_fail(DC_EARG, "\"%s\" is too large", text);
    if (st == DC_OK)
        *out = v;
    return st;
}

dc_status dc_opt_double(double *out, const char *text)
{
    char *end;
    errno = 0;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v))
        return dc_fail(DC_EARG, "\"%s\" is not a number", text);
    *out = v;
    return DC_OK;
}

static dc_status choose(int *out, const char *choices, const char *value)
{
    const char *at = choices;
    for (int index = 0;; index++) {
        size_t n = strcspn(at, "|");
        if (strlen(value) == n && memcmp(at, value, n) == 0) {
            *out = index;
            return DC_OK;
        }
        if (!at[n])
            return dc_fail(DC_EARG, "\"%s\" is not allowed; allowed: %s", value, choices);
        at += n + 1;
    }
}

static dc_status append(dc_opt_list *list, const char *value)
{
    dc_status st = dc_grow((void **)&list->item, &list->cap, list->n, 1, sizeof *list->item);
    if (st == DC_OK)
        list->item[list->n++] = value;
    return st;
}

static dc_status store(const parser *p, const dc_opt *o, const char *value)
{
    void *field = (char *)p->options + o->offset;
    switch (o->kind) {
    case DC_OPT_FLAG:
    case DC_OPT_STOP:
        *(bool *)field = true;
        return DC_OK;
    case DC_OPT_STRING:
        *(const char **)field = value;
        return DC_OK;
    case DC_OPT_LIST:
        return append(field, value);
    case DC_OPT_U64:
        return dc_opt_u64(field, value);
    case DC_OPT_SIZE:
        return dc_opt_size(field, value);
    case DC_OPT_DOUBLE:
        return dc_opt_double(field, value);
    case DC_OPT_CHOICE:
        return choose(field, o->choices, value);
    case DC_OPT_CALL:
        return o->call(p->options, value);
    default:
        return DC_OK;
    }
}

/* "--output" or "-o" into text. */
static void print_name(char *text, size_t n, const dc_opt *o)
{
    if (o->name)
        snprintf(text, n, "--%s", o->name);
    else
        snprintf(text, n, "-%c", o->letter);
}

static dc_status take(parser *p, size_t index, const char *value)
{
    const dc_opt *o = &p->table->opt[index];
    char name[64];
    p->given[index] = true;
    dc_status st = store(p, o, value);
    if (st != DC_EARG)
        return st;
    print_name(name, sizeof name, o);
    return dc_fail(DC_EARG, "%s: %s", name, dc_last_error());
}

static dc_status prepare(parser *p)
{
    size_t n = p->table->nopt, nlong = 0, nletter = 0;
    p->long_options = calloc(n + 1, sizeof *p->long_options);
    p->letters = calloc(2 * n + 2, 1);
    p->given = calloc(n + 1, sizeof *p->given);
    if (!p->long_options || !p->letters || !p->given)
        return dc_fail_memory();
    p->letters[nletter++] = ':'; /* a missing value is told apart from an unknown option */
    for (size_t i = 0; i < n; i++) {
        const dc_opt *o = &p->table->opt[i];
        if (!is_option(o))
            continue;
        if (o->name)
            p->long_options[nlong++] =
                (struct option){.name = o->name,
                                .has_arg = takes_value(o) ? required_argument : no_argument,
                                .val = LONG_BASE + (int)i};
        if (o->letter)
            p->letters[nletter++] = o->letter;
        if (o->letter && takes_value(o))
            p->letters[nletter++] = ':';
    }
    return DC_OK;
}

/* Index of the option that getopt_long's value means; nopt if none. */
static size_t find(const dc_opt_table *table, int val)
{
    if (val >= LONG_BASE)
        return (size_t)(val - LONG_BASE);
    for (size_t i = 0; i < table->nopt; i++)
        if (is_option(&table->opt[i]) && val && table->opt[i].letter == val)
            return i;
    return table->nopt;
}

static bool begins(const char *text, const char *start, size_t n)
{
    return strlen(text) > n && memcmp(text, start, n) == 0;
}

static dc_status unknown_long(const dc_opt_table *table, const char *argument)
{
    size_t n = strcspn(argument + 2, "="), used = 0;
    char name[64], hint[DC_NEAR_TEXT], starts[256] = "";
    dc_near near = {0};
    snprintf(name, sizeof name, "%.*s", n > 60 ? 60 : (int)n, argument + 2);
    for (size_t i = 0; i < table->nopt; i++) {
        const dc_opt *o = &table->opt[i];
        if (!is_option(o) || !o->name)
            continue;
        dc_near_offer(&near, name, o->name);
        if (begins(o->name, name, strlen(name)) && used < sizeof starts)
            used += (size_t)snprintf(starts + used, sizeof starts - used, "%s--%s",
                                     used ? ", " : "", o->name);
    }
    if (used)
        return dc_fail(DC_EARG, "--%s is the beginning of several options: %s", name, starts);
    dc_near_print(hint, &near);
    return dc_fail(DC_EARG, "unknown option --%s%s", name, *hint ? hint : "; see --help");
}

/* What getopt_long complained about; argument is the word it had just read. */
static dc_status complain(const dc_opt_table *table, int c, const char *argument)
{
    char name[64];
    size_t index = find(table, optopt);
    if (index < table->nopt)
        print_name(name, sizeof name, &table->opt[index]);
    if (c == ':' && index < table->nopt)
        return dc_fail(DC_EARG, "%s needs a value (%s)", name,
                       table->opt[index].value ? table->opt[index].value
                                               : table->opt[index].choices);
    if (index < table->nopt)
        return dc_fail(DC_EARG, "%s takes no value", name);
    if (!optopt)
        return unknown_long(table, argument);
    return dc_fail(DC_EARG, "unknown option -%c; see --help", optopt);
}

/* Options that the command does not have. */
static dc_status check_allowed(const parser *p, int command)
{
    uint32_t bit = command < 0 ? 1 : UINT32_C(2) << command;
    for (size_t i = 0; i < p->table->nopt; i++) {
        const dc_opt *o = &p->table->opt[i];
        if (!p->given[i] || !o->only || (o->only & bit))
            continue;
        char name[64];
        print_name(name, sizeof name, o);
        if (command < 0)
            return dc_fail(DC_EARG, "%s needs a command; see --help", name);
        return dc_fail(DC_EARG, "%s does not go with %s", name, p->table->command[command].name);
    }
    return DC_OK;
}

static void split_rest(dc_opt_rest *rest, const dc_opt_table *table, int argc, char **argv)
{
    *rest = (dc_opt_rest){.command = -1, .argument = argv + optind, .n = (size_t)(argc - optind)};
    for (size_t i = 0; rest->n && rest->command < 0 && i < table->ncommand; i++)
        if (strcmp(rest->argument[0], table->command[i].name) == 0)
            rest->command = (int)i;
    if (rest->command >= 0)
        rest->argument++, rest->n--;
}

static dc_status run(dc_opt_rest *rest, parser *p, int argc, char **argv)
{
    const dc_opt_table *table = p->table;
    optind = 0; /* glibc: start over */
    opterr = 0;
    for (;;) {
        int c = getopt_long(argc, argv, p->letters, p->long_options, NULL);
        if (c == -1)
            break;
        if (c == '?' || c == ':')
            return complain(table, c, argv[optind - 1]);
        size_t index = find(table, c);
        dc_status st = take(p, index, optarg);
        if (st != DC_OK || table->opt[index].kind == DC_OPT_STOP)
            return st;
    }
    split_rest(rest, table, argc, argv);
    return check_allowed(p, rest->command);
}

dc_status dc_opt_parse(dc_opt_rest *rest, void *options, const dc_opt_table *table, int argc,
                       char **argv)
{
    parser p = {.table = table, .options = options};
    *rest = (dc_opt_rest){.command = -1};
    dc_status st = prepare(&p);
    if (st == DC_OK)
        st = run(rest, &p, argc, argv);
    free(p.long_options);
    free(p.letters);
    free(p.given);
    return st;
}
