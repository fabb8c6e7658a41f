/* tests/demo/demo_write.h - what a run leaves behind but for its graphs: dump files, reference
 * tensors, acl.json. */
#ifndef DC_DEMO_WRITE_H
#define DC_DEMO_WRITE_H
#include "tests/demo/demo_plan.h"

enum { DC_DEMO_INPUTS = 1, DC_DEMO_OUTPUTS = 2 };

/* Write the dump file of one device operator as it ran on a rank in a step, with its inputs,
 * outputs or both; v[id] are the device's tensors. Errors: DC_EIO, DC_ENOSPACE, DC_ENOMEM. Not
 * collective, like all here. */
dc_status dc_demo_write_dump(const dc_demo_plan *plan, const dc_demo_node *node, float *const *v,
                             const int rank_step[2], int what) DC_MUST_CHECK;
/* Write what a row's framework operator gave in the reference, if the framework has it. */
dc_status dc_demo_write_golden(const dc_demo_plan *plan, const dc_demo_tensor *t, const float *v,
                               const int rank_step[2]) DC_MUST_CHECK;
/* Write {out}/acl.json, which selects all of the dump. */
dc_status dc_demo_write_config(const dc_demo_plan *plan) DC_MUST_CHECK;
/* Make the directories of a rank's step. */
dc_status dc_demo_make_dirs(const dc_demo_plan *plan, const int rank_step[2]) DC_MUST_CHECK;
#endif
