/* io/store_result.h - result columns of a store by pread and pwrite: no HDF5 on the way. */
#ifndef DC_STORE_RESULT_H
#define DC_STORE_RESULT_H
#include "io/store.h"

/* Write the results of rows first..first+n-1 (n <= 64), one call per column, state last. fd is open
 * on the store's file. Errors: DC_ENOSPACE, DC_EIO. Not collective. */
dc_status dc_store_put_results(const dc_store *s, int fd, const dc_result *r, uint64_t first,
                               size_t n) DC_MUST_CHECK;
/* The result of one row. Errors: DC_EIO, DC_EFORMAT. */
dc_status dc_store_get_result(dc_result *r, const dc_store *s, int fd, uint64_t row) DC_MUST_CHECK;
/* Take back that a row is stored: resuming stores its group again. Not collective. */
dc_status dc_store_put_pending(const dc_store *s, int fd, uint64_t row) DC_MUST_CHECK;
/* state[0..n) of rows first..first+n-1. */
dc_status dc_store_get_states(uint8_t *state, const dc_store *s, int fd, uint64_t first,
                              size_t n) DC_MUST_CHECK;
#endif
