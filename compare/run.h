/* compare/run.h - compare all pairs over all processes: from alignment to rows with metrics and
 * verdicts. */
#ifndef DC_RUN_H
#define DC_RUN_H
#include "compare/row.h"
#include "compare/work.h"

/* Pairs of a process that are under way at a time, about: a KiB of mail each. */
#define DC_RUN_BATCH ((uint64_t)1 << 16)

typedef struct dc_run_ask {
    const dc_catalog *npu;
    const dc_pairs *pairs;
    dc_profile profile;
    bool no_kl;
    int32_t golden_dtype; /* of goldens that say another dtype of the same width; -1 none */
    bool uint1_msb;       /* uint1 is packed from each byte's highest bit on */
    uint64_t whole;       /* bytes of a pair held in memory at most; 0 = DC_PLAN_WHOLE */
    uint64_t block;       /* elements of a block of a larger one; 0 = DC_PLAN_BLOCK */
    uint64_t batch;       /* pairs; 0 = DC_RUN_BATCH */
    dc_progress_mode progress;
} dc_run_ask;

/* One row for each pair but the NOT_CHOSEN, in the catalog's order, on the process that holds it;
 * positions are not filled in. A pair that cannot be read, or does not fit, is a row with a reason.
 * The bits of every row depend on the data alone. *out is empty on error. Collective; the ask is
 * the same everywhere but for the parts of catalog and pairs. Errors: DC_ENOMEM, agreed. */
dc_status dc_run_compare(dc_rows *out, const dc_run_ask *ask, const dc_par *par) DC_MUST_CHECK;
#endif
