/* compare/dir_askers.h - how many processes look into each golden directory, and what is to be said
 * of a directory once, however many do. */
#ifndef DC_DIR_ASKERS_H
#define DC_DIR_ASKERS_H
#include "compare/align.h"

/* Set `askers` of all directories of d; goldens_ignored and dirs_missing of *out, the same
 * everywhere; append to `messages` one text, with its NUL, for a directory that is missing,
 * unreadable or holds other files, on one process each. Collective; `local` is this process's
 * status so far. Errors: DC_ENOMEM, agreed. */
dc_status dc_dir_askers_count(dc_alignment *out, dc_buf *messages, dc_golden_dirs *d,
                              dc_status local, const dc_par *par) DC_MUST_CHECK;
#endif
