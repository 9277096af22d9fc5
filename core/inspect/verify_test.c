/* verify_test.c -- the verification finds what is wrong, and only that. */
#include "core/base/random.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

/* [1 0 2 0; 0 3 4 0; 0 0 0 5] x [1 2 3 4] = [7 18 20] */
static const double example[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};
static double xs[] = {1, 2, 3, 4};

static spmv_dense column(spmv_type type, int64_t rows, void *data)
{
    return (spmv_dense){.type = type, .rows = rows, .cols = 1, .data = data};
}

static spmv_verification verify(const spmv_matrix *A, double alpha, double beta, double *y0,
                                spmv_type y_type, void *ys)
{
    const spmv_dense x = column(SPMV_F64, A->head.cols, xs);
    const spmv_dense y = column(y_type, A->head.rows, ys), old = column(SPMV_F64, y.rows, y0);
    spmv_verification v;
    cr_assert_eq(spmv_verify(A, alpha, &x, beta, y0 != NULL ? &old : NULL, &y, &v, NULL),
                 SPMV_SUCCESS);
    return v;
}

static spmv_matrix dense(spmv_format format, int64_t rows, int64_t cols, const double *values)
{
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, format, SPMV_F64, rows, cols, values, NULL), SPMV_SUCCESS);
    return A;
}

Test(verify, a_planted_error_is_found_and_its_row_named_in_every_format)
{
    for (spmv_format f = (spmv_format)0; f < SPMV_FORMATS; f++) {
        spmv_matrix A = dense(f, 3, 4, example);
        double right[] = {7, 18, 20}, wrong[] = {7, 18.5, 20}, old[] = {10, NAN, 30};

        spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F64, right);
        cr_assert(v.pass);
        cr_assert_eq(v.max_abs_error, 0);
        cr_assert_eq(v.scaled_error, 0);

        v = verify(&A, 1, 0, NULL, SPMV_F64, wrong);
        cr_assert_not(v.pass);
        cr_assert_eq(v.worst_row, 1, "%s", spmv_format_name(f));
        cr_assert_eq(v.max_abs_error, 0.5);
        cr_assert_eq(v.max_rel_error, 0.5 / 18);
        cr_assert_eq(v.scaled_error, 0.5 / 18);
        cr_assert_eq(v.mismatches, 0);
        cr_assert_eq(v.wrong, 1);
        cr_assert_eq(v.worst_found.re, 18.5);
        cr_assert_eq(v.worst_expected.re, 18);

        /* 2 A x - 0.5 y0 */
        double updated[] = {9, NAN, 25};
        cr_assert(verify(&A, 2, -0.5, old, SPMV_F64, updated).pass);
        updated[2] = 25.001;
        cr_assert_eq(verify(&A, 2, -0.5, old, SPMV_F64, updated).worst_row, 2);
        spmv_destroy(&A);
    }
}

Test(verify, the_error_is_scaled_by_what_cancelled)
{
    static const double row[] = {3, -1, -1, 0.5}; /* x: 3 - 2 - 3 + 2 = 0 */
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    double y[] = {1e-15};
    spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F64, y);
    cr_assert(v.pass);
    cr_assert_eq(v.max_rel_error, 0); /* not defined where the reference is 0 */
    cr_assert_eq(v.scaled_error, 1e-15 / 10);
    y[0] = 1e-12;
    cr_assert_not(verify(&A, 1, 0, NULL, SPMV_F64, y).pass);
    spmv_destroy(&A);
}

/* 2^60 + 1 - 2^60: a plain sum in double precision gives 0. */
Test(verify, the_reference_keeps_what_plain_sums_lose)
{
    static const double row[] = {0x1p60, 0.5, 0, -0x1p58};
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    double y[] = {1};
    cr_assert_eq(verify(&A, 1, 0, NULL, SPMV_F64, y).max_abs_error, 0);
    y[0] = 0;
    cr_assert_eq(verify(&A, 1, 0, NULL, SPMV_F64, y).max_abs_error, 1);
    spmv_destroy(&A);
}

Test(verify, nan_and_infinity_are_compared_by_kind)
{
    static const double rows[] = {NAN, 0, 0, 0, INFINITY, 0, 0, 0, -INFINITY, 0, 0, 0, 1, 0, 0, 0};
    static const double y[][4] = {{NAN, INFINITY, -INFINITY, 1},   {1, INFINITY, -INFINITY, 1},
                                  {NAN, NAN, -INFINITY, 1},        {NAN, INFINITY, INFINITY, 1},
                                  {NAN, INFINITY, -INFINITY, NAN}, {INFINITY, 1, NAN, INFINITY}};
    static const int64_t mismatches[] = {0, 1, 1, 1, 1, 4}, first[] = {0, 0, 1, 2, 3, 0};
    spmv_matrix A = dense(SPMV_CSR, 4, 4, rows);
    for (int i = 0; i < 6; i++) {
        double copy[4];
        memcpy(copy, y[i], sizeof copy);
        const spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F64, copy);
        cr_assert_eq(v.mismatches, mismatches[i], "case %d", i);
        cr_assert_eq(v.pass, mismatches[i] == 0, "case %d", i);
        cr_assert_eq(v.worst_row, first[i], "case %d", i);
    }
    spmv_destroy(&A);
}

Test(verify, single_precision_may_overflow_and_underflow)
{
    static const double rows[] = {1e300, 0, 0, 0, 1e-300, 0, 0, 0};
    spmv_matrix A = dense(SPMV_CSR, 2, 4, rows);
    float y[] = {INFINITY, 0};
    spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F32, y);
    cr_assert(v.pass);
    y[0] = FLT_MAX;
    cr_assert_eq(verify(&A, 1, 0, NULL, SPMV_F32, y).mismatches, 1);
    spmv_destroy(&A);
}

Test(verify, several_columns)
{
    spmv_matrix A = dense(SPMV_CSR, 3, 4, example);
    double two_x[] = {1, 2, 3, 4, 1, 0, 0, 0}, two_y[] = {7, 18, 20, 1, 0, 0};
    const spmv_dense x = {SPMV_F64, 4, 2, two_x, false, false, NULL, 0};
    const spmv_dense y = {SPMV_F64, 3, 2, two_y, false, false, NULL, 0};
    spmv_verification v;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert(v.pass);
    two_y[5] = 1;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert_not(v.pass);
    cr_assert_eq(v.worst_row, 2);
    spmv_destroy(&A);
}

/* Seven equal columns, for as many threads as there are, with an error in the second, a larger one
 * in the fourth, and from then on a NaN in the last: the worst place is what it is for one thread.
 */
Test(verify, the_worst_of_many_columns)
{
    enum { COLS = 7 };
    spmv_matrix A = dense(SPMV_CSR, 3, 4, example);
    double x_data[4 * COLS], y_data[3 * COLS];
    const spmv_dense x = {SPMV_F64, 4, COLS, x_data, false, false, NULL, 0};
    const spmv_dense y = {SPMV_F64, 3, COLS, y_data, false, false, NULL, 0};
    spmv_verification v;
    for (int c = 0; c < COLS; c++) {
        memcpy(x_data + 4 * c, (double[]){1, 2, 3, 4}, 4 * sizeof *x_data);
        memcpy(y_data + 3 * c, (double[]){7, 18, 20}, 3 * sizeof *y_data);
    }
    y_data[3 * 1 + 0] = 8;
    y_data[3 * 3 + 1] = 28;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert_eq(v.wrong, 2);
    cr_assert_eq(v.worst_row, 1);
    cr_assert_eq(v.worst_found.re, 28);
    cr_assert_eq(v.max_abs_error, 10);
    cr_assert_eq(v.max_rel_error, 10. / 18);
    y_data[3 * 6 + 2] = NAN;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert_eq(v.wrong, 3);
    cr_assert_eq(v.mismatches, 1);
    cr_assert_eq(v.worst_row, 2);
    cr_assert_eq(v.worst_expected.re, 20);
    cr_assert_eq(v.max_abs_error, 10);
    spmv_destroy(&A);
}

/* Rows of one to five ones below a long one, in more stretches than there are threads, with every
 * ninth element of y wrong: each is counted, and the worst is named wherever it lies; as
 * coordinates, which one thread goes through, alike. */
Test(verify, the_worst_of_many_rows)
{
    enum { ROWS = 300000, LONG = 200000 };
    spmv_matrix A = {.format = SPMV_CSR}, C;
    spmv_dense x, y;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, ROWS, LONG, LONG + ROWS / 5 * 15, NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, LONG, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, SPMV_F64, ROWS, 1, NULL), SPMV_SUCCESS);
    for (int64_t r = 0, p = 0; r < ROWS; r++) {
        const int64_t n = r == 0 ? LONG : 1 + r % 5;
        for (int64_t k = 0; k < n; k++) A.csr.col_idx[p++] = (int32_t)k;
        A.csr.row_ptr[r + 1] = p;
        ((double *)y.data)[r] = (double)n + (r % 9 == 4);
    }
    A.csr.nnz = A.csr.row_ptr[ROWS];
    for (int64_t c = 0; c < LONG; c++) ((double *)x.data)[c] = 1;
    ((double *)y.data)[123456] = 40;
    ((double *)y.data)[299999] = 30;
    cr_assert_eq(spmv_convert(&C, &A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    for (int last = 0; last < 2; last++) {
        if (last) ((double *)y.data)[299990] = NAN;
        for (int k = 0; k < 2; k++) {
            spmv_verification v;
            cr_assert_eq(spmv_verify(k == 0 ? &A : &C, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
            cr_expect_eq(v.wrong, 33333 + 2 + last, "%lld wrong", (long long)v.wrong);
            cr_expect_eq(v.mismatches, last);
            cr_expect_eq(v.worst_row, last ? 299990 : 123456);
            cr_expect_eq(v.max_abs_error, 38);
        }
    }
    spmv_destroy(&A);
    spmv_destroy(&C);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
}

/* [1+i 0; 2 3i] [1-2i; 4] = [3-i; 2+8i], doubled, less i times [1; 2]. */
Test(verify, complex_products)
{
    static const double values[] = {1, 1, 0, 0, 2, 0, 0, 3};
    double cx[] = {1, -2, 4, 0}, cy[] = {3, -1, 2, 8}, c2[] = {6, -3, 4, 14}, c0[] = {1, 0, 2, 0};
    spmv_matrix A;
    spmv_verification v;
    const spmv_dense x = column(SPMV_C128, 2, cx), y = column(SPMV_C128, 2, cy);
    const spmv_dense y2 = column(SPMV_C128, 2, c2), y0 = column(SPMV_C128, 2, c0);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 2, 2, values, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert(v.pass);
    cr_assert_eq(v.max_abs_error, 0);
    cr_assert_eq(spmv_verify_complex(&A, spmv__number(2, 0), &x, spmv__number(0, -1), &y0, &y2,
                                     NULL, &v, NULL),
                 SPMV_SUCCESS);
    cr_assert(v.pass);
    cr_assert_eq(v.max_abs_error, 0);

    cy[2] = 5, cy[3] = 12; /* off by 3 + 4i, of 2 + 8i; the products are 2 |1-2i| and 3 |4| */
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert_not(v.pass);
    cr_assert_eq(v.worst_row, 1);
    cr_assert_eq(v.max_abs_error, 5);
    cr_assert_float_eq(v.max_rel_error, 5 / sqrt(68), 1e-15);
    cr_assert_float_eq(v.scaled_error, 5 / (2 * sqrt(5) + 12), 1e-15);

    cy[2] = 2, cy[3] = NAN;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert_eq(v.mismatches, 1);
    const spmv_dense real = column(SPMV_F64, 2, c0);
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &real, &v, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&A);
}

/* With a real y: a complex matrix or x, but alpha, beta and y0 as well; beta 0 hides y0. */
Test(verify, a_real_y_is_no_complex_product)
{
    spmv_matrix A = dense(SPMV_CSR, 1, 1, (const double[]){2});
    const spmv_scalar zero = {0, 0}, one = {1, 0}, i = {0, 1};
    double ones[] = {1, 0}, two[] = {2}, three[] = {3};
    const spmv_dense x = column(SPMV_F64, 1, ones), complex_x = column(SPMV_C128, 1, ones);
    const spmv_dense y = column(SPMV_F64, 1, two), sum = column(SPMV_F64, 1, three);
    const struct {
        spmv_scalar alpha, beta;
        const spmv_dense *x, *y0, *y;
        spmv_status status;
    } cases[] = {
        {one, zero, &x, &complex_x, &y, SPMV_SUCCESS},
        {one, one, &x, &x, &sum, SPMV_SUCCESS},
        {one, zero, &complex_x, NULL, &y, SPMV_ERROR_INVALID_ARGUMENT},
        {i, zero, &x, NULL, &y, SPMV_ERROR_INVALID_ARGUMENT},
        {one, i, &x, &x, &sum, SPMV_ERROR_INVALID_ARGUMENT},
        {one, one, &x, &complex_x, &sum, SPMV_ERROR_INVALID_ARGUMENT},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        spmv_verification v = {.pass = false};
        spmv_error err = {.message = ""};
        cr_expect_eq(spmv_verify_complex(&A, cases[c].alpha, cases[c].x, cases[c].beta, cases[c].y0,
                                         cases[c].y, NULL, &v, &err),
                     cases[c].status, "case %zu: %s", c, err.message);
        cr_expect_eq(v.pass, cases[c].status == SPMV_SUCCESS, "case %zu", c);
    }
    spmv_destroy(&A);
}

/* Where the matrix or the factor is real, infinity meets no imaginary part. */
Test(verify, infinite_parts_of_complex_vectors)
{
    spmv_matrix A = dense(SPMV_CSR, 1, 1, (const double[]){2});
    double cx[] = {INFINITY, 1}, cy[] = {INFINITY, 6};
    const spmv_dense x = column(SPMV_C128, 1, cx), y = column(SPMV_C128, 1, cy);
    spmv_verification v;
    cr_assert_eq(spmv_verify(&A, 3, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS);
    cr_assert(v.pass);
    cr_assert_eq(v.mismatches, 0);
    spmv_destroy(&A);
}

/* ---- What is allowed --------------------------------------------------------------------------
 */

/* A row of so many ones in a pattern; y with the last `lost` of them gone. */
static spmv_verification verify_ones(int64_t n, int64_t lost, spmv_type type, bool single_sums)
{
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_dense x, y;
    spmv_verification v;
    const spmv_rounding rounding = {.single_sums = single_sums};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, 1, n, n, NULL), SPMV_SUCCESS);
    A.csr.row_ptr[1] = n;
    for (int64_t c = 0; c < n; c++) A.csr.col_idx[c] = (int32_t)c;
    cr_assert_eq(spmv_dense_create(&x, type, n, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, type, 1, 1, NULL), SPMV_SUCCESS);
    for (int64_t c = 0; c < n; c++) spmv__set_value(type, x.data, c, 1);
    spmv__set_value(type, y.data, 0, (double)(n - lost));
    cr_assert_eq(spmv_verify_complex(&A, spmv__number(1, 0), &x, spmv__number(0, 0), NULL, &y,
                                     &rounding, &v, NULL),
                 SPMV_SUCCESS);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
    return v;
}

Test(verify, one_lost_entry_of_two_million_shows)
{
    for (int t = 0; t < 2; t++) {
        const spmv_type type = t == 0 ? SPMV_F32 : SPMV_F64;
        cr_expect(verify_ones(2000000, 0, type, false).pass);
        const spmv_verification v = verify_ones(2000000, 1, type, false);
        cr_expect_not(v.pass, "%s", spmv_type_name(type));
        cr_expect_eq(v.wrong, 1);
        cr_expect_gt(v.excess, 1);
    }
    cr_expect(verify_ones(2000000, 1, SPMV_F32, true).pass, "sums in single precision lose more");
    cr_expect_not(verify_ones(1000, 1, SPMV_F32, true).pass);
}

/* Sums in double precision, forwards and backwards, stay within the bound; a float result too. */
Test(verify, plain_sums_pass)
{
    enum { N = 5000 };
    for (int k = 0; k < 50; k++) {
        double row[N], in[N], forwards = 0, backwards = 0;
        for (int i = 0; i < N; i++) {
            row[i] = ldexp(2 * spmv__uniform(31, (uint64_t)(k * N + i)) - 1, i % (k + 1));
            in[i] = 2 * spmv__uniform(32, (uint64_t)(k * N + i)) - 1;
        }
        for (int i = 0; i < N; i++) forwards += row[i] * in[i];
        for (int i = N; i-- > 0;) backwards += row[i] * in[i];
        spmv_matrix A = dense(SPMV_CSR, 1, N, row);
        const spmv_dense x = column(SPMV_F64, N, in);
        float single = (float)forwards;
        const spmv_dense y[] = {column(SPMV_F64, 1, &forwards), column(SPMV_F64, 1, &backwards),
                                column(SPMV_F32, 1, &single)};
        for (int i = 0; i < 3; i++) {
            spmv_verification v;
            cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y[i], &v, NULL), SPMV_SUCCESS);
            cr_expect(v.pass, "row %d, sum %d: %g times what is allowed", k, i, v.excess);
        }
        spmv_destroy(&A);
    }
}

/* The terms are finite, and the sum of their absolute values is not. */
Test(verify, sums_beyond_the_range_are_scaled)
{
    static const double row[] = {1.7e308, -8.5e307, 5. / 3, 0.0625}; /* 1.7e308 - 1.7e308 + 5.25 */
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    double y[] = {5.25};
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, y).pass);
    y[0] = 1e290; /* below what rounding may leave of 1.7e308, 12 2^-52 3.4e308 */
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, y).pass);
    y[0] = 1e295;
    const spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F64, y);
    cr_expect_not(v.pass);
    cr_expect_eq(v.wrong, 1);
    cr_expect_float_eq(v.worst_found.re / 1e295, 1, 1e-9);
    cr_expect_float_eq(v.worst_expected.re, 5.25, 1e-9);
    cr_expect_float_eq(v.max_abs_error / 1e295, 1, 1e-9);
    y[0] = INFINITY;
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, y).pass, "a partial sum may overflow");
    spmv_destroy(&A);
}

/* Whatever the order of the sums of the reference. */
Test(verify, a_sum_beyond_the_range_that_cancels)
{
    static const double row[] = {1e308, 5e307, -1e308 / 3,
                                 -2.5e307}; /* 1e308 twice, less it twice */
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    double y[] = {0};
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, y).pass);
    y[0] = 1e297; /* 12 2^-52 4e308 is about 1e294 */
    cr_expect_not(verify(&A, 1, 0, NULL, SPMV_F64, y).pass);
    spmv_destroy(&A);
}

/* 1.5e308 (1 + i) 1e-300 + 1: each part is in the range, and the modulus is not. */
Test(verify, a_modulus_beyond_the_range)
{
    static const double row[] = {1.5e308, 1.5e308, 1, 0};
    double x[] = {1e-300, 0, 1, 0}, y[] = {1.5e8 + 1, 1.5e8};
    spmv_matrix A;
    spmv_verification v;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 1, 2, row, NULL), SPMV_SUCCESS);
    const spmv_dense by = column(SPMV_C128, 2, x), result = column(SPMV_C128, 1, y);
    cr_assert_eq(spmv_verify(&A, 1, &by, 0, NULL, &result, &v, NULL), SPMV_SUCCESS);
    cr_expect(v.pass);
    y[0] = 0;
    cr_assert_eq(spmv_verify(&A, 1, &by, 0, NULL, &result, &v, NULL), SPMV_SUCCESS);
    cr_expect_not(v.pass);
    cr_expect_float_eq(v.worst_expected.re, 1.5e8 + 1, 1e-6);
    spmv_destroy(&A);
}

/* 2^127 + (2^127 - 2^103) - 2^74 - 2^74 lies just below the middle between the largest number of
 * single precision and the one behind it; a sum in doubles may be that. */
Test(verify, the_largest_number_of_single_precision_or_infinity)
{
    static const double row[] = {0x1p127, 0x1.fffffep126 / 2, -0x1p74 / 3, -0x1p72};
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    float y[] = {INFINITY};
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F32, y).pass);
    y[0] = FLT_MAX;
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F32, y).pass);
    y[0] = FLT_MAX - 0x1p106F; /* four numbers below */
    cr_expect_not(verify(&A, 1, 0, NULL, SPMV_F32, y).pass);
    y[0] = -INFINITY;
    cr_expect_not(verify(&A, 1, 0, NULL, SPMV_F32, y).pass);
    spmv_destroy(&A);
}

/* 10 2^128 - (9 2^128 + 200 2^104), 199 numbers below the largest one of single precision, where
 * sums may be off by 10 2^-23 19 2^128 and a result by 2^104 more: 381 numbers. */
Test(verify, infinity_is_within_the_error)
{
    static const double row[] = {0x1.4p131, -(0x1.2p130 + 0x1.9p110), 0, 0};
    static const struct {
        float off; /* by so many numbers */
        bool pass;
    } cases[] = {{-570, false}, {-390, false}, {-370, true},
                 {150, true},   {199, true},   {INFINITY, true}};
    const spmv_rounding rounding = {.single_sums = true};
    spmv_matrix A = dense(SPMV_CSR, 1, 4, row);
    const spmv_dense x = column(SPMV_F64, 4, xs);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = 0x1p127F - 200 * 0x1p104F + cases[i].off * 0x1p104F + 0x1p127F;
        const spmv_dense y = column(SPMV_F32, 1, &value);
        spmv_verification v;
        cr_assert_eq(spmv_verify_complex(&A, spmv__number(1, 0), &x, spmv__number(0, 0), NULL, &y,
                                         &rounding, &v, NULL),
                     SPMV_SUCCESS);
        cr_expect_eq(v.pass, cases[i].pass, "%g", (double)cases[i].off);
    }
    spmv_destroy(&A);
}

/* 1e308 + 1e308 times 1e-300, or times 0 with another term: nothing of that is beyond the range. */
Test(verify, a_factor_that_brings_sums_back_into_the_range)
{
    static const double row[] = {1e308, 5e307};
    spmv_matrix A = dense(SPMV_CSR, 1, 2, row);
    double old[] = {5};
    float y[] = {2e8F};
    cr_expect(verify(&A, 1e-300, 0, NULL, SPMV_F32, y).pass);
    y[0] = 3e8F;
    cr_expect_not(verify(&A, 1e-300, 0, NULL, SPMV_F32, y).pass);
    y[0] = 5;
    cr_expect(verify(&A, 0, 1, old, SPMV_F32, y).pass);
    y[0] = 7;
    cr_expect_not(verify(&A, 0, 1, old, SPMV_F32, y).pass);
    spmv_destroy(&A);
}

/* 1e308 + 1e308 is infinite, and less -inf NaN; the other way round all is -inf. */
Test(verify, infinite_terms_beside_sums_beyond_the_range)
{
    static const double values[] = {1e308, 1e308, -INFINITY, 1, 1, -INFINITY};
    spmv_matrix A = dense(SPMV_CSR, 2, 3, values);
    double old[] = {1e308, 1};
    double either[] = {NAN, -INFINITY}, other[] = {INFINITY, -INFINITY};
    double number[] = {5, -INFINITY}, wrong[] = {-INFINITY, NAN};
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, either).pass);
    cr_expect(verify(&A, 1, 0, NULL, SPMV_F64, other).pass);
    cr_expect(verify(&A, 0.25, 1, old, SPMV_F64, either).pass);
    cr_expect_not(verify(&A, 1, 0, NULL, SPMV_F64, number).pass);
    cr_expect_not(verify(&A, 1, 0, NULL, SPMV_F64, wrong).pass);
    spmv_destroy(&A);
}

/* Values that were rounded to single precision are off by so much, and not by more. */
Test(verify, rounded_values)
{
    const double value = 1 + 0x1p-25 + 0x1p-40;
    const spmv_rounding rounding = {.single_values = true};
    spmv_matrix A = dense(SPMV_CSR, 1, 1, &value);
    double in[] = {1}, out[] = {1};
    const spmv_dense x = column(SPMV_F64, 1, in), y = column(SPMV_F64, 1, out);
    const spmv_scalar one = {1, 0}, none = {0, 0};
    spmv_verification v;
    cr_assert_not(verify(&A, 1, 0, NULL, SPMV_F64, out).pass);
    cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                 SPMV_SUCCESS);
    cr_assert(v.pass);
    out[0] = 1 + 0x1p-22;
    cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                 SPMV_SUCCESS);
    cr_assert_not(v.pass);
    spmv_destroy(&A);
}

/* Below 2^-126 a value is rounded to a multiple of 2^-149, which a large x makes large. */
Test(verify, rounded_values_near_0)
{
    const spmv_rounding rounding = {.single_values = true};
    static const double values[] = {1.23456789e-40, 0, 0x1p-150 * 1.5, 1};
    spmv_matrix A = dense(SPMV_CSR, 2, 2, values);
    double x_data[] = {1e19, 1e19};
    float y_data[] = {(float)((double)(float)values[0] * 1e19), 1e19f};
    const spmv_dense x = column(SPMV_F64, 2, x_data), y = column(SPMV_F32, 2, y_data);
    const spmv_scalar one = {1, 0}, none = {0, 0};
    spmv_verification v;
    cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                 SPMV_SUCCESS);
    cr_expect(v.pass, "%g of what is allowed", v.excess);
    y_data[0] = (float)(((double)(float)values[0] + 2 * (double)FLT_TRUE_MIN) * 1e19);
    cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                 SPMV_SUCCESS);
    cr_expect_not(v.pass);
    spmv_destroy(&A);
}

/* Both parts are rounded, beside one another or a normal one. */
Test(verify, rounded_complex_values_near_0)
{
    const spmv_rounding rounding = {.single_values = true};
    static const double parts[][2] = {{2.1018e-45, 2.1018e-45},
                                      {0x1p-125 * (1 + 0x1p-24), 2.1018e-45},
                                      {0, 2.1018e-45},
                                      {-2.1018e-45, 0x1p-126 * (1 + 0x1p-24)}};
    const spmv_scalar one = {1, 0}, none = {0, 0};
    double x_data[] = {1e19, 0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double y_data[] = {(double)(float)parts[i][0] * 1e19, (double)(float)parts[i][1] * 1e19};
        const spmv_dense x = column(SPMV_C128, 1, x_data), y = column(SPMV_C128, 1, y_data);
        spmv_verification v;
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 1, 1, parts[i], NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                     SPMV_SUCCESS);
        cr_expect(v.pass, "case %zu: %g of what is allowed", i, v.excess);
        y_data[1] += 3 * (double)FLT_TRUE_MIN * 1e19;
        cr_assert_eq(spmv_verify_complex(&A, one, &x, none, NULL, &y, &rounding, &v, NULL),
                     SPMV_SUCCESS);
        cr_expect_not(v.pass, "case %zu", i);
        spmv_destroy(&A);
    }
}

Test(verify, no_rows)
{
    spmv_matrix A = dense(SPMV_CSR, 0, 4, example);
    const spmv_verification v = verify(&A, 1, 0, NULL, SPMV_F64, xs);
    cr_assert(v.pass);
    cr_assert_eq(v.worst_row, -1);
    spmv_destroy(&A);
}

Test(verify, wrong_arguments_are_refused)
{
    spmv_matrix A = dense(SPMV_CSR, 3, 4, example);
    double ys[] = {7, 18, 20};
    const spmv_dense x = column(SPMV_F64, 4, xs), y = column(SPMV_F64, 3, ys);
    const spmv_dense short_x = column(SPMV_F64, 3, xs), pattern = column(SPMV_PATTERN, 4, xs);
    spmv_verification v;
    spmv_error err;

    cr_assert_eq(spmv_verify(&A, 1, &short_x, 0, NULL, &y, &v, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "A is 3 x 4, but x is 3 x 1 and y is 3 x 1");
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &x, &v, NULL), SPMV_ERROR_INVALID_DIMENSION);
    for (int64_t cols = -1; cols < 1; cols++) { /* nothing would be compared */
        const spmv_dense no_x = {SPMV_F64, 4, cols, xs, false, false, NULL, 0};
        const spmv_dense no_y = {SPMV_F64, 3, cols, ys, false, false, NULL, 0};
        cr_assert_eq(spmv_verify(&A, 1, &no_x, 0, NULL, &no_y, &v, NULL),
                     SPMV_ERROR_INVALID_DIMENSION);
    }
    cr_assert_eq(spmv_verify(&A, 1, &x, 1, &x, &y, &v, NULL), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_verify(&A, 1, &x, 1, NULL, &y, &v, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_verify(&A, 1, &pattern, 0, NULL, &y, &v, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_verify(NULL, 1, &x, 0, NULL, &y, &v, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &y, &v, NULL), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);
}
