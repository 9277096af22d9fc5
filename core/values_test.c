/* values_test.c -- values of another type, and entries without a value. */
#include "test_support.h"

#include <criterion/criterion.h>
#include <math.h>

Test(values, through_single_precision_and_back_is_exact_for_values_that_fit)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, 0);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, single, back;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_convert_values(&single, &A, SPMV_F32, NULL), SPMV_SUCCESS);
            test_assert_valid(&single, s.label);
            cr_assert_eq(spmv_convert_values(&back, &single, SPMV_F64, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&A, &back), "%s", s.label);
            spmv_destroy(&A);
            spmv_destroy(&single);
            spmv_destroy(&back);
        }
        spmv_destroy(&s.A);
    }
}

static void assert_all_ones(const spmv_matrix *A, const char *label)
{
    spmv_matrix C;
    cr_assert(test_convert(&C, A, SPMV_CSR, label));
    for (int64_t p = 0; p < C.csr.nnz; p++)
        cr_assert_eq(spmv__value(C.csr.type, C.csr.val, p), 1, "%s", label);
    spmv_destroy(&C);
}

Test(values, a_pattern_has_none_and_becomes_ones_outside_the_padding)
{
    for (int k = 0; k < TEST_CASES; k++) {
        spmv_type type = k % 2 == 0 ? SPMV_F32 : SPMV_F64;
        test_sample s = test_sample_make(k, type, 0);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, pattern, back;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_convert_values(&pattern, &A, SPMV_PATTERN, NULL), SPMV_SUCCESS);
            test_assert_valid(&pattern, s.label);
            cr_assert_eq(spmv_convert_values(&back, &pattern, type, NULL), SPMV_SUCCESS);
            test_assert_valid(&back, s.label); /* finds padding that is not 0 */
            assert_all_ones(&back, s.label);
            spmv_destroy(&A);
            spmv_destroy(&pattern);
            spmv_destroy(&back);
        }
        spmv_destroy(&s.A);
    }
}

Test(values, rounding_is_to_nearest_and_nan_and_inf_survive)
{
    const double dense[] = {0.1, 1e300, -1e300, NAN, 1 + 0x1p-24, 1 + 0x1.8p-24};
    const float expected[] = {0.1f, INFINITY, -INFINITY, NAN, 1, 1 + 0x1p-23f};
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_COO, SPMV_F64, 1, 6, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert_values(&B, &A, SPMV_F32, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 6; i++) {
        float got = ((float *)B.coo.val)[i];
        cr_assert(got == expected[i] || (isnan(got) && isnan(expected[i])), "value %d", i);
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(values, a_skew_triangle_without_signs_is_symmetric)
{
    const double dense[] = {0, 0, 0, 4, 0, 0, 3, -5, 0};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A, B, C;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 3, dense, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_SKEW;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "skew"));
        cr_assert_eq(spmv_convert_values(&C, &B, SPMV_PATTERN, NULL), SPMV_SUCCESS);
        cr_assert_eq(C.head.symmetry, SPMV_SYMMETRIC);
        test_assert_valid(&C, "pattern of a skew matrix");
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}

Test(values, the_same_type_is_a_copy_and_an_unknown_one_refused)
{
    test_sample s = test_sample_make(5, SPMV_F32, 0);
    spmv_matrix B;
    cr_assert_eq(spmv_convert_values(&B, &s.A, SPMV_F32, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&s.A, &B));
    spmv_destroy(&B);
    cr_assert_eq(spmv_convert_values(&B, &s.A, (spmv_type)9, NULL), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_convert_values(&B, NULL, SPMV_F32, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&s.A);
}
