/* mkl_calls.c -- see mkl_calls.h. */
#include "cli/bench/peers/mkl_calls.h"
#include "cli/tool/fail.h"

#include <stdlib.h>

spmv_status mkl_check(sparse_status_t status, const char *what, spmv_error *err)
{
    if (status == SPARSE_STATUS_SUCCESS) return SPMV_SUCCESS;
    return tool_fail(err,
                     status == SPARSE_STATUS_ALLOC_FAILED ? SPMV_ERROR_OUT_OF_MEMORY
                                                          : SPMV_ERROR_UNSUPPORTED,
                     "MKL: %s failed with code %d", what, (int)status);
}

spmv_status mkl_import(mkl_matrix *out, const spmv_csr *A, spmv_error *err)
{
    const MKL_INT rows = (MKL_INT)A->rows, cols = (MKL_INT)A->cols;
    *out = (mkl_matrix){0};
    if (spmv_type_is_complex(A->type) || sizeof(MKL_INT) != sizeof(int32_t) || A->nnz > INT32_MAX ||
        A->rows >= INT32_MAX)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED,
                         "MKL multiplies real matrices with 32-bit indices here");
    out->row_ptr = calloc((size_t)A->rows + 1, sizeof *out->row_ptr);
    if (out->row_ptr == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot copy the matrix for MKL");
    for (int64_t r = 0; r <= A->rows; r++) out->row_ptr[r] = (MKL_INT)A->row_ptr[r];
    return mkl_check(
        A->type == SPMV_F32
            ? mkl_sparse_s_create_csr(&out->handle, SPARSE_INDEX_BASE_ZERO, rows, cols,
                                      out->row_ptr, out->row_ptr + 1, A->col_idx, A->val)
            : mkl_sparse_d_create_csr(&out->handle, SPARSE_INDEX_BASE_ZERO, rows, cols,
                                      out->row_ptr, out->row_ptr + 1, A->col_idx, A->val),
        "mkl_sparse_create_csr", err);
}

void mkl_release(mkl_matrix *A)
{
    if (A->handle != NULL) mkl_sparse_destroy(A->handle);
    free(A->row_ptr);
    *A = (mkl_matrix){0};
}
