/* io/graph_find.h - which of the many graph files GE leaves behind is the graph of a dumped model.
 *
 * Rules, in order (sources: the vendor's guide to precision comparison; GE's names of its dumps):
 * a *_Build.txt that holds the text "Iterator" and whose first graph is named like the model's
 * directory; one so named without "Iterator"; one so named but for the 14 digits of the time, which
 * differ from rank to rank (with Iterator first); the one that holds most of the dumped operators;
 * the one with most operators. Among equals the one of the wanted device, then the highest number
 * in the file name. Nothing here is collective. */
#ifndef DC_GRAPH_FIND_H
#define DC_GRAPH_FIND_H
#include "io/mem.h"

typedef struct dc_gfile {
    char *path;
    char *graph;         /* name of the first graph as written; "" if not found at the top */
    int64_t pid, device; /* of a pid_P_deviceid_D directory in its path; -1 */
    uint64_t number;     /* N of ge_proto_N_...; 0 */
    int8_t iterator;     /* 1 holds "Iterator", 0 does not, -1 not looked yet */
} dc_gfile;

typedef struct dc_gfiles { /* sorted by path, numbers by value */
    dc_gfile *file;
    size_t n, cap;
    size_t unreadable; /* files and directories passed over; a warning is due if not 0 */
    bool given;        /* the user named this very file, whatever its name and kind */
} dc_gfiles;

typedef struct dc_gwant {
    const char *model;      /* name of the model's directory in the dump */
    int64_t device;         /* -1: any */
    const char *const *ops; /* names of operators in the dump, sanitised or not; may be NULL */
    size_t nops;
    bool names_only; /* do not read all files to guess where no name fits */
} dc_gwant;

typedef enum dc_gmatch {
    DC_GMATCH_OPERATORS, /* most operators of all files: a guess */
    DC_GMATCH_DUMPED,    /* most of the dumped operators */
    DC_GMATCH_TIME,      /* named alike but for the time */
    DC_GMATCH_NAME,      /* named like the model's directory */
    DC_GMATCH_ITERATOR,  /* and holds Iterator */
    DC_GMATCH_GIVEN      /* the only file, named by the user */
} dc_gmatch;

typedef struct dc_gchoice {
    size_t file; /* index into files */
    dc_gmatch how;
    char *why; /* one sentence; from malloc, the caller's */
} dc_gchoice;

/* List the *_Build.txt below a directory (sub-directories to a depth of 4, links to directories
 * not followed), reading 4 KiB of each; or take the one file that path is. Errors: DC_ENOENT if
 * there is none, DC_EIO, DC_ENOMEM; *out is then empty. Freed by dc_graph_find_free. */
dc_status dc_graph_find_files(dc_gfiles *out, const char *path) DC_MUST_CHECK;
void dc_graph_find_free(dc_gfiles *files);
/* Choose for one model. Reads whole files only where their name leaves a choice; what was read is
 * remembered in files. Errors: DC_ENOENT without files, or if names_only and none fits; DC_ENOMEM;
 * the error of the last file if none can be read. */
dc_status dc_graph_find_choose(dc_gchoice *out, dc_gfiles *files,
                               const dc_gwant *want) DC_MUST_CHECK;
/* True if the file holds the text, searched block by block. */
dc_status dc_graph_find_text(bool *holds, const char *path, const char *text) DC_MUST_CHECK;
#endif
