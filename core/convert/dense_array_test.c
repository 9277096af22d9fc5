/* dense_array_test.c -- to and from dense arrays, in every format. */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static void round_trip(int k, spmv_type type)
{
    test_sample s = test_sample_make(k, type, k == 1 ? 1000000 : 30000);
    const spmv_head *h = &s.A.head;
    size_t size = (size_t)test_sample_doubles(&s) * sizeof(double);
    double *expected = test_sample_dense(&s), *dense = malloc(size + 1);
    cr_assert_not_null(dense);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, type, h->rows, h->cols, expected, NULL),
                     SPMV_SUCCESS, "%s as %s", s.label, spmv_format_name((spmv_format)f));
        test_assert_valid(&A, s.label);
        cr_assert_eq(A.head.nnz, h->nnz, "%s", s.label);
        memset(dense, 0x55, size);
        spmv_to_dense(&A, dense);
        cr_assert_arr_eq(dense, expected, size, "%s as %s", s.label,
                         spmv_format_name((spmv_format)f));
        spmv_destroy(&A);
    }
    free(expected);
    free(dense);
    spmv_destroy(&s.A);
}

/* Dense -> format -> dense gives the same matrix. */
Test(dense, dense_round_trip_in_every_format)
{
    for (int type = 0; type < SPMV_TYPES; type++) {
        for (int k = 0; k < TEST_CASES; k++) round_trip(k, (spmv_type)type);
    }
}

Test(dense, nan_is_kept_and_zeros_of_either_sign_are_not)
{
    const double dense[] = {0.0, -0.0, NAN, INFINITY, 1e-60, 0.1};
    double back[6];
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F32, 2, 3, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.head.nnz, 4);
    spmv_to_dense(&A, back);
    cr_assert(isnan(back[2]));
    cr_assert_eq(back[3], INFINITY);
    cr_assert_eq(back[4], 0); /* too small for single precision: stored, as 0 */
    cr_assert_eq(back[5], (double)0.1f);
    spmv_destroy(&A);
}

Test(dense, a_complex_element_is_0_when_both_parts_are)
{
    const double dense[] = {0, 0, 0, 1, -0.0, 0, 2, 0, NAN, 0, 0, -3};
    const double stored[] = {0, 1, 2, 0, NAN, 0, 0, -3};
    double back[12];
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_COO, SPMV_C128, 2, 3, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.head.nnz, 4);
    cr_assert_arr_eq(A.coo.val, stored, sizeof stored);
    spmv_to_dense(&A, back);
    for (int i = 0; i < 12; i++) cr_assert(back[i] == dense[i] || i == 8, "%d", i);
    cr_assert(isnan(back[8]));
    spmv_destroy(&A);
}

Test(dense, a_hermitian_triangle_is_mirrored_with_conjugate_values)
{
    const double lower[] = {2, 0, 0, 0, 3, 4, 0, 0}, whole[] = {2, 0, 3, -4, 3, 4, 0, 0};
    double dense[8];
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A, B;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C64, 2, 2, lower, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_HERMITIAN;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "hermitian"));
        spmv_to_dense(&B, dense);
        cr_assert_arr_eq(dense, whole, sizeof dense, "%s", spmv_format_name((spmv_format)f));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(dense, a_kept_triangle_is_mirrored)
{
    static const int64_t row_idx[] = {1, 2, 2}, col_idx[] = {0, 0, 2};
    static const double val[] = {3, 4, 5};
    const double symmetric[] = {0, 3, 4, 3, 0, 0, 4, 0, 5};
    const double skew[] = {0, -3, -4, 3, 0, 0, 4, 0, 0};
    double dense[9];
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, 3, 3, 3, NULL), SPMV_SUCCESS);
    memcpy(A.coo.row_idx, row_idx, sizeof row_idx);
    memcpy(A.coo.col_idx, col_idx, sizeof col_idx);
    memcpy(A.coo.val, val, sizeof val);
    A.head.symmetry = SPMV_SYMMETRIC;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix B;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "symmetric"));
        spmv_to_dense(&B, dense);
        cr_assert_arr_eq(dense, symmetric, sizeof dense);
        spmv_destroy(&B);
    }
    A.head.symmetry = SPMV_SKEW;
    A.head.nnz = 2;
    spmv_to_dense(&A, dense);
    for (int i = 0; i < 9; i++) cr_assert_eq(dense[i], skew[i]);
    spmv_destroy(&A);
}

Test(dense, impossible_arguments_are_refused)
{
    spmv_matrix A;
    double one = 1;
    cr_assert_eq(spmv_from_dense(NULL, SPMV_CSR, SPMV_F64, 1, 1, &one, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 1, 1, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, -1, 1, &one, NULL),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, INT64_MAX, INT64_MAX, &one, NULL),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, (spmv_type)7, 1, 1, &one, NULL),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_from_dense(&A, (spmv_format)77, SPMV_F64, 1, 1, &one, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_from_dense(&A, SPMV_JDS, SPMV_F64, 0, 5, NULL, NULL), SPMV_SUCCESS);
    spmv_to_dense(&A, NULL);
    spmv_to_dense(NULL, &one);
    cr_assert_eq(one, 1);
    spmv_destroy(&A);
}
