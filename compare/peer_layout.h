/* compare/peer_layout.h - the order in which two dumped tensors are compared: the golden side's
 * logical one, if anything tells what its dims mean; else, if both lie alike, as they lie on the
 * device. Nothing here is collective. */
#ifndef DC_PEER_LAYOUT_H
#define DC_PEER_LAYOUT_H
#include "io/relayout.h"

/* A tensor as dumped. */
typedef struct dc_peer_side {
    dc_relayout_ask layout; /* logical: its own; golden_format is not looked at */
    uint32_t said;          /* dc_format of its logical dims, DC_FORMAT_UNSAID */
} dc_peer_side;

typedef struct dc_peer_order {
    uint32_t format; /* of the golden's logical dims, or DC_FORMAT_UNSAID */
    bool as_dumped;  /* both have the same layout, and no logical order can be had */
    const char *why; /* as_dumped: what stands against one; valid until the next error */
} dc_peer_order;

/* In this order what the golden side's dims mean is told by its header, by its device format if
 * that is named after the dims, by the same of the NPU side where the dims are the same, and by the
 * only order of the dims that fits its device layout. */
dc_peer_order dc_peer_layout(const dc_peer_side *npu, const dc_peer_side *golden);
#endif
