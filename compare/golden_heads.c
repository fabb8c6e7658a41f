/* compare/golden_heads.c - see golden_heads.h */
#include "compare/golden_heads.h"

#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

/* An answer on its way; its text and a NUL follow. */
typedef struct wire_head {
    uint64_t offset, bytes;
    int32_t status;
    uint32_t dtype;
    uint8_t big_endian, fortran_order, void_type, spare[5];
} wire_head;

/* Where the answers to one process begin in what came back, to be taken in the order asked. */
typedef struct asked {
    int *owner; /* [n] */
    dc_route route;
} asked;

static dc_status add_question(asked *a, uint64_t i, const dc_golden_ask *ask, const dc_par *par)
{
    dc_buf path = {0};
    size_t at;
    const dc_golden_dirs *d = ask->dirs;
    const dc_golden_dir *dir = &d->dir[dc_golden_dirs_of(&at, d, ask->file[i])].list;
    dc_status st = dc_golden_dirs_path(&path, d, ask->file[i]);
    if (st == DC_OK) {
        a->owner[i] = dc_route_owner(path.data, path.n, par);
        st = dc_route_add(&a->route, a->owner[i], &dir->file[at].kind, 1);
    }
    if (st == DC_OK)
        st = dc_buf_add(&path, "", 1);
    if (st == DC_OK)
        st = dc_route_add(&a->route, a->owner[i], path.data, path.n);
    dc_buf_free(&path);
    return st;
}

/* Read one file's header and append it as it travels. */
static dc_status read_one(dc_buf *out, dc_golden_kind kind, const char *path)
{
    dc_npy npy = {0};
    char text[DC_SHAPE_TEXT];
    wire_head w = {.status = dc_golden_describe(&npy, kind, path)};
    if (w.status == DC_ENOMEM)
        return DC_ENOMEM;
    if (w.status == DC_OK) {
        dc_shape_print(text, &npy.shape);
        w.offset = npy.offset;
        w.bytes = npy.bytes;
        w.dtype = npy.dtype;
        w.big_endian = npy.big_endian;
        w.fortran_order = npy.fortran_order;
        w.void_type = npy.void_type;
    }
    const char *said = w.status == DC_OK ? text : dc_last_error();
    dc_status st = dc_buf_add(out, &w, sizeof w);
    return st == DC_OK ? dc_buf_add(out, said, strlen(said) + 1) : st;
}

/* What one owner has read, by path. */
typedef struct reader {
    dc_pool *paths;
    dc_buf read; /* wire heads with their texts */
    size_t *at;  /* [path id]: where in read */
    size_t cap;
} reader;

static dc_status answer_one(dc_route *out, int to, reader *r, uint8_t kind, const char *path)
{
    uint32_t id, before = dc_pool_count(r->paths);
    dc_status st = dc_pool_adds(&id, r->paths, path);
    if (st == DC_OK)
        st = dc_grow((void **)&r->at, &r->cap, before, 1, sizeof *r->at);
    if (st == DC_OK && id == before) {
        r->at[id] = r->read.n;
        st = read_one(&r->read, kind, path);
    }
    if (st != DC_OK)
        return st;
    const char *head = r->read.data + r->at[id];
    return dc_route_add(out, to, head, sizeof(wire_head) + strlen(head + sizeof(wire_head)) + 1);
}

static dc_status answer_all(dc_route *out, const dc_arrived *in)
{
    reader r = {0};
    dc_status st = dc_pool_new(&r.paths);
    uint64_t at = 0, end = 0;
    for (int p = 0; st == DC_OK && p < out->processes; p++) {
        end += in->got[p];
        while (st == DC_OK && at < end) {
            uint8_t kind = 0;
            dc_take(&kind, 1, in->data, &at, end);
            st = answer_one(out, p, &r, kind, dc_take_text(in->data, &at, end));
        }
    }
    dc_pool_free(r.paths);
    dc_buf_free(&r.read);
    free(r.at);
    return st;
}

static dc_status take_answer(dc_golden_head *h, const char *data, uint64_t *at, uint64_t end,
                             dc_pool *pool)
{
    wire_head w = {0};
    dc_take(&w, sizeof w, data, at, end);
    *h = (dc_golden_head){.status = (dc_status)w.status,
                          .dtype = w.dtype,
                          .big_endian = w.big_endian,
                          .fortran_order = w.fortran_order,
                          .void_type = w.void_type,
                          .offset = w.offset,
                          .bytes = w.bytes};
    return dc_pool_adds(&h->text, pool, dc_take_text(data, at, end));
}

/* The answers of owner p stand in the order of our questions to it. */
static dc_status take_all(dc_golden_head *head, const dc_arrived *in, const asked *a, uint64_t n,
                          dc_pool *pool)
{
    uint64_t *at = calloc((size_t)a->route.processes + 1, sizeof *at);
    dc_status st = at ? DC_OK : dc_fail_memory();
    for (int p = 0; at && p < a->route.processes; p++)
        at[p + 1] = at[p] + in->got[p];
    for (uint64_t i = 0; st == DC_OK && i < n; i++)
        st = take_answer(&head[i], in->data, &at[a->owner[i]], in->total, pool);
    free(at);
    return st;
}

dc_status dc_golden_heads_read(dc_golden_head **head, const dc_golden_ask *ask, dc_pool *pool,
                               dc_status local, const dc_par *par)
{
    asked a = {0};
    dc_route back = {0};
    dc_arrived questions = {0}, answers = {0};
    dc_status st = local;
    *head = NULL;
    if (st == DC_OK)
        st = dc_route_begin(&a.route, par);
    if (st == DC_OK)
        st = dc_route_begin(&back, par);
    if (st == DC_OK) {
        *head = malloc((ask->n + 1) * sizeof **head);
        a.owner = malloc((ask->n + 1) * sizeof *a.owner);
        st = *head && a.owner ? DC_OK : dc_fail_memory();
    }
    for (uint64_t i = 0; st == DC_OK && i < ask->n; i++)
        st = add_question(&a, i, ask, par);
    st = dc_route_send(&questions, &a.route, st, par);
    if (st == DC_OK) {
        st = answer_all(&back, &questions);
        dc_arrived_free(&questions);
        st = dc_route_send(&answers, &back, st, par);
    }
    a.route.processes = par->processes;
    if (st == DC_OK && *head)
        st = take_all(*head, &answers, &a, ask->n, pool);
    dc_route_free(&back);
    dc_arrived_free(&answers);
    free(a.owner);
    st = dc_par_agree(st, par);
    if (st != DC_OK) {
        free(*head);
        *head = NULL;
    }
    return st;
}
