/* jds_test.c -- the order of the rows and the place of every entry in JDS. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

static int64_t row_length(const spmv_csr *A, int64_t r)
{
    return A->row_ptr[r + 1] - A->row_ptr[r];
}

/* Sorted row i must be at least as long as the next, and before it in the matrix when equal. */
static void check_order(const spmv_jds *A, const spmv_csr *known, const char *label)
{
    for (int64_t i = 0; i + 1 < known->rows; i++) {
        int64_t length = row_length(known, A->perm[i]), next = row_length(known, A->perm[i + 1]);
        cr_assert(length > next || (length == next && A->perm[i] < A->perm[i + 1]),
                  "%s: sorted rows %lld and %lld", label, (long long)i, (long long)i + 1);
    }
}

static void check_places(const spmv_jds *A, const spmv_csr *known, const char *label)
{
    for (int64_t i = 0; i < known->rows; i++) {
        int64_t begin = known->row_ptr[A->perm[i]], length = row_length(known, A->perm[i]);
        for (int64_t k = 0; k < length; k++) {
            int64_t q = A->diag_ptr[k] + i;
            cr_assert_lt(q, A->diag_ptr[k + 1], "%s", label);
            cr_assert_eq(A->col_idx[q], known->col_idx[begin + k], "%s", label);
            cr_assert(test_equal(spmv__scalar(A->type, A->val, q),
                                 spmv__scalar(known->type, known->val, begin + k)),
                      "%s", label);
        }
    }
}

Test(jds, rows_by_falling_length_and_entries_in_jagged_diagonals)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        spmv_matrix A;
        cr_assert(test_convert(&A, &s.A, SPMV_JDS, s.label));
        check_order(&A.jds, &s.A.csr, s.label);
        check_places(&A.jds, &s.A.csr, s.label);
        spmv_destroy(&A);
        spmv_destroy(&s.A);
    }
}

Test(jds, worked_example)
{
    static const double dense[] = {1, 0, 0, 2, 3, 4, 0, 0, 0, 0, 5, 6};
    static const int32_t perm[] = {1, 3, 0, 2}, col_idx[] = {0, 1, 0, 1, 2, 2};
    static const int64_t diag_ptr[] = {0, 3, 5, 6};
    static const double val[] = {2, 5, 1, 3, 6, 4};
    spmv_jds A;
    cr_assert_eq(spmv_jds_from_dense(&A, SPMV_F64, 4, 3, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.diags, 3);
    cr_assert_arr_eq(A.perm, perm, sizeof perm);
    cr_assert_arr_eq(A.diag_ptr, diag_ptr, sizeof diag_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_jds_destroy(&A);
}

Test(jds, impossible_sizes_are_refused)
{
    spmv_jds A;
    cr_assert_eq(spmv_jds_create(&A, SPMV_F64, 2, 2, INT64_MAX, 0, NULL), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_jds_create(&A, SPMV_F64, 2, 2, -1, 0, NULL), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_jds_create(NULL, SPMV_F64, 2, 2, 1, 1, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
