/* io/store.h - the store: its schema, specified here once, and serial access to it.
 *
 * /                        attributes: format "dumpcap-store", format_version 2, tool_version,
 * command_line, configuration (acl.json's text or ""), planned (0 or 1: the plan is whole),
 * complete (0 or 1), holder /segment/{k} one capture; one-shot capture has k = 0. Attributes:
 * align, group_tensors, group_bytes /segment/{k}/slab/{d} all tensors of dtype d (io/dtype.h's
 * name) one after another: 1-D, contiguous, of the dtype's HDF5 type (below). A tensor starts on 64
 * bytes, a group's first on `align` bytes; gaps are zero. /segment/{k}/index/{c}   a column of N
 * values for each column c of io/tensor.h, in key order: the plan columns, written before any
 * tensor, and the result columns, written after the tensors they describe
 * /segment/{k}/group/first_row, bytes   G+1 first rows, G byte counts: the unit of writing and of
 * resuming /segment/{k}/skipped/{c} dir, file, reason, fault: what gave no or not all tensors
 * /segment/{k}/overflow/{c} the columns of io/overflow_row.h: overflow records, with their
 * operators /segment/{k}/strings/bytes, offset    the sorted dictionary: string i is
 * bytes[offset[i] .. offset[i+1]) /tensors/...             views, made with the plan or on demand:
 * capture/views
 *
 * HDF5 types: integers and float32/64 native little-endian; bool = enum {FALSE, TRUE} over int8;
 * float16 IEEE; bfloat16 and float8_e5m2 custom floats; complex64/128 = compound {r, i}; complex32
 * = compound {real, imag} of float16; every other 8-bit float, every type below 8 bits, strings and
 * handles = uint8 holding the packed bytes.
 *
 * Tensor bytes and result columns are read and written by pread/pwrite at the datasets' file
 * offsets, so that HDF5 is needed only for the structure, and a killed process cannot damage it.
 * The root attribute holder says which host and process is writing; the lock itself is a flock on
 * the file. */
#ifndef DC_STORE_H
#define DC_STORE_H
#include "io/mem.h"
#include "io/overflow_row.h"
#include "io/tensor.h"

#include <hdf5.h>

#define DC_STORE_FORMAT       "dumpcap-store"
#define DC_STORE_VERSION      2
#define DC_STORE_ALIGN_TENSOR 64

/* What makes a store: the same on every process but for the rows. */
typedef struct dc_store_plan {
    const char *command_line, *configuration;
    const char *holder; /* "host:pid" of process 0 */
    uint64_t rows;      /* of all processes */
    uint64_t slab[256]; /* elements of each dtype's slab; 255 holds unknown dtypes; 0 = no slab */
    uint64_t groups, skipped, overflows; /* counts */
    uint64_t strings, string_bytes;      /* counts */
    uint64_t align, group_tensors, group_bytes;
} dc_store_plan;

typedef struct dc_store dc_store;

/* Elements of the slab of a dtype that `bytes` of tensor take: bytes / size of the slab's element.
 */
uint32_t dc_store_element(uint32_t dtype);

/* How stores are opened: a file access list without HDF5's locks, which would meet our own,
 * whatever HDF5_USE_FILE_LOCKING says. The caller closes it. */
hid_t dc_store_access(void);
/* Create path, or empty it, with everything the plan says, as zeros; serial: where one process
 * alone changes the structure, none can be left waiting in the library when it fails. Errors:
 * DC_EIO, DC_ENOMEM; a file may then be left. Not collective. */
dc_status dc_store_create(const char *path, const dc_store_plan *plan) DC_MUST_CHECK;
/* Open what create made to put its rows, groups, skipped rows and strings. fapl: H5P_DEFAULT, or
 * dc_store_access() with a parallel driver, and then Collective on its communicator. Errors: as
 * dc_store_open. */
dc_status dc_store_open_empty(dc_store **out, const char *path, hid_t fapl) DC_MUST_CHECK;
/* Open for reading (write = false) or for adding results and views; serial. Errors: DC_ENOENT,
 * DC_EFORMAT (not a store, of a later version, without a whole plan, damaged). Not collective. */
dc_status dc_store_open(dc_store **out, const char *path, bool write) DC_MUST_CHECK;
/* The same for writing, of a store whose plan is not marked whole yet. */
dc_status dc_store_open_new(dc_store **out, const char *path) DC_MUST_CHECK;
/* Closing what was opened in parallel is collective. NULL is legal. */
dc_status dc_store_close(dc_store *s) DC_MUST_CHECK;

uint64_t dc_store_rows(const dc_store *s);
uint64_t dc_store_groups(const dc_store *s);
uint64_t dc_store_skipped(const dc_store *s);
uint64_t dc_store_overflows(const dc_store *s);
bool dc_store_complete(const dc_store *s);
const char *dc_store_path(const dc_store *s);
/* Byte size of all slabs together. */
uint64_t dc_store_slab_bytes(const dc_store *s);
/* The dictionary as a pool whose ids are the store's. Owned by the store; NULL before it is loaded
 * by open. */
const dc_pool *dc_store_names(const dc_store *s);
/* A root attribute's text, malloc'd, or NULL. */
char *dc_store_attribute(const dc_store *s, const char *name);
hid_t dc_store_hid(const dc_store *s);

/* Write plan columns of rows first..first+n-1, of skipped rows, groups, or the dictionary.
 * Independent; needs a store opened by open_empty. The arrays are borrowed. */
dc_status dc_store_put_rows(dc_store *s, const dc_tensor *row, uint64_t first,
                            uint64_t n) DC_MUST_CHECK;
dc_status dc_store_put_overflows(dc_store *s, const dc_overflow_row *row, uint64_t first,
                                 uint64_t n) DC_MUST_CHECK;
dc_status dc_store_put_skipped(dc_store *s, const dc_skipped *row, uint64_t first,
                               uint64_t n) DC_MUST_CHECK;
dc_status dc_store_put_groups(dc_store *s, const uint64_t *first_row, const uint64_t *bytes,
                              uint64_t first, uint64_t n) DC_MUST_CHECK;
dc_status dc_store_put_strings(dc_store *s, const dc_pool *sorted) DC_MUST_CHECK;
/* Read them back: arrays of n, caller's. result may be NULL. first_row gets n+1 values. */
dc_status dc_store_get_rows(dc_tensor *row, dc_result *result, const dc_store *s, uint64_t first,
                            uint64_t n) DC_MUST_CHECK;
dc_status dc_store_get_overflows(dc_overflow_row *row, const dc_store *s, uint64_t first,
                                 uint64_t n) DC_MUST_CHECK;
dc_status dc_store_get_skipped(dc_skipped *row, const dc_store *s, uint64_t first,
                               uint64_t n) DC_MUST_CHECK;
dc_status dc_store_get_groups(uint64_t *first_row, uint64_t *bytes,
                              const dc_store *s) DC_MUST_CHECK;

/* File offset, in bytes from the start of the store file, of a dtype's slab / of the tensor's bytes
 * / of a result column: for pread and pwrite. UINT64_MAX when there is no such slab. Valid after
 * create or open. */
uint64_t dc_store_slab_at(const dc_store *s, uint32_t dtype);
uint64_t dc_store_tensor_at(const dc_store *s, const dc_tensor *t);
uint64_t dc_store_column_at(const dc_store *s, int result_column);
/* Byte size of a dtype's slab. */
uint64_t dc_store_slab_size(const dc_store *s, uint32_t dtype);
/* Say who is writing; mark the plan whole (all rows, groups and strings are in: from then on a
 * capture can be resumed); mark complete. Need write. Each changes a few bytes in place, so that a
 * kill cannot damage the file. */
dc_status dc_store_set_holder(dc_store *s, const char *holder) DC_MUST_CHECK;
dc_status dc_store_finish_plan(dc_store *s) DC_MUST_CHECK;
dc_status dc_store_finish(dc_store *s) DC_MUST_CHECK;
/* The HDF5 type of a dtype's elements; the caller closes it. */
hid_t dc_store_type(uint32_t dtype);
#endif
