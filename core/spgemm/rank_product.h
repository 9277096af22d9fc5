/* rank_product.h -- a product of several ranks, each of which makes its rows on some device. */
#pragma once

#include "core/base/base.h"

/* C = A B for the rows of one rank, as spmv_spgemm_gpu has it. */
typedef spmv_status spmv__rows_maker(spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                                     const spmv_spgemm_options *options, spmv_context *ctx,
                                     spmv_spgemm_result *result, spmv_error *err);

/* Where the rows of a rank are made. */
typedef struct spmv__rank_device {
    spmv__rows_maker *make;
    spmv_context *ctx; /* for make */
} spmv__rank_device;

/* As spmv_spgemm_on_ranks. */
spmv_status spmv__product_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                   const spmv_part *B, const spmv_part *mask,
                                   const spmv_spgemm_options *options,
                                   const spmv__rank_device *device, spmv_spgemm_result *result,
                                   spmv_spgemm_share *share, spmv_error *err);
