/* compare/unused.h - what is left over of the golden directories. */
#ifndef DC_UNUSED_H
#define DC_UNUSED_H
#include "compare/golden_dirs.h"
#include "compare/lines.h"

/* Reason of the lines of files that another file of the same name and output was used instead of.
 */
#define DC_UNUSED_LATER "the NPU ran this operator fewer times than the golden did"

typedef struct dc_unused_ask {
    const dc_golden_dirs *dirs;
    const uint8_t *used; /* [dirs->files]: this process's tensors were paired with the file */
} dc_unused_ask;

/* Add a line for every (name, output) with files that no process's tensors were paired with, on
 * whichever process; set goldens_unused of *out, the same everywhere. The directories' askers are
 * known. Collective; `local` is this process's status so far. Errors: DC_ENOMEM, agreed. */
dc_status dc_unused_collect(dc_alignment *out, dc_lines *lines, const dc_unused_ask *ask,
                            dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
