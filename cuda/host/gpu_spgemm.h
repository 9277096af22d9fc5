/* gpu_spgemm.h -- what products on a GPU and their plans share. */
#pragma once

#include "cuda/gpu/context.h"
#include "cuda/spgemm/gpu_product.h"

/* Check that matrices on the GPU of a context can be multiplied with these options. */
spmv_status spmv__gpu_product_check(const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                    spmv_context *ctx, const spmv_spgemm_options *o,
                                    spmv_error *err);

/* A product takes its arrays from what its context keeps for products. */
void spmv__gpu_product_use_memory(spmv__gpu_product *p, spmv_context *ctx);

/* INVALID_FORMAT unless the columns of a matrix in CSR ascend, which those of the caller's need
 * not.  Waits for the stream.  CUDA_*. */
spmv_status spmv__gpu_matrix_check_order(const spmv_gpu_matrix *A, spmv_context *ctx,
                                         const char *name, spmv_error *err);

/* C of a product whose entries were counted: with its row offsets, and arrays for its entries that
 * hold nothing yet.  Errors: CUDA_MALLOC, OUT_OF_MEMORY, CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv__gpu_product_matrix(spmv_gpu_matrix **out, const spmv__gpu_product *p,
                                     spmv_context *ctx, spmv_error *err);

/* A product on a GPU whose rows are counted and listed once.  All zero is empty. */
typedef struct spmv__listed_product {
    spmv_context *ctx;
    void *memory; /* owned: arrays of the product */
    spmv__gpu_product product;
    spmv__gpu_sums *sums;       /* owned */
    spmv__product_lists *lists; /* owned; NULL where none are made */
} spmv__listed_product;

/* Count and list; A and B, in CSR, outlive *out, which stays where it is.  On failure *out holds
 * nothing. */
spmv_status spmv__listed_product_open(spmv__listed_product *out, spmv_context *ctx,
                                      const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                      spmv_error *err);
void spmv__listed_product_close(spmv__listed_product *listed);

/* Enqueue the sums of C, whose columns are written, too.  KERNEL_LAUNCH. */
spmv_status spmv__listed_product_enqueue(const spmv__listed_product *listed, spmv_gpu_matrix *C,
                                         spmv_error *err);

/* Enqueue the sums of C, which has its columns.  KERNEL_LAUNCH. */
spmv_status spmv__listed_product_repeat(const spmv__listed_product *listed, spmv_gpu_matrix *C,
                                        spmv_error *err);
