/* generated_values.c -- the values of a generated pattern. */
#include "core/matrix/value.h"
#include "core/generate/generator.h"

/* An odd number of the smallest steps: symmetric around 0, and never 0. */
static double uniform(uint64_t bits, bool single)
{
    const int width = single ? 23 : 52;
    const int64_t odd = (int64_t)(bits >> (64 - width)) * 2 + 1;
    return (double)(odd - ((int64_t)1 << width)) * (single ? 0x1p-23 : 0x1p-52);
}

spmv_scalar spmv__random_value(const spmv__plan *plan, int64_t row, int64_t col)
{
    const spmv_type type = plan->options.type;
    const bool single = spmv__is_single(type);
    bool swap = plan->generator->info.symmetric && col < row;
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_VALUES, swap ? col : row);
    uint64_t bits = spmv__mix(stream ^ (uint64_t)(swap ? row : col));
    return spmv__number(uniform(bits, single),
                        spmv_type_is_complex(type) ? uniform(spmv__mix(bits), single) : 0);
}

static spmv_scalar value_of(const spmv__plan *plan, int64_t row, const int32_t *col, int64_t n,
                            int64_t k)
{
    if (plan->options.values == SPMV_VALUES_ONES) return spmv__number(1, 0);
    if (plan->options.values == SPMV_VALUES_OWN && plan->generator->value != NULL)
        return spmv__number(plan->generator->value(plan, row, col, n, k), 0);
    return spmv__random_value(plan, row, col[k]);
}

spmv_status spmv__check_values(const spmv_generate_options *options, spmv_error *err)
{
    if ((unsigned)options->type >= SPMV_TYPES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no value type %d",
                          (int)options->type);
    if ((unsigned)options->values > SPMV_VALUES_ONES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there are no values %d",
                          (int)options->values);
    return SPMV_SUCCESS;
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
        for (int64_t k = 0; k < n; k++)
            spmv__set_scalar(type, A->val, start + k, value_of(plan, r, A->col_idx + start, n, k));
    }
    return SPMV_SUCCESS;
}
