/* generate_value.c -- the values of a generated pattern. */
#include "generate.h"

double spmv__random_value(const spmv__plan *plan, int64_t row, int64_t col)
{
    bool swap = plan->generator->info.symmetric && col < row;
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_VALUES, swap ? col : row);
    uint64_t bits = spmv__mix(stream ^ (uint64_t)(swap ? row : col));

    /* An odd number of the smallest steps: symmetric around 0, and never 0. */
    int width = plan->options.type == SPMV_F32 ? 23 : 52;
    int64_t odd = (int64_t)(bits >> (64 - width)) * 2 + 1;
    return (double)(odd - ((int64_t)1 << width)) * (width == 23 ? 0x1p-23 : 0x1p-52);
}

static double value_of(const spmv__plan *plan, int64_t row, const int32_t *col, int64_t n,
                       int64_t k)
{
    if (plan->options.values == SPMV_VALUES_ONES) return 1;
    if (plan->options.values == SPMV_VALUES_OWN && plan->generator->value != NULL)
        return plan->generator->value(plan, row, col, n, k);
    return spmv__random_value(plan, row, col[k]);
}

spmv_status spmv__fill_values(spmv_csr *A, const spmv__plan *plan, spmv_error *err)
{
    spmv_type type = plan->options.type;
    int threads = spmv__threads(plan->options.threads);
    if (type == SPMV_PATTERN) return SPMV_SUCCESS;

    spmv_status st = spmv__alloc(&A->val, A->nnz, spmv_type_size(type), "values", err);
    if (st != SPMV_SUCCESS) return st;
    A->type = type;
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t start = A->row_ptr[r], n = A->row_ptr[r + 1] - start;
        for (int64_t k = 0; k < n; k++) {
            double v = value_of(plan, r, A->col_idx + start, n, k);
            if (type == SPMV_F32)
                ((float *)A->val)[start + k] = (float)v;
            else
                ((double *)A->val)[start + k] = v;
        }
    }
    return SPMV_SUCCESS;
}
