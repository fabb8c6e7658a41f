/* compare/work.c - see work.h */
#include "compare/work.h"

#include "compare/fetch.h"
#include "io/dtype.h"
#include "io/format.h"

#include <stdio.h>
#include <stdlib.h>

/* A side that is open and the elements of it that are in memory; none if the task is streamed. */
typedef struct loaded {
    dc_side side;
    void *data;
} loaded;

static void unload(loaded *l)
{
    dc_side_close(&l->side);
    free(l->data);
    l->data = NULL;
}

static dc_status load(loaded *l, const dc_side_ask *ask, const dc_task *t, bool *misfit)
{
    *l = (loaded){.side = {.fd = -1}};
    dc_status st = dc_side_open(&l->side, ask, misfit);
    if (st != DC_OK) {
        l->side = (dc_side){.fd = -1};
        return st;
    }
    if (t->streamed)
        return DC_OK;
    l->data = malloc(dc_side_size(&l->side, t->n) + 1);
    return l->data ? dc_side_read(l->data, &l->side, t->first, t->n, t->whole) : dc_fail_memory();
}

static uint32_t logical_format(const dc_task *t)
{
    return t->format == DC_FORMAT_UNSAID ? DC_FORMAT_ND : t->format;
}

uint32_t dc_work_golden_dtype(uint32_t dtype, int32_t forced)
{
    const dc_dtype_info *says = dc_dtype_get(dtype);
    if (forced < 0 || dc_dtype_get((uint32_t)forced)->bits != says->bits)
        return dtype;
    return says->kind == DC_KIND_FLOAT || says->kind == DC_KIND_UINT ? (uint32_t)forced : dtype;
}

static dc_status ask_golden(dc_side_ask *a, const dc_work_ask *ask, const dc_task *t)
{
    const dc_golden *g = &t->golden;
    *a = (dc_side_ask){.path = dc_pool_text(ask->names, g->path)};
    a->offset = g->offset;
    a->bytes = g->bytes;
    a->swapped = g->big_endian;
    a->uint1_msb = ask->uint1_msb;
    a->fortran_order = g->fortran_order;
    a->device = g->device;
    a->layout.dtype = dc_work_golden_dtype(g->dtype, ask->golden_dtype);
    a->layout.golden_format = logical_format(t);
    dc_status st = dc_shape_parse(&a->layout.logical, dc_pool_text(ask->names, g->shape));
    if (st == DC_OK && a->device) {
        a->layout.format = g->device_format;
        a->layout.sub_format = g->sub_format;
        a->layout.input_size = t->rare.input_size;
        a->layout.hidden_size = t->rare.hidden_size;
        st = dc_shape_parse(&a->layout.device, dc_pool_text(ask->names, g->device_shape));
    }
    if (st == DC_OK && g->sliced) {
        a->box = (dc_side_box){.given = true, .axis = g->slice_axis, .at = g->slice_at};
        st = dc_shape_parse(&a->box.whole, dc_pool_text(ask->names, g->device_shape));
    }
    return st;
}

static dc_status load_golden(loaded *l, const dc_work_ask *ask, const dc_task *t)
{
    dc_side_ask a;
    dc_status st = ask_golden(&a, ask, t);
    *l = (loaded){.side = {.fd = -1}};
    return st == DC_OK ? load(l, &a, t, NULL) : st;
}

/* The last shard of a tensor may be padded at the end of the axis: leave that out, where the dump's
 * dims are the logical ones. (Blocked layouts drop their own padding.) */
static void trim_shard(dc_side_ask *a, const dc_task *t)
{
    const dc_shape *device = &a->layout.device, *part = &a->layout.logical;
    uint32_t axis = t->golden.slice_axis;
    bool plain = t->npu.format == DC_FORMAT_ND || t->npu.format == logical_format(t);
    if (!t->golden.sliced || !plain || device->rank != part->rank ||
        device->dim[axis] <= part->dim[axis])
        return;
    for (uint32_t i = 0; i < part->rank; i++)
        if (i != axis && device->dim[i] != part->dim[i])
            return;
    a->device = false;
    a->box = (dc_side_box){.given = true, .whole = *device, .axis = axis};
}

/* What the tensor is put together from, instead of one file. */
static dc_status take_parts(dc_side_ask *a, const dc_task *t, const dc_pool *names)
{
    const char *list = dc_pool_text(names, t->rare.parts);
    dc_status st = *list ? dc_parts_open(&a->parts, list, t->npu.dtype) : DC_OK;
    if (a->parts) {
        a->layout.device = *dc_parts_shape(a->parts);
        a->bytes = dc_parts_bytes(a->parts);
        a->offset = 0;
    }
    return st;
}

/* Where its bytes are is left open. */
static dc_status ask_npu(dc_side_ask *a, const dc_work_ask *ask, const dc_task *t)
{
    *a = (dc_side_ask){.bytes = t->npu.bytes, .device = true, .uint1_msb = ask->uint1_msb};
    a->layout.dtype = t->npu.dtype;
    a->layout.format = t->npu.format;
    a->layout.sub_format = t->npu.sub_format;
    a->layout.input_size = t->rare.input_size;
    a->layout.hidden_size = t->rare.hidden_size;
    a->layout.golden_format = logical_format(t);
    dc_status st = dc_shape_parse(&a->layout.device, dc_pool_text(ask->npu->names, t->npu.shape));
    if (st == DC_OK)
        st = dc_shape_parse(&a->layout.logical, dc_pool_text(ask->names, t->golden.shape));
    return st;
}

static dc_status load_npu(loaded *l, const dc_work_ask *ask, const dc_task *t, bool *misfit)
{
    dc_side_ask a;
    char *path = NULL;
    *l = (loaded){.side = {.fd = -1}};
    dc_status st = ask_npu(&a, ask, t);
    if (st == DC_OK)
        st = dc_catalog_place(&path, &a.offset, ask->npu, &t->npu);
    if (st == DC_OK)
        st = take_parts(&a, t, ask->names);
    if (st == DC_OK)
        trim_shard(&a, t);
    a.path = path;
    if (st == DC_OK)
        st = load(l, &a, t, misfit);
    free(path);
    return st;
}

dc_status dc_work_maps(dc_relayout map[2], const dc_task *t, const dc_work_ask *ask)
{
    dc_side_ask a[2];
    if (*dc_pool_text(ask->names, t->rare.parts))
        return dc_fail(DC_EUNSUP, "a tensor in parts has several maps");
    dc_status st = ask_npu(&a[0], ask, t);
    if (st == DC_OK)
        st = ask_golden(&a[1], ask, t);
    if (st == DC_OK)
        trim_shard(&a[0], t);
    for (int i = 0; st == DC_OK && i < 2; i++)
        st = dc_side_map(&map[i], &a[i]);
    return st;
}

static dc_answer answer_to(const dc_task *t, const dc_work_ask *ask, dc_answer_kind kind)
{
    dc_answer a = {.row = t->row, .chunk = t->first / DC_METRIC_CHUNK, .kind = kind};
    a.golden_dtype = dc_work_golden_dtype(t->golden.dtype, ask->golden_dtype);
    return a;
}

static dc_status post_failure(dc_route *mail, const dc_task *t, const dc_work_ask *ask, bool misfit,
                              const char *why)
{
    dc_answer a = answer_to(t, ask, misfit ? DC_ANSWER_MISFIT : DC_ANSWER_FAILED);
    return dc_answer_post(mail, t->home, &a, why);
}

/* Where the parts of a task go. */
typedef struct parts {
    dc_route *mail;
    const dc_task *task;
    const dc_work_ask *ask;
    dc_pair_data pair; /* but for the data */
} parts;

/* A part, or a part of the KL pass, for elements at .. at+n-1, which are a chunk. */
static dc_status post_part(void *context, const void *const data[2], uint64_t at, uint64_t n)
{
    const parts *p = context;
    const dc_task *t = p->task;
    dc_answer a = answer_to(t, p->ask, t->kl ? DC_ANSWER_KL : DC_ANSWER_PART);
    dc_pair_data chunk = p->pair;
    a.chunk = at / DC_METRIC_CHUNK;
    chunk.data[0] = data[0];
    chunk.data[1] = data[1];
    if (t->kl) {
        a.of.kl = (dc_kl){0};
        dc_kl_add(&a.of.kl, &t->range, &chunk, n);
    } else {
        a.of.part = (dc_metric){0};
        dc_metric_add(&a.of.part, &chunk, at, n);
    }
    return dc_answer_post(p->mail, t->home, &a, "");
}

/* One for each chunk of the task. */
static dc_status post_parts(parts *p, loaded *npu, loaded *golden)
{
    const dc_task *t = p->task;
    dc_side *const side[2] = {&npu->side, &golden->side};
    dc_status st = DC_OK;
    if (t->streamed)
        return dc_side_stream(side, t->first, t->n, post_part, p);
    for (uint64_t at = 0; st == DC_OK && at < t->n; at += DC_METRIC_CHUNK) {
        uint64_t n = t->n - at < DC_METRIC_CHUNK ? t->n - at : DC_METRIC_CHUNK;
        const void *const data[2] = {(const char *)npu->data + dc_side_size(side[0], at),
                                     (const char *)golden->data + dc_side_size(side[1], at)};
        st = post_part(p, data, t->first + at, n);
    }
    return st;
}

static dc_status compute(dc_route *mail, const dc_task *t, const dc_work_ask *ask, loaded *npu,
                         loaded *golden)
{
    dc_pair_data pair = {.data = {npu->data, golden->data}};
    pair.dtype[0] = npu->side.dtype;
    pair.dtype[1] = golden->side.dtype;
    dc_verdict_tolerance(&pair, ask->profile);
    if (!t->whole) {
        parts p = {mail, t, ask, pair};
        dc_status st = post_parts(&p, npu, golden);
        bool unreadable = st != DC_OK && st != DC_ENOMEM; /* a stream reads as it goes */
        return unreadable ? post_failure(mail, t, ask, false, dc_last_error()) : st;
    }
    dc_answer a = answer_to(t, ask, DC_ANSWER_METRICS);
    dc_metric_pair(&a.of.metrics, &pair, t->n, t->kl);
    return dc_answer_post(mail, t->home, &a, "");
}

static dc_status work_pair(dc_route *mail, const dc_task *t, const dc_work_ask *ask, loaded *golden)
{
    loaded npu;
    bool misfit = false;
    dc_status st = load_npu(&npu, ask, t, &misfit);
    if (st == DC_OK)
        st = compute(mail, t, ask, &npu, golden);
    else if (misfit && t->npu.flags & DC_DUMP_SHAPE_GUESSED)
        st = post_failure(mail, t, ask, false, "the dump's header has no shape");
    else
        st = post_failure(mail, t, ask, misfit, dc_last_error());
    unload(&npu);
    return st;
}

/* Tasks that need the same golden elements. */
static dc_status work_group(dc_route *mail, const dc_task *t, size_t n, const dc_work_ask *ask)
{
    loaded golden;
    char why[512];
    dc_status st = load_golden(&golden, ask, &t[0]);
    bool readable = st == DC_OK;
    snprintf(why, sizeof why, "%s", readable ? "" : dc_last_error());
    st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < n; i++)
        st = readable ? work_pair(mail, &t[i], ask, &golden)
                      : post_failure(mail, &t[i], ask, false, why);
    unload(&golden);
    return st;
}

uint64_t dc_work_cost(const dc_task *t)
{
    uint64_t all = t->npu.bytes + t->golden.bytes;
    return t->whole ? all : t->n * (dc_dtype_get(t->npu.dtype)->bits / 8u + 4u);
}

dc_status dc_work_all(dc_route *answers, const dc_task *task, size_t n, const dc_work_ask *ask)
{
    dc_status st = dc_fault("work") ? dc_fail_memory() : DC_OK;
    for (size_t i = 0, end; st == DC_OK && i < n; i = end) {
        for (end = i + 1; end < n && dc_task_alike(&task[i], &task[end]);)
            end++;
        st = work_group(answers, &task[i], end - i, ask);
        for (size_t k = i; k < end; k++)
            dc_progress_add(ask->progress, dc_work_cost(&task[k]));
    }
    return st;
}
