/* spgemm_method.h -- what a way to make C = A B, both sparse, looks like to a benchmark.
 *
 * Ours and those of other libraries are opened, run, timed and verified alike.  None is part of
 * libspmv.a: a program that wants one links the file of ours that includes the other library. */
#pragma once

#include "spmv.h"

/* CSR, GENERAL, both of one type that is no pattern; B may be A. */
typedef struct spmv_spgemm_operands {
    const spmv_matrix *A, *B;
    const spmv_gpu_matrix *A_on_gpu, *B_on_gpu; /* for a method that finds them there, else NULL */
    int threads;                                /* of the CPU, 0: all */
    int gpus;                                   /* for a joint method: 0 .. gpus - 1 multiply */
} spmv_spgemm_operands;

typedef struct spmv_spgemm_method spmv_spgemm_method;
struct spmv_spgemm_method {
    const char *name; /* "spgemm-gpu"; of a peer "cusparse:spgemm-1", see spmv_peer */
    const char *summary;
    bool gpu;
    bool joint;  /* with `gpu`: several can multiply together; from the host, and back to it */
    int variant; /* which of those that share these functions */

    /* Bring A and B to the library: what is not part of the product.
     *
     *   out  NULL after a failure
     *   ctx  the GPU, or the CPU; borrowed until `close`
     *   in   the matrices are borrowed likewise
     *
     * Errors: UNSUPPORTED (not these types or sizes), OUT_OF_MEMORY, CUDA_*. */
    spmv_status (*open)(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                        const spmv_spgemm_operands *in, spmv_error *err);
    /* Make C, with all that has to be allocated for it, and wait for it.  There is no C before.
     * After a failure `drop` and `close` may be called, and nothing else. */
    spmv_status (*multiply)(void *data, spmv_error *err);
    /* Copy C to the host, as CSR whose columns may be in any order. */
    spmv_status (*fetch)(void *data, spmv_matrix *C, spmv_error *err);
    void (*drop)(void *data); /* release C; it may be there in part, or not at all */
    void (*close)(void *data);
};

/* A list ends with a name that is NULL.  Each exists only where its library was found. */
extern const spmv_spgemm_method spmv_cusparse_methods[], spmv_graphblas_methods[],
    spmv_mkl_methods[];
