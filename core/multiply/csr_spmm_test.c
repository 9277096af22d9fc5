/* csr_spmm_test.c -- several vectors stored by rows, on the CPU. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const int64_t counts[] = {1, 2, 3, 7, 16, 33};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static spmv_dense vectors(spmv_type type, int64_t rows, int64_t cols, uint64_t seed)
{
    spmv_dense v;
    cr_assert_eq(spmv_dense_create(&v, type, rows, cols, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&v, seed);
    v.by_rows = true;
    return v;
}

static spmv_scalar entry(const spmv_dense *v, int64_t r, int64_t c)
{
    return spmv__scalar(v->type, v->data, v->by_rows ? r * v->cols + c : c * v->rows + r);
}

static void multiply(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x, spmv_scalar beta,
                     spmv_dense *y, int threads)
{
    spmv_context *ctx;
    spmv_operator *op;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, threads, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op, ctx, A, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply_complex(op, alpha, x, beta, y, NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
}

/* ---- Against a dense product ------------------------------------------------------------------
 */

typedef struct exact {
    long double re, im, size;
} exact;

static void add(exact *sum, spmv_scalar a, spmv_scalar b)
{
    sum->re += (long double)a.re * b.re - (long double)a.im * b.im;
    sum->im += (long double)a.re * b.im + (long double)a.im * b.re;
    sum->size += (fabsl(a.re) + fabsl(a.im)) * (fabsl(b.re) + fabsl(b.im));
}

/* Every element of y is alpha A x + beta y0 up to rounding, with A the dense array. */
static void check(const test_sample *s, const double *dense, spmv_scalar alpha, const spmv_dense *x,
                  spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y)
{
    const spmv_head *A = &s->A.head;
    const bool single = y->type == SPMV_F32 || y->type == SPMV_C64;
    const double tolerance = single ? 1e-6 : 1e-14;
    for (int64_t r = 0; r < y->rows; r++)
        for (int64_t k = 0; k < y->cols; k++) {
            exact product = {0, 0, 0}, all = {0, 0, 0};
            for (int64_t c = 0; c < A->cols; c++)
                add(&product, spmv__scalar(spmv__double_type(A->type), dense, r * A->cols + c),
                    entry(x, c, k));
            add(&all, alpha, spmv__number((double)product.re, (double)product.im));
            add(&all, beta, entry(y0, r, k));
            const spmv_scalar got = entry(y, r, k);
            const double error = hypot(got.re - (double)all.re, got.im - (double)all.im);
            const double size = (double)(all.size + product.size);
            cr_assert(error <= tolerance * size,
                      "%s, %lld vectors of %s: (%lld, %lld) is off by %g", s->label,
                      (long long)y->cols, spmv_type_name(y->type), (long long)r, (long long)k,
                      error);
        }
}

/* This takes 100 matrices for each pair of types, with every number of vectors in turn. */
static void compare_with_dense(spmv_type type, spmv_type x_type)
{
    static const spmv_scalar factors[] = {{1, 0}, {0, 0}, {-2.5, 0}, {0.5, -2}};
    for (int k = 0; k < TEST_CASES; k++) {
        const int some = spmv_type_is_complex(x_type) ? 4 : 3;
        const spmv_scalar alpha = factors[k / 2 % some], beta = factors[(k / 3 + 1) % some];
        test_sample s = test_sample_make(k, type, 3000);
        double *dense = test_sample_dense(&s);
        spmv_dense x = vectors(x_type, s.A.head.cols, counts[k % COUNTS], (uint64_t)k);
        spmv_dense y0 = vectors(x_type, s.A.head.rows, counts[k % COUNTS], 99);
        spmv_dense y = vectors(x_type, s.A.head.rows, counts[k % COUNTS], 99);
        for (int64_t i = 0; spmv__is_zero(beta) && i < y.rows * y.cols; i++)
            spmv__set_scalar(y.type, y.data, i, spmv__number(NAN, NAN));
        multiply(&s.A, alpha, &x, beta, &y, 1 + k % 3);
        check(&s, dense, alpha, &x, beta, &y0, &y);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&y0);
        free(dense);
        spmv_destroy(&s.A);
    }
}

#define X(name, type, x_type)                       \
    Test(csr_spmm, equals_the_dense_product_##name) \
    {                                               \
        compare_with_dense(type, x_type);           \
    }
SPMV__TYPES_TABLE(X)
#undef X

/* ---- Cut into pieces --------------------------------------------------------------------------
 */

/* Some rows are much longer than a piece, some end where one does, and some are empty. */
static int64_t length_of(int64_t r)
{
    return r == 300 ? 90000 : r % 1000 == 999 ? 9000 : r / 500 % 2 == 0 ? 0 : r % 9;
}

static spmv_matrix awkward(spmv_type type)
{
    enum { ROWS = 4000, COLS = 100000 };
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t nnz = 0;
    for (int64_t r = 0; r < ROWS; r++) nnz += length_of(r);
    cr_assert_eq(spmv_csr_create(&A.csr, type, ROWS, COLS, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0, p = 0; r < ROWS; r++) {
        for (int64_t k = 0; k < length_of(r); k++, p++) {
            A.csr.col_idx[p] = (int32_t)(k * COLS / length_of(r));
            spmv__set_scalar(type, A.csr.val, p,
                             spmv__number(2 * spmv__uniform(5, (uint64_t)p) - 1,
                                          2 * spmv__uniform(6, (uint64_t)p) - 1));
        }
        A.csr.row_ptr[r + 1] = p;
    }
    return A;
}

Test(csr_spmm, pieces_and_threads_do_not_show)
{
    static const spmv_scalar alpha = {1.25, 0}, beta = {0.75, 0};
    for (int t = 0; t < TEST_TYPES; t++) {
        spmv_matrix A = awkward(test_types_of[t].type);
        const int64_t k = counts[1 + t % (COUNTS - 1)];
        spmv_dense x = vectors(test_types_of[t].x_type, A.head.cols, k, 1), one = {0};
        spmv_dense y0 = vectors(test_types_of[t].x_type, A.head.rows, k, 2);
        for (int threads = 1; threads <= 3; threads++) {
            spmv_verification v;
            spmv_dense y = vectors(test_types_of[t].x_type, A.head.rows, k, 2);
            multiply(&A, alpha, &x, beta, &y, threads);
            cr_assert_eq(spmv_verify_complex(&A, alpha, &x, beta, &y0, &y, NULL, &v, NULL),
                         SPMV_SUCCESS);
            cr_assert(v.pass, "%s, %d threads: row %lld is off by %g",
                      spmv_type_name(test_types_of[t].type), threads, (long long)v.worst_row,
                      v.scaled_error);
            if (one.data != NULL)
                cr_assert_arr_eq(y.data, one.data, (size_t)(y.rows * k) * spmv_type_size(y.type),
                                 "%s, %d threads", spmv_type_name(test_types_of[t].type), threads);
            spmv_dense_destroy(&one);
            one = y;
        }
        spmv_dense_destroy(&one);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y0);
        spmv_destroy(&A);
    }
}

/* There are more vectors than sums are kept for at a time. */
Test(csr_spmm, a_thousand_vectors)
{
    test_sample s = test_sample_make(12, SPMV_C64, 400);
    const spmv_scalar alpha = {1, 1}, beta = {0, 0};
    double *dense = test_sample_dense(&s);
    spmv_dense x = vectors(SPMV_C64, s.A.head.cols, 1001, 1);
    spmv_dense y = vectors(SPMV_C64, s.A.head.rows, 1001, 2);
    multiply(&s.A, alpha, &x, beta, &y, 2);
    check(&s, dense, alpha, &x, beta, &y, &y);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    free(dense);
    spmv_destroy(&s.A);
}

/* Sums of small integers are exact. */
static void compare_widths(spmv_type type, spmv_type x_type, bool wide, spmv__instructions set)
{
    enum { ROWS = 3, N = 40, STRIDE = 19, STEP = 17 };
    static const int64_t start[] = {0, 0, 11, N};
    const spmv_type part = spmv__part_type(x_type);
    const bool in_pairs = spmv_type_is_complex(type);
    int32_t narrow_idx[N];
    int64_t wide_idx[N];
    double val[2 * N], x[N * STRIDE], sum[ROWS * STEP];
    for (int i = 0; i < N; i++) {
        wide_idx[i] = narrow_idx[i] = i * 7 % N;
        spmv__set_scalar(type, val, i, spmv__number(i % 7 - 3, i % 5 - 2));
    }
    for (int i = 0; i < N * STRIDE; i++) spmv__set_value(part, x, i, i % 11 - 4);
    for (int log = in_pairs ? 1 : 0; log < SPMV__SPMM_WIDTHS; log++) {
        spmv__spmm_sums_for(type, part, wide, set)[log](
            start, ROWS, wide ? (void *)wide_idx : (void *)narrow_idx, val, x, STRIDE, sum, STEP);
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < 1 << log; k++) {
                double expected = 0;
                for (int64_t p = start[r]; p < start[r + 1]; p++) {
                    const spmv_scalar v = spmv__scalar(type, val, p);
                    const int at = narrow_idx[p] * STRIDE + k;
                    expected += v.re * (at % 11 - 4);
                    if (in_pairs)
                        expected +=
                            k % 2 ? v.im * ((at - 1) % 11 - 4) : -v.im * ((at + 1) % 11 - 4);
                }
                cr_assert_eq(sum[r * STEP + k], expected, "%s, width %d, row %d, %d",
                             spmv_type_name(type), 1 << log, r, k);
            }
    }
}

/* A machine never runs the kernels of lesser ones by itself. */
Test(csr_spmm, kernels_for_every_machine_are_exact)
{
    for (int t = 0; t < TEST_TYPES; t++)
        for (int way = 0; way < 2 + 2 * (int)spmv__best_instructions(); way++) {
            const spmv_type type = test_types_of[t].type, x_type = test_types_of[t].x_type;
            if (spmv_type_is_complex(x_type) == spmv_type_is_complex(type))
                compare_widths(type, x_type, way % 2, (spmv__instructions)(way / 2));
        }
}

/* Rows of 0 to 40 entries, with x that begins anywhere, have the same sums on every machine. */
static void compare_bits(spmv_type type, spmv_type x_type, bool wide)
{
    enum { ROWS = 41, N = ROWS * (ROWS - 1) / 2, COLS = 50, STRIDE = 21, STEP = 16, BEGINS = 3 };
    const spmv_type part = spmv__part_type(x_type);
    int64_t start[ROWS + 1] = {0}, wide_idx[N];
    int32_t narrow_idx[N];
    double val[2 * N], x[COLS * STRIDE], sum[SPMV__INSTRUCTION_SETS][ROWS * STEP] = {{0}};
    for (int r = 0; r < ROWS; r++) start[r + 1] = start[r] + r;
    for (int p = 0; p < N; p++) {
        wide_idx[p] = narrow_idx[p] = p * 31 % COLS;
        spmv__set_scalar(
            type, val, p,
            spmv__number(spmv__uniform(1, (uint64_t)p), spmv__uniform(2, (uint64_t)p)));
    }
    for (int i = 0; i < COLS * STRIDE; i++)
        spmv__set_value(part, x, i, spmv__uniform(3, (uint64_t)i) - 0.5);
    for (int log = spmv_type_is_complex(type) ? 1 : 0; log < SPMV__SPMM_WIDTHS; log++)
        for (int begin = 0; begin < BEGINS; begin++)
            for (int set = 0; set <= (int)spmv__best_instructions(); set++) {
                spmv__spmm_sums_for(type, part, wide, (spmv__instructions)set)[log](
                    start, ROWS, wide ? (void *)wide_idx : (void *)narrow_idx, val,
                    spmv__value_at(part, x, begin), STRIDE, sum[set], STEP);
                cr_assert_arr_eq(sum[set], sum[0], sizeof sum[0], "%s, set %d, width %d",
                                 spmv_type_name(type), set, 1 << log);
            }
}

Test(csr_spmm, sums_have_the_same_bits_on_every_machine)
{
    for (int t = 0; t < TEST_TYPES; t++)
        for (int wide = 0; wide < 2; wide++) {
            const spmv_type type = test_types_of[t].type, x_type = test_types_of[t].x_type;
            if (spmv_type_is_complex(x_type) == spmv_type_is_complex(type))
                compare_bits(type, x_type, wide);
        }
}

/* Of 2 to 130 vectors each has the product that it has alone. */
static void compare_counts(spmv_type type, spmv_type x_type)
{
    static const spmv_scalar one = {1, 0}, nothing = {0, 0};
    test_sample s = test_sample_make(12, type, 40);
    for (int64_t count = 2; count <= 130; count++) {
        spmv_dense x = vectors(x_type, s.A.head.cols, count, 1);
        spmv_dense y = vectors(x_type, s.A.head.rows, count, 2);
        spmv_dense z = vectors(x_type, s.A.head.rows, 1, 3);
        multiply(&s.A, one, &x, nothing, &y, 1);
        for (int64_t k = count % 29; k < count; k += 29) {
            spmv_dense alone = x;
            alone.data = (char *)x.data + k * (int64_t)spmv_type_size(x_type);
            alone.cols = 1;
            alone.ld = count;
            multiply(&s.A, one, &alone, nothing, &z, 1);
            for (int64_t r = 0; r < z.rows; r++)
                cr_assert(test_equal(entry(&y, r, k), entry(&z, r, 0)), "%s, %lld vectors, %lld",
                          spmv_type_name(type), (long long)count, (long long)k);
        }
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&z);
    }
    spmv_destroy(&s.A);
}

Test(csr_spmm, a_vector_has_the_same_product_among_others)
{
    for (int t = 0; t < TEST_TYPES; t++)
        compare_counts(test_types_of[t].type, test_types_of[t].x_type);
}

/* Vectors without elements lie nowhere. */
Test(csr_spmm, nothing_overlaps_nothing)
{
    double numbers[] = {1, 2, 3};
    const spmv_dense x = {.type = SPMV_F64, .rows = 0, .cols = 1, .data = numbers + 1};
    spmv_dense y = {.type = SPMV_F64, .rows = 3, .cols = 1, .data = numbers};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, 0, 0, NULL), SPMV_SUCCESS);
    multiply(&A, (spmv_scalar){1, 0}, &x, (spmv_scalar){2, 0}, &y, 1);
    cr_assert(numbers[0] == 2 && numbers[1] == 4 && numbers[2] == 6);
    spmv_destroy(&A);
}

/* 2 rows of A, which has 2s on its diagonal, by 2 vectors in rows, or columns, of 6: y begins
 * before, in and behind x. */
Test(csr_spmm, vectors_lie_in_the_gaps_of_others)
{
    static const double identity[] = {2, 0, 0, 2};
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, identity, NULL), SPMV_SUCCESS);
    for (int by_rows = 0; by_rows < 2; by_rows++)
        for (int at = 0; at <= 10; at++) {
            double numbers[24], expected[24];
            for (int i = 0; i < 24; i++) expected[i] = numbers[i] = i + 1;
            spmv_dense x = {.type = SPMV_F64, .rows = 2, .cols = 2, .ld = 6};
            spmv_dense y = x;
            x.by_rows = y.by_rows = by_rows == 1;
            x.data = numbers + 6;
            y.data = numbers + at;
            const int residue = at % 6;
            spmv_error err = {0};
            const spmv_status st = spmv_multiply(&A, 1, &x, 0, &y, NULL, NULL, NULL, &err);
            if (residue < 2 || residue == 5) {
                cr_expect_eq(st, SPMV_ERROR_INVALID_ARGUMENT, "y begins at %d", at);
                cr_expect_str_eq(err.message, "x and y overlap");
            } else {
                cr_expect_eq(st, SPMV_SUCCESS, "y begins at %d: %s", at, err.message);
                for (int i = 0; i < 4; i++)
                    expected[at + i / 2 * 6 + i % 2] = 2 * (6 + i / 2 * 6 + i % 2 + 1);
            }
            cr_expect_arr_eq(numbers, expected, sizeof numbers, "y begins at %d", at);
        }
    spmv_destroy(&A);
}

/* ---- Orders -------------------------------------------------------------------------------------
 */

Test(csr_spmm, reordering_there_and_back)
{
    double numbers[] = {1, 2, 3, 4, 5, 6};
    const spmv_dense x = {.type = SPMV_F64, .rows = 3, .cols = 2, .data = numbers};
    static const double by_rows[] = {1, 4, 2, 5, 3, 6};
    spmv_dense y, z;
    cr_assert_eq(spmv_dense_reorder(&y, &x, true, NULL), SPMV_SUCCESS);
    cr_assert(y.by_rows && y.rows == 3 && y.cols == 2);
    cr_assert_arr_eq(y.data, by_rows, sizeof by_rows);
    cr_assert_eq(spmv_dense_reorder(&z, &y, false, NULL), SPMV_SUCCESS);
    cr_assert(!z.by_rows);
    cr_assert_arr_eq(z.data, numbers, sizeof numbers);
    cr_assert_eq(spmv_dense_reorder(&z, &z, false, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&z);
}

/* 2 to the 61 numbers can be counted, but their bytes cannot. */
Test(csr_spmm, more_bytes_than_can_be_addressed_are_not_reordered)
{
    const spmv_dense x = {.type = SPMV_F64, .rows = INT64_C(1) << 61, .cols = 1};
    spmv_dense y;
    spmv_error err;
    cr_assert_eq(spmv_dense_reorder(&y, &x, true, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "the vector is 2305843009213693952 x 1, more than can be "
                                  "addressed");
}

/* One vector is the same by rows and by columns, also for a kernel that knows no rows. */
Test(csr_spmm, one_vector_is_a_multiplication_as_ever)
{
    test_sample s = test_sample_make(9, SPMV_F32, 0);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A;
        if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
        spmv_dense x = vectors(SPMV_F32, A.head.cols, 1, 1);
        spmv_dense y = vectors(SPMV_F32, A.head.rows, 1, 2), z = vectors(SPMV_F32, y.rows, 1, 3);
        cr_assert_eq(spmv_multiply(&A, 1, &x, 0, &y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        x.by_rows = false;
        cr_assert_eq(spmv_multiply(&A, 1, &x, 0, &z, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        cr_assert_arr_eq(y.data, z.data, (size_t)y.rows * sizeof(float));
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&z);
        spmv_destroy(&A);
    }
    spmv_destroy(&s.A);
}

static spmv_status try(const spmv_matrix *A, const spmv_dense *x, spmv_dense *y, spmv_error *err)
{
    for (int64_t i = 0; i < y->rows * y->cols; i++) ((double *)y->data)[i] = 4.5;
    const spmv_status st = spmv_multiply(A, 1, x, 0, y, NULL, NULL, NULL, err);
    for (int64_t i = 0; i < y->rows * y->cols; i++) cr_assert_eq(((double *)y->data)[i], 4.5);
    return st;
}

Test(csr_spmm, what_does_not_fit_computes_nothing)
{
    test_sample s = test_sample_make(9, SPMV_F64, 0);
    const int64_t rows = s.A.head.rows, cols = s.A.head.cols;
    spmv_dense x = vectors(SPMV_F64, cols, 4, 1), longer = vectors(SPMV_F64, cols + 1, 4, 1);
    spmv_dense y = vectors(SPMV_F64, rows, 4, 2), other = vectors(SPMV_F64, rows, 3, 2);
    spmv_matrix jds;
    spmv_error err;
    cr_assert_eq(try(&s.A, &longer, &y, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(try(&s.A, &x, &other, &err), SPMV_ERROR_INVALID_DIMENSION);
    y.by_rows = false;
    cr_assert_eq(try(&s.A, &x, &y, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "x is stored by rows, y by columns");
    y.by_rows = true;
    cr_assert_eq(spmv_convert(&jds, &s.A, SPMV_JDS, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(try(&jds, &x, &y, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(
        err.message,
        "kernel cpu-jds takes no vectors stored by rows; csr-merge, csr-groups and cpu-csr do");
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&longer);
    spmv_dense_destroy(&other);
    spmv_destroy(&jds);
    spmv_destroy(&s.A);
}
