/* capture/summary_text.h - what a capture tells at its end. */
#ifndef DC_SUMMARY_TEXT_H
#define DC_SUMMARY_TEXT_H
#include "capture/census.h"
#include "capture/ingest.h"
#include "io/select.h"
#include "mpi/catalog.h"

typedef struct dc_capture_summary {
    dc_census census;
    uint64_t files, faults;               /* seen; gave less than they should have */
    uint64_t planned, stored, unreadable; /* tensors, of all processes */
    uint64_t statistics;                  /* of the stored: only their statistics are kept */
    uint64_t bytes;                       /* written now */
    double start;                         /* dc_seconds */
    char *command_line;                   /* of this process, "" where it cannot be told */
    dc_buf skipped;                       /* process 0: lines about what gave no tensors */
    dc_buf assumed;                       /* process 0: lines about what was taken for granted */
    dc_buf overflows;                     /* process 0: a line about them */
    dc_buf places;                        /* process 0: lines about runs and odd steps */
} dc_capture_summary;

void dc_summary_begin(dc_capture_summary *s);
void dc_summary_fini(dc_capture_summary *s);
/* Note what was found; prepares the lines about skipped files. Collective. Errors: DC_ENOMEM,
 * agreed. */
dc_status dc_summary_scanned(dc_capture_summary *s, const dc_catalog *c,
                             const dc_par *par) DC_MUST_CHECK;
/* Warn of what the scan met that is odd, and log what it cost. Not collective. */
void dc_summary_cost(const dc_scan_cost *cost);
/* Print what would be captured: a line per rank, model and step, what each selector matched, and a
 * total. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_summary_dry(dc_capture_summary *s, const dc_catalog *c, dc_select *select,
                         const dc_par *par) DC_MUST_CHECK;
/* Add up the processes' counts. Collective. */
void dc_summary_ingested(dc_capture_summary *s, const dc_ingest_count *mine, const dc_par *par);
/* Take the census of the plan's rows. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_summary_stored(dc_capture_summary *s, const dc_plan *p, const dc_pool *names,
                            const dc_par *par) DC_MUST_CHECK;
/* To stdout. Not collective. */
void dc_summary_print(const dc_capture_summary *s, const char *store);
/* How many bytes a store takes at most: slabs, index, views, and what lies between them. */
uint64_t dc_summary_store_bytes(const dc_store_plan *p);
#endif
