/* capture/unmatched.h - what is said where a pattern or selector matches no tensor: what it may
 * have meant. */
#ifndef DC_UNMATCHED_H
#define DC_UNMATCHED_H
#include "io/select.h"
#include "io/store.h"

/* DC_OK if `glob` matches a tensor of the store or file (origin_each.h); else DC_ENOENT with a
 * message that has the names most like it, or the first that are there. Other errors: as
 * dc_origin_open. Reads all names. Not collective. */
dc_status dc_unmatched(const char *from, const char *glob) DC_MUST_CHECK;
/* Warn of the selectors that matched none of the store's rows, all of which were asked about, with
 * what is there. Not collective. Errors: DC_EIO, DC_ENOMEM. */
dc_status dc_unmatched_selectors(dc_select *select, const dc_store *s) DC_MUST_CHECK;
#endif
