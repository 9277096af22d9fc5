/* hyb_spmv.c -- y = alpha A x + beta y for ELLPACK with an overflow of coordinates on the CPU.
 *
 * The sums of the ELL part wait in scratch, in double precision, and the walk over the coordinates
 * adds them to its own: y is rounded once. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

void spmv__hyb_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__diagonals ell = spmv__ell_diagonals(&A->hyb.ell);
    const spmv__entries coo = spmv__coo_entries(&A->hyb.coo);
    const spmv__output sums = {
        .type = spmv__double_type(vector_type), .alpha = {1, 0}, .y = scratch};
    const spmv__output out = {
        .type = vector_type, .alpha = alpha, .beta = beta, .add = scratch, .y = y};

    spmv__diagonals_multiply(&ell, vector_type, x, &sums, threads);
    spmv__entries_multiply(&coo, vector_type, x, &out, threads);
}
