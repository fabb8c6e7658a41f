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
/* A fresh directory that all processes share. Collective. */
const char *dc_test_shared_dir(void);
#endif
