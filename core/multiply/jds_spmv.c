/* jds_spmv.c -- y = alpha A x + beta y for jagged diagonals on the CPU. */
#include "core/multiply/multiply.h"

void spmv__jds_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_jds *jds = &A->jds;
    const spmv__diagonals diagonals = {.type = jds->type,
                                       .rows = jds->rows,
                                       .diags = jds->diags,
                                       .diag_ptr = jds->diag_ptr,
                                       .col_idx = jds->col_idx,
                                       .val = jds->val,
                                       .perm = jds->perm};
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__diagonals_multiply(&diagonals, vector_type, x, &out, threads);
}
