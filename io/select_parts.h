/* io/select_parts.h - what the select*.c files share: compiled selectors. */
#ifndef DC_SELECT_PARTS_H
#define DC_SELECT_PARTS_H
#include "io/select.h"

#include <regex.h>

/* Every selector that can match nothing. X(id, where it stands, what it names). FILE ones stand in
 * dump_list[entry]. */
#define DC_SELECTORS(X)                                                                            \
    X(MODEL_NAME, "model_name", MODELS, true)                                                      \
    X(LAYER, "layer", OPS, true)                                                                   \
    X(WATCHER, "watcher_nodes", OPS, true)                                                         \
    X(TYPE_BAN, "optype_blacklist", TYPES, true)                                                   \
    X(NAME_BAN, "opname_blacklist", OPS, true)                                                     \
    X(BEGIN, "opname_range begin", OPS, true)                                                      \
    X(END, "opname_range end", OPS, true)                                                          \
    X(RANGE, "opname_range", OPS, true)                                                            \
    X(OP, "--op", OPS, false)                                                                      \
    X(TYPE, "--type", TYPES, false)                                                                \
    X(EXCLUDE, "--exclude", OPS, false)                                                            \
    X(EXCLUDE_TYPE, "--exclude-type", TYPES, false)                                                \
    X(MODEL, "--model", MODELS, false)                                                             \
    X(STEP, "step", STEPS, false)                                                                  \
    X(RANK, "--rank", RANKS, false)
typedef enum dc_selector_kind {
#define X(id, ...) DC_SELECTOR_##id,
    DC_SELECTORS(X)
#undef X
} dc_selector_kind;

typedef struct dc_selector {
    dc_selector_kind kind;
    const char *text;   /* NULL for RANGE, STEP and RANK */
    size_t entry, item; /* FILE: dump_list[entry].layer[item]; STEP, RANK: which interval */
} dc_selector;

typedef struct dc_select_name {
    const char *name;
    char *clean;            /* sanitised; owned */
    size_t selector;        /* index for counting */
    const dc_dump_ban *ban; /* of a blacklist */
} dc_select_name;

/* A set of names, looked up as they are or sanitised; a name may stand there twice. */
typedef struct dc_select_names {
    dc_select_name *item;
    dc_select_name **by_name, **by_clean; /* [n], sorted */
    size_t n, cap;
} dc_select_names;

/* What the configuration says of one model_name, or of any model. */
typedef struct dc_select_table {
    const char *model; /* NULL: any */
    size_t selector;
    dc_select_names layer; /* empty: the whole model */
    dc_select_names type_ban, name_ban;
    const dc_dump_entry *layers; /* the entry whose layers count */
    const dc_dump_entry *ranges; /* the entry whose ranges count, or NULL */
    size_t range_selector;       /* of its first begin; then its end, itself, the next begin ... */
} dc_select_table;

typedef struct dc_select_pattern {
    const char *text;
    char *clean; /* a glob for sanitised names */
    bool is_regex;
    bool deep; /* matches original names even where the operator is asked by its own name only */
    regex_t regex;
    size_t selector;
} dc_select_pattern;

typedef struct dc_select_patterns {
    dc_select_pattern *item;
    size_t n;
} dc_select_patterns;

struct dc_select {
    const dc_dump_config *config; /* NULL: none, or it says nothing of dumps */
    dc_select_extra extra;
    dc_dump_mode mode;
    dc_steps steps, ranks;               /* owned */
    size_t step_selector, rank_selector; /* of the first interval */
    dc_select_table *table;
    size_t ntable;
    bool has_any;   /* table[0] is the any-model table and counts */
    dc_pool *exact; /* model names; id i is table[i], id 0 ("") the any-model table */
    dc_pool *clean; /* the same sanitised; clean_table[id] is the first table of that form */
    size_t *clean_table;
    dc_select_names watcher;
    dc_select_patterns op, type, exclude, exclude_type, model;
    dc_selector *selector;
    uint64_t *count;
    size_t nselector, selector_cap;
};

/* Copy with space . / \ as _ (CANN's file names); NULL without memory. */
char *dc_select_clean(const char *text);
/* The same of a model's name, in out[DC_SELECT_MODEL]; false if it is longer. */
#define DC_SELECT_MODEL 512
bool dc_select_clean_model(char *out, const char *name);
/* Register a selector; *index is its place. */
dc_status dc_select_register(size_t *index, dc_select *s, dc_selector selector) DC_MUST_CHECK;

dc_status dc_select_names_add(dc_select_names *names, const char *name, size_t selector,
                              const dc_dump_ban *ban) DC_MUST_CHECK;
dc_status dc_select_names_sort(dc_select_names *names) DC_MUST_CHECK;
void dc_select_names_fini(dc_select_names *names);
/* The run of equal names: *n of them from the result on, NULL if none. */
dc_select_name *const *dc_select_names_find(size_t *n, const dc_select_names *names,
                                            const char *text, bool sanitised);

/* Compile the configuration's tables. */
dc_status dc_select_build_tables(dc_select *s) DC_MUST_CHECK;
/* Compile the patterns of one option. */
dc_status dc_select_build_patterns(dc_select_patterns *out, dc_select *s, dc_selector_kind kind,
                                   const char *const *text, size_t n) DC_MUST_CHECK;
void dc_select_patterns_fini(dc_select_patterns *p);
bool dc_select_pattern_match(const dc_select_pattern *p, const char *text, bool sanitised);

/* The table for a model: of its om name, else graph, directory, canonical name; NULL if none.
 * with_ranges passes over tables without. */
const dc_select_table *dc_select_table_of(const dc_select *s, const dc_select_model *model,
                                          bool with_ranges);
const dc_select_table *dc_select_table_named(const dc_select *s, const char *name);
bool dc_select_pass_has_clean(const dc_select_pass *p, const char *op_name);
#endif
