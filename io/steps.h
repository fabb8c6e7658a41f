/* io/steps.h - sets of step numbers as CANN's dump_step writes them: "0|3-5|10".
 *
 * Five programs read that text, each a little differently (hicann/runtime adump, hicann/ge,
 * hicann/tensorflow); which of them a text is for is an argument. */
#ifndef DC_STEPS_H
#define DC_STEPS_H
#include "io/mem.h"
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

/* X(id, whose reader it is). All: pieces separated by '|', at most 100, an empty text = every step.
 *   ADUMP     D or D-D; first <= last
 *   GE_JSON   D or D-D, either side may be empty (0); order not checked
 *   GE_OPTION D or D-D up to 2147483647; first < last
 *   TF        D, D-D or D- (= D); first < last; one '|' at the end is dropped; what GE_OPTION
 *             refuses afterwards (numbers over 2147483647, "-5") is refused here
 *   TF_OLD    D or D-D; first < last
 *   DEVICE    blanks around numbers, empty pieces skipped, a reversed pair is swapped
 *   STRICT    what all of them take */
#define DC_STEPS_GRAMMARS(X)                                                                       \
    X(ADUMP, "acl.json")                                                                           \
    X(GE_JSON, "the graph engine's acl.json check")                                                \
    X(GE_OPTION, "the graph engine's ge.exec.dumpStep")                                            \
    X(TF, "the TensorFlow adapter")                                                                \
    X(TF_OLD, "the TensorFlow adapter before 2023")                                                \
    X(DEVICE, "the device's step filter")                                                          \
    X(STRICT, "--strict, what every reader of dump_step accepts")
typedef enum dc_steps_grammar {
#define X(id, whose) DC_STEPS_##id,
    DC_STEPS_GRAMMARS(X)
#undef X
} dc_steps_grammar;

#define DC_STEPS_MAX_PIECES 100

/* Sorted, disjoint closed intervals; all-zero = every step. */
typedef struct dc_steps {
    size_t n;
    struct dc_steps_range {
        uint64_t first, last;
    } * range; /* [n], owned */
} dc_steps;

/* Parse text; `what` ("acl.json: dump.dump_step", "--step") starts the message. Numbers beyond 64
 * bits become the largest step (ADUMP: 2^63-1, as strtol). Errors: DC_EARG naming the piece and the
 * rule; DC_ENOMEM. On error *out is empty. Not collective. */
dc_status dc_steps_parse(dc_steps *out, const char *text, dc_steps_grammar grammar,
                         const char *what) DC_MUST_CHECK;
void dc_steps_fini(dc_steps *s);
/* Append "0|3-5|10", nothing for every step. */
dc_status dc_steps_print(dc_buf *out, const dc_steps *s) DC_MUST_CHECK;
#endif
