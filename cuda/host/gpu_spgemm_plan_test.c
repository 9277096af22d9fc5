/* gpu_spgemm_plan_test.c -- products of one pattern on the GPU: the bits of the CPU every time. */
#include "cuda/gpu/kernel.h"
#include "cuda/host/plan_cases_test.h"
#include "cuda/kernels/gpu_test.h"
#include "cuda/spgemm/product_limits.h"

#include <stdio.h>
#include <string.h>

TestSuite(gpu_spgemm_plan, .init = gpu_test_open, .fini = gpu_test_close);

/* ---- Matrices on the host ------------------------------------------------------------------- */

/* Each kind meets other types where not all of them are tried. */
enum { TYPE_STEP = GPU_TEST_SHARE > 1 ? 23 : 1 };

Test(gpu_spgemm_plan, all_kinds_and_types)
{
    for (int k = 0; k < PLAN_CASES * 25; k += TYPE_STEP) {
        const spmv_type a = (spmv_type)(k % 5), b = (spmv_type)(k / 5 % 5);
        const plan_case *how = &plan_cases[k / 25];
        spmv_matrix A = plan_test_make(how, a, 7), B = plan_test_make(how, b, 8);
        char label[96];
        snprintf(label, sizeof label, "%s: %s times %s", how->kind, spmv_type_name(a),
                 spmv_type_name(b));
        plan_test_check(gpu_context, &A, &B, NULL, label);
        plan_test_check(gpu_context, &A, &A, NULL, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(gpu_spgemm_plan, infinite_numbers)
{
    plan_test_infinite_numbers(gpu_context, GPU_TEST_SHARE > 1 ? 40 : 1);
}

Test(gpu_spgemm_plan, transposes_formats_and_masks)
{
    for (int k = 0; k < PLAN_CASES; k++) {
        const plan_case *how = &plan_cases[k];
        spmv_matrix A = plan_test_make(how, SPMV_F32, 7), B = plan_test_make(how, SPMV_C64, 9), M;
        spmv_matrix csc;
        cr_assert_eq(spmv_transpose(&M, &A, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&csc, &A, SPMV_CSC, NULL, NULL), SPMV_SUCCESS);
        const spmv_spgemm_options o = {.transpose_a = k % 2 == 0, .transpose_b = k % 3 == 0};
        spmv_spgemm_options masked = o;
        masked.mask = &M;
        const bool each = GPU_TEST_SHARE == 1;
        const int one = k / 2 % 3;
        if (each || one == 0) plan_test_check(gpu_context, &csc, &B, &o, how->kind);
        if (each || one == 1) plan_test_check(gpu_context, &A, &A, &o, how->kind);
        if (each || one == 2) plan_test_check(gpu_context, &A, &B, &masked, how->kind);
        spmv_matrix *const all[] = {&A, &B, &M, &csc};
        for (int i = 0; i < 4; i++) spmv_destroy(all[i]);
    }
}

/* Rows of 2 to 7 unknowns have the same columns; lists are shared by four of them at most. */
Test(gpu_spgemm_plan, twins_that_share_lists)
{
    const spmv__product_limits usual = spmv__product_limits_now;
    for (int64_t b = 2; b <= 7; b++) {
        const plan_case fem = {"fem", {.grid = 4, .block = b}};
        spmv_matrix A = plan_test_make(&fem, b % 2 == 0 ? SPMV_F64 : SPMV_C64, 7);
        spmv__product_limits_now.few = 0; /* else nobody looks for twins */
        plan_test_check(gpu_context, &A, &A, NULL, "fem");
        spmv_destroy(&A);
    }
    spmv__product_limits_now = usual;
}

Test(gpu_spgemm_plan, nothing_to_multiply)
{
    const int64_t shape[][3] = {{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {2, 3, 0}, {4, 5, 6}};
    for (int k = 0; k < 5; k++) {
        spmv_matrix A = {.format = SPMV_CSR}, B = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, shape[k][0], shape[k][1], 0, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_csr_create(&B.csr, SPMV_F32, shape[k][1], shape[k][2], 0, NULL),
                     SPMV_SUCCESS);
        plan_test_check(gpu_context, &A, &B, NULL, "empty");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* ---- Matrices on the GPU -------------------------------------------------------------------- */

/* Two matrices on the host and there, their plan, and C. */
typedef struct plan_pair {
    spmv_matrix A, B;
    spmv_gpu_matrix *a, *b, *c;
    spmv_spgemm_plan *plan;
} plan_pair;

static plan_pair open_pair(const plan_case *how, spmv_type a, spmv_type b)
{
    plan_pair p = {.A = plan_test_make(how, a, 5), .B = plan_test_make(how, b, 6)};
    spmv_error err = {0};
    cr_assert_eq(spmv_to_gpu(&p.a, gpu_context, &p.A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&p.b, gpu_context, &p.B, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_create_on_gpu(&p.plan, gpu_context, p.a, p.b, NULL, &err),
                 SPMV_SUCCESS, "%s: %s", how->kind, err.message);
    cr_assert_eq(spmv_spgemm_plan_product_on_gpu(p.plan, &p.c, &err), SPMV_SUCCESS, "%s: %s",
                 how->kind, err.message);
    return p;
}

static void close_pair(plan_pair *p)
{
    spmv_spgemm_plan_destroy(p->plan);
    spmv_gpu_matrix *const on_gpu[] = {p->a, p->b, p->c};
    for (int k = 0; k < 3; k++) spmv_gpu_matrix_destroy(on_gpu[k]);
    spmv_destroy(&p->A);
    spmv_destroy(&p->B);
}

static void set_values(plan_pair *p, uint64_t seed)
{
    spmv_error err = {0};
    plan_test_fill(&p->A, seed);
    plan_test_fill(&p->B, seed + 50);
    cr_assert_eq(spmv_gpu_matrix_set(p->a, gpu_context, &p->A, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(spmv_gpu_matrix_set(p->b, gpu_context, &p->B, &err), SPMV_SUCCESS, "%s",
                 err.message);
}

static void expect(const plan_pair *p, const char *label)
{
    spmv_matrix C;
    cr_assert_eq(spmv_from_gpu(&C, gpu_context, p->c, NULL), SPMV_SUCCESS);
    test_assert_valid(&C, label);
    plan_test_expect(&C, &p->A, &p->B, NULL, label);
    spmv_destroy(&C);
}

/* Other products of the context, in between, must leave the plan alone. */
Test(gpu_spgemm_plan, values_that_are_overwritten_on_the_gpu)
{
    for (int k = 0; k < PLAN_CASES; k++) {
        plan_pair p = open_pair(&plan_cases[k], k % 2 ? SPMV_F64 : SPMV_C64, SPMV_F32);
        spmv_gpu_matrix *other;
        spmv_spgemm_result result;
        spmv_error err = {0};
        expect(&p, plan_cases[k].kind);
        for (uint64_t round = 0; round < (GPU_TEST_SHARE > 1 ? 2 : 3); round++) {
            set_values(&p, round);
            cr_assert_eq(spmv_spgemm_on_gpu(&other, gpu_context, p.b, p.b, NULL, NULL, &err),
                         SPMV_SUCCESS, "%s", err.message);
            cr_assert_eq(
                spmv_spgemm_plan_multiply_on_gpu(p.plan, p.c, round == 1 ? &result : NULL, &err),
                SPMV_SUCCESS, "%s", err.message);
            spmv_gpu_matrix_destroy(other);
            expect(&p, plan_cases[k].kind);
        }
        cr_assert_gt(result.products, 0);
        close_pair(&p);
    }
}

Test(gpu_spgemm_plan, a_recorded_product_finds_new_values)
{
    for (int k = 0; k < PLAN_CASES; k++) {
        plan_pair p = open_pair(&plan_cases[k], SPMV_F64, SPMV_F64);
        spmv_recording *recording;
        spmv_spgemm_result result;
        spmv_error err = {0};
        cr_assert_eq(spmv_context_record(gpu_context, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_spgemm_plan_multiply_on_gpu(p.plan, p.c, &result, &err),
                     SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_str_eq(err.message, "what is recorded gives no result");
        cr_assert_eq(spmv_spgemm_plan_multiply_on_gpu(p.plan, p.c, NULL, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err), SPMV_SUCCESS, "%s: %s",
                     plan_cases[k].kind, err.message);
        for (uint64_t round = 0; round < 2; round++) {
            set_values(&p, 10 + round);
            cr_assert_eq(spmv_context_replay(gpu_context, recording, NULL), SPMV_SUCCESS);
            expect(&p, plan_cases[k].kind);
        }
        spmv_recording_destroy(recording);
        close_pair(&p);
    }
}

Test(gpu_spgemm_plan, values_in_the_memory_of_the_gpu)
{
    plan_pair p = open_pair(&plan_cases[0], SPMV_F64, SPMV_PATTERN);
    spmv_matrix ell;
    spmv_gpu_matrix *e;
    cr_assert_not(p.a->awaited);
    cr_assert_not_null(spmv_gpu_matrix_values(p.a));
    cr_assert(p.a->awaited, "whoever has the pointer may write them just before a multiplication");
    cr_assert_null(spmv_gpu_matrix_values(p.b));
    cr_assert_null(spmv_gpu_matrix_values(NULL));
    cr_assert_eq(spmv_convert(&ell, &p.A, SPMV_ELL, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&e, gpu_context, &ell, NULL), SPMV_SUCCESS);
    cr_assert_null(spmv_gpu_matrix_values(e));
    spmv_gpu_matrix_destroy(e);
    spmv_destroy(&ell);
    close_pair(&p);
}

Test(gpu_spgemm_plan, new_values_that_are_missing)
{
    plan_pair p = open_pair(&plan_cases[0], SPMV_F64, SPMV_F32);
    spmv_matrix without = p.A;
    spmv_error err;
    without.csr.val = NULL;
    cr_assert_eq(spmv_gpu_matrix_set(p.a, gpu_context, &without, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "csr matrix has no val");
    close_pair(&p);
}

Test(gpu_spgemm_plan, refusals)
{
    plan_pair p = open_pair(&plan_cases[0], SPMV_F64, SPMV_F32);
    spmv_spgemm_plan *plan;
    spmv_matrix C;
    spmv_error err;
    const spmv_spgemm_options transposed = {.transpose_a = true}, top = {.top = 1};
    cr_assert_eq(spmv_spgemm_plan_create_on_gpu(&plan, gpu_context, p.a, p.b, &transposed, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_eq(spmv_spgemm_plan_create_on_gpu(&plan, gpu_context, p.a, p.b, &top, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message,
                     "a plan cannot have top: where C has entries would depend on values");
    cr_assert_null(plan);
    cr_assert_eq(spmv_spgemm_plan_multiply_on_gpu(p.plan, p.a, NULL, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "C is 900 x 900 with 4380 entries, and the plan is for 900 x 900 "
                                  "with 11104");
    cr_assert_eq(spmv_spgemm_plan_product(p.plan, &C, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "the plan was made of matrices on the GPU");
    cr_assert_null(C.csr.row_ptr);
    cr_assert_eq(spmv_spgemm_plan_create(&plan, gpu_context, &p.A, &p.B, NULL, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_multiply_on_gpu(plan, p.c, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "the plan was made of matrices on the host");
    cr_assert_eq(spmv_spgemm_plan_product(plan, &C, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_record(gpu_context, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_multiply(plan, &p.A, &p.B, &C, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "what is recorded takes matrices on the GPU");
    spmv_recording *recording;
    cr_assert_eq(spmv_context_record_end(gpu_context, &recording, NULL), SPMV_SUCCESS);
    spmv_recording_destroy(recording);
    spmv_destroy(&C);
    spmv_spgemm_plan_destroy(plan);
    close_pair(&p);
}
