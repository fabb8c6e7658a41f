/* compare/report_file.h - the files of a report, written by all processes in their order and given
 * their names together. */
#ifndef DC_REPORT_FILE_H
#define DC_REPORT_FILE_H
#include "io/mem.h"
#include "mpi/par.h"

/* A file made of a head and a tail of process 0 and a body of each process. */
typedef struct dc_report_parts {
    dc_buf head, body, tail;
} dc_report_parts;

/* Write dir/name.part (dir is made). local: each process's status while it made its parts, which
 * are freed. Collective. Errors, agreed: DC_ENOSPACE, DC_EIO, DC_ENOMEM. */
dc_status dc_report_file(const char *dir, const char *name, dc_report_parts *p, dc_status local,
                         const dc_par *par) DC_MUST_CHECK;
/* When all of name[0..n) are written or (st) one is not: give them their names, or remove them.
 * Returns st or what went wrong, agreed. Collective. */
dc_status dc_report_settle(const char *dir, const char *const *name, size_t n, dc_status st,
                           const dc_par *par) DC_MUST_CHECK;
#endif
