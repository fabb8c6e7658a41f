/* capture/overflow_text.h - overflow records in words. */
#ifndef DC_OVERFLOW_TEXT_H
#define DC_OVERFLOW_TEXT_H
#include "mpi/catalog.h"

/* Print the overflows that a store's records have detected, a line each: where, what saw it, which
 * operator it was, the record's numbers, its file. Errors: as dc_store_get_overflows, DC_ENOMEM.
 * Not collective, and so is all here. */
dc_status dc_overflow_list(const dc_store *s) DC_MUST_CHECK;
/* Append what a capture says of its overflows, nothing where there is none: how many, and the
 * first. Process 0. */
dc_status dc_overflow_summary(dc_buf *out, const dc_catalog *c) DC_MUST_CHECK;
#endif
