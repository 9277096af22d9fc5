/* bench_matrix_test.h -- a random matrix as the tests of measuring have it. */
#pragma once

#include "cli/bench/measure/bench_form.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

/* The matrix of a sample, which then belongs to the answer, with an x of random numbers. */
static inline bench_matrix bench_test_matrix(const bench_options *options, const test_sample *s,
                                             spmv_type precision)
{
    bench_matrix m = {.options = options,
                      .file = s->label,
                      .name = s->label,
                      .A = s->A,
                      .precision = precision,
                      .deadline = 1e300};
    cr_assert_eq(spmv_row_stats_compute(&m.A, &m.stats, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&m.x, precision, m.stats.cols, 1, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&m.x, 7);
    return m;
}
