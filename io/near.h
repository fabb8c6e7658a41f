/* io/near.h - the nearest names to a mistyped one, for messages. */
#ifndef DC_NEAR_H
#define DC_NEAR_H
#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) from a to b, bytes, case ignored; anything
 * above DC_NEAR_MAX, and any text of over 255 bytes, counts as DC_NEAR_MAX + 1. Not collective. */
#define DC_NEAR_MAX 64
unsigned dc_near_distance(const char *a, const char *b);

/* The best few candidates so far; all-zero is "none yet". Names are borrowed. */
#define DC_NEAR_KEEP 3
typedef struct dc_near {
    const char *name[DC_NEAR_KEEP];
    unsigned distance[DC_NEAR_KEEP];
    size_t n;
} dc_near;
/* Offer one candidate for `want`; kept if it is plausible (it contains want, want contains it, or
 * at most a third of want's letters differ) and better than a kept one. */
void dc_near_offer(dc_near *best, const char *want, const char *candidate);
/* "; did you mean a, b or c?" or "", into text[DC_NEAR_TEXT]. Long names are cut. */
#define DC_NEAR_TEXT 512
void dc_near_print(char *text, const dc_near *best);
#endif
