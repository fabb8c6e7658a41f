/* io/opt.h - command lines: one const table of options per program is parsed from and printed as
 * --help. */
#ifndef DC_OPT_H
#define DC_OPT_H
#include "io/mem.h"
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dc_opt_kind {
    DC_OPT_GROUP,  /* heading; only help */
    DC_OPT_TEXT,   /* paragraph or example printed as it stands, indented; only help */
    DC_OPT_FLAG,   /* bool at offset becomes true */
    DC_OPT_STOP,   /* as FLAG, and parsing ends there with success: --help, --version */
    DC_OPT_STRING, /* const char * at offset; points into argv; the last one given wins */
    DC_OPT_LIST,   /* dc_opt_list at offset; one item per occurrence, in order */
    DC_OPT_U64,    /* uint64_t at offset; decimal */
    DC_OPT_SIZE,   /* uint64_t at offset, bytes; K, M, G, T (KiB, MiB, ...) may follow */
    DC_OPT_DOUBLE, /* double at offset; finite */
    DC_OPT_CHOICE, /* int at offset; index of the value in `choices` ("input|output|all") */
    DC_OPT_CALL    /* call(options, value): a value with its own grammar */
} dc_opt_kind;

/* Values of a repeated option; pointers into argv. The array is freed by dc_opt_list_fini. */
typedef struct dc_opt_list {
    const char **item;
    size_t n, cap;
} dc_opt_list;
void dc_opt_list_fini(dc_opt_list *list);

/* Takes the value into the program's options. A failure's message (dc_fail) need not name the
 * option: "--name: " is put before it. */
typedef dc_status (*dc_opt_call)(void *options, const char *value);

typedef struct dc_opt {
    dc_opt_kind kind;
    char letter;         /* 'o' for -o; 0 = none */
    const char *name;    /* "output" for --output; of a GROUP its title */
    const char *value;   /* what --help calls the value, "FILE"; CHOICE: NULL prints the choices */
    const char *help;    /* what it does and its default; may hold newlines; of TEXT the text */
    size_t offset;       /* offsetof(struct options, field) */
    const char *choices; /* CHOICE: "a|b|c" */
    dc_opt_call call;    /* CALL */
    uint32_t only;       /* 0 = always allowed; else bits: 1 = without a command, 2 << i = with
                            commands[i] */
} dc_opt;

typedef struct dc_opt_command {
    const char *name, *arguments, *help; /* "ls", "STORE [FILTER]", "list what a store holds" */
} dc_opt_command;

typedef struct dc_opt_table {
    const char *program;
    const char *usage;   /* "[OPTION...] [ROOT...]", several lines are several forms */
    const char *summary; /* a sentence or two */
    const dc_opt *opt;
    size_t nopt;
    const dc_opt_command *command; /* or NULL */
    size_t ncommand;
} dc_opt_table;

typedef struct dc_opt_rest {
    int command;           /* index into table->command, or -1 */
    size_t n;              /* positional arguments after the command */
    char *const *argument; /* borrowed from argv (which is permuted so that they stand last) */
} dc_opt_rest;

/* Parse argv into *options, a struct the caller has set to its defaults. Long options take
 * "--name value", "--name=value" and unique beginnings; letters "-o value", "-ovalue", "-vq";
 * "--" ends options. The first positional argument may be a command's name ("./ls" for a directory
 * ls). Options and arguments may be mixed.
 * Errors: DC_EARG with one line naming the option, and the nearest name for an unknown one;
 * DC_ENOMEM. Lists filled so far remain the caller's to free. Not collective; not reentrant
 * (getopt_long). */
dc_status dc_opt_parse(dc_opt_rest *rest, void *options, const dc_opt_table *table, int argc,
                       char **argv) DC_MUST_CHECK;

/* Append the help text, at most 100 columns wide. Errors: DC_ENOMEM. Not collective. */
dc_status dc_opt_help(dc_buf *out, const dc_opt_table *table) DC_MUST_CHECK;
/* Append "PROGRAM VERSION\nMPI: ...\nHDF5: ...\n"; mpi and hdf5 may be NULL (left out). */
dc_status dc_opt_version(dc_buf *out, const char *program, const char *mpi,
                         const char *hdf5) DC_MUST_CHECK;

/* Shared value grammars, also used by CALL options. Errors: DC_EARG; *out is then untouched. */
dc_status dc_opt_u64(uint64_t *out, const char *text) DC_MUST_CHECK;
dc_status dc_opt_size(uint64_t *out, const char *text) DC_MUST_CHECK;
dc_status dc_opt_double(double *out, const char *text) DC_MUST_CHECK;
#endif
