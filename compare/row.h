/* compare/row.h - the lines of the report before they are text: one per NPU tensor, and their
 * order. */
#ifndef DC_ROW_H
#define DC_ROW_H
#include "compare/figures.h"
#include "compare/pair.h"
#include "compare/verdict.h"

/* Where a row stands. */
typedef struct dc_spot {
    dc_tensor t;       /* the NPU tensor; its strings are ids of dc_rows.catalog */
    uint64_t row;      /* place in the catalog's key order */
    uint64_t position; /* of the operator's execution among its rank's in this run and step */
} dc_spot;

typedef struct dc_row {
    dc_spot at;
    uint32_t golden; /* ids of dc_rows.names: the golden's name, "" without one */
    uint32_t shape;  /* the shape compared, as the report prints it */
    uint32_t reason;
    uint8_t golden_dtype; /* 255: no golden */
    uint8_t match;        /* dc_match */
    uint8_t pairing;      /* dc_pairing */
    uint8_t verdict;      /* dc_verdict */
    bool computed;        /* m holds metrics */
    dc_figures m;
} dc_row;
_Static_assert(sizeof(dc_row) == 424, "one for every tensor compared");

/* A process's part of all rows. */
typedef struct dc_rows {
    dc_row *row;
    uint64_t n;
    dc_pool *names;         /* owned; differs between processes */
    const dc_pool *catalog; /* the catalog's dictionary, the same everywhere; borrowed */
} dc_rows;

void dc_rows_fini(dc_rows *r);
/* Execution order: run, step, position, rank, then inputs before outputs, slot, key order. */
int dc_spot_compare(const dc_spot *a, const dc_spot *b);
/* The same for qsort, over dc_spot, dc_row or anything that begins with a dc_spot. */
int dc_spot_order(const void *a, const void *b);
/* A failed row of an operator that is compared, and a row that should have been judged and was not.
 */
bool dc_row_failed(const dc_row *row);
bool dc_row_missed(const dc_row *row);

/* Rows whose NPU tensor is bfloat16 and whose golden says float16: likely bfloat16 saved by a
 * library that has no such type. Not collective. */
uint64_t dc_rows_suspicious(const dc_rows *r);

/* Fill in position: executions of one rank, run and step are numbered from 0 by (dump_time, stream,
 * task, operator) - by the clock of one host only. Rows may be anywhere. Collective. Errors:
 * DC_ENOMEM, agreed. */
dc_status dc_rows_number(dc_rows *r, const dc_par *par) DC_MUST_CHECK;
/* Redistribute the rows in execution order: what process p holds comes before what p+1 holds.
 * Replaces r's rows and names. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_rows_sort(dc_rows *r, const dc_par *par) DC_MUST_CHECK;
#endif
