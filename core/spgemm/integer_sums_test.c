/* integer_sums_test.c -- sums of integers that are too large to be exact are told. */
#include "core/base/base.h"

#include <criterion/criterion.h>
#include <math.h>

static spmv_matrix from_dense(spmv_type type, int64_t rows, int64_t cols, const double *dense)
{
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, rows, cols, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert_values(&B, &A, type, NULL), SPMV_SUCCESS);
    spmv_destroy(&A);
    return B;
}

/* Whether a sum of b twice, each times a, may be rounded. */
static bool may_round(spmv_type type, double a, double b, const spmv_spgemm_options *o)
{
    const double left[] = {a, a, 0, a}, right[] = {b, 0, b, b};
    spmv_matrix A = from_dense(type, 2, 2, left), B = from_dense(type, 2, 2, right);
    const bool may = spmv_spgemm_may_round(&A, &B, o);
    spmv_destroy(&A);
    spmv_destroy(&B);
    return may;
}

Test(integer_sums, whether_any_may_be_rounded)
{
    cr_assert_not(may_round(SPMV_F64, 0x1p26, 0x1p25, NULL));
    cr_assert(may_round(SPMV_F64, 0x1p26, -0x1p26, NULL));
    cr_assert(may_round(SPMV_F64, -0x1p52, 1, NULL));
    cr_assert_not(may_round(SPMV_F64, 0x1p52, 0.5, NULL), "0.5 is no integer");
    cr_assert_not(may_round(SPMV_F64, 0x1p52, INFINITY, NULL));
    cr_assert_not(may_round(SPMV_F64, 1.5e200, 1, NULL), "no integer was meant");
    cr_assert_not(may_round(SPMV_F64, 0x1p60, 3, &(spmv_spgemm_options){.boolean = true}));
    cr_assert(may_round(SPMV_F32, 0x1p12, 0x1p11, NULL));
    cr_assert_not(may_round(SPMV_F32, 0x1p11, 0x1p11, NULL));
    cr_assert(may_round(SPMV_C128, 0x1p26, 0x1p25, NULL), "a complex sum has twice as many terms");
    cr_assert_not(may_round(SPMV_PATTERN, 1, 1, NULL));
}

/* With A the column of four 2^26, A^T A is a sum of four 2^52, and A A^T 16 sums of one. */
Test(integer_sums, a_transposed_operand_has_its_rows_as_terms)
{
    const double values[] = {0x1p26, 0x1p26, 0x1p26, 0x1p26};
    const spmv_spgemm_options transposed = {.transpose_a = true};
    spmv_matrix column = from_dense(SPMV_F64, 4, 1, values);
    spmv_matrix row = from_dense(SPMV_F64, 1, 4, values);
    cr_assert(spmv_spgemm_may_round(&column, &column, &transposed));
    cr_assert_not(spmv_spgemm_may_round(&column, &row, NULL));
    cr_assert(spmv_spgemm_may_round(&row, &column, NULL));
    cr_assert_not(spmv_spgemm_may_round(&row, &row, &transposed));
    spmv_destroy(&column);
    spmv_destroy(&row);
}

Test(integer_sums, the_first_and_their_number)
{
    const double values[] = {1, 0x1p53, 0, -0x1p53, 5, 0x1p53 - 1, 0, INFINITY, 0x1p60};
    const struct {
        spmv_type type;
        int64_t count, row, col;
    } expected[] = {{SPMV_F64, 3, 0, 1}, {SPMV_F32, 4, 0, 1}, {SPMV_C128, 3, 0, 1}};
    for (int k = 0; k < 3; k++) {
        spmv_matrix C = from_dense(expected[k].type, 3, 3, values);
        spmv_rounded_sums sums = {0};
        const size_t size = spmv_type_size(expected[k].type);
        for (int64_t i = 0; i < 3; i++) {
            const int64_t at = C.csr.row_ptr[i];
            const spmv_row_piece piece = {i, i + 1, C.csr.row_ptr[i + 1] - at, C.csr.col_idx + at,
                                          (const char *)C.csr.val + (size_t)at * size};
            spmv_rounded_sums_add(&sums, &C.csr, &piece);
        }
        cr_assert_eq(sums.count, expected[k].count, "%d: %lld", k, (long long)sums.count);
        cr_assert(sums.row == expected[k].row && sums.col == expected[k].col);
        cr_assert_eq(sums.size, 0x1p53);
        spmv_destroy(&C);
    }
}
