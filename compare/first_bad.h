/* compare/first_bad.h - the operator that went wrong first: the first failing row in execution
 * order none of whose inputs fails. */
#ifndef DC_FIRST_BAD_H
#define DC_FIRST_BAD_H
#include "compare/row.h"

/* One input of an operator, as the graph has it. */
typedef struct dc_feed {
    uint32_t slot;        /* which input */
    uint32_t output;      /* which output of the producer */
    const char *producer; /* its name in the graph */
    const char *clean;    /* the same with the characters replaced that dump file names lack */
} dc_feed;

/* An operator of a rank's model: its directory's name, and the operator's. */
typedef struct dc_feeds_ask {
    int32_t rank;
    const char *model_dir, *op;
} dc_feeds_ask;

/* Who feeds an operator. All-zero: nothing is known. inputs() writes at most max feeds and returns
 * how many; it must be pure and answer the same everywhere. */
typedef struct dc_feeds {
    void *context;
    size_t (*inputs)(dc_feed *out, size_t max, void *context, const dc_feeds_ask *ask);
} dc_feeds;

typedef struct dc_first_bad {
    bool found;
    bool inherited; /* every failing row has a failing input: this is the first failing row */
    dc_spot at;
} dc_first_bad;

/* An input's verdict is that of the dumped input's own row if it was judged, else of the producer's
 * output row, through operators that were not judged, else unknown, which does not count as
 * failing. Rows must be numbered (dc_rows_number) and in key order, each identity on one process,
 * as the catalog has them. Collective; every process gets the same answer. Errors: DC_ENOMEM,
 * agreed. */
dc_status dc_first_bad_find(dc_first_bad *out, const dc_rows *r, const dc_feeds *feeds,
                            const dc_par *par) DC_MUST_CHECK;
#endif
