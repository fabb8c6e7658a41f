/* mpi/task_names.c - see task_names.h */
#include "mpi/task_names.h"

#include "io/cmp.h"
#include "io/dump_name.h"
#include "io/dump_read.h"
#include "io/path.h"
#include "io/select.h"
#include "io/tensor_dump.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const dc_task *x = a, *y = b;
    int c = DC_CMP_BY(x, y, stream, task, time);
    return c ? c : strcmp(x->file, y->file);
}

static dc_status add_file(dc_task_names *t, const char *file)
{
    dc_dump_name name;
    char type[16];
    dc_dump_name_parse(&name, file);
    if ((name.kind != DC_NAME_DUMP && name.kind != DC_NAME_STATISTICS) ||
        name.task == DC_NAME_NONE || name.stream == DC_NAME_NONE)
        return DC_OK;
    size_t n = name.op_type.n < sizeof type ? name.op_type.n : 0;
    memcpy(type, name.op_type.n ? name.op_type.at : "", n);
    type[n] = '\0';
    if (dc_select_is_data(type))
        return DC_OK;
    dc_status st = dc_grow((void **)&t->item, &t->cap, t->n, 1, sizeof *t->item);
    if (st == DC_OK)
        t->item[t->n++] = (dc_task){name.stream, name.task, name.time, file};
    return st;
}

/* A directory that cannot be listed has no files: the scan has told about it. */
static dc_status list(dc_task_names *t, const char *dir)
{
    dc_task_names_fini(t);
    t->dir = strdup(dir);
    if (!t->dir)
        return dc_fail_memory();
    dc_status st = dc_tree_list_dir(&t->list, dir);
    for (size_t i = 0; st == DC_OK && i < t->list.n; i++)
        if (!t->list.entry[i].is_dir)
            st = add_file(t, t->list.entry[i].name);
    if (t->n)
        qsort(t->item, t->n, sizeof *t->item, compare);
    return st == DC_ENOMEM ? st : DC_OK;
}

typedef struct question {
    const dc_task_names *t;
    const dc_task *task;
} question;

static int compare_task(const void *context, size_t i)
{
    const question *q = context;
    const dc_task *x = &q->t->item[i], *y = q->task;
    return DC_CMP_BY(x, y, stream, task);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Names of what a file was dumped of, as a scan would give them. */
static dc_status take_names(uint32_t op[2], dc_pool *names, const char *dir, const char *file)
{
    dc_dump dump;
    dc_dump_name name;
    dc_tensor t = {0};
    char *path = dc_path_join(dir, file);
    if (!path)
        return DC_ENOMEM;
    dc_dump_name_parse(&name, file);
    if (name.kind != DC_NAME_DUMP || dc_dump_open(&dump, path) != DC_OK)
        dump = (dc_dump){.op_name = ""};
    dc_status st = dc_tensor_from_file(&t, names, &dump, &name);
    op[0] = t.op;
    op[1] = t.op_type;
    dc_dump_fini(&dump);
    free(path);
    return st;
}

dc_status dc_task_names_find(uint32_t op[2], dc_task_names *t, dc_pool *names, const char *dir,
                             const dc_task *task)
{
    dc_status st = !t->dir || strcmp(t->dir, dir) != 0 ? list(t, dir) : DC_OK;
    size_t first = 0, n = 0, best = 0;
    op[0] = op[1] = 0;
    if (st == DC_OK)
        n = dc_equal_range(&first, t->n, compare_task, &(question){t, task});
    for (size_t i = 1; i < n; i++)
        if (distance(t->item[first + i].time, task->time) <
            distance(t->item[first + best].time, task->time))
            best = i;
    return n ? take_names(op, names, dir, t->item[first + best].file) : st;
}

void dc_task_names_fini(dc_task_names *t)
{
    dc_tree_list_free(&t->list);
    free(t->item);
    free(t->dir);
    *t = (dc_task_names){0};
}
