/* typed.c -- multiplication and transfer under the name of each format. */
#include "context.h"

#include <string.h>

/* Borrow the struct of one format as a matrix: both share every array. */
#define BORROW(matrix, id, name, A)                                                    \
    spmv_matrix matrix = {.format = (id)};                                             \
    if ((A) == NULL) return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "no matrix"); \
    (matrix).name = *(A)

#define X(id, name, meaning)                                                                       \
    spmv_status spmv_##name##_multiply(const spmv_##name *A, double alpha, const spmv_dense *x,    \
                                       double beta, spmv_dense *y, const spmv_config *config,      \
                                       spmv_context *ctx, spmv_result *result, spmv_error *err)    \
    {                                                                                              \
        BORROW(matrix, id, name, A);                                                               \
        return spmv_multiply(&matrix, alpha, x, beta, y, config, ctx, result, err);                \
    }                                                                                              \
                                                                                                   \
    spmv_status spmv_##name##_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx,                     \
                                     const spmv_##name *A, spmv_error *err)                        \
    {                                                                                              \
        BORROW(matrix, id, name, A);                                                               \
        return spmv_to_gpu(out, ctx, &matrix, err);                                                \
    }                                                                                              \
                                                                                                   \
    spmv_status spmv_##name##_from_gpu(spmv_##name *out, spmv_context *ctx,                        \
                                       const spmv_gpu_matrix *A, spmv_error *err)                  \
    {                                                                                              \
        spmv_matrix matrix;                                                                        \
        spmv_status st = SPMV_SUCCESS;                                                             \
        memset(&matrix, 0, sizeof matrix);                                                         \
        if (out == NULL)                                                                           \
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "no place for the matrix");        \
        if (A != NULL && A->shape.format != (id))                                                  \
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the matrix on the GPU is %s, not %s", \
                            spmv_format_name(A->shape.format), #name);                             \
        else                                                                                       \
            st = spmv_from_gpu(&matrix, ctx, A, err);                                              \
        *out = matrix.name;                                                                        \
        return st;                                                                                 \
    }
SPMV_FORMAT_TABLE(X)
#undef X
