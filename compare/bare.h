/* compare/bare.h - tensors that have nothing to compare, whatever their golden. */
#ifndef DC_BARE_H
#define DC_BARE_H
#include "compare/pair.h"

/* Why row i of the catalog has nothing to compare: *pairing and the reason, or NULL if it has.
 * Strings and unreadable tensors count as not judged; handles of the device, work space and what
 * the device had no address for do not: nobody expects a golden of them. Not collective. */
const char *dc_bare_reason(dc_pairing *pairing, const dc_catalog *c, uint64_t i);
/* Why a store cannot give the bytes of row i of the catalog; NULL if it can. Not collective. */
const char *dc_bytes_missing(const dc_catalog *c, uint64_t i);
#endif
