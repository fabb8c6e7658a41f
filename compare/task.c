/* compare/task.c - see task.h */
#include "compare/task.h"

#include <stdlib.h>
#include <string.h>

static dc_status post_text(dc_mail *mail, int to, const char *text)
{
    return dc_mail_add(mail, to, text, strlen(text) + 1);
}

dc_status dc_task_post(dc_mail *mail, int to, const dc_task *task, const dc_pool *names)
{
    const dc_golden *g = &task->golden;
    dc_status st = dc_mail_add(mail, to, task, sizeof *task);
    if (st == DC_OK)
        st = post_text(mail, to, dc_pool_text(names, g->path));
    if (st == DC_OK)
        st = post_text(mail, to, dc_pool_text(names, g->shape));
    if (st == DC_OK)
        st = post_text(mail, to, dc_pool_text(names, g->device_shape));
    return st;
}

static dc_status read_task(dc_task *out, dc_letter *l, dc_pool *names)
{
    dc_golden *g = &out->golden;
    dc_status st = dc_letter_take(l, out, sizeof *out);
    if (st == DC_OK)
        st = dc_pool_adds(&g->path, names, dc_letter_text(l));
    if (st == DC_OK)
        st = dc_pool_adds(&g->shape, names, dc_letter_text(l));
    if (st == DC_OK)
        st = dc_pool_adds(&g->device_shape, names, dc_letter_text(l));
    return st;
}

dc_status dc_answer_post(dc_mail *mail, int to, const dc_answer *answer, const char *text)
{
    dc_status st = dc_mail_add(mail, to, answer, sizeof *answer);
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
    RETURN_IF_DIFFERENT(format);
    RETURN_IF_DIFFERENT(whole);
    RETURN_IF_DIFFERENT(first);
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

dc_status dc_task_read(dc_task **out, size_t *n, const char *in, uint64_t bytes, dc_pool *names)
{
    dc_letter l = {in, in + bytes};
    size_t cap = 0;
    dc_status st = DC_OK;
    while (st == DC_OK && l.at < l.end) {
        st = dc_grow((void **)out, &cap, *n, 1, sizeof **out);
        if (st == DC_OK)
            st = read_task(&(*out)[*n], &l, names);
        *n += st == DC_OK;
    }
    if (st == DC_OK && *n)
        qsort(*out, *n, sizeof **out, by_need);
    return st;
}

dc_status dc_answer_read(dc_answer **out, size_t *n, const char *in, uint64_t bytes, dc_pool *names)
{
    dc_letter l = {in, in + bytes};
    size_t cap = 0;
    dc_status st = DC_OK;
    while (st == DC_OK && l.at < l.end) {
        st = dc_grow((void **)out, &cap, *n, 1, sizeof **out);
        if (st == DC_OK)
            st = dc_letter_take(&l, &(*out)[*n], sizeof **out);
        if (st == DC_OK)
            st = dc_pool_adds(&(*out)[*n].text, names, dc_letter_text(&l));
        *n += st == DC_OK;
    }
    if (st == DC_OK && *n)
        qsort(*out, *n, sizeof **out, by_row);
    return st;
}
