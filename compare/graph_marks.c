/* compare/graph_marks.c - see graph_marks.h */
#include "compare/graph_marks.h"

#include "compare/optype.h"
#include "io/dtype.h"

#include <stdlib.h>
#include <string.h>

/* Is one of the words in the operator's name or in one of its original names? */
static bool is_called(const dc_graph *g, const dc_gop *op, const char *const *word, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (strstr(dc_graph_text(g, op->name), word[i]))
            return true;
        for (uint32_t k = 0; k < op->originals.n; k++)
            if (strstr(dc_graph_text(g, g->text[op->originals.first + k]), word[i]))
                return true;
    }
    return false;
}

static bool any_output(const dc_graph *g, const dc_gop *op, dc_kind kind, uint32_t bits)
{
    for (uint32_t i = 0; i < op->out.n; i++) {
        int16_t dtype = g->tensor[op->out.first + i].dtype;
        const dc_dtype_info *d = dc_dtype_get(dtype < 0 ? 255u : (uint32_t)dtype);
        if (d->kind == kind && d->bits <= bits)
            return true;
    }
    return false;
}

/* Names alone do not tell (loss.quantile): the outputs must be of 8 bits or fewer. */
static bool quantises(const dc_graph *g, const dc_gop *op)
{
    static const char *const word[] = {"_quant_layer", "/AscendQuant", "/AscendWeightQuant",
                                       ".quant", ".weight_quant"};
    return (dc_optype_quantises(dc_graph_text(g, op->type)) ||
            is_called(g, op, word, sizeof word / sizeof *word)) &&
           any_output(g, op, DC_KIND_INT, 8);
}

static bool dequantises(const dc_graph *g, const dc_gop *op)
{
    static const char *const word[] = {"_dequant_layer", "_anti_quant_layer", "/AscendDequant",
                                       "/AntiQuant",     ".dequant",          ".anti_quant"};
    return (dc_optype_dequantises(dc_graph_text(g, op->type)) ||
            is_called(g, op, word, sizeof word / sizeof *word)) &&
           any_output(g, op, DC_KIND_FLOAT, 64);
}

static bool is_fed_quantised(const uint8_t *mark, const dc_graph *g, const dc_gop *op)
{
    for (uint32_t i = 0; i < op->in.n; i++) {
        uint32_t producer = g->edge[op->in.first + i].producer;
        if (producer != DC_NO_OP && mark[producer] & DC_MARK_QUANTISED)
            return true;
    }
    return false;
}

/* From the quantising operators downstream, to the dequantising ones. Operators mostly stand in the
 * order they run in, so that few turns do. */
static bool mark_quantised(uint8_t *mark, const dc_graph *g)
{
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < g->nop; i++) {
            const dc_gop *op = &g->op[i];
            if (mark[i])
                continue;
            if (!dequantises(g, op) && (quantises(g, op) || is_fed_quantised(mark, g, op)))
                mark[i] = DC_MARK_QUANTISED;
            more = more || mark[i];
        }
        any = any || more;
    }
    return any;
}

static bool same_originals(const dc_graph *g, const dc_gop *a, const dc_gop *b)
{
    return a->originals.n == b->originals.n &&
           (a->originals.n == 0 ||
            memcmp(&g->text[a->originals.first], &g->text[b->originals.first],
                   a->originals.n * sizeof *g->text) == 0);
}

/* Is op neither the first (with names of its own) nor the last of its L1 fusion? */
static bool is_l1_inner(const dc_graph *g, const dc_gop *op)
{
    const dc_gop *first = op, *last = op;
    if (op->l1_fusion == DC_NO_STR || !*dc_graph_text(g, op->l1_fusion))
        return false;
    for (uint32_t i = 0; i < g->nop; i++) {
        const dc_gop *x = &g->op[i];
        if (x->l1_fusion != op->l1_fusion || x->sub != op->sub)
            continue;
        first = x->id < first->id ? x : first;
        last = x->id > last->id ? x : last;
    }
    return op != last && (op != first || same_originals(g, first, last));
}

dc_status dc_graph_marks(uint8_t **mark, const dc_graph *g)
{
    *mark = calloc((size_t)g->nop + 1, 1);
    if (!*mark)
        return dc_fail_memory();
    bool any = mark_quantised(*mark, g);
    for (uint32_t i = 0; i < g->nop; i++)
        if (is_l1_inner(g, &g->op[i])) {
            (*mark)[i] |= DC_MARK_L1_INNER;
            any = true;
        }
    if (!any) {
        free(*mark);
        *mark = NULL;
    }
    return DC_OK;
}
