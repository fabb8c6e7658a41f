/* compare/entry.h - which of an operator's inputs or outputs an entry of its dump file is.
 *
 * A file lists what was dumped: a blacklist, an optional output that is empty, or an input the
 * device had no address for leave no gap, so that an entry's place may be lower than its index
 * (CANN's aicpu dump writer). How many entries there are, and their element types and device shapes
 * in the graph, show that. */
#ifndef DC_ENTRY_H
#define DC_ENTRY_H
#include "io/graph.h"
#include "io/tensor.h"

typedef enum dc_entry_fit {
    DC_ENTRY_IN_PLACE, /* *slot is the tensor's own, or nothing better is known */
    DC_ENTRY_MOVED,    /* *slot is the only one at or after it that fits */
    DC_ENTRY_UNCLEAR   /* several fit, and entries are missing or its own place does not fit */
} dc_entry_fit;

/* A tensor of a file. */
typedef struct dc_entry {
    const dc_tensor *tensor;
    const dc_pool *names; /* has the text of tensor->shape */
    uint32_t entries;     /* of its direction in the file; 0: not known */
} dc_entry;

/* e is an input or output of op. Not collective. */
dc_entry_fit dc_entry_slot(uint32_t *slot, const dc_graph *g, const dc_gop *op, const dc_entry *e);
#endif
