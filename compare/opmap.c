/* compare/opmap.c - see opmap.h */
#include "compare/opmap.h"

#include "compare/entry.h"
#include "compare/graph_marks.h"
#include "compare/graph_ways.h"
#include "compare/optype.h"
#include "io/format.h"
#include "io/golden.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SUB_GRAPH "sgt_graph_"
#define TEXT      2048 /* of a message; longer names are cut in it */

typedef struct mapper {
    const dc_opmap_ask *ask;
    const dc_graph *g; /* NULL without one */
    dc_pool *pool;
    dc_opmap_want *want;
    const char *op; /* without what FFTS+ adds to the names of parts */
} mapper;

static const char *op_name(const mapper *m)
{
    return m->op;
}

static bool ignores(const mapper *m, dc_match rule)
{
    return m->ask->ignore >> rule & 1;
}

static dc_status say(uint32_t *id, dc_pool *pool, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static dc_status say(uint32_t *id, dc_pool *pool, const char *format, ...)
{
    char text[TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return dc_pool_adds(id, pool, text);
}

static dc_status refuse(mapper *m, dc_pairing why, const char *reason, const char *name)
{
    m->want->pairing = (uint8_t)why;
    return say(&m->want->reason, m->pool, reason, name); /* NOLINT: formats are ours */
}

/* Say which golden: output `output` of the operator called `name`. */
static dc_status settle(mapper *m, dc_match match, const char *name, uint32_t output)
{
    if (match == DC_MATCH_NAME && ignores(m, DC_MATCH_NAME))
        return refuse(m, DC_NOT_EXPECTED, "only the name of %s could tell, and that is left out",
                      op_name(m));
    m->want->match = (uint8_t)match;
    m->want->output = output;
    dc_status st = say(&m->want->label, m->pool, "%s:%u", name, output);
    return st == DC_OK ? dc_pool_adds(&m->want->name, m->pool, name) : st;
}

/* Has the framework no such values? Quantised ones, and those within a fused operator; op may be
 * NULL. True: refused, *st says how that went. */
static bool is_marked(dc_status *st, mapper *m, const dc_gop *op, const char *type)
{
    uint8_t mark = op && m->ask->marks ? m->ask->marks[op - m->g->op] : 0;
    const char *name = op ? dc_graph_text(m->g, op->name) : op_name(m);
    if (mark & DC_MARK_L1_INNER)
        *st = refuse(m, DC_FUSED_AWAY, "%s is within an L1 fusion", name);
    else if (mark & DC_MARK_QUANTISED || (!op && dc_optype_quantises(type)))
        *st = refuse(m, DC_NOT_EXPECTED, "%s gives quantised values", name);
    else
        return false;
    return true;
}

/* The operator whose part this is: without the number of the part and, where no graph knows it,
 * what stands before its own name ("..._sgt_graph_0_"). Source: msaccucmp. */
static dc_status whole_op(mapper *m)
{
    uint32_t id;
    const char *at = strstr(m->op, "_lxslice"), *own = m->op;
    size_t n = at ? (size_t)(at - m->op) : strlen(m->op);
    for (const char *next = m->op; !m->g && (next = strstr(next, SUB_GRAPH)) != NULL;) {
        next += strlen(SUB_GRAPH);
        size_t digits = strspn(next, "0123456789");
        if (digits && next[digits] == '_' && (size_t)(next + digits + 1 - m->op) < n)
            own = next + digits + 1;
    }
    dc_status st = dc_pool_add(&id, m->pool, own, n - (size_t)(own - m->op));
    if (st == DC_OK)
        m->op = dc_pool_text(m->pool, id);
    return st;
}

/* An FFTS+ slice: only a part of a tensor is in its file. */
static bool is_slice(const char *name)
{
    const char *at = strstr(name, "_lxslice");
    return at && strspn(at + 8, "0123456789") == strlen(at + 8) && at[8];
}

/* The operator in the graph; among namesakes the one of the file's type that has a task. *n tells
 * how many are left. */
static const dc_gop *find_op(size_t *n, const mapper *m)
{
    *n = 0;
    if (!m->g)
        return NULL;
    dc_gfound f = dc_graph_by_name(m->g, op_name(m));
    if (!f.n)
        f = dc_graph_by_clean_name(m->g, op_name(m));
    const char *type = dc_pool_text(m->ask->names, m->ask->tensor->op_type);
    const dc_gop *only = NULL;
    for (size_t i = 0; i < f.n; i++) {
        const dc_gop *op = &m->g->op[f.op[i]];
        bool same_type = dc_golden_likeness(type, dc_graph_text(m->g, op->type)) < 3;
        if (f.n > 1 && (!same_type || (op->flags & DC_GOP_NO_TASK)))
            continue;
        only = op;
        ++*n;
    }
    return only;
}

static const char *text_or_empty(const dc_graph *g, uint32_t id)
{
    return id == DC_NO_STR ? "" : dc_graph_text(g, id);
}

static void take_format(mapper *m, const dc_gtensor *t)
{
    int16_t format = t->dump_format >= 0 ? t->dump_format : t->origin_format;
    if (m->want->format == DC_FORMAT_UNSAID && format >= 0)
        m->want->format = (uint32_t)format;
}

static dc_status take_shape(mapper *m, const dc_gtensor *t)
{
    dc_shape shape;
    char text[DC_SHAPE_TEXT];
    if (m->want->shape != DC_NO_STR || !dc_graph_origin_shape(&shape, m->g, t))
        return DC_OK;
    dc_shape_print(text, &shape);
    return dc_pool_adds(&m->want->shape, m->pool, text);
}

/* The golden of an operator whose output says nothing: by its list of original names. */
static dc_status settle_by_originals(mapper *m, const dc_gop *op, uint32_t output)
{
    const char *name = dc_graph_text(m->g, op->name);
    if (op->original_state == DC_ORIGINALS_ABSENT)
        return settle(m, DC_MATCH_NAME, name, output);
    if (op->flags & DC_GOP_MULTI)
        return refuse(m, DC_FUSED_AWAY, "an inner tensor of the operators that %s became",
                      dc_graph_text(m->g, m->g->text[op->originals.first]));
    const char *last = dc_graph_text(m->g, m->g->text[op->originals.first + op->originals.n - 1]);
    if (op->originals.n == 1 && !dc_graph_gives(m->g, op, last))
        return refuse(m, DC_FUSED_AWAY,
                      "%s became several operators; the graph does not say that this one gives its "
                      "output",
                      last);
    if (op->originals.n > 1) {
        dc_status st = say(&m->want->note, m->pool,
                           "%s is fused from %u operators and the graph does not say whose output "
                           "this is: %s, the last, is assumed",
                           name, op->originals.n, last);
        if (st != DC_OK)
            return st;
    }
    return settle(m, DC_MATCH_GRAPH, last, output);
}

/* Output `output` of a graph's operator: the header's part is done or not to be had. */
static dc_status settle_output(mapper *m, const dc_gop *op, uint32_t output)
{
    const char *name = dc_graph_text(m->g, op->name);
    if (dc_graph_inserted(m->g, op))
        return refuse(m, DC_INSERTED, "the graph engine inserted %s", name);
    if (dc_optype_get(dc_graph_text(m->g, op->type))->source ||
        dc_optype_collective(dc_graph_text(m->g, op->type)))
        m->want->missing = DC_NOT_EXPECTED;
    dc_status st;
    if (is_marked(&st, m, op, ""))
        return st;
    if (output >= op->out.n)
        return settle_by_originals(m, op, output);
    const dc_gtensor *t = &m->g->tensor[op->out.first + output];
    take_format(m, t);
    st = take_shape(m, t);
    const char *origin = text_or_empty(m->g, t->origin_name);
    if (st != DC_OK)
        return st;
    const char *fused = text_or_empty(m->g, t->fusion_name);
    if (!*origin && *fused) /* fused on the chip: the operator that gave this output before */
        return settle(m, DC_MATCH_GRAPH, fused,
                      t->fusion_index < 0 ? output : (uint32_t)t->fusion_index);
    if (!*origin)
        return settle_by_originals(m, op, output);
    return settle(m, DC_MATCH_GRAPH, origin,
                  t->origin_index < 0 ? output : (uint32_t)t->origin_index);
}

/* The tensor's place among the operator's inputs or outputs; refused if that is not clear. */
static dc_status find_slot(uint32_t *slot, mapper *m, const dc_gop *op)
{
    const dc_tensor *t = m->ask->tensor;
    const char *what = t->direction == DC_OUTPUT ? "output" : "input";
    const dc_entry entry = {t, m->ask->names, m->ask->entries};
    switch (dc_entry_slot(slot, m->g, op, &entry)) {
    case DC_ENTRY_UNCLEAR:
        m->want->pairing = DC_AMBIGUOUS;
        return say(&m->want->reason, m->pool,
                   "%s %u in the file may be one of several %ss of %s: some were not dumped, and "
                   "those left out are alike",
                   what, t->slot, what, op_name(m));
    case DC_ENTRY_MOVED:
        return say(&m->want->note, m->pool, "%s %u in the file is %s %u of %s: type and shape tell",
                   what, t->slot, what, *slot, op_name(m));
    default:
        return DC_OK;
    }
}

/* The header names the original operator, and its output unless that is unset: then it is the
 * tensor's own place, which a graph may know better than the file. op may be NULL. */
static dc_status settle_by_header(mapper *m, const dc_gop *op, const char *origin)
{
    const dc_tensor *t = m->ask->tensor;
    uint32_t slot = t->slot;
    bool unset = t->origin_slot == DC_UNSET;
    dc_status st = op && unset ? find_slot(&slot, m, op) : DC_OK;
    if (st != DC_OK || m->want->pairing != DC_PAIRED)
        return st;
    if (op && slot < op->out.n)
        take_format(m, &m->g->tensor[op->out.first + slot]);
    return settle(m, DC_MATCH_HEADER, origin, unset ? slot : t->origin_slot);
}

static dc_status answer_output(mapper *m, const dc_gop *op, size_t namesakes)
{
    const dc_tensor *t = m->ask->tensor;
    bool header = !ignores(m, DC_MATCH_HEADER);
    const char *origin = header ? dc_pool_text(m->ask->names, t->origin_op) : "";
    const char *type = dc_pool_text(m->ask->names, t->op_type);
    if (op ? dc_graph_inserted(m->g, op) : dc_optype_inserted(type, op_name(m)))
        return refuse(m, DC_INSERTED, "the graph engine inserted %s", op_name(m));
    dc_status st;
    if (namesakes < 2 && is_marked(&st, m, op, type))
        return st;
    if (dc_optype_collective(type) || dc_optype_get(type)->source)
        m->want->missing = DC_NOT_EXPECTED;
    if (t->origin_format != 255 && header)
        m->want->format = t->origin_format;
    if (*origin)
        return settle_by_header(m, namesakes == 1 ? op : NULL, origin);
    if (namesakes > 1)
        return refuse(m, DC_AMBIGUOUS, "several operators of the graph are called %s", op_name(m));
    if (op) {
        uint32_t slot;
        dc_status found = find_slot(&slot, m, op);
        return found == DC_OK && m->want->pairing == DC_PAIRED ? settle_output(m, op, slot) : found;
    }
    if (dc_optype_has_addition(type, m->ask->inputs))
        return refuse(m, DC_AMBIGUOUS,
                      "%s has an input more than a framework's: something was fused into it, and "
                      "only a graph or the header tells whose output this is",
                      op_name(m));
    st = DC_OK;
    if (m->g)
        st = say(&m->want->note, m->pool, "%s is not in the graph %s", op_name(m), m->g->path);
    return st == DC_OK ? settle(m, DC_MATCH_NAME, op_name(m), t->slot) : st;
}

static dc_status answer_edge(mapper *m, const dc_gop *op, const dc_gedge *e)
{
    const dc_gedge *up;
    for (uint32_t steps = 0; e->producer != DC_NO_OP && (up = dc_graph_upstream(m->g, e)) != NULL;
         steps++) {
        if (steps > m->g->nop)
            return refuse(m, DC_NOT_COMPARABLE, "the graph goes round in a circle above %s",
                          op_name(m));
        e = up;
    }
    if (e->producer == DC_NO_OP) {
        m->want->missing = DC_NOT_EXPECTED;
        return settle(m, DC_MATCH_GRAPH, dc_graph_text(m->g, e->name), e->output);
    }
    dc_status st = settle_output(m, &m->g->op[e->producer], e->output);
    if (st == DC_OK && e->slot < op->in_desc.n)
        take_format(m, &m->g->tensor[op->in_desc.first + e->slot]);
    return st;
}

static dc_status answer_input(mapper *m, const dc_gop *op, size_t namesakes)
{
    const dc_tensor *t = m->ask->tensor;
    if (namesakes > 1)
        return refuse(m, DC_AMBIGUOUS, "several operators of the graph are called %s", op_name(m));
    if (dc_optype_dequantises(dc_pool_text(m->ask->names, t->op_type)))
        return refuse(m, DC_NOT_EXPECTED, "%s takes quantised values", op_name(m));
    uint32_t slot;
    dc_status st = op ? find_slot(&slot, m, op) : DC_OK;
    if (st != DC_OK || m->want->pairing != DC_PAIRED)
        return st;
    if (op && slot < op->in.n)
        return answer_edge(m, op, &m->g->edge[op->in.first + slot]);
    st = dc_pool_adds(&m->want->reason, m->pool,
                      op     ? "the operator has fewer inputs in the graph than in the dump"
                      : m->g ? "the operator is not in the graph: nothing tells where its inputs "
                               "come from"
                             : "without a graph nothing tells where inputs come from");
    char name[TEXT];
    snprintf(name, sizeof name, "input_%s", op_name(m));
    m->want->missing = DC_NOT_EXPECTED;
    return st == DC_OK ? settle(m, DC_MATCH_NAME, name, t->slot) : st;
}

dc_status dc_opmap_answer(dc_opmap_want *out, const dc_opmap_ask *ask, dc_pool *pool)
{
    const dc_tensor *t = ask->tensor;
    const char *shape = dc_pool_text(ask->names, t->original_shape);
    *out = (dc_opmap_want){.shape = DC_NO_STR,
                           .format = DC_FORMAT_UNSAID,
                           .pairing = DC_PAIRED,
                           .missing = DC_NO_GOLDEN};
    mapper m = {ask, ask->graph, pool, out, dc_pool_text(ask->names, t->op)};
    size_t namesakes;
    bool part = *dc_pool_text(ask->names, t->cut) != '\0';
    dc_status st = part ? whole_op(&m) : DC_OK;
    if (st != DC_OK)
        return st;
    const dc_gop *op = find_op(&namesakes, &m);
    if (t->direction != DC_INPUT && t->direction != DC_OUTPUT)
        return refuse(&m, DC_NOT_EXPECTED, "work space of %s, which no framework knows",
                      op_name(&m));
    if (is_slice(op_name(&m)))
        return refuse(&m, DC_NOT_COMPARABLE, "%s is one slice of an FFTS+ operator", op_name(&m));
    bool scalar = !*dc_pool_text(ask->names, t->shape) && t->bytes;
    if (!part && (*shape || scalar)) /* an empty text is a scalar or nothing said */
        st = dc_pool_adds(&out->shape, pool, shape);
    if (st != DC_OK)
        return st;
    return t->direction == DC_OUTPUT ? answer_output(&m, op, namesakes)
                                     : answer_input(&m, op, namesakes);
}

uint32_t dc_opmap_correct_format(uint32_t format, const dc_shape *logical, const dc_shape *golden)
{
    const uint64_t *s = logical->dim, *a = golden->dim;
    if (logical->rank != 4 || golden->rank != 4 || dc_shape_equal(logical, golden) || s[0] != a[0])
        return format;
    if (format == DC_FORMAT_NHWC && s[1] == a[2] && s[2] == a[3] && s[3] == a[1])
        return DC_FORMAT_NCHW;
    if (format == DC_FORMAT_NCHW && s[1] == a[3] && s[2] == a[1] && s[3] == a[2])
        return DC_FORMAT_NHWC;
    return format;
}
