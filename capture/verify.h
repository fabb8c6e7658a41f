/* capture/verify.h - read a store's tensors again and compare them with the hashes written when
 * they were stored. */
#ifndef DC_VERIFY_H
#define DC_VERIFY_H
#include "capture/plan.h"
#include "mpi/progress.h"

typedef struct dc_verify_count {
    uint64_t good, bad, pending,
        unreadable; /* tensors; pending: never stored; unreadable: their source was */
} dc_verify_count;

/* Check the tensors of a plan's share (dc_plan_load); every bad one is named in an error line, and
 * marked as not stored through the descriptor `mark`, unless that is -1. Not collective. Errors:
 * DC_EIO (the store cannot be read), DC_ENOMEM; a mismatch is counted, not an error. */
dc_status dc_verify_run(dc_verify_count *count, const dc_store *s, const dc_plan *p, int mark,
                        dc_progress_mode mode, const dc_par *par) DC_MUST_CHECK;
#endif
