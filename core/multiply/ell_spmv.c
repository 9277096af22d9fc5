/* ell_spmv.c -- y = alpha A x + beta y for ELLPACK on the CPU. */
#include "core/multiply/multiply.h"

spmv__diagonals spmv__ell_diagonals(const spmv_ell *A)
{
    return (spmv__diagonals){
        .type = A->type, .rows = A->rows, .diags = A->width, .col_idx = A->col_idx, .val = A->val};
}

void spmv__ell_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__diagonals diagonals = spmv__ell_diagonals(&A->ell);
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__diagonals_multiply(&diagonals, vector_type, x, &out, threads);
}
