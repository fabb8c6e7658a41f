/* capture/choose.h - from options and acl.json to what the scan keeps: roots and filter. */
#ifndef DC_CHOOSE_H
#define DC_CHOOSE_H
#include "capture/models.h"
#include "capture/options.h"
#include "capture/roots.h"
#include "capture/slots.h"
#include "io/numbers.h"
#include "io/select.h"
#include "mpi/catalog.h"

/* What the dump holds, selected or not, for messages about selectors that matched nothing. */
typedef struct dc_present {
    dc_pool *op, *type; /* of files this process listed; op sanitised */
    dc_pool *op_file;   /* a file of each op: the path with the id of op */
    dc_pool *model;     /* directories; the same on every process, like the numbers */
    dc_numbers rank, step;
} dc_present;

/* Files whose slots the graph has corrected, and those where it could not; of this process. */
typedef struct dc_choice_counts {
    uint64_t renumbered, unclear;
    uint64_t peeked, peeked_bytes; /* headers read to decide about the data nodes they belong to */
} dc_choice_counts;

typedef struct dc_choice {
    dc_dump_config config;
    dc_select *select;
    dc_roots roots;
    dc_buf configuration; /* acl.json's text, NUL-terminated: goes into the store */
    dc_models *models;
    dc_present present;
    dc_buf notes; /* of this process: lines for the user */
    bool has_graph, blacklist_applied;
    const char **original; /* of the operator that was asked about last */
    size_t noriginal, capnoriginal;
    dc_slots slots; /* of the same */
    dc_choice_counts counts;
    dc_status failed; /* of a question that can only answer yes or no */
} dc_choice;

/* Read the configuration (options->config, else ./acl.json if it is there), compile the selection,
 * find the roots and the graph files. Not collective; the same on every process. Errors: DC_EARG,
 * DC_EFORMAT, DC_ENOENT... naming what to do. dc_choice_fini in any case. */
dc_status dc_choice_make(dc_choice *out, const dc_capture_options *o) DC_MUST_CHECK;
void dc_choice_fini(dc_choice *c);
/* The command line's part of the selection; borrows from o. */
dc_select_extra dc_choice_extra(const dc_capture_options *o);
/* The configuration alone; also its text. */
dc_status dc_choice_read_config(dc_choice *c, const dc_capture_options *o) DC_MUST_CHECK;
/* The question the scan asks; the choice must stay alive and in place. */
dc_scan_filter dc_choice_filter(dc_choice *c);

/* After a scan: whether to scan again, since --op or --exclude patterns that name no dumped
 * operator are now looked for among original names, which takes every header. Collective. */
bool dc_choice_again(dc_choice *c, const dc_par *par);
/* Warn of what is odd about a configuration: commas mended, unknown keys, what GE would not do. Not
 * collective. */
void dc_choice_tell_config(const dc_dump_config *config);
/* Say, on process 0: that, what was found out on the way, and which selectors matched nothing
 * anywhere.
 * *assumed: lines for the summary about what was taken for granted. Collective. Errors: DC_ENOMEM,
 * agreed. */
dc_status dc_choice_report(dc_buf *assumed, dc_choice *c, const dc_par *par) DC_MUST_CHECK;
#endif
