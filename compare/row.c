/* compare/row.c - see row.h */
#include "compare/row.h"

#include "io/dtype.h"
#include "mpi/order.h"
#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

void dc_rows_fini(dc_rows *r)
{
    free(r->row);
    dc_pool_free(r->names);
    *r = (dc_rows){0};
}

bool dc_row_failed(const dc_row *row)
{
    return row->verdict == DC_FAIL;
}

bool dc_row_missed(const dc_row *row)
{
    static const bool counts[] = {
#define X(id, name, count) count,
        DC_PAIRINGS(X)
#undef X
    };
    if (row->pairing == DC_PAIRED)
        return row->verdict == DC_NOT_JUDGED;
    return row->pairing < DC_PAIRING_COUNT && counts[row->pairing];
}

uint64_t dc_rows_suspicious(const dc_rows *r)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < r->n; i++)
        n += r->row[i].pairing == DC_PAIRED && r->row[i].at.t.dtype == DC_BFLOAT16 &&
             r->row[i].golden_dtype == DC_FLOAT16;
    return n;
}

#define RETURN_IF_DIFFERENT(field)                                                                 \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

int dc_spot_compare(const dc_spot *x, const dc_spot *y)
{
    RETURN_IF_DIFFERENT(t.run);
    RETURN_IF_DIFFERENT(t.step);
    RETURN_IF_DIFFERENT(position);
    RETURN_IF_DIFFERENT(t.rank);
    RETURN_IF_DIFFERENT(t.direction);
    RETURN_IF_DIFFERENT(t.slot);
    RETURN_IF_DIFFERENT(row);
    return 0;
}

int dc_spot_order(const void *a, const void *b)
{
    return dc_spot_compare(a, b);
}

/* What a row sends to whoever numbers its rank's step, and gets back. */
typedef struct place {
    dc_spot at; /* row: index on its home */
    int32_t home;
} place;

static int by_timeline(const void *a, const void *b)
{
    const place *x = a, *y = b;
    RETURN_IF_DIFFERENT(at.t.rank);
    RETURN_IF_DIFFERENT(at.t.run);
    int c = dc_tensor_compare_execution(&x->at.t, &y->at.t);
    if (c)
        return c;
    RETURN_IF_DIFFERENT(at.row);
    return 0;
}

static bool same_timeline(const dc_tensor *a, const dc_tensor *b)
{
    return a->rank == b->rank && a->run == b->run && a->step == b->step;
}

static bool same_execution(const dc_tensor *a, const dc_tensor *b)
{
    return a->dump_time == b->dump_time && a->stream == b->stream && a->task == b->task &&
           a->op == b->op && a->model == b->model;
}

static void number_places(place *p, uint64_t n)
{
    qsort(p, n, sizeof *p, by_timeline);
    for (uint64_t i = 1; i < n; i++) {
        if (!same_timeline(&p[i].at.t, &p[i - 1].at.t))
            p[i].at.position = 0;
        else
            p[i].at.position = p[i - 1].at.position + !same_execution(&p[i].at.t, &p[i - 1].at.t);
    }
}

static int keeper(const dc_tensor *t, int processes)
{
    uint64_t h = dc_mix64((uint64_t)t->step + 1);
    h = dc_mix64(h ^ ((uint64_t)(uint32_t)t->rank << 32 | (uint32_t)t->run));
    return (int)(h % (uint64_t)processes);
}

/* Rows to the keepers of their timelines. */
static dc_status send_places(dc_arrived *in, const dc_rows *r, const dc_par *par)
{
    dc_route mail = {0};
    dc_status st = dc_route_begin(&mail, par);
    for (uint64_t i = 0; st == DC_OK && i < r->n; i++) {
        place p = {.at = {.t = r->row[i].at.t, .row = i}, .home = par->process};
        st = dc_route_add(&mail, keeper(&p.at.t, par->processes), &p, sizeof p);
    }
    return dc_route_send(in, &mail, st, par);
}

static dc_status send_numbers(dc_arrived *in, const place *p, uint64_t n, const dc_par *par)
{
    dc_route mail = {0};
    dc_status st = dc_route_begin(&mail, par);
    for (uint64_t i = 0; st == DC_OK && i < n; i++) {
        uint64_t number[2] = {p[i].at.row, p[i].at.position};
        st = dc_route_add(&mail, p[i].home, number, sizeof number);
    }
    return dc_route_send(in, &mail, st, par);
}

dc_status dc_rows_number(dc_rows *r, const dc_par *par)
{
    dc_arrived in, numbers;
    dc_status st = send_places(&in, r, par);
    if (st != DC_OK)
        return st;
    uint64_t n = in.total / sizeof(place), number[2], at = 0;
    number_places((place *)(void *)in.data, n);
    st = send_numbers(&numbers, (const place *)(const void *)in.data, n, par);
    while (st == DC_OK && dc_take(number, sizeof number, numbers.data, &at, numbers.total))
        r->row[number[0]].at.position = number[1];
    if (st == DC_OK)
        dc_arrived_free(&numbers);
    dc_arrived_free(&in);
    return st;
}

/* A row, then its texts. */
static dc_status post_row(dc_route *mail, int to, const dc_rows *r, const dc_row *row)
{
    const uint32_t id[] = {row->golden, row->shape, row->reason};
    dc_status st = dc_route_add(mail, to, row, sizeof *row);
    for (size_t i = 0; st == DC_OK && i < sizeof id / sizeof *id; i++) {
        const char *text = dc_pool_text(r->names, id[i]);
        st = dc_route_add(mail, to, text, strlen(text) + 1);
    }
    return st;
}

static dc_status read_row(dc_rows *out, const dc_arrived *in, uint64_t *at)
{
    dc_row *row = &out->row[out->n];
    uint32_t *const id[] = {&row->golden, &row->shape, &row->reason};
    if (!dc_take(row, sizeof *row, in->data, at, in->total))
        return dc_fail(DC_EFORMAT, "a message between processes is cut short");
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < sizeof id / sizeof *id; i++) {
        const char *text = dc_take_text(in->data, at, in->total);
        st = dc_pool_adds(id[i], out->names, text ? text : "");
    }
    return st;
}

static dc_status read_rows(dc_rows *out, const dc_arrived *in)
{
    size_t cap = 0;
    uint64_t at = 0;
    dc_status st = dc_pool_new(&out->names);
    while (st == DC_OK && at < in->total) {
        st = dc_grow((void **)&out->row, &cap, out->n, 1, sizeof *out->row);
        if (st == DC_OK)
            st = read_row(out, in, &at);
        out->n += st == DC_OK;
    }
    if (st == DC_OK && out->n)
        qsort(out->row, out->n, sizeof *out->row, dc_spot_order);
    return st;
}

dc_status dc_rows_sort(dc_rows *r, const dc_par *par)
{
    dc_rows sorted = {.catalog = r->catalog};
    dc_route mail = {0};
    dc_arrived in = {0};
    int32_t *owner = malloc((r->n + 1) * sizeof *owner);
    dc_status st = dc_par_agree(owner ? DC_OK : dc_fail_memory(), par);
    if (st == DC_OK && r->n)
        qsort(r->row, r->n, sizeof *r->row, dc_spot_order);
    if (st == DC_OK)
        st = dc_order_owners(owner, r->row, r->n, sizeof *r->row, dc_spot_order, par);
    if (st != DC_OK)
        goto done;
    st = dc_route_begin(&mail, par);
    for (uint64_t i = 0; st == DC_OK && owner && i < r->n; i++)
        st = post_row(&mail, owner[i], r, &r->row[i]);
    st = dc_route_send(&in, &mail, st, par);
    if (st == DC_OK)
        st = dc_par_agree(read_rows(&sorted, &in), par);
    if (st == DC_OK) {
        dc_rows_fini(r);
        *r = sorted;
        sorted = (dc_rows){0};
    }
done:
    dc_rows_fini(&sorted);
    dc_arrived_free(&in);
    free(owner);
    return st;
}
