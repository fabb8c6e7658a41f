/* io/mapping_csv.h - mapping.csv: the real names of files whose names were too long.
 *
 * One line a file, "{decimal hash},{original file name}", no header, no quoting; the name may hold
 * commas. CANN appends the line once for every chunk, so lines repeat. CRLF is tolerated, lines
 * without a comma, with an empty part or of more than 8191 bytes are counted and skipped. Where
 * lines of one hash differ, the last counts. Sources: CANN's aicpu dump writer, msaccucmp. */
#ifndef DC_MAPPING_CSV_H
#define DC_MAPPING_CSV_H
#include "io/status.h"

#include <stddef.h>

typedef struct dc_mapping dc_mapping;

/* Read a mapping.csv, streaming; memory is bounded by its distinct lines. *skipped (may be NULL):
 * lines that are no rows. Errors: DC_ENOENT, DC_EIO, DC_EUNSUP (more than 256 MiB of names),
 * DC_ENOMEM. Not collective. */
dc_status dc_mapping_open(dc_mapping **out, size_t *skipped, const char *path) DC_MUST_CHECK;
/* The original name of the file called `hash`, or NULL; valid until freed. */
const char *dc_mapping_find(const dc_mapping *m, const char *hash);
size_t dc_mapping_count(const dc_mapping *m); /* different hashes */
void dc_mapping_free(dc_mapping *m);          /* NULL is legal */

/* Append "hash,name" to {dir}/mapping.csv, unless that line is there. Errors: DC_EIO, DC_ENOENT,
 * DC_ENOSPACE, DC_ENOMEM. Not collective; one write, so that several processes may append. */
dc_status dc_mapping_append(const char *dir, const char *hash, const char *name) DC_MUST_CHECK;
#endif
