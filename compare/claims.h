/* compare/claims.h - tensors that are not compared claim their goldens all the same: whether two
 * names look alike does not depend on what was chosen. */
#ifndef DC_CLAIMS_H
#define DC_CLAIMS_H
#include "compare/choices.h"

/* Claims of the outputs that chosen[npu->n] leaves out (NULL: none). Not collective. Errors:
 * DC_ENOMEM, those of dc_wants_of. */
dc_status dc_claim_unchosen(dc_choices *c, dc_op_walk *ops, const dc_catalog *npu,
                            const uint8_t *chosen) DC_MUST_CHECK;
#endif
