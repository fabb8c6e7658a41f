/* io/relayout_fetch.c - reading through an index map from an array that is not in memory; see
 * relayout.h */
#include "io/relayout_fetch.h"

/* Bytes worth reading in one go even if most of them are not needed, and worth reading between two
 * pieces that are: a read costs as much as copying a few hundred. */
enum { WORTH = DC_RELAYOUT_WORTH };

/* Pieces of the array that lie close together and are read at once. */
enum { PIECES = 64 };
typedef struct job {
    dc_box_copy copy;
    const dc_relayout_source *source;
    const dc_box *want;
    size_t wants;
    dc_box piece[PIECES];
    size_t pieces;
    uint64_t low, end; /* device elements of all pieces */
} job;

static dc_status read_pieces(job *j)
{
    const dc_relayout *m = j->copy.m;
    const dc_relayout_source *s = j->source;
    dc_box part;
    if (j->pieces == 0)
        return DC_OK;
    dc_status st =
        s->read(s->context, s->scratch, j->low * m->item, (size_t)(j->end - j->low) * m->item);
    j->copy.device = s->scratch;
    j->copy.base = j->low;
    for (size_t p = 0; st == DC_OK && p < j->pieces; p++)
        for (size_t i = 0; i < j->wants; i++)
            if (dc_box_meet(&part, m, &j->piece[p], &j->want[i]))
                dc_box_move(&j->copy, &part);
    j->pieces = 0;
    return st;
}

static dc_status add_piece(job *j, const dc_box *b, const uint64_t span[2])
{
    const uint64_t room = j->source->scratch_bytes / j->copy.m->item;
    bool follows = j->pieces && j->pieces < PIECES && span[0] >= j->low &&
                   span[0] <= j->end + WORTH / j->copy.m->item && span[1] - j->low < room;
    dc_status st = follows ? DC_OK : read_pieces(j);
    if (st != DC_OK)
        return st;
    if (j->pieces == 0) {
        j->low = span[0];
        j->end = 0;
    }
    j->end = span[1] < j->end ? j->end : span[1] + 1;
    j->piece[j->pieces++] = *b;
    return DC_OK;
}

/* How many wanted elements are in the region; *bounds is the smallest box around them. */
static uint64_t wanted(dc_box *bounds, const job *j, const dc_box *region)
{
    const dc_relayout *m = j->copy.m;
    uint64_t n = 0;
    dc_box part;
    for (size_t i = 0; i < j->wants; i++) {
        if (!dc_box_meet(&part, m, region, &j->want[i]))
            continue;
        if (n == 0)
            *bounds = part;
        n += dc_box_elements(m, &part);
        for (uint32_t a = 0; a < m->axes; a++) {
            uint64_t *from = &bounds->start[a], to = *from + bounds->count[a];
            uint64_t end = part.start[a] + part.count[a];
            *from = part.start[a] < *from ? part.start[a] : *from;
            bounds->count[a] = (end > to ? end : to) - *from;
        }
    }
    return n;
}

static dc_status fetch_region(job *j, const dc_box *region)
{
    const dc_relayout *m = j->copy.m;
    dc_box b;
    uint64_t span[2], n = wanted(&b, j, region);
    if (n == 0)
        return DC_OK;
    dc_box_span(span, m, &b);
    uint64_t elements = span[1] - span[0] + 1;
    bool dense = elements * m->item <= WORTH || n >= elements / 10 * 9;
    if (n == 1 || (dense && elements * m->item <= j->source->scratch_bytes))
        return add_piece(j, &b, span);
    dc_box half[2];
    dc_box_halve(half, m, &b);
    dc_status st = fetch_region(j, &half[0]);
    return st == DC_OK ? fetch_region(j, &half[1]) : st;
}

dc_status dc_relayout_fetch_boxes(const dc_box_copy *to, const dc_relayout_source *source,
                                  const dc_box *box, size_t boxes)
{
    job j = {.copy = *to, .source = source, .want = box, .wants = boxes};
    dc_box all;
    for (uint32_t a = 0; a < to->m->axes; a++) {
        all.start[a] = 0;
        all.count[a] = to->m->axis[a].len;
    }
    dc_status st = fetch_region(&j, &all);
    return st == DC_OK ? read_pieces(&j) : st;
}

dc_status dc_relayout_fetch(void *out, const dc_relayout *m, const dc_relayout_source *source,
                            uint64_t first, size_t n)
{
    if (dc_relayout_is_identity(m))
        return n ? source->read(source->context, out, first * m->item, n * m->item) : DC_OK;
    dc_box box[DC_BOXES(DC_RELAYOUT_AXES)];
    const dc_box_copy to = {.m = m, .logical = out, .first = first};
    size_t boxes = dc_box_cover(box, m, 0, m->axes, (const uint64_t[2]){first, n});
    return dc_relayout_fetch_boxes(&to, source, box, boxes);
}
