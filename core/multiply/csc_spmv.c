/* csc_spmv.c -- y = alpha A x + beta y for compressed columns on the CPU.
 *
 * Idea: every thread goes through all columns but adds only the entries that fall into its own
 * range of rows, which it finds in each column by bisection.  No two threads touch the same sum,
 * and each row is summed column by column whichever thread has it: the result depends neither on
 * the ranges nor on the number of threads.  The ranges are quantiles of a sample of the row
 * indices, so they hold about equally many entries.
 *
 * Cost: nnz / threads additions and one search per column for every thread, scratch of one sum per
 * row.  A row that holds most of the matrix is summed by one thread: such a matrix wants CSR,
 * and columns of a few scattered entries do not scale, because each thread fetches them all. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/base/types.h"
#include "core/multiply/multiply.h"

#include <stdlib.h>

enum {
    SAMPLES = 1024,
    MIN_ENTRIES = 16384 /* per thread */
};

/* Sum r = sum of a(r, c) x[c], low <= r < high.  Specialised by constant types. */
SPMV__INLINE void sum_rows(spmv_type type, spmv_type x_type, const spmv_csc *A, const void *x,
                           int64_t low, int64_t high, double *sum)
{
    const int64_t parts = spmv__parts(x_type);
    for (int64_t i = low * parts; i < high * parts; i++) sum[i] = 0;
    for (int64_t c = 0; c < A->cols; c++) {
        const int64_t end = A->col_ptr[c + 1];
        const spmv_scalar xc = spmv__scalar(x_type, x, c);
        int64_t p = A->col_ptr[c];
        if (p < end && A->row_idx[p] < low) p = spmv__find_first(A->row_idx, p, end, low);
        for (; p < end && A->row_idx[p] < high; p++)
            spmv__add_product(type, spmv__scalar(type, A->val, p), x_type, xc, sum, A->row_idx[p]);
    }
}

#define X(name, type, x_type)                                                           \
    static void sum_##name(const spmv_csc *A, const void *x, int64_t low, int64_t high, \
                           double *sum)                                                 \
    {                                                                                   \
        sum_rows(type, x_type, A, x, low, high, sum);                                   \
    }
SPMV__TYPES_TABLE(X)
#undef X

static int compare(const void *a, const void *b)
{
    const int32_t u = *(const int32_t *)a, v = *(const int32_t *)b;
    return (u > v) - (u < v);
}

/* The rows of a sample of the entries, ascending. */
static void take_sample(const spmv_csc *A, int32_t *sample)
{
    for (int64_t i = 0; i < SAMPLES; i++)
        sample[i] = A->row_idx[(int64_t)((double)A->nnz / SAMPLES * (double)i)];
    qsort(sample, SAMPLES, sizeof *sample, compare);
}

/* The kernel for each pair of types. */
#define X(name, type, x_type) {type, x_type, sum_##name},
static const struct {
    spmv_type type, x_type;
    void (*sum)(const spmv_csc *A, const void *x, int64_t low, int64_t high, double *sum);
} kernels[] = {SPMV__TYPES_TABLE(X)};
#undef X

void spmv__csc_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv_csc *csc = &A->csc;
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};
    const int64_t enough = csc->nnz / MIN_ENTRIES + 1;
    int32_t sample[SAMPLES];
    size_t k = 0;

    while (kernels[k].type != csc->type || kernels[k].x_type != vector_type) k++;
    if (threads > enough) threads = (int)enough;
    if (threads > SAMPLES) threads = SAMPLES;
    if (threads > 1) take_sample(csc, sample);
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        const int64_t low = t > 0 ? sample[(int64_t)SAMPLES * t / threads] : 0;
        const int64_t high =
            t + 1 < threads ? sample[(int64_t)SAMPLES * (t + 1) / threads] : csc->rows;
        kernels[k].sum(csc, x, low, high, scratch);
        spmv__output_sums(&out, NULL, low, high - low, scratch + low * spmv__parts(vector_type));
    }
}
