/* compare/settings.h - dumpcmp's command line. */
#ifndef DC_SETTINGS_H
#define DC_SETTINGS_H
#include "compare/verdict.h"
#include "io/golden_path.h"
#include "io/group_list.h"
#include "io/opt.h"

#define DC_NEWEST UINT64_MAX

typedef struct dc_settings {
    const char *golden, *graph, *out; /* borrowed from argv */
    const char *step, *rank;
    dc_opt_list op, type, exclude, exclude_type;
    dc_opt_list replicated, shard; /* operators the same on all ranks; PATTERN:AXIS */
    uint64_t run;                  /* DC_NEWEST: the newest complete one */
    dc_step_map steps;
    dc_profile profile;
    int standard, progress; /* choices: dc_standard, dc_progress_mode */
    uint32_t metrics;       /* bit i: metric i is computed and printed */
    int32_t golden_dtype;   /* -1: as the files say */
    uint32_t ignore;        /* bit dc_match: rules that may not pair */
    bool uint1_msb;         /* uint1 is packed from the highest bit on */
    bool across;            /* compare ranks with each other */
    dc_group_list groups;   /* of ranks; none: not told */
    bool excel, exit_zero, quiet, verbose, help, version;
    char *command; /* the command line as one text; owned */
    dc_opt_rest rest;
} dc_settings;

/* Errors: DC_EARG with one line naming the option, DC_ENOMEM. dc_settings_fini in any case. Not
 * collective. */
dc_status dc_settings_parse(dc_settings *s, int argc, char **argv) DC_MUST_CHECK;
void dc_settings_fini(dc_settings *s);
/* --help to stdout. Errors: DC_ENOMEM. */
dc_status dc_settings_help(void) DC_MUST_CHECK;
#endif
