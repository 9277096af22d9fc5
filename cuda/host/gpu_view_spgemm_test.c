/* gpu_view_spgemm_test.c -- sparse products of compressed rows in arrays of the caller's on the
 * GPU.
 */
#include "cuda/host/view_cases_test.h"
#include "cuda/kernels/gpu_test.h"

#include <string.h>

TestSuite(gpu_view_spgemm, .init = gpu_test_open, .fini = gpu_test_close);

static spmv_gpu_matrix *borrow(const view_case *f)
{
    spmv_gpu_matrix *out;
    spmv_error err;
    cr_assert_eq(spmv_gpu_matrix_from_view(&out, gpu_context, &f->view, &err), SPMV_SUCCESS, "%s",
                 err.message);
    return out;
}

/* C = A A^T of what is borrowed, as the host makes it; its arrays can be borrowed in turn. */
Test(gpu_view_spgemm, sparse_products_take_what_is_borrowed)
{
    const int samples[] = {9, 12, 16, 19, 21, 24, 27};
    for (int i = 0; i < 7; i++) {
        test_sample s = test_sample_make(samples[i], (spmv_type)(i % SPMV_TYPES), 4000);
        spmv_matrix T, expected, found, again;
        spmv_gpu_matrix *A, *B, *C, *D;
        spmv_csr_view view;
        spmv_error err;
        cr_assert_eq(spmv_transpose(&T, &s.A, NULL, NULL), SPMV_SUCCESS);
        view_case f = view_test_make(gpu_context, &s.A.csr, i), g;
        g = view_test_make(gpu_context, &T.csr, i + 1);
        A = borrow(&f);
        B = borrow(&g);
        cr_assert_eq(spmv_spgemm_on_gpu(&C, gpu_context, A, B, NULL, NULL, &err), SPMV_SUCCESS,
                     "%s", err.message);
        cr_assert_eq(spmv_from_gpu(&found, gpu_context, C, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_spgemm(&expected, &s.A, &T, NULL, NULL, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&found, &expected), "%s", s.label);
        cr_assert_eq(spmv_gpu_matrix_view(&view, C, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpu_matrix_from_view(&D, gpu_context, &view, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(spmv_from_gpu(&again, gpu_context, D, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&again, &expected), "%s", s.label);
        spmv_gpu_matrix_destroy(A);
        spmv_gpu_matrix_destroy(B);
        spmv_gpu_matrix_destroy(D);
        spmv_gpu_matrix_destroy(C);
        view_test_free(&f);
        view_test_free(&g);
        spmv_destroy(&T);
        spmv_destroy(&expected);
        spmv_destroy(&found);
        spmv_destroy(&again);
        spmv_destroy(&s.A);
    }
}

/* Row by row, where a column is that before it or one before that. */
Test(gpu_view_spgemm, sparse_products_refuse_columns_out_of_order)
{
    int64_t row_ptr[] = {0, 2, 2, 4, 7};
    static const struct {
        int32_t col_idx[7];
        const char *message; /* NULL: they ascend */
    } cases[] = {{{2, 3, 0, 1, 0, 1, 3}, NULL},
                 {{3, 2, 0, 1, 0, 1, 3}, "col_idx[1] of B is not"},
                 {{2, 3, 0, 0, 0, 1, 3}, "col_idx[3] of B is not"},
                 {{2, 3, 0, 1, 0, 3, 1}, "col_idx[6] of B is not"}};
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < 8; kind++) {
            const spmv_csr csr = {.type = SPMV_PATTERN,
                                  .rows = 4,
                                  .cols = 4,
                                  .nnz = 7,
                                  .row_ptr = row_ptr,
                                  .col_idx = (int32_t *)(uintptr_t)cases[i].col_idx};
            const spmv_csr right = {.type = SPMV_PATTERN,
                                    .rows = 4,
                                    .cols = 4,
                                    .nnz = 7,
                                    .row_ptr = row_ptr,
                                    .col_idx = (int32_t *)(uintptr_t)cases[0].col_idx};
            view_case f = view_test_make(gpu_context, &right, kind), g;
            g = view_test_make(gpu_context, &csr, kind);
            spmv_gpu_matrix *A = borrow(&f), *B = borrow(&g), *C;
            spmv_error err = {.message = ""};
            const spmv_status st = spmv_spgemm_on_gpu(&C, gpu_context, A, B, NULL, NULL, &err);
            cr_assert_eq(st, cases[i].message != NULL ? SPMV_ERROR_INVALID_FORMAT : SPMV_SUCCESS);
            if (cases[i].message != NULL)
                cr_assert_not_null(strstr(err.message, cases[i].message), "%s", err.message);
            spmv_gpu_matrix_destroy(C);
            spmv_gpu_matrix_destroy(A);
            spmv_gpu_matrix_destroy(B);
            view_test_free(&f);
            view_test_free(&g);
        }
}

/* A plan makes its product again and again, but not in arrays of the caller's. */
Test(gpu_view_spgemm, no_product_is_made_in_what_is_borrowed)
{
    test_sample s = test_sample_make(12, SPMV_F64, 2000);
    spmv_matrix T, before, after;
    spmv_gpu_matrix *A, *B, *C, *D;
    spmv_spgemm_plan *plan;
    spmv_csr_view view;
    spmv_error err;
    cr_assert_eq(spmv_transpose(&T, &s.A, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&A, gpu_context, &s.A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&B, gpu_context, &T, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_plan_create_on_gpu(&plan, gpu_context, A, B, NULL, &err), SPMV_SUCCESS,
                 "%s", err.message);
    cr_assert_eq(spmv_spgemm_plan_product_on_gpu(plan, &C, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_from_gpu(&before, gpu_context, C, NULL), SPMV_SUCCESS);
    memset(s.A.csr.val, 0, (size_t)s.A.head.nnz * sizeof(double));
    cr_assert_eq(spmv_gpu_matrix_set(A, gpu_context, &s.A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpu_matrix_view(&view, C, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpu_matrix_from_view(&D, gpu_context, &view, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_expect_eq(spmv_spgemm_plan_multiply_on_gpu(plan, D, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(err.message, "arrays of the caller's"), "%s", err.message);
    cr_assert_eq(spmv_from_gpu(&after, gpu_context, C, NULL), SPMV_SUCCESS);
    cr_expect(spmv_identical(&before, &after));
    spmv_gpu_matrix_destroy(D);
    spmv_gpu_matrix_destroy(C);
    spmv_spgemm_plan_destroy(plan);
    spmv_gpu_matrix_destroy(A);
    spmv_gpu_matrix_destroy(B);
    spmv_destroy(&T);
    spmv_destroy(&before);
    spmv_destroy(&after);
    spmv_destroy(&s.A);
}
