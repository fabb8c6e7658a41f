/* tests/mpi_harness.h - suites whose every case is run by every process; one bad process fails the
 * run. */
#ifndef DC_MPI_HARNESS_H
#define DC_MPI_HARNESS_H
#include "mpi/par.h"
#include "tests/harness.h"

/* As dc_test_main, over MPI when started by mpirun, alone otherwise. Each process prints its
 * failures. */
int dc_test_main_mpi(const char *suite, const dc_test *tests, size_t n);
/* The job, during the cases. */
const dc_par *dc_test_par(void);
/* Assert that `expr` is `code` on every process when passage 1, 2, ... most of the fault site fails
 * on one, each process in turn. Collective. */
#define DC_ASSERT_FAULT(code, site, most, expr)                                                    \
    do {                                                                                           \
        for (int dc_at_ = 0; dc_at_ < dc_test_par()->processes * (most); dc_at_++) {               \
            dc_test_arm(site, dc_at_ / (most), dc_at_ % (most) + 1);                               \
            CU_ASSERT_EQUAL(expr, code);                                                           \
        }                                                                                          \
        dc_fault_arm(NULL);                                                                        \
    } while (0)
void dc_test_arm(const char *site, int process, int passage);
/* A fresh directory that all processes share. Collective. */
const char *dc_test_shared_dir(void);
#endif
