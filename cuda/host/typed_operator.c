/* typed_operator.c -- multiplication and transfer under the name of each format.
 *
 * The struct of one format, borrowed as a matrix, shares every array with it. */
#include "core/matrix/format.h"
#include "cuda/gpu/context.h"

#define X(id, format_name, meaning)                                                                \
    spmv_status spmv_##format_name##_multiply(                                                     \
        const spmv_##format_name *A, double alpha, const spmv_dense *x, double beta,               \
        spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx, spmv_result *result, \
        spmv_error *err)                                                                           \
    {                                                                                              \
        SPMV__REQUIRE(A != NULL, err);                                                             \
        const spmv_matrix matrix = {.format = (id), .format_name = *A};                            \
        return spmv_multiply(&matrix, alpha, x, beta, y, options, ctx, result, err);               \
    }                                                                                              \
                                                                                                   \
    spmv_status spmv_##format_name##_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx,              \
                                            const spmv_##format_name *A, spmv_error *err)          \
    {                                                                                              \
        SPMV__REQUIRE(out != NULL, err);                                                           \
        *out = NULL;                                                                               \
        SPMV__REQUIRE(A != NULL, err);                                                             \
        const spmv_matrix matrix = {.format = (id), .format_name = *A};                            \
        return spmv_to_gpu(out, ctx, &matrix, err);                                                \
    }                                                                                              \
                                                                                                   \
    spmv_status spmv_##format_name##_from_gpu(spmv_##format_name *out, spmv_context *ctx,          \
                                              const spmv_gpu_matrix *A, spmv_error *err)           \
    {                                                                                              \
        SPMV__REQUIRE(out != NULL, err);                                                           \
        spmv_status st = SPMV_SUCCESS;                                                             \
        spmv_matrix matrix = spmv__blank(id, SPMV_PATTERN, SPMV_GENERAL, 0, 0, 0);                 \
        if (A != NULL && A->shape.format != (id))                                                  \
            st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the matrix on the GPU is %s, not %s", \
                            spmv_format_name(A->shape.format), #format_name);                      \
        else                                                                                       \
            st = spmv_from_gpu(&matrix, ctx, A, err);                                              \
        *out = matrix.format_name;                                                                 \
        return st;                                                                                 \
    }
SPMV_FORMAT_TABLE(X)
#undef X
