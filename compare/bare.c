/* compare/bare.c - see bare.h */
#include "compare/bare.h"

#include "io/dtype.h"

static const char *bare(dc_pairing *pairing, dc_pairing why, const char *reason)
{
    *pairing = why;
    return reason;
}

const char *dc_bare_reason(dc_pairing *pairing, const dc_catalog *c, uint64_t i)
{
    const dc_tensor *t = &c->row[i];
    if (t->direction != DC_INPUT && t->direction != DC_OUTPUT)
        return bare(pairing, DC_NOT_EXPECTED, "work space, which no framework knows");
    if (t->dtype == DC_RESOURCE || t->dtype == DC_VARIANT)
        return bare(pairing, DC_NOT_EXPECTED, "a handle of the device holds no data");
    if (c->state && c->state[i] == DC_UNREADABLE)
        return bare(pairing, DC_NOT_COMPARABLE, "its dump file could not be read at capture");
    if ((t->flags & DC_DUMP_NULL_ADDRESS) && !t->bytes)
        return bare(pairing, DC_NOT_EXPECTED, "the device had no address for it: nothing dumped");
    if (dc_dtype_get(t->dtype)->kind == DC_KIND_OTHER)
        return bare(pairing, DC_NOT_COMPARABLE, "tensors of this type are not compared");
    return NULL;
}

const char *dc_bytes_missing(const dc_catalog *c, uint64_t i)
{
    if (c->row[i].flags & DC_TENSOR_STATISTICS)
        return "only its statistics were kept";
    if (!c->state || c->state[i] == DC_STORED)
        return NULL;
    return c->state[i] == DC_UNREADABLE ? "its dump file could not be read at capture"
                                        : "not in the store: the capture was interrupted before it";
}
