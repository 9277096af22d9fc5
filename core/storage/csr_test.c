/* csr_test.c -- the worked example in CSR. */
#include "spmv.h"

#include <criterion/criterion.h>

Test(csr, worked_example)
{
    static const double example[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};
    static const int64_t row_ptr[] = {0, 2, 4, 5};
    static const int32_t col_idx[] = {0, 2, 1, 2, 3};
    static const double val[] = {1, 2, 3, 4, 5};
    spmv_csr A;

    cr_assert_eq(spmv_csr_from_dense(&A, SPMV_F64, 3, 4, example, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.nnz, 5);
    cr_assert_arr_eq(A.row_ptr, row_ptr, sizeof row_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_csr_destroy(&A);
}
