/* gpu_matrix.h -- matrices on a GPU, and their arrays. */
#pragma once

#include "cuda/gpu/context.h"

/* A matrix on the GPU of the context with the head and the parameters of A, whose arrays are there
 * and hold nothing yet.  Errors: CUDA_MALLOC, OUT_OF_MEMORY. */
spmv_status spmv__gpu_matrix_blank(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_matrix *A,
                                   spmv_error *err);

/* Allocate arrays for nnz entries of a blank matrix that has none yet, and that stays narrow if it
 * is.  Errors: CUDA_MALLOC, OUT_OF_MEMORY. */
spmv_status spmv__gpu_matrix_add_entries(spmv_gpu_matrix *A, spmv_context *ctx, int64_t nnz,
                                         spmv_error *err);

/* INVALID_ARGUMENT where the arrays are the caller's, which are never written to. */
spmv_status spmv__gpu_matrix_check_own(const spmv_gpu_matrix *A, spmv_error *err);

/* Are the integers of 64 bits that such a matrix has on the host of 32 bits on a GPU? */
bool spmv__gpu_matrix_is_narrow(const spmv_matrix *A);

/* Allocate an array of so many bytes for a matrix, with zeros behind its end.  Errors: CUDA_*. */
spmv_status spmv__gpu_matrix_array(spmv__gpu *gpu, void **data, int64_t bytes, const char *name,
                                   spmv_error *err);
