/* mpi/mail.h - collect records for other processes one by one, then deliver them all at once. */
#ifndef DC_MAIL_H
#define DC_MAIL_H
#include "io/mem.h"
#include "mpi/par.h"

/* Letters of this process, one buffer per addressee. All-zero is empty; dc_mail_fini frees. */
typedef struct dc_mail {
    dc_buf *to; /* [processes] */
    int processes;
} dc_mail;

/* Errors: DC_ENOMEM. Not collective. */
dc_status dc_mail_init(dc_mail *m, const dc_par *par) DC_MUST_CHECK;
void dc_mail_fini(dc_mail *m);
/* Append bytes[0..n) to what process `to` will get. Not collective. */
dc_status dc_mail_add(dc_mail *m, int to, const void *bytes, size_t n) DC_MUST_CHECK;
/* Agree on `local` (each process's status while it wrote its letters) and, if all are well,
 * deliver: *in is malloc'd for the caller and holds what came, *n bytes, by sender in process
 * order. Empties m. Collective; a failed process may have an uninitialised (all-zero) m. Errors:
 * `local` of any process, DC_ENOMEM. */
dc_status dc_mail_deliver(char **in, uint64_t *n, dc_mail *m, dc_status local,
                          const dc_par *par) DC_MUST_CHECK;

/* Reads delivered bytes: all-zero when used up. */
typedef struct dc_letter {
    const char *at, *end;
} dc_letter;
/* Copy the next n bytes to out. Errors: DC_EFORMAT (fewer are left). */
dc_status dc_letter_take(dc_letter *l, void *out, size_t n) DC_MUST_CHECK;
/* The next NUL-terminated text, in place; "" when none is left. */
const char *dc_letter_text(dc_letter *l);
#endif
