/* spgemm_plan_test.c -- products of one pattern on the CPU: the bits of spmv_spgemm every time. */
#include "cuda/host/plan_cases_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Each pair of types, by four kinds of matrices. */
Test(spgemm_plan, all_kinds_and_types)
{
    for (int k = 0; k < PLAN_CASES * 25; k += 3) {
        const spmv_type a = (spmv_type)(k % 5), b = (spmv_type)(k / 5 % 5);
        const plan_case *how = &plan_cases[k / 25];
        spmv_matrix A = plan_test_make(how, a, 7), B = plan_test_make(how, b, 8);
        char label[96];
        snprintf(label, sizeof label, "%s: %s times %s", how->kind, spmv_type_name(a),
                 spmv_type_name(b));
        plan_test_check(NULL, &A, &B, &(spmv_spgemm_options){.threads = 1 + k % 3}, label);
        if (a == b) plan_test_check(NULL, &A, &A, NULL, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

static void check_on_cpu(spmv_matrix *A, spmv_matrix *B, const char *label)
{
    plan_test_check(NULL, A, B, NULL, label);
}

Test(spgemm_plan, matrices_that_share_arrays)
{
    plan_test_shared_arrays(check_on_cpu);
}

Test(spgemm_plan, infinite_numbers)
{
    plan_test_infinite_numbers(NULL, 5);
}

Test(spgemm_plan, transposes_formats_and_masks)
{
    for (int k = 0; k < PLAN_CASES * 8; k++) {
        const plan_case *how = &plan_cases[k / 8];
        const bool ta = k % 2 == 1, tb = k / 2 % 2 == 1, csc = k / 4 % 2 == 1;
        spmv_matrix A = plan_test_make(how, SPMV_F64, 7), B = plan_test_make(how, SPMV_C64, 9), M;
        spmv_context *ctx;
        cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 2, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_transpose(&M, &A, NULL, NULL), SPMV_SUCCESS);
        spmv_matrix left = A;
        if (csc) cr_assert_eq(spmv_convert(&left, &A, SPMV_CSC, NULL, NULL), SPMV_SUCCESS);
        spmv_spgemm_options o = {.transpose_a = ta, .transpose_b = tb};
        plan_test_check(ctx, &left, &B, &o, how->kind);
        plan_test_check(ctx, &left, &left, &o, how->kind);
        o.mask = &M;
        plan_test_check(ctx, k / 8 % 2 == 0 ? &left : &B, &B, &o, how->kind);
        if (csc) spmv_destroy(&left);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&M);
        spmv_context_destroy(ctx);
    }
}

/* Most rows of C have no entry then, though they have products. */
Test(spgemm_plan, masks_of_two_entries)
{
    for (int k = 0; k < PLAN_CASES; k++) {
        spmv_matrix A = plan_test_make(&plan_cases[k], SPMV_F64, 7), M = {.format = SPMV_CSR};
        const int64_t n = A.head.rows;
        spmv_context *ctx;
        cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 2, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_csr_create(&M.csr, SPMV_PATTERN, n, n, 2, NULL), SPMV_SUCCESS);
        for (int64_t r = 1; r <= n; r++) M.csr.row_ptr[r] = r == n ? 2 : 1;
        M.csr.col_idx[1] = (int32_t)n - 1;
        const spmv_spgemm_options o = {.mask = &M, .transpose_b = true};
        plan_test_check(ctx, &A, &A, &o, plan_cases[k].kind);
        spmv_destroy(&A);
        spmv_destroy(&M);
        spmv_context_destroy(ctx);
    }
}

/* Without new matrices the values are those that lie where the last ones were, whether an operand
 * is taken as it lies or reordered. */
Test(spgemm_plan, values_changed_in_place)
{
    for (int k = 0; k < 16; k++) {
        const bool csc = k / 4 % 2 == 1, square = k / 8 == 0;
        const spmv_spgemm_options o = {.transpose_a = k % 2 == 1, .transpose_b = k / 2 % 2 == 1};
        spmv_matrix A, B = plan_test_make(&plan_cases[0], SPMV_F64, 7), C, other;
        spmv_spgemm_plan *plan;
        cr_assert_eq(spmv_convert(&A, &B, csc ? SPMV_CSC : SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
        const spmv_matrix *right = square ? &A : &B;
        cr_assert_eq(spmv_spgemm_plan_create(&plan, NULL, &A, right, &o, NULL), SPMV_SUCCESS);
        plan_test_fill(&A, 11);
        cr_assert_eq(spmv_spgemm_plan_product(plan, &C, NULL), SPMV_SUCCESS);
        plan_test_expect(&C, &A, right, &o, "changed before the first product");
        plan_test_fill(&A, 12);
        plan_test_fill(&B, 13);
        cr_assert_eq(spmv_spgemm_plan_multiply(plan, NULL, NULL, &C, NULL, NULL), SPMV_SUCCESS);
        plan_test_expect(&C, &A, right, &o, "changed in place");

        cr_assert_eq(spmv_convert(&other, &A, A.format, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_spgemm_plan_multiply(plan, &other, NULL, &C, NULL, NULL), SPMV_SUCCESS);
        plan_test_fill(&A, 14);
        plan_test_fill(&other, 15);
        cr_assert_eq(spmv_spgemm_plan_multiply(plan, NULL, NULL, &C, NULL, NULL), SPMV_SUCCESS);
        plan_test_expect(&C, &other, square ? &other : &B, &o, "given, and changed in place");
        spmv_spgemm_plan_destroy(plan);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
        spmv_destroy(&other);
    }
}

/* Rows wider than the sums of a thread are, with a mask and without, some with few products. */
Test(spgemm_plan, wide_rows)
{
    const plan_case wide = {"uniform", {.rows = 60, .cols = 5 << 20, .per_row = 200}},
                    narrow = {"uniform", {.rows = 40, .cols = 60, .per_row = 6}};
    for (int k = 0; k < 4; k++) {
        spmv_matrix A = plan_test_make(&narrow, SPMV_F32, 3),
                    B = plan_test_make(&wide, SPMV_F64, 4);
        spmv_matrix M = plan_test_make(
            &(plan_case){"uniform", {.rows = 40, .cols = 5 << 20, .per_row = k < 2 ? 90 : 9000}},
            SPMV_PATTERN, 4);
        spmv_spgemm_options o = {.threads = 2, .mask = k % 2 == 1 ? &M : NULL};
        plan_test_check(NULL, &A, &B, &o, "wide");
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&M);
    }
}

Test(spgemm_plan, nothing_to_multiply)
{
    const int64_t shape[][3] = {{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {2, 3, 0}, {4, 5, 6}};
    for (int k = 0; k < 5; k++) {
        spmv_matrix A = {.format = SPMV_CSR}, B = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, shape[k][0], shape[k][1], 0, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_csr_create(&B.csr, SPMV_F32, shape[k][1], shape[k][2], 0, NULL),
                     SPMV_SUCCESS);
        plan_test_check(NULL, &A, &B, NULL, "empty");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------- */

static void refuse(spmv_status expected, spmv_status st, const spmv_error *err, const char *message)
{
    cr_assert_eq(st, expected, "%d: %s", (int)st, err->message);
    cr_assert_str_eq(err->message, message);
}

Test(spgemm_plan, options_that_depend_on_values)
{
    spmv_matrix A = plan_test_make(&plan_cases[0], SPMV_F64, 1), ell;
    const struct {
        spmv_spgemm_options o;
        const char *message;
    } cases[] = {
        {{.top = 2}, "a plan cannot have top: where C has entries would depend on values"},
        {{.drop_zeros = true},
         "a plan cannot have drop_zeros: where C has entries would depend on values"},
        {{.boolean = true}, "a plan cannot have boolean: a product without values is made once"},
        {{.serial = true},
         "a plan cannot have serial: that is the way in which nothing is planned"},
    };
    spmv_spgemm_plan *plan;
    spmv_error err;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        refuse(SPMV_ERROR_UNSUPPORTED,
               spmv_spgemm_plan_create(&plan, NULL, &A, &A, &cases[k].o, &err), &err,
               cases[k].message);
        cr_assert_null(plan);
    }
    cr_assert_eq(spmv_convert(&ell, &A, SPMV_ELL, NULL, NULL), SPMV_SUCCESS);
    refuse(SPMV_ERROR_INVALID_FORMAT, spmv_spgemm_plan_create(&plan, NULL, &ell, &A, NULL, &err),
           &err, "A is ell, and a plan takes csr and csc");
    cr_assert_eq(spmv_spgemm_plan_create(&plan, NULL, NULL, &A, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&ell);
    spmv_matrix half = A;
    half.head.symmetry = SPMV_SYMMETRIC;
    refuse(SPMV_ERROR_UNSUPPORTED, spmv_spgemm_plan_create(&plan, NULL, &A, &half, NULL, &err),
           &err, "only one triangle of B is stored; expand it first");
    spmv_spgemm_plan_destroy(NULL);
    spmv_destroy(&A);
}

Test(spgemm_plan, matrices_that_are_not_alike)
{
    spmv_matrix A = plan_test_make(&plan_cases[0], SPMV_F64, 1), B = A, C, before, other;
    spmv_matrix single = plan_test_make(&plan_cases[0], SPMV_F32, 1);
    spmv_matrix large = plan_test_make(&(plan_case){"stencil5", {.grid = 31}}, SPMV_F64, 1);
    spmv_spgemm_plan *plan, *square;
    spmv_error err;
    cr_assert_eq(spmv_spgemm_plan_create(&plan, NULL, &A, &B, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_create(&square, NULL, &A, &A, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_product(plan, &C, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_product(plan, &before, NULL), SPMV_SUCCESS);
    refuse(SPMV_ERROR_INVALID_ARGUMENT,
           spmv_spgemm_plan_multiply(plan, &single, &B, &C, NULL, &err), &err,
           "A is csr of type f32, and the plan is for csr of type f64");
    refuse(SPMV_ERROR_INVALID_DIMENSION,
           spmv_spgemm_plan_multiply(plan, &A, &large, &C, NULL, &err), &err,
           "B is 961 x 961 with 4681 entries, and the plan is for 900 x 900 with 4380");
    refuse(SPMV_ERROR_INVALID_DIMENSION,
           spmv_spgemm_plan_multiply(plan, &A, &B, &large, NULL, &err), &err,
           "C is 961 x 961 with 4681 entries, and the plan is for 900 x 900 with 11104");
    refuse(SPMV_ERROR_INVALID_ARGUMENT, spmv_spgemm_plan_multiply(square, &A, &B, &C, NULL, &err),
           &err, "A and B were one matrix when the plan was made, and are two");
    for (int k = 0; k < 3; k++) {
        spmv_matrix one[] = {A, B, C};
        one[k].csr.val = NULL;
        refuse(SPMV_ERROR_INVALID_ARGUMENT,
               spmv_spgemm_plan_multiply(plan, &one[0], &one[1], &one[2], NULL, &err), &err,
               "csr matrix has no val");
    }
    cr_assert_eq(spmv_spgemm_plan_multiply(plan, &A, &C, &C, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_spgemm_plan_multiply(NULL, &A, &B, &C, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_spgemm_plan_multiply_on_gpu(plan, NULL, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_spgemm_plan_product(NULL, &other, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(other.csr.row_ptr);
    cr_assert(spmv_identical(&C, &before), "something was written");
    spmv_matrix *const all[] = {&A, &C, &before, &single, &large};
    for (int k = 0; k < 5; k++) spmv_destroy(all[k]);
    spmv_spgemm_plan_destroy(plan);
    spmv_spgemm_plan_destroy(square);
}
