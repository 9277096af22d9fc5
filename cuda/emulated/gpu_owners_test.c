/* gpu_owners_test.c -- memory is released on the GPU that it is of: only there its default stream
 * comes behind the kernels that still use it. */
#include "cuda/emulated/emulated_memory.h"
#include "spmv.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 2 };

/* What is on one GPU, all of it used. */
typedef struct on_gpu {
    spmv_context *ctx;
    spmv_gpu_matrix *A;
    spmv_operator *of_host, *of_gpu;
} on_gpu;

static on_gpu make(int device, const spmv_matrix *A)
{
    const spmv_kernel_options options = {.kernel = "csr-merge", .vector_type = SPMV_F64};
    on_gpu g;
    spmv_dense x, y;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&g.ctx, device, 1, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_to_gpu(&g.A, g.ctx, A, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_operator_create(&g.of_host, g.ctx, A, &options, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(spmv_operator_create_on_gpu(&g.of_gpu, g.ctx, g.A, &options, &err), SPMV_SUCCESS,
                 "%s", err.message);
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, A->head.cols, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, SPMV_F64, A->head.rows, 1, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 2; k++)
        cr_assert_eq(spmv_apply(k == 0 ? g.of_host : g.of_gpu, 1, &x, 0, &y, NULL, &err),
                     SPMV_SUCCESS, "%s", err.message);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return g;
}

static void destroy(on_gpu *g)
{
    spmv_operator_destroy(g->of_gpu);
    spmv_operator_destroy(g->of_host);
    spmv_gpu_matrix_destroy(g->A);
}

Test(gpu_owners, memory_is_released_on_its_gpu)
{
    const spmv_generate_options shape = {
        .rows = 300, .cols = 300, .per_row = 5, .type = SPMV_F64, .seed = 1};
    on_gpu g[GPUS];
    spmv_matrix A = {0};
    setenv("EMULATED_GPUS", "2", 1);
    cr_assert_eq(spmv_gpu_count(), GPUS);
    A.format = SPMV_CSR;
    cr_assert_eq(spmv_generate(&A.csr, "uniform", &shape, NULL), SPMV_SUCCESS);
    for (int k = 0; k < GPUS; k++) g[k] = make(k, &A);
    for (int k = 0; k < GPUS; k++) destroy(&g[k]); /* the last one is current */
    cr_expect_eq(emulated_misplaced, 0, "%ld times", emulated_misplaced);
    for (int k = 0; k < GPUS; k++) spmv_context_destroy(g[k].ctx);
    cr_expect_eq(emulated_live, 0);
    spmv_destroy(&A);
}

Test(gpu_owners, a_view_is_of_the_gpu_of_its_context)
{
    int64_t row_ptr[] = {0, 1, 2};
    int32_t col_idx[] = {1, 0};
    double val[] = {3, 4};
    spmv_matrix A = {.format = SPMV_CSR};
    A.csr = (spmv_csr){.type = SPMV_F64,
                       .rows = 2,
                       .cols = 2,
                       .nnz = 2,
                       .row_ptr = row_ptr,
                       .col_idx = col_idx,
                       .val = val};
    setenv("EMULATED_GPUS", "2", 1);
    for (int k = 0; k < GPUS; k++) {
        on_gpu g = make(k, &A);
        spmv_context *ctx;
        spmv_gpu_matrix *made;
        spmv_csr_view view;
        spmv_error err;
        cr_assert_eq(spmv_gpu_matrix_view(&view, g.A, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_context_create(&ctx, 1 - k, 1, &err), SPMV_SUCCESS, "%s", err.message);
        cr_expect_eq(spmv_gpu_matrix_from_view(&made, ctx, &view, &err),
                     SPMV_ERROR_INVALID_ARGUMENT);
        cr_expect_null(made);
        cr_expect_not_null(strstr(err.message, k == 0 ? "of GPU 0, and the context is of GPU 1"
                                                      : "of GPU 1, and the context is of GPU 0"),
                           "%s", err.message);
        spmv_context_destroy(ctx);
        destroy(&g);
        spmv_context_destroy(g.ctx);
    }
}
