/* compare/opmap.h - which golden tensor belongs to an NPU tensor: its name, output, layout and
 * shape, and how that is known; or why there is none.
 *
 * In this order: (1) the dump header's original operator, (2) the graph's _datadump_* attributes,
 * (3) the operator's own name. An input is its producer's output, through inserted Cast and
 * TransData; without a graph only a golden called "input_{op}" can tell. Operators the graph engine
 * inserted have no golden whatever their header says: GE copies the next operator's original name
 * to them. Sources: msaccucmp's fusion rules; GE's fusion passes; ATC's JSON among msit's tests. */
#ifndef DC_OPMAP_H
#define DC_OPMAP_H
#include "compare/pair.h"
#include "io/graph.h"

/* What is asked about: an NPU tensor as its header tells it. Texts are borrowed. */
typedef struct dc_opmap_ask {
    const dc_tensor *tensor;
    const dc_pool *names;  /* of the tensor's string columns */
    const dc_graph *graph; /* of its rank and model, or NULL */
    const uint8_t *marks;  /* of the graph: compare/graph_marks.h; NULL = none */
    uint32_t inputs;       /* that the operator was dumped with; 0 = not known */
    uint32_t entries;      /* that it was dumped with in the tensor's direction; 0 = not known */
    uint32_t ignore;       /* bit dc_match: a rule that is not to be used; HEADER, NAME */
} dc_opmap_ask;

/* The answer; ids are of the pool given to dc_opmap_answer. */
typedef struct dc_opmap_want { /* without padding: answers are compared as bytes */
    uint32_t name;   /* string: the golden operator's name, unsanitised where that is known */
    uint32_t output; /* its output */
    uint32_t label;  /* string: both, "conv1/Relu:0" */
    uint32_t shape;  /* string: the logical shape if it is known, else DC_NO_STR */
    uint32_t
        format; /* dc_format of the golden's dims as header or graph say, or DC_FORMAT_UNSAID */
    uint32_t reason; /* string: why there is none */
    uint32_t note;   /* string: what was assumed */
    uint8_t pairing; /* DC_PAIRED: look for a golden of this name; else why there is none */
    uint8_t match;   /* dc_match */
    uint8_t
        missing;   /* dc_pairing if there turns out to be no such golden: DC_NO_GOLDEN, or
                      DC_NOT_EXPECTED where a reference may well lack it (collectives, constants) */
    uint8_t spare; /* 0 */
} dc_opmap_want;

/* Not collective. Errors: DC_ENOMEM. */
dc_status dc_opmap_answer(dc_opmap_want *out, const dc_opmap_ask *ask, dc_pool *pool) DC_MUST_CHECK;

/* The layout of a 4-D golden called NHWC or NCHW, judged by shapes as msaccucmp does: if `golden`
 * is not `logical` but `logical` permuted into the other of the two, that other one; else format.
 */
uint32_t dc_opmap_correct_format(uint32_t format, const dc_shape *logical, const dc_shape *golden);
#endif
