/* multiply_test.c -- the CPU multiplication of every format. */
#include "multiply.h"
#include "test_support.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    spmv_type type, x_type;
} types[] = {
#define X(name, type, x_type) {type, x_type},
    SPMV__TYPES_TABLE(X)
#undef X
};
enum { TYPES = sizeof types / sizeof types[0] };

/* ---- Vectors and calls ---------------------------------------------------------------------- */

static spmv_dense vector(spmv_type type, int64_t n, uint64_t seed)
{
    spmv_dense v;
    cr_assert_eq(spmv_dense_create(&v, type, n, 1, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < n; i++)
        spmv__set_value(type, v.data, i, 2 * spmv__uniform(seed, (uint64_t)i) - 1);
    return v;
}

static void fill(spmv_dense *v, double value)
{
    for (int64_t i = 0; i < v->rows; i++) spmv__set_value(v->type, v->data, i, value);
}

static double at(const spmv_dense *v, int64_t i)
{
    return spmv__value(v->type, v->data, i);
}

static void multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                     spmv_dense *y, int threads)
{
    const spmv__format *format = spmv__format_of(A->format);
    double *scratch = NULL;
    if (format->scratch) {
        scratch = malloc((size_t)A->head.rows * sizeof *scratch + 1);
        for (int64_t r = 0; r < A->head.rows; r++) scratch[r] = NAN; /* it must not be read */
    }
    format->multiply(A, x->type, alpha, x->data, beta, y->data, scratch, threads);
    free(scratch);
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
            spmv__set_value(type, A.csr.val, p + k, 2 * spmv__uniform(5, (uint64_t)(p + k)) - 1);
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

/* A shape in a format; false for an ELL that would be all padding. */
static bool shape_in(spmv_matrix *out, int shape, spmv_type type, spmv_format format)
{
    spmv_matrix A = by_length(type, shapes[shape].rows, shapes[shape].cols, shapes[shape].length);
    const bool made = test_convert(out, &A, format, shapes[shape].name);
    spmv_destroy(&A);
    return made;
}

#define EACH_FORMAT(f) for (spmv_format f = (spmv_format)0; f < SPMV_FORMATS; f++)

/* ---- Tests ---------------------------------------------------------------------------------- */

static void check_factors(const spmv_matrix *A, spmv_type x_type, const char *label)
{
    static const double factors[] = {0, 1, -0.5};
    spmv_dense x = vector(x_type, A->head.cols, 1), y = vector(x_type, A->head.rows, 2),
               y0 = vector(x_type, A->head.rows, 2);

    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            spmv_verification v;
            if (factors[b] == 0)
                fill(&y, NAN);
            else
                memcpy(y.data, y0.data, (size_t)y.rows * spmv_type_size(y.type));
            multiply(A, factors[a], &x, factors[b], &y, 1);
            cr_assert_eq(spmv_verify(A, factors[a], &x, factors[b], &y0, &y, &v, NULL),
                         SPMV_SUCCESS);
            cr_assert(v.pass, "%s %s %s, x %s, alpha %g, beta %g: row %lld is off by %g", label,
                      spmv_format_name(A->format), spmv_type_name(A->head.type),
                      spmv_type_name(x_type), factors[a], factors[b], (long long)v.worst_row,
                      v.max_scaled_error);
        }
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&y0);
}

Test(multiply, every_format_type_and_factor)
{
    for (int s = 0; s < SHAPES; s++) {
        for (int t = 0; t < TYPES; t++) {
            EACH_FORMAT(f)
            {
                spmv_matrix A;
                if (!shape_in(&A, s, types[t].type, f)) continue;
                check_factors(&A, types[t].x_type, shapes[s].name);
                spmv_destroy(&A);
            }
        }
    }
}

Test(multiply, the_same_bits_for_any_number_of_threads)
{
    static const int threads[] = {2, 3, 16};
    for (int s = 0; s < SHAPES; s++) {
        EACH_FORMAT(f)
        {
            spmv_matrix A;
            if (!shape_in(&A, s, SPMV_F32, f)) continue;
            spmv_dense x = vector(SPMV_F32, A.head.cols, 1), one = vector(SPMV_F32, A.head.rows, 2);
            multiply(&A, 1.25, &x, 0.75, &one, 1);
            for (int t = 0; t < 3; t++) {
                spmv_dense y = vector(SPMV_F32, A.head.rows, 2);
                multiply(&A, 1.25, &x, 0.75, &y, threads[t]);
                cr_assert_arr_eq(y.data, one.data, (size_t)y.rows * sizeof(float),
                                 "%s %s: %d threads", shapes[s].name, spmv_format_name(f),
                                 threads[t]);
                spmv_dense_destroy(&y);
            }
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&one);
            spmv_destroy(&A);
        }
    }
}

/* The worked example [1 0 2 0; 0 3 4 0; 0 0 0 5] with a row of Inf - Inf added. */
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

/* Single precision is rounded once, at the end: 2^24 + 1 - 2^24 is 1, in any order. */
Test(multiply, single_precision_is_summed_in_double)
{
    static const double dense[] = {16777216, 1, -16777216, 16777216, -16777216, 1};
    EACH_FORMAT(f)
    {
        spmv_matrix A;
        spmv_dense x = vector(SPMV_F32, 3, 1), y = vector(SPMV_F32, 2, 2);
        cr_assert_eq(spmv_from_dense(&A, f, SPMV_F32, 2, 3, dense, NULL), SPMV_SUCCESS);
        fill(&x, 1);
        multiply(&A, 1, &x, 0, &y, 1);
        cr_assert_eq(at(&y, 0), 1, "%s", spmv_format_name(f));
        cr_assert_eq(at(&y, 1), 1, "%s", spmv_format_name(f));
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_destroy(&A);
    }
}

/* A machine with AVX2 never runs the other kernels by itself; sums of small integers are exact. */
Test(multiply, kernels_for_any_machine_equal_those_for_this_one)
{
    static const int64_t start[] = {0, 0, 1, 4, 9, 22, 64};
    enum { ROWS = 6, N = 64 };
    int32_t narrow[N];
    int64_t wide[N];
    double val64[N], x64[N];
    float val32[N], x32[N];
    for (int i = 0; i < N; i++) {
        wide[i] = narrow[i] = i * 37 % N;
        val32[i] = (float)(i % 7 - 3), val64[i] = val32[i];
        x32[i] = (float)(i % 11), x64[i] = x32[i];
    }
    for (int t = 0; t < TYPES; t++) {
        const void *val = types[t].type == SPMV_F64 ? (void *)val64 : (void *)val32;
        const void *x = types[t].x_type == SPMV_F64 ? (void *)x64 : (void *)x32;
        for (int avx2 = 0; avx2 <= spmv__use_avx2(); avx2++) {
            for (int w = 0; w < 2; w++) {
                double sum[ROWS];
                spmv__row_sums_for(types[t].type, types[t].x_type, w, avx2)(
                    start, ROWS, w ? (void *)wide : (void *)narrow, val, x, sum);
                for (int i = 0; i < ROWS; i++) {
                    double expected = 0;
                    for (int64_t p = start[i]; p < start[i + 1]; p++)
                        expected += (types[t].type == SPMV_PATTERN ? 1 : val64[p]) * x64[wide[p]];
                    cr_assert_eq(sum[i], expected);
                }
            }
            double sum[N];
            for (int i = 0; i < N; i++) sum[i] = i;
            narrow[5] = -1;
            spmv__diagonal_add_for(types[t].type, types[t].x_type, avx2)(N, narrow, val, x, sum);
            for (int i = 0; i < N; i++)
                cr_assert_eq(sum[i], i == 5 ? 5
                                            : i + (types[t].type == SPMV_PATTERN ? 1 : val64[i]) *
                                                      x64[wide[i]]);
            narrow[5] = (int32_t)wide[5];
        }
    }
}

/* ---- Properties ----------------------------------------------------------------------------- */

/* One product after the other, in extended precision. */
static void reference(const spmv_csr *A, const spmv_dense *x, double *expected)
{
    for (int64_t r = 0; r < A->rows; r++) {
        long double sum = 0;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
            sum += (long double)spmv__value(A->type, A->val, p) * at(x, A->col_idx[p]);
        expected[r] = (double)sum;
    }
}

/* Fails the test unless the sample in this format times x is as expected; false when the sample
 * cannot be had in this format. */
static bool check_property(const test_sample *s, spmv_format format, const spmv_dense *x,
                           const double *expected)
{
    spmv_matrix A;
    if (!test_convert(&A, &s->A, format, s->label)) return false;
    spmv_dense y = vector(x->type, A.head.rows, 2);

    multiply(&A, 1, x, 0, &y, 2);
    for (int64_t r = 0; r < y.rows; r++) {
        const double error = fabs(at(&y, r) - expected[r]);
        cr_assert(expected[r] == 0 ? error == 0 : error / fabs(expected[r]) < 1e-6,
                  "Property %d: %s: row %lld is %.17g instead of %.17g in %s",
                  format == SPMV_CSR ? 8 : 9, s->label, (long long)r, at(&y, r), expected[r],
                  spmv_format_name(format));
    }
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
    return true;
}

Test(multiply, properties_8_and_9_every_format_equals_the_reference)
{
    int cases[SPMV_FORMATS] = {0}, least = 0;

    for (int k = 0; least < TEST_CASES; k++) {
        const int t = k / 4 % TYPES; /* the kinds of row lengths take turns in four */
        test_sample s = test_sample_make(k, types[t].type, 0);
        spmv_dense x = vector(types[t].x_type, s.A.head.cols, (uint64_t)k);
        double *expected = calloc((size_t)s.A.head.rows + 1, sizeof *expected);

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
