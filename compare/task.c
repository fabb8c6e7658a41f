/* compare/task.c - see task.h */
#include "compare/task.h"

#include <stdlib.h>
#include <string.h>

static dc_status post_text(dc_route *mail, int to, const char *text)
{
    return dc_route_add(mail, to, text, strlen(text) + 1);
}

dc_status dc_task_post(dc_route *mail, int to, const dc_task *task, const dc_pairs *pairs)
{
    const dc_golden *g = &task->golden;
    dc_buf path = {0};
    const uint32_t text[] = {g->shape, g->device_shape, task->rare.parts};
    dc_status st = dc_route_add(mail, to, task, sizeof *task);
    if (st == DC_OK)
        st = dc_pairs_path(&path, pairs, g);
    if (st == DC_OK)
        st = dc_buf_add(&path, "", 1);
    if (st == DC_OK)
        st = dc_route_add(mail, to, path.data, path.n);
    for (size_t i = 0; st == DC_OK && i < sizeof text / sizeof *text; i++)
        st = post_text(mail, to, dc_pool_text(pairs->names, text[i]));
    dc_buf_free(&path);
    return st;
}

/* The next record, size bytes. */
static dc_status take(void *out, size_t size, const dc_arrived *in, uint64_t *at)
{
    return dc_take(out, size, in->data, at, in->total)
               ? DC_OK
               : dc_fail(DC_EFORMAT, "a message between processes is cut short");
}

static dc_status take_text(uint32_t *id, dc_pool *names, const dc_arrived *in, uint64_t *at)
{
    const char *text = dc_take_text(in->data, at, in->total);
    return dc_pool_adds(id, names, text ? text : "");
}

static dc_status read_task(dc_task *out, const dc_arrived *in, uint64_t *at, dc_pool *names)
{
    dc_golden *g = &out->golden;
    dc_status st = take(out, sizeof *out, in, at);
    if (st == DC_OK)
        st = take_text(&g->path, names, in, at);
    g->listed = false;
    if (st == DC_OK)
        st = take_text(&g->shape, names, in, at);
    if (st == DC_OK)
        st = take_text(&g->device_shape, names, in, at);
    if (st == DC_OK)
        st = take_text(&out->rare.parts, names, in, at);
    return st;
}

dc_status dc_answer_post(dc_route *mail, int to, const dc_answer *answer, const char *text)
{
    dc_status st = dc_route_add(mail, to, answer, sizeof *answer);
    return st == DC_OK ? post_text(mail, to, text) : st;
}

#define RETURN_IF_DIFFERENT(field)                                                                 \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

static int compare_need(const dc_task *x, const dc_task *y)
{
    RETURN_IF_DIFFERENT(golden.path); /* ids of one pool: an order, if not the texts' */
    RETURN_IF_DIFFERENT(golden.offset);
    RETURN_IF_DIFFERENT(golden.dtype);
    RETURN_IF_DIFFERENT(golden.shape);
    RETURN_IF_DIFFERENT(golden.device_shape);
    RETURN_IF_DIFFERENT(golden.sliced);
    RETURN_IF_DIFFERENT(golden.slice_axis);
    RETURN_IF_DIFFERENT(golden.slice_at);
    RETURN_IF_DIFFERENT(format);
    RETURN_IF_DIFFERENT(rare.input_size);
    RETURN_IF_DIFFERENT(rare.hidden_size);
    RETURN_IF_DIFFERENT(whole);
    RETURN_IF_DIFFERENT(first);
    RETURN_IF_DIFFERENT(n);
    RETURN_IF_DIFFERENT(streamed);
    return 0;
}

bool dc_task_alike(const dc_task *a, const dc_task *b)
{
    return compare_need(a, b) == 0;
}

static int by_need(const void *a, const void *b)
{
    const dc_task *x = a, *y = b;
    int c = compare_need(x, y);
    if (c)
        return c;
    RETURN_IF_DIFFERENT(row);
    return 0;
}

static int by_row(const void *a, const void *b)
{
    const dc_answer *x = a, *y = b;
    RETURN_IF_DIFFERENT(row);
    RETURN_IF_DIFFERENT(chunk);
    return 0;
}

dc_status dc_task_read(dc_task **out, size_t *n, const dc_arrived *in, dc_pool *names)
{
    size_t cap = 0;
    uint64_t at = 0;
    dc_status st = DC_OK;
    while (st == DC_OK && at < in->total) {
        st = dc_grow((void **)out, &cap, *n, 1, sizeof **out);
        if (st == DC_OK)
            st = read_task(&(*out)[*n], in, &at, names);
        *n += st == DC_OK;
    }
    if (st == DC_OK && *n)
        qsort(*out, *n, sizeof **out, by_need);
    return st;
}

dc_status dc_answer_read(dc_answer **out, size_t *n, const dc_arrived *in, dc_pool *names)
{
    size_t cap = 0;
    uint64_t at = 0;
    dc_status st = DC_OK;
    while (st == DC_OK && at < in->total) {
        st = dc_grow((void **)out, &cap, *n, 1, sizeof **out);
        if (st == DC_OK)
            st = take(&(*out)[*n], sizeof **out, in, &at);
        if (st == DC_OK)
            st = take_text(&(*out)[*n].text, names, in, &at);
        *n += st == DC_OK;
    }
    if (st == DC_OK && *n)
        qsort(*out, *n, sizeof **out, by_row);
    return st;
}
