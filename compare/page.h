/* compare/page.h - report.html: the answer, the summary, which operators fail in which steps, and
 * the first failing tensors, in one file that needs no other. */
#ifndef DC_PAGE_H
#define DC_PAGE_H
#include "compare/report.h"

#define DC_PAGE_ROWS  1000 /* failing tensors shown; result.csv has all */
#define DC_PAGE_LINES 200  /* operators of the table by step */
#define DC_PAGE_STEPS 50   /* its columns */

/* Make the parts of the file, to be written or freed by dc_report_file. ask->rows is not NULL.
 * Collective. Errors, agreed: DC_ENOMEM. */
dc_status dc_page_make(dc_report_parts *p, const dc_report_ask *ask,
                       const dc_par *par) DC_MUST_CHECK;
#endif
