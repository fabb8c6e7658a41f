/* capture/ingest.c - see ingest.h */
#include "capture/ingest.h"

#include "capture/source.h"
#include "capture/stage.h"
#include "io/dtype.h"
#include "io/interrupt.h"
#include "io/path.h"
#include "io/store_result.h"
#include "io/summary.h"
#include "io/tensor_dump.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define PIECE ((uint64_t)256 << 10)
#define SMALL PIECE /* tensors below go through the staging buffers */

typedef struct worker {
    const dc_ingest *in;
    dc_ingest_count *count;
    dc_source source;
    dc_stages stages;
    char *piece;
    uint64_t piece_bytes;
    dc_result result[DC_GROUP_TENSORS];
    dc_progress progress;
} worker;

/* What a tensor's bytes add up to, fed front to back. */
typedef struct digest {
    XXH3_state_t *hash;
    dc_summary summary;
    uint32_t dtype;
    uint64_t left; /* elements: the last byte of packed ones may hold bits of none */
} digest;

static void digest_add(digest *d, const void *data, uint64_t n)
{
    uint64_t held = n * 8 / dc_dtype_get(d->dtype)->bits, count = held < d->left ? held : d->left;
    XXH3_64bits_update(d->hash, data, n);
    dc_summary_add(&d->summary, data, d->dtype, count);
    d->left -= count;
}

static void digest_finish(dc_result *r, digest *d)
{
    dc_summary_finish(r, &d->summary);
    r->hash = XXH3_64bits_digest(d->hash);
}

static dc_status copy_small(worker *w, const dc_tensor *t, uint64_t at, digest *d)
{
    char *room;
    dc_status st = dc_stage_room(&room, &w->stages, t->dtype, at, t->bytes);
    if (st != DC_OK)
        return st;
    st = dc_source_read(&w->source, w->in->names, t, room, t->bytes, 0);
    if (st == DC_OK)
        digest_add(d, room, t->bytes);
    else
        memset(room, 0, t->bytes); /* the gap stays, as zeros */
    return st;
}

static dc_status copy_large(worker *w, const dc_tensor *t, uint64_t at, digest *d)
{
    dc_status st = DC_OK;
    for (uint64_t done = 0; done < t->bytes;) {
        uint64_t n = t->bytes - done < w->piece_bytes ? t->bytes - done : w->piece_bytes;
        if (dc_interrupted())
            return dc_fail(DC_EINTERRUPTED, "interrupted");
        st = dc_source_read(&w->source, w->in->names, t, w->piece, n, done);
        if (st != DC_OK)
            return st;
        digest_add(d, w->piece, n);
        if (dc_fault("ingest.write"))
            st = dc_fail(DC_ENOSPACE, "%s: cannot write (injected)", dc_store_path(w->in->store));
        else if (at != UINT64_MAX)
            st = dc_pwrite(w->in->fd, w->piece, n, at + done, dc_store_path(w->in->store));
        if (st != DC_OK)
            return dc_stage_failed(&w->stages, st);
        done += n;
        dc_progress_add(&w->progress, n);
    }
    return DC_OK;
}

/* What is known without the bytes: what a merged store says, what a statistics file has. *all: no
 * bytes are to be read. */
static dc_status known_result(bool *all, worker *w, const dc_tensor *t, dc_result *r)
{
    dc_status st = DC_OK;
    *all = false;
    if (w->source.from) {
        st = dc_source_result(r, &w->source);
        *all = r->state != DC_STORED;
    } else if (t->flags & DC_TENSOR_CSV) {
        st = dc_source_statistics(r, &w->source, w->in->names, t);
        *all = true;
    }
    return st;
}

/* Bytes through the digest to their place; only through it where they are not kept. */
static dc_status copy(worker *w, const dc_tensor *t, dc_result *r)
{
    uint64_t at = dc_store_tensor_at(w->in->store, t);
    bool kept = !(t->flags & DC_TENSOR_STATISTICS), small = kept && t->bytes < SMALL;
    digest d = {.hash = XXH3_createState(),
                .dtype = t->dtype,
                .left = dc_tensor_elements(NULL, t, w->in->names)};
    dc_status st = DC_OK;
    if (!d.hash)
        return dc_fail_memory();
    XXH3_64bits_reset(d.hash);
    if (t->bytes)
        st = small ? copy_small(w, t, at, &d) : copy_large(w, t, at, &d);
    if (st == DC_OK) {
        digest_finish(r, &d);
        r->state = kept ? DC_STORED : DC_STATISTICS;
        w->count->bytes += dc_tensor_stored(t);
        if (small)
            dc_progress_add(&w->progress, t->bytes);
    }
    XXH3_freeState(d.hash);
    return st;
}

/* One tensor. A source that cannot be read is the tensor's own fault, a store that cannot be
 * written ends the phase. */
static dc_status write_tensor(worker *w, const dc_tensor *t, dc_result *r)
{
    bool all;
    dc_result before = {0};
    if (dc_tensor_stored(t) && dc_store_tensor_at(w->in->store, t) == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its index points outside its data",
                       dc_store_path(w->in->store));
    dc_status st = known_result(&all, w, t, &before);
    if (st == DC_OK && all)
        *r = before;
    else if (st == DC_OK)
        st = copy(w, t, r);
    if (st == DC_OK && w->source.from && r->hash != before.hash)
        st = dc_source_damaged(&w->source);
    if (st != DC_OK && !w->stages.failed && st != DC_EINTERRUPTED && st != DC_ENOMEM) {
        dc_source_complain(&w->source);
        *r = (dc_result){.state = DC_UNREADABLE};
        st = DC_OK;
    }
    return st;
}

static void count_state(dc_ingest_count *c, uint8_t state)
{
    c->stored += state == DC_STORED || state == DC_STATISTICS;
    c->statistics += state == DC_STATISTICS;
    c->unreadable += state == DC_UNREADABLE;
}

static dc_status write_group(worker *w, uint64_t g)
{
    const dc_plan *p = w->in->plan;
    uint64_t first;
    size_t n = dc_plan_group(&first, p, g);
    dc_status st = DC_OK;
    for (size_t i = 0; st == DC_OK && i < n; i++) {
        uint64_t own = first - p->first_row + i;
        w->source.from = p->from ? &p->from[own] : NULL;
        st = write_tensor(w, &p->row[own], &w->result[i]);
    }
    if (st == DC_OK)
        st = dc_stages_flush(&w->stages);
    if (st == DC_OK)
        st = dc_store_put_results(w->in->store, w->in->fd, w->result, first, n);
    for (size_t i = 0; st == DC_OK && i < n; i++)
        count_state(w->count, w->result[i].state);
    return st;
}

/* A group is done when all its tensors are marked; then it is only counted. */
static dc_status group_done(bool *done, worker *w, uint64_t g)
{
    uint64_t first, n = dc_plan_group(&first, w->in->plan, g);
    uint8_t state[DC_GROUP_TENSORS];
    *done = false;
    if (n > DC_GROUP_TENSORS)
        return dc_fail(DC_EFORMAT, "%s: a group has more than %d tensors",
                       dc_store_path(w->in->store), DC_GROUP_TENSORS);
    if (!w->in->resume)
        return DC_OK;
    dc_status st = dc_store_get_states(state, w->in->store, w->in->fd, first, n);
    *done = st == DC_OK;
    for (uint64_t i = 0; i < n; i++)
        *done = *done && state[i] != DC_PENDING;
    for (uint64_t i = 0; *done && i < n; i++)
        count_state(w->count, state[i]);
    return st;
}

dc_status dc_ingest_run(dc_ingest_count *count, const dc_ingest *in, const dc_par *par)
{
    worker *w = calloc(1, sizeof *w);
    *count = (dc_ingest_count){0};
    if (!w)
        return dc_fail_memory();
    w->in = in;
    w->count = count;
    /* a multiple of 3 * 1024 elements of 16 bytes fits every dtype's summary block */
    w->piece_bytes =
        dc_round_up(in->piece ? in->piece : PIECE - ((uint64_t)16 << 10), (uint64_t)48 << 10);
    w->piece = malloc(w->piece_bytes);
    dc_status st =
        w->piece ? dc_stages_init(&w->stages, in->fd, dc_store_path(in->store)) : dc_fail_memory();
    dc_source_init(&w->source, in->stores);
    dc_progress_begin(&w->progress, "stored",
                      (const uint64_t[2]){in->plan->bytes, in->plan->all_bytes}, in->progress, par);
    for (uint64_t g = 0; st == DC_OK && g < in->plan->groups; g++) {
        bool done = false;
        if (dc_interrupted() || dc_fault("ingest.interrupt"))
            st = dc_fail(DC_EINTERRUPTED, "interrupted");
        if (st == DC_OK)
            st = group_done(&done, w, g);
        if (st == DC_OK && done)
            dc_progress_add(&w->progress, in->plan->group_bytes[g]);
        else if (st == DC_OK)
            st = write_group(w, g);
    }
    dc_progress_end(&w->progress);
    dc_source_fini(&w->source);
    dc_stages_fini(&w->stages);
    free(w->piece);
    free(w);
    return st;
}
