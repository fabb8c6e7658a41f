/* compare/legs.c - see legs.h */
#include "compare/legs.h"

#include "compare/metric.h"
#include "io/dtype.h"
#include "io/mem.h"
#include "io/relayout_stream.h"

#define OPEN ((uint64_t)128 << 20) /* bytes of chunks that a stream may hold */

static uint64_t chunks_down(uint64_t n)
{
    return n / DC_METRIC_CHUNK * DC_METRIC_CHUNK;
}

/* Bytes of the chunks that rows side by side keep open, a chunk begun and one not ended in each. */
static bool may_stream(const dc_legs_ask *ask, uint64_t rows, int lead)
{
    bool both = dc_relayout_same(ask->map[0], ask->map[1]);
    uint64_t bytes = (ask->map[lead]->item * (both ? 2 : 1)) * 2 * DC_METRIC_CHUNK;
    return rows <= OPEN / bytes;
}

dc_legs dc_legs_choose(const dc_legs_ask *ask)
{
    dc_legs legs = {.n = ask->block};
    if (dc_relayout_is_identity(ask->map[0]) && dc_relayout_is_identity(ask->map[1]))
        return legs;
    uint64_t bits = dc_dtype_get(ask->dtype[0])->bits + dc_dtype_get(ask->dtype[1])->bits;
    uint64_t room = chunks_down(ask->room / bits * 8), unit = 1;
    legs.n = room > ask->block ? room : ask->block;
    int lead = 0;
    dc_relayout_unit u[2];
    for (int i = 0; i < 2; i++) {
        u[i] = dc_relayout_unit_of(ask->map[i]);
        if (u[i].rows * u[i].length > unit) {
            unit = u[i].rows * u[i].length;
            lead = i;
        }
    }
    bool whole_units = unit % DC_METRIC_CHUNK == 0 && u[lead].even;
    if (unit <= legs.n / 10 || !may_stream(ask, u[lead].rows, lead))
        return legs;
    if (whole_units && unit <= legs.n) {
        legs.n = legs.n / unit * unit;
        return legs;
    }
    legs.streamed = true;
    if (whole_units)
        legs.n = unit;
    else if (dc_mul_u64(&legs.n, unit, 10))
        legs.n = chunks_down(legs.n) + DC_METRIC_CHUNK;
    else
        legs.n = chunks_down(UINT64_MAX);
    return legs;
}
