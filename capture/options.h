/* capture/options.h - dumpcap's command line: one table for parsing and --help. */
#ifndef DC_CAPTURE_OPTIONS_H
#define DC_CAPTURE_OPTIONS_H
#include "io/opt.h"

typedef enum dc_capture_command {
    DC_CMD_CAPTURE = -1,
    DC_CMD_LS,
    DC_CMD_SHOW,
    DC_CMD_EXPORT,
    DC_CMD_MERGE,
    DC_CMD_VERIFY,
    DC_CMD_VIEWS
} dc_capture_command;

typedef struct dc_capture_options {
    const char *config, *output;
    const char *step, *rank;
    const char *graph, *rank_table, *server;
    const char *original_path; /* dump_path when the dump was made */
    const char *check_config;  /* print a verdict on this file and do nothing else */
    dc_opt_list op, type, exclude, exclude_type, model, rank_of, server_of, set;
    int mode; /* index of "file|input|output|all": file = what the configuration says */
    bool resume, force, verify, strict, long_list, skipped, overflow, quiet, verbose, help, version;
    bool no_views, dry_run, print_config, blacklist_applied, mixed, stats_only;
    uint64_t align, piece, run_window;
    int as;             /* dc_export_kind */
    const char *layout; /* of exported tensors; NULL = as the device has it */
    int progress;       /* dc_progress_mode */
    dc_opt_rest rest;
} dc_capture_options;

/* Parse argv. Errors: DC_EARG with one line. Not collective. dc_capture_options_fini in any case.
 */
dc_status dc_capture_options_parse(dc_capture_options *o, int argc, char **argv) DC_MUST_CHECK;
/* Values and pairs that have no meaning. Errors: DC_EARG with one line. Not collective. */
dc_status dc_capture_options_check(const dc_capture_options *o) DC_MUST_CHECK;
void dc_capture_options_fini(dc_capture_options *o);
/* Print help to stdout. */
dc_status dc_capture_options_help(void) DC_MUST_CHECK;
#endif
