/* capture/export.h - `dumpcap export`: tensors of a store or file as files of their own. */
#ifndef DC_EXPORT_H
#define DC_EXPORT_H
#include "io/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum dc_export_kind {                /* the order of --as */
                              DC_EXPORT_NPY, /* one file a tensor */
                              DC_EXPORT_NPZ, /* one archive a dump file, members "output.0" */
                              DC_EXPORT_RAW, /* bytes as they are */
                              DC_EXPORT_CSV /* statistics: one file a dump file, as CANN writes them
                                             */
} dc_export_kind;

typedef struct dc_export_ask {
    const char *from, *glob; /* store, dump or statistics file; paths to export, NULL = all */
    const char *dir;         /* made if missing */
    dc_export_kind kind;
    const char *layout; /* a format's name, NULL = as the device has it */
    bool force;         /* replace files that are there */
} dc_export_ask;

typedef struct dc_export_count {
    uint64_t tensors, files, bytes; /* exported; bytes of tensors */
    uint64_t failed;                /* tensors that could not be, each told in a warning */
} dc_export_count;

/* Export. Every file appears whole or not at all. Nothing is written if a file is there already and
 * `force` is not given. Errors: DC_EARG (no such layout, nothing matches), DC_EEXIST, DC_ENOSPACE,
 * DC_EIO; a tensor that cannot be converted is counted. Not collective. */
dc_status dc_export(dc_export_count *count, const dc_export_ask *ask) DC_MUST_CHECK;
#endif
