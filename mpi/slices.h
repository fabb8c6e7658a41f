/* mpi/slices.h - operators that FFTS+ cut into parts, one dump file each: how many there should be,
 * and which operators lack some.
 *
 * Parts of one operator are its threads (".4.{context}.{thread}.{device}" behind the file's name),
 * or, cut by hand, operators called {op}_lxslice{n}. The header's first attribute is a JSON object
 * whose slice_instance_num says how many. Source: msaccucmp's FFTS+ parser. */
#ifndef DC_SLICES_H
#define DC_SLICES_H
#include "mpi/walk.h"

#include "io/dump_read.h"

/* slice_instance_num, 0 where the header does not tell. Not collective. */
uint32_t dc_slices_told(const dc_dump *d);
/* Intern what dc_slices_missing may have to say of an operator of so many parts. Not collective.
 * Errors: DC_ENOMEM. */
dc_status dc_slices_reasons(dc_pool *names, uint32_t slices) DC_MUST_CHECK;
/* Add a skipped row (w->skipped; ids of names) for each operator with fewer parts than it should
 * have. row[0..n): sorted over all processes. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_slices_missing(dc_walk *w, const dc_tensor *row, size_t n, const dc_pool *names,
                            const dc_par *par) DC_MUST_CHECK;
#endif
