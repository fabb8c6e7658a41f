/* io/dump_layout.h - the part of reading a dump that all header kinds share: shapes made sound, and
 * where each tensor's bytes lie. Internal to dump_*.c. */
#ifndef DC_DUMP_LAYOUT_H
#define DC_DUMP_LAYOUT_H
#include "io/dump_read.h"
#include "io/pbwire.h"

/* What a header says of a tensor; dims are borrowed. */
typedef struct dc_dump_raw {
    uint32_t dtype, format;
    int32_t sub_format;
    const uint64_t *dim, *original_dim;
    size_t ndim, noriginal;
    uint64_t size, address;
} dc_dump_raw;

/* Room for n tensors, described as absent everywhere. Errors: DC_EUNSUP, DC_ENOMEM. */
dc_status dc_dump_reserve(dc_dump *d, uint64_t n, const char *path) DC_MUST_CHECK;
/* Fill in dtype to address of t, whose direction, slot and embedded bytes (offset, bytes) are set.
 * Errors: DC_EFORMAT (more dims than DC_MAX_RANK, a product that does not fit). */
dc_status dc_dump_describe(dc_dump_tensor *t, const dc_dump_raw *raw,
                           const char *path) DC_MUST_CHECK;
/* Set t->origin_* ; format and dtype as they stand in the header. */
void dc_dump_set_origin(dc_dump_tensor *t, const char *name, const uint32_t slot_dtype_format[3]);
/* Give every described tensor its place in the file, from payload on (version 1: nothing there).
 * Errors: DC_EFORMAT when the sizes do not add up. */
dc_status dc_dump_place(dc_dump *d, uint64_t payload, uint64_t file_bytes,
                        const char *path) DC_MUST_CHECK;
const char *dc_direction_name(dc_direction direction); /* "input" */

/* Decode DumpData from bytes start..end of w into d (places not yet set). Errors as dc_dump_read;
 * d is then in parts filled and is the caller's to fini. */
dc_status dc_dump_header_decode(dc_dump *d, dc_pbwire *w, uint64_t start,
                                uint64_t end) DC_MUST_CHECK;
/* The same for a nano header. */
dc_status dc_dump_nano_decode(dc_dump *d, dc_pbwire *w, uint64_t start, uint64_t end) DC_MUST_CHECK;
#endif
