/* hyb_test.c -- how wide the ELL part of HYB is, and what lies in which part. */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

static int64_t row_length(const spmv_csr *A, int64_t r)
{
    return A->row_ptr[r + 1] - A->row_ptr[r];
}

/* Returns the largest k such that a third of the rows have k or more entries, tried one by one. */
static int64_t naive_width(const spmv_csr *A)
{
    for (int64_t k = 0;; k++) {
        int64_t longer = 0; /* rows with k + 1 or more entries */
        for (int64_t r = 0; r < A->rows; r++) longer += row_length(A, r) > k;
        if (longer == 0 || 3 * longer < A->rows) return k;
    }
}

Test(hyb, default_width_is_what_a_third_of_the_rows_fill)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_F32, 0);
        spmv_matrix A;
        cr_assert(test_convert(&A, &s.A, SPMV_HYB, s.label));
        int64_t width = naive_width(&s.A.csr), overflow = 0;
        for (int64_t r = 0; r < s.A.head.rows; r++) {
            int64_t length = row_length(&s.A.csr, r);
            overflow += length > width ? length - width : 0;
        }
        cr_assert_eq(A.hyb.ell.width, width, "%s: %lld, expected %lld", s.label,
                     (long long)A.hyb.ell.width, (long long)width);
        cr_assert_eq(A.hyb.coo.nnz, overflow, "%s", s.label);
        cr_assert_eq(A.hyb.ell.nnz + A.hyb.coo.nnz, s.A.head.nnz, "%s", s.label);
        spmv_destroy(&A);
        spmv_destroy(&s.A);
    }
}

Test(hyb, the_width_can_be_set)
{
    static const int64_t widths[][2] = {{-1, 0}, {1, 1}, {3, 3}, {50, 50}}; /* asked for, given */
    const double dense[] = {1, 2, 3, 0, 4, 0, 0, 0, 0, 5, 6, 7};
    spmv_matrix A, B, C;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 4, dense, NULL), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        spmv_convert_options build = {.hyb_width = widths[i][0]};
        cr_assert_eq(spmv_convert(&B, &A, SPMV_HYB, &build, NULL), SPMV_SUCCESS);
        cr_assert_eq(B.hyb.ell.width, widths[i][1]);
        test_assert_valid(&B, "chosen width");
        cr_assert_eq(spmv_convert(&C, &B, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&A, &C));
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
    /* HYB becomes HYB of another width, and a copy where there is no choice. */
    spmv_convert_options one = {.hyb_width = 1}, two = {.hyb_width = 2};
    cr_assert_eq(spmv_convert(&B, &A, SPMV_HYB, &one, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&C, &B, SPMV_HYB, &two, NULL), SPMV_SUCCESS);
    cr_assert_eq(C.hyb.ell.width, 2);
    spmv_destroy(&C);
    cr_assert_eq(spmv_convert(&C, &B, SPMV_HYB, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&B, &C));
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

Test(hyb, a_width_that_is_nearly_all_padding_is_refused)
{
    double dense[] = {1, 0};
    spmv_matrix A, B;
    spmv_convert_options build = {.hyb_width = 1 << 20};
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 1, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_HYB, &build, NULL), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);
}

Test(hyb, can_be_filled_by_hand)
{
    spmv_matrix A = {.format = SPMV_HYB};
    const double expected[] = {3, 4};
    double dense[2];
    cr_assert_eq(spmv_hyb_create(&A.hyb, SPMV_F64, 1, 2, 1, 1, NULL), SPMV_SUCCESS);
    A.hyb.ell.col_idx[0] = 0;
    ((double *)A.hyb.ell.val)[0] = 3;
    A.hyb.coo.col_idx[0] = 1;
    ((double *)A.hyb.coo.val)[0] = 4;
    A.hyb.ell.nnz++;
    A.hyb.nnz++;
    test_assert_valid(&A, "by hand");
    spmv_hyb_to_dense(&A.hyb, dense);
    cr_assert_arr_eq(dense, expected, sizeof dense);
    spmv_hyb_destroy(&A.hyb);
}
