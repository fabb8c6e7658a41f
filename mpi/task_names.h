/* mpi/task_names.h - which operator ran as a task, from the names of the files in a directory:
 * chosen or not. */
#ifndef DC_TASK_NAMES_H
#define DC_TASK_NAMES_H
#include "io/mem.h"
#include "io/tree.h"

typedef struct dc_task {
    uint64_t stream, task, time; /* microseconds */
    const char *file;
} dc_task;

/* The dump files of the directory that was asked about last; all-zero to begin with. */
typedef struct dc_task_names {
    char *dir;
    dc_tree_list list;
    dc_task *item; /* sorted by stream, task, time, file */
    size_t n, cap;
} dc_task_names;

/* op[0], op[1] = ids in names of the operator and its type that ran as t->task on t->stream,
 * nearest to t->time; both 0 where dir has no file of it. Data nodes, which are dumped as the task
 * they feed, are passed over; so are files whose names are hashes. Errors: DC_ENOMEM. Not
 * collective. */
dc_status dc_task_names_find(uint32_t op[2], dc_task_names *t, dc_pool *names, const char *dir,
                             const dc_task *task) DC_MUST_CHECK;
void dc_task_names_fini(dc_task_names *t);
#endif
