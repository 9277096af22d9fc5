/* sellc_spmv.c -- y = alpha A x + beta y for sliced ELLPACK with compressed columns on the CPU.
 *
 * A few steps of a slice are unpacked at a time, into the first-level cache, and then added as
 * those of SELL.  Each row is summed in storage order: the result does not depend on the number of
 * threads. */
#include "multiply.h"
#include "sellc.h"

enum {
    MIN_SLOTS = 4096, /* for a second thread */
    BLOCKS = 512,     /* of slices, for any number of threads */
    UNPACKED = 2048   /* columns at a time */
};

static void sum_slice(const spmv_sellc *A, int64_t s, spmv__diagonal_add add, const void *x,
                      const spmv__output *out)
{
    const spmv__slice slice = spmv__sellc_slice(A, s);
    const int64_t batch = UNPACKED / slice.lanes;
    int32_t col[UNPACKED];
    double sum[2 * SPMV_SELLC_SLICE];

    memset(sum, 0, (size_t)(slice.rows * spmv__parts(out->type)) * sizeof *sum);
    for (int64_t k = 0; k < slice.steps; k += batch) {
        const int64_t n = slice.steps - k < batch ? slice.steps - k : batch;
        for (int64_t i = 0; i < n; i++)
            spmv__sellc_decode(A, s, &slice, k + i, 0, slice.rows, col + i * slice.lanes);
        add(slice.rows, n, slice.lanes, col,
            spmv__value_at(A->type, A->val, slice.slot + k * slice.lanes), x, sum);
    }
    spmv__output_sums(out, slice.perm, slice.first, slice.rows, sum);
}

void spmv__sellc_multiply(const spmv_matrix *M, spmv_type vector_type, spmv_scalar alpha,
                          const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_sellc *A = &M->sellc;
    const spmv__diagonal_add add = spmv__diagonal_add_for(A->type, vector_type, spmv__use_avx2());
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};
    const int64_t slices = spmv__sellc_slices(A);
    const int run = slices > BLOCKS ? (int)(slices / BLOCKS) : 1;

    (void)scratch;
    if (A->slots < MIN_SLOTS) threads = 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, run) if (threads > 1)
    for (int64_t s = 0; s < slices; s++) sum_slice(A, s, add, x, &out);
}
