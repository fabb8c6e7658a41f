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
#include "io/tensor.h"

/* slice_instance_num, 0 where the header does not tell. Not collective. */
uint32_t dc_slices_told(const dc_dump *d);
/* Length of an operator's name without the number of a part cut by hand. Not collective. */
size_t dc_slices_base(const char *op);
/* The same without whatever comes after it: names of this stem stand together where they are
 * sorted. Not collective. */
size_t dc_slices_stem(const char *op);
/* Which part of its operator a tensor is, from 0: by its name, else by its thread; UINT32_MAX if
 * neither tells. Not collective. */
uint32_t dc_slices_number(const dc_tensor *t, const char *op);
/* *id = that part's range of one of the header's tensors as the first attribute has it
 * (input_tensor_slice, output_tensor_slice: [part][tensor][dim] of lower and higher), in
 * io/parts.h's form; "" where it does not tell. Not collective. Errors: DC_ENOMEM. */
dc_status dc_slices_cut(uint32_t *id, dc_pool *names, const dc_dump *d, uint32_t number,
                        const dc_dump_tensor *tensor) DC_MUST_CHECK;

/* A part on its way to its whole. */
typedef struct dc_slice {
    dc_tensor t;
    uint32_t number;   /* dc_slices_number */
    bool stored, fits; /* its bytes can be read; its range is of its shape */
    const char *line;  /* of a list (io/parts.h), borrowed */
    int32_t home;      /* the caller's, all three */
    uint64_t item;
    bool chosen;
} dc_slice;

/* Set number, fits and stored from out->t and its state (NULL for a dump file's), and append its
 * line to *line; path and offset say where its bytes are. Not collective. Errors: DC_ENOMEM. */
dc_status dc_slices_take(dc_slice *out, dc_buf *line, const dc_pool *names, const uint8_t *state,
                         const char *path, uint64_t offset) DC_MUST_CHECK;
/* 0: parts of the same tensor; below or above: as for qsort. Ids of names but op's are compared as
 * numbers. Not collective. */
int dc_slices_compare_tensors(const dc_slice *a, const dc_slice *b, const dc_pool *names);
/* Sort parts: those of a tensor together, in the order in which they make it up, then by time, home
 * and item. Not collective. */
void dc_slices_sort(dc_slice *p, size_t n, const dc_pool *names);
/* Why the sorted parts p[0..n) do not make up a tensor; "" if they do. Not collective. */
void dc_slices_fault(char why[128], const dc_slice *p, size_t n);
/* Intern what dc_slices_missing may have to say of an operator of so many parts. Not collective.
 * Errors: DC_ENOMEM. */
dc_status dc_slices_reasons(dc_pool *names, uint32_t slices) DC_MUST_CHECK;
/* Add a skipped row (w->skipped; ids of names) for each operator with fewer parts than it should
 * have. row[0..n): sorted over all processes. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_slices_missing(dc_walk *w, const dc_tensor *row, size_t n, const dc_pool *names,
                            const dc_par *par) DC_MUST_CHECK;
#endif
