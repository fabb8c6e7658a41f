/* compare/cut.h - operators that FFTS+ cut into parts: their tensors are compared as one. */
#ifndef DC_CUT_H
#define DC_CUT_H
#include "compare/pair.h"

/* The parts of one tensor of one execution (mpi/slices.h) become one pair: that of the lowest part
 * has the list of all (dc_pair.parts) and the note "merged of 12 slices", the others are not
 * chosen. Where a part is missing or not stored, or there twice, the pair is not comparable and
 * says which; so where a range is not of the part's shape in the device's layout. Parts whose
 * ranges the dump does not tell are left alone. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_cut_apply(dc_pairs *pairs, const dc_catalog *npu, const dc_par *par) DC_MUST_CHECK;
#endif
