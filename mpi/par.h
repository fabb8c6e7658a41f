/* mpi/par.h - the processes of our own job: starting, agreeing, and moving data between them.
 *
 * Started without a launcher, everything here answers for one process and MPI is never initialised.
 * Rules of every collective: all processes call it, in the same order; a process with nothing to do
 * takes part with zero. MPI's own failures abort the job (its default error handler); nothing else
 * does. */
#ifndef DC_PAR_H
#define DC_PAR_H
#include "io/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dc_par {
    int process, processes; /* 0 <= process < processes */
    bool launched;          /* by mpirun or srun: MPI is initialised */
    void *comm;             /* MPI_Comm *, owned; only mpi/ looks inside */
} dc_par;

/* Join the job. Errors: DC_EARG when a launcher started several tasks that do not know of each
 * other (srun without PMIx). Collective. Call once, before anything else of mpi/. */
dc_status dc_par_begin(dc_par *out) DC_MUST_CHECK;
/* One process, no MPI: for serial subcommands and tests. Not collective. */
void dc_par_single(dc_par *out);
/* Flush stdout, leave the job, and return the exit code that every process shares (the largest).
 * Collective. */
int dc_par_end(dc_par *par, int code);

/* End a phase: the worst of all processes' codes (the most negative), with the message of the
 * lowest process that has it, set as everybody's last error. Collective; `local` may differ.
 * Returns that code. */
dc_status dc_par_agree_all(dc_status local, const dc_par *par) DC_MUST_CHECK;
/* The same; inline, so that whoever reads one file alone - static analysis - sees that a process
 * that failed never goes on. */
static inline DC_MUST_CHECK dc_status dc_par_agree(dc_status local, const dc_par *par)
{
    dc_status all = dc_par_agree_all(local, par);
    return all == DC_OK ? local : all;
}
void dc_par_barrier(const dc_par *par);
/* data[0..n) of process `root` to all. n must be the same everywhere. Collective. */
void dc_par_bcast(void *data, size_t n, int root, const dc_par *par);
/* Every process's data[0..n) (n may differ, may be 0) in process order: *out malloc'd for the
 * caller, *total bytes; count[p], if count is not NULL, bytes of process p. Collective. Errors:
 * DC_ENOMEM, agreed. */
dc_status dc_par_allgather(char **out, uint64_t *total, uint64_t *count, const void *data,
                           uint64_t n, const dc_par *par) DC_MUST_CHECK;
/* In place over v[0..n): sums, minima, maxima of all processes. Collective; n the same everywhere.
 */
void dc_par_sum_u64(uint64_t *v, size_t n, const dc_par *par);
void dc_par_min_u64(uint64_t *v, size_t n, const dc_par *par);
void dc_par_max_u64(uint64_t *v, size_t n, const dc_par *par);
/* Sum of v over the processes before this one (0 on process 0). Collective. */
uint64_t dc_par_before_u64(uint64_t v, const dc_par *par);
/* A serial thread through all processes: receive waits for the process before to pass state[0..n)
 * (process 0 keeps its own); pass hands it to the next. n the same everywhere; every process calls
 * each once, in this order. Collective. */
void dc_par_chain_receive(void *state, size_t n, const dc_par *par);
void dc_par_chain_pass(const void *state, size_t n, const dc_par *par);
/* Personalised exchange of bytes: to[p] goes to process p and is freed once it is sent, so that
 * what leaves and what comes are hardly in memory together. *out is malloc'd for the caller and
 * holds what came, in process order; *total bytes; got[p] bytes from p. Safe beyond 2 GiB.
 * Collective. Errors: DC_ENOMEM, agreed; the caller then frees to[]. Used by mpi/route.h. */
dc_status dc_par_exchange(char **out, uint64_t *total, uint64_t *got, dc_buf *to,
                          const dc_par *par) DC_MUST_CHECK;
/* Process 0 calls sink with every process's data[0..n) in process order, in pieces of at most 4
 * MiB, holding no more than one piece of another process at a time. A failing sink is agreed.
 * Collective; sink and its context are used on process 0 only. */
typedef dc_status (*dc_par_sink)(void *context, const char *data, size_t n);
dc_status dc_par_concatenate(dc_par_sink sink, void *context, const void *data, uint64_t n,
                             const dc_par *par) DC_MUST_CHECK;
#endif
