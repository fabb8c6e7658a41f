/* mpi/versions.c - see versions.h */
#include "mpi/versions.h"

#include "io/opt.h"

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

dc_status dc_versions_print(const char *program)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING], hdf5[64];
    unsigned major = 0, minor = 0, release = 0;
    int n = 0;
    dc_buf text = {0};
    MPI_Get_library_version(mpi, &n); /* legal before MPI_Init */
    mpi[strcspn(mpi, ",\n")] = '\0';
    H5get_libversion(&major, &minor, &release);
    snprintf(hdf5, sizeof hdf5, "%u.%u.%u parallel", major, minor, release);
    dc_status st = dc_opt_version(&text, program, mpi, hdf5);
    if (st == DC_OK)
        fwrite(text.data, 1, text.n, stdout);
    dc_buf_free(&text);
    return st;
}
