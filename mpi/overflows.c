/* mpi/overflows.c - see overflows.h */
#include "mpi/overflows.h"

#include "io/cmp.h"
#include "io/dump_name.h"
#include "io/path.h"
#include "io/row_texts.h"
#include "io/tensor_dump.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
    const dc_overflow_row *x = a, *y = b;
    return DC_CMP_BY(x, y, rank, run, model, step, dump_time, dir, file, record);
}

void dc_overflows_sort(dc_overflow_row *row, size_t n)
{
    if (n)
        qsort(row, n, sizeof *row, compare);
}

/* Whether a record says that something went wrong, and in which task. */
static bool asks(const dc_overflow_row *o)
{
    const uint32_t task = 1u << DC_OVERFLOW_STREAM_ID | 1u << DC_OVERFLOW_TASK_ID;
    return o->detected && (o->have & task) == task;
}

/* The operator among the files beside the record's, chosen or not. */
static dc_status name_op(dc_overflow_row *row, dc_walk *w)
{
    uint32_t op[2];
    const dc_task task = {.stream = row->value[DC_OVERFLOW_STREAM_ID],
                          .task = row->value[DC_OVERFLOW_TASK_ID],
                          .time = row->dump_time};
    dc_status st =
        dc_task_names_find(op, &w->tasks, w->names, dc_pool_text(w->names, row->dir), &task);
    row->op = op[0];
    row->op_type = op[1];
    return st;
}

static dc_status add_record(dc_walk *w, const dc_overflow_row *common, const dc_overflow *o)
{
    dc_status st =
        dc_grow((void **)&w->overflow, &w->capoverflow, w->noverflow, 1, sizeof *w->overflow);
    if (st != DC_OK)
        return st;
    dc_overflow_row *row = &w->overflow[w->noverflow++];
    *row = *common;
    row->version = o->version;
    row->detected = o->detected;
    row->have = o->have;
    memcpy(row->value, o->value, sizeof row->value);
    st = dc_pool_adds(&row->detector, w->names, o->detector);
    return st == DC_OK && asks(row) ? name_op(row, w) : st;
}

/* The records of one output. */
static dc_status add_output(dc_walk *w, dc_overflow_row *common, int fd, const dc_dump_tensor *t,
                            const char *path)
{
    char data[DC_OVERFLOW_BYTES];
    dc_overflow record[DC_OVERFLOW_MAX];
    size_t n = 0, bytes = t->bytes < sizeof data ? (size_t)t->bytes : sizeof data;
    dc_status st = dc_pread(fd, data, bytes, t->offset, path);
    if (st == DC_OK)
        st = dc_overflow_decode(record, &n, data, bytes, path);
    for (size_t i = 0; st == DC_OK && i < n; i++, common->record++)
        st = add_record(w, common, &record[i]);
    return st;
}

static dc_status add_file(dc_walk *w, dc_overflow_row *common, const dc_dump *d, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    dc_status st = fd >= 0 ? DC_OK : dc_fail_errno("%s: cannot open", path);
    for (size_t i = 0; st == DC_OK && i < d->n; i++)
        if (d->tensor[i].direction == DC_OUTPUT && d->tensor[i].bytes)
            st = add_output(w, common, fd, &d->tensor[i], path);
    if (st == DC_OK && common->record == 0)
        st = dc_fail(DC_EFORMAT, "%s: holds no overflow record", path);
    if (fd >= 0)
        close(fd);
    return st;
}

dc_status dc_overflows_read(uint64_t *time, dc_walk *w, const dc_walk_file *f)
{
    const dc_walk_dir *dir = &w->dir[f->dir];
    char *path = dc_path_join(dir->path, f->name);
    dc_dump d = {0};
    dc_dump_name name;
    dc_overflow_row common = {.rank = dir->rank,
                              .device = dir->place.device,
                              .run = (int32_t)f->dir,
                              .step = dir->place.step};
    size_t before = w->noverflow;
    *time = 0;
    if (!path)
        return DC_ENOMEM;
    dc_dump_name_parse(&name, f->name);
    dc_status st = dc_pool_adds(&common.dir, w->names, dir->path);
    if (st == DC_OK)
        st = dc_pool_adds(&common.file, w->names, f->name);
    if (st == DC_OK)
        st = dc_dump_open(&d, path);
    if (st == DC_OK) {
        common.dump_time = dc_dump_time(&d, &name);
        *time = common.dump_time;
        st = add_file(w, &common, &d, path);
        dc_dump_fini(&d);
    }
    if (st != DC_OK && st != DC_ENOMEM) {
        w->noverflow = before;
        st = dc_walk_skip(w, dir->path, f->name, dc_last_error_of(path), DC_SKIPPED_FAULT);
    }
    free(path);
    return st;
}

/* A tensor's row against a record: which execution was it? Steps count only where both have one. */
static int compare_place(const dc_overflow_row *x, const dc_tensor *y)
{
    return DC_CMP_BY(x, y, rank, run, model, step);
}

static bool same_task(const dc_overflow_row *o, const dc_tensor *t)
{
    return o->value[DC_OVERFLOW_STREAM_ID] == t->stream && o->value[DC_OVERFLOW_TASK_ID] == t->task;
}

static size_t lower_bound(const dc_overflow_row *row, size_t n, const dc_tensor *t)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_place(&row[mid], t) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint64_t distance(const dc_overflow_row *o, const dc_tensor *t)
{
    return o->dump_time > t->dump_time ? o->dump_time - t->dump_time : t->dump_time - o->dump_time;
}

/* near[i] = how close in time this process's closest tensor of record i's task is. */
static void find_near(uint64_t *near, const dc_catalog *c, const dc_overflow_row *row, size_t n)
{
    for (uint64_t k = 0; k < c->n; k++)
        for (size_t i = lower_bound(row, n, &c->row[k]);
             i < n && compare_place(&row[i], &c->row[k]) == 0; i++)
            if (asks(&row[i]) && same_task(&row[i], &c->row[k]) &&
                distance(&row[i], &c->row[k]) < near[i])
                near[i] = distance(&row[i], &c->row[k]);
}

/* op[i] = operator and type of the tensors that are so close, the first in order of name. */
static void find_op(uint64_t *op, const uint64_t *near, const dc_catalog *c,
                    const dc_overflow_row *row, size_t n)
{
    for (uint64_t k = 0; k < c->n; k++)
        for (size_t i = lower_bound(row, n, &c->row[k]);
             i < n && compare_place(&row[i], &c->row[k]) == 0; i++) {
            uint64_t this = (uint64_t)c->row[k].op << 32 | c->row[k].op_type;
            if (asks(&row[i]) && same_task(&row[i], &c->row[k]) &&
                distance(&row[i], &c->row[k]) == near[i] && this < op[i])
                op[i] = this;
        }
}

static dc_status name_ops(const dc_catalog *c, dc_overflow_row *row, size_t n, const dc_par *par)
{
    uint64_t *near = malloc((n + 1) * sizeof *near), *op = malloc((n + 1) * sizeof *op);
    dc_status st = dc_par_agree(near && op ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK && near && op) {
        memset(near, 0xff, n * sizeof *near);
        memset(op, 0xff, n * sizeof *op);
        find_near(near, c, row, n);
        dc_par_min_u64(near, n, par);
        find_op(op, near, c, row, n);
        dc_par_min_u64(op, n, par);
        for (size_t i = 0; i < n; i++)
            if (!row[i].op && op[i] != UINT64_MAX) {
                row[i].op = (uint32_t)(op[i] >> 32);
                row[i].op_type = (uint32_t)op[i];
            }
    }
    free(op);
    free(near);
    return st;
}

dc_status dc_overflows_gather(dc_catalog *c, dc_walk *w, const uint32_t *map, const int32_t *run,
                              const uint32_t *model, const dc_par *par)
{
    char *all;
    uint64_t bytes;
    for (size_t i = 0; i < w->noverflow; i++) {
        dc_overflow_row *o = &w->overflow[i];
        o->model = model[o->run];
        o->run = run[o->run];
        dc_texts_map(dc_overflow_texts(o), map);
    }
    dc_status st =
        dc_par_allgather(&all, &bytes, NULL, w->overflow, w->noverflow * sizeof *w->overflow, par);
    if (st != DC_OK)
        return st;
    dc_overflow_row *row = (dc_overflow_row *)(void *)all;
    c->overflows = bytes / sizeof *row;
    dc_overflows_sort(row, c->overflows);
    st = name_ops(c, row, c->overflows, par);
    if (st == DC_OK && par->process == 0)
        c->overflow = row;
    else
        free(all);
    return st;
}
