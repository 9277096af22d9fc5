/* element_test.c -- lookup against a linear search. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { LOOKUPS = 40 };

/* Returns what is stored at (row, col) of a CSR matrix, found without the library. */
static spmv_scalar search(const spmv_csr *A, int64_t row, int64_t col)
{
    spmv_scalar found = {0, 0};
    for (int64_t p = A->row_ptr[row]; p < A->row_ptr[row + 1]; p++) {
        if (A->col_idx[p] == col) found = spmv__scalar(A->type, A->val, p);
    }
    return found;
}

static void look_up(const spmv_matrix *A, const test_sample *s)
{
    const spmv_csr *known = &s->A.csr;
    for (uint64_t i = 0; i < LOOKUPS && known->rows > 0 && known->cols > 0; i++) {
        spmv_scalar value = {-1, -1};
        int64_t row = (int64_t)(spmv__uniform(1, i) * (double)known->rows);
        int64_t col = (int64_t)(spmv__uniform(2, i) * (double)known->cols);
        int64_t length = known->row_ptr[row + 1] - known->row_ptr[row];
        if (i % 2 == 0 && length > 0) /* every other time one that is surely stored */
            col = known->col_idx[known->row_ptr[row] + col % length];
        cr_assert_eq(spmv_get_element(A, row, col, &value, NULL), SPMV_SUCCESS);
        const spmv_scalar expected = search(known, row, col);
        cr_assert(test_equal(value, expected), "%s as %s at row %lld, column %lld", s->label,
                  spmv_format_name(A->format), (long long)row, (long long)col);
    }
}

static void outside(const spmv_matrix *A, const char *label)
{
    const int64_t rows = A->head.rows, cols = A->head.cols;
    const int64_t at[][2] = {{-1, 0}, {0, -1}, {rows, 0}, {0, cols}, {INT64_MAX, INT64_MIN}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        spmv_scalar value = {-1, -1};
        spmv_error err;
        char says[256];
        snprintf(says, sizeof says, "row %lld, column %lld is outside %lld x %lld",
                 (long long)at[i][0], (long long)at[i][1], (long long)rows, (long long)cols);
        cr_assert_eq(spmv_get_element(A, at[i][0], at[i][1], &value, &err),
                     SPMV_ERROR_INVALID_DIMENSION, "%s", label);
        cr_assert(value.re == 0 && value.im == 0);
        cr_assert_str_eq(err.message, says, "%s", label);
    }
}

/* Element lookup gives the stored value, or 0. */
Test(element, lookup_is_the_stored_value_or_0_in_every_format)
{
    for (int type = 0; type < SPMV_TYPES; type++) {
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            for (int f = 0; f < SPMV_FORMATS; f++) {
                spmv_matrix A;
                if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
                look_up(&A, &s);
                outside(&A, s.label);
                spmv_destroy(&A);
            }
            spmv_destroy(&s.A);
        }
    }
}

/* Rows of 1 and of 9 stored zeros with a sign, so that HYB has some in either part. */
Test(element, a_stored_zero_keeps_its_sign)
{
    enum { ROWS = 8, LONG = 9, NNZ = ROWS - 1 + LONG };
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, ROWS, 2 * LONG, NNZ, NULL), SPMV_SUCCESS);
    for (int r = 0; r < ROWS; r++) A.csr.row_ptr[r + 1] = r + 1 < ROWS ? r + 1 : NNZ;
    for (int p = 0; p < NNZ; p++) {
        A.csr.col_idx[p] = p < ROWS ? 1 : 2 * (p - ROWS) + 3;
        ((double *)A.csr.val)[p] = -0.0;
    }
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix B;
        spmv_scalar value;
        if (!test_convert(&B, &A, (spmv_format)f, "zeros")) continue;
        for (int col = 0; col < 2 * LONG; col++) {
            cr_assert_eq(spmv_get_element(&B, ROWS - 1, col, &value, NULL), SPMV_SUCCESS);
            cr_expect_eq(signbit(value.re) != 0, col % 2 == 1, "%s, column %d",
                         spmv_format_name((spmv_format)f), col);
        }
        spmv_destroy(&B);
    }
    spmv_destroy(&A);
}

/* The lower triangle [. .; 7 + 2i .], whose other half is answered from it. */
Test(element, the_other_triangle_is_answered_from_the_stored_one)
{
    static const struct {
        spmv_type type;
        spmv_symmetry symmetry;
        spmv_scalar lower, upper;
    } cases[] = {{SPMV_F64, SPMV_SYMMETRIC, {7, 0}, {7, 0}},
                 {SPMV_F64, SPMV_SKEW, {7, 0}, {-7, 0}},
                 {SPMV_C128, SPMV_SYMMETRIC, {7, 2}, {7, 2}},
                 {SPMV_C128, SPMV_SKEW, {7, 2}, {-7, -2}},
                 {SPMV_C64, SPMV_HERMITIAN, {7, 2}, {7, -2}}};
    const double real[] = {0, 0, 7, 0}, complex[] = {0, 0, 0, 0, 7, 2, 0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_scalar lower, upper, none;
        spmv_matrix A;
        const double *dense = spmv_type_is_complex(cases[i].type) ? complex : real;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, cases[i].type, 2, 2, dense, NULL), SPMV_SUCCESS);
        A.head.symmetry = cases[i].symmetry;
        cr_assert_eq(spmv_get_element(&A, 1, 0, &lower, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_get_element(&A, 0, 1, &upper, NULL), SPMV_SUCCESS);
        cr_assert(test_equal(lower, cases[i].lower), "case %zu", i);
        cr_assert(test_equal(upper, cases[i].upper), "case %zu", i);
        cr_assert_eq(signbit(upper.im) != 0, cases[i].upper.im < 0, "case %zu", i);
        A.csr.nnz = A.csr.row_ptr[2] = 0;
        cr_assert_eq(spmv_get_element(&A, 0, 1, &none, NULL), SPMV_SUCCESS);
        cr_assert(none.re == 0 && !signbit(none.re) && none.im == 0 && !signbit(none.im));
        spmv_destroy(&A);
    }
}

Test(element, null_is_refused)
{
    spmv_scalar value;
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_get_element(NULL, 0, 0, &value, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_get_element(&A, 0, 0, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    A.format = SPMV_FORMATS;
    cr_assert_eq(spmv_get_element(&A, 0, 0, &value, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
