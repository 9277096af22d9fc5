/* sell_spmv.c -- y = alpha A x + beta y for sliced ELLPACK on the CPU.
 *
 * A slice goes through its columns one after the other, its sums in the first-level cache.  Each
 * row is summed in storage order: the result does not depend on the number of threads. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

/* n lanes of slice s from `lane` on. */
static void sum_lanes(const spmv_sell *A, int64_t s, int64_t lane, int64_t n,
                      spmv__diagonal_add add, const void *x, const spmv__output *out)
{
    double sum[2 * SPMV__BLOCK];
    const int64_t p = A->slice_ptr[s] + lane,
                  steps = (A->slice_ptr[s + 1] - A->slice_ptr[s]) / A->slice;
    memset(sum, 0, (size_t)(n * spmv__parts(out->type)) * sizeof *sum);
    add(n, steps, A->slice, A->col_idx + p, spmv__value_at(A->type, A->val, p), x, sum);
    spmv__output_sums(out, A->window > 1 ? A->perm : NULL, s * A->slice + lane, n, sum);
}

void spmv__sell_multiply(const spmv_matrix *M, spmv_type vector_type, spmv_scalar alpha,
                         const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_sell *A = &M->sell;
    const spmv__diagonal_add add = spmv__diagonal_add_for(A->type, vector_type, spmv__use_avx2());
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};
    const int64_t slices = (A->rows + A->slice - 1) / A->slice;
    const int run = slices > SPMV__BLOCKS ? (int)(slices / SPMV__BLOCKS) : 1;

    (void)scratch;
    if (A->slots < SPMV__LEAST_SLOTS) threads = 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, run) if (threads > 1)
    for (int64_t s = 0; s < slices; s++) {
        const int64_t left = A->rows - s * A->slice, lanes = left < A->slice ? left : A->slice;
        for (int64_t lane = 0; lane < lanes; lane += SPMV__BLOCK)
            sum_lanes(A, s, lane, lanes - lane < SPMV__BLOCK ? lanes - lane : SPMV__BLOCK, add, x,
                      &out);
    }
}
