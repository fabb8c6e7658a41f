/* compare/across_tell.c - see across_tell.h */
#include "compare/across_tell.h"

#include "io/log.h"

#include <inttypes.h>
#include <stdlib.h>

static void tell_patterns(const uint64_t *named, const dc_across_ask *ask)
{
    for (size_t i = 0; i < ask->nreplicated; i++)
        if (named[i] == 0)
            dc_warn("--replicated \"%s\" matched nothing: no operator with outputs is called so",
                    ask->replicated[i]);
}

/* here[k]: process has tensors of the k-th rank of the groups, one group after another. */
static void mark_ranks(uint64_t *here, const dc_across_ask *ask)
{
    const dc_catalog *c = ask->npu;
    int32_t last = -1;
    for (uint64_t i = 0; i < c->n; i++) {
        size_t k = 0;
        if (c->row[i].rank == last)
            continue;
        last = c->row[i].rank;
        for (size_t g = 0; g < ask->groups->n; g++)
            for (size_t r = 0; r < ask->groups->group[g].n; r++, k++)
                here[k] |= ask->groups->group[g].rank[r] == last;
    }
}

static void tell_ranks(const uint64_t *here, const dc_across_ask *ask)
{
    size_t k = 0, absent = 0;
    int32_t first = -1;
    for (size_t g = 0; g < ask->groups->n; g++)
        for (size_t r = 0; r < ask->groups->group[g].n; r++, k++) {
            if (!here[k] && absent++ == 0)
                first = ask->groups->group[g].rank[r];
        }
    if (absent == 1)
        dc_warn("--groups: rank %" PRId32 " is not in the dump", first);
    else if (absent)
        dc_warn("--groups: %zu ranks are not in the dump, the first of them %" PRId32, absent,
                first);
}

dc_status dc_across_tell(uint64_t *named, const dc_across_ask *ask, dc_status local,
                         const dc_par *par)
{
    size_t n = 0;
    for (size_t g = 0; ask->groups && g < ask->groups->n; g++)
        n += ask->groups->group[g].n;
    uint64_t *here = calloc(n + 1, sizeof *here);
    dc_status st = dc_par_agree(local == DC_OK && !here ? dc_fail_memory() : local, par);
    if (st == DC_OK && ask->nreplicated) {
        dc_par_sum_u64(named, ask->nreplicated, par);
        if (par->process == 0)
            tell_patterns(named, ask);
    }
    if (st == DC_OK && n) {
        mark_ranks(here, ask);
        dc_par_max_u64(here, n, par);
        if (par->process == 0)
            tell_ranks(here, ask);
    }
    free(here);
    return st;
}
