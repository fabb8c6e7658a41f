/* io/select.h - which operators, tensors, steps and ranks a configuration and the command line
 * select; the graph engine's own precedence, applied to a dump that exists.
 *
 * A configuration selects as GE would have when dumping. The command line adds to it and wins:
 *   --model, --step, --mode, --rank   replace the file's
 *   --op, --type                      add operators to those the file names by layer or range;
 *                                     where the file takes whole models (or there is none), they
 *                                     alone select. Patterns of one option are alternatives; --op
 *                                     and --type together must both match.
 *   --exclude, --exclude-type         leave operators out, whatever else selects them
 * Patterns are GLOB (* ? [..], '*' crosses '/') or re:REGEX (POSIX extended, matches anywhere). */
#ifndef DC_SELECT_H
#define DC_SELECT_H
#include "io/acl_config.h"
#include "io/dump_read.h"

typedef struct dc_select_extra { /* the command line; all-zero = nothing given */
    const char *const *op, *const *type, *const *exclude, *const *exclude_type, *const *model;
    size_t nop, ntype, nexclude, nexclude_type, nmodel;
    const char *step, *rank; /* "0|3-5" and "0,4-7"; NULL = not given */
    dc_dump_mode mode;
    bool has_mode;
    bool strict;            /* --step by DC_STEPS_STRICT */
    bool blacklist_applied; /* the dump was made with the file's blacklists: slots have shifted,
                               drop nothing again */
} dc_select_extra;

typedef struct dc_select dc_select;

/* Compile. config may be NULL (everything); both must outlive *out. Errors: DC_EARG (bad pattern,
 * steps, ranks; the message names the option), DC_ENOMEM. Not collective; nothing here is. */
dc_status dc_select_new(dc_select **out, const dc_dump_config *config,
                        const dc_select_extra *extra) DC_MUST_CHECK;
void dc_select_free(dc_select *s);

/* The names a selector may know a model by; NULL = unknown. model_name of the configuration equals
 * om, graph or root exactly, or dir or canonical after space . / \ became _; --model any of them,
 * either way. */
typedef struct dc_select_model {
    const char *dir;       /* directory in the tree: "ge_default_20240613143502_1"; NULL for files
                              outside a model (single operators, kernels) */
    const char *canonical; /* the same across ranks: "ge_default_1" */
    const char *om, *graph, *root; /* offline model's file name; graph; root graph */
} dc_select_model;

/* The operators that a model's opname_range entries cover. Feed the model's operators once, in task
 * order (the graph's, or the dump's own by time); then pass it along in dc_select_op. */
typedef struct dc_select_pass dc_select_pass;
dc_status dc_select_pass_new(dc_select_pass **out, dc_select *s,
                             const dc_select_model *model) DC_MUST_CHECK;
dc_status dc_select_pass_add(dc_select_pass *p, const char *op_name) DC_MUST_CHECK;
/* The same where only file names are known: op_name is sanitised. A pass is fed one way or the
 * other. */
dc_status dc_select_pass_add_clean(dc_select_pass *p, const char *op_name) DC_MUST_CHECK;
bool dc_select_pass_has(const dc_select_pass *p, const char *op_name);
void dc_select_pass_free(dc_select_pass *p);
/* Whether any range applies to the model (else no pass is needed). */
bool dc_select_has_ranges(const dc_select *s, const dc_select_model *model);

typedef struct dc_select_op {
    const dc_select_model *model;
    const dc_select_pass *pass;  /* NULL: no ranges, or (preview) not known yet */
    const char *name, *type;     /* "" when unknown; type may be NULL */
    const char *const *original; /* names of the framework's operators it was made from */
    size_t noriginal;
    bool sanitised; /* name comes from a file name, where space . / \ are _ : selectors are compared
                       in that form */
    bool preview;   /* a first look, before the header is read: nothing is counted, and what cannot
                       be known yet (an empty name, REGEX against a sanitised one, ranges without a
                       pass) counts as matching; ask again with the header's name */
    bool original_unknown; /* preview: the original names are not known either; any selector by name
                              may match them */
    bool name_only;        /* not matched by original names (collectives are not, by their type) */
    bool ignores_bans;     /* FFTS+ sub-task or DSA operator: blacklists do not apply */
    bool own_names;        /* --op and --exclude look at `name` only, not at original names, but for
                              patterns that were deepened */
    bool uncounted;        /* matches are not counted */
    bool range_known, in_range; /* whether a range covers it is known, whatever `pass` says */
    int feeds_selected; /* Data, RefData, AippData, AnnData: 1 if the operator it feeds (same task
                           and stream) is selected, 0 if not, -1 unknown */
} dc_select_op;

/* Let the --op and --exclude patterns that have matched nothing so far match original names too,
 * and start all counts anew. Returns whether there is any: then ask about all operators again. */
bool dc_select_deepen(dc_select *s);

/* Cheap tests first, for pruning a walk. */
bool dc_select_rank(dc_select *s, uint64_t rank);
bool dc_select_step(dc_select *s, uint64_t step);
bool dc_select_models(dc_select *s, const dc_select_model *model); /* anything of it at all */
/* Whether the operator is selected (by name; steps, ranks and slots apart). Counts matches. */
bool dc_select_ops(dc_select *s, const dc_select_op *op);
/* Whether one tensor of a selected operator is: mode and blacklists. slot is the operator's own
 * input or output index. (A blacklist entry counts as matched when dc_select_ops sees its operator:
 * in a dump made with it the tensors themselves are gone.) */
bool dc_select_slot(dc_select *s, const dc_select_op *op, dc_direction direction, uint32_t slot);
/* Whether a blacklist leaves out that tensor; counts nothing. */
bool dc_select_banned(const dc_select *s, const dc_select_op *op, dc_direction direction,
                      uint32_t slot);
/* The data nodes that are pulled in by the operators they feed. */
bool dc_select_is_data(const char *op_type);
/* Blacklists are there and have to be applied. */
bool dc_select_has_bans(const dc_select *s);

/* Matches per selector since dc_select_new, in a fixed order: several processes add them up in
 * place before dc_select_unmatched. */
uint64_t *dc_select_counts(dc_select *s, size_t *n);

typedef struct dc_select_present { /* what the dump holds; any may be NULL. Without types no file
                                     was looked at: operators and types are not complained of */
    const dc_pool *op, *type, *model;
    /* The real name of a sanitised one of `op`, to be shown in its place; NULL = show as it is. */
    const char *(*real_op)(void *context, const char *op);
    void *context;
    const uint64_t *step, *rank; /* sorted */
    size_t nstep, nrank;
} dc_select_present;
/* Append one line for each selector that matched nothing: "acl.json: dump.dump_list[0].layer[1]:
 * "conv1x" matched nothing; did you mean conv1, ...?", "--rank 4 matched nothing; ranks present:
 * 0-1". */
dc_status dc_select_unmatched(dc_buf *out, dc_select *s,
                              const dc_select_present *present) DC_MUST_CHECK;
/* The same as warnings, a line each. */
dc_status dc_select_warn(dc_select *s, const dc_select_present *present) DC_MUST_CHECK;
/* Append one line for each selector that matched something: '--op "conv1/Conv2D" matched 24
 * operator executions', '--step 0-2 matched'. */
dc_status dc_select_matches(dc_buf *out, dc_select *s) DC_MUST_CHECK;
#endif
