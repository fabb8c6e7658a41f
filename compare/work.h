/* compare/work.h - do the tasks of one process: read both sides, feed the kernels, post answers. */
#ifndef DC_WORK_H
#define DC_WORK_H
#include "compare/fetch.h"
#include "compare/task.h"
#include "compare/verdict.h"
#include "mpi/progress.h"

typedef struct dc_work_ask {
    const dc_catalog *npu;
    const dc_pool *names; /* of the tasks' goldens */
    const dc_profile *profile;
    int32_t golden_dtype;  /* dtype of goldens that say another of the same width; -1 none */
    bool uint1_msb;        /* uint1 is packed from each byte's highest bit on */
    dc_progress *progress; /* told the bytes of each golden and its partners when done */
} dc_work_ask;

/* What a golden's elements are: its own dtype, or ask's if that has the same width and the golden
 * says a float or unsigned integer. Not collective. */
uint32_t dc_work_golden_dtype(uint32_t dtype, int32_t forced);
/* The maps of both sides of a pair that is in one file each. Errors: as dc_side_map, DC_EUNSUP
 * (parts). Not collective. */
dc_status dc_work_maps(dc_relayout map[2], const dc_task *task,
                       const dc_work_ask *ask) DC_MUST_CHECK;
/* Bytes that a task reads, about. Not collective. */
uint64_t dc_work_cost(const dc_task *task);
/* Tasks in dc_task_read's order: each run of tasks alike reads its golden once. What cannot be
 * compared is an answer, not an error. Memory: both sides of one task, as they are and in the
 * golden's order, or open chunks of them if it is streamed. Errors: DC_ENOMEM for the answers. Not
 * collective. */
dc_status dc_work_all(dc_route *answers, const dc_task *task, size_t n,
                      const dc_work_ask *ask) DC_MUST_CHECK;
#endif
