/* compare/payload_hash.h - a tensor's bytes as one number: from the store's index, or read. */
#ifndef DC_PAYLOAD_HASH_H
#define DC_PAYLOAD_HASH_H
#include "mpi/catalog.h"

/* *hash = XXH3-64 of row i's bytes (of this process's rows). *read += bytes that had to be read; 0
 * with a store. Errors: DC_ENOENT, DC_EIO, DC_EFORMAT (the file is shorter), DC_ENOMEM. Not
 * collective. */
dc_status dc_payload_hash(uint64_t *hash, uint64_t *read, const dc_catalog *c,
                          uint64_t i) DC_MUST_CHECK;
#endif
