/* peer_mkl.c -- Intel oneMKL as a peer.  Its inspector-executor calls, optimised for many
 * multiplications, with 32-bit indices. */
#include "cli/bench/peers/mkl_calls.h"
#include "core/multiply/peer.h"
#include "cli/tool/fail.h"

#include <stdlib.h>

enum { CALLS_EXPECTED = 1000 };

typedef struct mkl_plan {
    mkl_matrix A;
    struct matrix_descr descr;
    const spmv_dense *x;
    spmv_dense *y;
} mkl_plan;

static void release(void *data)
{
    mkl_plan *p = data;
    mkl_release(&p->A);
    free(p);
}

static spmv_status create(mkl_plan *p, const spmv_csr *A, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(mkl_import(&p->A, A, err));
    p->descr.type = SPARSE_MATRIX_TYPE_GENERAL;
    TOOL_TRY(mkl_check(mkl_sparse_set_mv_hint(p->A.handle, SPARSE_OPERATION_NON_TRANSPOSE, p->descr,
                                              CALLS_EXPECTED),
                       "mkl_sparse_set_mv_hint", err));
    TOOL_TRY(mkl_check(mkl_sparse_optimize(p->A.handle), "mkl_sparse_optimize", err));
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
    p = calloc(1, sizeof *p);
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a plan");
    p->x = x;
    p->y = y;
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
    return mkl_check(
        p->x->type == SPMV_F32
            ? mkl_sparse_s_mv(plain, 1, p->A.handle, p->descr, p->x->data, 0, p->y->data)
            : mkl_sparse_d_mv(plain, 1, p->A.handle, p->descr, p->x->data, 0, p->y->data),
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
