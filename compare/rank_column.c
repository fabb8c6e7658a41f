/* compare/rank_column.c - see rank_column.h */
#include "compare/rank_column.h"

#include "compare/column.h"
#include "io/text_out.h"
#include "io/word.h"

#include <inttypes.h>

typedef dc_status (*writer)(dc_buf *out, const dc_rank_line *l);
typedef bool (*keep_member)(const dc_rank_line *l, size_t member);

static const dc_tensor *tensor(const dc_rank_line *l)
{
    return &l->sets->member[l->set->first].at.t;
}

static bool any(const dc_rank_line *l, size_t member)
{
    (void)l;
    (void)member;
    return true;
}

static bool agrees(const dc_rank_line *l, size_t member)
{
    return dc_rank_sets_agrees(l->sets, l->set, member, l->tolerant);
}

static bool deviates(const dc_rank_line *l, size_t member)
{
    return l->sets->member[member].group != DC_NO_GROUP && !agrees(l, member);
}

static bool other_bits(const dc_rank_line *l, size_t member)
{
    return agrees(l, member) && l->sets->member[member].group != l->set->reference;
}

static bool in_group(const dc_rank_line *l, size_t member)
{
    return l->sets->member[member].group == l->group;
}

static bool lost(const dc_rank_line *l, size_t member)
{
    return l->sets->member[member].state == DC_MEMBER_LOST;
}

/* Append rank `first`..`last` of a list. */
static dc_status put_range(dc_buf *out, const char *comma, int32_t first, int32_t last)
{
    if (first == last)
        return dc_buf_printf(out, "%s%" PRId32, comma, first);
    return dc_buf_printf(out, "%s%" PRId32 "-%" PRId32, comma, first, last);
}

/* "0-2,5" of the members that keep is true of. */
static dc_status put_ranks(dc_buf *out, const dc_rank_line *l, keep_member keep)
{
    const char *comma = "";
    int32_t first = 0, last = 0;
    bool open = false;
    dc_status st = DC_OK;
    for (size_t i = l->set->first; st == DC_OK && i < l->set->first + l->set->n; i++) {
        int32_t rank = l->sets->member[i].at.t.rank;
        if (!keep(l, i))
            continue;
        if (open && rank > last + 1) {
            st = put_range(out, comma, first, last);
            comma = ",";
            open = false;
        }
        if (!open)
            first = rank;
        last = rank;
        open = true;
    }
    return st == DC_OK && open ? put_range(out, comma, first, last) : st;
}

static dc_status write_run(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_printf(out, "%" PRId32, tensor(l)->run);
}

static dc_status write_model(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_puts(out, dc_pool_text(l->names, tensor(l)->model));
}

static dc_status write_step(dc_buf *out, const dc_rank_line *l)
{
    int64_t step = tensor(l)->step;
    return step < 0 ? DC_OK : dc_buf_printf(out, "%" PRId64, step);
}

static dc_status write_op_type(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_puts(out, dc_pool_text(l->names, tensor(l)->op_type));
}

static dc_status write_op(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_puts(out, dc_pool_text(l->names, tensor(l)->op));
}

static dc_status write_direction(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_puts(out, dc_column_direction(tensor(l)->direction));
}

static dc_status write_slot(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_printf(out, "%" PRIu32, tensor(l)->slot);
}

static dc_status write_occurrence(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_printf(out, "%" PRIu32, tensor(l)->occurrence);
}

static dc_status write_ranks(dc_buf *out, const dc_rank_line *l)
{
    return put_ranks(out, l, any);
}

/* Groups of equal values: those that agree with the reference are one. */
static dc_status put_groups(dc_buf *out, const dc_rank_line *l, const char *between)
{
    dc_status st = DC_OK;
    bool agreed = false, begun = false;
    dc_rank_line one = *l;
    for (uint32_t g = 0; st == DC_OK && g < l->set->groups; g++) {
        one.group = g;
        bool same = agrees(l, dc_rank_sets_first(l->sets, l->set, g));
        if (same && agreed)
            continue;
        if (begun)
            st = dc_buf_puts(out, between);
        if (st == DC_OK)
            st = put_ranks(out, &one, same ? agrees : in_group);
        agreed = agreed || same;
        begun = true;
    }
    return st;
}

static dc_status write_groups(dc_buf *out, const dc_rank_line *l)
{
    return put_groups(out, l, "|");
}

static dc_status write_majority(dc_buf *out, const dc_rank_line *l)
{
    return l->judged.majority ? put_ranks(out, l, agrees) : DC_OK;
}

static dc_status write_deviating(dc_buf *out, const dc_rank_line *l)
{
    return l->judged.majority ? put_ranks(out, l, deviates) : DC_OK;
}

static dc_status write_worst(dc_buf *out, const dc_rank_line *l)
{
    size_t worst = l->judged.worst;
    return worst == SIZE_MAX ? DC_OK
                             : dc_buf_printf(out, "%" PRId32, l->sets->member[worst].at.t.rank);
}

static dc_status write_verdict(dc_buf *out, const dc_rank_line *l)
{
    return dc_buf_puts(out, dc_verdict_name(l->judged.verdict));
}

/* How the worst rank differs from the reference. */
static dc_status put_difference(dc_buf *out, const dc_rank_line *l)
{
    size_t worst = l->judged.worst;
    const dc_row *row = worst == SIZE_MAX ? NULL : l->sets->answer[worst];
    if (!row || !row->computed)
        return dc_buf_printf(out, "bytes differ%s%s", row && row->reason ? "; " : "",
                             row ? dc_pool_text(l->texts, row->reason) : "");
    dc_status st = dc_buf_printf(out, "%" PRIu64 " of %" PRIu64 " %s %s", row->m.differ, row->m.n,
                                 dc_word(row->m.n, "element", "elements"),
                                 dc_word(row->m.differ, "differs", "differ"));
    if (st == DC_OK && row->m.mismatch)
        st = dc_buf_printf(out, ", %" PRIu64 " by NaN or Inf", row->m.mismatch);
    if (st != DC_OK || row->m.differ == row->m.mismatch)
        return st;
    if (row->m.valid[DC_METRIC_MAX_ABS])
        st = dc_buf_printf(out, ", at most by %.6g", row->m.value[DC_METRIC_MAX_ABS]);
    if (st == DC_OK && row->m.valid[DC_METRIC_COSINE])
        st = dc_buf_printf(out, ", cosine %.6g", row->m.value[DC_METRIC_COSINE]);
    return st;
}

/* "ranks 1,3 deviate from 0,2", "no majority, ranks 0-1 against 2-3" */
static dc_status put_sides(dc_buf *out, const dc_rank_line *l)
{
    size_t n = 0;
    if (!l->judged.majority) {
        dc_status st = dc_buf_puts(out, "no majority, ranks ");
        return st == DC_OK ? put_groups(out, l, " against ") : st;
    }
    for (size_t i = l->set->first; i < l->set->first + l->set->n; i++)
        n += deviates(l, i);
    dc_status st = dc_buf_puts(out, n > 1 ? "ranks " : "rank ");
    if (st == DC_OK)
        st = put_ranks(out, l, deviates);
    if (st == DC_OK)
        st = dc_buf_puts(out, n > 1 ? " deviate from " : " deviates from ");
    return st == DC_OK ? put_ranks(out, l, agrees) : st;
}

static dc_status put_failure(dc_buf *out, const dc_rank_line *l)
{
    dc_status st = put_sides(out, l);
    if (st == DC_OK)
        st = dc_buf_puts(out, ": ");
    if (st == DC_OK && l->set->groups > 2 && l->judged.worst != SIZE_MAX)
        st = dc_buf_printf(out, "rank %" PRId32 " most, ",
                           l->sets->member[l->judged.worst].at.t.rank);
    return st == DC_OK ? put_difference(out, l) : st;
}

static dc_status put_listed(dc_buf *out, const char *before, const dc_rank_line *l,
                            keep_member keep)
{
    dc_status st = dc_buf_puts(out, before);
    return st == DC_OK ? put_ranks(out, l, keep) : st;
}

static dc_status write_reason(dc_buf *out, const dc_rank_line *l)
{
    dc_status st = DC_OK;
    if (l->judged.verdict == DC_FAIL)
        st = put_failure(out, l);
    else if (l->set->held < 2 && !l->set->lost)
        st = dc_buf_puts(out, l->set->held ? "one rank alone has it" : "nothing was dumped");
    else if (l->judged.relaxed)
        st = put_listed(out,
                        l->tolerant ? "within the tolerance: bits differ on ranks "
                                    : "values are equal, bits differ on ranks ",
                        l, other_bits);
    if (st == DC_OK && l->set->lost)
        st = put_listed(out,
                        out->n && l->judged.verdict == DC_FAIL ? "; cannot be read: ranks "
                                                               : "cannot be read: ranks ",
                        l, lost);
    return st;
}

static const struct {
    const char *name;
    writer write; /* NULL: metric `metric` */
    dc_metric_id metric;
    bool text;
} columns[] = {
#define X(name, kind, cell)                                                                        \
    {#name, write_##cell, DC_METRIC_COUNT, DC_COLUMN_##kind == DC_COLUMN_TEXT},
    DC_RANK_COLUMNS_BEFORE(X)
#undef X
#define X(id, name) {name, NULL, DC_METRIC_##id, DC_METRIC_##id == DC_METRIC_STD},
        DC_METRICS(X)
#undef X
#define X(name, kind, cell)                                                                        \
    {#name, write_##cell, DC_METRIC_COUNT, DC_COLUMN_##kind == DC_COLUMN_TEXT},
            DC_RANK_COLUMNS_AFTER(X)
#undef X
};

enum { COLUMNS = sizeof columns / sizeof *columns };

dc_status dc_rank_csv_head(dc_buf *out, bool excel)
{
    dc_status st = dc_buf_puts(out, excel ? "\xef\xbb\xbf" : "");
    for (size_t c = 0; st == DC_OK && c < COLUMNS; c++)
        st = dc_buf_printf(out, "%s%s", c ? "," : "", columns[c].name);
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

static dc_status put_cell(dc_buf *out, size_t column, const dc_rank_line *l)
{
    if (columns[column].write)
        return columns[column].write(out, l);
    const dc_row *row = l->judged.worst == SIZE_MAX ? NULL : l->sets->answer[l->judged.worst];
    return row ? dc_column_metric(out, row, columns[column].metric, l->metrics) : DC_OK;
}

dc_status dc_rank_csv_row(dc_buf *out, const dc_rank_line *l, bool excel)
{
    dc_buf cell = {0};
    dc_status st = DC_OK;
    for (size_t c = 0; st == DC_OK && c < COLUMNS; c++) {
        cell.n = 0;
        st = put_cell(&cell, c, l);
        if (st == DC_OK)
            st = dc_buf_add(&cell, "", 1);
        if (st == DC_OK && c)
            st = dc_buf_puts(out, ",");
        if (st == DC_OK)
            st = dc_csv_cell(out, cell.data, columns[c].text && excel);
    }
    dc_buf_free(&cell);
    return st == DC_OK ? dc_buf_puts(out, "\n") : st;
}

dc_status dc_rank_words(dc_buf *out, const dc_rank_line *l)
{
    const dc_tensor *t = tensor(l);
    dc_buf reason = {0};
    dc_status st = write_reason(&reason, l);
    if (st == DC_OK)
        st = dc_buf_add(&reason, "", 1);
    if (st == DC_OK)
        st = dc_buf_printf(out, "%s %s %" PRIu32 ", step %" PRId64 ": %s\n",
                           dc_pool_text(l->names, t->op), dc_column_direction(t->direction),
                           t->slot, t->step, reason.data);
    dc_buf_free(&reason);
    return st;
}
