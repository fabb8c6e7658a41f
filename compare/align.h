/* compare/align.h - pair every NPU tensor with its golden, over all processes.
 *
 * Each process answers for its own catalog rows. Golden directories are listed by the processes
 * whose rows need them; a golden's header is read once, by the process its path hashes to. Only
 * what a person reads - one line per kind of pairing and per left-over name - meets on process 0.
 */
#ifndef DC_ALIGN_H
#define DC_ALIGN_H
#include "compare/pair.h"
#include "io/golden_path.h"
#include "io/graph.h"

/* Which graph tells about a rank's model; *out is borrowed until the next call, NULL if none. `id`
 * is the same for the same graph. A graph that cannot be read is an error. Not collective. */
typedef struct dc_align_graphs {
    void *context;
    dc_status (*find)(void *context, const dc_graph **out, uint64_t *id, int32_t rank,
                      const char *model_dir);
} dc_align_graphs;

typedef struct dc_align_ask {
    const dc_catalog *npu;
    const uint8_t *chosen; /* [npu->n]: 0 = leave this row out (another run...); NULL = all */
    const char *golden;    /* a directory, or a template of directories: io/golden_path.h */
    const dc_step_map *steps;
    dc_align_graphs graphs; /* find may be NULL */
    uint32_t ignore;        /* bit dc_match: pairing rules that are not to be used */
    bool some_ops; /* operators were selected: the goldens of others are not counted as unused */
} dc_align_ask;

/* Rows that were treated alike, for alignment.csv. Texts are ids of dc_alignment.lines_pool. */
typedef struct dc_align_line {
    uint32_t model, op, op_type; /* NPU side; 0 for a left-over golden */
    uint32_t golden;             /* "name:output", 0 without one */
    uint32_t reason, note;
    uint32_t nearest; /* nearest name on the other side, for what was left over; 0 none */
    uint32_t slot;
    uint8_t direction, pairing, match;
    bool unused;    /* a golden no row was paired with */
    uint64_t count; /* rows, or files */
    int32_t rank;   /* the first, -1 if it is not one's */
    int64_t step;   /* of that one; -1 */
} dc_align_line;

typedef struct dc_alignment {
    dc_pairs pairs;                   /* this process's */
    uint64_t count[DC_PAIRING_COUNT]; /* rows of all processes by dc_pairing */
    uint64_t goldens_unused;          /* files that no row was paired with, in all directories */
    bool unused_unknown;              /* only some operators were asked for: the above is 0 */
    uint64_t goldens_ignored;         /* files that are no goldens */
    uint64_t dirs_missing; /* directories that a (rank, step) needed and were not there */
    /* process 0 only: sorted by (unused, model, op, direction, slot, golden, pairing...) */
    dc_align_line *line;
    uint64_t lines;
    dc_pool *text;
    /* process 0 only: what is to be said on stderr, one message each, sorted; of many a few */
    uint32_t *message; /* ids of text */
    uint64_t messages;
} dc_alignment;

/* Against files. Collective; the ask is the same everywhere but for the catalog's rows and
 * `chosen`. Item failures (an unreadable golden, a missing directory) become reasons. Errors,
 * agreed: DC_EARG (bad template), DC_ENOENT (a directory without braces is missing), DC_ENOMEM. On
 * error *out is empty. */
dc_status dc_align_files(dc_alignment *out, const dc_align_ask *ask,
                         const dc_par *par) DC_MUST_CHECK;
/* Against another catalog: by rank, model, step (through ask->steps), operator, direction, slot and
 * occurrence; outputs by their original operator's (compare/identity.h). The graphs are the NPU
 * side's. ask->golden is not used. golden_chosen[golden->n] or NULL. Collective. */
dc_status dc_align_catalogs(dc_alignment *out, const dc_align_ask *ask, const dc_catalog *golden,
                            const uint8_t *golden_chosen, const dc_par *par) DC_MUST_CHECK;
void dc_alignment_fini(dc_alignment *a);
#endif
