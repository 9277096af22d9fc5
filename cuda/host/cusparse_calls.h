/* cusparse_calls.h -- what the peers of NVIDIA cuSPARSE share: no other file includes it. */
#pragma once

#include "core/base/base.h"

#include <cusparse.h>

/* Turns the result of a call into one of ours.  What there is too little memory for, or what
 * cuSPARSE cannot do with this matrix, is no failure of the GPU. */
static inline spmv_status spmv__cusparse_check(cusparseStatus_t code, const char *what,
                                               spmv_error *err)
{
    const spmv_status st =
        code == CUSPARSE_STATUS_NOT_SUPPORTED ? SPMV_ERROR_UNSUPPORTED
        : code == CUSPARSE_STATUS_ALLOC_FAILED || code == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
            ? SPMV_ERROR_CUDA_MALLOC
            : SPMV_ERROR_KERNEL_LAUNCH;
    if (code == CUSPARSE_STATUS_SUCCESS) return SPMV_SUCCESS;
    return spmv__fail(err, st, "cuSPARSE: %s: %s", what, cusparseGetErrorString(code));
}

/* The type of the numbers of a matrix or vector that is no pattern. */
static inline cudaDataType spmv__cusparse_type(spmv_type type)
{
    static const cudaDataType types[SPMV_TYPES] = {[SPMV_F32] = CUDA_R_32F,
                                                   [SPMV_F64] = CUDA_R_64F,
                                                   [SPMV_C64] = CUDA_C_32F,
                                                   [SPMV_C128] = CUDA_C_64F};
    return types[type];
}

/* 1 and 0 as alpha and beta of any type. */
static inline const void *spmv__cusparse_number(cudaDataType type, int number)
{
    static const double f64[2][2] = {{0, 0}, {1, 0}};
    static const float f32[2][2] = {{0, 0}, {1, 0}};
    const bool single = type == CUDA_R_32F || type == CUDA_C_32F;
    return single ? (const void *)f32[number] : f64[number];
}
