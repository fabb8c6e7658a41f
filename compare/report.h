/* compare/report.h - the files of a comparison: result.csv, result.json, report.html,
 * alignment.csv and ranks.csv, written under temporary names and renamed, the same bytes whatever
 * the number of processes. */
#ifndef DC_REPORT_H
#define DC_REPORT_H
#include "compare/align.h"
#include "compare/column.h"
#include "compare/outcome.h"
#include "compare/report_file.h"

#define DC_REPORT_FORMAT  "dumpcmp-result"
#define DC_REPORT_VERSION 1

typedef struct dc_report_ask {
    const char *dir;     /* made if it is not there */
    const dc_rows *rows; /* in execution order: dc_rows_sort; NULL: only ranks */
    uint32_t metrics;    /* bit i: print metric i */
    bool excel;          /* a byte order mark, and nothing that looks like a formula */
    const char *command; /* the command line, for result.json */
    const dc_outcome *outcome;
    const dc_alignment *alignment;
    dc_report_parts *ranks; /* ranks.csv, freed; NULL: ranks were not compared */
} dc_report_ask;

/* Write all of them. Collective; rows differ between processes. Errors, agreed: DC_ENOSPACE,
 * DC_EIO, DC_ENOMEM; what was there before is then untouched. */
dc_status dc_report_write(const dc_report_ask *ask, const dc_par *par) DC_MUST_CHECK;
#endif
