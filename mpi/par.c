/* mpi/par.c - see par.h */
#include "mpi/par.h"

#include "io/log.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE                                                                                      \
    ((uint64_t)256 << 20) /* bytes of one MPI message: far below what an int can count             \
                           */
#define SINK_PIECE ((uint64_t)4 << 20)

static MPI_Comm comm_of(const dc_par *par)
{
    return *(MPI_Comm *)par->comm;
}

static long env_number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Variables that only a launcher sets in its children; OMPI_MCA_* and the like are set by users
 * too. */
static bool under_launcher(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK") ||
           getenv("PMI_SIZE") || getenv("PMI_FD");
}

/* One process that a launcher believes to be one of several: nobody would write a whole result. The
 * first task says so for all. */
static dc_status refuse_singleton(void)
{
    long tasks = env_number("SLURM_STEP_NUM_TASKS"), task = env_number("SLURM_PROCID");
    if (tasks <= 1 && task <= 0)
        return DC_OK;
    if (task > 0)
        dc_log_setup("", (int)task, 1, DC_LOG_QUIET);
    return dc_fail(DC_EARG,
                   "the launcher started %ld tasks, but MPI sees a single process: start with "
                   "'srun --mpi=pmix' or 'mpirun'",
                   tasks > 1 ? tasks : task + 1);
}

void dc_par_single(dc_par *out)
{
    *out = (dc_par){.process = 0, .processes = 1};
}

dc_status dc_par_begin(dc_par *out)
{
    dc_par_single(out);
    if (!under_launcher())
        return refuse_singleton();
    MPI_Comm *comm = malloc(sizeof *comm);
    if (!comm)
        return dc_fail_memory();
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    MPI_Comm_rank(*comm, &out->process);
    MPI_Comm_size(*comm, &out->processes);
    out->launched = true;
    out->comm = comm;
    dc_fault_process(out->process);
    return out->processes == 1 ? refuse_singleton() : DC_OK;
}

int dc_par_end(dc_par *par, int code)
{
    fflush(stdout);
    if (!par->launched)
        return code;
    int worst = code;
    MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, comm_of(par));
    MPI_Comm_free(par->comm);
    free(par->comm);
    *par = (dc_par){.processes = 1};
    MPI_Finalize();
    return worst;
}

dc_status dc_par_agree_all(dc_status local, const dc_par *par)
{
    if (!par->launched)
        return local;
    struct {
        int code, process;
    } mine = {(int)local, par->process}, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MINLOC, comm_of(par));
    if (worst.code == DC_OK)
        return DC_OK;
    char text[2048];
    snprintf(text, sizeof text, "%s", dc_last_error());
    MPI_Bcast(text, (int)sizeof text, MPI_CHAR, worst.process, comm_of(par));
    return dc_set_error((dc_status)worst.code, text);
}

void dc_par_barrier(const dc_par *par)
{
    if (par->launched)
        MPI_Barrier(comm_of(par));
}

void dc_par_bcast(void *data, size_t n, int root, const dc_par *par)
{
    if (!par->launched)
        return;
    for (uint64_t at = 0; at < n; at += PIECE) {
        uint64_t m = n - at < PIECE ? n - at : PIECE;
        MPI_Bcast((char *)data + at, (int)m, MPI_BYTE, root, comm_of(par));
    }
}

static dc_status single_copy(char **out, uint64_t *total, uint64_t *count, const void *data,
                             uint64_t n)
{
    *out = malloc(n + 1);
    if (!*out)
        return dc_fail_memory();
    if (n)
        memcpy(*out, data, n);
    *total = n;
    if (count)
        count[0] = n;
    return DC_OK;
}

/* malloc of a receive buffer, agreed, so that nobody waits for a process without memory */
static dc_status agreed_buffer(char **out, uint64_t n, const dc_par *par)
{
    *out = dc_fault("par.buffer") ? NULL : malloc(n + 1);
    dc_status st = dc_par_agree(*out ? DC_OK : dc_fail_memory(), par);
    if (st != DC_OK) {
        free(*out);
        *out = NULL;
    }
    return st;
}

dc_status dc_par_allgather(char **out, uint64_t *total, uint64_t *count, const void *data,
                           uint64_t n, const dc_par *par)
{
    if (!par->launched)
        return single_copy(out, total, count, data, n);
    uint64_t *counts = malloc((size_t)par->processes * sizeof *counts), sum = 0;
    dc_status st = dc_par_agree(counts ? DC_OK : dc_fail_memory(), par);
    if (st != DC_OK) {
        free(counts);
        return st;
    }
    MPI_Allgather(&n, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, comm_of(par));
    for (int p = 0; p < par->processes; p++)
        sum += counts[p];
    st = agreed_buffer(out, sum, par);
    uint64_t at = 0;
    for (int p = 0; st == DC_OK && p < par->processes; p++) {
        if (p == par->process && n)
            memcpy(*out + at, data, n);
        dc_par_bcast(*out + at, counts[p], p, par);
        at += counts[p];
        if (count)
            count[p] = counts[p];
    }
    free(counts);
    *total = sum;
    return st;
}

static void reduce(void *v, size_t n, MPI_Datatype type, MPI_Op op, const dc_par *par)
{
    if (par->launched && n)
        MPI_Allreduce(MPI_IN_PLACE, v, (int)n, type, op, comm_of(par));
}

void dc_par_sum_u64(uint64_t *v, size_t n, const dc_par *par)
{
    reduce(v, n, MPI_UINT64_T, MPI_SUM, par);
}

void dc_par_min_u64(uint64_t *v, size_t n, const dc_par *par)
{
    reduce(v, n, MPI_UINT64_T, MPI_MIN, par);
}

void dc_par_max_u64(uint64_t *v, size_t n, const dc_par *par)
{
    reduce(v, n, MPI_UINT64_T, MPI_MAX, par);
}

uint64_t dc_par_before_u64(uint64_t v, const dc_par *par)
{
    uint64_t before = 0;
    if (par->launched)
        MPI_Exscan(&v, &before, 1, MPI_UINT64_T, MPI_SUM, comm_of(par));
    return par->process == 0 ? 0 : before;
}

void dc_par_chain_receive(void *state, size_t n, const dc_par *par)
{
    if (par->launched && par->process > 0)
        MPI_Recv(state, (int)n, MPI_BYTE, par->process - 1, 2, comm_of(par), MPI_STATUS_IGNORE);
}

void dc_par_chain_pass(const void *state, size_t n, const dc_par *par)
{
    if (par->launched && par->process + 1 < par->processes)
        MPI_Send(state, (int)n, MPI_BYTE, par->process + 1, 2, comm_of(par));
}

/* One partner at a time: send to process+step while receiving from process-step, piece by piece. */
static void exchange_with(char *in, uint64_t n_in, const char *send, uint64_t n_send, int step,
                          const dc_par *par)
{
    int to = (par->process + step) % par->processes;
    int from = (par->process - step + par->processes) % par->processes;
    uint64_t sent = 0, got = 0;
    while (sent < n_send || got < n_in) {
        uint64_t s = n_send - sent < PIECE ? n_send - sent : PIECE;
        uint64_t r = n_in - got < PIECE ? n_in - got : PIECE;
        MPI_Request request[2];
        int n = 0;
        if (r)
            MPI_Irecv(in + got, (int)r, MPI_BYTE, from, 0, comm_of(par), &request[n++]);
        if (s)
            MPI_Isend(send + sent, (int)s, MPI_BYTE, to, 0, comm_of(par), &request[n++]);
        MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
        sent += s;
        got += r;
    }
}

static uint64_t prefix(const uint64_t *count, int p)
{
    uint64_t at = 0;
    for (int i = 0; i < p; i++)
        at += count[i];
    return at;
}

dc_status dc_par_exchange(char **out, uint64_t *total, uint64_t *got, dc_buf *to, const dc_par *par)
{
    int np = par->processes, me = par->process;
    if (!par->launched) { /* nothing to move: hand it over */
        *out = to[0].data;
        *total = got[0] = to[0].n;
        to[0] = (dc_buf){0};
        return DC_OK;
    }
    uint64_t *count = calloc((size_t)np, sizeof *count);
    dc_status st = dc_par_agree(count ? DC_OK : dc_fail_memory(), par);
    for (int p = 0; st == DC_OK && p < np; p++)
        count[p] = to[p].n;
    if (st == DC_OK) {
        MPI_Alltoall(count, 1, MPI_UINT64_T, got, 1, MPI_UINT64_T, comm_of(par));
        *total = prefix(got, np);
        st = agreed_buffer(out, *total, par);
    }
    for (int step = 0; st == DC_OK && step < np; step++) {
        dc_buf *mine = &to[(me + step) % np];
        int from = (me - step + np) % np;
        char *place = *out + prefix(got, from);
        if (step == 0 && mine->n)
            memcpy(place, mine->data, mine->n);
        else if (step)
            exchange_with(place, got[from], mine->data, mine->n, step, par);
        dc_buf_free(mine);
    }
    free(count);
    return st;
}

/* Process 0's side of dc_par_concatenate for one other process. Receives all even after a failed
 * sink. */
static dc_status drain(dc_par_sink sink, void *context, int from, char *piece, const dc_par *par)
{
    dc_status st = DC_OK;
    uint64_t n;
    MPI_Recv(&n, 1, MPI_UINT64_T, from, 1, comm_of(par), MPI_STATUS_IGNORE);
    for (uint64_t at = 0; at < n; at += SINK_PIECE) {
        uint64_t m = n - at < SINK_PIECE ? n - at : SINK_PIECE;
        MPI_Recv(piece, (int)m, MPI_BYTE, from, 1, comm_of(par), MPI_STATUS_IGNORE);
        if (st == DC_OK)
            st = sink(context, piece, (size_t)m);
    }
    return st;
}

static void offer(const char *data, uint64_t n, const dc_par *par)
{
    MPI_Send(&n, 1, MPI_UINT64_T, 0, 1, comm_of(par));
    for (uint64_t at = 0; at < n; at += SINK_PIECE) {
        uint64_t m = n - at < SINK_PIECE ? n - at : SINK_PIECE;
        MPI_Ssend(data + at, (int)m, MPI_BYTE, 0, 1, comm_of(par));
    }
}

dc_status dc_par_concatenate(dc_par_sink sink, void *context, const void *data, uint64_t n,
                             const dc_par *par)
{
    char *piece = par->process == 0 && par->launched ? malloc(SINK_PIECE) : NULL;
    dc_status st = par->process == 0 && par->launched && !piece ? dc_fail_memory() : DC_OK;
    st = dc_par_agree(st, par);
    if (st != DC_OK) {
        free(piece);
        return st;
    }
    if (par->process != 0)
        offer(data, n, par);
    for (uint64_t at = 0; par->process == 0 && st == DC_OK && at < n; at += SINK_PIECE)
        st = sink(context, (const char *)data + at, n - at < SINK_PIECE ? n - at : SINK_PIECE);
    for (int p = 1; par->process == 0 && p < par->processes; p++) {
        dc_status one = drain(sink, context, p, piece, par);
        if (st == DC_OK)
            st = one;
    }
    free(piece);
    return dc_par_agree(st, par);
}
