/* product_memory_test.c -- how much memory a product of short rows takes beside its factors and C.
 */
#include "cuda/host/plan_cases_test.h"
#include "cuda/spgemm/product_limits.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { ROWS = 20000, OF_ROW = 14 }; /* bytes */

static int64_t bytes_of(const spmv_matrix *C)
{
    return (C->head.rows + 1) * (int64_t)sizeof(int32_t) +
           C->head.nnz * (int64_t)(sizeof(int32_t) + spmv_type_size(C->head.type));
}

/* C of so short rows takes some ten times as much for each. */
Test(product_memory, rows_take_few_bytes)
{
    static const int64_t few[] = {0, INT64_MAX};
    const plan_case c = {"uniform", {.rows = ROWS, .cols = ROWS, .per_row = 2}};
    spmv_matrix A = plan_test_make(&c, SPMV_F64, 1), C;
    spmv_context *ctx;
    spmv_gpu_matrix *a, *product;
    spmv_error err = {0};
    int64_t bytes = 0;
    setenv("EMULATED_TAKES", "1", 1);
    for (int k = 0; k < 2; k++) {
        spmv__product_limits_now.few = few[k];
        cr_assert_eq(spmv_context_create(&ctx, 0, 1, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_to_gpu(&a, ctx, &A, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_context_memory_start(ctx, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_spgemm_on_gpu(&product, ctx, a, a, NULL, NULL, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(spmv_context_memory_stop(ctx, &bytes, &err), SPMV_SUCCESS);
        cr_assert_eq(spmv_from_gpu(&C, ctx, product, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_geq(bytes, bytes_of(&C));
        cr_assert_leq(bytes, bytes_of(&C) + OF_ROW * ROWS + PLAN_TEST_ADDING_UP,
                      "%lld bytes beside %lld of C", (long long)(bytes - bytes_of(&C)),
                      (long long)bytes_of(&C));
        spmv_destroy(&C);
        spmv_gpu_matrix_destroy(product);
        spmv_gpu_matrix_destroy(a);
        spmv_context_destroy(ctx);
    }
    spmv_destroy(&A);
}
