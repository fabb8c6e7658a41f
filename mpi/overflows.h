/* mpi/overflows.h - overflow records of a scan: read, brought together, and given the operators
 * they speak of. */
#ifndef DC_OVERFLOWS_H
#define DC_OVERFLOWS_H
#include "mpi/walk.h"

/* Read the records of file f into w->overflow: strings are ids of w->names, `run` is the index of
 * the file's directory until dc_overflows_gather. A file that cannot be read becomes a skipped row.
 * *time: when it was written, 0 if that is not known. Errors: DC_ENOMEM. Not collective. */
dc_status dc_overflows_read(uint64_t *time, dc_walk *w, const dc_walk_file *f) DC_MUST_CHECK;
/* All processes' records in order to c->overflow of process 0, c->overflows everywhere. c's rows
 * and names are final; map: ids of w->names to those of c->names; run and model by directory, as
 * dir_identity of mpi/catalog.c has them. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_overflows_gather(dc_catalog *c, dc_walk *w, const uint32_t *map, const int32_t *run,
                              const uint32_t *model, const dc_par *par) DC_MUST_CHECK;
/* Sort rows: rank, run, model, step, time, file, record. Not collective. */
void dc_overflows_sort(dc_overflow_row *row, size_t n);
#endif
