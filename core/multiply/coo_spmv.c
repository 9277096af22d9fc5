/* coo_spmv.c -- y = alpha A x + beta y for sorted coordinates on the CPU. */
#include "core/multiply/multiply.h"

spmv__entries spmv__coo_entries(const spmv_coo *A)
{
    return (spmv__entries){.type = A->type,
                           .rows = A->rows,
                           .nnz = A->nnz,
                           .row_idx = A->row_idx,
                           .col_idx = A->col_idx,
                           .val = A->val};
}

void spmv__coo_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__entries entries = spmv__coo_entries(&A->coo);
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__entries_multiply(&entries, vector_type, x, &out, threads);
}
