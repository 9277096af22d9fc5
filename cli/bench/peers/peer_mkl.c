/* peer_mkl.c -- Intel oneMKL as a peer: the only file that knows it.  Its inspector-executor calls,
 * optimised for many multiplications, with 32-bit indices. */
#include "core/multiply/peer.h"
#include "cli/tool/fail.h"

#include <mkl_spblas.h>
#include <stdlib.h>

enum { CALLS_EXPECTED = 1000 };

typedef struct mkl_plan {
    sparse_matrix_t A;
    struct matrix_descr descr;
    MKL_INT *row_ptr;
    const spmv_dense *x;
    spmv_dense *y;
} mkl_plan;

static spmv_status check(sparse_status_t status, const char *what, spmv_error *err)
{
    if (status == SPARSE_STATUS_SUCCESS) return SPMV_SUCCESS;
    return tool_fail(err,
                     status == SPARSE_STATUS_ALLOC_FAILED ? SPMV_ERROR_OUT_OF_MEMORY
                                                          : SPMV_ERROR_UNSUPPORTED,
                     "MKL: %s failed with code %d", what, (int)status);
}

static void release(void *data)
{
    mkl_plan *p = data;
    if (p->A != NULL) mkl_sparse_destroy(p->A);
    free(p->row_ptr);
    free(p);
}

/* Narrow offsets. */
static spmv_status copy_offsets(mkl_plan *p, const spmv_csr *A, spmv_error *err)
{
    p->row_ptr = calloc((size_t)A->rows + 1, sizeof *p->row_ptr);
    if (p->row_ptr == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot copy the matrix for MKL");
    for (int64_t r = 0; r <= A->rows; r++) p->row_ptr[r] = (MKL_INT)A->row_ptr[r];
    return SPMV_SUCCESS;
}

static spmv_status create(mkl_plan *p, const spmv_csr *A, spmv_error *err)
{
    const MKL_INT rows = (MKL_INT)A->rows, cols = (MKL_INT)A->cols;
    spmv_status st;
    TOOL_TRY(check(A->type == SPMV_F32
                       ? mkl_sparse_s_create_csr(&p->A, SPARSE_INDEX_BASE_ZERO, rows, cols,
                                                 p->row_ptr, p->row_ptr + 1, A->col_idx, A->val)
                       : mkl_sparse_d_create_csr(&p->A, SPARSE_INDEX_BASE_ZERO, rows, cols,
                                                 p->row_ptr, p->row_ptr + 1, A->col_idx, A->val),
                   "mkl_sparse_create_csr", err));
    p->descr.type = SPARSE_MATRIX_TYPE_GENERAL;
    TOOL_TRY(check(
        mkl_sparse_set_mv_hint(p->A, SPARSE_OPERATION_NON_TRANSPOSE, p->descr, CALLS_EXPECTED),
        "mkl_sparse_set_mv_hint", err));
    TOOL_TRY(check(mkl_sparse_optimize(p->A), "mkl_sparse_optimize", err));
done:
    return st;
}

static spmv_status prepare(void **out, spmv_context *ctx, const spmv_matrix *A,
                           const spmv_gpu_matrix *on_gpu, const spmv_dense *x, spmv_dense *y,
                           spmv_error *err)
{
    spmv_status st;
    mkl_plan *p = NULL;
    (void)ctx;
    (void)on_gpu;
    *out = NULL;
    if (spmv_type_is_complex(x->type) || sizeof(MKL_INT) != sizeof(int32_t) ||
        A->head.nnz > INT32_MAX || A->head.rows >= INT32_MAX)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED,
                         "MKL multiplies real matrices with 32-bit indices here");
    p = calloc(1, sizeof *p);
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a plan");
    p->x = x;
    p->y = y;
    TOOL_TRY(copy_offsets(p, &A->csr, err));
    TOOL_TRY(create(p, &A->csr, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) release(p);
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    mkl_plan *p = data;
    const sparse_operation_t plain = SPARSE_OPERATION_NON_TRANSPOSE;
    return check(p->x->type == SPMV_F32
                     ? mkl_sparse_s_mv(plain, 1, p->A, p->descr, p->x->data, 0, p->y->data)
                     : mkl_sparse_d_mv(plain, 1, p->A, p->descr, p->x->data, 0, p->y->data),
                 "mkl_sparse_mv", err);
}

const spmv_peer spmv_mkl_peers[] = {
    {.name = "mkl:csr",
     .summary = "mkl_sparse_mv after mkl_sparse_optimize",
     .format = SPMV_CSR,
     .plan = prepare,
     .multiply = multiply,
     .free = release},
    {0},
};
