/* compare/golden_heads.c - see golden_heads.h */
#include "compare/golden_heads.h"

#include "mpi/route.h"

#include <stdlib.h>
#include <string.h>

/* Read one file's header; *text: the head's text, in room or the last error. */
static dc_status describe(dc_golden_head *h, const char **text, char room[DC_SHAPE_TEXT],
                          dc_golden_kind kind, const char *path)
{
    dc_npy npy = {0};
    dc_status st = dc_golden_describe(&npy, kind, path);
    *h = (dc_golden_head){.status = (int32_t)st};
    *text = dc_last_error();
    if (st == DC_OK) {
        dc_shape_print(room, &npy.shape);
        *text = room;
        h->offset = npy.offset;
        h->bytes = npy.bytes;
        h->dtype = npy.dtype;
        h->big_endian = npy.big_endian;
        h->fortran_order = npy.fortran_order;
        h->void_type = npy.void_type;
    }
    return st == DC_ENOMEM ? st : DC_OK;
}

static dc_status keep(dc_golden_heads *out, uint32_t file, dc_golden_head *h, const char *text)
{
    dc_status st = dc_pool_adds(&h->text, out->pool, text);
    return st == DC_OK ? dc_idset_add(&out->head_of[file], NULL, out->set, h) : st;
}

static const dc_listed_dir *dir_of(size_t *at, const dc_golden_ask *ask, uint64_t i)
{
    return &ask->dirs->dir[dc_golden_dirs_of(at, ask->dirs, ask->file[i])];
}

/* Ask the owner of file i, whose path is given, to read it. */
static dc_status add_question(dc_route *mail, uint8_t kind, const dc_buf *path, const dc_par *par)
{
    int owner = dc_route_owner(path->data, path->n, par);
    dc_status st = dc_route_add(mail, owner, &kind, 1);
    return st == DC_OK ? dc_route_add(mail, owner, path->data, path->n) : st;
}

/* Read what is in our own directories, ask for what is in shared ones. */
static dc_status read_own(dc_route *mail, dc_golden_heads *out, const dc_golden_ask *ask,
                          const dc_par *par)
{
    dc_status st = dc_route_begin(mail, par);
    dc_buf path = {0};
    for (uint64_t i = 0; st == DC_OK && i < ask->n; i++, path.n = 0) {
        size_t at;
        dc_golden_head h;
        const char *text;
        char room[DC_SHAPE_TEXT];
        const dc_listed_dir *dir = dir_of(&at, ask, i);
        uint8_t kind = dir->list.file[at].kind;
        st = dc_golden_dirs_path(&path, ask->dirs, ask->file[i]);
        if (st == DC_OK)
            st = dc_buf_add(&path, "", 1);
        if (st == DC_OK && dir->askers > 1)
            st = add_question(mail, kind, &path, par);
        else if (st == DC_OK && (st = describe(&h, &text, room, kind, path.data)) == DC_OK)
            st = keep(out, ask->file[i], &h, text);
    }
    dc_buf_free(&path);
    return st;
}

/* Append a header as it travels: the head without its text's id, the text and a NUL. */
static dc_status read_one(dc_buf *out, dc_golden_kind kind, const char *path)
{
    dc_golden_head h;
    const char *text;
    char room[DC_SHAPE_TEXT];
    dc_status st = describe(&h, &text, room, kind, path);
    if (st == DC_OK)
        st = dc_buf_add(out, &h, sizeof h);
    return st == DC_OK ? dc_buf_add(out, text, strlen(text) + 1) : st;
}

/* What one owner has read, by path. */
typedef struct reader {
    dc_pool *paths;
    dc_buf read; /* heads with their texts */
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
    return dc_route_add(out, to, head,
                        sizeof(dc_golden_head) + strlen(head + sizeof(dc_golden_head)) + 1);
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

/* The answers of an owner stand in the order of our questions to it. */
static dc_status take_all(dc_golden_heads *out, const dc_golden_ask *ask, const dc_arrived *in,
                          const dc_par *par)
{
    uint64_t *next = calloc((size_t)par->processes + 1, sizeof *next);
    dc_status st = next ? DC_OK : dc_fail_memory();
    dc_buf path = {0};
    for (int p = 0; next && p < par->processes; p++)
        next[p + 1] = next[p] + in->got[p];
    for (uint64_t i = 0; st == DC_OK && i < ask->n; i++, path.n = 0) {
        size_t at;
        dc_golden_head h = {0};
        if (dir_of(&at, ask, i)->askers < 2)
            continue;
        st = dc_golden_dirs_path(&path, ask->dirs, ask->file[i]);
        if (st == DC_OK)
            st = dc_buf_add(&path, "", 1);
        if (st != DC_OK)
            break;
        uint64_t *from = &next[dc_route_owner(path.data, path.n, par)];
        dc_take(&h, sizeof h, in->data, from, in->total);
        st = keep(out, ask->file[i], &h, dc_take_text(in->data, from, in->total));
    }
    dc_buf_free(&path);
    free(next);
    return st;
}

dc_status dc_golden_heads_read(dc_golden_heads *out, const dc_golden_ask *ask, dc_status local,
                               const dc_par *par)
{
    dc_route mail = {0};
    dc_arrived questions = {0}, answers = {0};
    dc_status st = local == DC_OK ? read_own(&mail, out, ask, par) : local;
    st = dc_route_send(&questions, &mail, st, par);
    if (st != DC_OK)
        return st;
    st = dc_route_begin(&mail, par);
    if (st == DC_OK)
        st = answer_all(&mail, &questions);
    dc_arrived_free(&questions);
    st = dc_route_send(&answers, &mail, st, par);
    if (st == DC_OK)
        st = dc_par_agree(take_all(out, ask, &answers, par), par);
    dc_arrived_free(&answers);
    return st;
}
