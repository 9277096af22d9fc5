/* spmv/comm.h -- several processes that work together; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_COMM_H
#define SPMV_COMM_H

#include "spmv/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of a run, each of which is a rank: 0 .. size - 1.  All ranks make the same calls of
 * functions that take a communicator, in the same order, each from one thread at a time (which is
 * to be the one that began MPI, if this MPI has no MPI_THREAD_SERIALIZED); those that return a
 * status return the same one everywhere.  A failure of MPI itself ends all processes. */
typedef struct spmv_comm spmv_comm;

/* Join the processes that mpirun has started with this one.  MPI is loaded then, and begun where
 * the program has not done so, which a process can do once; spmv_comm_close then ends it.
 * Errors, of this process alone: UNSUPPORTED (no MPI in this build, or it cannot be loaded),
 * INVALID_ARGUMENT (MPI has ended), OUT_OF_MEMORY. */
spmv_status spmv_comm_join(spmv_comm **out, spmv_error *err);
bool spmv_comm_can_join(void); /* false: this build has no MPI */

/* This process alone, as rank 0 of 1.  Errors: OUT_OF_MEMORY. */
spmv_status spmv_comm_alone(spmv_comm **out, spmv_error *err);

void spmv_comm_close(spmv_comm *comm);
int spmv_comm_rank(const spmv_comm *comm);
int spmv_comm_size(const spmv_comm *comm);

/* The same among the ranks of one machine, which share its memory. */
int spmv_comm_local_rank(const spmv_comm *comm);
int spmv_comm_local_size(const spmv_comm *comm);

/* Make a failure of one rank that of all: returns the status of the lowest rank that has failed,
 * and its error in *err; SUCCESS where none has.  It comes after all that may fail on one rank and
 * not on another. */
spmv_status spmv_comm_agree(spmv_comm *comm, spmv_status st, spmv_error *err);

/* A rank that has failed waits `seconds` seconds in spmv_comm_agree for the others, which may be
 * waiting for its GPU; where they do not come, `tell` is called, and all processes end with the
 * exit status that it returns.  NULL, as in the beginning: it waits for as long as they take. */
void spmv_comm_set_patience(spmv_comm *comm, double seconds,
                            int (*tell)(spmv_status st, const spmv_error *err));

/* all [size x n] = the n numbers of each rank, in their order.  n <= SPMV_COMM_NUMBERS. */
enum { SPMV_COMM_NUMBERS = 8 };
void spmv_comm_gather(spmv_comm *comm, const double *mine, int n, double *all);

/* How what GPUs of several ranks exchange comes from one to the other. */
typedef enum spmv_route {
    SPMV_ROUTE_AUTO = 0, /* IPC where that is possible, else NCCL where that is, else HOST */
    SPMV_ROUTE_IPC,      /* a GPU writes into the memory of the others, which CUDA's interprocess
                            communication opens: ranks of one machine, each with a GPU of its own */
    SPMV_ROUTE_HOST,     /* through the memory of the hosts, and as messages of the communicator */
    SPMV_ROUTE_NCCL,     /* by NCCL, which is loaded then: ranks of any machines, each with a GPU of
                            its own */
    SPMV_ROUTE_DEVICE    /* as messages of the communicator, from the memory of the GPUs: with an
                            MPI that says that it can do so, and proves it in a trial */
} spmv_route;

#ifdef __cplusplus
}
#endif
#endif
