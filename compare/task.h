/* compare/task.h - what one process asks another to compare and what it answers, as records that
 * travel by mpi/route. */
#ifndef DC_TASK_H
#define DC_TASK_H
#include "compare/metric.h"
#include "compare/pair.h"
#include "mpi/route.h"

/* Compare elements first .. first+n-1 of a pair. */
typedef struct dc_task {
    uint64_t row, first, n;
    int32_t home;  /* process that wants the answer */
    bool whole;    /* all elements: answer with the metrics; else with a part for each chunk */
    bool streamed; /* not whole: more than memory is to hold */
    bool kl;       /* whole: compute it too; else: this is its pass, over `range` */
    uint32_t format;
    dc_pair_rare rare; /* of the pair; strings as golden's */
    dc_tensor npu;     /* strings: ids of the catalog's dictionary */
    dc_golden golden;  /* strings: ids of the pool it was read to */
    dc_kl_range range;
} dc_task;

typedef enum dc_answer_kind {
    DC_ANSWER_FAILED, /* text: why it could not be compared */
    DC_ANSWER_MISFIT, /* text: how the shapes differ */
    DC_ANSWER_METRICS,
    DC_ANSWER_PART,
    DC_ANSWER_KL
} dc_answer_kind;

typedef struct dc_answer {
    uint64_t row, chunk; /* chunk: first element / DC_METRIC_CHUNK */
    uint32_t kind;       /* dc_answer_kind */
    uint32_t golden_dtype;
    uint32_t text; /* id of the pool it was read to */
    union {
        dc_metrics metrics;
        dc_metric part;
        dc_kl kl;
    } of;
} dc_answer;

/* golden's and rare's strings are ids of pairs->names. Errors of all: DC_ENOMEM. Not collective. */
dc_status dc_task_post(dc_route *mail, int to, const dc_task *task,
                       const dc_pairs *pairs) DC_MUST_CHECK;
dc_status dc_answer_post(dc_route *mail, int to, const dc_answer *answer,
                         const char *text) DC_MUST_CHECK;
/* All records that arrived into *out (malloc'd), texts into names. Tasks come sorted so that
 * those that need the same golden elements stand together, answers by (row, chunk). */
dc_status dc_task_read(dc_task **out, size_t *n, const dc_arrived *in,
                       dc_pool *names) DC_MUST_CHECK;
dc_status dc_answer_read(dc_answer **out, size_t *n, const dc_arrived *in,
                         dc_pool *names) DC_MUST_CHECK;
/* Do two tasks need the same golden elements in the same form? */
bool dc_task_alike(const dc_task *a, const dc_task *b);
#endif
