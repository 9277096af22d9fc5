/* multiply_types_test.c -- the CPU kernels of every combination of types and instruction sets. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

/* Returns what one product adds to a sum. */
static spmv_scalar times(spmv_scalar a, spmv_scalar b)
{
    return spmv__number(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* A machine with AVX2 never runs the other kernels by itself; sums of small integers are exact. */
static void compare_kernels(spmv_type type, spmv_type x_type, bool avx2)
{
    static const int64_t start[] = {0, 0, 1, 4, 9, 22, 64};
    enum { ROWS = 6, N = 64 };
    const spmv_type sum_type = spmv__double_type(x_type);
    int32_t narrow[N];
    int64_t wide[N];
    double val[2 * N], x[2 * N], sum[2 * N];
    spmv_scalar product[N];
    for (int i = 0; i < N; i++) {
        wide[i] = narrow[i] = i * 37 % N;
        spmv__set_scalar(type, val, i, spmv__number(i % 7 - 3, i % 5 - 2));
        spmv__set_scalar(x_type, x, i, spmv__number(i % 11, i % 3 - 1));
    }
    for (int i = 0; i < N; i++)
        product[i] = times(spmv__scalar(type, val, i), spmv__scalar(x_type, x, wide[i]));

    for (int w = 0; w < 2; w++) {
        spmv__row_sums_for(type, x_type, w, avx2)(start, ROWS, w ? (void *)wide : (void *)narrow,
                                                  val, x, sum);
        for (int i = 0; i < ROWS; i++) {
            spmv_scalar expected = {0, 0};
            for (int64_t p = start[i]; p < start[i + 1]; p++)
                expected = spmv__number(expected.re + product[p].re, expected.im + product[p].im);
            cr_assert(test_equal(spmv__scalar(sum_type, sum, i), expected), "%s %s, row %d",
                      spmv_type_name(type), spmv_type_name(x_type), i);
        }
    }
    narrow[5] = -1;
    product[5] = (spmv_scalar){0, 0};
    for (int steps = 1; steps <= 3; steps++) {
        const int n = N / steps;
        for (int i = 0; i < n; i++) spmv__set_scalar(sum_type, sum, i, spmv__number(i, 0));
        spmv__diagonal_add_for(type, x_type, avx2)(n, steps, n, narrow, val, x, sum);
        for (int i = 0; i < n; i++) {
            spmv_scalar expected = {i, 0};
            for (int p = i; p < steps * n; p += n)
                expected = spmv__number(expected.re + product[p].re, expected.im + product[p].im);
            cr_assert(test_equal(spmv__scalar(sum_type, sum, i), expected), "%s %s, %d steps, %d",
                      spmv_type_name(type), spmv_type_name(x_type), steps, i);
        }
    }
}

Test(multiply_types, kernels_for_any_machine_equal_those_for_this_one)
{
    for (int avx2 = 0; avx2 <= spmv__use_avx2(); avx2++) {
#define X(name, type, x_type) compare_kernels(type, x_type, avx2);
        SPMV__TYPES_TABLE(X)
#undef X
    }
}

/* A number that is rounded here, whatever is computed with it. */
static double rounded(double number)
{
    volatile double kept = number;
    return kept;
}

static void add_rounded(spmv_scalar *sum, spmv_scalar a, spmv_scalar b)
{
    sum->re = rounded(sum->re + rounded(rounded(a.re * b.re) - rounded(a.im * b.im)));
    sum->im = rounded(sum->im + rounded(rounded(a.re * b.im) + rounded(a.im * b.re)));
}

/* Four sums take a product each in turn, the first one those that are left; then they are added. */
static spmv_scalar sum_rounded(const double *val, const double *x, int n)
{
    spmv_scalar four[4] = {{0, 0}};
    for (int p = 0; p < n; p++)
        add_rounded(&four[p < n / 4 * 4 ? p % 4 : 0], spmv__scalar(SPMV_C128, val, p),
                    spmv__scalar(SPMV_C128, x, p));
    return spmv__number(rounded(four[0].re + four[1].re) + rounded(four[2].re + four[3].re),
                        rounded(four[0].im + four[1].im) + rounded(four[2].im + four[3].im));
}

/* No machine and no compiler makes one rounding of two. */
Test(multiply_types, complex_rows_are_rounded_as_they_are_written)
{
    enum { N = 13 };
    static const int64_t wide[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const int32_t narrow[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    double val[2 * N], x[2 * N];
    spmv_scalar sum;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        const int n = 1 + (int)(seed % N);
        const int64_t start[] = {0, n};
        for (uint64_t i = 0; i < 2 * N; i++) {
            val[i] = spmv__uniform(2 * seed, i) - 0.5;
            x[i] = spmv__uniform(2 * seed + 1, i) - 0.5;
        }
        const spmv_scalar expected = sum_rounded(val, x, n);
        for (int way = 0; way < (spmv__use_avx2() ? 4 : 2); way++) {
            spmv__row_sums_for(SPMV_C128, SPMV_C128, way % 2, way / 2)(
                start, 1, way % 2 ? (const void *)wide : narrow, val, x, (double *)&sum);
            cr_assert_arr_eq(&sum, &expected, sizeof sum, "%d entries, way %d", n, way);
        }
    }
}

/* Those matrices and vectors go together that the table names, and no others. */
Test(multiply_types, types_that_do_not_go_together)
{
    static const bool expected[SPMV_TYPES][SPMV_TYPES] = {
        [SPMV_PATTERN] = {false, true, true, true, true},
        [SPMV_F32] = {false, true, true, true, false},
        [SPMV_F64] = {false, false, true, false, true},
        [SPMV_C64] = {false, false, false, true, false},
        [SPMV_C128] = {false, false, false, false, true},
    };
    for (int a = 0; a < SPMV_TYPES; a++)
        for (int x = 0; x < SPMV_TYPES; x++)
            cr_assert_eq(spmv_type_multiplies((spmv_type)a, (spmv_type)x), expected[a][x], "%s, %s",
                         spmv_type_name((spmv_type)a), spmv_type_name((spmv_type)x));
}
