/* compare/settings.c - see settings.h */
#include "compare/settings.h"

#include "compare/pair.h"
#include "io/dtype.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(dc_settings, field)

/* X(name in --threshold, field of dc_profile) */
#define THRESHOLDS(X)                                                                              \
    X("cosine", min_cosine)                                                                        \
    X("rel-euclid", max_rel_euclid)                                                                \
    X("kl", max_kl)                                                                                \
    X("rmse", max_rmse)                                                                            \
    X("mean-rel", max_mean_rel)                                                                    \
    X("max-abs", max_abs)                                                                          \
    X("max-rel", max_rel)                                                                          \
    X("atol", atol)                                                                                \
    X("rtol", rtol)

static const struct {
    const char *name;
    size_t offset;
} threshold[] = {
#define X(name, field) {name, offsetof(dc_profile, field)},
    THRESHOLDS(X)
#undef X
};

/* A limit's value; in a profile 0 means "the standard's own", so that the user's 0 is the smallest
 * number there is. */
static dc_status limit_value(double *out, const char *text, bool least)
{
    if (strcmp(text, "off") == 0) {
        *out = least ? -INFINITY : INFINITY;
        return DC_OK;
    }
    dc_status st = dc_opt_double(out, text);
    if (st == DC_OK && *out == 0)
        *out = DBL_TRUE_MIN;
    return st;
}

static dc_status take_threshold(void *options, const char *value)
{
    dc_settings *s = options;
    const char *equals = strchr(value, '=');
    size_t n = equals ? (size_t)(equals - value) : 0;
    for (size_t i = 0; equals && i < sizeof threshold / sizeof *threshold; i++) {
        if (strlen(threshold[i].name) != n || strncmp(threshold[i].name, value, n) != 0)
            continue;
        double *limit = (double *)(void *)((char *)&s->profile + threshold[i].offset);
        return limit_value(limit, equals + 1, limit == &s->profile.min_cosine);
    }
    return dc_fail(DC_EARG,
                   "'%s': give NAME=VALUE or NAME=off, NAME one of cosine rel-euclid kl rmse "
                   "mean-rel max-abs max-rel atol rtol",
                   value);
}

static dc_status take_metric(uint32_t *mask, const char *name)
{
    int id = dc_metric_by_name(name);
    if (id < 0 || id >= DC_METRIC_COUNT)
        return dc_fail(DC_EARG,
                       "'%s' is no metric; give no-kl, or names or numbers (0-9) from the "
                       "report's header, separated by commas",
                       name);
    *mask |= 1u << id;
    return DC_OK;
}

static dc_status take_metrics(void *options, const char *value)
{
    dc_settings *s = options;
    uint32_t all = (1u << DC_METRIC_COUNT) - 1, mask = 0;
    char *list = strdup(value), *rest = NULL;
    dc_status st = list ? DC_OK : dc_fail_memory();
    for (char *name = list ? strtok_r(list, ",", &rest) : NULL; st == DC_OK && name;
         name = strtok_r(NULL, ",", &rest))
        if (strcmp(name, "no-kl") == 0)
            mask |= all & ~(1u << DC_METRIC_KL);
        else if (strcmp(name, "all") == 0)
            mask |= all;
        else
            st = take_metric(&mask, name);
    free(list);
    if (st == DC_OK && mask == 0)
        st = dc_fail(DC_EARG, "no metric given");
    if (st == DC_OK)
        s->metrics = mask;
    return st;
}

static dc_status take_dtype(void *options, const char *value)
{
    dc_settings *s = options;
    s->golden_dtype = dc_dtype_by_name(value);
    return s->golden_dtype < 0 ? dc_fail(DC_EARG, "'%s' is no element type (bfloat16...)", value)
                               : DC_OK;
}

static dc_status take_match(void *options, const char *value)
{
    static const struct {
        const char *name;
        dc_match rule;
    } rules[] = {{"graph", DC_MATCH_GRAPH}, {"header", DC_MATCH_HEADER}, {"name", DC_MATCH_NAME}};
    dc_settings *s = options;
    uint32_t used = 0;
    char *list = strdup(value), *rest = NULL;
    if (!list)
        return dc_fail_memory();
    dc_status st = DC_OK;
    for (char *name = strtok_r(list, ",", &rest); st == DC_OK && name;
         name = strtok_r(NULL, ",", &rest)) {
        size_t i = 0;
        while (i < sizeof rules / sizeof *rules && strcmp(rules[i].name, name) != 0)
            i++;
        if (i < sizeof rules / sizeof *rules)
            used |= 1u << rules[i].rule;
        else
            st = dc_fail(DC_EARG, "'%s' is no rule; give some of graph,header,name", name);
    }
    free(list);
    if (st == DC_OK)
        s->ignore = ~used;
    return st;
}

static dc_status take_step_map(void *options, const char *value)
{
    dc_settings *s = options;
    dc_step_map_fini(&s->steps);
    return dc_step_map_parse(&s->steps, value);
}

static dc_status take_groups(void *options, const char *value)
{
    dc_settings *s = options;
    dc_group_list_fini(&s->groups);
    return dc_group_list_read(&s->groups, value);
}

static const dc_opt option[] = {
    {.kind = DC_OPT_GROUP, .name = "What is compared with what"},
    {.kind = DC_OPT_STRING,
     .letter = 'g',
     .name = "golden",
     .value = "DIR",
     .offset = AT(golden),
     .help = "the reference: a directory of NAME.OUTPUT.TIME.npy files, a template of directories "
             "with {rank}, {device}, {step} (gold/step{step}), or another store or dump tree"},
    {.kind = DC_OPT_STRING,
     .name = "graph",
     .value = "PATH",
     .offset = AT(graph),
     .help = "the compiled graph (ge_proto_*_Build.txt, ATC json), or a directory of them: tells "
             "which operators were fused, renamed, inserted, and who feeds whom"},
    {.kind = DC_OPT_CALL,
     .name = "match",
     .value = "RULES",
     .call = take_match,
     .help = "what may pair a tensor with its golden, of graph,header,name (the dump header's "
             "original operator); default all, the header first"},
    {.kind = DC_OPT_CALL,
     .name = "step-map",
     .value = "MAP",
     .call = take_step_map,
     .help =
         "which golden step belongs to an NPU step: an offset (+1, -1) or pairs (10=0,20=1); "
         "where one directory has all steps, golden steps are numbered from 0 in order of time"},
    {.kind = DC_OPT_LIST,
     .name = "shard",
     .value = "PATTERN:AXIS",
     .offset = AT(shard),
     .help = "tensors of this golden (or outputs of this operator) are shards of it, joined along "
             "the golden's axis (-1: the last) in the order of ranks; repeat for several"},
    {.kind = DC_OPT_CALL,
     .name = "golden-dtype",
     .value = "TYPE",
     .call = take_dtype,
     .help = "what goldens of this width really hold: bfloat16 saved as float16"},
    {.kind = DC_OPT_FLAG,
     .name = "uint1-msb",
     .offset = AT(uint1_msb),
     .help = "elements of uint1 begin at each byte's highest bit, as msaccucmp has it; default: at "
             "its lowest"},
    {.kind = DC_OPT_FLAG,
     .name = "across-ranks",
     .offset = AT(across),
     .help = "ranks against each other, with or without --golden: outputs of HcomAllReduce, "
             "HcomBroadcast and HcomAllGather, and (with --graph) variables must be the same "
             "everywhere; ranks.csv has the groups"},
    {.kind = DC_OPT_LIST,
     .name = "replicated",
     .value = "PATTERN",
     .offset = AT(replicated),
     .help = "operators whose outputs must be the same on all ranks too; repeat for several"},
    {.kind = DC_OPT_CALL,
     .name = "groups",
     .value = "GROUPS",
     .call = take_groups,
     .help = "ranks that are to agree with each other, not with all: 0-3,4-7 or 0+2,1+3 or "
             "0-6:2,1-7:2 (every other one), or HCCL's list as FILE.json; default: as the graphs' "
             "collective operators have them"},
    {.kind = DC_OPT_GROUP, .name = "Which tensors"},
    {.kind = DC_OPT_U64,
     .name = "run",
     .value = "N",
     .offset = AT(run),
     .help = "the run; default: the newest complete one"},
    {.kind = DC_OPT_STRING,
     .name = "step",
     .value = "STEPS",
     .offset = AT(step),
     .help = "steps: 0|3-5|10"},
    {.kind = DC_OPT_STRING,
     .name = "rank",
     .value = "RANKS",
     .offset = AT(rank),
     .help = "ranks: 0,4-7"},
    {.kind = DC_OPT_LIST,
     .name = "op",
     .value = "PATTERN",
     .offset = AT(op),
     .help = "operators by name: GLOB or re:REGEX; repeat for several"},
    {.kind = DC_OPT_LIST,
     .name = "type",
     .value = "PATTERN",
     .offset = AT(type),
     .help = "operators by type"},
    {.kind = DC_OPT_LIST,
     .name = "exclude",
     .value = "PATTERN",
     .offset = AT(exclude),
     .help = "leave operators out (dropout, random numbers...), whatever else selects them"},
    {.kind = DC_OPT_LIST,
     .name = "exclude-type",
     .value = "PATTERN",
     .offset = AT(exclude_type),
     .help = "the same by type"},
    {.kind = DC_OPT_GROUP, .name = "How it is judged"},
    {.kind = DC_OPT_CHOICE,
     .name = "standard",
     .offset = AT(standard),
     .choices = "default|offline",
     .help = "default: by dtype and size; offline: msprobe's fixed limits"},
    {.kind = DC_OPT_CALL,
     .name = "threshold",
     .value = "NAME=VALUE",
     .call = take_threshold,
     .help = "a limit in place of the standard's, or off: cosine (least), rel-euclid, kl, rmse, "
             "mean-rel, max-abs, max-rel (most), atol, rtol (each element); repeat for several"},
    {.kind = DC_OPT_FLAG,
     .name = "nan-fails",
     .offset = AT(profile.nan_not_equal),
     .help = "NaN and Inf fail even where the golden has the same"},
    {.kind = DC_OPT_CALL,
     .name = "metrics",
     .value = "LIST",
     .call = take_metrics,
     .help = "no-kl (one pass less over large tensors), or the metrics to report; default all"},
    {.kind = DC_OPT_GROUP, .name = "What comes out"},
    {.kind = DC_OPT_STRING,
     .letter = 'o',
     .name = "output",
     .value = "OUTDIR",
     .offset = AT(out),
     .help = "where result.csv, result.json, report.html and alignment.csv go; default ."},
    {.kind = DC_OPT_FLAG,
     .name = "excel",
     .offset = AT(excel),
     .help = "csv files for spreadsheets: a byte order mark, and no cell that is a formula"},
    {.kind = DC_OPT_FLAG,
     .name = "exit-zero",
     .offset = AT(exit_zero),
     .help = "exit with 0, not 1, when tensors differ"},
    {.kind = DC_OPT_CHOICE,
     .name = "progress",
     .offset = AT(progress),
     .choices = "auto|off|on",
     .help = "progress on stderr"},
    {.kind = DC_OPT_FLAG,
     .letter = 'q',
     .name = "quiet",
     .offset = AT(quiet),
     .help = "only warnings and errors on stderr"},
    {.kind = DC_OPT_FLAG,
     .letter = 'v',
     .name = "verbose",
     .offset = AT(verbose),
     .help = "more on stderr"},
    {.kind = DC_OPT_STOP, .letter = 'h', .name = "help", .offset = AT(help), .help = "this text"},
    {.kind = DC_OPT_STOP,
     .name = "version",
     .offset = AT(version),
     .help = "versions of dumpcmp, MPI and HDF5"},
    {.kind = DC_OPT_GROUP, .name = "Examples"},
    {.kind = DC_OPT_TEXT,
     .help = "mpirun -q -np 8 dumpcmp run.h5 --golden tf_dump --graph graphs/ -o report\n"
             "dumpcmp /data/output --golden 'tf/step{step}' --step 0 --op 'conv1/*'\n"
             "dumpcmp after.h5 --golden before.h5          two NPU runs\n"
             "dumpcmp run.h5 --across-ranks                which rank is off\n"
             "dumpcmp run.h5 -g gold --golden-dtype bfloat16\n"
             "grep ,fail, report/result.csv | head         the rest of what went wrong"},
    {.kind = DC_OPT_GROUP, .name = "Exit codes"},
    {.kind = DC_OPT_TEXT,
     .help = "0  every tensor that was judged passes\n"
             "1  at least one fails (0 with --exit-zero)\n"
             "2  nothing could be compared, or none fails but some could not be judged (golden "
             "missing,\n   unreadable, ambiguous), or the command failed"},
};

static const dc_opt_table table = {
    .program = "dumpcmp",
    .usage = "[STORE|ROOT] --golden DIR [OPTION...]\n[STORE|ROOT] --across-ranks [OPTION...]",
    .summary = "Compare the tensors that NPU operators dumped with a reference framework's and "
               "name the operator that went wrong first. STORE is made by dumpcap (default "
               "dump.h5); ROOT is a dump tree.",
    .opt = option,
    .nopt = sizeof option / sizeof *option,
};

static dc_status join_arguments(char **out, int argc, char **argv)
{
    dc_buf text = {0};
    dc_status st = DC_OK;
    for (int i = 0; st == DC_OK && i < argc; i++)
        st = dc_buf_printf(&text, "%s%s", i ? " " : "", argv[i]);
    if (st == DC_OK)
        st = dc_buf_add(&text, "", 1);
    *out = text.data;
    return st;
}

static dc_status check(dc_settings *s)
{
    if (s->help || s->version)
        return DC_OK;
    s->profile.standard = (dc_standard)s->standard;
    s->across = s->across || s->replicated.n || s->groups.n;
    if (!s->golden && !s->across)
        return dc_fail(DC_EARG, "--golden is missing: what shall the dump be compared with? "
                                "(dumpcmp --help)");
    if (s->rest.n > 1)
        return dc_fail(DC_EARG, "one store or dump tree at a time, not '%s' and '%s'",
                       s->rest.argument[0], s->rest.argument[1]);
    return DC_OK;
}

dc_status dc_settings_parse(dc_settings *s, int argc, char **argv)
{
    *s = (dc_settings){.out = ".", .run = DC_NEWEST, .golden_dtype = -1};
    s->metrics = (1u << DC_METRIC_COUNT) - 1;
    dc_status st = join_arguments(&s->command, argc, argv);
    if (st == DC_OK)
        st = dc_opt_parse(&s->rest, s, &table, argc, argv);
    return st == DC_OK ? check(s) : st;
}

void dc_settings_fini(dc_settings *s)
{
    dc_opt_list_fini(&s->op);
    dc_opt_list_fini(&s->type);
    dc_opt_list_fini(&s->exclude);
    dc_opt_list_fini(&s->exclude_type);
    dc_opt_list_fini(&s->replicated);
    dc_opt_list_fini(&s->shard);
    dc_step_map_fini(&s->steps);
    dc_group_list_fini(&s->groups);
    free(s->command);
    s->command = NULL;
}

dc_status dc_settings_help(void)
{
    dc_buf text = {0};
    dc_status st = dc_opt_help(&text, &table);
    if (st == DC_OK)
        fwrite(text.data, 1, text.n, stdout);
    dc_buf_free(&text);
    return st;
}
