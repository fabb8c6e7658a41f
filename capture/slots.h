/* capture/slots.h - the operator's own index of each tensor in a dump file.
 *
 * A file's tensors are a list; what a blacklist left out is not there, and nothing marks the gap.
 * Where a file has fewer inputs or outputs than the graph's operator, the gaps are found: at the
 * places the configuration's blacklists name, if they explain the number; else where dtypes and
 * shapes fit in one way only. */
#ifndef DC_SLOTS_H
#define DC_SLOTS_H
#include "capture/models.h"

typedef enum dc_slot_rule {
    DC_SLOTS_WHOLE,      /* as many as the operator has, or not known: positions are slots */
    DC_SLOTS_RENUMBERED, /* fewer, and it is clear which */
    DC_SLOTS_UNCLEAR     /* fewer, and it is not: positions are kept */
} dc_slot_rule;

typedef struct dc_slots {
    uint32_t *slot; /* [dump->n] */
    size_t cap;
    dc_slot_rule rule[2]; /* of inputs, outputs */
} dc_slots;

/* Fill s->slot for an operator's dump. Not collective. Errors: DC_ENOMEM. */
dc_status dc_slots_find(dc_slots *s, const dc_dump *dump, const dc_model *model,
                        const dc_select *select, const dc_select_op *op) DC_MUST_CHECK;
void dc_slots_fini(dc_slots *s);
#endif
