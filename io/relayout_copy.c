/* io/relayout_copy.c - moving elements through an index map; see relayout.h */
#include "io/relayout_box.h"
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

/* A move on its way. */
typedef struct job {
    const dc_box_copy *c;
    uint64_t flat[DC_RELAYOUT_AXES]; /* bytes from one index to the next on the logical side */
    uint32_t last, partner; /* axes of the columns and rows of a move; partner may be none */
} job;
enum { NONE = DC_RELAYOUT_AXES };

/* The axis to move together with the last: the one closest together on the device whose digits do
 * not mix with the last axis's. */
static uint32_t partner_of(const dc_relayout *m, const dc_box *b)
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

static void copy_plane(const job *j, const dc_box *b, unsigned char *flat, place at)
{
    const dc_relayout *m = j->c->m;
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
            dc_move_side device = {j->c->device + (offset_of(m, first) - j->c->base) * m->item,
                                   row_stride * m->item, column_stride * m->item};
            dc_move_side logical = {flat + c * m->item, paired ? j->flat[j->partner] : 0, m->item};
            if (paired)
                logical.at += r * j->flat[j->partner];
            dc_relayout_move(j->c->scatter ? device : logical, j->c->scatter ? logical : device, nr,
                             nc, m->item);
        }
    }
}

/* Go through the axes from `axis` on, but for the two that copy_plane takes. */
static void copy_axes(const job *j, const dc_box *b, unsigned char *flat, place at, uint32_t axis)
{
    while (axis == j->partner)
        axis++;
    if (axis >= j->last) {
        copy_plane(j, b, flat, at);
        return;
    }
    for (uint64_t i = 0; i < b->count[axis]; i++)
        copy_axes(j, b, flat + i * j->flat[axis], step(j->c->m, at, axis, i), axis + 1);
}

static place start_of(const dc_relayout *m, const dc_box *b)
{
    place at = {0, {0, 0}};
    for (uint32_t a = 0; a < m->axes; a++)
        at = step(m, at, a, b->start[a]);
    return at;
}

static uint64_t strides(uint64_t below[DC_RELAYOUT_AXES], const dc_relayout *m, const dc_box *b)
{
    uint64_t stride = 1, first = 0;
    for (uint32_t a = m->axes; a-- > 0; stride *= m->axis[a].len) {
        below[a] = stride;
        first += b->start[a] * stride;
    }
    return first;
}

void dc_box_move(const dc_box_copy *c, const dc_box *b)
{
    const dc_relayout *m = c->m;
    job j = {.c = c, .last = m->axes - 1, .partner = partner_of(m, b)};
    uint64_t first = strides(j.flat, m, b);
    for (uint32_t a = 0; a < m->axes; a++)
        j.flat[a] *= m->item;
    copy_axes(&j, b, c->logical + (first - c->first) * m->item, start_of(m, b), 0);
}

uint64_t dc_box_first(const dc_relayout *m, const dc_box *b)
{
    uint64_t below[DC_RELAYOUT_AXES];
    return strides(below, m, b);
}

uint64_t dc_box_elements(const dc_relayout *m, const dc_box *b)
{
    uint64_t n = 1;
    for (uint32_t a = 0; a < m->axes; a++)
        n *= b->count[a];
    return n;
}

void dc_box_span(uint64_t span[2], const dc_relayout *m, const dc_box *b)
{
    place at = start_of(m, b);
    span[0] = offset_of(m, at);
    for (uint32_t a = 0; a < m->axes; a++)
        at = step(m, at, a, b->count[a] - 1);
    span[1] = offset_of(m, at);
}

bool dc_box_meet(dc_box *out, const dc_relayout *m, const dc_box *a, const dc_box *b)
{
    for (uint32_t i = 0; i < m->axes; i++) {
        uint64_t from = a->start[i] > b->start[i] ? a->start[i] : b->start[i];
        uint64_t ends[2] = {a->start[i] + a->count[i], b->start[i] + b->count[i]};
        uint64_t to = ends[0] < ends[1] ? ends[0] : ends[1];
        if (from >= to)
            return false;
        out->start[i] = from;
        out->count[i] = to - from;
    }
    return true;
}

uint64_t dc_box_run(uint64_t *stride, const dc_relayout *m, uint32_t axis, uint64_t at, uint64_t n)
{
    return run_of(stride, m, step(m, (place){0, {0, 0}}, axis, at), axis, n);
}

void dc_box_halve(dc_box half[2], const dc_relayout *m, const dc_box *b)
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
    if (run < count && block)
        cut = run < cut ? run + (cut - run) / block * block : run;
    half[0] = half[1] = *b;
    half[0].count[widest] = cut;
    half[1].start[widest] += cut;
    half[1].count[widest] -= cut;
}

size_t dc_box_cover(dc_box *out, const dc_relayout *m, uint32_t from, uint32_t to,
                    const uint64_t range[2])
{
    uint64_t below[DC_RELAYOUT_AXES] = {0}, first = range[0], n = range[1];
    uint64_t stride = 1;
    size_t boxes = 0;
    for (uint32_t a = to; a-- > from; stride *= m->axis[a].len)
        below[a] = stride;
    while (n > 0) {
        dc_box *b = &out[boxes++];
        uint32_t a = from;
        uint64_t rest = first;
        for (;; a++) { /* down to the axis at which a whole index or more is wanted */
            b->start[a] =
                rest / below[a]; /* NOLINT(clang-analyzer-core.DivideZero): no axis is empty */
            b->count[a] = 1;
            rest %= below[a];
            if (rest == 0 && n >= below[a])
                break;
        }
        uint64_t left = m->axis[a].len - b->start[a], whole = n / below[a];
        b->count[a] = whole < left ? whole : left;
        uint64_t took = b->count[a] * below[a];
        for (a++; a < to; a++) {
            b->start[a] = 0;
            b->count[a] = m->axis[a].len;
        }
        first += took;
        n -= took;
    }
    return boxes;
}

uint64_t dc_relayout_offset(const dc_relayout *m, uint64_t i)
{
    place at = {0, {0, 0}};
    for (uint32_t a = m->axes; a-- > 0; i /= m->axis[a].len)
        at = step(m, at, a, i % m->axis[a].len);
    return offset_of(m, at);
}

static void copy_range(const dc_box_copy *c, uint64_t first, uint64_t n)
{
    dc_box box[DC_BOXES(DC_RELAYOUT_AXES)];
    size_t boxes = dc_box_cover(box, c->m, 0, c->m->axes, (const uint64_t[2]){first, n});
    for (size_t i = 0; i < boxes; i++)
        dc_box_move(c, &box[i]);
}

void dc_relayout_gather(void *out, const dc_relayout *m, const void *device, uint64_t first,
                        size_t n)
{
    if (dc_relayout_is_identity(m)) {
        if (n)
            memcpy(out, (const unsigned char *)device + first * m->item, n * m->item);
        return;
    }
    const dc_box_copy c = {
        .m = m, .device = (unsigned char *)(uintptr_t)device, .logical = out, .first = first};
    copy_range(&c, first, n);
}

void dc_relayout_scatter(void *device, const dc_relayout *m, const void *logical)
{
    if (m->device_count)
        memset(device, 0, (size_t)m->device_count * m->item);
    if (dc_relayout_is_identity(m)) {
        if (m->count)
            memcpy(device, logical, (size_t)m->count * m->item);
        return;
    }
    const dc_box_copy c = {
        .m = m, .device = device, .logical = (unsigned char *)(uintptr_t)logical, .scatter = true};
    copy_range(&c, 0, m->count);
}
