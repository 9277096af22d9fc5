/* generated_matrix_test.h -- what the tests of the generators share. */
#pragma once

#include "core/matrix/format.h"
#include "core/generate/generator.h"

#include <criterion/criterion.h>

/* Generates, or fails the test; whatever comes out must keep the promises of CSR. */
static inline spmv_csr generate(const char *kind, spmv_generate_options options)
{
    spmv_csr A;
    spmv_error err = {0};
    cr_assert_eq(spmv_generate(&A, kind, &options, &err), SPMV_SUCCESS, "%s: %s", kind,
                 err.message);
    spmv_matrix M = spmv__wrap_csr(&A);
    cr_assert_eq(spmv_check(&M, &err), SPMV_SUCCESS, "%s: %s", kind, err.message);
    return A;
}

static inline int64_t row_length(const spmv_csr *A, int64_t r)
{
    return A->row_ptr[r + 1] - A->row_ptr[r];
}

/* Says whether |found - expected| is within six deviations; once in 5e8 draws it is not. */
static inline bool six_sigma(double found, double expected, double variance)
{
    return (found - expected) * (found - expected) <= 36 * variance;
}
