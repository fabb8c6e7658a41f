/* tests/compare_fixture.h - pairs of NPU and golden tensors on disk, with the catalog and the
 * alignment that belong to them, shared out over processes at will. */
#ifndef DC_COMPARE_FIXTURE_H
#define DC_COMPARE_FIXTURE_H
#include "compare/run.h"
#include "tests/mpi_harness.h"

#define DC_FIXTURE_MAX 64

/* How one pair is made. */
typedef struct dc_fixture_pair {
    const char *npu_shape, *original_shape, *golden_shape; /* "2x3" */
    uint32_t npu_dtype, golden_dtype;
    uint32_t npu_format, format; /* of the device tensor; of the golden */
    const void *npu, *golden;    /* bytes; copied */
    uint64_t npu_bytes, golden_bytes;
    bool big_endian, fortran_order;
    const char *golden_file; /* NULL: one of its own; else this one, written by nobody */
    int64_t share;           /* -1; else use the golden of that pair */
    int32_t rank;
} dc_fixture_pair;

typedef struct dc_fixture {
    const char *dir;
    dc_fixture_pair pair[DC_FIXTURE_MAX];
    size_t n;
    dc_pool *names; /* catalog's */
    dc_tensor row[DC_FIXTURE_MAX];
    dc_pool *texts; /* alignment's */
    dc_golden golden[DC_FIXTURE_MAX];
    dc_pair pairs[DC_FIXTURE_MAX];
} dc_fixture;

/* A directory shared by all processes of the job. Collective. */
void dc_fixture_init(dc_fixture *f);
void dc_fixture_fini(dc_fixture *f);
/* Add a pair; process 0 of the job writes its files. The same on every process. */
void dc_fixture_add(dc_fixture *f, const dc_fixture_pair *pair);
/* The part of process p of np, by even shares, or (uneven) all on the last one. Borrows from f. */
void dc_fixture_share(dc_catalog *c, dc_pairs *p, const dc_fixture *f, bool uneven,
                      const dc_par *par);
#endif
