/* compare/legs.h - how a large pair is cut so that neither side's bytes are read over. */
#ifndef DC_LEGS_H
#define DC_LEGS_H
#include "io/relayout.h"

typedef struct dc_legs_ask {
    const dc_relayout *map[2];
    uint32_t dtype[2];
    uint64_t
        block;     /* elements of a leg if nothing speaks for more; of DC_METRIC_CHUNK a multiple */
    uint64_t room; /* bytes of both sides' elements that may be held */
} dc_legs_ask;

typedef struct dc_legs {
    uint64_t n;    /* elements of each leg but the last; of DC_METRIC_CHUNK a multiple */
    bool streamed; /* more than memory is to hold: dc_side_stream */
} dc_legs;

/* Legs of sides in order are blocks. Those of a side out of order are as long as room allows, since
 * pieces of it grow with them; its unit (io/relayout_stream.h) fits a leg ten times, or legs are
 * whole units, or legs that are ten units or one are streamed: what is read over is then no more
 * than a unit for each leg. Units that cannot be streamed are read over; a golden of streamed legs
 * is read for each rank that has it. Not collective; cannot fail. */
dc_legs dc_legs_choose(const dc_legs_ask *ask);
#endif
