/* io/relayout_stream.c - see relayout_stream.h */
#include "io/relayout_stream.h"

#include "io/relayout_fetch.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Device elements from an axis's index 0 to its index n-1. */
static uint64_t spread(const dc_relayout *m, uint32_t axis, uint64_t n)
{
    dc_box b = {.start = {0}};
    uint64_t span[2];
    for (uint32_t a = 0; a < m->axes; a++)
        b.count[a] = a == axis ? n : 1;
    dc_box_span(span, m, &b);
    return span[1] - span[0] + 1;
}

/* Whether an axis's next `run` indices are close together on the device, and the logical order's
 * next elements are not. */
static bool interleaves(const dc_relayout *m, uint32_t axis, uint64_t *run)
{
    uint64_t stride;
    *run = dc_box_run(&stride, m, axis, 0, m->axis[axis].len);
    uint64_t close = spread(m, axis, *run);
    for (uint32_t a = axis + 1; close <= DC_RELAYOUT_WORTH / m->item && a < m->axes; a++)
        if (spread(m, a, m->axis[a].len) > close)
            return true;
    return false;
}

dc_relayout_unit dc_relayout_unit_of(const dc_relayout *m)
{
    dc_relayout_unit u = {.rows = 1, .length = 1, .even = true};
    uint64_t run = 1, before = 1;
    if (dc_relayout_is_identity(m) || m->item == 0)
        return u;
    while (u.axis < m->axes && !interleaves(m, u.axis, &run))
        before *= m->axis[u.axis++].len;
    if (u.axis == m->axes)
        return u;
    u.rows = run;
    u.even = before == 1 || m->axis[u.axis].len % run == 0;
    u.inner = u.axis + 1;
    while (u.inner + 1 < m->axes && interleaves(m, u.inner, &run) && run == m->axis[u.inner].len)
        u.rows *= m->axis[u.inner++].len;
    for (uint32_t a = u.inner; a < m->axes; a++)
        u.length *= m->axis[a].len;
    return u;
}

uint64_t dc_relayout_chunk(const dc_relayout *m, uint64_t most)
{
    const dc_relayout_unit u = dc_relayout_unit_of(m);
    uint64_t unit = u.rows * u.length;
    return unit <= most ? most / unit * unit : most;
}

typedef struct stream {
    const dc_relayout_stream_ask *ask;
    dc_relayout_unit unit;
    uint64_t window;       /* elements of each row that are read together */
    uint64_t *filled;      /* [chunks] elements that are there */
    unsigned char *all[2]; /* elements ask->first and on; reserved, only touched chunks have memory
                            */
    size_t bytes;          /* of each */
    dc_box *box, *across, *along;
} stream;

static dc_status reserve(stream *s)
{
    const dc_relayout_stream_ask *ask = s->ask;
    s->filled = calloc(ask->n / ask->chunk + 1, sizeof *s->filled);
    size_t across = DC_BOXES(s->unit.inner), along = DC_BOXES(ask->m->axes - s->unit.inner);
    s->box = malloc((across * along + across + along) * sizeof *s->box);
    if (!s->filled || !s->box || dc_fault("relayout.reserve"))
        return dc_fail_memory();
    s->across = s->box + across * along;
    s->along = s->across + across;
    s->bytes = (size_t)ask->n * ask->m->item;
    for (int i = 0; i < 2 && ask->source[i]; i++) {
        void *at = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            return dc_fail_memory();
        s->all[i] = at;
    }
    return DC_OK;
}

static void give_back(stream *s, uint64_t offset, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t from = (offset + page - 1) / page * page, end = (offset + bytes) / page * page;
    for (int i = 0; i < 2 && from < end; i++)
        if (s->all[i]) /* what is not given back costs memory, nothing else */
            (void)madvise(s->all[i] + from, end - from, MADV_DONTNEED);
}

static dc_status hand_on(stream *s, uint64_t chunk)
{
    const dc_relayout_stream_ask *ask = s->ask;
    uint64_t at = chunk * ask->chunk, n = ask->n - at < ask->chunk ? ask->n - at : ask->chunk;
    if (s->filled[chunk] < n)
        return DC_OK;
    uint64_t offset = at * ask->m->item;
    void *part[2] = {s->all[0] + offset, s->all[1] ? s->all[1] + offset : NULL};
    dc_status st = ask->take(ask->context, part, ask->first + at, n);
    give_back(s, offset, n * ask->m->item);
    return st;
}

/* Elements at .. at+n-1 are there. */
static dc_status note(stream *s, uint64_t at, uint64_t n)
{
    dc_status st = DC_OK;
    for (at -= s->ask->first; st == DC_OK && n > 0;) {
        uint64_t chunk = at / s->ask->chunk, left = s->ask->chunk - at % s->ask->chunk;
        uint64_t here = n < left ? n : left;
        s->filled[chunk] += here;
        st = hand_on(s, chunk);
        at += here;
        n -= here;
    }
    return st;
}

/* Elements at .. at+n-1 of each of the rows first .. end-1. */
static dc_status read_window(stream *s, const uint64_t row[2], uint64_t at, uint64_t n)
{
    const dc_relayout_stream_ask *ask = s->ask;
    const dc_relayout *m = ask->m;
    size_t across =
        dc_box_cover(s->across, m, 0, s->unit.inner, (const uint64_t[2]){row[0], row[1] - row[0]});
    size_t along = dc_box_cover(s->along, m, s->unit.inner, m->axes, (const uint64_t[2]){at, n});
    for (size_t i = 0; i < across * along; i++) {
        s->box[i] = s->across[i / along];
        for (uint32_t a = s->unit.inner; a < m->axes; a++) {
            s->box[i].start[a] = s->along[i % along].start[a];
            s->box[i].count[a] = s->along[i % along].count[a];
        }
    }
    dc_status st = DC_OK;
    for (int i = 0; st == DC_OK && i < 2 && s->all[i]; i++) {
        const dc_box_copy to = {.m = m, .logical = s->all[i], .first = ask->first};
        st = dc_relayout_fetch_boxes(&to, ask->source[i], s->box, across * along);
    }
    for (uint64_t r = row[0]; st == DC_OK && r < row[1]; r++)
        st = note(s, r * s->unit.length + at, n);
    return st;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Elements from .. end-1, all of one unit. Its first row may begin late and its last end early:
 * windows stop there, so that in each a row is wanted or not. */
static dc_status read_unit(stream *s, uint64_t from, uint64_t end)
{
    uint64_t length = s->unit.length, first = from / length, last = (end - 1) / length;
    uint64_t late = from % length, early = (end - 1) % length + 1;
    dc_status st = DC_OK;
    for (uint64_t at = 0, to; st == DC_OK && at < length; at = to) {
        to = least(length, at + s->window);
        to = at < late ? least(to, late) : to;
        to = at < early ? least(to, early) : to;
        const uint64_t row[2] = {first + (at < late), last + (at < early)};
        if (row[0] < row[1])
            st = read_window(s, row, at, to - at);
    }
    return st;
}

static uint64_t unit_end(const stream *s, uint64_t at)
{
    const dc_relayout *m = s->ask->m;
    uint64_t row = at / s->unit.length, below = 1, stride;
    for (uint32_t a = s->unit.axis + 1; a < s->unit.inner; a++)
        below *= m->axis[a].len;
    uint64_t len = m->axis[s->unit.axis].len, index = row / below % len;
    uint64_t run = dc_box_run(&stride, m, s->unit.axis, index, len - index);
    return least((row / below + run) * below * s->unit.length, s->ask->first + s->ask->n);
}

dc_status dc_relayout_stream(const dc_relayout_stream_ask *ask)
{
    stream s = {.ask = ask, .unit = dc_relayout_unit_of(ask->m)};
    uint64_t fits = ask->source[0]->scratch_bytes / ask->m->item / s.unit.rows;
    s.window = fits ? fits : 1;
    dc_status st = reserve(&s);
    for (uint64_t at = ask->first, end; st == DC_OK && at < ask->first + ask->n; at = end) {
        end = unit_end(&s, at);
        st = read_unit(&s, at, end);
    }
    for (int i = 0; i < 2; i++)
        if (s.all[i])
            munmap(s.all[i], s.bytes);
    free(s.filled);
    free(s.box);
    return st;
}
