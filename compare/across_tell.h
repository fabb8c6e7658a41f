/* compare/across_tell.h - what was asked of a comparison across ranks and is not in the dump. */
#ifndef DC_ACROSS_TELL_H
#define DC_ACROSS_TELL_H
#include "compare/across.h"

/* Warn, from process 0, of --replicated patterns that named no tensor and of ranks in --groups that
 * the dump does not have. named[ask->nreplicated]: how many tensors each pattern named on this
 * process; summed in place. Collective; `local`, the status so far, is agreed first. Errors:
 * DC_ENOMEM. */
dc_status dc_across_tell(uint64_t *named, const dc_across_ask *ask, dc_status local,
                         const dc_par *par) DC_MUST_CHECK;
#endif
