/* peer.h -- what another library's multiplication looks like to a benchmark.
 *
 * A peer is prepared, run, timed and verified as our own kernels are.  None is part of libspmv.a:
 * a program that wants one links the file of ours that includes the other library. */
#pragma once

#include "spmv.h"

/* y = A x by another library, of one vector or of several stored by rows. */
typedef struct spmv_peer {
    const char *name; /* "cusparse:csr-1": the library, and which of its ways */
    const char *summary;
    spmv_format format; /* of the matrix that plan takes */
    bool gpu;
    bool converts; /* from the host: on_gpu is not used */
    bool spmm;     /* for several vectors */

    /* Prepare for many multiplications, all that the library offers for it included.
     *
     *   plan    NULL after a failure
     *   ctx     the GPU, or the CPU with its number of threads
     *   A       GENERAL, on the host; borrowed until `free`
     *   on_gpu  the same there, when that is where the peer runs; borrowed likewise
     *   x, y    of the type of A, which is no pattern, where the context is; borrowed likewise
     *
     * Errors: UNSUPPORTED (not these types), OUT_OF_MEMORY, CUDA_*. */
    spmv_status (*plan)(void **plan, spmv_context *ctx, const spmv_matrix *A,
                        const spmv_gpu_matrix *on_gpu, const spmv_dense *x, spmv_dense *y,
                        spmv_error *err);
    spmv_status (*multiply)(void *plan, spmv_error *err); /* on a GPU enqueued, else done */
    /* Bring the result into y, where the library keeps it elsewhere; NULL: it is there. */
    spmv_status (*fetch)(void *plan, spmv_dense *y, spmv_error *err);
    void (*free)(void *plan);
} spmv_peer;

/* A list ends with a name that is NULL.  Each exists only where its library was found. */
extern const spmv_peer spmv_cusparse_peers[], spmv_graphblas_peers[], spmv_mkl_peers[];
