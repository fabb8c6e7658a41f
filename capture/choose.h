/* capture/choose.h - from options and acl.json to what the scan keeps: roots and filter. */
#ifndef DC_CHOOSE_H
#define DC_CHOOSE_H
#include "capture/options.h"
#include "io/select.h"
#include "mpi/catalog.h"

typedef struct dc_choice {
    dc_dump_config config;
    dc_select *select;
    dc_scan_root *root;
    size_t roots;
    char **text; /* [roots + 1] owned strings */
    size_t texts;
    dc_buf configuration; /* acl.json's text, NUL-terminated: goes into the store */
} dc_choice;

/* Read the configuration (options->config, else ./acl.json if it is there), compile the selection,
 * find the roots. Not collective; the same on every process. Errors: DC_EARG, DC_EFORMAT,
 * DC_ENOENT... naming what to do. dc_choice_fini in any case. */
dc_status dc_choice_make(dc_choice *out, const dc_capture_options *o) DC_MUST_CHECK;
void dc_choice_fini(dc_choice *c);
/* The question the scan asks; the choice must stay alive and in place. */
dc_scan_filter dc_choice_filter(dc_choice *c);
/* Warn, on process 0, of selectors that matched nothing anywhere. Collective. Errors: DC_ENOMEM,
 * agreed. */
dc_status dc_choice_unmatched(dc_choice *c, const dc_catalog *found,
                              const dc_par *par) DC_MUST_CHECK;
#endif
