/* compare/sources.h - what dumpcmp was pointed at: the NPU side's store or tree, and the golden
 * side's files, store or tree. */
#ifndef DC_SOURCES_H
#define DC_SOURCES_H
#include "compare/settings.h"
#include "mpi/catalog.h"

typedef struct dc_sources {
    dc_catalog npu;
    dc_catalog golden;      /* if golden_is_catalog */
    bool golden_is_catalog; /* the golden side is a store or a dump tree, not .npy files */
} dc_sources;

/* Process 0 looks what is there; all open it. Collective. Errors, agreed: DC_ENOENT (saying what to
 * give), those of dc_catalog_load and dc_catalog_scan. On error *out is empty. */
dc_status dc_sources_open(dc_sources *out, const dc_settings *s, const dc_par *par) DC_MUST_CHECK;
void dc_sources_fini(dc_sources *in);
#endif
