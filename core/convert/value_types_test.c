/* value_types_test.c -- values of another type, and entries without a value. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

static void through_single_precision(spmv_type type, spmv_type narrow)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, type, 0);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, single, back;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_convert_values(&single, &A, narrow, NULL), SPMV_SUCCESS);
            test_assert_valid(&single, s.label);
            cr_assert_eq(spmv_convert_values(&back, &single, type, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&A, &back), "%s", s.label);
            spmv_destroy(&A);
            spmv_destroy(&single);
            spmv_destroy(&back);
        }
        spmv_destroy(&s.A);
    }
}

Test(values, through_single_precision_and_back_is_exact_for_values_that_fit)
{
    through_single_precision(SPMV_F64, SPMV_F32);
    through_single_precision(SPMV_C128, SPMV_C64);
}

static void assert_all_ones(const spmv_matrix *A, const char *label)
{
    spmv_matrix C;
    cr_assert(test_convert(&C, A, SPMV_CSR, label));
    for (int64_t p = 0; p < C.csr.nnz; p++)
        cr_assert(test_equal(spmv__scalar(C.csr.type, C.csr.val, p), spmv__number(1, 0)), "%s",
                  label);
    spmv_destroy(&C);
}

Test(values, a_pattern_has_none_and_becomes_ones_outside_the_padding)
{
    for (int k = 0; k < TEST_CASES; k++) {
        spmv_type type = (spmv_type)(1 + k % (SPMV_TYPES - 1));
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

Test(values, a_triangle_without_signs_is_symmetric)
{
    const double real[] = {0, 0, 0, 4, 0, 0, 3, -5, 0};
    const double complex[] = {0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 3, 2, -5, 3, 0, 0};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            spmv_matrix A, B, C;
            cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, hermitian ? SPMV_C128 : SPMV_F64, 3, 3,
                                         hermitian ? complex : real, NULL),
                         SPMV_SUCCESS);
            A.head.symmetry = hermitian ? SPMV_HERMITIAN : SPMV_SKEW;
            cr_assert(test_convert(&B, &A, (spmv_format)f, "triangle"));
            cr_assert_eq(spmv_convert_values(&C, &B, SPMV_PATTERN, NULL), SPMV_SUCCESS);
            cr_assert_eq(C.head.symmetry, SPMV_SYMMETRIC);
            test_assert_valid(&C, "pattern of a triangle");
            spmv_destroy(&A);
            spmv_destroy(&B);
            spmv_destroy(&C);
        }
    }
}

/* Real values become complex ones with imaginary parts of 0, and their real parts are they again.
 */
Test(values, real_values_become_complex_and_their_real_parts_are_they_again)
{
    for (int k = 0; k < TEST_CASES; k++) {
        const bool single = k % 2 == 0;
        test_sample s = test_sample_make(k, single ? SPMV_F32 : SPMV_F64, 0);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, both, real, imag;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_convert_values(&both, &A, single ? SPMV_C64 : SPMV_C128, NULL),
                         SPMV_SUCCESS);
            test_assert_valid(&both, s.label);
            cr_assert_eq(spmv_take_complex_part(&real, &both, SPMV_COMPLEX_REAL, NULL),
                         SPMV_SUCCESS);
            cr_assert(spmv_identical(&real, &A), "%s", s.label);
            cr_assert_eq(spmv_take_complex_part(&imag, &both, SPMV_COMPLEX_IMAG, NULL),
                         SPMV_SUCCESS);
            test_assert_valid(&imag, s.label);
            cr_assert_eq(imag.head.nnz, A.head.nnz);
            spmv_destroy(&real);
            cr_assert_eq(spmv_drop_zeros(&real, &imag, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(real.head.nnz, 0);
            spmv_destroy(&A);
            spmv_destroy(&both);
            spmv_destroy(&real);
            spmv_destroy(&imag);
        }
        spmv_destroy(&s.A);
    }
}

/* The lower triangle [2 .; 3 - 4i 0], whose diagonal is real. */
Test(values, parts_of_a_triangle_and_what_becomes_of_its_symmetry)
{
    static const struct {
        spmv_symmetry symmetry;
        spmv_complex_part part;
        spmv_symmetry expected;
        double diagonal, below; /* 0: not stored */
    } cases[] = {
        {SPMV_GENERAL, SPMV_COMPLEX_REAL, SPMV_GENERAL, 2, 3},
        {SPMV_GENERAL, SPMV_COMPLEX_IMAG, SPMV_GENERAL, 0, -4},
        {SPMV_GENERAL, SPMV_COMPLEX_ABS, SPMV_GENERAL, 2, 5},
        {SPMV_SYMMETRIC, SPMV_COMPLEX_REAL, SPMV_SYMMETRIC, 2, 3},
        {SPMV_SYMMETRIC, SPMV_COMPLEX_IMAG, SPMV_SYMMETRIC, 0, -4},
        {SPMV_SYMMETRIC, SPMV_COMPLEX_ABS, SPMV_SYMMETRIC, 2, 5},
        {SPMV_HERMITIAN, SPMV_COMPLEX_REAL, SPMV_SYMMETRIC, 2, 3},
        {SPMV_HERMITIAN, SPMV_COMPLEX_IMAG, SPMV_SKEW, 0, -4},
        {SPMV_HERMITIAN, SPMV_COMPLEX_ABS, SPMV_SYMMETRIC, 2, 5},
        {SPMV_SKEW, SPMV_COMPLEX_REAL, SPMV_SKEW, 0, 3},
        {SPMV_SKEW, SPMV_COMPLEX_IMAG, SPMV_SKEW, 0, -4},
        {SPMV_SKEW, SPMV_COMPLEX_ABS, SPMV_SYMMETRIC, 0, 5},
    };
    const double dense[] = {2, 0, 0, 0, 3, -4, 0, 0};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const bool single = i % 2 == 1;
        const size_t c = i / 2;
        const bool diagonal = cases[c].symmetry != SPMV_SKEW;
        spmv_matrix A, B, P;
        spmv_scalar value;
        cr_assert_eq(
            spmv_from_dense(&A, SPMV_COO, single ? SPMV_C64 : SPMV_C128, 2, 2, dense, NULL),
            SPMV_SUCCESS);
        A.head.symmetry = cases[c].symmetry;
        if (!diagonal) { /* the entry in the lower left only */
            A.coo.nnz = 1, A.coo.row_idx[0] = 1;
            spmv__copy_value(A.coo.type, A.coo.val, 0, A.coo.val, 1);
        }
        cr_assert(test_convert(&B, &A, (spmv_format)(i % SPMV_FORMATS), "triangle"));
        cr_assert_eq(spmv_take_complex_part(&P, &B, cases[c].part, NULL), SPMV_SUCCESS);
        test_assert_valid(&P, "part");
        cr_assert_eq(P.format, B.format);
        cr_assert_eq(P.head.type, single ? SPMV_F32 : SPMV_F64);
        cr_assert_eq(P.head.symmetry, cases[c].expected, "case %zu", c);
        cr_assert_eq(P.head.nnz, diagonal && cases[c].expected != SPMV_SKEW ? 2 : 1, "case %zu", c);
        cr_assert_eq(spmv_get_element(&P, 0, 0, &value, NULL), SPMV_SUCCESS);
        cr_assert(test_equal(value, spmv__number(cases[c].diagonal, 0)), "case %zu", c);
        cr_assert_eq(spmv_get_element(&P, 1, 0, &value, NULL), SPMV_SUCCESS);
        cr_assert(test_equal(value, spmv__number(cases[c].below, 0)), "case %zu", c);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&P);
    }
}

Test(values, complex_values_are_not_narrowed_to_real_ones_unasked)
{
    test_sample s = test_sample_make(5, SPMV_C64, 0), real = test_sample_make(5, SPMV_F32, 0);
    spmv_matrix B;
    spmv_error err;
    cr_assert_eq(spmv_convert_values(&B, &s.A, SPMV_F32, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "`complex_values` real, imag or abs"), "%s",
                       err.message);
    cr_assert_eq(spmv_convert_values(&B, &s.A, SPMV_F64, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_null(B.csr.row_ptr);
    cr_assert_eq(spmv_take_complex_part(&B, &s.A, SPMV_COMPLEX_KEEP, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&B, &s.A));
    spmv_destroy(&B);
    cr_assert_eq(spmv_take_complex_part(&B, &real.A, SPMV_COMPLEX_ABS, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&B, &real.A));
    spmv_destroy(&B);
    cr_assert_eq(spmv_take_complex_part(&B, &s.A, (spmv_complex_part)4, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_take_complex_part(&B, NULL, SPMV_COMPLEX_ABS, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&s.A);
    spmv_destroy(&real.A);
}

/* ---- The smallest type ---------------------------------------------------------------------- */

static spmv_type smallest(spmv_type type, int64_t n, const void *val, spmv_type vector_type)
{
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, type, 1, n, val, NULL), SPMV_SUCCESS);
    const spmv_type found = spmv_smallest_type(&A, vector_type);
    spmv_destroy(&A);
    return found;
}

/* One row of ones, all the same but the last one. */
Test(values, the_smallest_type_holds_every_value)
{
    enum { N = 10000 };
    static const struct {
        double last;
        spmv_type expected;
    } cases[] = {
        {1, SPMV_PATTERN},           {-1, SPMV_F32},       {0x1p-149, SPMV_F32},
        {-0x1.fffffep127, SPMV_F32}, {INFINITY, SPMV_F32}, {1 + 0x1p-23, SPMV_F32},
        {1 + 0x1p-24, SPMV_F64},     {0x1p-150, SPMV_F64}, {0x1.8p-149, SPMV_F64},
        {0x1p128, SPMV_F64},         {0.1, SPMV_F64},      {NAN, SPMV_F64},
    };
    static double row[N];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int c = 0; c < N; c++) row[c] = 1;
        row[N - 1] = cases[i].last;
        cr_assert_eq(smallest(SPMV_F64, N, row, SPMV_F64), cases[i].expected, "%a", row[N - 1]);
        row[N - 1] = 1;
        row[0] = cases[i].last;
        cr_assert_eq(smallest(SPMV_F64, N, row, SPMV_F64), cases[i].expected, "%a first", row[0]);
    }
}

Test(values, the_smallest_type_multiplies_the_vectors)
{
    static const double twos[] = {2, 0, 2, 0}, tenths[] = {0.1, 0, 0.1, 0}, ones[] = {1, 0, 1, 0};
    static const struct {
        const double *val;
        spmv_type type, vector_type, expected;
    } cases[] = {
        {twos, SPMV_F64, SPMV_F64, SPMV_F32},    {twos, SPMV_F64, SPMV_F32, SPMV_F32},
        {twos, SPMV_F64, SPMV_C128, SPMV_F64},   {twos, SPMV_F64, SPMV_C64, SPMV_F32},
        {twos, SPMV_F32, SPMV_F64, SPMV_F32},    {tenths, SPMV_F64, SPMV_F32, SPMV_F32},
        {tenths, SPMV_F64, SPMV_C64, SPMV_F32},  {ones, SPMV_F32, SPMV_F32, SPMV_PATTERN},
        {twos, SPMV_C128, SPMV_C128, SPMV_C128}, {twos, SPMV_C128, SPMV_C64, SPMV_C64},
        {tenths, SPMV_C128, SPMV_C64, SPMV_C64}, {twos, SPMV_C64, SPMV_C128, SPMV_C128},
        {ones, SPMV_C128, SPMV_C128, SPMV_C128}, {ones, SPMV_C128, SPMV_C64, SPMV_C64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix A, B;
        const bool complex = spmv_type_is_complex(cases[i].type);
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, complex ? SPMV_C128 : SPMV_F64, 1,
                                     complex ? 2 : 4, cases[i].val, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_convert_values(&B, &A, cases[i].type, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_smallest_type(&B, cases[i].vector_type), cases[i].expected, "case %zu",
                     i);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    cr_assert_eq(spmv_smallest_type(NULL, SPMV_F64), SPMV_F64);
}

/* (inf + 0i) * (1 + 0i) = (inf * 1 - 0 * 0) + (inf * 0 + 0 * 1)i, whose imaginary part is NaN. */
Test(values, complex_ones_times_infinity_are_the_same_in_the_smallest_type)
{
    static const double one[] = {1, 0};
    spmv_matrix A, B;
    spmv_dense x, y;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 1, 1, one, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert_values(&B, &A, spmv_smallest_type(&A, SPMV_C128), NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&x, SPMV_C128, 1, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, SPMV_C128, 1, 1, NULL), SPMV_SUCCESS);
    ((double *)x.data)[0] = INFINITY;
    cr_assert_eq(spmv_multiply(&B, 1, &x, 0, &y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect_eq(((double *)y.data)[0], INFINITY);
    cr_expect(isnan(((double *)y.data)[1]));
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* A pattern has no signs. */
Test(values, a_triangle_of_ones_without_their_signs_is_no_pattern)
{
    static const double dense[] = {0, 0, 1, 0};
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_smallest_type(&A, SPMV_F64), SPMV_PATTERN);
    A.head.symmetry = SPMV_SKEW;
    cr_assert_eq(spmv_smallest_type(&A, SPMV_F64), SPMV_F32);
    spmv_destroy(&A);
}

/* Padding is no value, but a stored 0 is one.  HYB has padding and overflow. */
Test(values, ones_are_a_pattern_in_every_format_whatever_its_padding)
{
    static const double dense[] = {1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, last[] = {1, 0, 2};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        for (int i = 0; i < 3; i++) {
            spmv_matrix A, B, pattern;
            cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 4, 3, dense, NULL), SPMV_SUCCESS);
            ((double *)A.csr.val)[3] = last[i];
            cr_assert(test_convert(&B, &A, (spmv_format)f, "ones"));
            spmv_destroy(&A);
            cr_expect_eq(spmv_smallest_type(&B, SPMV_F64), last[i] == 1 ? SPMV_PATTERN : SPMV_F32,
                         "%s, %g", spmv_format_name(B.format), last[i]);
            cr_assert_eq(spmv_convert_values(&pattern, &B, SPMV_PATTERN, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_convert_values(&A, &pattern, SPMV_F64, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_identical(&A, &B), last[i] == 1);
            spmv_destroy(&A);
            spmv_destroy(&B);
            spmv_destroy(&pattern);
        }
    }
}

/* In every format: there and back is the same matrix, and so is what it multiplies. */
Test(values, nothing_is_lost_in_the_smallest_type)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, k % 2 ? SPMV_F64 : SPMV_C128, TEST_SMALL_CELLS);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, B, back;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            const spmv_type type = spmv_smallest_type(&A, A.head.type);
            cr_assert(A.head.nnz == 0 || type == (k % 2 ? SPMV_F32 : SPMV_C128), "%s", s.label);
            cr_assert_eq(spmv_convert_values(&B, &A, type, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_convert_values(&back, &B, A.head.type, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&A, &back), "%s", s.label);
            spmv_dense x, y, narrow;
            cr_assert_eq(spmv_dense_create(&x, A.head.type, A.head.cols, 1, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_dense_create(&y, A.head.type, A.head.rows, 1, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_dense_create(&narrow, A.head.type, A.head.rows, 1, NULL),
                         SPMV_SUCCESS);
            spmv_dense_fill_random(&x, 5);
            cr_assert_eq(spmv_multiply(&A, 1, &x, 0, &y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_multiply(&B, 1, &x, 0, &narrow, NULL, NULL, NULL, NULL),
                         SPMV_SUCCESS);
            cr_assert_arr_eq(y.data, narrow.data, (size_t)A.head.rows * spmv_type_size(x.type),
                             "%s", s.label);
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&y);
            spmv_dense_destroy(&narrow);
            spmv_destroy(&A);
            spmv_destroy(&B);
            spmv_destroy(&back);
        }
        spmv_destroy(&s.A);
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

Test(values, stand_their_size_apart_and_nowhere_in_a_pattern)
{
    static const double val[8];
    for (int type = 0; type < SPMV_TYPES; type++) {
        const int64_t size = (int64_t)spmv_type_size((spmv_type)type);
        const void *third = size == 0 ? NULL : (const char *)val + 3 * size;
        cr_assert_eq(spmv__value_at((spmv_type)type, size == 0 ? NULL : val, 3), third);
    }
}
