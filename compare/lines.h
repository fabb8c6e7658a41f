/* compare/lines.h - rows that were paired alike, counted: the lines of alignment.csv. */
#ifndef DC_LINES_H
#define DC_LINES_H
#include "compare/align.h"
#include "io/idset.h"

/* What makes a line; without padding. model, op, op_type: ids of the catalog's dictionary, which is
 * the same on every process; golden, reason, note: of dc_lines.texts. */
typedef struct dc_line_key {
    uint32_t model, op, op_type, golden, reason, note, slot;
    uint8_t direction, pairing, match, unused;
} dc_line_key;

typedef struct dc_line_tally {
    uint64_t count;
    int64_t step; /* of the first row: least rank, then least step */
    int32_t rank;
} dc_line_tally;

typedef struct dc_lines {
    dc_pool *texts; /* borrowed */
    dc_idset *key;
    dc_line_tally *tally; /* by id of key */
    size_t cap;
} dc_lines;

dc_status dc_lines_begin(dc_lines *out, dc_pool *texts) DC_MUST_CHECK;
void dc_lines_fini(dc_lines *l);
/* Count `tally` under key. Not collective. */
dc_status dc_lines_add(dc_lines *l, const dc_line_key *key,
                       const dc_line_tally *tally) DC_MUST_CHECK;
/* Every process's lines, merged and sorted, on process 0: out->line, out->text. names: the
 * catalog's dictionary. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_lines_merge(dc_alignment *out, const dc_lines *l, const dc_pool *names,
                         dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
