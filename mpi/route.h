/* mpi/route.h - records on their way to the processes that own them. */
#ifndef DC_ROUTE_H
#define DC_ROUTE_H
#include "io/mem.h"
#include "mpi/par.h"

/* Records collected for each process; all-zero is none. Owned; freed by dc_route_send. */
typedef struct dc_route {
    dc_buf *to; /* [par->processes] */
    int processes;
} dc_route;

/* What came. data holds got[p] bytes from process p, in process order. Freed by dc_arrived_free. */
typedef struct dc_arrived {
    char *data;
    uint64_t total;
    uint64_t *got; /* [par->processes] */
} dc_arrived;

/* Not collective: the number of processes is all that is asked of par. Errors: DC_ENOMEM. */
dc_status dc_route_begin(dc_route *r, const dc_par *par) DC_MUST_CHECK;
/* Append to what goes to process p. Not collective. */
dc_status dc_route_add(dc_route *r, int p, const void *bytes, size_t n) DC_MUST_CHECK;
/* The owner of a text or of bytes: the same for the same bytes on every process. */
int dc_route_owner(const void *bytes, size_t n, const dc_par *par);
/* Send everything; r is empty afterwards in every case. `local` is this process's status so far: if
 * anyone's is bad all leave with it. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_route_send(dc_arrived *out, dc_route *r, dc_status local,
                        const dc_par *par) DC_MUST_CHECK;
void dc_arrived_free(dc_arrived *a);

/* Reading records: *out = the next n bytes of data[*at .. end), or a text that ends in NUL. False
 * at the end. Numbers are copied, since records are not aligned. */
bool dc_take(void *out, size_t n, const char *data, uint64_t *at, uint64_t end);
const char *dc_take_text(const char *data, uint64_t *at, uint64_t end);
#endif
