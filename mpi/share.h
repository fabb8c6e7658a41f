/* mpi/share.h - dealing items of known cost over processes: pure arithmetic, the same answer
 * everywhere. Nothing here communicates. */
#ifndef DC_SHARE_H
#define DC_SHARE_H
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

/* owner[i] = the process (0..processes-1) that gets item i of cost[i], for all i < n: the dearest
 * item first, each to the process with the least so far; ties go to the lower item and the lower
 * process. No process then has more than the mean plus one item. Errors: DC_ENOMEM. */
dc_status dc_share_deal(int32_t *owner, const uint64_t *cost, size_t n,
                        int processes) DC_MUST_CHECK;
/* Lay `rest`, which can be cut anywhere, on top of what each process has[0..processes): its part
 * end[p-1] .. end[p]-1 (from 0) goes to process p, so that the largest sum is as small as can be.
 * All of it together is less than 2^63. */
void dc_share_fill(uint64_t *end, const uint64_t *has, uint64_t rest, int processes);
/* Chunks of `chunk` elements (> 0) that n elements make; an empty tensor is one empty chunk. */
static inline uint64_t dc_share_chunks(uint64_t n, uint64_t chunk)
{
    return n == 0 ? 1 : (n - 1) / chunk + 1;
}
#endif
