/* mpi_api.h -- MPI, which is loaded when several processes join: a run of one process starts as if
 * it were not there.  With Open MPI linked to it, a program that does nothing takes 3.3 ms instead
 * of 2.0. */
#pragma once

#include "core/base/load_library.h"

#include <mpi.h>

/* What Open MPI calls the objects behind its constants; those of other MPIs are numbers. */
#ifdef OPEN_MPI
#define MPI_OBJECTS(X) X(ompi_mpi_comm_world) X(ompi_mpi_byte) X(ompi_mpi_info_null)
#else
#define MPI_OBJECTS(X)
#endif

/* The functions that mpi_calls.c uses. */
/* clang-format off */
#define MPI_API(X) \
    X(MPI_Initialized) X(MPI_Init_thread) X(MPI_Finalize) X(MPI_Finalized) X(MPI_Comm_dup) X(MPI_Comm_free) \
    X(MPI_Comm_split_type) X(MPI_Comm_rank) X(MPI_Comm_size) X(MPI_Bcast) X(MPI_Allgather) X(MPI_Alltoall) \
    X(MPI_Iallgather) X(MPI_Test) X(MPI_Wait) X(MPI_Abort)                                     \
    X(MPI_Send_init) X(MPI_Recv_init) X(MPI_Startall) X(MPI_Waitall) X(MPI_Request_free)       \
    MPI_OBJECTS(X)
/* clang-format on */

SPMV__LIBRARY(mpi, MPI_API, SPMV_MPI_SONAME)

/* The constants of mpi.h go through the pointers. */
#ifdef OPEN_MPI
#define ompi_mpi_comm_world (*mpi.ompi_mpi_comm_world)
#define ompi_mpi_byte (*mpi.ompi_mpi_byte)
#define ompi_mpi_info_null (*mpi.ompi_mpi_info_null)
#endif
