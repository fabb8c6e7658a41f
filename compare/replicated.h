/* compare/replicated.h - which tensors must be the same on every rank. */
#ifndef DC_REPLICATED_H
#define DC_REPLICATED_H
#include "compare/wants.h"
#include "io/select.h"

/* All owned. */
typedef struct dc_replicated {
    dc_select *named; /* NULL: no patterns */
    dc_pool *pool;    /* of wants */
    dc_wants wants;
} dc_replicated;

/* pattern[0..n): operators whose outputs are replicated too (GLOB or re:REGEX). graphs may have no
 * find. Errors: DC_EARG (a bad pattern), DC_ENOMEM. Nothing here is collective. */
dc_status dc_replicated_begin(dc_replicated *out, const char *const *pattern, size_t n,
                              const dc_align_graphs *graphs) DC_MUST_CHECK;
void dc_replicated_fini(dc_replicated *r);
/* *yes: t is an output of HcomAllReduce, HcomBroadcast or HcomAllGather, or of an operator that a
 * pattern names; or a variable - its own, or (a graph tells) an input that a variable feeds, or
 * what an Apply... or Assign... operator writes to one. The moving averages of batch normalisation
 * are variables that every rank keeps for itself. Errors: those of graphs->find, DC_ENOMEM. */
dc_status dc_replicated_is(bool *yes, dc_replicated *r, const dc_tensor *t,
                           const dc_pool *names) DC_MUST_CHECK;
/* How many of the tensors asked about each pattern has named, this process's; NULL without any. */
uint64_t *dc_replicated_counts(dc_replicated *r, size_t *n);
/* The operator of t in its graph; both NULL where no graph is known, *op where it is not there.
 * Errors: those of graphs->find, DC_ENOMEM. */
dc_status dc_replicated_op(const dc_graph **graph, const dc_gop **op, dc_replicated *r,
                           const dc_tensor *t, const dc_pool *names) DC_MUST_CHECK;
#endif
