/* multiply_test.c -- the CPU multiplication of every format. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Vectors and calls ---------------------------------------------------------------------- */

static spmv_dense vector(spmv_type type, int64_t n, uint64_t seed)
{
    spmv_dense v;
    cr_assert_eq(spmv_dense_create(&v, type, n, 1, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&v, seed);
    return v;
}

static void fill(spmv_dense *v, spmv_scalar value)
{
    for (int64_t i = 0; i < v->rows; i++) spmv__set_scalar(v->type, v->data, i, value);
}

static spmv_scalar entry(const spmv_dense *v, int64_t i)
{
    return spmv__scalar(v->type, v->data, i);
}

static double at(const spmv_dense *v, int64_t i)
{
    return entry(v, i).re;
}

static void multiply_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                             spmv_scalar beta, spmv_dense *y, int threads)
{
    const spmv__format *format = spmv__format_of(A->format);
    double *scratch = NULL;
    if (format->scratch) {
        scratch = malloc((size_t)(2 * A->head.rows) * sizeof *scratch + 1);
        for (int64_t i = 0; i < 2 * A->head.rows; i++) scratch[i] = NAN; /* it must not be read */
    }
    format->multiply(A, x->type, alpha, x->data, beta, y->data, scratch, threads);
    free(scratch);
}

static void multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                     spmv_dense *y, int threads)
{
    multiply_complex(A, spmv__number(alpha, 0), x, spmv__number(beta, 0), y, threads);
}

/* ---- Matrices that are awkward to balance --------------------------------------------------- */

/* Row r has length(r) entries, in every `cols / length`-th column. */
static spmv_matrix by_length(spmv_type type, int64_t rows, int64_t cols,
                             int64_t (*length)(int64_t r))
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t nnz = 0;
    for (int64_t r = 0; r < rows; r++) nnz += length(r);
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < rows; r++) {
        const int64_t n = length(r), p = A.csr.row_ptr[r];
        A.csr.row_ptr[r + 1] = p + n;
        for (int64_t k = 0; k < n; k++) {
            A.csr.col_idx[p + k] = (int32_t)(k * cols / n);
            spmv__set_scalar(type, A.csr.val, p + k,
                             spmv__number(2 * spmv__uniform(5, (uint64_t)(p + k)) - 1,
                                          2 * spmv__uniform(6, (uint64_t)(p + k)) - 1));
        }
    }
    return A;
}

static int64_t no_row(int64_t r)
{
    return 0 * r;
}
static int64_t one_huge_row(int64_t r)
{
    return r == 777 ? 30000 : r % 4;
}
static int64_t only_huge_rows(int64_t r)
{
    return 12000 + r;
}
static int64_t gaps(int64_t r)
{
    return r / 2000 % 2 == 0 ? 0 : 5;
}
static int64_t even(int64_t r)
{
    return 7 + 0 * r;
}

static const struct {
    const char *name;
    int64_t rows, cols;
    int64_t (*length)(int64_t r);
} shapes[] = {
    {"1 x 1", 1, 1, no_row},
    {"no rows", 0, 5, no_row},
    {"no columns", 300, 0, no_row},
    {"no entries", 10000, 3, no_row},
    {"one huge row", 1000, 40000, one_huge_row},
    {"only huge rows", 3, 15000, only_huge_rows},
    {"gaps of empty rows", 12000, 500, gaps},
    {"even rows", 5000, 20000, even},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Makes a shape in a format; false for an ELL that would be all padding. */
static bool shape_in(spmv_matrix *out, int shape, spmv_type type, spmv_format format)
{
    spmv_matrix A = by_length(type, shapes[shape].rows, shapes[shape].cols, shapes[shape].length);
    const bool made = test_convert(out, &A, format, shapes[shape].name);
    spmv_destroy(&A);
    return made;
}

#define EACH_FORMAT(f) for (spmv_format f = (spmv_format)0; f < SPMV_FORMATS; f++)

/* ---- Tests ---------------------------------------------------------------------------------- */

/* Each alpha with one beta, which follows from `turn`; all of them meet in a few turns. */
static void check_factors(const spmv_matrix *A, spmv_type x_type, int turn, const char *label)
{
    static const spmv_scalar factors[] = {{0, 0}, {1, 0}, {-0.5, 0}, {0.5, -2}};
    const int count = spmv_type_is_complex(x_type) ? 4 : 3;
    spmv_dense x = vector(x_type, A->head.cols, 1), y = vector(x_type, A->head.rows, 2),
               y0 = vector(x_type, A->head.rows, 2);

    for (int a = 0; a < count; a++) {
        const int b = (a + turn) % count;
        spmv_verification v;
        if (spmv__is_zero(factors[b]))
            fill(&y, spmv__number(NAN, NAN));
        else
            memcpy(y.data, y0.data, (size_t)y.rows * spmv_type_size(y.type));
        multiply_complex(A, factors[a], &x, factors[b], &y, 1);
        cr_assert_eq(spmv_verify_complex(A, factors[a], &x, factors[b], &y0, &y, NULL, &v, NULL),
                     SPMV_SUCCESS);
        cr_assert(v.pass, "%s %s %s, x %s, factors %d and %d: row %lld is off by %g", label,
                  spmv_format_name(A->format), spmv_type_name(A->head.type), spmv_type_name(x_type),
                  a, b, (long long)v.worst_row, v.scaled_error);
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&y0);
}

Test(multiply, every_format_type_and_factor)
{
    for (int s = 0; s < SHAPES; s++) {
        for (int t = 0; t < TEST_TYPES; t++) {
            EACH_FORMAT(f)
            {
                spmv_matrix A;
                if (!shape_in(&A, s, test_types_of[t].type, f)) continue;
                check_factors(&A, test_types_of[t].x_type, (int)f + t, shapes[s].name);
                spmv_destroy(&A);
            }
        }
    }
}

static void compare_threads(spmv_type type)
{
    static const int threads[] = {2, 3, 16};
    for (int s = 0; s < SHAPES; s++) {
        EACH_FORMAT(f)
        {
            spmv_matrix A;
            if (!shape_in(&A, s, type, f)) continue;
            spmv_dense x = vector(type, A.head.cols, 1), one = vector(type, A.head.rows, 2);
            multiply(&A, 1.25, &x, 0.75, &one, 1);
            for (int t = 0; t < 3; t++) {
                spmv_dense y = vector(type, A.head.rows, 2);
                multiply(&A, 1.25, &x, 0.75, &y, threads[t]);
                cr_assert_arr_eq(y.data, one.data, (size_t)y.rows * spmv_type_size(type),
                                 "%s %s %s: %d threads", shapes[s].name, spmv_format_name(f),
                                 spmv_type_name(type), threads[t]);
                spmv_dense_destroy(&y);
            }
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&one);
            spmv_destroy(&A);
        }
    }
}

Test(multiply, the_same_bits_for_any_number_of_threads)
{
    compare_threads(SPMV_F32);
    compare_threads(SPMV_C64);
}

static int64_t long_ones_first(int64_t r)
{
    return r < 250 ? 40 : 1;
}

/* What is long of the first 250 rows is summed apart, also where they end within a block. */
Test(multiply, rows_on_both_sides_of_the_longest)
{
    spmv_matrix A = by_length(SPMV_PATTERN, 60000, 100, long_ones_first);
    spmv_dense x = vector(SPMV_F64, 100, 1), y = vector(SPMV_F64, 60000, 2);
    fill(&x, spmv__number(1, 0));
    EACH_FORMAT(f)
    {
        spmv_matrix B;
        if (!test_convert(&B, &A, f, "long ones first")) continue;
        multiply(&B, 1, &x, 0, &y, 2);
        for (int64_t r = 0; r < 60000; r++)
            cr_assert_eq(at(&y, r), long_ones_first(r), "%s: row %d", spmv_format_name(f), (int)r);
        spmv_destroy(&B);
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
}

/* [1+i 0; 2 3i] [1-2i; 4] = [3-i; 2+8i], by hand, and (1+i) times that plus i times [1; 2]. */
Test(multiply, a_complex_product_by_hand)
{
    static const double dense[] = {1, 1, 0, 0, 2, 0, 0, 3};
    static const spmv_type types_of[] = {SPMV_C64, SPMV_C128};
    for (int t = 0; t < 2; t++) {
        EACH_FORMAT(f)
        {
            spmv_matrix A;
            spmv_dense x = vector(types_of[t], 2, 1), y = vector(types_of[t], 2, 1);
            cr_assert_eq(spmv_from_dense(&A, f, types_of[t], 2, 2, dense, NULL), SPMV_SUCCESS);
            spmv__set_scalar(x.type, x.data, 0, spmv__number(1, -2));
            spmv__set_scalar(x.type, x.data, 1, spmv__number(4, 0));
            multiply(&A, 1, &x, 0, &y, 1);
            cr_assert(test_equal(entry(&y, 0), spmv__number(3, -1)), "%s", spmv_format_name(f));
            cr_assert(test_equal(entry(&y, 1), spmv__number(2, 8)), "%s", spmv_format_name(f));

            spmv__set_scalar(y.type, y.data, 0, spmv__number(1, 0));
            spmv__set_scalar(y.type, y.data, 1, spmv__number(2, 0));
            multiply_complex(&A, spmv__number(1, 1), &x, spmv__number(0, 1), &y, 1);
            cr_assert(test_equal(entry(&y, 0), spmv__number(4, 3)), "%s", spmv_format_name(f));
            cr_assert(test_equal(entry(&y, 1), spmv__number(-6, 12)), "%s", spmv_format_name(f));
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&y);
            spmv_destroy(&A);
        }
    }
}

/* This is the worked example [1 0 2 0; 0 3 4 0; 0 0 0 5] with a row of Inf - Inf added. */
Test(multiply, nan_and_infinity_propagate)
{
    static const double dense[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5, INFINITY, -INFINITY, 0, 0};
    EACH_FORMAT(f)
    {
        spmv_matrix A;
        spmv_dense x = vector(SPMV_F64, 4, 1), y = vector(SPMV_F64, 4, 2);
        double *xs = x.data;
        cr_assert_eq(spmv_from_dense(&A, f, SPMV_F64, 4, 4, dense, NULL), SPMV_SUCCESS);

        xs[0] = 1, xs[1] = 1, xs[2] = NAN, xs[3] = -INFINITY;
        multiply(&A, 1, &x, 0, &y, 1);
        cr_assert(isnan(at(&y, 0)) && isnan(at(&y, 1)));
        cr_assert_eq(at(&y, 2), -INFINITY);
        cr_assert(isnan(at(&y, 3)));

        xs[2] = 1, xs[3] = 1;
        multiply(&A, 1, &x, 0, &y, 1);
        cr_assert_eq(at(&y, 0), 3);
        cr_assert_eq(at(&y, 1), 7);
        cr_assert_eq(at(&y, 2), 5);
        cr_assert(isnan(at(&y, 3)));

        /* beta NaN reaches every row, and 0 times infinity is NaN for alpha as well. */
        multiply(&A, 1, &x, NAN, &y, 1);
        for (int r = 0; r < 4; r++) cr_assert(isnan(at(&y, r)));
        xs[3] = INFINITY;
        multiply(&A, 0, &x, 0, &y, 1);
        cr_assert_eq(at(&y, 0), 0);
        cr_assert(isnan(at(&y, 2)));

        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_destroy(&A);
    }
}

/* Real factors and real matrices scale both parts: no infinity meets a 0 that is not there. */
Test(multiply, infinite_parts_stay_apart)
{
    static const double dense[] = {2, 0, 0, 1};
    EACH_FORMAT(f)
    {
        spmv_matrix A;
        spmv_dense x = vector(SPMV_C128, 2, 1), y = vector(SPMV_C128, 2, 2);
        cr_assert_eq(spmv_from_dense(&A, f, SPMV_F64, 2, 2, dense, NULL), SPMV_SUCCESS);
        spmv__set_scalar(x.type, x.data, 0, spmv__number(INFINITY, 1));
        spmv__set_scalar(x.type, x.data, 1, spmv__number(3, NAN));
        multiply(&A, 0.5, &x, 0, &y, 1);
        cr_assert(test_equal(entry(&y, 0), spmv__number(INFINITY, 1)), "%s", spmv_format_name(f));
        cr_assert(entry(&y, 1).re == 1.5 && isnan(entry(&y, 1).im), "%s", spmv_format_name(f));
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_destroy(&A);
    }
}

/* Single precision is rounded once, at the end: 2^24 + 1 - 2^24 is 1, in any order. */
Test(multiply, single_precision_is_summed_in_double)
{
    static const double dense[] = {16777216, 1, -16777216, 16777216, -16777216, 1};
    EACH_FORMAT(f)
    {
        spmv_matrix A;
        spmv_dense x = vector(SPMV_F32, 3, 1), y = vector(SPMV_F32, 2, 2);
        cr_assert_eq(spmv_from_dense(&A, f, SPMV_F32, 2, 3, dense, NULL), SPMV_SUCCESS);
        fill(&x, spmv__number(1, 0));
        multiply(&A, 1, &x, 0, &y, 1);
        cr_assert_eq(at(&y, 0), 1, "%s", spmv_format_name(f));
        cr_assert_eq(at(&y, 1), 1, "%s", spmv_format_name(f));
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_destroy(&A);
    }
}

/* ---- Properties ----------------------------------------------------------------------------- */

/* Adds one product after the other, in extended precision. */
static void reference(const spmv_csr *A, const spmv_dense *x, spmv_scalar *expected)
{
    for (int64_t r = 0; r < A->rows; r++) {
        long double re = 0, im = 0;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const spmv_scalar a = spmv__scalar(A->type, A->val, p), b = entry(x, A->col_idx[p]);
            re += (long double)a.re * b.re - (long double)a.im * b.im;
            im += (long double)a.re * b.im + (long double)a.im * b.re;
        }
        expected[r] = spmv__number((double)re, (double)im);
    }
}

/* Fails the test unless the sample in this format times x is as expected; false when the sample
 * cannot be had in this format. */
static bool check_property(const test_sample *s, spmv_format format, const spmv_dense *x,
                           const spmv_scalar *expected)
{
    spmv_matrix A;
    if (!test_convert(&A, &s->A, format, s->label)) return false;
    spmv_dense y = vector(x->type, A.head.rows, 2);

    multiply(&A, 1, x, 0, &y, 2);
    for (int64_t r = 0; r < y.rows; r++) {
        const spmv_scalar got = entry(&y, r), want = expected[r];
        const double error = hypot(got.re - want.re, got.im - want.im);
        const double size = hypot(want.re, want.im);
        cr_assert(size == 0 ? error == 0 : error / size < 1e-6,
                  "Property %d: %s: row %lld is %.17g %.17g instead of %.17g %.17g in %s",
                  format == SPMV_CSR ? 8 : 9, s->label, (long long)r, got.re, got.im, want.re,
                  want.im, spmv_format_name(format));
    }
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
    return true;
}

/* This takes 100 matrices in every format for each kind of numbers, real and complex. */
static void properties_8_and_9(bool complex_values)
{
    int cases[SPMV_FORMATS] = {0}, least = 0;

    for (int k = 0; least < TEST_CASES; k++) {
        const int t = k / 4 % TEST_TYPES; /* the kinds of row lengths take turns in four */
        if (spmv_type_is_complex(test_types_of[t].x_type) != complex_values) continue;
        test_sample s = test_sample_make(k, test_types_of[t].type, 0);
        spmv_dense x = vector(test_types_of[t].x_type, s.A.head.cols, (uint64_t)k);
        spmv_scalar *expected = calloc((size_t)s.A.head.rows + 1, sizeof *expected);

        reference(&s.A.csr, &x, expected);
        least = INT_MAX;
        EACH_FORMAT(f)
        {
            cases[f] += check_property(&s, f, &x, expected);
            if (cases[f] < least) least = cases[f];
        }
        free(expected);
        spmv_dense_destroy(&x);
        spmv_destroy(&s.A);
    }
}

Test(multiply, properties_8_and_9_every_format_equals_the_reference)
{
    properties_8_and_9(false);
}
Test(multiply, properties_8_and_9_with_complex_vectors)
{
    properties_8_and_9(true);
}
