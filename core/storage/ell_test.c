/* ell_test.c -- the worked example in ELL, its layout and its limits. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

Test(ell, worked_example)
{
    static const double example[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};
    static const int32_t col_idx[] = {0, 1, 3, 2, 2, -1};
    static const double val[] = {1, 3, 5, 2, 4, 0};
    spmv_ell A;

    cr_assert_eq(spmv_ell_from_dense(&A, SPMV_F64, 3, 4, example, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.nnz, 5);
    cr_assert_eq(A.width, 2);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_ell_destroy(&A);
}

static void check_layout(const spmv_ell *A, const spmv_csr *known, const char *label)
{
    for (int64_t r = 0; r < known->rows; r++) {
        int64_t begin = known->row_ptr[r], length = known->row_ptr[r + 1] - begin;
        cr_assert_leq(length, A->width, "%s", label);
        for (int64_t k = 0; k < A->width; k++) {
            int64_t slot = k * A->rows + r;
            int64_t col = k < length ? known->col_idx[begin + k] : -1;
            spmv_scalar value = {0, 0};
            if (k < length) value = spmv__scalar(known->type, known->val, begin + k);
            cr_assert_eq(A->col_idx[slot], col, "%s: entry %lld of row %lld", label, (long long)k,
                         (long long)r);
            cr_assert(A->type == SPMV_PATTERN ||
                          test_equal(spmv__scalar(A->type, A->val, slot), value),
                      "%s: entry %lld of row %lld", label, (long long)k, (long long)r);
        }
    }
}

/* Padding is value 0, column -1.  Element (row, k) sits at k * rows + row.
 */
Test(ell, padding_and_place_of_every_element)
{
    for (int type = 0; type < SPMV_TYPES; type++) {
        for (int k = 0, cases = 0; cases < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            spmv_matrix A;
            if (test_convert(&A, &s.A, SPMV_ELL, s.label)) {
                check_layout(&A.ell, &s.A.csr, s.label);
                spmv_destroy(&A);
                cases++;
            }
            spmv_destroy(&s.A);
        }
    }
}

/* Makes one full row among `rows`. */
static spmv_matrix one_long_row(int64_t rows, int64_t length)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, rows, length, length, NULL), SPMV_SUCCESS);
    for (int64_t r = 1; r <= rows; r++) A.csr.row_ptr[r] = length;
    for (int64_t c = 0; c < length; c++) A.csr.col_idx[c] = (int32_t)c;
    return A;
}

Test(ell, too_much_padding_is_refused_with_the_numbers_and_what_to_use)
{
    spmv_error err;
    spmv_matrix B, A = one_long_row(2048, 1000);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_null(B.ell.col_idx);
    cr_assert_not_null(strstr(err.message, "2048000 slots"), "%s", err.message);
    cr_assert_not_null(strstr(err.message, "fill of 2.05e+03"), "%s", err.message);
    cr_assert_not_null(strstr(err.message, "limit of 10"), "%s", err.message);
    cr_assert_not_null(strstr(err.message, "HYB or JDS"), "%s", err.message);

    spmv_convert_options build = {.max_fill = 2048};
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, &build, &err), SPMV_SUCCESS);
    spmv_destroy(&B);
    build.max_fill = 2047;
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, &build, &err), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);

    A = one_long_row(1024, 1024); /* 2^20 slots: small enough whatever the fill */
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, NULL, &err), SPMV_SUCCESS);
    spmv_destroy(&B);
    spmv_destroy(&A);
}

Test(ell, padding_beyond_the_machine_is_out_of_memory)
{
    spmv_error err;
    spmv_matrix B, A = one_long_row(1 << 20, 1 << 20); /* 2^40 slots of 12 bytes */
    spmv_convert_options build = {.max_fill = 1e9};
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, &build, &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, "13.19 TB"), "%s", err.message);
    spmv_destroy(&A);
}

Test(ell, a_width_can_be_asked_for)
{
    spmv_matrix B, A = one_long_row(3, 2);
    spmv_convert_options build = {.ell_width = 5};
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, &build, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.ell.width, 5);
    test_assert_valid(&B, "width 5");
    spmv_destroy(&B);
    build.ell_width = 1; /* narrower than the longest row: that row decides */
    cr_assert_eq(spmv_convert(&B, &A, SPMV_ELL, &build, NULL), SPMV_SUCCESS);
    cr_assert_eq(B.ell.width, 2);
    spmv_destroy(&B);
    spmv_destroy(&A);
}
