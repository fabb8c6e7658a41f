/* capture/origin.h - one tensor after another, with its bytes, from a store or from a single dump
 * file: what show and export read. */
#ifndef DC_ORIGIN_H
#define DC_ORIGIN_H
#include "io/mem.h"
#include "io/parts.h"
#include "io/store.h"

typedef struct dc_origin_row {
    dc_tensor t;
    dc_result r; /* zeros (DC_PENDING) but for statistics */
} dc_origin_row;

typedef struct dc_origin {
    dc_store *store; /* NULL: a file */
    dc_pool *own;    /* of a file, or where names had to be added to a store's; else NULL */
    const dc_pool *names;
    dc_origin_row *row; /* of a file; those behind `own_rows` are parts in other files beside it */
    uint64_t rows, own_rows;
    size_t cap;
    bool named;   /* its rows name their operators: MindSpore's statistics */
    int32_t runs; /* that a store's rows name */
    int fd;       /* where the bytes are */
    char *path;
} dc_origin;

/* A tensor. What FFTS+ cut into parts is one tensor, whole. */
typedef struct dc_item {
    dc_tensor t;     /* a whole: as its lowest part, but for operator, shape and size */
    dc_result r;     /* a dump file's tensor, or whole: all zeros (DC_PENDING) */
    char *path;      /* the view path; in a file its end, "input:0", of a part there "input:0@2" */
    uint32_t merged; /* parts of a whole, 0 of others */
    dc_parts *parts; /* a whole's bytes, NULL where they cannot be put together */
    char *why;       /* they cannot */
} dc_item;

/* Open a store (an HDF5 file), statistics (.csv), or else a dump file; beside one that has parts of
 * tensors, the files with the other parts are read, too. Serial; not collective, and so is all
 * here. Errors: as dc_store_open, dc_stats_open and dc_dump_open. dc_origin_close in any case. */
dc_status dc_origin_open(dc_origin *out, const char *path) DC_MUST_CHECK;
dc_status dc_origin_close(dc_origin *o) DC_MUST_CHECK;

/* Whether the tensor's bytes are there; else *why says why not (valid as long as the item). */
bool dc_origin_has(const char **why, const dc_origin *o, const dc_item *item);
/* Bytes skip..skip+n-1 of a tensor. Errors: DC_EIO, DC_EFORMAT. */
dc_status dc_origin_read(const dc_origin *o, const dc_item *item, void *out, size_t n,
                         uint64_t skip) DC_MUST_CHECK;
/* Read a tensor front to back in pieces of whole elements, a multiple of DC_SUMMARY_BLOCK each but
 * the last. Errors: DC_EIO, DC_EFORMAT, DC_ENOMEM. */
typedef void (*dc_origin_piece)(void *context, const void *data, uint32_t dtype, uint64_t n);
dc_status dc_origin_pieces(const dc_origin *o, const dc_item *item, dc_origin_piece piece,
                           void *context) DC_MUST_CHECK;
/* Set the statistics of r from the tensor's elements; hash and state stay. Errors: likewise. */
dc_status dc_origin_summarise(dc_result *r, const dc_origin *o, const dc_item *item) DC_MUST_CHECK;
/* dc_tensor_elements of one of the origin's tensors. */
uint64_t dc_origin_elements(dc_shape *shape, const dc_origin *o, const dc_tensor *t);
#endif
