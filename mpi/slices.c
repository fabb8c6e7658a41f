/* mpi/slices.c - see slices.h */
#include "mpi/slices.h"

#include "io/cmp.h"
#include "io/parts.h"
#include "io/word.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED 64 /* of more parts than this it is not said how many are there */
#define BY_HAND "_lxslice"

uint32_t dc_slices_told(const dc_dump *d)
{
    if (d->nattr == 0 || d->attr[0].value[0] != '{')
        return 0;
    cJSON *json = cJSON_Parse(d->attr[0].value);
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(json, "slice_instance_num");
    double n = cJSON_IsNumber(number) ? number->valuedouble : 0;
    cJSON_Delete(json);
    return n >= 1 && n <= 65535 ? (uint32_t)n : 0;
}

size_t dc_slices_stem(const char *op)
{
    const char *at = strstr(op, BY_HAND);
    return at ? (size_t)(at - op) : strlen(op);
}

size_t dc_slices_base(const char *op)
{
    const char *at = strstr(op, BY_HAND);
    size_t digits = at ? strspn(at + strlen(BY_HAND), "0123456789") : 0;
    return digits && at[strlen(BY_HAND) + digits] == '\0' ? (size_t)(at - op) : strlen(op);
}

uint32_t dc_slices_number(const dc_tensor *t, const char *op)
{
    const char *by_hand = op + dc_slices_base(op);
    if (*by_hand) {
        unsigned long n = strtoul(by_hand + strlen(BY_HAND), NULL, 10);
        return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
    return t->slice ? t->slice - 1 : UINT32_MAX;
}

static bool take_bound(uint64_t *out, const cJSON *dim, const char *name)
{
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(dim, name);
    bool exact = cJSON_IsNumber(n) && n->valuedouble >= 0 && n->valuedouble <= 9007199254740991.0;
    *out = exact ? (uint64_t)n->valuedouble : 0;
    return exact;
}

/* "0-4x8-16" of a tensor's [dim] of lower and higher; left empty if it does not tell. */
static dc_status print_ranges(dc_buf *out, const cJSON *dims)
{
    const cJSON *dim;
    dc_status st = DC_OK;
    cJSON_ArrayForEach(dim, dims)
    {
        uint64_t lower, higher;
        if (!take_bound(&lower, dim, "lower") || !take_bound(&higher, dim, "higher") ||
            higher < lower) {
            out->n = 0;
            return DC_OK;
        }
        st = dc_buf_printf(out, "%s%" PRIu64 "-%" PRIu64, out->n ? "x" : "", lower, higher);
        if (st != DC_OK)
            return st;
    }
    return st;
}

dc_status dc_slices_cut(uint32_t *id, dc_pool *names, const dc_dump *d, uint32_t number,
                        const dc_dump_tensor *tensor)
{
    dc_buf text = {0};
    *id = 0;
    if (number > INT32_MAX || tensor->direction > DC_OUTPUT || dc_slices_told(d) == 0)
        return DC_OK;
    cJSON *json = cJSON_Parse(d->attr[0].value);
    const char *list = tensor->direction == DC_INPUT ? "input_tensor_slice" : "output_tensor_slice";
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(json, list);
    const cJSON *tensors = cJSON_GetArrayItem(parts, (int)number);
    dc_status st = print_ranges(&text, cJSON_GetArrayItem(tensors, (int)tensor->slot));
    if (st == DC_OK && text.n)
        st = dc_pool_add(id, names, text.data, text.n);
    dc_buf_free(&text);
    cJSON_Delete(json);
    return st;
}

dc_status dc_slices_take(dc_slice *out, dc_buf *line, const dc_pool *names, const uint8_t *state,
                         const char *path, uint64_t offset)
{
    dc_shape shape;
    const dc_part part = {path, dc_pool_text(names, out->t.cut), offset, out->t.bytes};
    out->number = dc_slices_number(&out->t, dc_pool_text(names, out->t.op));
    out->stored = !(out->t.flags & DC_TENSOR_STATISTICS) && (!state || *state == DC_STORED);
    out->fits = dc_shape_parse(&shape, dc_pool_text(names, out->t.shape)) == DC_OK &&
                dc_parts_fits(part.cut, &shape);
    return dc_parts_add(line, &part);
}

int dc_slices_compare_tensors(const dc_slice *x, const dc_slice *y, const dc_pool *names)
{
    int c = DC_CMP_BY(x, y, t.rank, t.run, t.model, t.step, t.direction, t.slot, t.occurrence);
    if (c)
        return c;
    const char *a = dc_pool_text(names, x->t.op), *b = dc_pool_text(names, y->t.op);
    size_t n = dc_slices_base(a), m = dc_slices_base(b);
    c = strncmp(a, b, n < m ? n : m);
    return c ? c : DC_CMP(n, m);
}

static int by_tensor(const void *a, const void *b, void *names)
{
    const dc_slice *x = a, *y = b;
    int c = dc_slices_compare_tensors(x, y, names);
    return c ? c : DC_CMP_BY(x, y, number, t.op, t.dump_time, home, item);
}

void dc_slices_sort(dc_slice *p, size_t n, const dc_pool *names)
{
    if (n)
        qsort_r(p, n, sizeof *p, by_tensor, (void *)(uintptr_t)names);
}

void dc_slices_fault(char why[128], const dc_slice *p, size_t n)
{
    uint32_t of = p->t.slices;
    *why = '\0';
    for (uint32_t k = 0; k < of; k++) {
        if (k >= n || p[k].number > k)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is missing", k, of);
        else if (p[k].number < k)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is there twice", p[k].number, of);
        else if (!p[k].stored)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " is not stored", k, of);
        else if (!p[k].fits)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 ": its range is not of its shape", k,
                     of);
        else if (p[k].t.dtype != p->t.dtype || p[k].t.format != p->t.format)
            snprintf(why, 128, "slice %" PRIu32 " of %" PRIu32 " has another type or format", k,
                     of);
        if (*why)
            return;
    }
    if (n > of)
        snprintf(why, 128, "%zu slices are there of %" PRIu32, n, of);
}

static void reason(char text[64], uint32_t have, uint32_t slices)
{
    if (slices > COUNTED)
        snprintf(text, 64, "some of the operator's %u parts are missing", slices);
    else
        snprintf(text, 64, "%u of the operator's %u parts %s there", have, slices,
                 dc_word(have, "is", "are"));
}

dc_status dc_slices_reasons(dc_pool *names, uint32_t slices)
{
    char text[64];
    uint32_t id, most = slices > COUNTED ? 2 : slices;
    dc_status st = DC_OK;
    for (uint32_t have = 1; st == DC_OK && have < most; have++) {
        reason(text, have, slices);
        st = dc_pool_adds(&id, names, text);
    }
    return st;
}

/* The operator that is being counted; handed on from process to process. */
typedef struct counter {
    dc_tensor first; /* its first row; slices = 0: none */
    dc_tensor last;  /* its last row that was a part of its own */
    uint32_t have;
} counter;

static bool same_operator(const dc_tensor *a, const dc_tensor *b, const dc_pool *names)
{
    const char *x = dc_pool_text(names, a->op), *y = dc_pool_text(names, b->op);
    size_t n = dc_slices_base(x);
    return a->rank == b->rank && a->run == b->run && a->model == b->model && a->step == b->step &&
           (a->op == b->op || (n == dc_slices_base(y) && strncmp(x, y, n) == 0));
}

static dc_status finish(counter *c, dc_walk *w, const dc_pool *names)
{
    char text[64];
    const dc_tensor *t = &c->first;
    if (t->slices == 0 || c->have >= t->slices)
        return DC_OK;
    reason(text, c->have, t->slices);
    dc_status st =
        dc_grow((void **)&w->skipped, &w->capskipped, w->nskipped, 1, sizeof *w->skipped);
    if (st == DC_OK)
        w->skipped[w->nskipped++] = (dc_skipped){t->dir, t->file, t->file_number,
                                                 dc_pool_find(names, text), DC_SKIPPED_PARTLY};
    return st;
}

static dc_status take(counter *c, dc_walk *w, const dc_tensor *t, const dc_pool *names)
{
    if (c->first.slices == 0 || !same_operator(&c->first, t, names)) {
        dc_status st = finish(c, w, names);
        *c = (counter){.first = *t, .last = *t, .have = 1};
        return st;
    }
    /* the first tensor of each name speaks for all of the name's tensors */
    bool other_name = t->op != c->last.op,
         same_tensor = t->direction == c->last.direction && t->slot == c->last.slot;
    if (other_name || (same_tensor && t->slice != c->last.slice)) {
        c->have++;
        c->last = *t;
    }
    return DC_OK;
}

dc_status dc_slices_missing(dc_walk *w, const dc_tensor *row, size_t n, const dc_pool *names,
                            const dc_par *par)
{
    counter c = {0};
    dc_status st = DC_OK;
    dc_par_chain_receive(&c, sizeof c, par);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        if (row[i].slices)
            st = take(&c, w, &row[i], names);
    if (st == DC_OK && par->process == par->processes - 1)
        st = finish(&c, w, names);
    dc_par_chain_pass(&c, sizeof c, par);
    return dc_par_agree(st, par);
}
