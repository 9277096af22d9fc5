/* csr_spmv.c -- y = alpha A x + beta y for compressed rows on the CPU. */
#include "multiply.h"

void spmv__csr_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_csr *csr = &A->csr;
    const spmv__entries entries = {.type = csr->type,
                                   .rows = csr->rows,
                                   .nnz = csr->nnz,
                                   .row_ptr = csr->row_ptr,
                                   .col_idx = csr->col_idx,
                                   .val = csr->val};
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__entries_multiply(&entries, vector_type, x, &out, threads);
}
