/* io/relayout_copy.c - moving elements through an index map; see relayout.h */
#include "io/relayout.h"

#include "io/relayout_move.h"

#include <string.h>

/* A place on the way through the axes. */
typedef struct place {
    uint64_t fixed, k[2];
} place;

static place step(const dc_relayout *m, place at, uint32_t axis, uint64_t n)
{
    at.fixed += m->axis[axis].stride * n;
    at.k[0] += m->axis[axis].into[0] * n;
    at.k[1] += m->axis[axis].into[1] * n;
    return at;
}

static uint64_t offset_of(const dc_relayout *m, place at)
{
    uint64_t rest = at.k[1] % m->digit[1].block;
    uint64_t k = at.k[0] + rest * m->digit[1].feeds;
    if (k >= m->digit[0].cut)
        k += m->digit[0].skip;
    return at.fixed + at.k[1] / m->digit[1].block * m->digit[1].outer + rest * m->digit[1].inner +
           k / m->digit[0].block * m->digit[0].outer + k % m->digit[0].block * m->digit[0].inner;
}

static uint64_t at_most(uint64_t n, uint64_t room, uint64_t each)
{
    uint64_t steps = room / each + (room % each != 0); /* room may be near 2^64 */
    return steps < n ? steps : n;
}

/* How many of the next n steps along an axis have one device stride, and which. */
static uint64_t run_of(uint64_t *stride, const dc_relayout *m, place at, uint32_t axis, uint64_t n)
{
    uint64_t rest = at.k[1] % m->digit[1].block, k = at.k[0] + rest * m->digit[1].feeds;
    uint64_t into1 = m->axis[axis].into[1];
    uint64_t into0 = m->axis[axis].into[0] + into1 * m->digit[1].feeds;
    *stride = m->axis[axis].stride + into0 * m->digit[0].inner + into1 * m->digit[1].inner;
    if (into1)
        n = at_most(n, m->digit[1].block - rest, into1);
    if (into0) {
        if (k < m->digit[0].cut)
            n = at_most(n, m->digit[0].cut - k, into0);
        else
            k += m->digit[0].skip;
        n = at_most(n, m->digit[0].block - k % m->digit[0].block, into0);
    }
    return n;
}

/* Part of the logical index space. */
typedef struct box {
    uint64_t start[DC_RELAYOUT_AXES], count[DC_RELAYOUT_AXES];
} box;

typedef struct job {
    const dc_relayout *m;
    bool scatter;
    unsigned char *device;            /* the element of offset `base` */
    uint64_t base;                    /* in elements */
    uint64_t flat[DC_RELAYOUT_AXES];  /* bytes from one index to the next on the logical side */
    const dc_relayout_source *source; /* of dc_relayout_fetch */
    uint32_t last, partner; /* axes of the columns and rows of a move; partner may be none */
} job;
enum { NONE = DC_RELAYOUT_AXES };

/* The axis to move together with the last: the one closest together on the device whose digits do
 * not mix with the last axis's. */
static uint32_t partner_of(const dc_relayout *m, const box *b)
{
    uint32_t best = NONE, last = m->axes - 1;
    uint64_t best_stride = UINT64_MAX;
    bool last_mixes = m->axis[last].into[0] || m->axis[last].into[1];
    for (uint32_t a = 0; a < last; a++) {
        bool mixes = m->axis[a].into[0] || m->axis[a].into[1];
        uint64_t stride = m->axis[a].stride + m->axis[a].into[0] * m->digit[0].inner +
                          m->axis[a].into[1] * m->digit[1].inner;
        bool apart = !(mixes && last_mixes) ||
                     (!m->digit[1].feeds && !(m->axis[a].into[0] && m->axis[last].into[0]) &&
                      !(m->axis[a].into[1] && m->axis[last].into[1]));
        if (b->count[a] > 1 && apart && stride < best_stride) {
            best = a;
            best_stride = stride;
        }
    }
    return best;
}

static void copy_plane(const job *j, const box *b, unsigned char *flat, place at)
{
    const dc_relayout *m = j->m;
    bool paired = j->partner != NONE;
    uint64_t rows = paired ? b->count[j->partner] : 1, columns = b->count[j->last];
    for (uint64_t r = 0, nr = 1; r < rows; r += nr) {
        uint64_t row_stride = 0, column_stride;
        place row = at;
        if (paired) {
            row = step(m, at, j->partner, r);
            nr = run_of(&row_stride, m, row, j->partner,
                        rows - r < DC_MOVE_TILE ? rows - r : DC_MOVE_TILE);
        }
        for (uint64_t c = 0, nc; c < columns; c += nc) {
            place first = step(m, row, j->last, c);
            nc = run_of(&column_stride, m, first, j->last, columns - c);
            dc_move_side device = {j->device + (offset_of(m, first) - j->base) * m->item,
                                   row_stride * m->item, column_stride * m->item};
            dc_move_side logical = {flat + c * m->item, paired ? j->flat[j->partner] : 0, m->item};
            if (paired)
                logical.at += r * j->flat[j->partner];
            dc_relayout_move(j->scatter ? device : logical, j->scatter ? logical : device, nr, nc,
                             m->item);
        }
    }
}

/* Go through the axes from `axis` on, but for the two that copy_plane takes. */
static void copy_axes(const job *j, const box *b, unsigned char *flat, place at, uint32_t axis)
{
    while (axis == j->partner)
        axis++;
    if (axis >= j->last) {
        copy_plane(j, b, flat, at);
        return;
    }
    for (uint64_t i = 0; i < b->count[axis]; i++)
        copy_axes(j, b, flat + i * j->flat[axis], step(j->m, at, axis, i), axis + 1);
}

static place start_of(const dc_relayout *m, const box *b)
{
    place at = {0, {0, 0}};
    for (uint32_t a = 0; a < m->axes; a++)
        at = step(m, at, a, b->start[a]);
    return at;
}

static dc_status copy_box(job *j, const box *b, unsigned char *flat)
{
    j->last = j->m->axes - 1;
    j->partner = partner_of(j->m, b);
    copy_axes(j, b, flat, start_of(j->m, b), 0);
    return DC_OK;
}

static place end_of(const dc_relayout *m, const box *b)
{
    place at = start_of(m, b);
    for (uint32_t a = 0; a < m->axes; a++)
        at = step(m, at, a, b->count[a] - 1);
    return at;
}

/* Halve b along the axis that spreads it most on the device, at a block's edge if it has blocks. */
static uint32_t halve(box half[2], const dc_relayout *m, const box *b)
{
    place start = start_of(m, b);
    uint32_t widest = 0;
    uint64_t spread = 0;
    for (uint32_t a = 0; a < m->axes; a++) {
        uint64_t s = offset_of(m, step(m, start, a, b->count[a] - 1)) - offset_of(m, start);
        if (b->count[a] > 1 && s >= spread) {
            widest = a;
            spread = s;
        }
    }
    uint64_t stride, count = b->count[widest], cut = count / 2;
    uint64_t run = run_of(&stride, m, start, widest, count);
    uint64_t block =
        run < count ? run_of(&stride, m, step(m, start, widest, run), widest, count) : 1;
    if (run < count)
        cut = run < cut ? run + (cut - run) / block * block : run;
    half[0] = half[1] = *b;
    half[0].count[widest] = cut;
    half[1].start[widest] += cut;
    half[1].count[widest] -= cut;
    return widest;
}

/* Bytes worth reading in one go even if most of them are not needed. */
#define WORTH ((uint64_t)16 * 1024)

static dc_status fetch_box(job *j, const box *b, unsigned char *flat)
{
    const dc_relayout *m = j->m;
    const dc_relayout_source *s = j->source;
    uint64_t low = offset_of(m, start_of(m, b)), elements = 1;
    uint64_t bytes = (offset_of(m, end_of(m, b)) - low + 1) * m->item;
    for (uint32_t a = 0; a < m->axes; a++)
        elements *= b->count[a];
    bool sparse = bytes > WORTH && bytes / 5 > elements * m->item / 4 && m->digit[0].block > 1;
    if (elements > 1 && (bytes > s->scratch_bytes || sparse)) {
        box half[2];
        uint32_t axis = halve(half, m, b);
        dc_status st = fetch_box(j, &half[0], flat);
        if (st == DC_OK)
            st = fetch_box(j, &half[1], flat + half[0].count[axis] * j->flat[axis]);
        return st;
    }
    dc_status st = s->read(s->context, s->scratch, low * m->item, (size_t)bytes);
    if (st != DC_OK)
        return st;
    j->device = s->scratch;
    j->base = low;
    return copy_box(j, b, flat);
}

/* Logical elements first..first+n-1 as at most 2*axes-1 boxes, each contiguous on the logical side.
 */
static dc_status each_box(job *j, unsigned char *flat, uint64_t first, uint64_t n)
{
    const dc_relayout *m = j->m;
    uint64_t below[DC_RELAYOUT_AXES] = {0};
    uint64_t stride = 1;
    for (uint32_t a = m->axes; a-- > 0; stride *= m->axis[a].len) {
        below[a] = stride;
        j->flat[a] = stride * m->item;
    }
    while (n > 0) {
        box b;
        uint32_t a = 0;
        uint64_t rest = first;
        for (;; a++) { /* down to the axis at which a whole index or more is wanted */
            b.start[a] =
                rest / below[a]; /* NOLINT(clang-analyzer-core.DivideZero): no axis is empty */
            b.count[a] = 1;
            rest %= below[a];
            if (rest == 0 && n >= below[a])
                break;
        }
        uint64_t left = m->axis[a].len - b.start[a], whole = n / below[a];
        b.count[a] = whole < left ? whole : left;
        uint64_t took = b.count[a] * below[a];
        for (a++; a < m->axes; a++) {
            b.start[a] = 0;
            b.count[a] = m->axis[a].len;
        }
        dc_status st = j->source ? fetch_box(j, &b, flat) : copy_box(j, &b, flat);
        if (st != DC_OK)
            return st;
        flat += took * m->item;
        first += took;
        n -= took;
    }
    return DC_OK;
}

uint64_t dc_relayout_offset(const dc_relayout *m, uint64_t i)
{
    place at = {0, {0, 0}};
    for (uint32_t a = m->axes; a-- > 0; i /= m->axis[a].len)
        at = step(m, at, a, i % m->axis[a].len);
    return offset_of(m, at);
}

void dc_relayout_gather(void *out, const dc_relayout *m, const void *device, uint64_t first,
                        size_t n)
{
    if (dc_relayout_is_identity(m)) {
        if (n)
            memcpy(out, (const unsigned char *)device + first * m->item, n * m->item);
        return;
    }
    job j = {.m = m, .device = (unsigned char *)(uintptr_t)device};
    dc_status st = each_box(&j, out, first, n);
    (void)st; /* nothing that can fail without a source */
}

void dc_relayout_scatter(void *device, const dc_relayout *m, const void *logical)
{
    job j = {.m = m, .scatter = true, .device = device};
    if (m->device_count)
        memset(device, 0, (size_t)m->device_count * m->item);
    if (dc_relayout_is_identity(m)) {
        if (m->count)
            memcpy(device, logical, (size_t)m->count * m->item);
        return;
    }
    dc_status st = each_box(&j, (unsigned char *)(uintptr_t)logical, 0, m->count);
    (void)st;
}

dc_status dc_relayout_fetch(void *out, const dc_relayout *m, const dc_relayout_source *source,
                            uint64_t first, size_t n)
{
    job j = {.m = m, .source = source};
    if (dc_relayout_is_identity(m))
        return n ? source->read(source->context, out, first * m->item, n * m->item) : DC_OK;
    return each_box(&j, out, first, n);
}

uint64_t dc_relayout_chunk(const dc_relayout *m, uint64_t most)
{
    uint64_t unit = 1, whole = 1;
    for (uint32_t a = m->axes; a-- > 0 && whole <= most; whole *= m->axis[a].len) {
        uint64_t stride, len = m->axis[a].len;
        uint64_t block = run_of(&stride, m, (place){0, {0, 0}}, a, len);
        unit = block < len && block <= most / whole ? whole * block : whole;
    }
    if (whole <= most)
        unit = whole;
    return most > unit ? most / unit * unit : unit;
}
