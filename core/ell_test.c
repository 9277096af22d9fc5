/* ell_test.c -- the worked example in ELL, its limits, and every promise of ELL broken in turn. */
#include "internal.h"

#include <criterion/criterion.h>

static const double example[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};

Test(ell, worked_example)
{
    static const int32_t col_idx[] = {0, 1, 3, 2, 2, -1};
    static const double val[] = {1, 3, 5, 2, 4, 0};
    spmv_ell A;
    double dense[12];

    cr_assert_eq(spmv_ell_from_dense(&A, SPMV_F64, 3, 4, example, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.nnz, 5);
    cr_assert_eq(A.width, 2);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_ell_to_dense(&A, dense);
    cr_assert_arr_eq(dense, example, sizeof dense);
    spmv_ell_destroy(&A);
}
