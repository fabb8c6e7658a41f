/* compare/rivals.h - different operators whose names look the same in golden files: "a/b_c" and
 * "a_b/c" both become "a_b_c". */
#ifndef DC_RIVALS_H
#define DC_RIVALS_H
#include "io/mem.h"
#include "mpi/par.h"

/* One claim to a golden. Texts are ids of dc_rivals.pool. */
typedef struct dc_rival {
    uint32_t clean, output; /* canonical name and output: what is fought for */
    uint32_t name;          /* who wants it */
    uint32_t shape;         /* logical shape it wants, DC_NO_STR if it does not say */
} dc_rival;

/* All owned. Only claims that meet another name's are kept, sorted by (clean, output, name, shape)
 * as texts. */
typedef struct dc_rivals {
    dc_pool *pool;
    dc_rival *rival;
    size_t n;
} dc_rivals;

/* claim[0..n), texts in `pool`: this process's claims, repetitions allowed. *out is the same on
 * every process. Collective; n may differ. Errors: DC_ENOMEM, agreed. */
dc_status dc_rivals_find(dc_rivals *out, const dc_rival *claim, size_t n, const dc_pool *pool,
                         dc_status local, const dc_par *par) DC_MUST_CHECK;
void dc_rivals_fini(dc_rivals *r);
/* The claims to (clean, output): rival[*first .. *first+n-1]; returns n, 0 if it is not fought for.
 * Not collective. */
size_t dc_rivals_of(size_t *first, const dc_rivals *r, const char *clean, uint32_t output);
#endif
