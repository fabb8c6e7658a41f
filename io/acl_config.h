/* io/acl_config.h - the dump configuration: acl.json's "dump" object and the TensorFlow adapter's
 * options, checked as CANN checks them.
 *
 * Keys, defaults and rules: hicann/runtime adump (dump_config_converter), hicann/ge
 * (dump_callback), hicann/tensorflow. adump judges first; the graph engine (GE) judges the same
 * text again and, where it disagrees, silently leaves the model dump off: that is a warning here.
 */
#ifndef DC_ACL_CONFIG_H
#define DC_ACL_CONFIG_H
#include "io/json.h"
#include "io/steps.h"

/* Enumerations of the configuration, X(id, text); the first one is the default. */
#define DC_DUMP_MODES(X)  X(OUTPUT, "output") X(INPUT, "input") X(ALL, "all")
#define DC_DUMP_LEVELS(X) X(ALL, "all") X(OP, "op") X(KERNEL, "kernel")
#define DC_DUMP_DATAS(X)  X(TENSOR, "tensor") X(STATS, "stats")
#define DC_DUMP_SCENES(X)                                                                          \
    X(NONE, "")                                                                                    \
    X(LITE_EXCEPTION, "lite_exception")                                                            \
    X(AIC_ERR_BRIEF, "aic_err_brief_dump")                                                         \
    X(AIC_ERR_NORM, "aic_err_norm_dump")                                                           \
    X(AIC_ERR_DETAIL, "aic_err_detail_dump")                                                       \
    X(WATCHER, "watcher")
#define X(id, text) DC_DUMP_MODE_##id,
typedef enum dc_dump_mode { DC_DUMP_MODES(X) } dc_dump_mode;
#undef X
#define X(id, text) DC_DUMP_LEVEL_##id,
typedef enum dc_dump_level { DC_DUMP_LEVELS(X) } dc_dump_level;
#undef X
#define X(id, text) DC_DUMP_DATA_##id,
typedef enum dc_dump_data_kind { DC_DUMP_DATAS(X) } dc_dump_data_kind;
#undef X
#define X(id, text) DC_DUMP_SCENE_##id,
typedef enum dc_dump_scene { DC_DUMP_SCENES(X) } dc_dump_scene;
#undef X

/* Names are borrowed from the configuration. */
typedef struct dc_dump_names {
    const char **item;
    size_t n;
} dc_dump_names;

typedef struct dc_dump_ban { /* one blacklist entry; matches nothing when name is "" */
    const char *name;        /* operator type or operator name */
    struct dc_dump_pos {
        bool output;
        uint32_t slot;
    } * pos;
    size_t npos;
} dc_dump_ban;

typedef struct dc_dump_range { /* closed, in task order */
    const char *begin, *end;
} dc_dump_range;

typedef struct dc_dump_entry { /* one member of dump_list, in file order */
    size_t index;              /* its place in dump_list */
    const char *model_name;    /* NULL: any model */
    bool skipped;              /* GE passes over it: model_name "" or layer [] */
    bool has_layer;
    dc_dump_names layer;   /* empty: the whole model */
    dc_dump_names watcher; /* watcher_nodes */
    dc_dump_ban *type_ban, *name_ban;
    size_t ntype_ban, nname_ban;
    dc_dump_range *range;
    size_t nrange;
} dc_dump_entry;

typedef struct dc_dump_config {
    char *file;        /* the name for messages; "" when there is no file */
    bool from_tf;      /* written in the TensorFlow adapter's options, judged by its rules */
    bool has_dump;     /* the file has a "dump" object that is not empty, or options were set */
    bool need_dump;    /* CANN would dump anything at all */
    bool model_dump;   /* ... and the graph engine would dump models */
    bool all_models;   /* every operator of every model (options without dump_layer, or single
                          operators without dump_list) */
    const char *path;  /* dump_path as written, NULL when absent */
    dc_dump_mode mode; /* as in force: overflow detection means ALL */
    dc_dump_level level;
    bool level_given;
    dc_dump_data_kind data;
    uint32_t stats; /* bit i: the i-th of Max Min Avg Nan "Negative Inf" "Positive Inf" L2norm */
    bool op_switch; /* dump_op_switch on */
    bool debug;     /* dump_debug on: overflow detection */
    dc_dump_scene scene;
    const char *kernel_data;                         /* NULL when absent */
    const char *debug_mode;                          /* TF: dump_debug_mode, NULL when absent */
    const char *quant_dumpable, *fusion_switch_file; /* TF; NULL when absent */
    int exception_dump;                              /* TF: enable_exception_dump, -1 absent */
    const char *step_text;                           /* NULL when absent */
    dc_steps steps;
    bool has_list;
    dc_dump_entry *entry; /* dump_list; TF's dump_layer is one entry without model_name */
    size_t nentry;
    /* What to tell the user, one line each, every line ended: */
    dc_buf mended;    /* commas added or dropped */
    dc_buf warnings;  /* unknown and repeated keys, pos texts that select nothing, ... */
    dc_buf ge;        /* "the graph engine would silently not dump because ..." */
    const char *code; /* of a refusal: "EP0001" ..., "" otherwise; constant text */
    void *memory;     /* owns what the pointers point to */
} dc_dump_config;

typedef struct dc_acl_options {
    bool strict;            /* no mending; steps by DC_STEPS_STRICT; warnings refuse */
    const char *const *set; /* [nset] "KEY=VALUE", TensorFlow adapter options; they win over the
                               file's */
    size_t nset;
} dc_acl_options;

/* Read FILE (NULL: no file, only options->set) and judge it. Errors: DC_EARG for what CANN would
 * refuse, "FILE: dump.dump_mode: \"out\" is not allowed; allowed: input, output, all [EP0002]";
 * DC_EFORMAT for JSON's syntax [EP0004]; DC_ENOENT, DC_EIO, DC_EUNSUP as dc_json_open; DC_ENOMEM.
 * On error *out holds only `code` (and what was mended); it must be given to dc_acl_config_fini in
 * any case. A file without "dump" is success with has_dump false. Whether dump_path exists is not
 * asked. Not collective. */
dc_status dc_acl_config_read(dc_dump_config *out, const char *file,
                             const dc_acl_options *options) DC_MUST_CHECK;
/* The same for a text in memory; name is for messages. */
dc_status dc_acl_config_parse(dc_dump_config *out, const char *text, size_t n, const char *name,
                              const dc_acl_options *options) DC_MUST_CHECK;
void dc_acl_config_fini(dc_dump_config *c);

/* The directory on this machine that dump_path means ("ip:path" loses its ip and is relative to the
 * working directory); malloc'd for the caller. Errors: DC_EARG when the configuration has no
 * dump_path, DC_ENOENT when there is no such directory, DC_ENOMEM. */
dc_status dc_acl_config_dir(char **dir, const dc_dump_config *c) DC_MUST_CHECK;
/* Append what adump or GE would say about the directory itself: it is not there, no directory, not
 * readable and writable, has characters GE refuses. One line each; nothing when all is well. */
dc_status dc_acl_config_path_notes(dc_buf *out, const dc_dump_config *c) DC_MUST_CHECK;

/* Append the configuration as canonical acl.json: every key in force with its value, keys in fixed
 * order; reading it again gives the same configuration (adapter options without a dump_path, which
 * only --set may leave out, need one in a file). */
dc_status dc_acl_config_print(dc_buf *out, const dc_dump_config *c) DC_MUST_CHECK;
#endif
