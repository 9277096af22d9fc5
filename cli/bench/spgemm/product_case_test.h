/* product_case_test.h -- matrices for the tests of products. */
#pragma once

#include "cli/bench/measure/started_bench_test.h"

#include <criterion/criterion.h>

/* Options as a tool that was started has them: short measurements. */
static inline void product_test_start(bench_options *o)
{
    *o = (bench_options){.common = COMMON_DEFAULTS, .op = BENCH_SPGEMM, .min_samples = 2};
    bench_test_start(o);
}

/* Takes A over. */
static inline bench_matrix product_test_matrix(const bench_options *o, spmv_matrix A,
                                               const char *label)
{
    bench_matrix m = {.options = o,
                      .file = label,
                      .name = label,
                      .A = A,
                      .precision = A.head.type,
                      .deadline = 1e300};
    if (m.precision == SPMV_PATTERN) m.precision = SPMV_F64;
    cr_assert_eq(spmv_row_stats_compute(&m.A, &m.stats, NULL), SPMV_SUCCESS);
    return m;
}

/* Makes a matrix of so many rows and columns from its entries: rows, columns and values. */
static inline spmv_matrix product_test_csr(spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                                           const int64_t *row_ptr, const int32_t *col,
                                           const double *val)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r <= rows; r++) A.csr.row_ptr[r] = row_ptr[r];
    for (int64_t k = 0; k < nnz; k++) {
        A.csr.col_idx[k] = col[k];
        if (type == SPMV_F32)
            ((float *)A.csr.val)[k] = (float)val[k];
        else
            ((double *)A.csr.val)[k] = val[k];
    }
    return A;
}
