/* plan_cases_test.c -- see plan_cases_test.h. */
#include "cuda/host/plan_cases_test.h"

#include "core/base/random.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <math.h>

/* The long rows of "uniform" have more entries than a table of places may, those of "banded" many
 * products for each entry; rows of "fem", "block" and "dense" are twins and runs; "wide" is wider
 * than sums may be. */
const plan_case plan_cases[PLAN_CASES] = {
    {"stencil5", {.grid = 30}},
    {"stencil27", {.grid = 7}},
    {"fem", {.grid = 4}},
    {"rmat", {.scale = 8, .per_row = 16}},
    {"uniform", {.rows = 700, .per_row = 8}},
    {"uniform", {.rows = 300, .per_row = 40}},
    {"powerlaw", {.rows = 900, .per_row = 3}},
    {"banded", {.rows = 400, .bandwidth = 20}},
    {"block", {.rows = 240, .per_row = 12}},
    {"dense", {.rows = 70}},
    {"skew", {.rows = 300, .huge_rows = 2}},
    {"hypersparse", {.rows = 500, .per_row = 3, .nonempty = 0.1}},
};

void plan_test_fill(spmv_matrix *A, uint64_t seed)
{
    const spmv_type type = A->head.type;
    void *val = A->format == SPMV_CSR ? A->csr.val : A->csc.val;
    for (int64_t p = 0; p < A->head.nnz; p++) {
        const double re = 2 * spmv__uniform(seed, 2 * (uint64_t)p) - 1;
        const double im = 2 * spmv__uniform(seed, 2 * (uint64_t)p + 1) - 1;
        const double zero = re < 0 ? -0.0 : 0.0;
        spmv__set_scalar(type, val, p,
                         im < -0.75 ? spmv__number(zero, zero) : spmv__number(3 * re, im));
    }
}

/* Calls each(part of a value) for all of a matrix in CSR or CSC, which become what it returns. */
static void change_parts(spmv_matrix *A, double (*each)(double part, uint64_t *state),
                         uint64_t *state)
{
    const spmv_type type = A->head.type;
    void *val = A->format == SPMV_CSR ? A->csr.val : A->csc.val;
    for (int64_t p = 0; p < A->head.nnz && type != SPMV_PATTERN; p++) {
        spmv_scalar v = spmv__scalar(type, val, p);
        v.re = each(v.re, state);
        if (spmv_type_is_complex(type)) v.im = each(v.im, state);
        spmv__set_scalar(type, val, p, v);
    }
}

static double make_infinite(double part, uint64_t *state)
{
    const double chance = spmv__uniform(11, ++*state);
    return chance < 0.05 ? INFINITY : chance < 0.1 ? -INFINITY : chance < 0.2 ? 0 : part;
}

void plan_test_make_some_infinite(spmv_matrix *A, uint64_t seed)
{
    change_parts(A, make_infinite, &seed);
}

/* The bits of NaN are those of the processor. */
static double make_nan_alike(double part, uint64_t *state)
{
    (void)state;
    return isnan(part) ? (double)NAN : part;
}

spmv_matrix plan_test_make(const plan_case *how, spmv_type type, uint64_t seed)
{
    spmv_generate_options o = how->how;
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_error err = {0};
    o.type = type;
    o.seed = seed;
    cr_assert_eq(spmv_generate(&A.csr, how->kind, &o, &err), SPMV_SUCCESS, "%s: %s", how->kind,
                 err.message);
    plan_test_fill(&A, seed + 1);
    return A;
}

void plan_test_shared_arrays(void (*each)(spmv_matrix *A, spmv_matrix *B, const char *label))
{
    const plan_case how = {"fem", {.grid = 3, .block = 3}};
    spmv_matrix A = plan_test_make(&how, SPMV_F64, 3), C;
    cr_assert_eq(spmv_convert(&C, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    plan_test_fill(&C, 5);
    spmv_matrix values = A, columns = C, wider = A;
    values.csr.val = C.csr.val;
    each(&A, &values, "the same rows and columns");
    for (int64_t i = 1; i < A.csr.rows; i += 2) /* columns from the other end */
        for (int64_t p = A.csr.row_ptr[i], q = A.csr.row_ptr[i + 1] - 1; q >= A.csr.row_ptr[i];)
            C.csr.col_idx[p++] = (int32_t)(A.csr.cols - 1 - A.csr.col_idx[q--]);
    columns.csr.row_ptr = A.csr.row_ptr;
    each(&A, &columns, "the same rows");
    wider.csr.val = C.csr.val;
    wider.csr.cols++;
    each(&A, &wider, "one column more");
    spmv_destroy(&A);
    spmv_destroy(&C);
}

void plan_test_expect(spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                      const spmv_spgemm_options *o, const char *label)
{
    spmv_matrix expected;
    spmv_error err = {0};
    cr_assert_eq(spmv_spgemm(&expected, A, B, o, NULL, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert_eq(C->head.nnz, expected.head.nnz, "%s: %lld entries, not %lld", label,
                 (long long)C->head.nnz, (long long)expected.head.nnz);
    change_parts(C, make_nan_alike, NULL);
    change_parts(&expected, make_nan_alike, NULL);
    cr_assert(spmv_identical(C, &expected), "%s", label);
    spmv_destroy(&expected);
}

/* Gives new values to A and B, or to B alone, or to neither, and multiplies. */
static void repeat(spmv_spgemm_plan *plan, int round, spmv_matrix *A, spmv_matrix *B,
                   spmv_matrix *C, const char *label)
{
    spmv_spgemm_result result;
    spmv_error err = {0};
    const bool new_a = round < 2, new_b = round < 3;
    if (new_a) plan_test_fill(A, 100 + (uint64_t)round);
    if (new_b && B != A) plan_test_fill(B, 200 + (uint64_t)round);
    cr_assert_eq(spmv_spgemm_plan_multiply(plan, new_a ? A : NULL,
                                           new_b && (B != A || new_a) ? B : NULL, C, &result, &err),
                 SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_geq(result.products, C->head.nnz, "%s", label);
}

void plan_test_check(spmv_context *ctx, spmv_matrix *A, spmv_matrix *B,
                     const spmv_spgemm_options *o, const char *label)
{
    spmv_spgemm_plan *plan;
    spmv_matrix C, other;
    spmv_error err = {0};
    cr_assert_eq(spmv_spgemm_plan_create(&plan, ctx, A, B, o, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert_eq(spmv_spgemm_plan_product(plan, &C, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    plan_test_expect(&C, A, B, o, label);
    for (int round = 0; round < 4; round++) {
        repeat(plan, round, A, B, &C, label);
        plan_test_expect(&C, A, B, o, label);
    }
    cr_assert_eq(spmv_spgemm_plan_product(plan, &other, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert(spmv_identical(&C, &other), "%s: another C", label);
    spmv_destroy(&C);
    spmv_destroy(&other);
    spmv_spgemm_plan_destroy(plan);
}

void plan_test_infinite_numbers(spmv_context *ctx, int step)
{
    static const spmv_type pairs[][2] = {{SPMV_C128, SPMV_C128},   {SPMV_F64, SPMV_C64},
                                         {SPMV_C64, SPMV_F32},     {SPMV_C64, SPMV_C128},
                                         {SPMV_F32, SPMV_F64},     {SPMV_PATTERN, SPMV_C128},
                                         {SPMV_C128, SPMV_PATTERN}};
    enum { PAIRS = sizeof pairs / sizeof pairs[0] };
    for (int k = 0; k < PLAN_CASES * PAIRS; k += step) {
        const plan_case *how = &plan_cases[k / PAIRS];
        spmv_matrix A = plan_test_make(how, pairs[k % PAIRS][0], 7), C;
        spmv_matrix B = plan_test_make(how, pairs[k % PAIRS][1], 8);
        spmv_spgemm_plan *plan;
        spmv_error err = {0};
        plan_test_make_some_infinite(&A, 1000);
        plan_test_make_some_infinite(&B, 2000);
        cr_assert_eq(spmv_spgemm_plan_create(&plan, ctx, &A, &B, NULL, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(spmv_spgemm_plan_product(plan, &C, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_spgemm_plan_multiply(plan, &A, &B, &C, NULL, &err), SPMV_SUCCESS, "%s",
                     err.message);
        plan_test_expect(&C, &A, &B, NULL, how->kind);
        spmv_spgemm_plan_destroy(plan);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}
