/* capture/verify.c - see verify.h */
#include "capture/verify.h"

#include "capture/view.h"
#include "io/log.h"
#include "io/path.h"
#include "io/store_result.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#define PIECE ((size_t)256 << 10)

typedef struct checker {
    const dc_store *s;
    int fd, mark; /* read; write, -1 = change nothing */
    char *piece;
    XXH3_state_t *hash;
    dc_verify_count *count;
    dc_progress progress;
} checker;

static void complain(const checker *c, const dc_tensor *t, const char *what)
{
    dc_buf path = {0};
    if (dc_view_path(&path, t, dc_store_names(c->s), 1) == DC_OK &&
        dc_buf_add(&path, "", 1) == DC_OK)
        dc_error("%s: %s: %s", dc_store_path(c->s), path.data, what);
    dc_buf_free(&path);
}

static dc_status hash_tensor(uint64_t *hash, checker *c, const dc_tensor *t)
{
    uint64_t at = dc_store_tensor_at(c->s, t);
    XXH3_64bits_reset(c->hash);
    if (t->bytes && at == UINT64_MAX)
        return dc_fail(DC_EFORMAT, "%s: its index points outside its data", dc_store_path(c->s));
    for (uint64_t done = 0; done < t->bytes;) {
        size_t n = t->bytes - done < PIECE ? t->bytes - done : PIECE;
        dc_status st = dc_pread(c->fd, c->piece, n, at + done, dc_store_path(c->s));
        if (st != DC_OK)
            return st;
        XXH3_64bits_update(c->hash, c->piece, n);
        done += n;
        dc_progress_add(&c->progress, n);
    }
    *hash = XXH3_64bits_digest(c->hash);
    return DC_OK;
}

static dc_status check(checker *c, const dc_tensor *t, const dc_result *r, uint64_t row)
{
    uint64_t hash = 0;
    if (r->state == DC_PENDING)
        c->count->pending++;
    else if (r->state == DC_UNREADABLE)
        c->count->unreadable++;
    if (r->state != DC_STORED)
        return DC_OK;
    dc_status st = hash_tensor(&hash, c, t);
    if (st == DC_EIO)
        return st;
    bool good = st == DC_OK && hash == r->hash && !dc_fault("verify.hash");
    if (!good)
        complain(c, t, st == DC_OK ? "its bytes are not what was stored" : dc_last_error());
    c->count->good += good;
    c->count->bad += !good;
    return good || c->mark < 0 ? DC_OK : dc_store_put_pending(c->s, c->mark, row);
}

static dc_status check_rows(checker *c, const dc_plan *p)
{
    dc_result result[DC_GROUP_TENSORS];
    dc_tensor row[DC_GROUP_TENSORS];
    dc_status st = DC_OK;
    for (uint64_t i = 0; st == DC_OK && i < p->n; i += DC_GROUP_TENSORS) {
        uint64_t n = p->n - i < DC_GROUP_TENSORS ? p->n - i : DC_GROUP_TENSORS;
        st = dc_store_get_rows(row, result, c->s, p->first_row + i, n);
        for (uint64_t k = 0; st == DC_OK && k < n; k++)
            st = check(c, &row[k], &result[k], p->first_row + i + k);
    }
    return st;
}

dc_status dc_verify_run(dc_verify_count *count, const dc_store *s, const dc_plan *p, int mark,
                        dc_progress_mode mode, const dc_par *par)
{
    checker c = {.s = s, .count = count, .mark = mark};
    *count = (dc_verify_count){0};
    c.piece = malloc(PIECE);
    c.hash = XXH3_createState();
    c.fd = open(dc_store_path(s), O_RDONLY | O_CLOEXEC);
    dc_status st = c.piece && c.hash ? DC_OK : dc_fail_memory();
    if (c.fd < 0)
        st = dc_fail_errno("%s: cannot open", dc_store_path(s));
    dc_progress_begin(&c.progress, "verified", (const uint64_t[2]){p->bytes, p->all_bytes}, mode,
                      par);
    if (st == DC_OK)
        st = check_rows(&c, p);
    dc_progress_end(&c.progress);
    if (c.fd >= 0)
        close(c.fd);
    XXH3_freeState(c.hash);
    free(c.piece);
    return st;
}
