/* compare/align_report.h - the part of an alignment that a person reads, gathered on process 0. */
#ifndef DC_ALIGN_REPORT_H
#define DC_ALIGN_REPORT_H
#include "compare/lines.h"

/* Merge all processes' lines and messages (texts with their NULs), sum the counts, explain what was
 * left over: by the graph of the first rank, and by the nearest name of the other side. Collective;
 * the ask is the same everywhere but for rows and `chosen`. Errors: DC_ENOMEM, agreed. */
dc_status dc_align_report(dc_alignment *out, const dc_lines *lines, const dc_buf *messages,
                          const dc_align_ask *ask, const dc_par *par) DC_MUST_CHECK;
#endif
