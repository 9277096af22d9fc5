/* compare_products_test.c -- products that are right, nearly right and wrong, made by hand.
 *
 *     A = 1 2    A A = 1 8
 *         . 3          . 9   */
#include "cli/bench/spgemm/compare_products.h"
#include "cli/bench/spgemm/product_case_test.h"

#include <float.h>
#include <math.h>

static bench_options opt;
static bench_matrix matrix;
static bench_product product;

static void open_product(spmv_type type)
{
    const spmv_matrix A = product_test_csr(type, 2, 2, 3, (const int64_t[]){0, 2, 3},
                                           (const int32_t[]){0, 1, 1}, (const double[]){1, 2, 3});
    matrix = product_test_matrix(&opt, A, "a.mtx");
    cr_assert_eq(bench_product_make(&product, &matrix, NULL), SPMV_SUCCESS);
}

static void start(void)
{
    product_test_start(&opt);
}

static void finish(void)
{
    bench_product_destroy(&product);
    bench_matrix_destroy(&matrix);
}

TestSuite(compare_products, .init = start, .fini = finish);

/* The check of a C with these entries. */
static product_check check_of(spmv_type type, bool exact, const int64_t row_ptr[3],
                              const int32_t *col, const double *val)
{
    spmv_matrix C = product_test_csr(type, 2, 2, row_ptr[2], row_ptr, col, val);
    product_check check;
    spmv_error err;
    cr_assert_eq(bench_compare_product(&product, &C, exact, &check, &err), SPMV_SUCCESS, "%s",
                 err.message);
    spmv_destroy(&C);
    return check;
}

/* C as it must be, but for its values. */
static product_check check_values(spmv_type type, bool exact, double a, double b, double c)
{
    return check_of(type, exact, (const int64_t[]){0, 2, 3}, (const int32_t[]){0, 1, 1},
                    (const double[]){a, b, c});
}

static void expect(product_check check, bool equal_bits, int64_t wrong, int64_t mismatches,
                   int64_t row)
{
    const spmv_verification *v = &check.verification;
    cr_assert_eq(check.equal_bits, equal_bits);
    cr_assert_eq(v->pass, wrong == 0);
    cr_assert_eq(v->wrong, wrong, "%lld wrong", (long long)v->wrong);
    cr_assert_eq(v->mismatches, mismatches, "%lld mismatches", (long long)v->mismatches);
    cr_assert_eq(v->worst_row, row, "row %lld", (long long)v->worst_row);
}

Test(compare_products, the_operands_are_counted)
{
    open_product(SPMV_F64);
    cr_assert_eq(product.products, 4);
    cr_assert_eq(product.expected.head.nnz, 3);
}

Test(compare_products, what_is_right_is_equal_in_any_order_of_columns)
{
    open_product(SPMV_F64);
    for (int exact = 0; exact < 2; exact++) {
        expect(check_values(SPMV_F64, exact, 1, 8, 9), true, 0, 0, -1);
        expect(check_of(SPMV_F64, exact, (const int64_t[]){0, 2, 3}, (const int32_t[]){1, 0, 1},
                        (const double[]){8, 1, 9}),
               true, 0, 0, -1);
    }
}

/* Two products may be off by 2 eps |A| |B| = 16 eps, one by 9 eps; eps is 1/8 of the distance of
 * numbers from 8 on. */
Test(compare_products, rounding_is_allowed_and_no_more)
{
    static const spmv_type types[] = {SPMV_F64, SPMV_F32};
    for (int t = 0; t < 2; t++) {
        const double step = 8 * (types[t] == SPMV_F64 ? DBL_EPSILON : FLT_EPSILON);
        open_product(types[t]);
        expect(check_values(types[t], false, 1, 8 + step, 9), false, 0, 0, 0);
        expect(check_values(types[t], false, 1, 8 + 2 * step, 9 - step), false, 0, 0, 0);
        expect(check_values(types[t], false, 1, 8 + 3 * step, 9), false, 1, 0, 0);
        expect(check_values(types[t], false, 1, 8, 9 + 2 * step), false, 1, 0, 1);
        expect(check_values(types[t], true, 1, 8 + step, 9), false, 1, 0, 0);
        finish();
    }
    open_product(SPMV_F64);
}

Test(compare_products, errors_are_told)
{
    open_product(SPMV_F64);
    const product_check check = check_values(SPMV_F64, false, 1, 8, 10.5);
    cr_assert_eq(check.verification.max_abs_error, 1.5);
    cr_assert_eq(check.verification.max_rel_error, 1.5 / 9);
    cr_assert_eq(check.verification.scaled_error, 1.5 / 9);
    cr_assert_eq(check.verification.tolerance, DBL_EPSILON);
    cr_assert_float_eq(check.verification.excess, 1.5 / 9 / DBL_EPSILON, 1);
}

Test(compare_products, missing_and_further_entries_are_wrong)
{
    open_product(SPMV_F64);
    for (int exact = 0; exact < 2; exact++) {
        expect(check_of(SPMV_F64, exact, (const int64_t[]){0, 2, 2}, (const int32_t[]){0, 1},
                        (const double[]){1, 8}),
               false, 1, 1, 1);
        expect(check_of(SPMV_F64, exact, (const int64_t[]){0, 2, 4}, (const int32_t[]){0, 1, 0, 1},
                        (const double[]){1, 8, 0, 9}),
               false, 1, 1, 1);
        /* The same column twice. */
        expect(check_of(SPMV_F64, exact, (const int64_t[]){0, 3, 4}, (const int32_t[]){0, 1, 1, 1},
                        (const double[]){1, 8, 8, 9}),
               false, 1, 1, 0);
        expect(check_of(SPMV_F64, exact, (const int64_t[]){0, 0, 0}, NULL, NULL), false, 3, 3, 0);
    }
}

Test(compare_products, numbers_that_are_not_finite_are_mismatches)
{
    open_product(SPMV_F64);
    for (int exact = 0; exact < 2; exact++) {
        expect(check_values(SPMV_F64, exact, 1, 8, NAN), false, 1, 1, 1);
        expect(check_values(SPMV_F64, exact, 1, INFINITY, 9), false, 1, 1, 0);
    }
}

/* The values of C are of another type, or it has another shape. */
Test(compare_products, another_kind_of_matrix_is_wrong)
{
    open_product(SPMV_F64);
    cr_assert_not(check_values(SPMV_F32, false, 1, 8, 9).verification.pass);
    spmv_matrix C = product_test_csr(SPMV_F64, 2, 3, 0, (const int64_t[]){0, 0, 0}, NULL, NULL);
    product_check check;
    cr_assert_eq(bench_compare_product(&product, &C, false, &check, NULL), SPMV_SUCCESS);
    cr_assert_not(check.verification.pass);
    spmv_destroy(&C);
}
