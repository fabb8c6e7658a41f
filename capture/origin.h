/* capture/origin.h - one tensor after another, with its bytes, from a store or from a single dump
 * file: what show and export read. */
#ifndef DC_ORIGIN_H
#define DC_ORIGIN_H
#include "io/mem.h"
#include "io/store.h"

typedef struct dc_origin {
    dc_store *store; /* NULL: a dump file */
    dc_pool *own;    /* strings of a dump file */
    const dc_pool *names;
    dc_tensor *row; /* of a dump file */
    uint64_t rows;
    int32_t runs; /* that a store's rows name */
    int fd;       /* where the bytes are */
    char *path;
} dc_origin;

/* Open a store (an HDF5 file) or else a dump file. Serial; not collective, and so is all here.
 * Errors: as dc_store_open and dc_dump_open. dc_origin_close in any case. */
dc_status dc_origin_open(dc_origin *out, const char *path) DC_MUST_CHECK;
dc_status dc_origin_close(dc_origin *o) DC_MUST_CHECK;

/* Called for a tensor: r is all zeros (DC_PENDING) for a dump file's; path is the view path, in a
 * dump file "input:0". Any error ends the walk. */
typedef dc_status (*dc_origin_visit)(void *context, const dc_tensor *t, const dc_result *r,
                                     const char *path);
/* Visit the tensors whose path is `glob` or matches it (NULL = all), in the store's order; memory
 * does not grow with the store. */
dc_status dc_origin_each(const dc_origin *o, const char *glob, dc_origin_visit visit,
                         void *context) DC_MUST_CHECK;
/* Whether the tensor's bytes are there; else *why says why not (constant text). */
bool dc_origin_has(const char **why, const dc_origin *o, const dc_tensor *t, const dc_result *r);
/* Bytes skip..skip+n-1 of a tensor. Errors: DC_EIO, DC_EFORMAT. */
dc_status dc_origin_read(const dc_origin *o, const dc_tensor *t, void *out, size_t n,
                         uint64_t skip) DC_MUST_CHECK;
/* Read a tensor front to back in pieces of whole elements, a multiple of DC_SUMMARY_BLOCK each but
 * the last. Errors: DC_EIO, DC_EFORMAT, DC_ENOMEM. */
typedef void (*dc_origin_piece)(void *context, const void *data, uint32_t dtype, uint64_t n);
dc_status dc_origin_pieces(const dc_origin *o, const dc_tensor *t, dc_origin_piece piece,
                           void *context) DC_MUST_CHECK;
/* Set the statistics of r from the tensor's elements; hash and state stay. Errors: likewise. */
dc_status dc_origin_summarise(dc_result *r, const dc_origin *o, const dc_tensor *t) DC_MUST_CHECK;
/* dc_tensor_elements of one of the origin's tensors. */
uint64_t dc_origin_elements(dc_shape *shape, const dc_origin *o, const dc_tensor *t);
#endif
