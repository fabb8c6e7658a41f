/* compare/payload_hash.c - see payload_hash.h */
#include "compare/payload_hash.h"

#include "io/path.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#define PIECE ((size_t)1 << 20)

typedef struct place {
    char *path;
    uint64_t offset;
} place;

/* Hash n bytes at `at` piece by piece. */
static dc_status hash_bytes(uint64_t *hash, int fd, const place *at, uint64_t n)
{
    dc_status st = DC_OK;
    XXH3_state_t *state = XXH3_createState();
    char *piece = malloc(PIECE);
    if (!state || !piece)
        st = dc_fail_memory();
    else
        XXH3_64bits_reset(state);
    for (uint64_t done = 0; st == DC_OK && done < n; done += PIECE) {
        size_t some = n - done < PIECE ? (size_t)(n - done) : PIECE;
        st = dc_pread(fd, piece, some, at->offset + done, at->path);
        if (st == DC_OK)
            XXH3_64bits_update(state, piece, some);
    }
    if (st == DC_OK)
        *hash = XXH3_64bits_digest(state);
    free(piece);
    XXH3_freeState(state);
    return st;
}

dc_status dc_payload_hash(uint64_t *hash, uint64_t *read, const dc_catalog *c, uint64_t i)
{
    const dc_tensor *t = &c->row[i];
    place at = {0};
    if (c->hash) {
        *hash = c->hash[i];
        return DC_OK;
    }
    dc_status st = dc_catalog_place(&at.path, &at.offset, c, t);
    if (st != DC_OK)
        return st;
    int fd = open(at.path, O_RDONLY | O_CLOEXEC);
    st = fd < 0 ? dc_fail_errno("%s", at.path) : hash_bytes(hash, fd, &at, t->bytes);
    if (st == DC_OK)
        *read += t->bytes;
    if (fd >= 0)
        close(fd);
    free(at.path);
    return st;
}
