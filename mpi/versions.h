/* mpi/versions.h - the versions of the program and of the libraries it runs with. */
#ifndef DC_VERSIONS_H
#define DC_VERSIONS_H
#include "io/status.h"

/* "PROGRAM VERSION\nMPI: Open MPI v4.1.4...\nHDF5: 1.10.8 parallel\n" to stdout. Not collective;
 * does not initialise MPI. */
dc_status dc_versions_print(const char *program) DC_MUST_CHECK;
#endif
